"""Which programs test, build or check code, by name: data for `programs.py`, from the tools' own command lines."""

from collections.abc import Mapping
from enum import IntEnum


class Check(IntEnum):
    """What a run checks; the greater one says more about the result of work."""

    LINT = 1
    BUILD = 2
    TEST = 3


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _each(names: str, check: Check) -> dict[str, Check]:
    return dict.fromkeys(names.split(), check)


# Programs that do nothing else.
WHOLE: Mapping[str, Check] = (
    _each(
        "pytest py.test tox nox trial nose2 nosetests stestr behave robot vitest jest mocha ava tap jasmine karma uvu"
        " c8 nyc rspec minitest cucumber phpunit pest gotestsum ginkgo ctest bats busted cargo-nextest xctest"
        " testcafe wdio japa unittest doctest",
        Check.TEST,
    )
    | _each(
        "webpack rollup tsup esbuild ninja msbuild sphinx-build scons pyinstaller maturin",
        Check.BUILD,
    )
    | _each(
        "mypy pyright basedpyright pyre pytype pylint flake8 pycodestyle pydocstyle bandit vulture lint-imports"
        " eslint oxlint tslint stylelint jshint standard xo tsc vue-tsc tsgo svelte-check knip rubocop standardrb reek"
        " phpstan psalm phpcs staticcheck errcheck revive shellcheck hadolint yamllint markdownlint markdownlint-cli2"
        " actionlint ktlint detekt swiftlint clang-tidy cppcheck luacheck ansible-lint tflint lint-staged sorbet srb"
        " credo commitlint codespell py_compile compileall",
        Check.LINT,
    )
)

_TEST_BUILD = {"test": Check.TEST, "build": Check.BUILD}
_TEST_BUILD_CHECK = _TEST_BUILD | {"check": Check.LINT}
_TEST_BUILD_LINT = _TEST_BUILD | {"lint": Check.LINT}

# Programs whose first word behind the flags tells; a second word may be needed to say which.
SUBCOMMANDS: Mapping[str, Mapping[str, Check]] = {
    "cargo": _TEST_BUILD_CHECK
    | {"t": Check.TEST, "b": Check.BUILD, "c": Check.LINT, "clippy": Check.LINT, "nextest": Check.TEST}
    | {"tarpaulin": Check.TEST, "llvm-cov": Check.TEST},
    "go": _TEST_BUILD | {"vet": Check.LINT},
    "golangci-lint": {"run": Check.LINT},
    "ruff": {"check": Check.LINT},
    "ty": {"check": Check.LINT},
    "dmypy": {"run": Check.LINT, "check": Check.LINT},
    "setup.py": {"test": Check.TEST, "build": Check.BUILD, "sdist": Check.BUILD, "bdist_wheel": Check.BUILD},
    "parcel": {"build": Check.BUILD},
    "pre-commit": {"run": Check.LINT},
    "prek": {"run": Check.LINT},
    "sqlfluff": {"lint": Check.LINT},
    "buf": {"lint": Check.LINT, "build": Check.BUILD},
    "deno": {"test": Check.TEST, "check": Check.LINT, "lint": Check.LINT},
    "biome": {"check": Check.LINT, "lint": Check.LINT, "ci": Check.LINT},
    "playwright": {"test": Check.TEST},
    "cypress": {"run": Check.TEST},
    "dotnet": _TEST_BUILD,
    "swift": _TEST_BUILD,
    "bazel": _TEST_BUILD | {"coverage": Check.TEST},
    "bazelisk": _TEST_BUILD | {"coverage": Check.TEST},
    "buck2": _TEST_BUILD,
    "zig": _TEST_BUILD,
    "stack": _TEST_BUILD,
    "cabal": _TEST_BUILD | {"check": Check.LINT},
    "dune": _TEST_BUILD | {"runtest": Check.TEST},
    "gleam": _TEST_BUILD_CHECK,
    "forge": _TEST_BUILD | {"lint": Check.LINT},
    "hardhat": {"test": Check.TEST, "compile": Check.BUILD},
    "truffle": {"test": Check.TEST, "compile": Check.BUILD},
    "anchor": _TEST_BUILD,
    "mix": {"test": Check.TEST, "compile": Check.BUILD, "credo": Check.LINT, "dialyzer": Check.LINT},
    "flutter": _TEST_BUILD | {"analyze": Check.LINT},
    "dart": {"test": Check.TEST, "analyze": Check.LINT, "compile": Check.BUILD},
    "ng": _TEST_BUILD_LINT | {"e2e": Check.TEST},
    "ember": _TEST_BUILD,
    "next": {"build": Check.BUILD, "lint": Check.LINT},
    "nuxt": {"build": Check.BUILD, "typecheck": Check.LINT},
    "nuxi": {"build": Check.BUILD, "typecheck": Check.LINT},
    "astro": {"build": Check.BUILD, "check": Check.LINT},
    "vite": {"build": Check.BUILD},
    "react-scripts": _TEST_BUILD,
    "rails": {"test": Check.TEST, "spec": Check.TEST},
    "artisan": {"test": Check.TEST},
    "manage.py": {"test": Check.TEST, "check": Check.LINT},
    "django-admin": {"test": Check.TEST, "check": Check.LINT},
    "terraform": {"validate": Check.LINT},
    "tofu": {"validate": Check.LINT},
    "helm": {"lint": Check.LINT},
    "meson": {"test": Check.TEST, "compile": Check.BUILD},
    "pio": {"test": Check.TEST, "run": Check.BUILD, "check": Check.LINT},
    "idf.py": {"build": Check.BUILD},
    "mkdocs": {"build": Check.BUILD},
    "hatch": {"test": Check.TEST, "build": Check.BUILD},
    "uv": {"build": Check.BUILD},
    "poetry": {"build": Check.BUILD, "check": Check.LINT},
    "pdm": {"build": Check.BUILD},
    "flit": {"build": Check.BUILD},
    "sbt": {"test": Check.TEST, "compile": Check.BUILD},
    "lein": {"test": Check.TEST, "compile": Check.BUILD, "check": Check.LINT},
    "docker": {"build": Check.BUILD},
    "podman": {"build": Check.BUILD},
}

