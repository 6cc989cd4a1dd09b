"""Keys of monitoring, analytics and feature flags."""

import re

from service.domain.redact_rules.rule import Rule, prefixed
from service.domain.redact_rules.samples import alnum, hexes, lower, upper

_F = "monitoring"

RULES: tuple[Rule, ...] = (
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
        "configcat-key",
        _F,
        "configcat-sdk-1/ configcat-proxy/",
        r"[A-Za-z0-9_-]{20,}/[A-Za-z0-9_-]{20,}",
        "configcat-sdk-1/" + alnum(22) + "/" + alnum(22),
        "configcat-sdk-1/x",
    ),
    prefixed(
        "statsig-key",
        _F,
        "secret-",
        r"(?=[A-Za-z]{0,40}[0-9])(?=[a-z0-9]{0,40}[A-Z])[A-Za-z0-9]{36,}",
        "secret-" + alnum(43),
        "secret-manager",
    ),
    prefixed("checkly-key", _F, "cu_", r"[a-f0-9]{32}(?![A-Za-z0-9])", "cu_" + hexes(32), "cu_x"),
    prefixed("datadog-token", _F, "ddapp_ ddpat_ ddsat_ ddog_", r"[A-Za-z0-9]{30,}", "ddapp_" + alnum(34), "ddapp_x"),
    prefixed(
        "axiom-token",
        _F,
        "xaat- xapt-",
        r"[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}",
        "xaat-3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5",
        "xaat-x",
    ),
    prefixed("coralogix-key", _F, "cxtp_ cxup_", r"[A-Za-z0-9]{24,}", "cxtp_" + alnum(30), "cxtp_x"),
    prefixed("rootly-token", _F, "rootly_", r"[a-f0-9]{40,}", "rootly_" + hexes(64), "rootly_x"),
    prefixed("zabbix-token", _F, "zabbix_", r"[a-f0-9]{64}(?![A-Za-z0-9])", "zabbix_" + hexes(64), "zabbix_agent"),
    prefixed("healthchecks-key", _F, "hcw_ hcr_", r"[A-Za-z0-9]{24,}", "hcw_" + alnum(28), "hcw_x"),
    prefixed(
        "growthbook-key",
        _F,
        "secret_admin_ secret_readonly_ secret_user_",
        r"[A-Za-z0-9_-]{24,}",
        "secret_admin_" + alnum(43),
        "secret_admin_x",
    ),
    prefixed(
        "flagsmith-key",
        _F,
        "ser.",
        r"(?=[A-Za-z]{0,21}[0-9])[A-Za-z0-9]{20,24}(?![A-Za-z0-9.(])",
        "ser." + alnum(22),
        "ser.write",
    ),
    Rule(
        "unleash-token",
        _F,
        re.compile(r"(?<![A-Za-z0-9.])(?:\*|\[\]|[a-z][a-z0-9-]{1,40}):[a-z]{3,40}\.[a-f0-9]{48,}(?![A-Za-z0-9])"),
        (":production.", ":development.", ":test.", ":staging.", ":prod.", ":dev."),
        "*:production." + hexes(56),
        "default:development.x",
        reach=41,
    ),
)
