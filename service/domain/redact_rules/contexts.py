"""The patterns of what may stand between a keyword and its value, and how a value is cut out of a line."""

import re

QUOTES = "\"'`“”„«»‘’「」"
# A value is judged by its first 160 characters and hidden to its end.
# Mail services hand out passwords in groups: `abcd efgh ijkl mnop`.
_GROUPS = r"[a-z]{4}(?: [a-z]{4}){3}(?![ ]?[A-Za-z])|[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5}(?![ ]?[A-Za-z0-9])"
# `b'…'`, `@"…"`, `$'…'`, `String::from("…")`, `[]byte("…")`: how programs write a literal.
_LITERAL = (
    r"(?:(?:(?:new )?(?:String(?:::from)?|\[\]byte|Buffer\.from|bytes|bytearray|SecretStr|str)\(\s{0,4})?"
    r"(?:[bBrRuUfFL@$]{1,2})?(?=[\"'`]))?"
)
_VALUE = rf"{_LITERAL}(?P<quote>\\?[{QUOTES}]{{1,3}})?(?P<value>(?(quote)[^{QUOTES}\r\n\\]{{1,160}}|(?:{_GROUPS}|[!-~¡-ɏ]{{1,160}})))"

ASSIGNED = re.compile(
    rf"(?P<tail>(?:[A-Za-z0-9_]|-(?!>)){{0,32}}+)"
    rf"(?:[ \t]?[(\[][^()\[\]\r\n]{{1,40}}[)\]])?(?P<close>\\?[{QUOTES}\])*_]{{0,4}})[ \t]{{0,8}}"
    rf"(?P<sep>:=|=>|={{1,3}}|[:：＝→|]|->|%3[AD]|</key>\s{{0,20}}<string>|</(?:td|th|dt)>\s{{0,20}}<(?:td|dd)[^<>\n]{{0,40}}>|>\s{{0,40}}<(?:[Vv]alue|string|plain)>|>(?=[^<>\s]{{4,200}}</)"
    rf"|[ \t]?[,{{]?\s{{1,24}}\\?[\"']?(?:value|content)\\?[\"']?[ \t]?[=:]|(?<=[\"'`]),)"
    rf"(?P<gap>[ \t*_]{{0,8}}(?:!!?[a-z]{{1,10}}[ \t])?(?:[\\|>-]{{0,2}}\r?\n[ \t>]{{0,12}})?)"
    rf"(?P<scheme>(?i:bearer|basic|token|apikey|bot|is)[ \t:]{{1,2}})?{_VALUE}"
)
HEADER = re.compile(
    rf"[{QUOTES}]{{0,2}}[ \t]?[:=,][ \t]?[{QUOTES}]?(?P<scheme>[A-Za-z][A-Za-z-]{{1,24}}[ \t:=]{{1,2}}(?:\\\r?\n[ \t]{{0,8}})?)?{_VALUE}"
)
FLAGGED = re.compile(rf"(?P<tail>(?:[A-Za-z0-9_]|-(?!>)){{0,32}}+)[ \t]{{1,4}}{_VALUE}")
_IS = (
    r"(?:is|was|are|to|be|as|ist|lautet|wäre|es|est|è|é|jest|är|er|on|je|este|esti|c['’]est|adalah|это|е|είναι|هي|هو|היא|הוא|है"
    r"|คือ|là|sont|son|sind|=|->|→|＝)"
)
CONNECTOR = re.compile(rf"[ \t]{_IS}(?=[\s\"'`“:])|[ \t][—–][ \t]|[:：=→是はがは為为은는了]")
SAID = re.compile(
    rf"(?:[ \t]+[^\s.;!?:=]{{1,24}}){{0,8}}?(?:[ \t]+(?i:{_IS})(?=[\s\"'`“:])|[ \t]{{0,2}}[:：=→]|[ \t][—–](?=[ \t])"
    rf"|[ \t]?[是はがは為为了]|은|는|คือ)[ \t:]{{0,3}}"
    rf"(?:(?i:now|still|just|currently|set to|changed to|ahora|jetzt)[ \t]{{1,2}})?{_VALUE}"
)
# Without a digit, a quote or a capital inside a word no value of a sentence passes for a secret.
TELLING_SIGN = re.compile(rf"[0-9{QUOTES}]|[a-z][A-Z]")
# `pass` is a verb as well: "pass it as x" says nothing.
SAID_AT_ONCE = re.compile(r"(?i)[ \t]+(?:is|was)(?![A-Za-z])")
TOKENS = re.compile(r"(?<![A-Za-z0-9+/=_.~:@#-])[A-Za-z0-9+/=_.~-]{16,}")
SENTENCE_END = re.compile(r"[\r\n;!?]")
NEUTRAL = re.compile(
    r"(?i)\b(?:commit|sha-?\d*|hash|hashe[sd]|digest|checksum|uuid|guid|fingerprint|public|build|etag"
    r"|revision|version|branch|ids?"
    r"|identifier|integrity|image|path|file|named?|called|url|page|trace|span|request|imported|model"
    r"|https?|class|function|method|test"
    r"|in|see|at|from|docs?)\b"
)
# `"call_id": "…"`, `userId=…`: the value belongs to a key of its own.
OWN_KEY = re.compile(
    r"[\"']?[A-Za-z][\w-]{0,40}[\"']\s{0,2}:\s{0,2}\\?[\"']?\Z|(?:_id|Id|ID|_ids)\\?[\"']?\s{0,2}[:=]\s{0,2}\\?[\"']?\Z"
    r"|<[A-Za-z][\w:.-]{0,40}>\s{0,4}\Z"
)
SUFFIX = re.compile(
    r"(?i)(?:[_-]?(?:\d{1,3}|v\d|prod|production|dev|staging|stage|test|live|sandbox|local|old|new"
    r"|current|previous|value|val|b64|base64"
    r"|plain|plaintext|raw|data|default|primary|secondary|main|admin|root|rw|ro|eu|us|string|text|is"
    r"|code|phrase|key|token|secret|base"
    r"|password|pass))*"
)
_STOP = re.compile(rf"[{QUOTES}<>;&,|\\]")
_END = re.compile(rf"[{QUOTES}<>]|[;&,][A-Za-z_.-]{{1,40}}[=:]|;[a-z]{{2,10}}(?=\s|\Z|\()|[,;|\\]+(?=\s|\Z)|\\[nrt]")
_JUDGED = 160
_QUOTED_REST = re.compile(rf"[^{QUOTES}\r\n\\]*")
_REST = re.compile(rf"(?:(?![{QUOTES}<>,;&|])[!-~¡-ɏ])*+")
_TRAIL = ".,;:!?)]}>…*_\\"


def value_of(match: re.Match[str]) -> str:
    """What a person would copy: the quoted text, or the run of signs without the punctuation of the sentence."""
    value: str = match["value"]
    if match["quote"]:
        return value
    stop = _STOP.search(value)
    end = _END.search(value, stop.start()) if stop else None
    return (value[: end.start()] if end else value).rstrip(_TRAIL)


def place_of(match: re.Match[str], value: str | None = None) -> tuple[int, int]:
    """Where the value stands in the text, to its very end."""
    start, end = match.span("value")
    if end - start < _JUDGED:
        return start, start + len(value_of(match) if value is None else value)
    rest = (_QUOTED_REST if match["quote"] else _REST).match(match.string, end)
    return start, rest.end() if rest else end


def without_punctuation(token: str) -> str:
    """A token of a sentence without what ends the sentence."""
    return token.rstrip(_TRAIL)
