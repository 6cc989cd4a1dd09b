"""Speed of redaction: `python -m tests.bench.bench_redact`, ratios and seconds of CPU side by side in one run.

The bars: one megabyte of each kind of hostile text takes at most a second, twice as much at most 2.5 times as long,
and ordinary text goes through at four megabytes a second or better. Texts in which nothing repeats are measured beside
them: there every keyword and every address has to be judged anew.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from service.domain.redact import redact

_MEGABYTE = 1_000_000
_ROOT = Path(__file__).parents[2]

HOSTILE: dict[str, str] = {
    "one letter": "a",
    "vendor prefixes": "gh" + "p_",
    "prefixes of one family": "sk-" + "ant-",
    "keys without values": "password=",
    "keys and short values": "token=abc1 ",
    "words before values": "the secret key password token is ",
    "begin lines": "-----BEGIN PRIVATE" + " KEY-----\n",
    "token headers": "eyJhbGciOiJIUzI1NiJ9.",
    "open URLs": "https://a.b/?",
    "user-info": "://a:b",
    "brackets": "![](([",
    "flags": "mysql -p -u --password ",
    "quotes and backslashes": 'key\\"=\\"',
    "percent signs": "https://h.x/%61%62",
    "base64": "QUJDREVGR0hJ",
    "cookies": "Cookie: a=b; ",
    "dots and digits": "1.0x7f.",
    "lone surrogates": "\ud800token ",
    "wide characters": "密码是İ",
    "pictures": "![](http://x.y/?n=1&c=ab)",
    "short links": "http://x.y/?n=1&c=ab ",
    "headings": "a,password,b\n",
    "identifiers": "SECRET_KEY_",
    "calls": "login('a',",
    "prose and values": "Ab12cd34 is the password ",
    "found secrets": "password: hT7mWq2xZ9 ",
}

_SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_WORDS = ("password ", "token ", "secret: ", "api key is ", "pin ", "login ")


def _random(r: Random, length: int) -> str:
    return "".join(r.choices(_SIGNS, k=length))


UNREPEATED: dict[str, Callable[[Random], str]] = {
    "keywords in a row": lambda r: r.choice(_WORDS),
    "passwords": lambda r: f"password: {_random(r, 12)}\n",
    "open quotes": lambda r: f"password=\"{_random(r, 3)}' token='",
    "tokens": lambda r: f"ghp_{_random(r, 36)} ",
    "addresses": lambda r: (
        f"https://x{r.randrange(999)}.example.org/a?q={_random(r, 12)}&r=https://b.c/{_random(r, 5)} "
    ),
    "pictures": lambda r: f"![x](http://192.0.2.4/{_random(r, 4)}?d={_random(r, 24)})",
}


def seconds(text: str) -> float:
    """CPU seconds of one redaction."""
    start = time.process_time()
    redact(text)
    return time.process_time() - start


def ordinary_text(size: int) -> str:
    """The project's own prose and code, repeated up to the size, without the rules, whose examples are all secrets."""
    own = [*_ROOT.glob("*.md"), *_ROOT.glob("service/**/*.py"), *_ROOT.glob("tests/domain/*.py")]
    files = sorted(path for path in own if "redact" not in str(path.relative_to(_ROOT)))
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return (text * (size // len(text) + 1))[:size]


def report(name: str, text: str) -> None:
    """Prints what the first half of the text takes, and how many times as long the whole."""
    once, twice = seconds(text[: len(text) // 2]), seconds(text)
    sys.stdout.write(f"{name:28} {once:6.2f} s/MB   doubled x{twice / max(once, 0.001):.2f}\n")


def main() -> None:
    """Prints one line per kind of text."""
    for name, unit in HOSTILE.items():
        report(name, unit * (2 * _MEGABYTE // len(unit)))
    for name, make in UNREPEATED.items():
        r = Random(7)  # noqa: S311 - the same text in every run
        count = 2 * _MEGABYTE // len(make(r)) * 2
        report(f"unrepeated {name}", "".join(make(r) for _ in range(count))[: 2 * _MEGABYTE])
    text = ordinary_text(4 * _MEGABYTE)
    sys.stdout.write(f"{'ordinary text':28} {len(text) / _MEGABYTE / seconds(text):6.1f} MB/s\n")


if __name__ == "__main__":
    main()
