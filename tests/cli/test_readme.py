"""The README's HTTP block, pasted as it stands into a shell beside a running service."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.store.folder import DataFolder, FolderLock
from tests.cli.conftest import PROGRAM
from tests.support.live import LiveService

README = Path(__file__).parents[2] / "README.md"


def block_that(names: str) -> str:
    """The README's shell block in which the words stand."""
    blocks: list[str] = re.findall(r"^```sh\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return next(block for block in blocks if names in block)


@pytest.fixture
def served(folder: DataFolder) -> Iterator[LiveService]:
    """A service as a newcomer starts it: on the data folder of the environment, summaries off."""
    folder.prepare()
    lock = FolderLock.take(folder)
    with LiveService(folder.path) as live:
        lock.announce(live.url)
        yield live
    lock.release()


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl is installed")
def test_the_http_block_works_as_pasted(served: LiveService) -> None:
    """Every line succeeds: the second turn makes a summary, reading and asking give it, deleting tells what went."""
    program = f"session-summary() {{ {PROGRAM[0]} -c '{PROGRAM[2]}' \"$@\"; }}\n"
    block = block_that("$slots/my-chat/turn/end").replace("http://127.0.0.1:8765", served.url)
    done = subprocess.run(
        ["bash", "-euc", program + block], capture_output=True, text=True, check=True, timeout=30, env=dict(os.environ)
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer for answer in answers if "error" in answer] == []
    read, asked, receipt = answers[-3:]
    assert read["intents"][0]["title"] == "Sort the imports"
    assert asked == read
    assert receipt["deleted"]["messages"] == 4
