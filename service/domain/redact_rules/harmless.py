"""Values that stand where a secret could stand and are none: placeholders, code, public hashes, paths, names."""

import re

# What a value is shows in its beginning; the limit keeps a judgement as cheap for a megabyte as for a word.
_LIMIT = 96

_WORDS = (
    r"dummy|fake|sample|foo|bar|baz|foobar|foo[-_]?bar|tbd|n/?a|none|null|nil|true|false|undefined"
    r"|string|str|int|number|bool|boolean|bytes"
    r"|any|object|required|optional|secrets?|passwords?|passwd|pass|pwd|pw|tokens?|keys?|api[-_]?key"
    r"|access[-_]?token|value|text|hidden|masked"
    r"|omitted|removed|empty|unset|default|test|examples?|unknown|missing|invalid|incorrect|wrong"
    r"|expired|yes|no|on|off|auto|file|env|prompt"
    r"|stdin|bearer|basic"
)
_FIRST = r"my|some|the|an?|new|old|test|fake|dummy|sample|example|super|strong|very|this"
_NEXT = (
    r"is|a|my|the|super|strong|very|api|app|auth|access|private|master|db|user|admin|secure|secret"
    r"|long|random|shared|client|key|token|password"
    r"|pass|pw|value|here|string|account|goes"
)
_PLACEHOLDER = re.compile(
    rf"""
      [<({{\[$%].*[>)}}\]%] | \{{[A-Za-z_({{].* | \$\w+ | %[sdrv]
    | (?:\$[{{(]|\{{\{{|<|%[({{]|\#\{{|@Microsoft|!secret|!Ref|!Sub|env:|op://|vault:|secret://).*
    | [xX*.?\#_\-•0-]{{3,}}
    | (?:[A-Za-z0-9]{{1,12}}[-_.])*[xX]{{4,}}(?:[-_.][A-Za-z0-9]{{1,12}})* | [A-Za-z0-9]{{1,8}}[xX]{{8,}}
    | [a-z]{{2,20}}(?:\|[a-z_]{{2,20}}(?::[\w,]{{1,20}})?){{1,8}}
    | (?:[A-Za-z]{{1,8}}[-_])*(?:your|insert|replace|enter|put|paste)(?:[-_ ][A-Za-z0-9]{{0,20}}){{1,10}}
    | (?:[A-Za-z]{{1,8}}[-_])*(?:{_FIRST})(?:[-_ ](?:{_NEXT}))+(?:\d{{1,4}})?
    | (?:your|my)[A-Za-z]{{0,16}}(?:key|token|secret|password|pass|credential|value)s?(?:here)?
    | (?:.*[-_/. ])?
      (?:here|goes[-_]here|placeholder|change[-_]?(?:me|this|it)|replace[-_]?me|redacted|todo|fixme|example|dummy)
      (?:\d{{1,4}}|[-_/. !].*)?
    | (?:{_WORDS})[?!]?
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_MASK = re.compile(r"\.\.\.|…|\*\*\*|•••|####|\[redacted", re.IGNORECASE)

_OBJECTS = (
    r"self|this|process|os|env|ENV|config|settings|secrets|req|request|ctx|args|opts|options|params"
    r"|props|state|data|user|vars?|local|module"
    r"|context|github|System|import"
)
_CODE = re.compile(
    rf"""
      [A-Za-z_]\w*=(?!=?\Z).* | [A-Za-z_]{{1,16}}=                  # an argument, whole or cut
    | \w+(?:->|::)\w.* | [({{\[:+].* | //.*                         # members, groups, comments
    | \$[A-Za-z_]\w{{0,60}}-                                        # $request->password, cut at the arrow
    | (?:[^(){{}}\[\];,&|=!?]*[(){{}}\[\];,&|=!?]){{4}}.*               # a statement
    | [A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+                     # config.db.password
    | [A-Za-z_$@&*!][\w$.:>?-]{{0,80}}[(\[{{<].*                     # getpass(), os.environ["X"], Optional[str]
    | (?:{_OBJECTS})[.\[:].*
    | [\w$.]{{1,40}}\)[,;)}}\]].* | (?:null|true|false|void|undefined|this|\d{{1,6}})[;,)].*
    | (?:before|after|hover|focus|active|checked|disabled|first-child|last-child|not\(|nth-)[-\w(]*[,{{.:\s].*   # CSS
    | (?:function|lambda|await|async|new|return|typeof|not|let|const|var|def|class|f["'])\b.*
    """,
    re.VERBOSE | re.DOTALL,
)

_PUBLIC = re.compile(
    r"""
      [0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}                              # UUID
    | (?:sha(?:1|224|256|384|512)|md5|blake2b|blake3|SHA256|MD5|h1)[-:].*               # integrity hashes, fingerprints
    | AAAA(?:B3NzaC1|C3NzaC1lZDI1|E2VjZHNh).* | (?:ssh-|ecdsa-|sk-ssh-|pk_|pub_|phc_|pk\.).*    # public keys
    | LS0tLS1CRUdJTiBDRVJ.* | LS0tLS1CRUdJTiBQVUJ.* | MII[A-Z][A-Za-z0-9+/]{3}CC.*      # certificates
    | 0x[0-9a-fA-F]{40} | pub[0-9a-f]{32}                                               # addresses, client tokens
    | ENC\[AES.* | vault:v\d+:.* | AQICAH[A-Za-z0-9+/]{60,}.* | \{cipher\}.* | \$ANSIBLE_VAULT.*       # ciphertext
    | Ag[A-D][A-Za-z0-9+/]{90,}={0,2}                                                   # sealed for a cluster
    | v?\d{1,4}(?:\.\d{1,6}){1,4}(?:[-+.][A-Za-z0-9.-]{0,20})?                          # versions, IP addresses
    | \d{4}-\d{2}-\d{2}(?:[T ].*)? | \d{1,2}:\d{2}(?::\d{2})?.*                         # dates and times
    | \d{1,6}(?:\.\d{1,3})?(?:[mnuµ]?s|min|h|%|[kKMG]i?B|px)                           # how long, how much
    | (?=.*::|(?:.*:){7})[0-9a-fA-F:]{2,39} | [0-9a-f]{4,16}\+[0-9a-f]{2,8}             # IPv6, a place in a program
    | [a-z_][a-z0-9_-]{0,31}:[x*!]:\d{1,10}:\d{1,10}:.*                                # a line of /etc/passwd
    | [a-zA-Z][a-zA-Z0-9+.-]{1,12}://.* | arn:.* | projects/.* | data:.*                # addresses, resource names
    | (?:[A-Za-z]:\\|~?/|\.{1,2}/|[A-Za-z0-9_.-]{1,30}/[A-Za-z0-9_.-]{1,30}/).*\.[a-z]{1,5}     # paths
    | (?:~|\.{1,2})?/[\w.@-]+(?:/[\w.@-]*){1,12}(?:\?.*)?
    """,
    re.VERBOSE | re.DOTALL,
)

_SEGMENT = r"(?:[A-Za-z]{2,}\d{0,4}|[A-Za-z]\d?|v?\d{1,8}[a-z]?)"
_NAME = re.compile(rf"[A-Za-z]+\d{{0,3}}|{_SEGMENT}(?:[-_./: +]{_SEGMENT}){{1,16}}")
_TECHNICAL = re.compile(
    r"(?:base\d{2}(?:url)?|(?:md5|sha\d{1,3})sum|utf-?\d{1,2}(?:mb\d)?|sha-?\d{1,3}|md5|argon2(?:id|i|d)?"
    r"|bcrypt|scrypt|pbkdf2\w*|oauth2?|ed25519|x509|[hrep]s\d{3}|http2?|ipv[46]"
    r"|aes-?\d{3}.*|rsa-?\d{4}|k8s|s3|ec2|v\d{1,3}|p\d{1,3}|oidc|totp|hmac.*|i18n|web3|auth0|log4j"
    r"|win32|x64|x86|arm64|amd64|mp[34]|h2|h264|1password|keepass2?)"
    r"(?:[-_].*)?",
    re.IGNORECASE,
)


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: a template, a mask, a word of documentation, a mark of ours."""
    head = value[:_LIMIT]
    return len(set(head)) < 4 or _MASK.search(head) is not None or _PLACEHOLDER.fullmatch(head) is not None


def is_code(value: str) -> bool:
    """Whether a value is an expression: a call, an attribute, a look-up, a type."""
    return _CODE.fullmatch(value[:_LIMIT]) is not None


def is_public(value: str) -> bool:
    """Whether a value has the shape of something everybody may see: a UUID, an integrity hash, a public key."""
    return _PUBLIC.fullmatch(value[:_LIMIT]) is not None


def is_name(value: str) -> bool:
    """Whether a value reads like an identifier: words and short numbers between separators."""
    head = value[:_LIMIT]
    return _NAME.fullmatch(head) is not None or _TECHNICAL.fullmatch(head) is not None


def is_own_name(value: str) -> bool:
    """Whether a quoted value names a field or message: words joined by underscores, or the word password."""
    return is_name(value) and not any(map(str.isdigit, value)) and ("_" in value or "pass" in value.lower())


def is_technical(value: str) -> bool:
    """Whether a word with digits is the name of a technique, such as `base64`."""
    return _TECHNICAL.fullmatch(value[:_LIMIT]) is not None
