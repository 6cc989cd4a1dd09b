"""Whether the words of one command test, build or check code: told by the program they start, through its runners.

A word inside an argument never counts. Which words are a program's flags with a value is known for the flags that stand
between a runner and what it runs; an unknown one makes the command unrecognised rather than misread.
"""

import re
from collections.abc import Iterable, Mapping

from service.domain.program_tables import (
    CHECKING_FLAGS,
    FORMATTING,
    GLOBAL_VALUES,
    GOAL_PROGRAMS,
    GOALS,
    INFORMATIVE,
    INFORMATIVE_SHORT,
    NO_TARGETS,
    SUBCOMMANDS,
    TARGET_PREFIXES,
    TARGETS,
    WHOLE,
    Check,
)

_MAX_RUNNERS = 8
_PYTHON = re.compile(r"(?:python|pypy)[0-9.]*w?|py")
_SUFFIX = re.compile(r"\.(?:exe|cmd|bat)$")
_SCRIPT = re.compile(r"^(?P<stem>[\w.:-]+?)\.(?:sh|bash|zsh|py|rb|php|[cm]?[jt]sx?)$")
_PARTS = re.compile(r"[:_./-]+")

# Runners by the words they begin with, each with the flags that take a value.
_RUNNERS: Mapping[tuple[str, ...], frozenset[str]] = {
    words: frozenset(flags.split())
    for words, flags in {
        ("npx",): "-p --package -w --workspace --prefix",
        ("bunx",): "-p --package",
        ("uvx",): "--from --with -p --python",
        ("npm", "exec"): "-p --package -w --workspace --prefix",
        ("npm", "x"): "-p --package -w --workspace --prefix",
        ("pnpm", "exec"): "--filter -F -C --dir",
        ("pnpm", "dlx"): "--package",
        ("yarn", "exec"): "",
        ("yarn", "dlx"): "-p --package",
        ("bun", "x"): "-p --package",
        ("uv", "run"): "-p --python --with --extra --group --only-group --no-group --package --project --directory"
        " --env-file --with-requirements --with-editable --index --index-url --config-file -C",
        ("uv", "tool", "run"): "--from --with -p --python",
        ("poetry", "run"): "-C --directory",
        ("pipenv", "run"): "",
        ("pdm", "run"): "-p --project",
        ("rye", "run"): "",
        ("pixi", "run"): "-e --environment --manifest-path",
        ("hatch", "run"): "",
        ("conda", "run"): "-n --name -p --prefix --cwd",
        ("mamba", "run"): "-n --name -p --prefix --cwd",
        ("bundle", "exec"): "",
        ("direnv", "exec"): "",
        ("docker", "exec"): "-e --env -u --user -w --workdir --env-file",
        ("docker", "compose", "exec"): "-e --env -u --user -w --workdir --index",
        ("docker", "compose", "run"): "-e --env -u --user -w --workdir -v --volume --name --entrypoint",
        ("docker-compose", "exec"): "-e --env -u --user -w --workdir --index",
        ("docker-compose", "run"): "-e --env -u --user -w --workdir -v --volume --name --entrypoint",
    }.items()
}
# These name a place (a container, a folder) before the command.
_WITH_PLACE = frozenset({"exec", "run"})
_PLACED = frozenset({"docker", "docker-compose", "direnv"})

_SCRIPT_RUNNERS = frozenset(
    {"npm", "pnpm", "yarn", "bun", "composer", "deno", "mise", "rtx", "moon", "turbo", "nx", "lerna"}
)
_TASK_RUNNERS = frozenset({"make", "gmake", "just", "task", "rake", "invoke", "inv", "poe", "doit", "cargo-make"})
_INTERPRETERS = frozenset({"node", "ruby", "php", "tsx", "ts-node", "bash", "sh", "zsh", "perl"})


def program_name(word: str) -> str:
    """The name of a program without its folder, its version (`jest@29`) and the endings of Windows."""
    return _SUFFIX.sub("", word.rsplit("/", 1)[-1]).split("@", 1)[0]


