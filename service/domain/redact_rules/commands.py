"""Passwords behind the flags of command-line programs."""

import re
from collections.abc import Callable

from service.domain.redact_rules.harmless import is_code, is_name, is_public
from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.values import is_hex, is_scrambled, is_uuid, looks_random

_F = "commands"
_WORD = r"""["']?(?P<secret>[^\s"'`;|<>]{4,256})"""
_WHERE = r"[^\n;|]{0,200}?[ \t]"
# Text inside a JSON string: the next line is glued to the word by an escape.
_ESCAPED = re.compile(r"\\[nrt]")
_PASS = "hT" + "7mWq2x"


def is_given(value: str) -> bool:
    """Whether an argument in a secret's place is a value, and not a port, a path, a variable or an expression."""
    if value.startswith(("-", "$", "/", "~", "@", "%", ")")) or _ESCAPED.search(value):
        return False
    return not is_code(value) and (not is_public(value) or is_uuid(value))


def is_made_up(value: str) -> bool:
    """Whether an argument in a place that also takes other things has the looks of a secret."""
    return (
        is_given(value)
        and not value.isdigit()
        and not (value.islower() and value.isalpha())
        and (not is_name(value) or is_scrambled(value))
    )


def is_login_secret(value: str) -> bool:
    """Whether the part behind `user:` is a password, and not a group id, a path or a port."""
    plain = not value.startswith(("-", "$", "/", "~", "@", "%", "\\")) and not is_code(value)
    return plain and (not value.isdigit() or len(value) > 6)


def is_key_like(value: str) -> bool:
    """Whether a bare argument of a login command is a key."""
    return looks_random(value) or (len(value) >= 32 and is_hex(value))


def is_community(value: str) -> bool:
    """Whether the name of a community is not the one that every manual uses."""
    return is_given(value) and value.lower() not in ("public", "private")


def _command(
    name: str, programs: str, flag: str, example: str, counter_example: str, accept: Callable[[str], bool] = is_given
) -> Rule:
    """`program … flag value`, where the flag takes a secret in every use of the program that `accept` agrees to."""
    starts = tuple(programs.split())
    pattern = rf"(?<![A-Za-z0-9_])(?:{'|'.join(map(re.escape, starts))})(?![A-Za-z0-9]){_WHERE}(?:{flag}){_WORD}"
    anchors = tuple(f"{start} " for start in starts)
    return Rule(name, _F, re.compile(pattern), anchors, example, counter_example, accept=accept)


