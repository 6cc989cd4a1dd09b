"""From a transcript file to its summaries: read, redacted as at intake, summarized, and kept nowhere."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from service.config import Config
from service.domain.identity import Identity
from service.domain.reasons import sentence_for
from service.passes.engines import Engines
from service.passes.intake import redacted_messages, redacted_text
from service.passes.making import Snapshot, made_summary, question, rendered
from service.passes.outcome import PassResult
from service.sources.formats import Problem, ReadResult, read_file
from service.sources.session import Session
from service.summarizers.protocol import Failure, Summarizer

UNREADABLE = 2
NOBODY_SPOKE = 3
MODEL_FAILED = 4

_PROBLEM_WORDS: Mapping[Problem, str] = {
    Problem.UNREADABLE: "cannot be read ({detail}); check the path and its permissions",
    Problem.EMPTY: "is empty; name a transcript that holds a session",
    Problem.UNKNOWN: "is no transcript of a known agent; `session-summary doctor` lists the agents and their files",
    Problem.FOLDER: "is a folder; name the transcript files in it",
    Problem.BINARY: "is a binary file, no transcript of a known agent",
    Problem.DATABASE: "is a database, and none that is read; `session-summary doctor` lists the files that are",
    Problem.TOO_LARGE: "is too large to be read as one document",
}


@dataclass(frozen=True, slots=True)
class Made:
    """One session's summary."""

    path: Path
    session: Mapping[str, str | None]
    payload: Mapping[str, object]
    code = 0

    @property
    def heading(self) -> str:
        """What the file calls the session, else its key."""
        return self.session["title"] or self.session["key"] or ""

    def as_json(self) -> dict[str, object]:
        """The payload with where it comes from."""
        return {**self.payload, "path": str(self.path), "session": dict(self.session)}


@dataclass(frozen=True, slots=True)
class NotMade:
    """Why there is none: a sentence for people, the exit code, and a word for programs."""

    path: Path
    sentence: str
    code: int
    reason: str

    def as_json(self) -> dict[str, object]:
        """The failure as one of several lines."""
        return {"path": str(self.path), "error": self.sentence, "code": self.code, "reason": self.reason}


async def summaries_of(path: Path, config: Config, environ: Mapping[str, str]) -> Sequence[Made | NotMade]:
    """One outcome per session of the file, at least one; never raises for what a file or a model side may hold."""
    result = await asyncio.to_thread(read_file, path)
    if result.trouble is not None:
        problem = result.trouble.problem
        words = _PROBLEM_WORDS[problem].format(detail=result.trouble.detail)
        return [NotMade(path, f"{path} {words}", UNREADABLE, problem.value)]
    spoken = [session for session in result.sessions if _is_a_persons(session)]
    if not spoken:
        return [_nobody_spoke(path, result)]
    summarizer = Engines(environ).choose(config)
    return [await _summary(path, session, summarizer, config) for session in spoken]


def _is_a_persons(session: Session) -> bool:
    return session.user_turns > 0 and not session.sub_agent


def _nobody_spoke(path: Path, result: ReadResult) -> NotMade:
    session = result.session
    if session is None:
        return NotMade(path, f"{path} holds no session; name a transcript that does", UNREADABLE, "empty")
    why = session.unprompted or ("a sub-agent's file" if session.sub_agent else "no message was typed by a person")
    return NotMade(
        path, f"{path}: no person ever spoke in it ({why}), so there is no intent", NOBODY_SPOKE, "unprompted"
    )


async def _summary(path: Path, session: Session, summarizer: Summarizer, config: Config) -> Made | NotMade:
    snapshot = Snapshot(Identity(0, 0), await redacted_messages(session.messages))
    text = await rendered(snapshot, config)
    deadline = asyncio.get_running_loop().time() + config.pass_deadline_seconds
    reply = await summarizer.ask(question(snapshot, text, config, deadline))
    if isinstance(reply, Failure):
        return _model_failed(path, reply.reason)
    made = await made_summary(reply, snapshot, text, config, summarizer.engine, time.time())
    if isinstance(made, PassResult):
        return _model_failed(path, str(made.reason))
    about = {
        "key": session.key,
        "title": await redacted_text(session.title),
        "project": await redacted_text(session.project),
        "source": session.agent,
    }
    return Made(path, about, json.loads(made.payload))


def _model_failed(path: Path, reason: str) -> NotMade:
    words = f"{sentence_for(reason)}, or use --engine outline, which needs no model"
    return NotMade(path, f"{path}: no summary was made: {words}", MODEL_FAILED, reason)
