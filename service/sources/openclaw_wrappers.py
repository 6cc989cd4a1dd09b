"""A person's words in an OpenClaw message: what the program puts around them comes off, its own are told apart."""

import re

_PROGRAM_STARTS = (
    "[Subagent Context]",
    "[OpenClaw heartbeat poll]",
    "Read HEARTBEAT.md",
    "[Bootstrap pending]",
    "A new session was started via /new or /reset",
    "Pre-compaction memory flush",
    "[cron:",
    "[System Message]",
    "[Inter-session message]",
)
_SUB_AGENT_START = "[Subagent Context]"
# No person begins a text with these, so they tell a file of OpenClaw's that has lost its head.
_UNMISTAKABLE = re.compile(
    r"(?:\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d [^\]\n]{1,40}\] )?\[(?:Subagent Context|OpenClaw heartbeat poll)\]"
    r"|(?:Sender|Conversation info) \(untrusted[^)\n]{0,40}\):[ \t]*\n"
)
_EVENT = re.compile(r"System: \[[^\]\n]{1,60}\][^\n]*(?:\n|\Z)")
_UNTRUSTED = re.compile(r"[A-Z][A-Za-z ]{1,40} \(untrusted[^)\n]{0,40}\):[ \t]*\n```(?:json)?[ \t]*\n")
_FENCE_END = re.compile(r"^```[ \t]*$", re.MULTILINE)
_STAMP = re.compile(r"\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d[^\]\n]{0,30}\] ?")


def is_unmistakable(text: str) -> bool:
    """Whether a text begins as only OpenClaw begins one."""
    return _UNMISTAKABLE.match(_after_events(text)) is not None


def is_for_sub_agent(text: str) -> bool:
    """Whether a text is the task that an agent gives to its helper."""
    return words_of(text).startswith(_SUB_AGENT_START)


def words_of(text: str) -> str:
    """What is left when events, sender notes and time stamp before it come off; nothing if they are all there is."""
    at = 0
    while True:
        at = _end_of_blanks(text, at)
        if found := _EVENT.match(text, at) or _STAMP.match(text, at):
            at = found.end()
        elif found := _UNTRUSTED.match(text, at):
            fence = _FENCE_END.search(text, found.end())
            if fence is None:
                return ""
            at = fence.end()
        else:
            return text[at:].strip()


def is_by_program(words: str) -> bool:
    """Whether unwrapped words are the program's own."""
    return words.startswith(_PROGRAM_STARTS)


def _after_events(text: str) -> str:
    at = 0
    while event := _EVENT.match(text, _end_of_blanks(text, at)):
        at = event.end()
    return text[_end_of_blanks(text, at) :]


def _end_of_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
