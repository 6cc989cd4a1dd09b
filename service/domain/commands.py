"""What ran in one shell command line, and which of its results the one exit code proves.

Nothing is called passed or failed that the exit code does not prove: in `a && b` both passed if the whole did; behind
`;`, `|`, `||` and `&` the exit code is another command's.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from service.domain.messages import FactResult
from service.domain.program_tables import Check
from service.domain.programs import check_of, program_name
from service.domain.shell_script import Chain, Command, Group, Joint, Pipeline, Script, fails_by_word, parse
from service.domain.shell_wrappers import Options, nested_script, options_of, unwrap

# Longer lines are read up to here, with no result proven: what the rest would do to the exit code is not known.
MAX_COMMAND = 200_000
_MAX_NESTED = 4
_CANNOT_FAIL = frozenset({"echo", "printf", "true", ":"})
# So unlikely to fail that a failed `cd web && npm test` is the test's failure.
_PREPARES = _CANNOT_FAIL | frozenset(
    {"cd", "pushd", "popd", "export", "source", ".", "set", "shopt", "unset", "mkdir", "sleep", "pwd", "date", "clear"}
    | {"nvm", "fnm", "conda", "ulimit", "umask", "alias"}
)
# What stands behind these is meant to be left out at times.
_GUARDS = frozenset({"[", "[[", "test", "which", "type", "hash", "command", "grep"})
# Behind a pipe these read all they are given and do not fail of themselves; `head` may kill what it reads from.
_PASS_ON = frozenset({"tee", "cat", "tail", "sed", "awk", "sort", "wc", "tr", "ts"})


@dataclass(frozen=True, slots=True)
class Ran:
    """Commands with one result: a single one, or checks joined by `&&` of which one failed, nobody knows which.

    One that is not certain may never have started: what stands behind `||`, or behind a guard like `[ -f x ] &&`.
    """

    commands: tuple[tuple[str, ...], ...]
    result: FactResult
    certain: bool = True


def what_ran(command: str, result: FactResult) -> tuple[Ran, ...]:
    """Every command of the line in order, wrappers and quotes taken off."""
    known = result if len(command) <= MAX_COMMAND else FactResult.UNKNOWN
    return tuple(_script(command[:MAX_COMMAND], known, Options(), 0))


def strongest_check(text: str) -> Check | None:
    """What the command line checks at most; None where nothing in it is recognised."""
    found = (check_of(words) for ran in what_ran(text, FactResult.UNKNOWN) for words in ran.commands)
    return max((check for check in found if check is not None), default=None)


def _script(text: str, result: FactResult, options: Options, depth: int) -> Iterator[Ran]:
    script = parse(text)
    yield from _chains(script.chains, _proven(script, result), options, depth, top=True)


def _proven(script: Script, result: FactResult) -> FactResult:
    """An `exit` on the way takes its meaning from the exit code."""
    early = script.may_pass_early if result is FactResult.PASSED else script.may_fail_early
    return FactResult.UNKNOWN if script.torn or early else result


def _chains(chains: tuple[Chain, ...], result: FactResult, options: Options, depth: int, *, top: bool) -> Iterator[Ran]:
    """The last chain's result is the whole's; an earlier one passed only where `set -e` would have stopped at it.

    The shell ignores `set -e` inside a group that `&&` or `||` follows, so a pass rests on it at the top alone.
    """
    doubtful = False
    for number, chain in enumerate(chains, 1):
        options = _options_after(chain, options)
        if number == len(chains):
            known = FactResult.UNKNOWN if doubtful and result is FactResult.FAILED else result
        else:
            stops = top and options.errexit and len(chain.links) == 1 and result is FactResult.PASSED
            known = FactResult.PASSED if stops else FactResult.UNKNOWN
            doubtful = doubtful or _may_end_it(chain, errexit=options.errexit)
        yield from _chain(chain, FactResult.UNKNOWN if chain.background else known, options, depth)


def _may_end_it(chain: Chain, *, errexit: bool) -> bool:
    """Whether the script may have failed here already: by `|| exit 1`, or by any failure under `set -e`."""
    ends = errexit or any(_gives_up(pipeline) for _, pipeline in chain.links)
    return ends and not all(
        _prepares(pipeline) or (joint is Joint.OR and _gives_up(pipeline)) for joint, pipeline in chain.links
    )


def _chain(chain: Chain, result: FactResult, options: Options, depth: int) -> Iterator[Ran]:
    if result is FactResult.FAILED and any(_gives_up(pipeline) for _, pipeline in chain.links[:-1]):
        result = FactResult.UNKNOWN
    if joined := _one_of_several(chain, result):
        yield joined
        return
    for (_, pipeline), known in zip(chain.links, _settle(chain, result), strict=True):
        for ran in _pipeline(pipeline, known or FactResult.UNKNOWN, options, depth):
            yield ran if known else replace(ran, certain=False)


def _settle(chain: Chain, result: FactResult) -> list[FactResult | None]:
    """What the chain's result says of each link, read from its end; None for a link that may not have run."""
    settled: list[FactResult | None] = [FactResult.UNKNOWN] * len(chain.links)
    prepared = _prepared(chain)
    guard = next((at for at, (_, pipeline) in enumerate(chain.links) if _program(pipeline) in _GUARDS), len(settled))
    for at in range(len(chain.links) - 1, 0, -1):
        joint, pipeline = chain.links[at]
        own, result = _split(joint, result, pipeline, alone=at <= prepared)
        settled[at] = None if own is FactResult.UNKNOWN and at > guard else own
    settled[0] = result
    return settled


