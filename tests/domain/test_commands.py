"""Which commands of a line are recognised, and which results its exit code proves."""

import pytest

from service.domain.commands import MAX_COMMAND, strongest_check
from service.domain.facts import command_facts
from service.domain.messages import FactKind, FactResult
from service.domain.program_tables import Check

PASSED, FAILED, UNKNOWN = FactResult.PASSED, FactResult.FAILED, FactResult.UNKNOWN


RECOGNISED = """
    pytest -q | python -m pytest tests | python3.12 -m unittest | uv run pytest | poetry run mypy src |
    pipenv run test | hatch run test:cov | tox -e py312 | nox -s lint | npm test | npm t | npm run build |
    npm --prefix web run lint | pnpm typecheck | pnpm --filter web test:unit | pnpm -w lint | pnpm -r run test |
    pnpm dlx vitest | yarn jest | yarn workspace shop build | bun test | bunx vitest run | npx tsc --noEmit |
    npx -y playwright test | npx jest@29 --ci | make -j4 test | make -C lib check | just lint | mise run build |
    task test | turbo run build lint | nx run shop:test | cargo test | cargo +nightly clippy | cargo nextest run |
    cargo fmt --check | go vet ./... | go -C api test ./... | golangci-lint run | dotnet test | mvn -q verify |
    ./gradlew clean build | bazel test //... | cmake --build out | ctest --test-dir out -V | swift build |
    xcodebuild test -scheme Shop | bundle exec rspec | rake spec | vendor/bin/phpunit | mix test | deno test -A |
    rubocop | shellcheck a.sh | black --check . | npx prettier --check src | ruff check --fix |
    ruff format --check . | eslint . | node --test | python manage.py test | coverage run -m pytest |
    docker compose exec -T web pytest | ./scripts/run_tests.sh | python test_cart.py | node_modules/.bin/mocha |
    mypy.exe src | clang-format --dry-run a.c | python -m build | python -X dev -m pytest | mise exec -- pytest
"""


def runs(command: str, result: FactResult = PASSED) -> list[tuple[str, FactResult | None]]:
    return [(fact.text, fact.result) for fact in command_facts(command, "", result) if fact.kind is FactKind.RAN]


@pytest.mark.parametrize("command", [command.strip() for command in RECOGNISED.split("|")])
def test_a_test_a_build_or_a_lint_is_recognised_by_its_program(command: str) -> None:
    """One run shows, with the result of the command."""
    assert [result for _, result in runs(command)] == [PASSED]


@pytest.mark.parametrize(
    "command",
    [
        "echo pytest",
        'grep -r "npm test" .',
        'git log --grep "cargo build && cargo test"',
        "cat test.sh",
        "cat <<EOF\npytest\nEOF",
        "cat > run.sh <<-'DONE'\nnpm test; don't\n\tDONE",
        "# pytest\nls",
        "ls # && pytest",
        "test -f pytest.ini",
        "which pytest",
        "command -v pytest",
        "pip install pytest",
        "npm install jest",
        "yarn add eslint",
        "pnpm playwright install",
        "npm run dev",
        "npm run test:watch",
        "npm run build:docs:serve",
        "pytest --version",
        "pytest --collect-only",
        "make -n test",
        "tsc --init",
        "black .",
        "ruff format .",
        "cargo fmt",
        "prettier --write src",
        "python -c 'import pytest'",
        "python - <<'EOF'\nimport pytest\nEOF",
        "find . -name test",
        "[[ -f a && pytest ]]",
        "foo() { pytest; }",
        "function foo { npm test; }",
        "case $1 in a) pytest;; esac",
        "echo $(pytest)",
        'echo "`npm test`"',
        "diff <(pytest) old.txt",
        "make",
        "just echo test",
        "bash -n build.sh",
        "python check_status.py",
        "ssh host",
    ],
)
def test_a_word_that_runs_nothing_is_no_run(command: str) -> None:
    """Nothing shows for a word in an argument, a heredoc, a comment, a definition, or a program that only informs."""
    assert runs(command) == []


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("cd web && npm test", "npm test"),
        ("API_KEY=abc FOO='x y' pytest -q", "pytest -q"),
        ("env -i A=1 timeout -k 5 60s sudo -u ci nice -n 5 nohup pytest -q", "pytest -q"),
        ('bash -lc "cd x && go test ./..."', "go test ./..."),
        ("""bash -lc 'sh -c "npm test"'""", "npm test"),
        ("eval 'npm test'", "npm test"),
        ("cmd /c npm test", "npm test"),
        ("(cd web && npm test)", "npm test"),
        ("{ npm test; }", "npm test"),
        ("npm test > out.txt 2>&1 < /dev/null", "npm test"),
        ("npm \\\n  test", "npm test"),
        ("/opt/venv/bin/pytest  -q", "pytest -q"),
        ("cat > a.py <<'EOF'\nprint('don')\nEOF\npytest a.py", "pytest a.py"),
        ("pytest -k 'a and b'", "pytest -k 'a and b'"),
        ("time -p pytest", "pytest"),
        ("yes | npm test", "npm test"),
    ],
)
def test_the_text_is_the_run_alone(command: str, text: str) -> None:
    """The fact names the run without folders, environment and wrappers around it."""
    assert runs(command) == [(text, PASSED)]


