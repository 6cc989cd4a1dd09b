"""Which messages under role `user` nobody typed."""

from service.domain.messages import Origin

# SPEC section 5, in lower case.
_STARTS = (
    "[cron notification",
    "[subagent completion event]",
    "[subagent batch completion event]",
    "[auto-nudge cycle",
    "[monitor wake]",
    "[tool refusal",
    "[tool stall",
    "=== restored context",
    "[system]",
)
_LONGEST = max(map(len, _STARTS))


def is_automation(text: str) -> bool:
    """Whether the text starts like one that a program wrote; leading blanks and letter case do not matter."""
    return text.lstrip()[:_LONGEST].lower().startswith(_STARTS)


def origin_of(role: str, content: str) -> Origin:
    """Who stands behind a message whose source says nothing of it; no person does under other roles."""
    if role == "assistant":
        return Origin.ASSISTANT
    return Origin.PERSON if role == "user" and not is_automation(content) else Origin.AUTOMATION