def _split(joint: Joint, result: FactResult, right: Pipeline, *, alone: bool) -> tuple[FactResult | None, FactResult]:
    """The result of the right side and of all to its left, from that of `left joint right`."""
    passed, failed, unknown = FactResult.PASSED, FactResult.FAILED, FactResult.UNKNOWN
    if joint is Joint.AND:
        if result is passed:
            return passed, passed
        if result is failed and _program(right) in _CANNOT_FAIL:
            return None, failed
        return (failed if result is failed and alone else unknown), unknown
    if result is passed and _gives_up(right):
        return None, passed
    if result is failed and _program(right) not in _CANNOT_FAIL:
        return failed, failed
    return None, unknown


def _one_of_several(chain: Chain, result: FactResult) -> Ran | None:
    """A failed `lint && test`: one of the two failed, which is worth knowing though not which."""
    if result is not FactResult.FAILED or any(joint is Joint.OR for joint, _ in chain.links):
        return None
    candidates = [_single(pipeline) for _, pipeline in chain.links if not _prepares(pipeline)]
    if len(candidates) < 2 or not all(words and check_of(words) for words in candidates):  # `exit 1` is no check
        return None
    return Ran(tuple(words for words in candidates if words), FactResult.FAILED)


def _pipeline(pipeline: Pipeline, result: FactResult, options: Options, depth: int) -> Iterator[Ran]:
    for stage, own in zip(pipeline.stages, _stage_results(pipeline, result, options), strict=True):
        if isinstance(stage, Group):
            known = FactResult.UNKNOWN if stage.loose else own
            yield from _chains(stage.chains, known, options, depth, top=False)
        else:
            yield from _command(stage.words, own, depth)


def _stage_results(pipeline: Pipeline, result: FactResult, options: Options) -> list[FactResult]:
    """The exit code is the last stage's; with pipefail a pass is everyone's, a failure that of the only one who can."""
    stages = pipeline.stages
    if pipeline.negated:
        return [FactResult.UNKNOWN] * len(stages)
    if len(stages) == 1 or not options.pipefail:
        return [FactResult.UNKNOWN] * (len(stages) - 1) + [result]
    if result is not FactResult.FAILED:
        return [result] * len(stages)
    suspects = [at for at, stage in enumerate(stages) if not (isinstance(stage, Command) and _passes_on(stage))]
    return [FactResult.FAILED if suspects == [at] else FactResult.UNKNOWN for at in range(len(stages))]


def _passes_on(stage: Command) -> bool:
    return bool(stage.words) and program_name(stage.words[0]) in _PASS_ON


def _command(words: tuple[str, ...], result: FactResult, depth: int) -> Iterator[Ran]:
    words = unwrap(words)
    nested = nested_script(words)
    if nested is None:
        if words:
            yield Ran((words,), result)
    elif depth < _MAX_NESTED:
        text, options = nested
        yield from _script(text, result, options, depth + 1)


def _options_after(chain: Chain, options: Options) -> Options:
    """What `set` changed, where nothing makes it conditional."""
    for _, pipeline in chain.links[: _prepared(chain)]:
        if (words := _single(pipeline)) and words[0] == "set":
            options = options_of(words[1:], options)
    return options


def _single(pipeline: Pipeline) -> tuple[str, ...] | None:
    """The words of a pipeline that is one plain command."""
    stage = pipeline.stages[0]
    if len(pipeline.stages) > 1 or pipeline.negated or not isinstance(stage, Command):
        return None
    words = unwrap(stage.words)
    return words if nested_script(words) is None else None


def _program(pipeline: Pipeline) -> str:
    words = _single(pipeline)
    return program_name(words[0]) if words else ""


def _prepares(pipeline: Pipeline) -> bool:
    words = _single(pipeline)
    return words is not None and (not words or program_name(words[0]) in _PREPARES)


def _prepared(chain: Chain) -> int:
    """How many links at the beginning of a chain only prepare, joined by `&&`."""
    for at, (joint, pipeline) in enumerate(chain.links):
        if joint is Joint.OR or not _prepares(pipeline):
            return at
    return len(chain.links)


def _gives_up(pipeline: Pipeline) -> bool:
    """What never passes: `exit 1`, `false`, or a group that ends so."""
    stage = pipeline.stages[-1]
    while isinstance(stage, Group) and not stage.loose and stage.chains and len(stage.chains[-1].links) == 1:
        stage = stage.chains[-1].links[0][1].stages[-1]
    return isinstance(stage, Command) and not pipeline.negated and fails_by_word(stage.words)
