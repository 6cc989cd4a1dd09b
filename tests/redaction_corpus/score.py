"""How well `redact` does on the corpus: `python -m tests.redaction_corpus.score [--heldout]`."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from service.domain.redact import redact
from tests.redaction_corpus import Part, Row, load

Redact = Callable[[str], str]

# A secret of which a longer piece than this share is still readable counts as missed: half a key is a leak as well.
_READABLE_SHARE = 0.5
_SHORTEST_PIECE = 8


@dataclass(frozen=True, slots=True)
class Finding:
    """One row beside what became of its text."""

    row: Row
    output: str

    @property
    def changed(self) -> bool:
        return self.output != self.row.text

    @property
    def missed(self) -> bool:
        """Whether the secret can still be read, whole or for its greater part."""
        return self.row.secret is not None and survives(self.row.secret, self.output)


@dataclass(frozen=True, slots=True)
class Score:
    """What became of one part of the corpus; its repr shows no row, so that a failing test gives nothing away."""

    secrets: Sequence[Finding] = field(repr=False)
    lookalikes: Sequence[Finding] = field(repr=False)
    beacons: Sequence[Finding] = field(repr=False)
    links: Sequence[Finding] = field(repr=False)


def score(part: Part, redact_text: Redact = redact) -> Score:
    """Every text of the part sent through `redact_text`."""

    def findings(group: str) -> list[Finding]:
        return [Finding(row, redact_text(row.text)) for row in load(f"{part}_{group}")]

    return Score(findings("secrets"), findings("lookalikes"), findings("beacons"), findings("links"))


def recall(findings: Sequence[Finding], *, with_hard: bool) -> float:
    """The share of secrets or beacons that cannot be read any more."""
    counted = [finding for finding in findings if with_hard or finding.row.difficulty != "hard"]
    return sum(not finding.missed for finding in counted) / len(counted)


def changed_share(findings: Sequence[Finding]) -> float:
    """The share of harmless texts that came back altered."""
    return sum(finding.changed for finding in findings) / len(findings)


def survives(secret: str, output: str) -> bool:
    """Whether a secret, or a piece of it that is longer than half, stands in the output."""
    if secret in output:
        return True
    size = max(_SHORTEST_PIECE, int(len(secret) * _READABLE_SHARE) + 1)
    return any(secret[start : start + size] in output for start in range(len(secret) - size + 1))


def _report(part: Part) -> list[str]:
    result = score(part)
    lines = [
        _recall_line("secrets found", result.secrets),
        _changed_line("look-alikes changed", result.lookalikes),
        _recall_line("beacons caught", result.beacons),
        _changed_line("ordinary links changed", result.links),
    ]
    # What is held out stays unseen, or the rules would be fitted to it.
    return lines if part == "heldout" else lines + _details(result)


def _recall_line(label: str, findings: Sequence[Finding]) -> str:
    plain, full = recall(findings, with_hard=False), recall(findings, with_hard=True)
    return f"{label}: {plain:.1%} easy and medium, {full:.1%} all, of {len(findings)}"


def _changed_line(label: str, findings: Sequence[Finding]) -> str:
    return f"{label}: {changed_share(findings):.1%} of {len(findings)}"


def _details(result: Score) -> list[str]:
    missed = [finding.row for finding in (*result.secrets, *result.beacons) if finding.missed]
    altered = [finding for finding in (*result.lookalikes, *result.links) if finding.changed]
    counts = Counter(f"missed {row.difficulty:6} {row.kind}" for row in missed)
    return [f"{count} x {label}" for label, count in sorted(counts.items())] + [
        f"changed {finding.row.kind}: {finding.row.text!r} -> {finding.output!r}" for finding in altered
    ]


def main() -> None:
    part: Part = "heldout" if "--heldout" in sys.argv[1:] else "open"
    sys.stdout.write("\n".join(_report(part)) + "\n")


if __name__ == "__main__":
    main()
