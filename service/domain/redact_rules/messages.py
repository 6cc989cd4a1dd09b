"""Tells whether words, encoded or plain, are a message about something that should have stayed here."""

import codecs
import re

from service.domain.redact_rules.payloads import hidden_text, is_telling

JOINTS = re.compile(r"[-_.]")
TEMPLATE = re.compile(
    r"(?i)\$\(|`|\$(?:env:)?[A-Z_]{0,40}(?:secret|token|key|passw|user|host|home)|[{<%\[][^{}<>]{0,30}(?:secret"
    r"|passw|credential|token|api_?key|private|env|data"
    r"|history|conversation|context|prompt|memory|contents?"
    r"|user_?(?:info|data|input)|message|leak|summary|payload|base64|b64|encoded|cookie|chat|ssh"
    r"|transcript|keys)[^{}<>]{0,30}[}>%\]]"
    r"|(?:__|%%|@@|INSERT_)[A-Z_]{0,20}(?:SECRET|TOKEN|PASSW|KEY|HISTORY|CHAT|CONVERSATION|DATA|PROMPT)[A-Z_]{0,20}"
)
_WORDS = re.compile(r"[^\W\d_]{2,}")


def says_something(value: str) -> bool:
    """Whether encoded text is a message, and not the JSON of a page's own state."""
    hidden = hidden_text(value)
    return hidden is not None and is_message(hidden)


def is_message(hidden: str) -> bool:
    """Whether what was decoded is a message, and not the JSON of a page's own state."""
    return is_prose(hidden, 3) or (is_telling(hidden) and not hidden.lstrip().startswith("{"))


def tells(text: str) -> bool:
    """Whether words speak of secrets or persons, also with the alphabet turned by half or read backwards."""
    head = text[:1024]
    return is_telling(head) or is_telling(codecs.encode(head, "rot13")) or is_telling(head[::-1])


def is_prose(text: str, least: int) -> bool:
    """Whether text holds so many words with blanks between them."""
    return text.strip().count(" ") >= least - 1 and len(_WORDS.findall(text[:1024])) >= least


def is_hidden_telling(text: str) -> bool:
    """Whether words speak of secrets only once the alphabet is turned or they are read backwards."""
    return tells(text) and not is_telling(text)
