"""Secrets that commands take by place, from a pipe or from a string on standard input."""

import re

from service.domain.redact_rules.commands import is_given, is_key_like, is_made_up
from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.samples import hexes
from service.domain.redact_rules.tree import words
from service.domain.redact_rules.values import has_digit

_F = "commands"
_WORD = r"""["']?(?P<secret>[^\s"'`;|<>]{4,256})"""
_PASS = "hT" + "7mWq2x"
_READERS = (
    r"sudo|su|chpasswd|passwd|cryptsetup|docker login|podman login|helm registry login|openssl|gpg|kinit|pass insert"
    r"|p4 login|sshfs"
    r"|openconnect|secret-tool|smbpasswd|vncpasswd|wrangler|vercel env|gh auth|gh secret|npm login|bw |veracrypt"
    r"|mysql_config_editor"
    r"|[\w./-]{2,30}(?:[ \t][^\n|]{0,100}?)?[ \t]--?(?:password-stdin|passwd-on-stdin|stdin|with-token|token-stdin"
    r"|pinentry-mode)"
)


def _placed(name: str, programs: str, pattern: str, example: str, counter_example: str, *, strict: bool = True) -> Rule:
    """A command whose argument at a fixed place is a secret; a strict one also has other uses."""
    starts = tuple(programs.split("|"))
    lead = rf"(?<![A-Za-z0-9_])(?:{'|'.join(map(re.escape, starts))}){pattern}{_WORD}"
    return Rule(name, _F, re.compile(lead), starts, example, counter_example, accept=is_made_up if strict else is_given)


