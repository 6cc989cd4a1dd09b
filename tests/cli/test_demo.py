"""`demo`: the product, seen before it is set up."""

import re
import signal
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import pytest

from service.cli.demo_data import demo_sessions
from service.domain.messages import Origin
from service.store.folder import DataFolder
from tests.cli.conftest import program

ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+)/#token=(\S+)")
MOMENT = re.compile(r"Made \d{4}-\d\d-\d\d \d\d:\d\d UTC")
README = Path(__file__).parents[2] / "README.md"
NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


def first_words(process: "subprocess.Popen[str]") -> str:
    """What the demo prints when it is ready."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("Your own sessions"):
            return "".join(lines)
    raise AssertionError(f"it ended: {''.join(lines)}{process.stderr and process.stderr.read()}")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_leaves_nothing_behind(folder: DataFolder, tmp_path: Path, number: signal.Signals) -> None:
    """However it is told to end, its temporary folder is gone, and the person's own was never made."""
    if number is signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("whoever runs the tests wants them to outlive a hang-up, and so does the program")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    with program("demo", "--port", "0", TMPDIR=str(temporary)) as process:
        first_words(process)
        assert len(list(temporary.iterdir())) == 1
        process.send_signal(number)
        _, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (0, "")
    assert list(temporary.iterdir()) == []
    assert not folder.path.exists()


def test_the_terminal_alone_shows_what_it_does(folder: DataFolder, tmp_path: Path) -> None:
    """A summary is printed in words, and the service behind the address holds three summarized sessions."""
    with program("demo", "--port", "0", TMPDIR=str(tmp_path)) as process:
        said = first_words(process)
        found = ADDRESS.search(said)
        assert found is not None
        headers = {"Authorization": f"Bearer {found[2]}"}
        slots = httpx2.get(f"{found[1]}/api/chat/slots", headers=headers, trust_env=False).json()["slots"]
    assert "Checkout total is a cent off" in said
    assert "resumed once" in said
    assert max(len(line) for line in said.splitlines() if found[1] not in line and str(tmp_path) not in line) <= 80
    assert [slot["key"] for slot in slots] == ["docs-site/search", "shop-api/checkout-cents", "ops/nightly-backup"]
    assert "needs-you" in {slot["state"] for slot in slots}
    assert all(slot["headline"] and not slot["stale"] for slot in slots)


def test_the_readme_shows_what_is_printed(folder: DataFolder, tmp_path: Path) -> None:
    """The README's sample is the demo's own output, but for the moment it was made."""
    with program("demo", "--port", "0", TMPDIR=str(tmp_path)) as process:
        said = first_words(process)
    sample = README.read_text("utf-8").split("```\n")[1]
    assert MOMENT.sub("Made", sample) in MOMENT.sub("Made", said)


def test_the_sessions_show_what_the_product_is_for() -> None:
    """One has work that was shipped and never run, one has automation rows and a resend, all have facts."""
    pivot, merged, automation = demo_sessions(NOW)
    assert len(pivot.messages) == 10
    assert "pushed" in {fact.kind for message in merged.messages for fact in message.facts}
    assert Origin.AUTOMATION in {message.origin for message in automation.messages}
    typed = [message.content for message in automation.messages if message.by_person]
    assert typed[0] == typed[1]


def test_the_sessions_lie_in_the_past() -> None:
    """Their times end shortly before now, in order."""
    for session in demo_sessions(NOW):
        times = [message.ts or "" for message in session.messages]
        assert times == sorted(times)
        assert session.ended < NOW
        assert datetime.fromisoformat(times[-1]) == session.ended
