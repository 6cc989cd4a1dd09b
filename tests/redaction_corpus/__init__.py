"""Made-up secrets, look-alikes, beacons and ordinary links, kept as plain data; README.md says how they came about."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

# Stands inside every stored secret, so that no file here holds a string a secret scanner would take for a live key.
MARKER = "⟦⟧"

Part = Literal["open", "heldout"]
Group = Literal["secrets", "lookalikes", "beacons", "links"]
Difficulty = Literal["easy", "medium", "hard"]

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Row:
    """One text to redact; `secret` must not survive, and where it is None the text must come back unchanged."""

    id: str
    kind: str
    text: str
    difficulty: Difficulty | None = None
    secret: str | None = None


def load(name: str) -> list[Row]:
    """The rows of one file, `open_secrets` for instance, with the markers taken out."""
    lines = (_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
    return [_row(line) for line in lines if line]


def _row(line: str) -> Row:
    return Row(**{key: value.replace(MARKER, "") for key, value in json.loads(line).items()})
