"""Secrets that carry their own shape: signed tokens, private keys, password hashes."""

import base64
import binascii
import json
import re

from service.domain.redact_rules.rule import Rule, prefixed
from service.domain.redact_rules.samples import alnum

_F = "tokens"
_HEAD_LIMIT = 2048
_RUN = re.compile(r"[A-Za-z0-9+/=]{16}")


def has_token_header(token: str) -> bool:
    """Whether the first part decodes to a JSON object that names an algorithm, as JWT and JWE headers do."""
    head = token[:_HEAD_LIMIT].partition(".")[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return False
    return isinstance(header, dict) and bool({"alg", "typ", "enc", "kid"} & header.keys())


def has_key_body(block: str) -> bool:
    """Whether anything of a key stands behind the BEGIN line; an elided one in documentation holds dots or words."""
    return _RUN.search(block, block.find("KEY")) is not None


def encodes_private_key(text: str) -> bool:
    """Whether base64 of a PEM block is that of a private key, and not of a certificate."""
    head = text[:128]
    return b"PRIVATE KEY" in base64.b64decode(head[: len(head) // 4 * 4])


# A body may be cut, escaped (\n in JSON), indented, quoted in mail style, concatenated, or folded into one line.
_PEM_PART = (
    r"(?:\s|\\[nr]|[>|\"'+,`*#]|[A-Za-z0-9+/=]{16,}+(?![._])|=[A-Za-z0-9+/]{4}"
    r"|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Subject)[^\n\\]{0,100}"
    r"|[A-Za-z0-9+/=]{1,15}(?=[\s\\nr\"'+,]{0,8}(?:-----END|\Z)))"
)
_PEM_FOOT = r"(?:-{4,5} ?END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5})?"

# A token wrapped over lines goes on with lines that hold nothing else.
_FOLD = r"(?:\\?\r?\n[ \t>|+\"']{0,12}(?=[A-Za-z0-9_.-]{16,}[ \t\"',+\\]{0,4}(?:\n|\Z)))?"
_PIECES = rf"(?:[A-Za-z0-9_-]++{_FOLD}){{0,100}}"

RULES: tuple[Rule, ...] = (
    Rule(
        "jwt",
        _F,
        re.compile(
            rf"(?<![A-Za-z0-9])(?:ey|ew)[A-Za-z0-9_-]{{10,}}{_FOLD}\.{_FOLD}{_PIECES}(?:\.{_FOLD}{_PIECES}){{0,4}}"
        ),
        ("eyJ", "ewog", "ewok", "eyAi"),
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9." + alnum(43),
        "eyJust.a.word",
        accept=has_token_header,
    ),
    Rule(
        "private-key",
        _F,
        re.compile(
            rf"-{{4,5}} ?BEGIN (?:[A-Z0-9]{{2,12}} ){{0,3}}PRIVATE KEY(?: BLOCK)? ?-{{4,5}}{_PEM_PART}*+{_PEM_FOOT}"
        ),
        ("-----BEGIN", "---- BEGIN"),
        "-----BEGIN PRIVATE" + " KEY-----\n" + alnum(64) + "\n" + alnum(20) + "\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        accept=has_key_body,
    ),
    prefixed(
        "private-key",
        _F,
        "Private-Lines:",
        r"\s*\d{1,3}\s(?:\s|[A-Za-z0-9+/=]{16,}+(?![._]))+",
        "Private-Lines: 2\n" + alnum(64),
        "Private-Lines: 14",
    ),
    prefixed(
        "private-key",
        _F,
        "MI",
        r"(?:[IGH][A-Za-z0-9+/]{1,4}(?:IBAAK|IBADAN|gEAM|gEAMB)|GkAgEBBD|HbAgEBB)[A-Za-z0-9+/=\s]{40,}",
        "MIIEpAIBAAK" + alnum(80),
        "MIIDdzCCAl",
    ),
    prefixed(
        "private-key",
        _F,
        "MHcCAQEE MC4CAQAwBQYDK2Vw b3BlbnNzaC1rZXktdjEA",
        r"[A-Za-z0-9+/=]{20,}",
        "MHcCAQEE" + alnum(80),
        "MHcCAQEE",
    ),
    Rule(
        "private-key",
        _F,
        re.compile(r"LS0tLS1CRUdJTi(?:[A-Za-z0-9+/]{20,})={0,2}"),
        ("LS0tLS1CRUdJTi",),
        "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t" + alnum(80),
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t" + alnum(80),
        accept=encodes_private_key,
    ),
    Rule(
        "private-key",
        _F,
        re.compile(
            r"\n(?P<secret>[A-Za-z0-9+/]{40,76}={0,2}\r?\n(?:[A-Za-z0-9+/]{1,76}={0,2}\r?\n){0,60})-----END "
            r"(?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY"
        ),
        (
            "-----END PRIVATE KEY",
            "-----END RSA PRIVATE",
            "-----END EC PRIVATE",
            "-----END OPENSSH PRIVATE",
            "-----END ENCRYPTED PRIVATE",
            "-----END DSA PRIVATE",
        ),
        "cut off\n" + alnum(64) + "\n" + alnum(30) + "\n-----END RSA PRIVATE" + " KEY-----",
        "-----END RSA PRIVATE" + " KEY-----",
        reach=1400,
    ),
)
