"""The service as a process of its own, so that it can be killed, starved and stopped."""

import os
import re
import ssl
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx2

from service.config import set_value
from service.store.folder import DataFolder
from tests.support.wait import wait_until_sync

_ADDRESS = re.compile(r"(http://[\d.:]+)/#token=(\S+)")
_PROGRAM = (sys.executable, "-c", "from service.cli import main; main()")


class ServiceProcess:
    """`session-summary serve` on a folder, from its start until the block ends."""

    def __init__(self, folder: Path, environ: Mapping[str, str] | None = None) -> None:
        self.folder = DataFolder(folder)
        self._environ = {**os.environ, **(environ or {})}
        self.name_files(folder)

    def name_files(self, path: Path) -> None:
        """Puts what the process says and logs into files of this name, so that several can be told apart."""
        self._said = path.with_name(f"{path.name}.out")
        self._log = path.with_name(f"{path.name}.log")

    def __enter__(self) -> Self:
        self.begin()
        self.wait_until_ready()
        return self

    def begin(self) -> None:
        """Starts the process without waiting for it."""
        command = [*_PROGRAM, "serve", "--port", "0", "--no-sources", "--data-dir", str(self.folder.path)]
        with self._said.open("w") as said, self._log.open("a") as log:
            self.process = subprocess.Popen(command, stdout=said, stderr=log, env=self._environ)

    def wait_until_ready(self, within: float = 15) -> None:
        """Waits until it has printed its address, which it does once it answers."""
        wait_until_sync(lambda: _ADDRESS.search(self._said.read_text()) or self.process.poll() is not None, within)
        found = _ADDRESS.search(self._said.read_text())
        assert found is not None, f"it ended: {self.log}"
        self.url, self.token = found.groups()
        self.client = httpx2.Client(base_url=self.url, headers=self.headers, timeout=20, trust_env=False)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()
        self.kill()

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def log(self) -> str:
        """Everything that was logged on this folder so far."""
        return self._log.read_text()

    @property
    def said(self) -> str:
        """What this process printed."""
        return self._said.read_text()

    def kill(self) -> None:
        """SIGKILL: nothing is cleaned up."""
        self.process.kill()
        self.process.wait()

    def terminate(self, within: float) -> int:
        """SIGTERM; the exit code, which must come in time."""
        self.process.terminate()
        return self.process.wait(within)

    def path(self, slot: str, *rest: str) -> str:
        return "/".join(["/api/chat/slots", quote(slot, safe=""), *rest])

    def put(self, slot: str, **fields: object) -> httpx2.Response:
        return self.client.put(self.path(slot), json=fields)

    def append(self, slot: str, messages: list[dict[str, object]]) -> httpx2.Response:
        return self.client.post(self.path(slot, "messages"), json={"messages": messages})

    def generate(self, slot: str) -> httpx2.Response:
        return self.client.post(self.path(slot, "summary"), json={})

    def summary_bytes(self, slot: str) -> bytes:
        content: bytes = self.client.get(self.path(slot, "summary")).content
        return content

    def summary(self, slot: str) -> dict[str, Any]:
        body: dict[str, Any] = self.client.get(self.path(slot, "summary")).json()
        return body

    def delete(self, slot: str) -> httpx2.Response:
        return self.client.delete(self.path(slot))


def switched_on(folder: Path, model_url: str | None = None, **settings: object) -> Mapping[str, str]:
    """Writes settings with the feature on; the environment that names the model server, or the outline engine."""
    values = {"session_summary.enabled": True, "engine": "anthropic" if model_url else "outline", **settings}
    for key, value in values.items():
        set_value(folder / "config.json", key, value)
    if model_url is None:
        return {}
    return {"ANTHROPIC_BASE_URL": model_url, "ANTHROPIC_API_KEY": "made-up-key", **_one_certificate(folder)}


def _one_certificate(folder: Path) -> Mapping[str, str]:
    """Each call to a model loads the machine's certificates (40 ms), and the scripted one is never asked by TLS."""
    known = ssl.create_default_context().get_ca_certs(binary_form=True)
    if not known:
        return {}
    file = folder.with_name("one-certificate.pem")
    file.write_text(ssl.DER_cert_to_PEM_cert(known[0]))
    return {"SSL_CERT_FILE": str(file)}
