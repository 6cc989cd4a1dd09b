"""Passwords on command lines."""

import re

from service.domain.redact_rules.harmless import is_code, is_name, is_public
from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.values import is_hex, looks_random

_F = "commands"
_WORD = r"""["']?(?P<secret>[^\s"'`;|<>]{4,256})"""
_WHERE = r"[^\n;|]{0,200}?[ \t]"


def is_given(value: str) -> bool:
    """Whether an argument in a secret's place is a value, and not a port, a path, a variable or an expression."""
    return not value.startswith(("-", "$", "/", "~", "@", "%")) and not is_code(value) and not is_public(value)


def is_made_up(value: str) -> bool:
    """Whether an argument in a place that also takes other things has the looks of a secret."""
    return is_given(value) and not value.isdigit() and not (value.islower() and value.isalpha()) and not is_name(value)


def is_login_secret(value: str) -> bool:
    """Whether the part behind `user:` is a password, and not a group id, a path or a port."""
    return is_given(value) and (not value.isdigit() or len(value) > 6) and not value.startswith("\\")


def is_key_like(value: str) -> bool:
    """Whether a bare argument of a login command is a key."""
    return looks_random(value) or (len(value) >= 32 and is_hex(value))


def _command(name: str, programs: str, flag: str, example: str, counter_example: str, *, loose: bool = False) -> Rule:
    """`program … flag value`; a loose flag means something else in other uses of the program."""
    starts = tuple(programs.split())
    pattern = rf"(?<![A-Za-z0-9_])(?:{'|'.join(map(re.escape, starts))})(?![A-Za-z0-9]){_WHERE}(?:{flag}){_WORD}"
    return Rule(
        name, _F, re.compile(pattern), starts, example, counter_example, accept=is_made_up if loose else is_given
    )


_PASS = "hT" + "7mWq2x"

RULES: tuple[Rule, ...] = (
    Rule(
        "login-password",
        _F,
        re.compile(
            r"(?<=[\s\"'])(?:-u|--user|--proxy-user"
            r"|-U)[ =]{0,2}[\"']?[A-Za-z0-9][^\s:\"'/]{0,80}:(?P<secret>[^\s\"'`@/]{4,256})"
        ),
        ("-u", "--user", "--proxy-user", "-U"),
        f"curl -u app:{_PASS} https://ci.internal",
        "docker run -u 1000:1000 app",
        accept=is_login_secret,
    ),
    _command(
        "password",
        "mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump mycli",
        r"-p",
        f"mysql -u root -p{_PASS} shop",
        "mysql -u root -p shop",
    ),
    _command(
        "password",
        "docker podman nerdctl skopeo buildah helm crane oras az oc argocd htpasswd twine vncviewer vault",
        r"-p[ =]?",
        f"docker login -u app -p {_PASS} registry.internal",
        "docker run -p 8080:80 app",
        loose=True,
    ),
    _command(
        "password",
        "sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport login",
        r"-p[ =]?",
        f"sshpass -p {_PASS} ssh host.internal",
        "sshpass -e ssh host.internal",
    ),
    _command(
        "password",
        "unzip zip sqlcmd bcp ipmitool mosquitto_pub mosquitto_sub",
        r"-P[ =]?",
        f"unzip -P {_PASS} dump.zip",
        "zip -r out.zip src",
    ),
    _command("password", "7z 7za rar unrar", r"-p", f"7z x -p{_PASS} dump.7z", "7z x dump.7z"),
    _command(
        "password",
        "ldapsearch ldapadd ldapmodify ldapwhoami ldappasswd ldapdelete",
        r"-w[ =]?",
        f"ldapsearch -D cn=admin -w {_PASS} -b dc=x",
        "ldapsearch -x -w $PW",
    ),
    _command("password", "redis-cli", r"-a[ =]?", f"redis-cli -h cache -a {_PASS} ping", "redis-cli -h cache ping"),
    _command(
        "password",
        "smbclient rpcclient smbmap lftp",
        r"-[uU][ =]?[^\s%,]{1,60}[%,]",
        f"smbclient //fs/share -U app%{_PASS}",
        "smbclient -U app",
    ),
    _command("password", "net", r"/user:\S{1,60}[ \t]", f"net use Z: \\\\fs\\share /user:app {_PASS}", "net use Z:"),
    _command(
        "password",
        "cmdkey schtasks wmic psexec PsExec sc.exe runas",
        r"(?:/pass:|/password:|/rp[ \t]|-p[ \t]|password=[ \t]?)",
        f"cmdkey /add:fs /user:app /pass:{_PASS}",
        "cmdkey /list",
    ),
    _command(
        "community",
        "snmpwalk snmpget snmpset snmpbulkwalk",
        r"-[cAX][ =]?",
        f"snmpwalk -v2c -c {_PASS} switch",
        "snmpwalk -v2c -c public switch",
        loose=True,
    ),
    Rule(
        "kubeadm-token",
        _F,
        re.compile(
            r"(?<![A-Za-z0-9./_-])(?=[a-z]{0,5}[0-9])[a-z0-9]{6}\.(?=[a-z]{0,15}[0-9])[a-z0-9]{16}(?![A-Za-z0-9.])"
        ),
        (),
        "kubeadm join 192.0.2.4:6443 --token k7qx2w.zrt4vhn1lsb8dyf3",
        "kubeadm token list",
    ),
    _command(
        "password",
        "rabbitmqctl",
        r"(?:add_user|change_password|authenticate_user)[ \t]{1,4}\S{1,60}[ \t]{1,4}",
        f"rabbitmqctl add_user app {_PASS}",
        "rabbitmqctl status",
    ),
    _command(
        "password",
        "htpasswd",
        r"-[A-Za-z]{0,3}b[A-Za-z]{0,3}[ \t]{1,4}\S{1,80}[ \t]{1,4}\S{1,60}[ \t]{1,4}",
        f"htpasswd -cb .htpasswd app {_PASS}",
        "htpasswd -c .htpasswd app",
    ),
    _command(
        "password",
        "sqlplus expdp impdp sqlldr rman",
        r"[\"']?[A-Za-z][\w$#]{0,40}/",
        f"sqlplus app/{_PASS}@db",
        "sqlplus /nolog",
    ),
    _command(
        "password",
        "wpa_passphrase",
        r"[\"']?[^\s\"']{1,40}[\"']?[ \t]",
        f"wpa_passphrase office {_PASS}",
        "wpa_passphrase",
    ),
    Rule(
        "password",
        _F,
        re.compile(rf"(?<![A-Za-z])(?:pass|stdin-pass):{_WORD}"),
        ("pass:",),
        f"openssl enc -k -pass pass:{_PASS}",
        "bypass:function",
        accept=is_made_up,
    ),
    Rule(
        "password",
        _F,
        re.compile(
            r"(?<![A-Za-z])echo[ \t]{1,3}(?:-n[ \t]{1,3})?[\"']?(?:[A-Za-z][\w.-]{0,40}:)?(?P<secret>[^\s\"'`"
            r"|:]{5,128})[\"']?[ \t]{0,3}\|[ \t]{0,3}(?:sudo|su|chpasswd|passwd|cryptsetup|docker login"
            r"|helm registry login|openssl|gpg|kinit)"
        ),
        ("echo",),
        f"echo '{_PASS}' | sudo -S apt update",
        "echo done | sudo tee x",
        accept=is_made_up,
    ),
)
