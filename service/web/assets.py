"""The page's static files, held in memory: a page asks for some thirty of them, and the browser keeps them for good."""

import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

# From disk, asked about each time, they took 100 to 180 ms of opening the page; so they take none but the first time.
_FOR_GOOD = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it goes out."""

    body: bytes
    media_type: str
    etag: str


class Assets:
    """All files of one folder; `version` changes with any of them, so that no old module ever meets a new one."""

    def __init__(self, folder: Path) -> None:
        paths = sorted(path for path in folder.iterdir() if path.is_file())
        self._files: Mapping[str, Asset] = {path.name: _read(path) for path in paths}
        named = "".join(f"{name} {asset.etag}\n" for name, asset in self._files.items())
        self.version = _digest(named.encode())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._files)

    async def serve(self, request: Request) -> Response:
        """`/static/{version}/{name}` to keep, `/static/{name}` to ask about each time."""
        version, _, name = request.path_params["path"].rpartition("/")
        asset = self._files.get(name)
        if asset is None or version not in ("", self.version):
            raise HTTPException(404)
        headers = {"ETag": asset.etag, "Cache-Control": _FOR_GOOD if version else _ASK_AGAIN}
        if request.headers.get("if-none-match") == asset.etag:
            return Response(status_code=304, headers=headers)
        return Response(asset.body, media_type=asset.media_type, headers=headers)

    def route(self) -> Route:
        """Where they are served."""
        return Route("/static/{path:path}", self.serve, methods=["GET"])


def _read(path: Path) -> Asset:
    body = path.read_bytes()
    # Some systems' tables call scripts text/plain, which `nosniff` would keep from running.
    known = "text/javascript" if path.suffix == ".js" else mimetypes.guess_type(path.name)[0]
    return Asset(body, known or "application/octet-stream", f'"{_digest(body)}"')


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()
