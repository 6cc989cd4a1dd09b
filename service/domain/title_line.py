"""The one line for the sessions list, out of whatever a summarizer answered."""

from service.domain.characters import encodable, has_visible
from service.domain.excerpt import head_of
from service.domain.facts import one_line
from service.domain.prompt import NOTHING_TO_SAY, TITLE_CHARS
from service.domain.reply import ReplyProblem

# A secret is recognised whole or not at all, so more is redacted than is kept.
_READ_CHARS = 4_000
_QUOTES = [
    pair.split() for pair in ('" "', "' '", "` `", "** **", "* *", "“ ”", "„ “", "‘ ’", "« »", "‹ ›", "「 」", "『 』")
]
_STOPS = (".", "。", "．")


def read_title(text: str) -> str | ReplyProblem | None:
    """The first line in which there is something to read: redacted, without quotes and final stop, 200 characters.

    None where the answer is that there is nothing to say. Never raises.
    """
    line = next((line for line in encodable(text).splitlines() if has_visible(line) and not line.startswith("```")), "")
    line = _cleaned(one_line(line, _READ_CHARS))
    if not has_visible(line):
        return ReplyProblem.UNUSABLE
    return None if line.upper() == NOTHING_TO_SAY else head_of(line, TITLE_CHARS).head.rstrip()


def _cleaned(line: str) -> str:
    while (cleaner := _without_stop(_without_quotes(line.strip()))) != line:
        line = cleaner
    return line


def _without_quotes(line: str) -> str:
    """The words between quotes that enclose the whole line; quotes around some of its words stay."""
    for opening, closing in _QUOTES:
        inner = line[len(opening) : -len(closing)]
        quoted = len(line) >= len(opening + closing) and line.startswith(opening) and line.endswith(closing)
        if quoted and opening not in inner and closing not in inner:
            return inner
    return line.strip('"') if line.count('"') == 1 else line


def _without_stop(line: str) -> str:
    """The line without its final stop; an ellipsis stays."""
    return line[:-1] if line.endswith(_STOPS) and not line.endswith("..") else line
