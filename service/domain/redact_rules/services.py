"""Keys of design, monitoring, planning and other services."""

import re

from service.domain.redact_rules.rule import Rule, prefixed
from service.domain.redact_rules.samples import alnum, digits, hexes, lower, upper

_F = "services"

RULES: tuple[Rule, ...] = (
    prefixed("dropbox-token", _F, "sl.", r"(?:u\.)?[A-Za-z0-9_=-]{60,}", "sl." + alnum(135), "sl.x"),
    prefixed("figma-token", _F, "figd_ figu_ figo_ figor_", r"[A-Za-z0-9_-]{36,}", "figd_" + alnum(43), "figd_x"),
    prefixed("notion-token", _F, "ntn_", r"[A-Za-z0-9]{40,}", "ntn_" + alnum(46), "ntn_x"),
    prefixed("linear-key", _F, "lin_api_ lin_oauth_ lin_wh_", r"[A-Za-z0-9]{30,}", "lin_api_" + alnum(40), "lin_api_x"),
    prefixed(
        "airtable-token",
        _F,
        "pat",
        r"[A-Za-z0-9]{14}\.[a-f0-9]{60,}",
        "pat" + alnum(14) + "." + hexes(64),
        "patch.diff",
    ),
    prefixed("typeform-token", _F, "tfp_", r"[A-Za-z0-9_.=-]{40,}", "tfp_" + alnum(59), "tfp_x"),
    prefixed("contentful-token", _F, "CFPAT-", r"[A-Za-z0-9_-]{36,}", "CFPAT-" + alnum(43), "CFPAT-x"),
    prefixed(
        "clickup-token",
        _F,
        "pk_",
        r"\d{6,10}_[A-Z0-9]{30,}",
        "pk_" + digits(8) + "_" + upper(32),
        "pk_" + "live_" + alnum(24),
    ),
    prefixed("frameio-token", _F, "fio-u-", r"[A-Za-z0-9_=-]{60,}", "fio-u-" + alnum(64), "fio-u-x"),
    prefixed(
        "postman-key", _F, "PMAK-", r"[a-f0-9]{24}-[a-f0-9]{30,}", "PMAK-" + hexes(24) + "-" + hexes(34), "PMAK-..."
    ),
    prefixed(
        "databricks-token",
        _F,
        "dapi dkea dose",
        r"[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])",
        "dapi" + hexes(32),
        "dapi" + hexes(6),
    ),
    prefixed(
        "grafana-token", _F, "glsa_ glc_", r"[A-Za-z0-9+/_-]{30,}={0,2}", "glsa_" + alnum(32) + "_" + hexes(8), "glsa_x"
    ),
    prefixed("grafana-key", _F, "eyJrIjoi", r"[A-Za-z0-9+/]{50,}={0,2}", "eyJrIjoi" + alnum(80), "eyJrIjoi"),
    prefixed(
        "newrelic-key", _F, "NRAK- NRJS- NRII- NRAA- NRRA-", r"[A-Za-z0-9_-]{18,}", "NRAK-" + upper(27), "NRAK-..."
    ),
    prefixed("newrelic-license-key", _F, "eu01xx", r"[a-f0-9]{30,}NRAL", "eu01xx" + hexes(30) + "NRAL", "eu01xx"),
    prefixed(
        "dynatrace-token",
        _F,
        "dt0c01. dt0s01. dt0s02. dt0s16. dt0s08.",
        r"[A-Z0-9]{8,24}\.[A-Z0-9]{50,}",
        "dt0c01." + upper(24) + "." + upper(64),
        "dt0c01.x",
    ),
    prefixed(
        "sentry-token",
        _F,
        "sntrys_ sntryu_ sntrya_ sntryi_",
        r"[A-Za-z0-9+/=_-]{40,}",
        "sntryu_" + hexes(64),
        "sntryu_x",
    ),
    prefixed("posthog-key", _F, "phx_ phs_ phr_", r"[A-Za-z0-9_-]{40,}", "phx_" + alnum(47), "phc_x"),
    prefixed("honeycomb-key", _F, "hcaik_ hcbik_ hcxik_ hcamk_", r"[a-z0-9]{30,}", "hcaik_" + lower(58), "hcaik_x"),
    prefixed(
        "launchdarkly-key",
        _F,
        "api- sdk-",
        r"[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}",
        "sdk-3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5",
        "api-gateway",
    ),
    prefixed(
        "stytch-secret",
        _F,
        "secret-live- secret-test-",
        r"[A-Za-z0-9_=-]{30,}",
        "secret-test-" + alnum(36),
        "secret-test-x",
    ),
    prefixed(
        "defined-networking-token",
        _F,
        "dnkey-",
        r"[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{50,}",
        "dnkey-" + alnum(26) + "-" + alnum(52),
        "dnkey-x",
    ),
    prefixed("ubidots-token", _F, "BBFF- BBUS-", r"[A-Za-z0-9]{28,}", "BBFF-" + alnum(30), "BBFF-x"),
    prefixed("adobe-secret", _F, "p8e-", r"[A-Za-z0-9_-]{30,}", "p8e-" + alnum(32), "p8e-x"),
    prefixed(
        "beamer-token",
        _F,
        "b_",
        r"(?=[A-Za-z_=-]{0,40}[0-9])[A-Za-z0-9=_-]{44}(?![A-Za-z0-9_-])",
        "b_" + alnum(44),
        "b_size",
    ),
    prefixed("settlemint-token", _F, "sm_pat_ sm_aat_ sm_sat_", r"[A-Za-z0-9]{16,}", "sm_pat_" + alnum(16), "sm_pat_x"),
    prefixed(
        "resend-key",
        _F,
        "re_",
        r"[A-Za-z0-9]{6,12}_(?=[A-Za-z]{0,24}[0-9])[A-Za-z0-9]{20,}",
        "re_" + alnum(8) + "_" + alnum(24),
        "re_compile_all_the_patterns",
    ),
    prefixed(
        "client-secret",
        _F,
        "client_secret_ sk_example_ secret_",
        r"(?=[A-Za-z_]{0,30}[0-9])[A-Za-z0-9]{24,}(?:[_.][A-Za-z0-9]{16,})?",
        "client_secret_" + alnum(32),
        "client_secret_name",
    ),
    prefixed(
        "mapbox-secret-token",
        _F,
        "sk.eyJ",
        r"[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{16,}",
        "sk.eyJ" + alnum(80) + "." + alnum(22),
        "pk.eyJ",
    ),
    prefixed("cal-key", _F, "cal_live_ cal_", r"[a-f0-9]{30,}", "cal_live_" + hexes(32), "cal_live_x"),
    prefixed("trello-token", _F, "ATTA", r"[a-f0-9]{56,}", "ATTA" + hexes(72), "ATTACH"),
    Rule(
        "rapidapi-key",
        _F,
        re.compile(r"(?<![A-Za-z0-9])[a-f0-9]{10}msh[a-f0-9]{15}p1[a-f0-9]{5,6}jsn[a-f0-9]{12}"),
        ("msh",),
        hexes(10) + "msh" + hexes(15) + "p1" + hexes(6) + "jsn" + hexes(12),
        "msh",
        reach=10,
    ),
    Rule(
        "asana-token",
        _F,
        re.compile(r"(?<![A-Za-z0-9/])[0-2]/(?:\d{12,}/)?\d{12,}:[a-f0-9]{32}(?![A-Za-z0-9])"),
        ("0/", "1/", "2/"),
        "1/" + digits(16) + ":" + hexes(32),
        "1/2",
    ),
    prefixed(
        "telnyx-key", _F, "KEY0", r"[A-F0-9]{31}_[A-Za-z0-9]{20,}", "KEY0" + hexes(31).upper() + "_" + alnum(22), "KEY0"
    ),
    prefixed("adafruit-key", _F, "aio_", r"[A-Za-z0-9]{26,30}(?![A-Za-z0-9])", "aio_" + alnum(28), "aio_pika"),
    prefixed(
        "configcat-key",
        _F,
        "configcat-sdk-1/ configcat-proxy/",
        r"[A-Za-z0-9_-]{20,}/[A-Za-z0-9_-]{20,}",
        "configcat-sdk-1/" + alnum(22) + "/" + alnum(22),
        "configcat-sdk-1/x",
    ),
    prefixed("pubnub-secret", _F, "sec-c-", r"[A-Za-z0-9]{40,}", "sec-c-" + alnum(48), "sec-c-x"),
    prefixed(
        "zuplo-key", _F, "zpka_", r"[A-Za-z0-9]{24,}(?:_[a-f0-9]{8})?", "zpka_" + alnum(32) + "_" + hexes(8), "zpka_x"
    ),
    prefixed(
        "statsig-key",
        _F,
        "secret-",
        r"(?=[A-Za-z]{0,40}[0-9])(?=[a-z0-9]{0,40}[A-Z])[A-Za-z0-9]{36,}",
        "secret-" + alnum(43),
        "secret-manager",
    ),
    prefixed(
        "matrix-token",
        _F,
        "syt_",
        r"[A-Za-z0-9+/=]{2,80}_[A-Za-z]{16,24}_[A-Za-z0-9]{6}",
        "syt_" + alnum(12) + "_kRJXKkmYxGkBWRfYLLBX_" + alnum(6),
        "syt_x",
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
    prefixed("checkly-key", _F, "cu_", r"[a-f0-9]{32}(?![A-Za-z0-9])", "cu_" + hexes(32), "cu_x"),
)