RULES: tuple[Rule, ...] = (
    _command(
        "secret",
        "obsutil ossutil ossutil64 coscli qshell bcecmd",
        "-k[= ]|--?sk[= ]",
        "obsutil config -i=HPUA7 -k=" + "k7Qx2Wm9ZrT4vHn1LsB8dYf3Gp",
        "obsutil cp -k x y",
        is_key_like,
    ),
    Rule(
        "login-password",
        _F,
        re.compile(
            r"(?<=[\s\"'])(?:-[A-Za-z]{0,3}u|-a|--user|--auth|--proxy-user|--creds|--src-creds|--dest-creds"
            r"|-U)[ =]{0,2}[\"']?\$?[A-Za-z0-9][^\s:\"'/]{0,80}(?:/token)?"
            r":(?P<secret>(?:[A-Za-z0-9]{4}[ ]){5}[A-Za-z0-9]{4}(?=[\"'])|[^\s\"'`@/]{4,256})"
        ),
        (
            "-u",
            "-a ",
            "-ku",
            "-su",
            "-sSu",
            "-sku",
            "-Lu",
            "-iu",
            "-vu",
            "--user",
            "--auth",
            "--proxy-user",
            "--creds",
            "--src-creds",
            "--dest-creds",
            "-U",
        ),
        f"curl -u app:{_PASS} https://ci.internal",
        "docker run -u 1000:1000 app",
        accept=is_login_secret,
    ),
    Rule(
        "login-password",
        _F,
        re.compile(
            r"(?<=[\s\"'])(?:-u|-U|-l|--user|--username|-user|-username)[ =]?[^\s=][^\s]{0,80}[ \t](?:[^\n;"
            r"|]{0,120}?[ \t])?"
            rf"(?:-p|-P|-w|-W|-pw|--pw|-A|-X|-pass|--pass)[ =]?{_WORD}"
        ),
        ("-u ", "-U ", "-l ", "--user", "-user"),
        f"nxc smb 192.0.2.5 -u kim -p {_PASS}",
        "docker run -u 1000 -p 8080:80 app",
        accept=is_made_up,
    ),
    Rule(
        "login-key",
        _F,
        re.compile(
            r"(?<=[\s\"'])-u[ =]{1,2}[\"']?(?P<secret>[A-Za-z0-9_-]{16,128}):(?:[xX]|api_token|unused|)?(?=[\s\"'])"
        ),
        ("-u ",),
        "curl -u q3TlxqSN7mzDlTPgtQZg:X https://desk.acme.dev",
        "curl -u kim: https://x",
        accept=is_key_like,
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
        "docker podman nerdctl skopeo buildah helm crane oras az oc argocd htpasswd twine vncviewer vault caprover"
        " cqlsh hdbsql"
        " veracrypt gigalixir npm-cli-login fly sqlcl beeline influx",
        r"-p[ =]?",
        f"docker login -u app -p {_PASS} registry.internal",
        "docker run -p 8080:80 app",
        accept=is_made_up,
    ),
    _command(
        "password",
        "sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport login unlock-keychain",
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
    _command("password", "7z 7za 7zz rar unrar", r"-h?p", f"7z x -p{_PASS} dump.7z", "7z x dump.7z"),
    _command(
        "password",
        "ldapsearch ldapadd ldapmodify ldapwhoami ldappasswd ldapdelete vsql add-generic-password"
        " add-internet-password",
        r"-w[ =]?",
        f"ldapsearch -D cn=admin -w {_PASS} -b dc=x",
        "ldapsearch -x -w $PW",
    ),
    _command(
        "password", "redis-cli valkey-cli", r"-a[ =]?", f"redis-cli -h cache -a {_PASS} ping", "redis-cli -h cache ping"
    ),
    _command("password", "ssh-keygen", r"-[NP][ =]?", f"ssh-keygen -N {_PASS} -f key", "ssh-keygen -N '' -f key"),
    _command(
        "password",
        "openssl gpg",
        r"-(?:k|K|passwd|passphrase|-passphrase)[ =]",
        f"openssl enc -aes-256-cbc -k {_PASS}",
        "openssl enc -k $PW",
    ),
    _command(
        "token",
        "influx dotnet nuget choco cypress wrangler netlify snyk firebase hcloud doctl linode-cli scw",
        r"-(?:t|k|-key|-token|-record-key)[ =]?",
        "influx config create -t " + "k7Qx2Wm9ZrT4vHn1LsB8dYf3",
        "dotnet test -t unit",
        accept=is_made_up,
    ),
    _command("password", "x11vnc vncpasswd", r"-passwd[ =]?", f"x11vnc -passwd {_PASS}", "x11vnc -usepw"),
    _command(
        "password",
        "signtool osslsigncode certutil",
        r"[/-](?:p|pass)[ =]?",
        f"signtool sign /f a.pfx /p {_PASS} a.exe",
        "signtool verify /pa a.exe",
    ),
    _command(
        "password",
        "xfreerdp wfreerdp rdesktop mstsc",
        r"(?:/p:|-p[ ]?)",
        f"xfreerdp /u:kim /p:{_PASS}",
        "xfreerdp /u:kim",
    ),
    _command(
        "password",
        "smbclient rpcclient smbmap lftp",
        r"-[uU][ =]?[^\s%,]{1,60}[%,]",
        f"smbclient //fs/share -U app%{_PASS}",
        "smbclient -U app",
    ),
    _command(
        "password",
        "net",
        r"(?:/user:\S{1,60}|use(?:r)?[ \t]{1,2}(?!/)[A-Za-z][\w.$-]{0,40})[ \t]",
        f"net use Z: \\\\fs\\share /user:app {_PASS}",
        "net use Z:",
        accept=is_made_up,
    ),
    _command(
        "password",
        "cmdkey schtasks wmic psexec PsExec sc.exe runas kadmin kadmin.local dsadd dsmod",
        r"(?:/pass:|/password:|/rp[ \t]|-pw?d?[ \t]|password=[ \t]?)",
        f"cmdkey /add:fs /user:app /pass:{_PASS}",
        "cmdkey /list",
    ),
    _command(
        "community",
        "snmpwalk snmpget snmpset snmpbulkwalk snmptranslate onesixtyone",
        r"-[cAX][ =]?",
        f"snmpwalk -v2c -c {_PASS} switch",
        "snmpwalk -v2c -c public switch",
        accept=is_community,
    ),
    _command(
        "secret",
        "erl iex elixir rabbitmqctl",
        r"-{1,2}(?:set)?cookie[ =]",
        "erl -sname a -setcookie BLCEHUPDORWKX0RK22LA",
        "erl -sname a",
    ),
    _command(
        "secret",
        "gh heroku flyctl",
        r"(?:--body|-b)[ =]?",
        f"gh secret set DB_PASS -b {_PASS}",
        "gh pr create --body text",
        accept=is_made_up,
    ),
    _command(
        "secret",
        "put-parameter create-secret put-secret-value update-secret",
        r"(?:--value|--secret-string)[ =]",
        f"aws ssm put-parameter --type SecureString --value {_PASS}",
        "aws ssm put-parameter --value file://x",
        accept=is_made_up,
    ),
)
