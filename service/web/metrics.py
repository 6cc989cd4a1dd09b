"""GET /metrics: the service in numbers, in Prometheus' text format."""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from starlette.responses import Response
from starlette.routing import Route

from service.store.engine import Read
from service.store.metrics import ModelUse, PassCount, count_passes, model_use
from service.web.state import ApiRequest, Running, check_dashboard, running

_PREFIX = "session_summary"
_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_KINDS = ("input", "output", "cache_read", "cache_write")

Sample = tuple[dict[str, str], float]


async def metrics(request: ApiRequest) -> Response:
    """Counters out of the ledger and gauges of this process; they tell of every session, so no app sees them."""
    check_dashboard(request, "reads metrics")
    service = running(request)

    async def read(r: Read) -> tuple[Sequence[PassCount], Sequence[ModelUse]]:
        return await count_passes(r), await model_use(r)

    passes, models = await service.db.read(read)
    text = "".join((*_counters(passes, models), *_gauges(service)))
    return Response(text, headers={"Content-Type": _MEDIA_TYPE})


def _counters(passes: Sequence[PassCount], models: Sequence[ModelUse]) -> Iterator[str]:
    yield _family(
        "passes_total",
        "counter",
        "Passes by how they ended; skips leave the ledger after 30 days.",
        (({"trigger": p.trigger, "outcome": p.outcome, "reason": p.reason}, p.passes) for p in passes),
    )
    yield _family(
        "tokens_total",
        "counter",
        "Tokens as the model side counted them.",
        (({"model": m.model, "kind": kind}, getattr(m, f"{kind}_tokens")) for m in models for kind in _KINDS),
    )
    yield _family(
        "model_seconds_total",
        "counter",
        "Seconds from the request to the end of passes that asked a model.",
        (({"model": m.model}, m.seconds) for m in models),
    )
    yield _family(
        "cost_usd_total",
        "counter",
        "US dollars, where the model's price is known.",
        (({"model": m.model}, m.cost_usd) for m in models),
    )


def _gauges(service: Running) -> Iterator[str]:
    yield _gauge("enabled", "Whether summaries are on.", int(service.config.current().enabled))
    yield _gauge("streams", "Clients that listen for events.", service.hub.streams)
    yield _gauge("write_queue", "Writes that wait for the database or are under way.", service.db.waiting_writes)
    yield _gauge("passes_queued", "Passes that wait for their turn.", service.worker.queued)
    yield _gauge("passes_running", "Passes under way.", service.worker.running)
    path = service.db.path
    files = {"database": path, "wal": path.with_name(path.name + "-wal")}
    sizes = (({"file": name}, _size(file)) for name, file in files.items())
    yield _family("database_bytes", "gauge", "Size of the database's files.", sizes)


def _gauge(name: str, about: str, value: int) -> str:
    return _family(name, "gauge", about, [({}, value)])


def _family(name: str, kind: str, about: str, samples: Iterable[Sample]) -> str:
    lines = [f"# HELP {_PREFIX}_{name} {about}", f"# TYPE {_PREFIX}_{name} {kind}"]
    lines += [f"{_PREFIX}_{name}{_labels(labels)} {value}" for labels, value in samples]
    return "\n".join(lines) + "\n"


def _labels(labels: dict[str, str]) -> str:
    pairs = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items())
    return f"{{{pairs}}}" if pairs else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _size(path: Path) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


ROUTES = [Route("/metrics", metrics, methods=["GET"])]
