"""Passwords in statements, lines of configuration, cookies and phrases of a fixed form."""

import re

from service.domain.redact_rules.commands import is_given, is_made_up
from service.domain.redact_rules.harmless import is_name
from service.domain.redact_rules.payloads import hidden_text, is_telling
from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.samples import alnum, hexes
from service.domain.redact_rules.secrecy import is_word_phrase
from service.domain.redact_rules.tree import words
from service.domain.redact_rules.values import is_hash, is_hex, looks_random

_F = "statements"


_WORD = r"""["']?(?P<secret>[^\s"'`;|<>]{4,256})"""
_PASS = "hT" + "7mWq2x"


def _statement(name: str, anchors: str, pattern: str, example: str, counter_example: str) -> Rule:
    """A statement or a line of configuration with the secret in a fixed place."""
    return Rule(name, _F, re.compile(pattern), tuple(anchors.split("|")), example, counter_example, accept=is_given)


def is_session_value(pair: str) -> bool:
    """Whether the value of a cookie is one that lets its bearer in."""
    value = pair.partition("=")[2]
    return looks_random(value) or (len(value) >= 24 and is_hex(value))


def holds_secret_text(value: str) -> bool:
    """Whether a value says something about secrets once it is decoded."""
    return is_telling(hidden_text(value) or "")


def is_strong_password(value: str) -> bool:
    """Whether a word that might be anything has letters of both cases and digits, or digits beside a sign."""
    varied = value.lower() != value and value.upper() != value
    digits = any(map(str.isdigit, value))
    return digits and (varied or not value.isalnum()) and is_given(value) and not is_name(value)


