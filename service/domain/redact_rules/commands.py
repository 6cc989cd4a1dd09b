"""Passwords on command lines, in configuration files of one line, and in statements of databases and routers."""

import re

from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.samples import alnum, hexes
from service.domain.redact_rules.harmless import is_code, is_name, is_public
from service.domain.redact_rules.values import is_hash, is_hex, looks_random

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
    return Rule(name, _F, re.compile(pattern), starts, example, counter_example, accept=is_made_up if loose else is_given)


def _statement(name: str, anchors: str, pattern: str, example: str, counter_example: str) -> Rule:
    """A statement or a line of configuration with the secret in a fixed place."""
    return Rule(name, _F, re.compile(pattern), tuple(anchors.split("|")), example, counter_example, accept=is_given)


_PASS = "hT" + "7mWq2x"

RULES: tuple[Rule, ...] = (
    Rule("login-password", _F, re.compile(r"(?<=[\s\"'])(?:-u|--user|--proxy-user|-U)[ =]{0,2}[\"']?[A-Za-z0-9][^\s:\"'/]{0,80}:(?P<secret>[^\s\"'`@/]{4,256})"),
         ("-u", "--user", "--proxy-user", "-U"), f"curl -u app:{_PASS} https://ci.internal", "docker run -u 1000:1000 app", accept=is_login_secret),
    _command("password", "mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump mycli", r"-p", f"mysql -u root -p{_PASS} shop", "mysql -u root -p shop"),
    _command("password", "docker podman nerdctl skopeo buildah helm crane oras az oc argocd sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport htpasswd twine vncviewer vault", r"-p[ =]?",
             f"docker login -u app -p {_PASS} registry.internal", "docker run -p 8080:80 app", loose=True),
    _command("password", "unzip zip sqlcmd bcp ipmitool mosquitto_pub mosquitto_sub", r"-P[ =]?", f"unzip -P {_PASS} dump.zip", "zip -r out.zip src"),
    _command("password", "7z 7za rar unrar", r"-p", f"7z x -p{_PASS} dump.7z", "7z x dump.7z"),
    _command("password", "ldapsearch ldapadd ldapmodify ldapwhoami ldappasswd ldapdelete", r"-w[ =]?", f"ldapsearch -D cn=admin -w {_PASS} -b dc=x", "ldapsearch -x -w $PW"),
    _command("password", "redis-cli", r"-a[ =]?", f"redis-cli -h cache -a {_PASS} ping", "redis-cli -h cache ping"),
    _command("password", "smbclient rpcclient smbmap lftp", r"-[uU][ =]?[^\s%,]{1,60}[%,]", f"smbclient //fs/share -U app%{_PASS}", "smbclient -U app"),
    _command("password", "net", r"/user:\S{1,60}[ \t]", f"net use Z: \\\\fs\\share /user:app {_PASS}", "net use Z:"),
    _command("password", "cmdkey schtasks wmic psexec PsExec sc.exe runas", r"(?:/pass:|/password:|/rp[ \t]|-p[ \t]|password=[ \t]?)", f"cmdkey /add:fs /user:app /pass:{_PASS}", "cmdkey /list"),
    _command("community", "snmpwalk snmpget snmpset snmpbulkwalk", r"-[cAX][ =]?", f"snmpwalk -v2c -c {_PASS} switch", "snmpwalk -v2c -c public switch", loose=True),
    Rule("kubeadm-token", _F, re.compile(r"(?<![A-Za-z0-9./_-])(?=[a-z]{0,5}[0-9])[a-z0-9]{6}\.(?=[a-z]{0,15}[0-9])[a-z0-9]{16}(?![A-Za-z0-9.])"), (), "kubeadm join 192.0.2.4:6443 --token k7qx2w.zrt4vhn1lsb8dyf3", "kubeadm token list"),
    _command("password", "rabbitmqctl", r"(?:add_user|change_password|authenticate_user)[ \t]{1,4}\S{1,60}[ \t]{1,4}", f"rabbitmqctl add_user app {_PASS}", "rabbitmqctl status"),
    _command("password", "htpasswd", r"-[A-Za-z]{0,3}b[A-Za-z]{0,3}[ \t]{1,4}\S{1,80}[ \t]{1,4}\S{1,60}[ \t]{1,4}", f"htpasswd -cb .htpasswd app {_PASS}", "htpasswd -c .htpasswd app"),
    _command("password", "sqlplus expdp impdp sqlldr rman", r"[\"']?[A-Za-z][\w$#]{0,40}/", f"sqlplus app/{_PASS}@db", "sqlplus /nolog"),
    _command("password", "wpa_passphrase", r"[\"']?[^\s\"']{1,40}[\"']?[ \t]", f"wpa_passphrase office {_PASS}", "wpa_passphrase"),
    Rule("password", _F, re.compile(rf"(?<![A-Za-z])(?:pass|stdin-pass):{_WORD}"), ("pass:",), f"openssl enc -k -pass pass:{_PASS}", "bypass:function", accept=is_made_up),
    Rule("login-key", _F, re.compile(r"(?<![A-Za-z])(?:wandb|heroku|railway|sentry-cli|snyk|vercel|netlify|ngrok config|ngrok|doppler|comet|clearml|dvc|vault|gh auth|npm|pulumi|fly|flyctl auth|infracost|codecov|coveralls|nomad|consul)[ \t](?:login|auth|add-authtoken|authtoken)(?:[ \t]+-{1,2}[a-z-]{1,20})?[ \t=]+(?P<secret>[A-Za-z0-9._~+/=-]{16,256})"),
         tuple("wandb heroku railway sentry-cli snyk vercel netlify ngrok doppler comet clearml dvc vault gh npm pulumi fly flyctl infracost codecov coveralls nomad consul".split()),
         "wandb login " + hexes(40), "wandb login --relogin", accept=is_key_like),
    Rule("password", _F, re.compile(r"(?<![A-Za-z])echo[ \t]{1,3}(?:-n[ \t]{1,3})?[\"']?(?:[A-Za-z][\w.-]{0,40}:)?(?P<secret>[^\s\"'`|:]{5,128})[\"']?[ \t]{0,3}\|[ \t]{0,3}(?:sudo|su|chpasswd|passwd|cryptsetup|docker login|helm registry login|openssl|gpg|kinit)"),
         ("echo",), f"echo '{_PASS}' | sudo -S apt update", "echo done | sudo tee x", accept=is_made_up),
    _statement("password", "IDENTIFIED BY|identified by|IDENTIFIED WITH|identified with", rf"(?:IDENTIFIED (?:BY|WITH [\w']{{1,40}} (?:BY|AS))[ \t]{{1,4}}(?:PASSWORD[ \t])?|identified (?:by|with [\w']{{1,40}} (?:by|as))[ \t]{{1,4}}(?=[\"'])){_WORD}", f"CREATE USER app IDENTIFIED BY '{_PASS}'", "IDENTIFIED BY ?"),
    _statement("password", "PASSWORD|password|Password", rf"(?i:password)(?:[ \t]{{1,4}}|[ \t]?\([ \t]?|[ \t]=[ \t])'(?P<secret>[^'\s]{{4,256}})'", f"ALTER ROLE app WITH PASSWORD '{_PASS}'", "PASSWORD EXPIRE"),
    _statement("password", "SecureString", rf"SecureString(?:[ \t]-String)?[ \t]{{1,4}}[\"'](?P<secret>[^\"'\n]{{4,256}})", f'ConvertTo-SecureString "{_PASS}" -AsPlainText', "Read-Host -AsSecureString"),
    _statement("password", "login", rf"login[ \t]{{1,4}}(?!and|or|with|via|using|your|the)\S{{1,120}}[ \t\n]{{1,4}}password[ \t]{{1,4}}{_WORD}", f"machine ftp.internal login app password {_PASS}", "login with a password"),
    _statement("password", "requirepass|masterauth|requirepass:", rf"(?<![A-Za-z])(?:requirepass|masterauth):?[ \t]{{1,4}}{_WORD}", f"requirepass {_PASS}", "requirepass foobared-example"),
    _statement("password", "snmp-server|enable|username|neighbor|tacacs-server|radius-server|key-string|pre-shared-key|crypto", r"(?<![A-Za-z])(?:snmp-server community|enable (?:secret|password)(?: (?:level )?\d)?|username (?!and |or |with )\S{1,40} (?:privilege \d{1,2} )?(?:secret|password)(?: \d)?|neighbor \S{1,60} password(?: \d)?|(?:tacacs|radius)-server (?:host \S{1,60} )?key(?: \d)?|key-string(?: \d)?|pre-shared-key(?: \S{1,60})?|crypto isakmp key)[ \t]{1,4}" + _WORD,
               f"snmp-server community {_PASS} RO", "enable password"),
    Rule("password", _F, re.compile(r"(?m)^(?:\[?[A-Za-z0-9*][\w.*-]{0,100}\]?):(?:\d{2,5}|\*):[\w*.-]{1,63}:[\w*.-]{1,63}:(?P<secret>[^\s:]{4,128})$"), (), f"db.internal:5432:app:app_rw:{_PASS}", "12:30:15:a:b", accept=is_given),
    Rule("password", _F, re.compile(r"(?<![\w.-])[\w.-]{1,40}:(?P<secret>[^\s@/\"']{4,100})@(?:tcp|unix|udp)\("), ("@tcp(", "@unix(", "@udp("), f"app:{_PASS}@tcp(db:3306)/shop", "a@tcp(db)", reach=142, accept=is_given),
    Rule("seed-phrase", _F, re.compile(r"(?i:seed(?: phrase| words)?|mnemonic|recovery phrase|secret phrase|wallet words|backup phrase)[\"']?(?:[ \t]{1,3}[^\s:=]{1,20}){0,4}[ \t]{0,3}(?:[:=]|is|was)[ \t\n\"'`]{0,4}(?P<secret>[a-z]{3,8}(?:[ \t,\n]{1,2}[a-z]{3,8}){11,24})(?![a-z])"),
         ("seed", "Seed", "SEED", "mnemonic", "Mnemonic", "MNEMONIC", "recovery phrase", "secret phrase", "Recovery phrase", "backup phrase", "Secret phrase"),
         "seed phrase: " + "orbit velvet cactus humble ladder frozen pigeon salad timber uncle wagon zebra", "seed the database with a few rows"),
    Rule("cookie", _F, re.compile(r"(?i:(?:set-)?cookie)[\"']?[ \t]{0,2}[:=,][ \t]{0,2}[\"']?(?P<secret>[\w.$!#%&*+^|~-]{1,64}=[^\s;\"']{1,4096}(?:;[ ]?[\w.$!#%&*+^|~-]{1,64}=[^\s;\"']{1,4096})*+)"), ("Cookie", "cookie", "COOKIE"),
         "Cookie: theme=dark; session=" + alnum(32), "Cookie: theme=dark; lang=en", accept=lambda text: any(len(part.partition("=")[2]) >= 12 and is_session_value(part) for part in text[:8192].split(";"))),
    Rule("session-id", _F, re.compile(r"(?<![A-Za-z0-9])(?:JSESSIONID|PHPSESSID|ASPSESSIONID[A-Z]{0,8}|ASP\.NET_SessionId|connect\.sid|_session_id|sessionid|laravel_session|wordpress_logged_in_[a-f0-9]{8,32}|_[a-z0-9]{1,30}_session|sid|SID|HSID|SSID|APISID|SAPISID|__Secure-[\w.-]{1,40}|__Host-[\w.-]{1,40}|li_at|d|CFID|CFTOKEN|XSRF-TOKEN|csrftoken|remember_token|auth_token)=(?P<secret>[A-Za-z0-9%._~+/:!=|-]{16,4096})"),
         ("JSESSIONID", "PHPSESSID", "ASPSESSIONID", "ASP.NET_SessionId", "connect.sid", "_session_id", "sessionid", "laravel_session", "wordpress_logged_in_", "sid=", "SID=", "HSID=", "SSID=", "APISID=", "SAPISID=", "__Secure-", "__Host-", "li_at=", "remember_token="),
         "JSESSIONID=" + hexes(32).upper(), "JSESSIONID=...", accept=lambda text: is_hash(text.upper()) or is_session_value("=" + text)),
)


def is_session_value(pair: str) -> bool:
    """Whether the value of a cookie is one that lets its bearer in."""
    value = pair.partition("=")[2]
    return looks_random(value) or (len(value) >= 24 and is_hex(value))
