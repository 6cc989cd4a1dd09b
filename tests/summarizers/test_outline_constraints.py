"""Rules a person stated."""

import pytest

from service.domain.messages import Fact, FactKind
from service.summarizers.outline_constraints import constraints_of
from service.summarizers.outline_turns import Turn


def rules(*texts: str, facts: tuple[Fact, ...] = ()) -> list[str]:
    return constraints_of(
        [Turn(number, text, "Always run it.", facts, None, None) for number, text in enumerate(texts, 1)]
    )


@pytest.mark.parametrize(
    "rule",
    [
        "Always run the linter before a commit.",
        "never push to main",
        "From now on write tests first",
        "use pnpm, not npm",
        "use the staging database instead of production",
        "We never edit generated files.",
        "You must always pass --locked.",
        "Immer erst die Tests laufen lassen",
        "Ab jetzt alle Beträge als Decimal",
        "Всегда запускай тесты",
        "Utilise pnpm au lieu de npm",
        "今後は日本語で書いてください",
        "以后都用 pnpm",
        "ห้ามแก้ไฟล์ที่สร้างอัตโนมัติ",
    ],
)
def test_a_stated_rule_is_kept_in_its_own_words(rule: str) -> None:
    """What must always be so in this project is remembered as it was said."""
    assert rules(f"Round the prices.\n{rule}") == [rule]


@pytest.mark.parametrize(
    "text",
    [
        "Never mind",
        "always fails on Tuesdays",
        "It always crashes here",
        "Why does it never work?",
        "never worked before",
        "Round the prices",
        "```\nalways run this\n```",
        "don't change the docs now",
    ],
)
def test_talk_is_no_rule(text: str) -> None:
    """Complaints, questions and one-off wishes bind nobody."""
    assert rules(text) == []


def test_politeness_is_no_part_of_a_rule() -> None:
    """The rule starts where it says something."""
    assert rules("And please always use UTC.") == ["always use UTC."]


def test_a_later_rule_takes_the_place_of_its_opposite() -> None:
    """Who changed their mind is taken at their last word."""
    assert rules("use npm, not pnpm", "sorry: use pnpm, not npm") == ["use pnpm, not npm"]


def test_the_reason_for_a_refusal_may_be_a_rule() -> None:
    """Words typed when refusing a tool count as the person's words."""
    assert rules("Go", facts=(Fact(FactKind.DENIED, "Bash: use pnpm, not npm"),)) == ["use pnpm, not npm"]


def test_an_agents_words_are_no_rule() -> None:
    """Only the person sets rules."""
    assert rules("Round the prices") == []
