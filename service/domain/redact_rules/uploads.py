"""Commands that send a file: to an address without a name, to a drop of strangers, or a file that tells too much."""

import re

from service.domain.redact_rules import hosts

_LINE = 400
_TELLING_FILE = (
    r"(?:^|[/@\s.])(?:\.?env(?:\.\w+)?|id_(?:rsa|ed25519|ecdsa|dsa)|credentials(?:\.\w+)?|passwd|shadow|\.ssh|\.aws"
    r"|\.netrc|\.npmrc|\.pypirc"
    r"|\.kube|kubeconfig|\.git-credentials|\.pgpass|\.docker|(?:bash|zsh)_history|history|secrets?(?:\.\w+)?|wallet"
    r"(?:\.\w+)?|[\w-]{1,40}\.(?:pem|key|kdbx|p12|pfx|jks))(?:$|[/)\s])"
)
_TELLING = re.compile(f"(?i){_TELLING_FILE}")
_SENDING = re.compile(
    r"(?<![\w-])(?:-[a-zA-Z]{0,4}[dFT]|--data(?:-binary|-raw|-urlencode)?|--form|--upload-file|--post-file"
    r"|--body-file|-InFile)"
    r"[ =]{0,2}[\"']?(?:[\w.-]{1,40}=)?(?P<file>@[^\s\"';]{1,200}|\$\((?:cat|base64|env|printenv)[^)\n]{0,120}\)"
    r"|[~./\w-]{1,200})"
)
# What is piped into the command that sends it.
_POURED = re.compile(
    rf"(?i)(?:^|[;&]\s?)\s{{0,4}}(?:env|printenv|set|history)\s{{0,3}}\||(?:cat|tar|gzip|base64|zip|gpg)\b[^"
    rf"|\n]{{0,120}}{_TELLING_FILE}[^|\n]{{0,80}}\|"
)
_PROGRAMS = ("curl", "wget", "http ", "https ", "iwr", "Invoke-WebRequest", "Invoke-RestMethod", "xh ")
_FILE_FLAGS = ("-T", "--upload-file", "--post-file", "--body-file", "-InFile")
_HOST = re.compile(r"[a-z]+:/{2,3}(?:[^\s/@]{1,100}@)?(?P<host>\[[^\]\s]{2,60}\]|[^\s/:?#\"']{1,253})", re.IGNORECASE)


def has_sender(text: str) -> bool:
    """Whether the text names a program that can send a file; where none is named, no line needs a look."""
    return any(program in text for program in _PROGRAMS)


def is_sent(text: str, start: int, end: int, url: str) -> bool:
    """Whether the line sends a file to the URL that nobody should have."""
    line = text[max(text.rfind("\n", max(0, start - _LINE), start) + 1, start - _LINE) : start]
    if not has_sender(line):
        return False
    rest = text[end : end + _LINE].partition("\n")[0]
    found = _HOST.match(url)
    host = hosts.plain_name(found["host"]) if found else ""
    if not host or hosts.is_local(host):
        return False
    stranger = hosts.is_number(host) or hosts.is_drop(host)
    poured = _POURED.search(line) is not None
    return any(
        _gives_away(match, stranger=stranger, poured=poured)
        for part in (line, rest)
        for match in _SENDING.finditer(part)
    )


def _gives_away(match: re.Match[str], *, stranger: bool, poured: bool) -> bool:
    file = match["file"]
    if file in ("@-", "-"):
        return poured
    is_file = file.startswith(("@", "$(")) or match.group().startswith(_FILE_FLAGS)
    return is_file and (stranger or _TELLING.search(file.lstrip("@")) is not None)