RULES: tuple[Rule, ...] = (
    Rule(
        "password",
        _F,
        re.compile(rf"http-basic\.[\w.-]{{1,60}}[ \t]+[\w.@-]{{1,60}}[ \t]+{_WORD}"),
        ("http-basic.",),
        f"poetry config http-basic.acme ci {_PASS}",
        "poetry config http-basic.acme ci $CI_TOKEN",
        accept=has_digit,
    ),
    _placed(
        "password",
        ".LOGON|.logon",
        r"[ \t]+[\w./-]{1,80},",
        f".LOGON tdprod/etl,{_PASS};",
        ".LOGON tdprod/etl",
    ),
    Rule(
        "login-key",
        _F,
        re.compile(
            r"(?<![A-Za-z])(?:wandb|heroku|railway|sentry-cli|snyk|vercel|netlify|ngrok config|ngrok|doppler"
            r"|comet|clearml|dvc|vault|gh auth|npm|pulumi|fly|flyctl auth|infracost|codecov|coveralls|nomad"
            r"|consul|shodan|cargo|vault operator|semgrep|op|bw|circleci|huggingface-cli|hf auth|modal|dagshub)[ \t]"
            r"(?:login|auth|add-authtoken|authtoken|init|setup|unseal|unlock)"
            r"(?:[ \t]+-{1,2}[a-z-]{1,20})?[ \t=]+(?P<secret>[A-Za-z0-9._~+/=-]{16,256})"
        ),
        tuple(
            f"{program} "
            for program in words("""
    wandb heroku railway sentry-cli snyk vercel netlify ngrok doppler comet clearml dvc vault gh npm pulumi fly flyctl
    infracost codecov coveralls nomad consul shodan cargo semgrep op bw circleci huggingface-cli hf modal dagshub
""")
        ),
        "wandb login " + hexes(40),
        "wandb login --relogin",
        accept=is_key_like,
    ),
    _placed(
        "password", "bw unlock|bw login", r"(?:[ \t]\S{1,60}@\S{1,60})?[ \t]", f"bw unlock {_PASS}", "bw unlock --check"
    ),
    _placed(
        "password",
        "rabbitmqctl|rabbitmqctl.bat",
        r"[^\n;|]{0,60}?[ \t](?:add_user|change_password|authenticate_user)[ \t]{1,4}\S{1,60}[ \t]{1,4}",
        f"rabbitmqctl add_user app {_PASS}",
        "rabbitmqctl status",
        strict=False,
    ),
    _placed(
        "password",
        "htpasswd",
        r"[ \t][^\n;|]{0,40}?-[A-Za-z]{0,3}b[A-Za-z]{0,3}[ \t]{1,4}\S{1,80}[ \t]{1,4}\S{1,60}[ \t]{1,4}",
        f"htpasswd -cb .htpasswd app {_PASS}",
        "htpasswd -c .htpasswd app",
        strict=False,
    ),
    _placed(
        "password",
        "sqlplus|expdp|impdp|sqlldr|rman|sqlcl|jdbc:oracle:thin:",
        r"(?:[ \t][^\n;|]{0,60}?)?[ \t]?[\"']?[A-Za-z][\w$#]{0,40}/",
        f"sqlplus app/{_PASS}@db",
        "sqlplus /nolog",
        strict=False,
    ),
    _placed(
        "password",
        "wpa_passphrase",
        r"[ \t][\"']?[^\s\"']{1,40}[\"']?[ \t]",
        f"wpa_passphrase office {_PASS}",
        "wpa_passphrase",
        strict=False,
    ),
    _placed(
        "password",
        "config http-basic.|config bearer.|config pypi-token.|config --global http-basic.",
        r"\S{1,80}(?:[ \t]\S{1,60})?[ \t]",
        f"composer config http-basic.repo.acme.dev kim {_PASS}",
        "composer config http-basic.repo",
    ),
    _placed(
        "password",
        "bundle config",
        r"(?:[ \t](?:set|--global|--local)){0,3}[ \t]\S{3,80}[ \t][\w.@-]{1,60}:",
        f"bundle config gems.acme.dev kim:{_PASS}",
        "bundle config set path vendor",
        strict=False,
    ),
    _placed(
        "password",
        "-createCredential|-createEntry",
        r"[ \t]\S{1,80}[ \t](?:\S{1,80}[ \t])?",
        f"mkstore -createCredential prod app {_PASS}",
        "mkstore -createCredential",
    ),
    _placed(
        "secret",
        "api-key store|sem connect",
        r"[ \t]\S{4,80}[ \t]",
        "sem connect acme.dev shi55ZbNuZECFrxH5bwJ",
        "api-key store is empty",
    ),
    _placed(
        "password",
        "superuser upsert|superuser create|createsuperuser|createuser",
        r"[ \t]\S{1,80}@\S{1,80}[ \t]",
        f"pocketbase superuser upsert kim@acme.dev {_PASS}",
        "pocketbase superuser upsert",
    ),
    _placed(
        "password",
        "db2 connect to|connect to",
        r"[ \t]\S{1,40}[ \t]user[ \t]\S{1,40}[ \t]using[ \t]",
        f"db2 connect to sample user kim using {_PASS}",
        "db2 connect to sample",
    ),
    _placed("password", ".logon", r"[ \t]\S{1,60}/[^\s,]{1,60},", f".logon tdprod/kim,{_PASS}", ".logon tdprod/kim"),
    _placed("password", "qpdf --encrypt", r"[ \t]", f"qpdf --encrypt {_PASS} owner 256", "qpdf --encrypt"),
    _placed(
        "password",
        "encrypt_string",
        r"(?:[ \t]--[a-z-]{1,30}[ \t=]\S{1,80}){0,3}[ \t]",
        f"ansible-vault encrypt_string '{_PASS}' --name x",
        "ansible-vault encrypt_string --stdin-name x",
    ),
    _placed(
        "password",
        "AUTH",
        r"(?:[ \t][A-Za-z][\w-]{1,30})?[ \t](?=\S{0,64}\d)",
        f"> AUTH {_PASS}",
        "the AUTH command, then AUTH PLAIN/LOGIN.",
    ),
    _placed(
        "password",
        "ACL SETUSER|acl setuser",
        r"[ \t]\S{1,60}[ \t][^\n]{0,60}?>",
        f"ACL SETUSER app on >{_PASS} ~*",
        "ACL SETUSER app on nopass",
    ),
    _placed(
        "password",
        "LOGIN",
        r"[ \t][\"']?[\w.@+-]{2,60}[\"']?[ \t]",
        f"a1 LOGIN kim {_PASS}",
        "LOGIN page is here",
    ),
    _placed("password", "PASS", r"[ \t]", f"USER kim\nPASS {_PASS}", "PASS src/app.test.ts"),
    _placed(
        "password",
        "bindpw|rootpw|olcRootPW:|rocommunity|rwcommunity|rocommunity6|com2sec notConfigUser default",
        r"[ \t]{1,8}",
        f"bindpw {_PASS}",
        "bindpw is required",
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
            r"(?<![A-Za-z])(?:echo|printf)[ \t]{1,3}(?:-[neE]{1,2}[ \t]{1,3}|[\"']?%s"
            r"(?:\\n)?[\"']?[ \t]{1,3})?[\"']?(?:[A-Za-z][\w.-]{0,40}:)?(?P<secret>[^\s\"'`"
            rf"|:\\]{{5,4096}})(?:\\n[^\s\"']{{0,64}})?[\"']?[ \t]{{0,3}}\|[ \t]{{0,3}}(?:sudo[ \t])?(?:{_READERS})"
        ),
        ("echo ", "printf "),
        f"echo '{_PASS}' | sudo -S apt update",
        "echo done | sudo tee x",
        accept=is_made_up,
    ),
    Rule(
        "password",
        _F,
        re.compile(
            r"(?<![A-Za-z])echo[ \t]{1,3}(?:-[ne][ \t]{1,3})?[\"']?[A-Za-z][\w.-]{0,40}:(?P<secret>[^\s\"'`"
            r"|:]{5,128})[\"']?"
            r"[ \t]{0,3}\|[ \t]{0,3}(?:sudo[ \t]{1,3})?(?:/usr/sbin/)?chpasswd"
        ),
        ("echo ",),
        f"echo 'deploy:{_PASS}' | chpasswd",
        "echo 'deploy:$PW' | chpasswd",
        accept=is_given,
    ),
    Rule(
        "password",
        _F,
        re.compile(rf"(?:sudo[ \t]-S|--password|login|passwd|kinit|gpg|su|unlock)[^\n|;<]{{0,60}}<<<[ \t]?{_WORD}"),
        ("<<<",),
        f'sudo -S <<< "{_PASS}" apt update',
        'cat <<< "text"',
        reach=80,
        accept=is_made_up,
    ),
    Rule(
        "password",
        _F,
        re.compile(
            r"--?(?:[a-z]{1,12}-)?(?:password|passwd|passphrase|pass|token)[-a-z]{0,5}[ =]<\([ ]?(?:echo|printf)[ ]"
            r"(?:-n[ ])?[\"']?(?P<secret>[^\s\"')]{4,256})"
        ),
        ("--password", "--passwd", "--passphrase", "--pass", "--token"),
        f"kinit --password-file=<(echo {_PASS})",
        "kinit --password-file=<(pass show x)",
        accept=is_given,
    ),
    Rule(
        "password",
        _F,
        re.compile(
            r"(?<![A-Za-z])openssl passwd[ \t](?:-\w{1,6}[ \t]){0,3}[\"']?(?P<secret>[^\s\"'`;|)<>-][^\s\"'`;"
            r"|)<>]{3,255})"
        ),
        ("openssl passwd",),
        f"openssl passwd -6 {_PASS}",
        "openssl passwd -6",
        accept=is_given,
    ),
    Rule(
        "password",
        _F,
        re.compile(
            r"(?<![A-Za-z])(?:send|send_user|sendline|expect_send)[ \t(]{1,3}[-\s]{0,4}[\"']"
            r"(?P<secret>[^\"'\s\\]{6,128})(?:\\[rn])"
        ),
        ("send", "sendline"),
        f'send "{_PASS}\\r"',
        'send "yes\\r"',
        accept=is_made_up,
    ),
    _placed(
        "password",
        "secretsdump.py|psexec.py|wmiexec.py|smbexec.py|mssqlclient.py|GetUserSPNs.py|register =>|proxy-user|-x"
        "|--proxy",
        r"(?:[ \t]-{1,2}[\w-]{1,20})*[ \t]{1,2}(?:[\w.-]{1,30}/)?[A-Za-z0-9][\w.-]{0,60}:(?=[^\s@]{4,64}@)",
        f"secretsdump.py ACME/kim:{_PASS}@192.0.2.5",
        "-x http://proxy.acme.dev:3128",
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
    _placed(
        "secret",
        "kv put|kv patch|kv metadata put",
        r"[ \t]\S{1,120}(?:[ \t][\w.-]{1,40}=\S{1,200}){0,6}?[ \t][\w.-]{1,40}=",
        f"vault kv put secret/app api={_PASS}",
        "vault kv put secret/app name=web",
    ),
)
