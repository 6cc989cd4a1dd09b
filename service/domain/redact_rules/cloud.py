"""Keys of clouds, in the shapes their vendors document."""

import re

from service.domain.redact_rules.rule import Rule, prefixed
from service.domain.redact_rules.samples import alnum, hexes, upper
from service.domain.redact_rules.tree import words
from service.domain.redact_rules.values import has_digit, is_hex

_F = "cloud"


def is_aws_secret(value: str) -> bool:
    """Whether letters of both cases are mixed with digits, and it is no digest."""
    return has_digit(value) and value.lower() != value and value.upper() != value and not is_hex(value)


RULES: tuple[Rule, ...] = (
    Rule(
        "aws-secret-key",
        _F,
        re.compile(
            r"(?:AKIA|ASIA)[A-Z0-9]{16}[^\n]{1,80}?(?<![A-Za-z0-9/+=])(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
        ),
        ("AKIA", "ASIA"),
        "AKIA" + upper(16) + " and the other half, " + alnum(40),
        "AKIA and the commit " + hexes(40),
        accept=is_aws_secret,
    ),
    Rule(
        "aws-key-pair",
        _F,
        re.compile(r"(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{16}[\"',;:|\t ]{1,4}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])"),
        ("AKIA", "ASIA"),
        "AKIA" + upper(16) + "," + alnum(40),
        "AKIA,",
    ),
    prefixed(
        "aws-access-key",
        _F,
        "AKIA ASIA ABIA ACCA",
        r"[A-Z0-9]{16}(?![A-Za-z0-9])",
        "AKIA" + upper(16),
        "AKIA" + upper(9),
    ),
    Rule(
        "azure-key",
        _F,
        re.compile(
            r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{33,76}(?:AzSe|ACDb|\+ABa|\+AMC|\+ASt|\+ASb|\+AEh|\+ARm|AIoT"
            r"|\+ACR|AzCa|AzFu|APIM"
            r"|AZDO|AZEG|JQQJ9)[A-Za-z0-9+/]{4,40}={0,2}(?![A-Za-z0-9])"
        ),
        tuple(
            words("""
    AzSe ACDb +ABa +AMC +ASt +ASb +AEh +ARm AIoT +ACR AzCa AzFu APIM AZDO AZEG JQQJ9
""")
        ),
        alnum(52) + "JQQJ99" + alnum(26),
        "AzFunction",
        reach=76,
    ),
    prefixed("aws-bedrock-key", _F, "ABSK bedrock-api-key-", r"[A-Za-z0-9+/]{80,}={0,2}", "ABSK" + alnum(108), "ABSKY"),
    prefixed("google-api-key", _F, "AIza", r"[A-Za-z0-9_-]{33,}", "AIza" + alnum(35), "AIza..."),
    prefixed("google-oauth-secret", _F, "GOCSPX-", r"[A-Za-z0-9_-]{24,}", "GOCSPX-" + alnum(28), "GOCSPX-<secret>"),
    prefixed("google-oauth-token", _F, "ya29.", r"[A-Za-z0-9_.-]{30,}", "ya29." + alnum(60), "ya29.short"),
    prefixed("google-refresh-token", _F, "1//0", r"[A-Za-z0-9_-]{40,}", "1//0" + alnum(60), "1//0"),
    prefixed("azure-ad-secret", _F, "7Q~ 8Q~", r"[A-Za-z0-9_.~-]{31,34}", "8Q~" + alnum(34), "8Q~abc"),
    prefixed(
        "digitalocean-token",
        _F,
        "dop_v1_ doo_v1_ dor_v1_",
        r"[a-f0-9]{48,}",
        "dop_v1_" + hexes(64),
        "dop_v1_" + hexes(8),
    ),
    prefixed(
        "cloudflare-origin-ca-key",
        _F,
        "v1.0-",
        r"[a-f0-9]{24}-[a-f0-9]{100,}",
        "v1.0-" + hexes(24) + "-" + hexes(146),
        "v1.0-rc1",
    ),
    prefixed("cloudflare-token", _F, "cfut_ cfat_ cfk_", r"[A-Za-z0-9_-]{30,}", "cfut_" + alnum(48), "cfut_ids"),
    prefixed("alibaba-access-key", _F, "LTAI", r"[A-Za-z0-9]{12,}", "LTAI" + alnum(20), "LTAI5t"),
    prefixed("tencent-secret-id", _F, "AKID", r"[A-Za-z0-9]{32,}", "AKID" + alnum(32), "AKIDs"),
    prefixed(
        "ibm-cloud-key",
        _F,
        "ApiKey-",
        r"[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}",
        "ApiKey-3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5",
        "ApiKey-header",
    ),
    prefixed(
        "scaleway-key", _F, "SCW", r"(?=[A-Z]*[0-9])[A-Z0-9]{17}(?![A-Za-z0-9])", "SCW" + upper(17), "SCW_SECRET_KEY"
    ),
    prefixed("yandex-key", _F, "AQVN", r"[A-Za-z0-9_-]{35,38}(?![A-Za-z0-9])", "AQVN" + alnum(36), "AQVN1"),
    prefixed(
        "yandex-iam-token",
        _F,
        "t1.",
        r"[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{80,}",
        "t1." + alnum(60) + "." + alnum(86),
        "t1.micro",
    ),
    prefixed("yandex-static-secret", _F, "YCAJ YCNA YCMA YCPA", r"[A-Za-z0-9_-]{20,}", "YCAJ" + alnum(36), "YCAJ"),
    prefixed("linode-token", _F, "lin_pat_", r"[A-Za-z0-9]{30,}", "lin_pat_" + alnum(40), "lin_pat_x"),
    prefixed("ovh-token", _F, "ovhtoken_ ovh_pat_", r"[A-Za-z0-9]{24,}", "ovh_pat_" + alnum(36), "ovh_pat_x"),
    prefixed(
        "amazon-mws-token",
        _F,
        "amzn.mws.",
        r"[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}",
        "amzn.mws." + "3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5",
        "amzn.mws.v1",
    ),
    prefixed(
        "amazon-login-secret",
        _F,
        "amzn1.oa2-cs.v1.",
        r"[a-f0-9]{40,}",
        "amzn1.oa2-cs.v1." + hexes(64),
        "amzn1.oa2-cs.v1.x",
    ),
    prefixed(
        "cloudflare-tunnel-token",
        _F,
        "eyJhIjoi eyJhIjog",
        r"[A-Za-z0-9+/_-]{80,}={0,2}",
        "eyJhIjoi" + alnum(150),
        "eyJhIjoi",
    ),
    prefixed("volcengine-key", _F, "AKLT", r"[A-Za-z0-9+/_-]{40,}={0,2}", "AKLT" + alnum(44), "AKLT_x"),
    prefixed(
        "baidu-cloud-key",
        _F,
        "bce-v3/ALTAK-",
        r"[A-Za-z0-9]{10,40}/[a-f0-9]{40}",
        "bce-v3/ALTAK-" + alnum(21) + "/" + hexes(40),
        "bce-v3/ALTAK-x",
    ),
    prefixed("google-gemini-key", _F, "AQ.", r"[A-Za-z0-9_-]{40,}", "AQ.Ab8RN6" + alnum(44), "AQ.x"),
    prefixed("yandex-oauth-token", _F, "y0_ y1_ y2_ y3_", r"[A-Za-z0-9_-]{40,}", "y0_" + alnum(55), "y0_coordinate"),
    prefixed(
        "yandex-secret-key", _F, "YCM YCO YCN YCP", r"[A-Za-z0-9_-]{37}(?![A-Za-z0-9_-])", "YCM" + alnum(37), "YCM"
    ),
    prefixed("backblaze-key", _F, "K00", r"\d[A-Za-z0-9+/]{27}(?![A-Za-z0-9+/])", "K005" + alnum(27), "K005"),
    prefixed(
        "dnsimple-token", _F, "dnsimple_a_ dnsimple_u_", r"[A-Za-z0-9]{30,}", "dnsimple_a_" + alnum(32), "dnsimple_a_x"
    ),
    prefixed("porkbun-key", _F, "pk1_ sk1_", r"[a-f0-9]{60,}", "sk1_" + hexes(64), "sk1_x"),
    prefixed("hetzner-storage-key", _F, "hcloud_", r"[A-Za-z0-9]{40,}", "hcloud_" + alnum(64), "hcloud_server"),
    prefixed(
        "microsoft-refresh-token",
        _F,
        "M.C M.R",
        r"\d{2,3}_[A-Z0-9]{2,6}\.[A-Za-z0-9*!$._-]{40,}",
        "M.C507_BAY." + alnum(120),
        "M.C1",
    ),
    prefixed(
        "microsoft-refresh-token",
        _F,
        "0.A 1.A",
        r"[A-Za-z0-9_-]{20,80}\.[A-Za-z0-9_-]{200,}",
        "0.A" + alnum(60) + "." + alnum(240),
        "0.A",
    ),
)
