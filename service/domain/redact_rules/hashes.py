"""Hashes of passwords, as systems, web frameworks and directories store them: guessing them is only work."""

import re

from service.domain.redact_rules.rule import Rule, prefixed
from service.domain.redact_rules.samples import alnum, hexes

_F = "hashes"

# Rules of whole lines.
_LINES = "lines"

RULES: tuple[Rule, ...] = (
    prefixed("password-hash", _F, "$2a$ $2b$ $2y$", r"\d\d\$[./A-Za-z0-9]{50,53}", "$2b$12$" + alnum(53), "$2b$12$"),
    prefixed(
        "password-hash",
        _F,
        "$1$ $5$ $6$ $y$ $7$ $apr1$",
        r"(?:rounds=\d{1,9}\$)?[./A-Za-z0-9$]{1,40}\$[./A-Za-z0-9]{22,}",
        "$6$" + alnum(12) + "$" + alnum(86),
        "$6$x",
    ),
    prefixed(
        "password-hash",
        _F,
        "$argon2id$ $argon2i$ $argon2d$ $scrypt$ $pbkdf2-sha256$",
        r"[A-Za-z0-9=,$+/.-]{30,}",
        "$argon2id$v=19$m=65536,t=3,p=4$" + alnum(22) + "$" + alnum(43),
        "$argon2id$v=19",
    ),
    prefixed(
        "password-hash",
        _F,
        "{SSHA} {SHA} {SSHA512} {PBKDF2}",
        r"[A-Za-z0-9+/]{24,}={0,2}",
        "{SSHA}" + alnum(38),
        "{SHA}",
    ),
    prefixed(
        "password-hash",
        _F,
        "pbkdf2_sha256$ pbkdf2_sha512$ pbkdf2_sha1$ pbkdf2:sha256: pbkdf2:sha512: bcrypt_sha256$ scrypt:",
        r"[A-Za-z0-9$:./+=_-]{40,}",
        "pbkdf2_sha256$870000$" + alnum(22) + "$" + alnum(43) + "=",
        "pbkdf2_sha256$",
    ),
    prefixed(
        "password-hash",
        _F,
        "$P$ $H$ $S$ $9$ $8$ $sha1$ $md5$ $bcrypt-sha256$ $pbkdf2-sha512$ $pbkdf2$ $gy$ $2x$",
        r"(?=[^\s]{0,40}[0-9])[./A-Za-z0-9$,=+-]{24,}",
        "$P$B" + alnum(30),
        "$S$x",
    ),
    Rule(
        "password-hash",
        _F,
        re.compile(
            r"(?<![A-Za-z0-9])SCRAM-SHA-(?:1|256|512)\$\d{3,7}:(?P<secret>[A-Za-z0-9+/=]{16,}\$[A-Za-z0-9+/=:]{40,})"
        ),
        ("SCRAM-SHA-",),
        "SCRAM-SHA-256$4096:" + alnum(22) + "==$" + alnum(43) + "=:" + alnum(43) + "=",
        "SCRAM-SHA-256",
    ),
    Rule(
        "password-hash",
        _F,
        re.compile(r"(?:(?<=['\"])|(?<=PASSWORD ))md5(?P<secret>[a-f0-9]{32})(?=['\"])"),
        ("md5",),
        "'md5" + hexes(32) + "'",
        "md5sum",
    ),
    Rule(
        "password-hash",
        _F,
        re.compile(r"['\" ]\*(?P<secret>[A-F0-9]{40})(?![A-Za-z0-9])"),
        ("'*", '"*', " *"),
        "'*" + hexes(40).upper() + "'",
        "a * b",
    ),
    Rule(
        "password-hash",
        _F,
        re.compile(
            r"(?:(?=aad3b435b51404eeaad3b435b51404ee:)|(?i:nt[ -]?(?:lm)?[ -]hash(?:es)?)[ \t]{0,2}[:=][ \t]{0,2})"
            r"(?P<secret>(?:[a-fA-F0-9]{32}:)?[a-fA-F0-9]{32})(?![A-Za-z0-9])"
        ),
        ("aad3b435b51404eeaad3b435b51404ee:", "NT", "nt hash", "ntlm hash", "ntlm_hash"),
        "kim:1001:aad3b435b51404eeaad3b435b51404ee:" + hexes(32) + ":::",
        "NT hash: none",
    ),
    Rule(
        "password-hash",
        _LINES,
        re.compile(r"(?m)^[\w.@-]{1,60}:[\w.@ -]{1,60}:(?P<secret>[a-f0-9]{32})$"),
        (),
        "kim:realm:" + hexes(32),
        "key:value:none",
    ),
    Rule(
        "password-hash",
        _F,
        re.compile(
            r"(?<=:)\{(?:PLAIN|CRYPT|SHA512-CRYPT|BLF-CRYPT|ARGON2ID|CLEARTEXT|clear|PLAIN-MD5)\}"
            r"(?P<secret>[^\s:]{4,160})"
        ),
        ("{PLAIN}", "{CRYPT}", "{SHA512-CRYPT}", "{BLF-CRYPT}", "{ARGON2ID}", "{CLEARTEXT}", "{clear}", "{PLAIN-MD5}"),
        "kim:{PLAIN}hT7mWq2x:1000",
        "{PLAIN}",
    ),
)
