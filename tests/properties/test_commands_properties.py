"""Whatever a command line holds, reading it ends quietly and proves nothing that did not run."""

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.domain.facts import (
    MAX_LINE,
    answered,
    command_facts,
    confirmation,
    denied,
    edited,
    evidence_for,
    fact_line,
)
from service.domain.messages import Fact, FactKind, FactResult

RESULTS = st.sampled_from(FactResult)
PIECES = r"""pytest|npm test|git commit -m x|git push| |;|&|&&|(|)|((|{ | }|'|"|`|$(|${|$'|<<|<<-E|<<<|<(|>|2>&1|#|\|if
|then |fi|for x in |do |done|case |esac|f() |[[ | ]]|! |set -e|exit 0|bash -c |E""".replace("\n", "").split("|")
SHELL = st.lists(st.sampled_from([*PIECES, "|", "||", "\n", "é", "\ud800", "\x00", "\u2028"]), max_size=40).map("".join)
ANY_TEXT = st.one_of(SHELL, st.text(st.characters(), max_size=200))
FACTS = st.builds(Fact, st.sampled_from(FactKind), ANY_TEXT, st.one_of(st.none(), RESULTS))
ARGUMENTS = st.sampled_from(["echo {}", "grep -rn {} src", "git log --grep {}", "cat {}", "FOO={} ls", "ls > {}"])
TURNS = st.integers(0, 9)
CHECKS = st.sampled_from(["pytest -q", "npm test", "cargo build && cargo test", "ruff check .", "make test; tsc"])


@given(ANY_TEXT, ANY_TEXT, RESULTS)
@settings(max_examples=300)
def test_any_command_is_read_without_an_error(command: str, output: str, result: FactResult) -> None:
    """Every fact is one short line that can be written."""
    for fact in command_facts(command, output, result):
        assert 0 < len(fact.text.encode()) <= 800
        assert len(fact.text.splitlines()) == 1


@given(SHELL)
def test_a_line_without_an_own_result_proves_none(command: str) -> None:
    """Of an unknown result nothing passed or failed."""
    assert all(fact.result in (None, FactResult.UNKNOWN) for fact in command_facts(command, "", FactResult.UNKNOWN))


@given(CHECKS, ARGUMENTS, RESULTS)
def test_a_quoted_run_is_no_run(check: str, around: str, result: FactResult) -> None:
    """The same words inside an argument show nothing."""
    assert command_facts(around.format(shlex.quote(check)), "", result) == ()


@given(st.lists(CHECKS, min_size=1, max_size=5), RESULTS)
def test_a_heredoc_is_no_run(body: list[str], result: FactResult) -> None:
    """What is written to a file does not run."""
    text = "\n".join(body)
    assert command_facts(f"cat > notes.md <<'END'\n{text}\nEND", "", result) == ()


@given(CHECKS, st.sampled_from(["{} | tail", "{} || true", "{}; true", "{} &", "({}) | cat", "{}\n:"]))
def test_a_hidden_exit_code_never_counts_as_a_pass(check: str, around: str) -> None:
    """Behind a pipe, `||`, `;` or `&` no run is called passed but what stands last."""
    hidden = around.format(f"{{ {check}; }}")
    assert all(fact.result is FactResult.UNKNOWN for fact in command_facts(hidden, "", FactResult.PASSED))


@given(st.lists(FACTS, max_size=40))
def test_any_facts_make_one_bounded_line(facts: list[Fact]) -> None:
    """The line never breaks and never grows over its limit."""
    line = fact_line(facts)
    assert len(line) <= MAX_LINE
    assert len(line.splitlines()) == bool(facts)
    assert line.encode().decode() == line


@given(st.dictionaries(TURNS, st.lists(FACTS, max_size=6), max_size=6), st.lists(st.tuples(TURNS, TURNS), max_size=4))
def test_what_evidence_confirms_the_facts_confirm(
    by_turn: dict[int, list[Fact]], ranges: list[tuple[int, int]]
) -> None:
    """Evidence of any facts is in the order of turns, and confirms only what stands in it."""
    evidence = evidence_for(ranges, by_turn)
    assert [turn for turn, _ in evidence] == sorted(turn for turn, _ in evidence)
    assert confirmation(evidence) in [None, *evidence]


@given(ANY_TEXT, ANY_TEXT)
def test_any_decision_is_one_line(label: str, text: str) -> None:
    """Paths, reasons and choices can be written on one line."""
    for fact in (edited(text), denied(label, text), answered(label, text)):
        assert len(fact.text.splitlines()) <= 1
        assert len(fact.text) <= 200


@pytest.mark.parametrize("piece", [*PIECES, "'\"", "a && ", "<<a\n", "bash -c '", '"$("', "env ", "a | ", "pytest;"])
def test_a_long_hostile_line_is_read_to_its_end(piece: str) -> None:
    """A hundred thousand brackets, quotes or operators neither break the reading nor prove anything."""
    command = (piece * 100_000)[:100_000]
    assert all(fact.result is not FactResult.PASSED for fact in command_facts(command, "", FactResult.UNKNOWN))