# Programs where any word may be the goal, the strongest one tells.
GOALS: Mapping[str, Check] = {
    "test": Check.TEST,
    "verify": Check.TEST,
    "integration-test": Check.TEST,
    "integrationtest": Check.TEST,
    "connectedcheck": Check.TEST,
    "check": Check.TEST,
    "build": Check.BUILD,
    "package": Check.BUILD,
    "compile": Check.BUILD,
    "compilejava": Check.BUILD,
    "compilekotlin": Check.BUILD,
    "testclasses": Check.BUILD,
    "assemble": Check.BUILD,
    "assembledebug": Check.BUILD,
    "install": Check.BUILD,
    "lint": Check.LINT,
    "spotlesscheck": Check.LINT,
    "checkstylemain": Check.LINT,
    "ktlintcheck": Check.LINT,
    "detekt": Check.LINT,
}
GOAL_PROGRAMS = _names("mvn mvnw mvnd gradle gradlew ant xcodebuild")

# Formatters that only check when told to; without the flag they change files.
CHECKING_FLAGS: Mapping[str, frozenset[str]] = {
    "black": frozenset({"--check", "--diff"}),
    "isort": frozenset({"--check", "--check-only", "-c", "--diff"}),
    "yapf": frozenset({"--diff", "-d"}),
    "prettier": frozenset({"--check", "-c", "--list-different", "-l"}),
    "rustfmt": frozenset({"--check"}),
    "clang-format": frozenset({"--dry-run", "-n"}),
    "shfmt": frozenset({"-d", "--diff"}),
    "swiftformat": frozenset({"--lint"}),
}
# The same for a formatter behind another program's first word.
FORMATTING: Mapping[str, Mapping[str, frozenset[str]]] = {
    "ruff": {"format": frozenset({"--check", "--diff"})},
    "cargo": {"fmt": frozenset({"--check"})},
    "deno": {"fmt": frozenset({"--check"})},
    "dotnet": {"format": frozenset({"--verify-no-changes"})},
    "dart": {"format": frozenset({"--set-exit-if-changed"})},
    "mix": {"format": frozenset({"--check-formatted"})},
    "terraform": {"fmt": frozenset({"-check"})},
    "tofu": {"fmt": frozenset({"-check"})},
    "zig": {"fmt": frozenset({"--check"})},
}

# What a script, target or task is called that tests, builds or checks.
TARGETS: Mapping[str, Check] = (
    _each("test tests t tst spec specs e2e unit integration pytest vitest jest mocha playwright cypress", Check.TEST)
    | _each("ci verify validate check checks", Check.TEST)
    | _each("build compile", Check.BUILD)
    | _each("lint lints linter typecheck typechecks types tsc mypy eslint ruff clippy style", Check.LINT)
)
# First parts of a target's name that say how or where, so that the last part tells.
TARGET_PREFIXES = _names("run do unit integration type static ci all py js web backend frontend format fmt")
# Last parts that make it something else.
NO_TARGETS = _names(
    "watch server data db up down setup clean prepare install deps env updates outdated list fixtures seed"
    " reset ui serve start init report open image push deploy release publish help doc docs reqs"
)

# Flags with a value that may stand before the word that tells, over all programs.
GLOBAL_VALUES = _names(
    "--filter -F -C --dir --prefix -w --workspace --cwd --manifest-path --project --directory -f --file --makefile"
    " --justfile -d --working-directory --package-path --projects --scope -p --target-dir --config"
)

# These print something and stop.
INFORMATIVE = frozenset(
    {"--version", "--help", "-h", "-help", "--collect-only", "--co", "--listTests", "--list-tests", "--showConfig"}
    | {"--show-config", "--print-config", "--init", "--fixtures", "--markers", "--dry-run", "--just-print", "--list"}
)
# Short ones that mean so for these programs alone: `ctest -V` and `go test -n` differ.
INFORMATIVE_SHORT: Mapping[str, frozenset[str]] = {
    "make": frozenset({"-n", "-p", "-q"}),
    "gmake": frozenset({"-n", "-p", "-q"}),
    "just": frozenset({"-n", "-l"}),
    "tox": frozenset({"-l", "-a", "config"}),
    "nox": frozenset({"-l"}),
    "tsc": frozenset({"-v"}),
    "pytest": frozenset({"-V"}),
    "mypy": frozenset({"-V"}),
    "ninja": frozenset({"-n", "-t"}),
    "ctest": frozenset({"-N"}),
    "vitest": frozenset({"list", "init"}),
    "xcodebuild": frozenset({"-list", "-showsdks", "-version", "-showdestinations"}),
    "eslint": frozenset({"-v"}),
    "webpack": frozenset({"serve", "watch"}),
    "rubocop": frozenset({"-v", "-V"}),
}
