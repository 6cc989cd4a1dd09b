"""What stands in the fences of a reply and is the agent's own words: a command to run, a text to be sent or posted."""

from collections.abc import Iterator

import regex

from service.summarizers.outline_pasted import is_pasted
from service.summarizers.outline_phrases import alternatives
from service.summarizers.outline_text import lines_of, plain
from service.summarizers.outline_unfinished_phrases import DRAFT_LEAD

_TO_RUN = alternatives(
    r"""
    \b(run|running|execute|start|restart|type|enter|paste|install|activate)\b | \b(ausführen|führe|starte|gib)\b
    \b(lance[rz]?|exécute[rz]?|ejecuta|ejecute|execute|rode|запусти(те)?|выполни(те)?)\b | 运行 | 执行 | 実行 | 실행
    """
)
# Of a longer block it is not plain what is to be run; one in another language than a shell's shows code or output.
_COMMAND = regex.compile(
    rf"(?P<lead>^[^\n]{{0,300}}(?:{_TO_RUN})[^\n.]{{0,40}}[:：])\**[ \t]*\n"
    r"\s*```(?:sh|bash|shell|zsh|console|powershell)?[ \t]*\n"
    r"\s*(?:\$ )?(?P<command>[^\n`]{1,160})\n\s*```",
    regex.MULTILINE | regex.IGNORECASE,
)
_LAST_BLOCK = regex.compile(r"[ \t]*```(?:text|txt|markdown|md)?[ \t]*\n(?P<body>(?:(?!\s*```).*\n)+)\s*```\s*$")
_LABEL = regex.compile(
    r"^(?:title|subject|titel|betreff|titre|objet|asunto|assunto|тема|标题|主题|件名|제목)\s*[:：]\s*", regex.I
)
_ENOUGH_WORDS = 3


def with_commands(reply: str) -> str:
    """The reply with a single command behind "run:" on the line that asks for it."""
    return _COMMAND.sub(lambda found: f"{found['lead']} {found['command']}", reply)


def draft_in(reply: str) -> str:
    """The first line of the text a reply ends on, where it is all the reply says or is announced as a draft."""
    opening = reply.rfind("\n```", 0, max(reply.rstrip().rfind("```"), 0))
    found = _LAST_BLOCK.search(reply, max(opening, 0)) if reply.rstrip().endswith("```") else None
    if not found:
        return ""
    said = lines_of(reply[: found.start("body")])
    if said and not DRAFT_LEAD.search(said[-1].text):
        return ""
    return next(_worded(found["body"]), "")


def _worded(body: str) -> Iterator[str]:
    """The lines of a text that people read, none where most of it is code or output."""
    lines = [line for line in body.splitlines() if line.strip()]
    if sum(map(is_pasted, lines)) * 2 <= len(lines):
        bare = (_LABEL.sub("", plain(line).rstrip(":： ")) for line in lines)
        yield from (line for line in bare if len(line.split()) >= _ENOUGH_WORDS or len(line.encode()) >= 24)
