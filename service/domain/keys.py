"""What a slot or a transcript can be called, by either door."""

import unicodedata

MOST_KEY_CHARS = 256
KEY_WORDS = f"1 to {MOST_KEY_CHARS} characters, without control characters"


def is_key(key: str) -> bool:
    """Whether HTTP can address it: 1 to 256 characters, no control characters and no halves of characters."""
    return 0 < len(key) <= MOST_KEY_CHARS and not any(unicodedata.category(char) in ("Cc", "Cs") for char in key)
