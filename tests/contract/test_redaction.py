"""The redaction corpus through the whole product: to the host, the database, the log, the model and the summary."""

import io
from collections.abc import Iterator, Sequence

import pytest

from tests.redaction_corpus import Group, Row, load
from tests.redaction_corpus.score import survives
from tests.support.live import LiveService
from tests.support.log import at_its_most_talkative
from tests.support.model_answers import Answer, intent, summary_reply
from tests.support.model_server import ModelServer, SeenRequest

ROWS_A_SESSION = 40
Batches = list[Sequence[Row]]


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    with at_its_most_talkative() as written:
        yield written


def batches(group: Group) -> Batches:
    """What is held out: it is small, and no rule was written from it."""
    rows = load(f"heldout_{group}")
    return [rows[start : start + ROWS_A_SESSION] for start in range(0, len(rows), ROWS_A_SESSION)]


def run(service: LiveService, model: ModelServer, sessions: Batches) -> None:
    """One session a batch: each text is said by the person and by the agent, and comes back from the model."""
    service.set("session_summary.max_input_chars", 2_000_000)
    waiting = iter(sessions)

    def says_it_all(_: SeenRequest) -> Answer:
        return summary_reply([intent("All of it", progress=[row.text for row in next(waiting)])])

    model.default = says_it_all
    for number, rows in enumerate(sessions):
        slot = f"s{number}"
        service.put(slot).raise_for_status()
        said = [{"role": role, "content": row.text} for row in rows for role in ("user", "assistant")]
        service.append(slot, said).raise_for_status()
        service.generate(slot).raise_for_status()


def messages_of(service: LiveService, slot: str, turns: int) -> list[str]:
    """The person's words, turn by turn, as a host reads them."""
    answers = [service.client.get(service.path(slot, "messages"), params={"turn": n + 1}) for n in range(turns)]
    return [answer.json()["messages"][0]["content"] for answer in answers]


def share_read(rows: Sequence[Row], text: str) -> float:
    """The share of secrets that can be read in a text."""
    return sum(survives(row.secret, text) for row in rows if row.secret is not None) / len(rows)


@pytest.mark.parametrize("group", ["secrets", "beacons"])
def test_secrets_come_out_nowhere(
    service: LiveService, model_server: ModelServer, log: io.StringIO, group: Group
) -> None:
    """What a person pasted, and what a model repeats, is read neither in files nor in answers nor by the model."""
    sessions = batches(group)
    run(service, model_server, sessions)
    rows = [row for session in sessions for row in session]
    told = "\n".join(request.text for request in model_server.requests)
    read = "\n".join(
        text for number, session in enumerate(sessions) for text in messages_of(service, f"s{number}", len(session))
    )
    summed_up = "\n".join(
        text for n in range(len(sessions)) for text in service.summary(f"s{n}")["intents"][0]["progress"]
    )
    files = "\n".join(
        path.read_bytes().decode(errors="replace") for path in service.database.parent.glob(service.database.name + "*")
    )
    for place in (told, read, summed_up, files):
        assert share_read(rows, place) <= 0.12
    assert share_read(rows, log.getvalue()) == 0


@pytest.mark.parametrize("group", ["lookalikes", "links"])
def test_what_is_harmless_comes_out_as_it_went_in(
    service: LiveService, model_server: ModelServer, group: Group
) -> None:
    """Hashes, ids, placeholders and ordinary links reach the host and the summary unchanged."""
    sessions = batches(group)
    run(service, model_server, sessions)
    for number, session in enumerate(sessions):
        texts = [row.text for row in session]
        assert messages_of(service, f"s{number}", len(session)) == texts
        progress = service.summary(f"s{number}")["intents"][0]["progress"]
        assert progress == [text.strip() for text in texts]
