"""The words for why a summary was not made, said once for HTTP and terminal alike."""

from collections.abc import Mapping

_SENTENCES: Mapping[str, str] = {
    "disabled": "summaries are off; switch them on with session_summary.enabled",
    "in_flight": "one is being made already; look again in a moment",
    "running": "the agent is working in it; ask when its turn has ended",
    "deleted": "the session was deleted meanwhile",
    "too_few_turns": "the session has too few user turns; go on in it, or lower session_summary.min_user_turns",
    "memory_mode": "the session is private, so nothing is made of it",
    "moved": "the session moved on meanwhile; ask again",
    "queue_full": "too many summaries wait already; try again in a moment",
    "budget": "today's token budget is used up; raise daily_token_budget, or wait until tomorrow (UTC)",
    "deadline": "it took too long; try again, or raise pass_deadline_seconds",
    "model_auth": (
        "no key, or one the model side refused; check ANTHROPIC_API_KEY, or set anthropic.base_url for a local server"
    ),
    "model_overloaded": "the model is overloaded; try again later",
    "model_timeout": "the model did not answer in time; try again, or raise pass_deadline_seconds",
    "model_unreachable": "the model could not be reached; check the address (anthropic.base_url) and the network",
    "model_cut": "the model's answer was cut off; try again",
    "model_refused": "the model refused to answer; try again, or choose another model (models.background)",
    "model_truncated": "the model's answer did not fit; lower session_summary.max_input_chars or max_intents",
    "model_error": (
        "the model side answered with an error; check models.background and anthropic.base_url "
        "(`session-summary doctor` shows them)"
    ),
    "reply_unusable": (
        "the model's answer held no usable summary; try again, or choose another model (models.background)"
    ),
    "reply_ambiguous": "the model's answer held two different summaries; try again",
    "store_busy": "another process holds the database; try again in a moment",
    "store_full": "the database cannot be written; make room on the disk, or let it be written, then try again",
}


def sentence_for(reason: str) -> str:
    """What a reason means and what to do about it; a reason without a sentence is shown as it is."""
    return _SENTENCES.get(reason, reason)
