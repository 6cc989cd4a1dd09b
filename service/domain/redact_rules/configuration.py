"""Lines of configuration files, tables and protocols with a secret at a fixed place."""

import re

from service.domain.redact_rules.commands import is_given, is_made_up
from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.samples import alnum, hexes, lower
from service.domain.redact_rules.tree import words
from service.domain.redact_rules.values import is_hash, is_hex, is_scrambled, is_uuid, looks_random

_F = "configuration"
_WORD = r"""["']?(?P<secret>[^\s"'`;|<>]{4,256})"""
_PASS = "hT" + "7mWq2x"


def is_long_key(value: str) -> bool:
    """Whether a value under a two-letter name is a key: random or hexadecimal, of 32 characters or more."""
    return len(value) >= 32 and (looks_random(value) or is_hex(value))


def is_random_login(value: str) -> bool:
    """Whether a value is made by a machine, and no digest."""
    return not is_hash(value) and not is_uuid(value) and (looks_random(value) or is_scrambled(value))


# Rules of whole lines.
_LINES = "lines"

RULES: tuple[Rule, ...] = (
    Rule(
        "pre-shared-key",
        _F,
        re.compile(
            r"(?<![A-Za-z])(?::[ \t]{1,4}(?:PSK|XAUTH|EAP|RSA|ECDSA)[ \t]{1,4}(?:\S{1,80}[ \t]{1,4})?[\"']"
            r"(?P<secret>[^\"'\n]{4,256})[\"'])"
        ),
        (": PSK", ": XAUTH", ": EAP", ": RSA", ": ECDSA"),
        f'192.0.2.1 %any : PSK "{_PASS}"',
        ": PSK is short for it",
    ),
    Rule(
        "password",
        _LINES,
        re.compile(
            r"(?m)^[\"']?[\w.@*-]{1,60}[\"']?[ \t]{1,8}(?:\*|l2tpd|pptpd"
            r"|pppd)[ \t]{1,8}[\"']?(?P<secret>[^\s\"'*]{4,128})[\"']?[ \t]{1,8}(?:\*|[\d./]{7,40})[ \t]*$"
        ),
        (" * ", " l2tpd ", " pptpd ", " pppd "),
        f"kim * {_PASS} *",
        "a * b * c",
        reach=64,
        accept=is_made_up,
    ),
    Rule(
        "password",
        _LINES,
        re.compile(
            rf"(?m)^(?:socks[45]|http|https)[ \t]{{1,8}}[\d.]{{7,15}}[ \t]{{1,8}}\d{{2,5}}[ \t]{{1,8}}"
            rf"[\w.@-]{{1,60}}[ \t]{{1,8}}{_WORD}"
        ),
        ("socks4", "socks5", "http", "https"),
        f"socks5 192.0.2.1 1080 kim {_PASS}",
        "socks5 192.0.2.1 1080",
        accept=is_given,
    ),
    Rule(
        "secret",
        _F,
        re.compile(
            r"define\(\s{0,4}[\"'][A-Z_]{0,24}(?:KEY|SALT|PASSWORD|SECRET|TOKEN)[\"']\s{0,4},\s{0,20}(?P<quote>[\"'])"
            r"(?P<secret>[^\n]{16,128}?)(?P=quote)\s{0,4}\)"
        ),
        ("define(",),
        "define('AUTH_KEY', 'e2}Pp`M~o6;Hi&JJCK,5(Ve+')",
        "define('AUTH_KEY', getenv('AUTH_KEY'))",
    ),
    Rule(
        "encryption-key",
        _F,
        re.compile(
            r"[\"']crypt[\"']\s{0,3}(?:=>|:)\s{0,3}[\[{(]\s{0,40}[\"']key[\"']\s{0,3}(?:=>|:)\s{0,3}[\"']"
            r"(?P<secret>[A-Za-z0-9+/=]{24,128})[\"']"
        ),
        ("'crypt'", '"crypt"'),
        "'crypt' => [ 'key' => '" + hexes(32) + "' ]",
        "'crypt' => [ 'driver' => 'sodium' ]",
    ),
    Rule(
        "key-header",
        _F,
        re.compile(
            r"(?<![A-Za-z])[Xx]-(?![Ii]dempotency|[Cc]ache|[Ss]ort|[Rr]equest|[Tt]race)[A-Za-z-]{2,30}-"
            r"(?:[Kk]ey|[Tt]oken|[Ss]ecret|[Aa]uth)[\"']?[ ]?:[ ]?[\"']?(?P<secret>[A-Za-z0-9_.~+/=-]{12,256})"
        ),
        ("X-", "x-"),
        "X-Acme-Key: " + alnum(20),
        "X-Acme-Key: the-name-of-it",
        accept=is_random_login,
    ),
    Rule(
        "login-password",
        _F,
        re.compile(
            r"(?i:sign in|log ?in|logged in|anmelden|einloggen|connect)[^\n]{0,40}?[ ](?i:as|with|using|mit)[ ]"
            r"[`\"'][\w.@+-]{2,60}[`\"'][ ](?i:and|with|using|mit|und|/)(?:[ ](?i:password|pw|pass))?[ ]"
            r"[`\"'](?P<secret>[^`\"'\s]{6,64})[`\"']"
        ),
        words("sign Sign log Log logged Logged anmelden Anmelden einloggen connect Connect"),
        f"sign in as `kim` with `{_PASS}`",
        "sign in as `kim` with `two-factor` on",
        accept=is_made_up,
    ),
    Rule(
        "bundler-token",
        _F,
        re.compile(r"BUNDLE_[A-Z0-9_]{2,60}[\"']?[:=][ ]?[\"']?(?P<secret>[\w.@-]{1,60}:[A-Za-z0-9_.~-]{12,256})"),
        ("BUNDLE_",),
        "BUNDLE_GEMS__ACME__DEV: kim:" + alnum(20),
        "BUNDLE_PATH: vendor/bundle",
    ),
    Rule(
        "password",
        _LINES,
        re.compile(r"(?m)^\"[\w.-]{1,60}\"[ \t]{1,4}\"(?P<secret>[^\"\s]{6,256})\"[ \t]*$"),
        ('" "',),
        f'"app_rw" "{_PASS}"',
        '"app_rw" "app_ro"',
        reach=62,
        accept=is_made_up,
    ),
    Rule(
        "wifi-password",
        _F,
        re.compile(r"WIFI:(?:[TSHEAI]:[^;\n]{0,64};){0,5}P:(?P<secret>(?:[^;\n\\]|\\.){4,128});"),
        ("WIFI:",),
        f"WIFI:T:WPA;S:Acme;P:{_PASS};;",
        "WIFI:T:nopass;S:Acme;;",
    ),
    Rule(
        "digest-response",
        _F,
        re.compile(r"(?:Digest|digest)[ \t][^\n]{0,400}?response=[\"']?(?P<secret>[a-f0-9]{32,64})"),
        ("Digest ", "digest "),
        'Digest username="kim", realm="acme", response="' + hexes(32) + '"',
        "Digest authentication",
    ),
    Rule(
        "static-key",
        _F,
        re.compile(
            r"-----BEGIN OpenVPN (?:tls-crypt-v2 (?:client|server)|Static) [Kk]ey(?: V1)?-----(?P<secret>(?:\s|\\n"
            r"|[A-Za-z0-9+/=]){32,}+)"
        ),
        ("-----BEGIN OpenVPN",),
        "-----BEGIN OpenVPN Static key V1-----\n" + hexes(64),
        "-----BEGIN OpenVPN Static key V1-----\n...",
    ),
    Rule(
        "access-key",
        _F,
        re.compile(
            r"(?<![A-Za-z0-9.])(?:[A-Za-z0-9]{1,24}_)?(?:sk|SK|ak|AK|ck"
            r"|CK)[\"']?[ \t]{0,2}[:=][ \t]{0,2}[\"']?(?P<secret>[A-Za-z0-9+/_-]{32,128}={0,2})(?![A-Za-z0-9])"
        ),
        ("sk", "SK", "ak", "AK", "ck", "CK"),
        "sk = " + hexes(32),
        "sk = load_model('bert')",
        accept=is_long_key,
    ),
    Rule(
        "session-key",
        _F,
        re.compile(
            r"(?<![A-Za-z0-9.])(?:[A-Z0-9]{1,24}_)?SESSION[\"']?[ \t]{0,2}[:=][ \t]{0,2}[\"']?(?P<secret>"
            r"[A-Za-z0-9+/_%.-]{24,4096}={0,2})"
        ),
        ("SESSION", *(f"{name}_SESSION" for name in words("BW FASTLANE AOC OP SPACESHIP"))),
        "BW_SESSION=" + alnum(86) + "==",
        "SESSION=production",
        accept=looks_random,
    ),
    Rule(
        "session-id",
        _F,
        re.compile(
            r"(?:-b|--cookie|--cookie-jar)[ =][\"']?(?:[\w.-]{1,40}=[^;\s\"']{0,256};[ ]?){0,8}[\w.-]{1,40}="
            r"(?P<secret>[A-Za-z0-9%._~+/:=|-]{20,4096})"
        ),
        ("-b ", "--cookie"),
        "curl -b 'session=" + alnum(40) + "' https://x",
        "curl -b 'theme=dark' https://x",
        accept=looks_random,
    ),
    Rule(
        "header-secret",
        _F,
        re.compile(
            r"(?i:x-honeycomb-team|jenkins-crumb|x-sf-token|x-shopify-storefront-access-token|x-emby-authorization"
            r"|x-ingest-auth|x-team-id-secret|x-vault-wrap)"
            r"[\"']?[ \t]{0,2}[:=,][ \t]{0,2}[\"']?(?P<secret>[A-Za-z0-9+/_.=-]{16,256})"
        ),
        words(
            "x-honeycomb-team X-Honeycomb-Team Jenkins-Crumb jenkins-crumb x-sf-token X-SF-Token"
            " X-Shopify-Storefront-Access-Token"
        ),
        "x-honeycomb-team: " + lower(22),
        "x-honeycomb-team: $TEAM",
    ),
    Rule(
        "password",
        _F,
        re.compile(r"random_password[^\n]{0,400}?\"result\": ?\"(?P<secret>[^\"\n]{6,256})\""),
        ("random_password",),
        'random_password.db {"result": "' + _PASS + '"}',
        "random_password.db",
    ),
    Rule(
        "password",
        _F,
        re.compile(
            r"(?:[\[(]?[a-z0-9.-]{3,80}[\])]?(?::\d{2,5})?)[ \t]{1,8}[\w.+-]{1,60}@[\w.-]{1,60}:"
            r"(?P<secret>[^\s:@]{6,128})(?=\s|\Z)"
        ),
        ("[smtp", "smtp.", "[mail", "mail."),
        f"[smtp.acme.dev]:587 kim@acme.dev:{_PASS}",
        "smtp.acme.dev kim@acme.dev",
        accept=is_made_up,
    ),
    Rule(
        "smtp-login",
        _F,
        re.compile(r"334 UGFzc3dvcmQ6\s{1,6}(?:[<>CS:*~=-]{1,4}[ \t]{0,2})?(?P<secret>[A-Za-z0-9+/]{4,256}={0,2})"),
        ("334 UGFzc3dvcmQ6",),
        "334 UGFzc3dvcmQ6\naFQ3bVdxMng=",
        "334 UGFzc3dvcmQ6",
    ),
    Rule(
        "cvs-password",
        _LINES,
        re.compile(r"(?m)^(?:/1[ ])?:(?:pserver|ext|gserver):\S{1,120}[ ]A(?P<secret>[!-~]{4,64})$"),
        (":pserver:", "/1 :pserver:"),
        f"/1 :pserver:kim@cvs.acme.dev:/r A{_PASS}",
        ":pserver:kim@cvs.acme.dev:/r",
    ),
    Rule(
        "secret-id",
        _F,
        re.compile(
            r"(?i:secret[_-]id)[\"']?[ \t]{0,3}[=: ][ \t]{0,3}[\"']?(?P<secret>[a-f0-9]{8}"
            r"(?:-[a-f0-9]{4}){3}-[a-f0-9]{12})"
        ),
        ("secret_id", "secret-id", "SECRET_ID", "secretId", "SecretId"),
        "secret_id=3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5",
        "secret_id=x",
    ),
    Rule(
        "login-pair",
        _F,
        re.compile(
            r"(?:npmAuthIdent|_auth|authIdent)[\"']?[ \t]{0,2}[:=][ \t]{0,2}[\"']?[\w.@+-]{1,60}:"
            r"(?P<secret>[^\s\"']{4,128})"
        ),
        ("npmAuthIdent", "_auth", "authIdent"),
        f'npmAuthIdent: "kim:{_PASS}"',
        "npmAuthIdent: x",
        accept=is_given,
    ),
    Rule(
        "session-id",
        _F,
        re.compile(r"_session=(?P<secret>[A-Za-z0-9%._~+/=-]{24,4096})"),
        ("_session=",),
        "_acme_session=" + alnum(60) + "--" + hexes(40),
        "_session=abc",
        accept=lambda text: looks_random(text.partition("--")[0]),
    ),
    Rule(
        "jwk-secret",
        _F,
        re.compile(r"\\?\"(?:d|k|p|q|dp|dq|qi)\\?\":\s{0,3}\\?\"(?P<secret>[A-Za-z0-9_-]{40,1400})(?=\\?\")"),
        ('"d":', '"k":', '"p":', '"q":', '"dp":', '"dq":', '"qi":', '"d\\":', '"k\\":'),
        '{"kty":"EC","d":"' + alnum(43) + '"}',
        '{"d":"2026-08-10"}',
        accept=looks_random,
    ),
    Rule(
        "login-pair",
        _F,
        re.compile(
            r"(?<![A-Za-z0-9_/.:@-])[A-Za-z][\w.+-]{1,60}:(?P<secret>[^\s:@/\"'<>\\]{6,64})@"
            r"(?:[a-z0-9-]{1,40}\.){1,5}[a-z]{2,12}(?::\d{2,5})?(?![\w@])"
        ),
        (),
        f"app-zone:{_PASS}@proxy.acme.dev:22225",
        "npm:left-pad@npm.acme.dev",
        accept=is_made_up,
    ),
)
