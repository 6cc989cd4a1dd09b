"""What is wrong with how a command was called, in plain words in place of a validator's."""

import re
from collections.abc import Callable

_CHOICE = re.compile(r"Value error, (?P<given>.*) is not one of (?P<choices>'[^']*'(?:, '[^']*')*)", re.DOTALL)
_INVALID = re.compile(r"Invalid value for '(?P<name>[^']+)': (?P<why>.*)", re.DOTALL)
_PLAIN: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_CHOICE, lambda said: f"{_listed(said['choices'])}, not {said['given']}"),
    (re.compile(r"Input should be a valid integer"), lambda _: "a whole number"),
    (re.compile(r"Input should be greater than or equal to (\d+)"), lambda said: f"a whole number from {said[1]} on"),
    (re.compile(r"Input should be less than or equal to (\d+)"), lambda said: f"a whole number up to {said[1]}"),
)


def plain_words(message: str) -> str:
    """The message, as `--state takes needs-you or done, not 'foo'` where it says that a value cannot be taken."""
    invalid = _INVALID.fullmatch(message)
    if invalid is not None:
        for pattern, words in _PLAIN:
            if said := pattern.match(invalid["why"]):
                return f"{invalid['name']} takes {words(said)}"
    return message.rstrip(".")


def _listed(choices: str) -> str:
    names = [choice.strip("'") for choice in choices.split(", ")]
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