def check_of(words: tuple[str, ...]) -> Check | None:
    """What the command checks, None for everything that is no test, build, lint or type check."""
    for _ in range(_MAX_RUNNERS):
        if not words or _only_informs(words):
            return None
        inner = _behind_runner(words)
        if inner is None:
            return _direct(words)
        if inner and (named := _project_script(words, inner[0])):
            return named
        words = inner
    return None


def _only_informs(words: tuple[str, ...]) -> bool:
    name = program_name(words[0])
    informs = (INFORMATIVE - CHECKING_FLAGS.get(name, frozenset())) | INFORMATIVE_SHORT.get(name, frozenset())
    return any(word in informs for word in words[1:])


def _behind_runner(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The command a runner starts, None where the program is no runner of commands."""
    name = program_name(words[0])
    if _PYTHON.fullmatch(name):
        return _python_module(words)
    if name == "coverage" and len(words) > 1 and words[1] == "run":
        return _python_module(words[1:])
    head = (name, *words[1:3])
    for size in (3, 2, 1):
        flags = _RUNNERS.get(head[:size])
        if flags is None or len(head) < size:
            continue
        rest = _skip_flags(words[size:], flags)
        return _skip_flags(rest[1:], frozenset()) if name in _PLACED and head[size - 1] in _WITH_PLACE else rest
    if name in ("mise", "rtx") and len(words) > 1 and words[1] in ("exec", "x"):
        return words[words.index("--") + 1 :] if "--" in words else ()
    return None


def _python_module(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The module behind `-m`, None where Python runs something else."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "-m":
            return None if words[at + 1 : at + 2] == ("build",) else words[at + 1 :]
        if words[at] in ("-c", "-"):
            return ()
        at += 2 if words[at] in ("-W", "-X", "--source", "--rcfile", "--include", "--omit") else 1
    return None


def _project_script(words: tuple[str, ...], script: str) -> Check | None:
    """Scripts that `hatch run` and its like know by name: `hatch run test`, `hatch run lint:typing`, `pdm run lint`."""
    knows_scripts = program_name(words[0]) in ("hatch", "pdm", "pixi", "rye", "pipenv")
    return target_check(script) if knows_scripts and not _is_program(script) else None


def _is_program(name: str) -> bool:
    return name in WHOLE or name in SUBCOMMANDS or name in CHECKING_FLAGS


def _values(name: str) -> frozenset[str]:
    return GLOBAL_VALUES - {"-w", "-p", "-d"} if name == "pnpm" else GLOBAL_VALUES  # pnpm's `-w` has no value


def _skip_flags(words: tuple[str, ...], with_value: frozenset[str]) -> tuple[str, ...]:
    at = 0
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "--":
            return words[at + 1 :]
        at += 2 if words[at] in with_value else 1
    return words[at:]


def _direct(words: tuple[str, ...]) -> Check | None:
    name, rest = program_name(words[0]), words[1:]
    if name in WHOLE:
        return WHOLE[name]
    if name in CHECKING_FLAGS:
        return Check.LINT if CHECKING_FLAGS[name].intersection(rest) else None
    if _PYTHON.fullmatch(name) or name in _INTERPRETERS:
        return _interpreted(name, rest)
    if name in GOAL_PROGRAMS:
        return _strongest(GOALS.get(word.rsplit(":", 1)[-1].lower()) for word in rest if not word.startswith("-"))
    if name == "cmake":
        return Check.BUILD if "--build" in rest else None
    if name in _TASK_RUNNERS:
        return _task(name, _skip_flags(rest, GLOBAL_VALUES))
    found = _subcommand(name, _skip_flags(rest, _values(name)))
    if found is None and name in _SCRIPT_RUNNERS:
        found = _package_script(name, _skip_flags(rest, _values(name)))
    return found or (_script_file(words[0]) if "/" in words[0] else None)


def _subcommand(name: str, rest: tuple[str, ...]) -> Check | None:
    while rest and rest[0].startswith("+"):  # cargo +nightly test
        rest = rest[1:]
    if not rest:
        return None
    checking = FORMATTING.get(name, {}).get(rest[0])
    if checking is not None:
        return Check.LINT if checking.intersection(rest) else None
    if name in ("docker", "podman") and rest[:2] in (("compose", "build"), ("buildx", "build")):
        return Check.BUILD
    if (name, rest[0]) == ("cargo", "test") and "--no-run" in rest:
        return Check.BUILD
    return SUBCOMMANDS.get(name, {}).get(rest[0])


def _package_script(name: str, rest: tuple[str, ...]) -> Check | None:
    """What `npm run`, `yarn`, `nx` and their like start by name."""
    if len(rest) > 2 and rest[0] == "workspace":
        rest = rest[2:]
    if rest and rest[0] in ("recursive", "workspaces"):
        rest = rest[rest.index("run") :] if "run" in rest else rest[1:]
    if not rest:
        return None
    if rest[0] in ("run", "run-script", "r", "task"):
        return _named_script(name, _skip_flags(rest[1:], _values(name)))
    if name == "npm":  # the only script it starts by its bare name
        return Check.TEST if rest[0] in ("test", "t", "tst") else None
    return None if name in ("mise", "rtx", "deno", "lerna") else _named_script(name, rest)


def _named_script(name: str, rest: tuple[str, ...]) -> Check | None:
    if not rest:
        return None
    if name in ("turbo", "nx", "moon"):
        several = name == "turbo" or rest[0] in ("run-many", "affected")
        return _strongest(_task_check(word) for word in (rest if several else rest[:1]))
    if name in ("pnpm", "yarn", "bun") and _is_program(rest[0]):
        return _direct(rest)  # these also start what a package installed
    return target_check(rest[0])


def _task_check(word: str) -> Check | None:
    """A task of a monorepo's runner: `test`, `web:test`, `--target=test`."""
    name = word.removeprefix("--target=").removeprefix("--targets=")
    return None if name.startswith("-") else target_check(name.rsplit(":", 1)[-1])


def _task(name: str, rest: tuple[str, ...]) -> Check | None:
    """Make takes several targets; elsewhere what follows the first may be its arguments."""
    named = [word for word in rest if "=" not in word and not word.startswith("-")]
    return _strongest(target_check(word) for word in (named if name in ("make", "gmake") else named[:1]))


def _interpreted(name: str, rest: tuple[str, ...]) -> Check | None:
    if name == "node" and "--test" in rest:
        return Check.TEST
    if _PYTHON.fullmatch(name) and rest[:2] == ("-m", "build"):
        return Check.BUILD
    if name in ("bash", "sh", "zsh") and rest and rest[0] == "-n":
        return None
    script = _skip_flags(rest, frozenset({"-W", "-X", "-r", "--require", "--import", "--loader", "-I"}))
    if not script:
        return None
    return _subcommand(program_name(script[0]), script[1:]) or _script_file(script[0])


def _script_file(path: str) -> Check | None:
    """A script counts when its file is named for nothing else: `./run_tests.sh`, `scripts/lint`, `test_cart.py`."""
    name = path.rsplit("/", 1)[-1]
    match = _SCRIPT.match(name)
    stem = match["stem"] if match else name
    if match and (stem.startswith("test_") or stem.endswith(("_test", ".test", ".spec"))):
        return Check.TEST
    parts = _PARTS.split(stem.lower())
    return (
        target_check(stem)
        if len(stem) > 1 and all(part in TARGETS or part in TARGET_PREFIXES for part in parts)
        else None
    )


def target_check(target: str) -> Check | None:
    """What a script, target or task of this name checks, by its first part, or its last where that says only how."""
    parts = _PARTS.split(target.lower().rsplit("//", 1)[-1].strip(":_./-"))
    if len(parts) > 1 and parts[-1] in NO_TARGETS:
        return None
    if parts[-1] in TARGETS and parts[0] in TARGET_PREFIXES:
        return Check.LINT if parts[0] in ("type", "static", "format", "fmt") else TARGETS[parts[-1]]
    return TARGETS.get(parts[0])


def _strongest(found: Iterable[Check | None]) -> Check | None:
    return max((check for check in found if check is not None), default=None)
