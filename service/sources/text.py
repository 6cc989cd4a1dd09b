"""Text as agents write it: a string, or a list of blocks of which only some hold words."""

import re
from collections.abc import Iterator

from service.domain.redact import redact

# Far more than the domain ever shows a model, and little enough that one pasted log cannot fill the memory.
MAX_TEXT = 200_000
MAX_STAMP = 64
# What a cut falls into goes whole: half a secret matches no rule. A longer run than this is no secret.
_CUT_HEAD = re.compile(r"(?<![!-~])[!-~]{1,1000}\Z")
_CUT_TAIL = re.compile(r"[!-~]{1,1000}(?![!-~])")
_NUMBER = re.compile(r"\s*[-+]?[\d_]*\.?[\d_]*(?:[eE][-+]?\d+)?\s*")


def as_text(value: object) -> str:
    """The value if it is a string, else nothing."""
    return value if isinstance(value, str) else ""


def as_stamp(value: object) -> str | None:
    """A time as the source gave it, or None where it is no short text."""
    return value if isinstance(value, str) and 0 < len(value) <= MAX_STAMP else None


def iso_stamp(value: object) -> str | None:
    """A time as text, for formats that write ISO 8601 alone: there a number in a string is no time."""
    stamp = as_stamp(value)
    return None if stamp is None or _NUMBER.fullmatch(stamp) else stamp


def blocks(content: object) -> Iterator[dict[str, object]]:
    """The blocks of a message's content; a plain string counts as one text block, and odd shapes as none."""
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        for block in content:
            if isinstance(block, dict):
                yield block
            elif isinstance(block, str):
                yield {"type": "text", "text": block}


def text_of(content: object) -> str:
    """The words of all text blocks, joined by line breaks."""
    if isinstance(content, str):
        return content
    texts = (as_text(block.get("text")) for block in blocks(content) if as_text(block.get("type")).endswith("text"))
    return "\n".join(text for text in texts if text)


def shortened(text: str, limit: int = MAX_TEXT) -> str:
    """At most about `limit` characters: head and tail stay, a line between them says how many are left out.

    No word is cut in two.
    """
    if len(text) <= limit:
        return text
    half = limit // 2
    head, tail = text[:half], text[-half:]
    cut, rest = _CUT_HEAD.search(head, half - 1_001 if half > 1_001 else 0), _CUT_TAIL.match(tail)
    head, tail = head[: cut.start()] if cut else head, tail[rest.end() :] if rest else tail
    return f"{head}\n[… {len(text) - len(head) - len(tail):,} characters left out …]\n{tail}"


def headline(text: str, limit: int = 120) -> str | None:
    """The first line that is not blank, its blanks collapsed, redacted, cut to `limit`; None where there is none."""
    for line in text[: limit * 20].splitlines():
        words = redact(" ".join(line.split()))
        if words:
            return words if len(words) <= limit else words[: limit - 1].rstrip() + "…"
    return None