RULES: tuple[Rule, ...] = (
    Rule(
        "encoded-secret",
        _F,
        re.compile(
            r"(?:echo|printf)[ \t](?:-\w{1,3}[ \t])?[\"']?(?P<secret>[A-Za-z0-9+/_-]{24,8192}={0,2})[\"']?[ \t]{0,4}(?:\\\n[ \t]{0,8})?\|[ \t]{0,4}(?:openssl[ ])?"
            r"base64[ \t](?:-d|-D|--decode)"
        ),
        ("echo ", "printf "),
        "echo " + "UEFTU1dPUkQ9aFQ3bVdxMnhaOWJMNG5W" + " | base64 -d",
        "echo aGVsbG8gd29ybGQgZnJvbSBtZSB0b28 | base64 -d",
        accept=holds_secret_text,
    ),
    Rule(
        "password",
        _F,
        re.compile(r"(?<![A-Za-z-])PASS[ ](?P<secret>[^\s\"\\]{4,128})(?=\\r\\n)"),
        ("PASS ",),
        'write(5, "PASS hT' + '7mWq2x\\r\\n", 12)',
        "PASS tests/a.py",
    ),
    Rule(
        "password",
        _F,
        re.compile(
            r"(?i:nickserv[ :]{1,3}(?:identify|ghost|recover)|/oper|auth login)[ ](?:[\w|\[\]{}^-]{1,30}[ ])?"
            r"(?P<secret>[^\s]{6,64})"
        ),
        words("nickserv NickServ NICKSERV /oper /OPER"),
        "/msg NickServ IDENTIFY kim hT" + "7mWq2x",
        "nickserv identify kim",
        accept=is_made_up,
    ),
    Rule(
        "passphrase",
        _F,
        re.compile(
            r"(?i:pass ?phrase|phrase secrète|frase de contraseña|passphrase)(?:[ ][^\s:=]{1,12}){0,3}[ ]?[:=][ ]?[\"'`„“]?"
            r"(?P<secret>[a-z]{3,10}(?:[ -][a-z]{3,10}){2,6}(?:[ -]\d{1,4})?)(?![a-z])"
        ),
        words("passphrase Passphrase pass phrase Pass frase Frase"),
        "the disk passphrase: quartz lantern orbit muffin 31",
        "passphrase: must be at least four words",
        accept=is_word_phrase,
    ),
    _statement(
        "password",
        "IDENTIFIED BY|identified by|IDENTIFIED WITH|identified with",
        rf"(?:IDENTIFIED (?:BY|WITH [\w']{{1,40}} (?:BY|AS))[ \t]{{1,4}}(?:PASSWORD[ \t])?|identified (?:by"
        rf"|with [\w']{{1,40}} (?:by|as))[ \t]{{1,4}}(?=[\"'])){_WORD}",
        f"CREATE USER app IDENTIFIED BY '{_PASS}'",
        "IDENTIFIED BY ?",
    ),
    _statement(
        "password",
        "|".join(f"{word}{joint}'" for word in ("PASSWORD", "password") for joint in (" ", "(", " (", " = ", "= ")),
        r"(?i:password)[ \t(=]{1,4}'(?P<secret>[^'\s]{4,256})'",
        f"ALTER ROLE app WITH PASSWORD '{_PASS}'",
        "PASSWORD EXPIRE",
    ),
    Rule(
        "login-pair",
        _F,
        re.compile(
            r"(?i:log[ -]?in|sign[ -]?in|creds?|credentials|zugangsdaten|anmeldedaten|identifiants?|credenciales"
            r"|credenciais|credenziali|inloggegevens|учетные данные|учётные данные|доступ[ы]?|логин"
            r"|账号|帐号|登录|アカウント|계정)"
            r"(?:[ \t]{1,2}[^\s:=/]{1,16}){0,3}[ \t]{0,2}[:=：]?[ \t]{0,2}"
            r"(?<![\w])[\w.@+-]{2,60}(?:[ \t]?[/:|][ \t]?|[ \t](?:with|using|mit|avec|con|com)[ \t])"
            r"(?P<secret>[!-~]{6,64})"
        ),
        (
            *words("""
    login Login log-in Log-in sign-in Sign-in signin cred Cred CRED Zugangsdaten Anmeldedaten identifiants Identifiants
    credenciales Credenciales credenciais Credenciais credenziali Credenziali inloggegevens доступ Доступ логин Логин
    账号 帐号 登录 アカウント 계정
"""),
            "log in",
            "Log in",
            "sign in",
            "Sign in",
        ),
        f"log in with admin / {_PASS}-Qz",
        "log in / sign up",
        accept=is_strong_password,
    ),
    _statement(
        "password",
        "wpa-psk|wpa-passphrase|wpa-pwd",
        rf"(?<![A-Za-z])wpa-(?:psk|passphrase|pwd)[ \t]{{1,4}}{_WORD}",
        f"wpa-psk {_PASS}",
        "wpa-psk key management",
    ),
    _statement(
        "token",
        "sonar.login|sonar.token",
        r"sonar\.(?:login|token)=(?P<secret>[A-Za-z0-9_]{16,128})",
        "sonar.login=" + hexes(40),
        "sonar.login=",
    ),
    _statement(
        "password",
        "SecureString",
        r"SecureString(?:[ \t]-String)?[ \t]{1,4}[\"'](?P<secret>[^\"'\n]{4,256})",
        f'ConvertTo-SecureString "{_PASS}" -AsPlainText',
        "Read-Host -AsSecureString",
    ),
    _statement(
        "password",
        "login",
        rf"login[ \t]{{1,4}}(?!and|or|with|via|using|your|the)\S{{1,120}}[ \t\n]{{1,4}}password[ \t]{{1,4}}{_WORD}",
        f"machine ftp.internal login app password {_PASS}",
        "login with a password",
    ),
    _statement(
        "password",
        "requirepass|masterauth|requirepass:",
        rf"(?<![A-Za-z])(?:requirepass|masterauth):?[ \t]{{1,4}}{_WORD}",
        f"requirepass {_PASS}",
        "requirepass foobared-example",
    ),
    _statement(
        "password",
        "snmp-server|enable|username|neighbor|tacacs-server|radius-server|key-string|pre-shared-key|crypto",
        r"(?<![A-Za-z])(?:snmp-server community|enable (?:secret|password)(?: (?:level )?\d)?"
        r"|username (?!and |or |with )\S{1,40} (?:privilege \d{1,2} )?(?:secret|password)(?: \d)?"
        r"|neighbor \S{1,60} password(?: \d)?|(?:tacacs|radius)-server (?:host \S{1,60} )?key(?: \d)?"
        r"|key-string(?: \d)?|pre-shared-key(?: \S{1,60})?|crypto isakmp key)[ \t]{1,4}" + _WORD,
        f"snmp-server community {_PASS} RO",
        "enable password",
    ),
    Rule(
        "password",
        _F,
        re.compile(
            r"(?m)^(?:\[?[A-Za-z0-9*][\w.*-]{0,100}\]?):(?:\d{2,5}"
            r"|\*):[\w*.-]{1,63}:[\w*.-]{1,63}:(?P<secret>[^\s:]{4,128})$"
        ),
        (),
        f"db.internal:5432:app:app_rw:{_PASS}",
        "12:30:15:a:b",
        accept=is_given,
    ),
    Rule(
        "password",
        _F,
        re.compile(r"(?<![\w.-])[\w.-]{1,40}:(?P<secret>[^\s@/\"']{4,100})@(?:tcp|unix|udp)\("),
        ("@tcp(", "@unix(", "@udp("),
        f"app:{_PASS}@tcp(db:3306)/shop",
        "a@tcp(db)",
        reach=142,
        accept=is_given,
    ),
    Rule(
        "cookie",
        _F,
        re.compile(
            r"(?i:(?:set-)?cookie)[\"']?[ \t]{0,2}[:=,][ \t]{0,2}[\"']?(?P<secret>[\w.$!#%&*+^"
            r"|~-]{1,64}=[^\s;\"']{1,4096}(?:;[ ]?[\w.$!#%&*+^|~-]{1,64}=[^\s;\"']{1,4096})*+)"
        ),
        ("Cookie", "cookie", "COOKIE"),
        "Cookie: theme=dark; session=" + alnum(32),
        "Cookie: theme=dark; lang=en",
        accept=lambda text: any(
            len(part.partition("=")[2]) >= 12 and is_session_value(part) for part in text[:8192].split(";")
        ),
    ),
    Rule(
        "session-id",
        _F,
        re.compile(
            r"(?<![A-Za-z0-9])(?:JSESSIONID|jsessionid|PHPSESSID|ASPSESSIONID[A-Z]{0,8}|ASP\.NET_SessionId|connect\.sid"
            r"|_session_id|sessionid|laravel_session|wordpress_logged_in_[a-f0-9]{8,32}"
            r"|_[a-z0-9]{1,30}_session|sid|SID|HSID|SSID|APISID|SAPISID|__Secure-[\w.-]{1,40}"
            r"|__Host-[\w.-]{1,40}|li_at|d|CFID|CFTOKEN|XSRF-TOKEN|csrftoken|remember_token"
            r"|auth_token)=(?P<secret>[A-Za-z0-9%._~+/:!=|-]{16,4096})"
        ),
        (
            "JSESSIONID",
            "jsessionid",
            "PHPSESSID",
            "ASPSESSIONID",
            "ASP.NET_SessionId",
            "connect.sid",
            "_session_id",
            "sessionid",
            "laravel_session",
            "wordpress_logged_in_",
            "sid=",
            "SID=",
            "HSID=",
            "SSID=",
            "APISID=",
            "SAPISID=",
            "__Secure-",
            "__Host-",
            "li_at=",
            "remember_token=",
        ),
        "JSESSIONID=" + hexes(32).upper(),
        "JSESSIONID=...",
        accept=lambda text: is_hash(text.upper()) or is_session_value("=" + text),
    ),
    Rule(
        "password",
        _F,
        re.compile(
            r"variable[ ]\"[^\"\n]{0,60}(?:pass|secret|token|key"
            r"|cred)[^\"\n]{0,40}\"[ ]?\{[^{}]{0,400}?\bdefault[ \t]{0,12}=[ \t]{0,4}"
            r"\"(?P<secret>[^\"\n]{4,512})\""
        ),
        ('variable "',),
        f'variable "db_password" {{\n  default = "{_PASS}"\n}}',
        'variable "db_password" {\n  type = string\n}',
        accept=is_made_up,
    ),
    Rule(
        "link-token",
        _F,
        re.compile(
            r"/(?:invite|invitation|invitations|reset|reset-password|password-reset|password/reset|magic|magic-link"
            r"|verify|verify-email|confirm|activate"
            r"|unsubscribe|login-token|join)/(?P<secret>[A-Za-z0-9_.-]{20,512})(?![A-Za-z0-9])"
        ),
        words("/invite /invitation /reset /password /magic /verify /confirm /activate /login-token /join"),
        "https://acme.dev/invite/" + alnum(43),
        "https://acme.dev/invite/welcome-to-the-new-team-space",
        accept=looks_random,
    ),
    Rule(
        "saml-response",
        _F,
        re.compile(
            r"SAMLResponse[\"']?[ \t]{0,2}[=:][ \t]{0,2}[\"']?(?P<secret>(?:[A-Za-z0-9+/=]|%(?:2[BbFf]|3[Dd])){40,})"
        ),
        ("SAMLResponse",),
        "SAMLResponse=" + alnum(80),
        "SAMLResponse is missing",
    ),
)
