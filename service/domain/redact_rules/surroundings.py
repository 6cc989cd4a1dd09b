"""What is known of a text before its keywords are judged: where long tokens and telling signs are."""

import re
from dataclasses import dataclass, field

from service.domain.redact_rules import contexts

Place = tuple[int, int]


@dataclass(slots=True)
class Ahead:
    """Where a pattern stands next; places are asked for in order, so the text is read once."""

    pattern: re.Pattern[str]
    text: str
    at: int = -1

    def is_within(self, start: int, reach: int) -> bool:
        if self.at < start:
            found = self.pattern.search(self.text, start)
            self.at = found.start() if found else len(self.text) + reach
        return self.at < start + reach


@dataclass(frozen=True, slots=True)
class Text:
    """A text, where its longer runs of token characters are, and what a phrase with a secret cannot do without.

    `places` holds where secrets stand in surroundings that were judged, counted from the keyword.
    """

    text: str
    starts: list[int]
    ends: list[int]
    connector: Ahead
    telling: Ahead
    around: Ahead
    places: dict[str, Place | None] = field(default_factory=dict)


def text_of(text: str, small: str) -> Text:
    """A text with what is known of it; `small` is the same in small letters."""
    tokens = [found.span() for found in contexts.TOKENS.finditer(text)]
    telling, around = (Ahead(contexts.TELLING_SIGN, text) for _ in range(2))
    starts, ends = [start for start, _ in tokens], [end for _, end in tokens]
    return Text(text, starts, ends, Ahead(contexts.CONNECTOR, small), telling, around)
