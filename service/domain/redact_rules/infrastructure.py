"""Keys of vaults, clusters, private networks and the tools that set them up."""

import re

from service.domain.redact_rules.rule import Rule, prefixed
from service.domain.redact_rules.samples import alnum, hexes, lower, upper

_F = "infrastructure"

RULES: tuple[Rule, ...] = (
    prefixed("openshift-token", _F, "sha256~", r"[A-Za-z0-9_-]{40,}", "sha256~" + alnum(43), "sha256~1"),
    prefixed("vault-token", _F, "hvs. hvb. hvr.", r"[A-Za-z0-9_-]{24,}", "hvs." + alnum(95), "hvs.token"),
    prefixed(
        "vault-legacy-token",
        _F,
        "s. b. r.",
        r"(?=[A-Za-z]{0,23}[0-9][A-Za-z]{0,22}[0-9])(?=[A-Z0-9]{0,23}[a-z])"
        r"(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![A-Za-z0-9.(_-])",
        "s." + alnum(24),
        "s.getElementsByClassName",
    ),
    Rule(
        "terraform-token",
        _F,
        re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9=_-]{40,}"),
        (".atlasv1.",),
        alnum(14) + ".atlasv1." + alnum(67),
        ".atlasv1.x",
        reach=14,
    ),
    prefixed("pulumi-token", _F, "pul-", r"[a-f0-9]{40}(?![A-Za-z0-9])", "pul-" + hexes(40), "pul-up"),
    prefixed(
        "doppler-token",
        _F,
        "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit. dp.said.",
        r"[A-Za-z0-9]{30,}",
        "dp.pt." + alnum(43),
        "dp.pt.x",
    ),
    prefixed(
        "doppler-service-token",
        _F,
        "dp.st.",
        r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{30,}",
        "dp.st.prd." + alnum(43),
        "dp.st.dev",
    ),
    prefixed(
        "infisical-token",
        _F,
        "st.",
        r"[a-f0-9]{24}\.[a-f0-9]{32}\.[a-f0-9]{32}",
        "st." + hexes(24) + "." + hexes(32) + "." + hexes(32),
        "st.dev",
    ),
    prefixed("onepassword-token", _F, "ops_eyJ", r"[A-Za-z0-9+/_-]{100,}={0,3}", "ops_eyJ" + alnum(260), "ops_eyJ"),
    prefixed(
        "onepassword-secret-key",
        _F,
        "A3-",
        r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
        "A3-" + upper(6) + "-" + upper(11) + "-K7QX2-WMZRT-4VHNL",
        "A3-size",
    ),
    prefixed(
        "age-secret-key",
        _F,
        "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1",
        r"[A-Z0-9]{50,}",
        "AGE-SECRET-KEY-1" + upper(58),
        "AGE-SECRET-KEY-1...",
    ),
    prefixed(
        "tailscale-key",
        _F,
        "tskey-",
        r"[a-z]{3,12}-[A-Za-z0-9_]{6,}(?:-[A-Za-z0-9_]{6,})?",
        "tskey-auth-" + alnum(16) + "-" + alnum(32),
        "tskey-auth-...",
    ),
    prefixed("teleport-token", _F, "tctl-", r"[a-f0-9]{32}(?![A-Za-z0-9])", "tctl-" + hexes(32), "tctl-users"),
    prefixed(
        "consul-boundary-token",
        _F,
        "at_",
        r"[A-Za-z0-9]{10}_[A-Za-z0-9]{40,}",
        "at_" + alnum(10) + "_" + alnum(60),
        "at_least",
    ),
    prefixed(
        "swarm-token",
        _F,
        "SWMTKN-1-",
        r"[a-z0-9]{40,}-[a-z0-9]{20,}",
        "SWMTKN-1-" + lower(50) + "-" + lower(25),
        "SWMTKN-1-x",
    ),
    Rule(
        "k3s-token",
        _F,
        re.compile(r"(?<![A-Za-z0-9])K10[a-f0-9]{40,}::[a-z]{1,12}:[A-Za-z0-9]{8,}"),
        ("K10",),
        "K10" + hexes(64) + "::server:" + hexes(32),
        "K10 pack",
    ),
    prefixed(
        "harness-token",
        _F,
        "pat. sat.",
        r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}",
        "pat." + alnum(22) + "." + hexes(24) + "." + alnum(20),
        "pat.x",
    ),
    prefixed(
        "octopus-key",
        _F,
        "API-",
        r"(?=[A-Z]{0,26}[0-9])[A-Z0-9]{25,36}(?![A-Za-z0-9])",
        "API-" + upper(32),
        "API-GATEWAY",
    ),
    prefixed("hcp-token", _F, "hcp.", r"[A-Za-z0-9]{60,}", "hcp." + alnum(70), "hcp.vault"),
    prefixed(
        "defined-networking-token",
        _F,
        "dnkey-",
        r"[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{50,}",
        "dnkey-" + alnum(26) + "-" + alnum(52),
        "dnkey-x",
    ),
    Rule(
        "bitwarden-token",
        _F,
        re.compile(
            r"(?<![A-Za-z0-9])0\.[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/=]{20,}"
        ),
        ("0.",),
        "0." + "3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5" + "." + alnum(30) + ":" + alnum(22) + "==",
        "0.5",
    ),
    prefixed(
        "akeyless-key",
        _F,
        "p-",
        r"[a-z0-9]{10,14}(?=[A-Za-z+/=]{0,40}[0-9])[A-Za-z0-9+/=]{40,}",
        "p-" + lower(12) + alnum(44),
        "p-value",
    ),
    prefixed(
        "signing-key",
        _F,
        "RWRTY0Iy RWRCSw",
        r"[A-Za-z0-9+/]{60,}={0,2}",
        "RWRTY0Iy" + alnum(160),
        "RWRTY0Iy",
    ),
    prefixed(
        "ansible-vault",
        _F,
        "$ANSIBLE_VAULT;",
        r"[\w.;]{4,60}\s{1,12}[a-f0-9]{40,}(?:\s{1,12}[a-f0-9]{2,})*+",
        "$ANSIBLE_VAULT;1.1;AES256\n" + hexes(80),
        "$ANSIBLE_VAULT;1.1;AES256",
    ),
    Rule(
        "kubernetes-secret",
        _F,
        re.compile(
            r"kind[\"']?:[ \t]{1,4}Secret\b(?:(?!\n---)[^\n]{0,200}\n){1,24}?(?:data|stringData):[ \t]*\n"
            r"(?P<secret>(?:[ \t]{1,8}[\w.-]{1,80}:[ \t]{1,4}\S{8,8000}(?:\n|\Z))++)"
        ),
        ("kind: Secret",),
        "kind: Secret\ndata:\n  url: " + alnum(40) + "\n",
        "kind: Secret\nmetadata:\n  name: db\n",
    ),
    prefixed(
        "nats-seed",
        _F,
        "SU SA SO SN SC SX",
        r"[A-Z2-7]{56}(?![A-Za-z0-9])",
        "SU" + "K7QX2WMZRT4VHNLSBDYF" * 2 + "K7QX2WMZRT4VHNLS",
        "SUPPORT",
    ),
    prefixed(
        "rancher-token",
        _F,
        "token-",
        r"[a-z0-9]{5,12}:[a-z0-9]{40,}",
        "token-" + lower(5) + ":" + lower(54),
        "token-bucket",
    ),
    prefixed(
        "salad-key", _F, "salad_cloud_", r"[A-Za-z0-9_]{40,}", "salad_cloud_user_" + alnum(60), "salad_cloud_user"
    ),
    prefixed("permit-key", _F, "permit_key_", r"[A-Za-z0-9]{40,}", "permit_key_" + alnum(80), "permit_key_x"),
    prefixed(
        "authzed-token",
        _F,
        "tc_ sdbst_h256_",
        r"[A-Za-z0-9]{1,20}_[A-Za-z0-9_]{40,}",
        "tc_" + alnum(8) + "_" + alnum(48),
        "tc_class",
    ),
)
