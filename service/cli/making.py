"""A summary made on the database itself while no service holds the folder, by the service's own parts."""

import asyncio
import os
from pathlib import Path

from service.cli.ending import CommandError
from service.cli.remote import no_such_session
from service.cli.serving import held
from service.config import ConfigFile
from service.domain.reasons import sentence_for
from service.passes.outcome import PassResult
from service.store.access import DASHBOARD
from service.store.folder import DataFolder
from service.web.server import Options, assemble


def make_summary(folder: DataFolder, config: Path, slot: str) -> None:
    """Makes the summary where it is not current. Raises CommandError where none could be made, with the reason."""
    with held(folder):
        result = asyncio.run(_request(folder, config, slot))
    if result is None:
        raise no_such_session()
    if not result.current:
        raise CommandError(f"no summary was made: {sentence_for(str(result.reason))}")


async def _request(folder: DataFolder, config: Path, slot: str) -> PassResult | None:
    options = Options(folder, ConfigFile(config), "127.0.0.1", 0, False, os.environ, Path.home())
    running, lifespan = assemble(options, lambda: None)
    async with lifespan():
        return await running.passes.request(slot, DASHBOARD)
