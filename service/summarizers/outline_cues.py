"""What a person's turn does, told by its first words: it assents, corrects, asks, ships, drops or turns elsewhere.

Phrases only tilt a decision that vocabulary, files, facts and time make: a language that outline_phrases.py does not
hold still works, with fewer hints.
"""

import regex

from service.summarizers.outline_phrases import (
    ASKS,
    ASSENT,
    CORRECTION,
    DROP,
    FOLLOW_UP,
    MOVES_ON,
    PIVOT,
    PRAISE,
    RESUMES,
    SHIP,
    alternatives,
)
from service.summarizers.outline_vocabulary import SPACELESS, SPACELESS_LETTER

# In characters of an alphabet; one of a script without blanks says about as much as three of them.
_SHORT_QUESTION = 60
_SHORT_ORDER = 70
_MOST_ASSENTS = 8

_ASKS_FOR_WORK = regex.compile(
    alternatives(
        r"""
        \b(can|could|would|will) (you|we)\b | \bhow about\b | \bwhat if we\b | \b(kannst|könntest) du\b | \bkönnen wir\b
        \bpeux-tu\b | \bpouvez-vous\b | \bpuedes\b | \bpodr[ií]as\b | \bмож(ешь|но)\b | \bсможешь\b
        もらえ | くれ | いただけ | ください | 能不能 | 能否 | 可以.{0,12}吗 | 帮我 | 해 ?줄 | ช่วย | ได้ไหม
        """
    ),
    regex.IGNORECASE,
)
_QUESTION_MARK = r"[?？؟][\s\p{P}\p{So}]*$"
_QUESTION_WORD = r"(?:ですか|ますか|でしょうか|吗|呢|까요|나요|ไหม|หรือเปล่า|หรือไม่)[。.！!\s]*$"
_QUESTION_END = regex.compile(f"{_QUESTION_MARK}|{_QUESTION_WORD}")
_LETTER_FOLLOWS = regex.compile(rf"[ \t]+[\p{{L}}--[{SPACELESS}]]", regex.VERSION1)
# "*exports" or "exports*" mends a word of the message before.
_RETYPED = regex.compile(r"\s*(?:\*\p{L}[^*\n]{0,40}|\p{L}[^*\n]{0,40}\*)\s*$|\s*typo\s*[:,]", regex.IGNORECASE)
_JOINABLE = (PRAISE, ASSENT, MOVES_ON, PIVOT, SHIP)
_SIGNS_BEHIND = " \t\n,.!;:。、！，-–—\N{PARTY POPPER}\N{THUMBS UP SIGN}"


def without_assent(text: str) -> str:
    """What is left of a turn once the yes, thanks and well-done in front are taken off."""
    rest = text.strip()
    for _ in range(_MOST_ASSENTS):
        found = PRAISE.match(rest) or ASSENT.match(rest)
        if not found or _leads_on(rest, found.end()):
            break
        rest = rest[found.end() :].lstrip(_SIGNS_BEHIND)
    return rest


def praises(text: str) -> bool:
    """Whether a turn opens by saying that the work before it is good."""
    if corrects(text):
        return False
    assent = ASSENT.match(text)
    found = PRAISE.match(text) or (PRAISE.match(text, assent.end()) if assent else None)
    return found is not None and not _leads_on(text, found.end())


def corrects(text: str) -> bool:
    """Whether a turn opens by saying that the work before it is wrong or unfinished."""
    return _opens_with(CORRECTION, text) or bool(_RETYPED.match(text))


def drops(text: str) -> bool:
    """Whether a turn opens by taking the goal back."""
    return _opens_with(DROP, text)


def ships(text: str) -> bool:
    """Whether a turn is no more than the order to commit, push or merge what is there."""
    return len(text.strip()) <= _SHORT_ORDER and _opens_with(SHIP, text)


def follows_up(text: str) -> bool:
    """Whether a turn orders a remark or a message about the work in hand."""
    return _opens_with(FOLLOW_UP, text)


def pivots(text: str) -> bool:
    """Whether a turn opens with words that announce another subject."""
    return _opens_with(PIVOT, text)


def moves_on(text: str) -> bool:
    """Whether a turn opens with "now" or its like: the next subject as often as the next step."""
    return _opens_with(MOVES_ON, text)


def resumes(text: str) -> bool:
    """Whether a turn names a subject that it comes back to."""
    return bool(RESUMES.match(text[:200]))


def is_short_question(text: str) -> bool:
    """Whether a turn only asks about what is there; a question that asks for work is an order."""
    words = text.strip()
    if len(words) + 2 * len(SPACELESS_LETTER.findall(words[:_SHORT_QUESTION])) > _SHORT_QUESTION:
        return False
    asks = ends_in_question(words) or ASKS.match(words)
    return bool(asks) and not _ASKS_FOR_WORK.search(words)


def ends_in_question(text: str) -> bool:
    """Whether the last words of a text ask something."""
    return bool(_QUESTION_END.search(text.rstrip()[-60:]))


def _opens_with(phrases: regex.Pattern[str], text: str) -> bool:
    return bool(phrases.match(text) or phrases.match(without_assent(text)))


def _leads_on(text: str, end: int) -> bool:
    """Whether a phrase was the start of a longer one ("good point about …", "all tests …") and no assent at all."""
    return bool(_LETTER_FOLLOWS.match(text, end)) and not any(cue.match(text, end) for cue in _JOINABLE)
