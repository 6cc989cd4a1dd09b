"""Which turns reach the model where the whole transcript is too long: the opening, then the newest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from service.domain.framing import left_out_messages, left_out_turns, shortened

OPENING_TURNS = 3  # SPEC section 5
_SMALLEST_PART = 400  # below this a part of a turn holds its header and hardly a sentence
_NOTE_ROOM = 80  # the longest line that says what was left out


@dataclass(frozen=True, slots=True)
class Block:
    """One user turn as rendered: the person's words, what followed, the facts. Turn 0 is what came before the first."""

    turn: int
    words: str | None
    replies: tuple[str, ...]
    facts: str | None
    cut: bool

    @property
    def text(self) -> str:
        return "\n".join(part for part in (self.words, *self.replies, self.facts) if part is not None)


@dataclass(frozen=True, slots=True)
class Fitted:
    """The lines that fit, and how many user turns are shown in part or not at all."""

    text: str
    excerpted: int
    left_out: int


def fit(blocks: Sequence[Block], room: int) -> Fitted:
    """Everything where it fits `room`, else the opening turns while they fit half of it, then the newest."""
    texts = [block.text for block in blocks]
    if sum(len(text) + 1 for text in texts) <= room:
        return _fitted(blocks, texts, dict(enumerate(texts)))
    if len(blocks) > 1 and blocks[0].turn == 0:
        blocks = _with_short_lead(blocks, room // 8)
        texts = [block.text for block in blocks]
    return _choose(blocks, texts, room - _NOTE_ROOM)


def _with_short_lead(blocks: Sequence[Block], room: int) -> Sequence[Block]:
    lead = _part_of(blocks[0], room)
    return [replace(blocks[0], replies=(lead,), facts=None), *blocks[1:]] if lead else blocks[1:]


def _choose(blocks: Sequence[Block], texts: Sequence[str], room: int) -> Fitted:
    whole = _opening(blocks, texts, room // 2)
    used = sum(len(text) + 1 for text in whole.values())
    first_open = len(whole)
    # The first user turn says why the work began: too long for half the room, it is still shown in part.
    first_in_part = first_open < len(blocks) - 1 and blocks[first_open].turn == 1
    reserved = max(0, room // 2 - used) if first_in_part else 0

    last_open = len(blocks) - 1
    while last_open >= first_open + first_in_part and used + reserved + len(texts[last_open]) + 1 <= room:
        whole[last_open] = texts[last_open]
        used += len(texts[last_open]) + 1
        last_open -= 1

    parts: dict[int, str] = {}
    if last_open >= first_open + first_in_part:
        parts[last_open] = _part_of(blocks[last_open], room - used - reserved)
        used += len(parts[last_open]) + 1
    if first_in_part:
        parts[first_open] = _part_of(blocks[first_open], room - used)
    return _fitted(blocks, texts, whole | {index: text for index, text in parts.items() if text})


def _opening(blocks: Sequence[Block], texts: Sequence[str], room: int) -> dict[int, str]:
    kept: dict[int, str] = {}
    for index, text in enumerate(texts[:-1]):
        room -= len(text) + 1
        if room < 0 or blocks[index].turn > OPENING_TURNS:
            break
        kept[index] = text
    return kept


def _part_of(block: Block, room: int) -> str:
    """The person's words, the newest replies and the facts, in `room` characters; empty where that is too little."""
    if room < _SMALLEST_PART:
        return ""
    if len(block.text) <= room:
        return block.text
    room -= _NOTE_ROOM
    replies_size = len(block.text) - len(block.words or "")
    words = shortened(block.words, max(room // 2, room - replies_size)) if block.words is not None else None
    room -= len(words or "") + 1
    facts = block.facts if block.facts is not None and len(block.facts) < room else None
    room -= len(facts or "") + 1
    replies = _newest(block.replies, room)
    missing = len(block.replies) - len(replies)
    note = left_out_messages(missing) if missing else None
    return "\n".join(part for part in (words, note, *replies, facts) if part is not None)


def _newest(replies: Sequence[str], room: int) -> list[str]:
    kept: list[str] = []
    for reply in reversed(replies):
        if len(reply) + 1 > room:
            break
        kept.append(reply)
        room -= len(reply) + 1
    if not kept and replies and room >= _SMALLEST_PART:
        kept.append(shortened(replies[-1], room - 1))
    return kept[::-1]


def _fitted(blocks: Sequence[Block], texts: Sequence[str], shown: dict[int, str]) -> Fitted:
    missing = [index for index, block in enumerate(blocks) if index not in shown and block.turn]
    lines = dict(shown)
    if missing:
        lines[missing[0]] = left_out_turns(blocks[missing[0]].turn, blocks[missing[-1]].turn)
    excerpted = sum(
        1 for index, text in shown.items() if blocks[index].turn and (blocks[index].cut or text != texts[index])
    )
    return Fitted("\n".join(lines[index] for index in sorted(lines)), excerpted, len(missing))
