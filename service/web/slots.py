"""The host's side: slots, turns, messages, deletion. And the sessions list."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import unquote

from starlette.responses import Response

from service.domain.keys import KEY_WORDS, is_key
from service.domain.messages import Message
from service.domain.payload import State
from service.passes.intake import redacted_messages, redacted_text
from service.store import deletion, listing, slots, transcripts
from service.store.access import denial_reason
from service.store.engine import Write
from service.store.slots import UNSET, SlotChange, SlotRow
from service.web.bodies import MessagesBody, NoBody, SlotBody, TurnEndBody, read_body, read_messages
from service.web.errors import ApiError, bad_request, json_answer, slot_not_found
from service.web.notices import notices
from service.web.queries import page_behind_cursor, page_size, whole_number
from service.web.state import ApiRequest, Running, caller_of, running

# A deletion's answer waits this long for the write-ahead log to be emptied.
_PURGE_SECONDS = 2.0


def slot_key(request: ApiRequest) -> str:
    """The slot key in the path, percent-decoded. Raises the 404 of an unknown slot where it cannot be one."""
    try:
        key = unquote(request.path_params["slot"], errors="strict")
    except UnicodeDecodeError:
        raise slot_not_found("bad_slot_key") from None
    if not is_key(key):
        raise slot_not_found("bad_slot_key")
    return key


async def not_visible(request: ApiRequest, slot: str) -> ApiError:
    """The answer for a slot the caller may not see, with the reason that only the audit log is told."""
    return slot_not_found(await running(request).db.read(lambda r: denial_reason(r, slot)))


async def put_slot(request: ApiRequest) -> Response:
    """Creates or updates a slot; its transcript is created with it."""
    service, caller = running(request), caller_of(request)
    try:
        key = slot_key(request)
    except ApiError:
        raise bad_request(f"a slot key is {KEY_WORDS}", "bad_slot_key") from None
    change = await _change(await read_body(request, SlotBody))
    put = await service.db.write(lambda w: slots.put_slot(w, key, change, caller, service.now_ns()))
    if put is None:
        raise slot_not_found(await service.db.read(lambda r: slots.put_denial_reason(r, key, caller)))
    if put.turned_private:
        await _purge(service)
    return json_answer(asdict(put.slot), 201 if put.created else 200)


async def patch_slot(request: ApiRequest) -> Response:
    """Changes title, project or memory mode; identity and list order stay."""
    service, caller, key = running(request), caller_of(request), slot_key(request)
    change = await _change(await read_body(request, SlotBody))

    async def write(w: Write) -> tuple[SlotRow, bool] | None:
        found = await slots.find_slot(w, key, caller)
        if found is None:
            return None
        private = await slots.change_metadata(w, found.transcript_key, change, service.now_ns())
        return await slots.find_slot(w, key, caller) or found, private

    patched = await service.db.write(write)
    if patched is None:
        raise await not_visible(request, key)
    slot, turned_private = patched
    if turned_private:
        await _purge(service)
    return json_answer(asdict(slot))


async def _change(body: SlotBody) -> SlotChange:
    sent = body.model_fields_set
    return SlotChange(
        transcript_key=body.transcript_key,
        title=await redacted_text(body.title) if "title" in sent else UNSET,
        project=await redacted_text(body.project) if "project" in sent else UNSET,
        memory_mode=body.memory_mode if "memory_mode" in sent else UNSET,
    )


async def start_turn(request: ApiRequest) -> Response:
    """A turn began: until it ends, no summary is made or stored."""
    service, caller, key = running(request), caller_of(request), slot_key(request)
    await read_body(request, NoBody)
    if not await service.db.write(lambda w: slots.start_turn(w, key, caller, service.now_ns())):
        raise await not_visible(request, key)
    return json_answer({"running": True})


async def end_turn(request: ApiRequest) -> Response:
    """A turn ended: its messages and its end are one transaction; the answer does not wait for the model."""
    service, caller, key = running(request), caller_of(request), slot_key(request)
    body = await read_body(request, TurnEndBody)
    messages = await redacted_messages(await read_messages(body))
    stop_reason = body.reason()

    async def write(w: Write) -> bool:
        found = await slots.find_slot(w, key, caller)
        if found is None:
            return False
        await transcripts.append_messages(w, found.transcript_key, messages, service.now_ns())
        return await slots.end_turn(w, key, caller, stop_reason, service.now_ns())

    if not await service.db.write(write):
        raise await not_visible(request, key)
    await service.passes.turn_ended(key)
    return json_answer({"running": False, "stop_reason": stop_reason})


async def append_messages(request: ApiRequest) -> Response:
    """Appends; triggers nothing, since the boundary is the turn."""
    return await _write_messages(request, rewrite=False)


async def rewrite_messages(request: ApiRequest) -> Response:
    """Replaces the content of the transcript."""
    return await _write_messages(request, rewrite=True)


async def _write_messages(request: ApiRequest, *, rewrite: bool) -> Response:
    service, caller, key = running(request), caller_of(request), slot_key(request)
    messages = await redacted_messages(await read_messages(await read_body(request, MessagesBody)))
    change = transcripts.rewrite_messages if rewrite else transcripts.append_messages

    async def write(w: Write) -> bool | None:
        found = await slots.find_slot(w, key, caller)
        return None if found is None else await change(w, found.transcript_key, messages, service.now_ns())

    stored = await service.db.write(write)
    if stored is None:
        raise await not_visible(request, key)
    return json_answer({"messages": len(messages) if stored else 0})


async def read_exchange(request: ApiRequest) -> Response:
    """The stored messages of one exchange: a person's turn and all that answers it."""
    service, caller, key = running(request), caller_of(request), slot_key(request)
    turn = whole_number(request, "turn", low=0, high=1 << 31)
    if turn is None:
        raise bad_request("say which exchange: ?turn=N, a user turn counted from 1")
    found = await service.db.read(lambda r: slots.find_slot(r, key, caller))
    if found is None:
        raise await not_visible(request, key)
    messages = await service.db.read(lambda r: transcripts.load_messages(r, found.transcript_key, turn=turn))
    return json_answer({"turn": turn, "messages": [_message(message) for message in _spoken(messages)]})