@pytest.mark.parametrize(
    "command",
    [
        "pytest | tail -5",
        "pytest 2>&1 |& tee log",
        "pytest || true",
        "pytest; echo done",
        "pytest\necho done",
        "pytest && echo ok || echo bad",
        "pytest &",
        "! pytest",
        "if pytest; then echo ok; fi",
        "while npm test; do sleep 1; done",
        "for i in 1 2 3; do pytest; done",
        "set -e; set +e; pytest; echo done",
        "{ set -e; pytest; echo hi; } && echo ok",
        "exit 0; pytest",
        "[ -f a ] || exit 0\npytest",
        "if [ -f a ]; then exit; fi\npytest",
        "trap 'exit 0' EXIT; pytest",
        "pytest || exit $code",
        "pytest 'never closed",
        "pytest <<EOF",
        "pytest )",
    ],
)
def test_an_exit_code_of_something_else_proves_no_pass(command: str) -> None:
    """The run shows with its result unknown."""
    assert [result for _, result in runs(command)] == [UNKNOWN]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ruff check . && pytest", [("ruff check .", PASSED), ("pytest", PASSED)]),
        ("ruff check .; pytest", [("ruff check .", UNKNOWN), ("pytest", PASSED)]),
        ("pytest || exit 1", [("pytest", PASSED)]),
        ("pytest || { echo bad; exit 2; }", [("pytest", PASSED)]),
        ("set -e\ncd web\npytest\necho done", [("pytest", PASSED)]),
        ("bash -ec 'pytest; echo done'", [("pytest", PASSED)]),
        ("set -o pipefail; pytest | tee log", [("pytest", PASSED)]),
        ("bash -o pipefail -c 'pytest | tail'", [("pytest", PASSED)]),
        ("[ -f a ] && pytest", [("pytest", PASSED)]),
        ("true || pytest", []),
        ("pytest -x || pytest --lf", [("pytest -x", UNKNOWN)]),
        ("which ruff && ruff check . || echo none", []),
    ],
)
def test_a_pass_of_the_whole_is_a_pass_of_what_it_rests_on(
    command: str, expected: list[tuple[str, FactResult | None]]
) -> None:
    """Joined by `&&`, all passed; what may not have started does not show."""
    assert runs(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd web && npm test", [("npm test", FAILED)]),
        ("pytest && echo ok", [("pytest", FAILED)]),
        ("pytest || exit 1", [("pytest", FAILED)]),
        ("pytest || true", [("pytest", UNKNOWN)]),
        ("ruff check . && pytest", [("ruff check . && pytest", FAILED)]),
        ("npm ci && npm test", [("npm test", UNKNOWN)]),
        ("cd x || exit 1; pytest", [("pytest", FAILED)]),
        ("grep -q a b || exit 1; pytest", [("pytest", UNKNOWN)]),
        ("set -e; ruff check .; pytest", [("ruff check .", UNKNOWN), ("pytest", UNKNOWN)]),
        ("if [ -f a ]; then exit 1; fi; pytest", [("pytest", UNKNOWN)]),
        ("set -o pipefail; pytest | tee log", [("pytest", FAILED)]),
        ("set -o pipefail; pytest | head", [("pytest", UNKNOWN)]),
        ("pytest | tee log", [("pytest", UNKNOWN)]),
        ("timeout 5 pytest", [("pytest", FAILED)]),
        ("exit 1; pytest", [("pytest", UNKNOWN)]),
        ("ls | exit $? || pytest", []),
        ("tox || exit 1 || pytest", [("tox", UNKNOWN)]),
        ("set -e; false\npytest", [("pytest", UNKNOWN)]),
        ("set -e && { ls gone\npytest; }", [("pytest", UNKNOWN)]),
        ("set -o pipefail && ls gone | pytest", [("pytest", UNKNOWN)]),
        ("(cd web && npm test) || exit 1", [("npm test", FAILED)]),
        ("pytest -x || pytest --lf", [("pytest -x", FAILED), ("pytest --lf", FAILED)]),
        ("ruff check . && pytest && exit 1", [("ruff check .", UNKNOWN), ("pytest", UNKNOWN)]),
    ],
)
def test_a_failure_is_laid_to_a_run_only_where_nothing_else_can_have_failed(
    command: str, expected: list[tuple[str, FactResult | None]]
) -> None:
    """Where one of several checks failed they show as one; where it may have been something else, as unknown."""
    assert runs(command, FAILED) == expected


def test_of_a_line_too_long_to_read_no_result_is_proven() -> None:
    """The run at its beginning shows with its result unknown."""
    assert runs("pytest; true " + "x" * MAX_COMMAND) == [("pytest", UNKNOWN)]
    assert runs("pytest " + "x" * MAX_COMMAND)[0][1] is UNKNOWN


@pytest.mark.parametrize(
    ("text", "check"),
    [("ruff check . && pytest", Check.TEST), ("tsc", Check.LINT), ("go build ./...", Check.BUILD), ("ls", None)],
)
def test_a_line_is_worth_its_strongest_check(text: str, check: Check | None) -> None:
    """A lint beside a test counts as a test."""
    assert strongest_check(text) is check
