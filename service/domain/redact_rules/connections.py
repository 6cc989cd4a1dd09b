"""Passwords inside URLs, connection strings, headers and command lines."""

import base64
import binascii
import re

from service.domain.redact_rules.harmless import is_name
from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.samples import alnum
from service.domain.redact_rules.values import is_mixed, looks_random

_F = "connections"


def is_basic_pair(text: str) -> bool:
    """Whether base64 holds `user:password`."""
    head = text[:512].rstrip("=")
    try:
        decoded = base64.b64decode(head + "=" * (-len(head) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    return ":" in decoded and decoded.isprintable()


def is_token_like(text: str) -> bool:
    """Whether a word behind `Bearer` is a token, and not the next word of a sentence."""
    return looks_random(text) or (
        len(text) >= 8 and is_mixed(text) and any(map(str.isdigit, text)) and not is_name(text)
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "url-password",
        _F,
        re.compile(r"://[^\s/:@\"'<>`]{0,128}:(?!x-oauth-basic@)(?P<secret>[^\s/@\"'<>`]{1,256})@(?=[A-Za-z0-9\[])"),
        ("://",),
        "postgres://app:" + alnum(14) + "@db.internal/app",
        "https://host:8080/@scope/name",
    ),
    Rule(
        "url-token",
        _F,
        re.compile(
            r"://(?P<secret>[A-Za-z0-9_.~-]{16,256})(?::x-oauth-basic|:)?@"
            # What a browser reports errors with is in every page: the key is public.
            r"(?=[A-Za-z0-9\[])(?!o\d{1,12}\.ingest\.(?:\w{2}\.)?sentry\.io/)"
        ),
        ("://",),
        "https://" + alnum(40) + "@git.internal/app",
        "https://first.last@git.internal/app",
        accept=looks_random,
    ),
    Rule(
        "bearer-token",
        _F,
        re.compile(r"(?<![A-Za-z])(?i:bearer)(?:[ \t]|%20|\+){1,4}(?P<secret>(?:[A-Za-z0-9._~+/=-]|%[0-9A-F]{2}){8,})"),
        ("Bearer", "bearer", "BEARER"),
        "Authorization: Bearer " + alnum(32),
        "bearer authentication",
        accept=is_token_like,
    ),
    Rule(
        "basic-auth",
        _F,
        re.compile(r"(?<![A-Za-z])(?i:basic)[ \t]{1,4}(?P<secret>[A-Za-z0-9+/]{8,}={0,2})"),
        ("Basic", "basic", "BASIC"),
        "Authorization: Basic " + base64.b64encode(b"app:" + b"k7Qx2Wm9").decode(),
        "Basic authentication",
        accept=is_basic_pair,
    ),
    Rule(
        "url-signature",
        _F,
        re.compile(r"(?<=[?&;_-])(?:[Ss]ignature|[Ss]ig|hmac)=(?P<secret>(?:[A-Za-z0-9_~+/=.-]|%[0-9A-Fa-f]{2}){20,})"),
        ("Signature=", "signature=", "sig=", "Sig=", "hmac="),
        "https://cdn.acme.dev/x?Expires=1&Signature=" + alnum(60),
        "https://acme.dev/x?sig=short",
    ),
)