def _spoken(messages: Sequence[Message]) -> Iterator[Message]:
    """What was said; facts of a row that is not shown stand behind the words before it."""
    spoken: Message | None = None
    for message in messages:
        if message.spoken:
            if spoken is not None:
                yield spoken
            spoken = message
        elif spoken is not None:
            spoken = replace(spoken, facts=spoken.facts + message.facts)
    if spoken is not None:
        yield spoken


def _message(message: Message) -> dict[str, Any]:
    return {
        "role": message.role,
        "content": message.content,
        "ts": message.ts,
        "origin": message.origin,
        "facts": [{"kind": fact.kind, "text": fact.text, "result": fact.result} for fact in message.facts],
    }


async def delete_slot(request: ApiRequest) -> Response:
    """Permanent, with every slot on the transcript; the receipt counts what went."""
    service, caller, key = running(request), caller_of(request), slot_key(request)
    await read_body(request, NoBody)

    async def write(w: Write) -> deletion.Receipt | None:
        found = await slots.find_slot(w, key, caller)
        if found is None:
            return None
        return await deletion.delete_transcript(w, found.transcript_key, service.now_ns(), tombstone=True)

    receipt = await service.db.write(write)
    if receipt is None:
        raise await not_visible(request, key)
    return json_answer({"deleted": receipt.as_dict(), "purged": await _purge(service)})


async def _purge(service: Running) -> bool:
    """Empties the log of removed text; False where that goes on in the background."""
    purged = await service.db.purge(_PURGE_SECONDS)
    if not purged:
        service.upkeep.purge_soon()
    return purged


async def list_slots(request: ApiRequest) -> Response:
    """The sessions list, newest activity first; the first page says what it can be narrowed by."""
    service, caller, query = running(request), caller_of(request), request.query_params
    wanted = listing.Wanted(
        limit=page_size(request),
        derived=service.config.current().enabled,
        after=query.get("after"),
        key=query.get("key"),
        text=_search(query.get("q")),
        source=query.get("source"),
        project=query.get("project"),
        state=_state(query.get("state")),
    )
    reading = service.db.read(lambda r: listing.list_slots(r, wanted, caller, service.now_ns()))
    page = await page_behind_cursor(reading)
    return json_answer(page.as_dict() | notices(request))


def _search(text: str | None) -> str | None:
    if text is not None and len(text) > listing.MOST_SEARCH_CHARS:
        raise bad_request(listing.SEARCH_WORDS)
    return text


def _state(text: str | None) -> str | None:
    if text is not None and text not in set(State):
        raise bad_request(f"state: one of {', '.join(State)}")
    return text
