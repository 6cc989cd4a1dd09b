"""Titles and opening words of a goal, in the person's own terms."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import regex

from service.domain.messages import FactKind
from service.summarizers.outline_closing import read_closing
from service.summarizers.outline_cues import corrects, drops, ends_in_question, ships, without_assent
from service.summarizers.outline_phrases import alternatives
from service.summarizers.outline_text import Kind, Line, clip, lines_of, plain, sentences
from service.summarizers.outline_turns import Turn
from service.summarizers.outline_vocabulary import SPACELESS_LETTER, vocabulary

# A script without blanks says as much in half the characters.
_TITLE = 80
_SPACELESS_TITLE = 44
_INTENT = 400

_COMMIT_HASH = regex.compile(r"^(?:[0-9a-f]{7,64}\b\s*)?")
_COMMIT_TYPE = regex.compile(
    r"^(?:feat|fix|chore|docs|refactor|test|perf|style|build|ci|revert)(?:\([^()\n]{1,60}\))?!?:\s+(?=\S)", regex.I
)
_AMENDS = regex.compile(r"(?:fixup|squash|amend)!|wip\b|merge (?:branch|pull|remote)", regex.I)
_PULL_REQUEST = regex.compile(r"\s*\(#\d{1,7}\)$")

_FILLER_WORDS = alternatives(
    r"""
    (new|next|another|different|other) (task|topic|thing|item|question|issue)(?=\s*[:,.–—-])
    something (else|different|new)(?=\s*[:,.–—-])
    please | pls | plz | hey | hi | hello | ok(ay)? | so | well | now | then | next | also | and | great | thanks
    alright | cool | good | right | just | first(ly)? | again | finally | btw | by the way | actually | maybe | task
    (one|another) (more )?thing | ((something|a) )?((completely|totally) )?(different|unrelated) topic
    go ahead and | how about
    is it possible to | your (task|job) is to
    (can|could|would|will) (you|we)( (please|also|now|just|maybe|try to|go ahead and))* | let('?s| us)
    help me( (to|with))? | i('d| would)? (want|like|need) (you )?to(?! be\b) | i think (we should|that|you should)?
    i('d| would)? (want|like|need)(?= (a|an|the|some)\b)
    (we|you) (should|need to|have to|can|could|must)(?! (be|have)\b)
    i( am|'m) (trying|looking|going) to | implement the following plan:?
    bitte | hallo | moin | jetzt | dann | nun | also | und | mal | noch | übrigens | als nächstes | lass uns
    (kannst|könntest) du( (bitte|mal|noch|mir))* | ich (möchte|will|hätte gerne?)(,? dass du)? | wir (müssen|sollten)
    bonjour | salut | s'il (te|vous) pla[iî]t | maintenant | ensuite | (peux-tu|pouvez-vous|pourrais-tu)
    je (veux|voudrais)( que tu)?
    hola | por favor | ahora | puedes | podr[ií]as | quiero( que)? | necesito | olá | você pode | agora | puoi | ciao
    per favore
    привет | здравствуйте | пожалуйста | теперь | давай(те)? | ну | и | а | кстати | мне нужно | помоги(те)?( мне)?
    (можешь|можно|сможешь|нужно|надо)( ли)? | я хочу(, чтобы( ты)?)?
    """
)
_UNSPACED_FILLER = alternatives(
    """
    请你? | 帮我 | 麻烦你? | 能不能 | 现在 | 接下来 | 另外 | まず | 次に | 次は | では | それでは
    ところで | すみません、? | ช่วย
    """
)
_FILLER = regex.compile(
    rf"[\s,.!;:–—-]*(?:(?:{_FILLER_WORDS})(?![\p{{L}}\p{{N}}'’])|{_UNSPACED_FILLER})[\s,.!:;–—、，-]*",
    regex.IGNORECASE,
)
_PLAN = regex.compile(r"implement the following plan$", regex.IGNORECASE)
_URL = regex.compile(
    r"https?://[^\s/]{1,200}/(?:[^\s/]{1,200}/){0,20}?(?P<tail>(?:[^\s/]{1,60}/)?[^\s/]{1,60})/?(?=[\s,.)]|$)"
)
_LONG_PATH = regex.compile(
    r"(?<![\w:/])(?:[A-Za-z]:)?[\w.@~-]{0,80}(?:[/\\][\w.@~-]{1,80}){1,20}[/\\](?P<name>[\w.-]{1,80})"
)
_PLAIN_WORD = regex.compile(r"[\p{L}'’]+(?=[\s,]|$)")
_COMMAND = regex.compile(r"/[\p{L}][\p{L}\p{N}:_-]+")
_ASIDE = regex.compile(r"\s*\([^()]{0,200}\)")
# "Before we go on, …" names no goal.
_LEADING_CLAUSE = regex.compile(
    r"(?:before|after|when|if|since|as|while|once|in|for|given|with|on|at|regarding|bevor|wenn|nachdem|da|für|in|bei"
    r"|avant|quand|si|pour|dans|antes|cuando|para|en|quando|se|em|перед|если|когда|после|для)\s[^,;.]{3,160},\s+",
    regex.IGNORECASE,
)
_CLAUSE_END = regex.compile(r"[,;](?=\s)|\s[–—-](?=\s)|[，、；]")
_LOG_DRESS = regex.compile(
    r"^[\s\[]*(?:[\d\-:.,TZ+/\s\]]{8,40})?\s*(?:\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\]?:?)?\s*", regex.I
)


def title_of(turns: Sequence[Turn]) -> str:
    """The subject of the goal's only commit, else the first telling sentence of the person; never a log line.

    Where a person only pasted output or said "fix this", the agent's own first sentence says what it is about.
    """
    asked = [_as_title(sentence) for sentence in _asked(turns) if not drops(sentence)]
    stated = (_as_title(statement) for turn in turns for statement in read_closing(turn.reply).statements)
    return (
        _commit_subject(turns)
        or _clipped(next(filter(_tells, chain(asked, stated)), ""))
        or _clipped(next(filter(vocabulary, asked), ""))
        or _clipped(_any_words(turns))
    )


def origin_of(turns: Sequence[Turn]) -> Turn:
    """The turn that triggered the goal: the first with words of its own, no greeting, correction or order to ship."""
    worded = [turn for turn in turns if vocabulary(without_assent(turn.words))]
    return next((turn for turn in worded if _sets_goal(turn)), (worded or turns)[0])


def intent_of(turns: Sequence[Turn]) -> str:
    """Why the work started: the opening words of the turn that triggered it, without pasted material."""
    return opening_words(origin_of(turns))


def opening_words(turn: Turn) -> str:
    """The first lines that the person worded in a turn."""
    spoken = ""
    for line in lines_of(turn.words):
        if len(spoken) >= _INTENT // 2 or (spoken and line.kind is Kind.HEADING):
            break
        spoken = f"{spoken} {line.text}".strip()
    return clip(spoken, _INTENT)


def without_filler(sentence: str) -> str:
    """The sentence from where it says something: greetings and "could you please" are gone, the rest stands."""
    rest = sentence
    for _ in range(8):
        found = _FILLER.match(rest)
        if not found or not found[0].strip() or not rest[found.end() :].strip():
            break
        rest = rest[found.end() :]
    return rest.strip(" \t,;–—-")


def _commit_subject(turns: Sequence[Turn]) -> str:
    """The subject of the goal's one commit; one that amends another names no goal."""
    texts = {fact.text for turn in turns for fact in turn.facts if fact.kind is FactKind.COMMITTED}
    subjects = {_COMMIT_HASH.sub("", plain(text.split("\n", 1)[0]), count=1) for text in texts}
    subjects = {subject for subject in subjects if subject and not _AMENDS.match(subject)}
    if len(subjects) != 1:
        return ""
    subject = _PULL_REQUEST.sub("", _COMMIT_TYPE.sub("", subjects.pop(), count=1))
    return _clipped(_capital(subject))


def _asked(turns: Sequence[Turn]) -> Iterator[str]:
    """The person's sentences; corrections last, since they name what was wrong and not the goal."""
    wishes = [turn for turn in turns if not ships(turn.words)]
    yield from _sentences_of(turn.words for turn in [turn for turn in wishes if _sets_goal(turn)][:4])
    yield from _sentences_of(turn.words for turn in wishes[:4])


def _sets_goal(turn: Turn) -> bool:
    return not corrects(turn.words) and not ships(turn.words)


def _sentences_of(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        lines = lines_of(text)
        for at, line in enumerate(lines):
            follower = lines[at + 1].text if _introduces(line) and at + 1 < len(lines) else ""
            yield from sentences(f"{line.text}: {follower}" if follower else line.text)


def _introduces(line: Line) -> bool:
    """Whether a line says nothing without the next one ("Task:", "Implement the following plan:")."""
    return line.kind is Kind.HEADING and (len(vocabulary(line.text)) < 2 or bool(_PLAN.match(line.text)))


def _tells(title: str) -> bool:
    """Whether a title says what is wanted; "fix this" does not, a command does and so does a question about a thing."""
    words = vocabulary(title)
    return len(words) >= 2 or bool(_COMMAND.match(title)) or (bool(words) and ends_in_question(title))


def _as_title(sentence: str) -> str:
    title = without_filler(without_assent(sentence))
    # Without its "can you" the question is an order.
    title = title.rstrip(" .。:：,;!！" if title == sentence else " .。:：,;!！?？")
    title = _LONG_PATH.sub(lambda match: match["name"], _URL.sub(lambda match: match["tail"], title))
    return _capital(title)


def _clipped(title: str) -> str:
    """The title; of a long one the clause that says what is wanted, else its head up to a word's end."""
    if len(title) <= _limit(title):
        return title
    shorter = _ASIDE.sub("", title)
    lead = _LEADING_CLAUSE.match(shorter) if len(shorter) > _limit(shorter) else None
    if lead and _tells(shorter[lead.end() :]):
        shorter = _capital(without_filler(shorter[lead.end() :]))
    limit = _limit(shorter)
    if len(shorter) <= limit:
        return shorter
    clauses = [mark.start() for mark in _CLAUSE_END.finditer(shorter[:limit]) if mark.start() >= limit // 3]
    return shorter[: clauses[-1]].rstrip() if clauses else clip(shorter, limit)


def _limit(title: str) -> int:
    spaceless = len(SPACELESS_LETTER.findall(title)) > len(title) // 3
    return _SPACELESS_TITLE if spaceless else _TITLE


def _capital(text: str) -> str:
    """Identifiers and commands keep their first letter as it is."""
    return text[:1].upper() + text[1:] if _PLAIN_WORD.match(text) else text


def _any_words(turns: Sequence[Turn]) -> str:
    """The first words at all, a log's dress of time and level taken off: better than an entry without a name."""
    lines = (line for turn in turns for line in turn.words.splitlines())
    return next((bare for line in lines if (bare := plain(_LOG_DRESS.sub("", line[:400], count=1)))), "")
