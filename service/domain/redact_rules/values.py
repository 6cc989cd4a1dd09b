"""Tells a secret's value from a placeholder, a piece of code, a name, a public hash or an ordinary word."""

import re

_LIMIT = 512

_PLACEHOLDER = re.compile(
    r"""
      [<({\[$%].{0,200}[>)}\]%] | \{[A-Za-z_({].* | \$\w+ | (?:\$[{(]|\{\{|<|%[({]|\#\{|@Microsoft|!secret|!Ref|!Sub|env:|op://|vault:|secret://).* | %[sdrv]
    | .*(?:\.\.\.|…|\*\*\*|•••|\#\#\#\#|\[redacted).*
    | [xX*.?\#_\-•0-]{3,}
    | (?:[A-Za-z0-9]{1,12}[-_.])*[xX]{4,}(?:[-_.][A-Za-z0-9]{1,12})*
    | (?:[A-Za-z]{1,8}[-_])*(?:your|insert|replace|enter|put|paste)(?:[-_ ][A-Za-z0-9]{0,20}){1,10}
    | (?:[A-Za-z]{1,8}[-_])*(?:my|some|the|an?|new|old|test|fake|dummy|sample|example|super|strong|very|this)(?:[-_ ](?:is|a|my|the|super|strong|very|api|app|auth|access|private|master|db|user|admin|secure|secret|long|random|shared|client|key|token|password|pass|pw|value|here|string|account|goes))+(?:\d{1,4})?
    | (?:your|my)[A-Za-z]{0,16}(?:key|token|secret|password|pass|credential|value)s?(?:here)?
    | (?:.*[-_/. ])?(?:here|goes[-_]here|placeholder|change[-_]?me|change[-_]?this|changeit|replace[-_]?me|redacted|todo|fixme|example|dummy)(?:[-_/. !].*)?
    | (?:dummy|fake|sample|foo|bar|baz|foobar|foo[-_]?bar|tbd|n/?a|none|null|nil|true|false|undefined|string|str|int|number|bool|boolean|bytes|any|object
       |required|optional|secrets?|passwords?|passwd|pass|pwd|pw|tokens?|keys?|api[-_]?key|access[-_]?token|value|text|hidden|masked|omitted|removed|empty|unset
       |default|test|examples?|unknown|missing|invalid|incorrect|wrong|expired|yes|no|on|off|auto|file|env|prompt|stdin|bearer|basic)
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)

_CODE = re.compile(
    r"""
      [A-Za-z_]\w*=(?!=?\Z).* | [A-Za-z_]\w{0,15}= | [:+].* | (?:[^(){}\[\];,&|=!?]*[(){}\[\];,&|=!?]){4}.* | \w+(?:->|::)\w.* | [({\[].* | //.*                       # arguments, members, groups, comments
    | [A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+              # config.db.password
    | [A-Za-z_$@&*!][\w$.:>?-]{0,80}[(\[{<].*              # getpass(), os.environ["X"], Optional[str]
    | (?:self|this|process|os|env|ENV|config|settings|secrets|req|request|ctx|args|opts|options|params|props|state|data|user|vars?|local|module|context|github|System|import)[.\[:].*
    | (?:function|lambda|await|async|new|return|typeof|not|let|const|var|def|class|f["'])\b.*
    """,
    re.VERBOSE | re.DOTALL,
)

_PUBLIC = re.compile(
    r"""
      [0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}      # UUID
    | (?:sha(?:1|224|256|384|512)|md5|blake2b|blake3|SHA256|MD5|h1)[-:].*              # integrity hashes, fingerprints
    | AAAA(?:B3NzaC1|C3NzaC1lZDI1|E2VjZHNh)[A-Za-z0-9+/=]* | (?:ssh-|ecdsa-|sk-ssh-|pk_|pub_|phc_|pk\.).*      # public keys
    | v?\d{1,4}(?:\.\d{1,6}){1,4}(?:[-+.][A-Za-z0-9.-]{0,20})?                         # versions, IP addresses
    | \d{4}-\d{2}-\d{2}(?:[T ].*)? | \d{1,2}:\d{2}(?::\d{2})?.*                        # dates and times
    | [a-zA-Z][a-zA-Z0-9+.-]{1,12}://.*                                                # URLs have rules of their own
    | (?:[A-Za-z]:\\|~?/|\.{1,2}/|[A-Za-z0-9_.-]{1,30}/[A-Za-z0-9_.-]{1,30}/).*\.[a-z]{1,5} | (?:~|\.{1,2})?/[\w.@-]+(?:/[\w.@-]*){1,12}(?:\?.*)?   # paths
    | arn:.* | projects/.* | data:.* | LS0tLS1CRUdJTiBDRVJ.* | LS0tLS1CRUdJTiBQVUJ.* | MII[A-Z][A-Za-z0-9+/]{3}CC.*
    """,
    re.VERBOSE | re.DOTALL,
)

_NAME = re.compile(
    r"(?:[A-Za-z]{2,}\d{0,3}|[A-Za-z]|v?\d{1,8}[a-z]?)(?:[-_./: ](?:[A-Za-z]{2,}\d{0,3}|[A-Za-z]|v?\d{1,8}[a-z]?)){0,12}"
)
_TECHNICAL = re.compile(
    r"(?:base\d{2}|utf-?\d{1,2}|sha-?\d{1,3}|md5|argon2(?:id|i|d)?|bcrypt|scrypt|pbkdf2|oauth2?|ed25519|x509|[hrep]s\d{3}|http2?|ipv[46]"
    r"|aes-?\d{3}.*|rsa-?\d{4}|k8s|s3|ec2|v\d{1,3}|p\d{1,3}|oidc|totp|hmac.*|i18n|web3|auth0|log4j|win32|x64|x86|arm64|amd64|mp[34]|h2|h264)(?:[-_].*)?",
    re.IGNORECASE,
)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^a-zA-Z0-9]")
_PARTS = re.compile(r"[^\s_./+=-]+")
_DIGIT_EDGES = re.compile(r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
# Identifiers such as `sha256WithX509v3` reach four; of random small letters and digits one text in 300 stays below five.
_FEWEST_EDGES = 5
_UNSPEAKABLE = re.compile(r"[A-Z]?[b-df-hj-np-tv-xz]{4}|[B-DF-HJ-NP-TV-XZ]{5}")
_EDGES = "'-_.:,;!?()"
_HEX = re.compile(r"(?:0x)?[0-9a-f]+|(?:0x)?[0-9A-F]+")


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: a template, a mask, a word of documentation, a mark of ours."""
    head = value[:_LIMIT]
    return len(set(head)) < 4 or _PLACEHOLDER.fullmatch(head) is not None


def is_code(value: str) -> bool:
    """Whether a value is an expression: a call, an attribute, a look-up, a type."""
    return _CODE.fullmatch(value[:_LIMIT]) is not None


def is_own_name(value: str) -> bool:
    """Whether a quoted value is the name of a field or message: words joined by underscores, or the word password again."""
    return is_name(value) and not any(map(str.isdigit, value)) and ("_" in value or "pass" in value.lower())


def is_public(value: str) -> bool:
    """Whether a value has the shape of something everybody may see: a UUID, a hash with its algorithm, a public key, a path."""
    return _PUBLIC.fullmatch(value[:_LIMIT]) is not None


def is_name(value: str) -> bool:
    """Whether a value reads like an identifier: words and short numbers between separators."""
    head = value[:_LIMIT]
    return _NAME.fullmatch(head) is not None or _TECHNICAL.fullmatch(head) is not None


def is_hex(value: str) -> bool:
    """Whether a value consists of hexadecimal digits of one case."""
    return _HEX.fullmatch(value[:_LIMIT]) is not None


def is_mixed(value: str) -> bool:
    """Whether a value has letters together with digits or inner symbols, as passwords do and words do not."""
    head = value[:_LIMIT]
    if not any(map(str.isalpha, head)):
        return False
    return any(map(str.isdigit, head)) or any(not sign.isalnum() for sign in head.strip(_EDGES) if sign not in "_-./ ")


def looks_random(value: str) -> bool:
    """Whether a value of 16 or more characters changes between kinds of characters as often as random text does."""
    head = value[:_LIMIT]
    if len(head) < 16 or len(set(head)) < 8 or " " in head or is_name(head):
        return False
    if not any(map(str.isdigit, head)):
        return is_scrambled(head)
    if is_hex(head):
        return any(map(str.isalpha, head))
    return len(_DIGIT_EDGES.findall(head)) >= _FEWEST_EDGES or _changes(head) * 10 >= len(head) * 3


def is_scrambled(value: str) -> bool:
    """Whether letters change case as they do in no word and no identifier."""
    head = value[:_LIMIT]
    return len(head) >= 8 and len(set(head)) >= 6 and " " not in head and _changes(head) * 10 >= len(head) * 3 and not head.isupper()


def is_gibberish(value: str) -> bool:
    """Whether letters of both cases hold a stretch that cannot be spoken."""
    head = value[:_LIMIT]
    return len(head) >= 8 and head.isalpha() and not head.islower() and not head.isupper() and _UNSPEAKABLE.search(head) is not None


def is_hash(value: str) -> bool:
    """Whether a value is hexadecimal of the length of a commit, a digest or a short id."""
    return len(value) in (7, 8, 10, 12, 16, 32, 40, 56, 64, 96, 128) and is_hex(value)


def is_technical(value: str) -> bool:
    """Whether a word with digits is the name of a technique, such as `base64`."""
    return _TECHNICAL.fullmatch(value[:_LIMIT]) is not None


def is_uuid(value: str) -> bool:
    """Whether a value is a UUID."""
    return _UUID.fullmatch(value) is not None


def _changes(text: str) -> int:
    """How often neighbours are of different kinds; the capital of a word and separators between words do not count."""
    return sum(len(_RUNS.findall(part)) - 1 for part in _PARTS.findall(text))
