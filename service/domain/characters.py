"""Text as it can be stored and shown: encodable, and blank where a reader would see nothing."""

import regex

# Zero-width characters, Hangul fillers, the empty Braille cell and lone surrogates leave nothing on the screen.
_VISIBLE = regex.compile(r"[^\s\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]")


def has_visible(text: str) -> bool:
    """Whether a reader would see anything at all."""
    return _VISIBLE.search(text) is not None


def encodable(text: str) -> str:
    """The same text, encodable in UTF-8: surrogate halves are joined where they belong together, else become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
