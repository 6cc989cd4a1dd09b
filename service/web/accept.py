"""What an `Accept` header likes better."""

import re
from collections.abc import Iterator, Sequence

_QUALITY = re.compile(r"0(?:\.\d{0,3})?|1(?:\.0{0,3})?")
Liking = tuple[float, int]


def prefers(accept: Sequence[str], wanted: str, otherwise: str) -> bool:
    """Whether one media type is accepted and liked better than the other; of two liked alike, the one named exactly."""
    ranges = list(_ranges(accept))
    liking = _liking(ranges, wanted)
    return liking[0] > 0 and liking > _liking(ranges, otherwise)


def _ranges(accept: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The media ranges of the header's lines with their qualities; one whose quality is none is passed over."""
    for item in ",".join(accept).lower().split(","):
        name, *parameters = (part.strip() for part in item.split(";"))
        quality = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        if _QUALITY.fullmatch(quality):
            yield name, float(quality)


def _liking(ranges: Sequence[tuple[str, float]], media_type: str) -> Liking:
    """A type's quality by the most exact range that takes it in, and how exact that is."""
    family, _, _ = media_type.partition("/")
    for exactness, name in ((2, media_type), (1, f"{family}/*"), (0, "*/*")):
        if found := [quality for range_, quality in ranges if range_ == name]:
            return max(found), exactness
    return 0.0, 0
