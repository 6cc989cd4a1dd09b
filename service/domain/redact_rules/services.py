"""Keys of design, planning, identity and other services."""

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
        "stytch-secret",
        _F,
        "secret-live- secret-test-",
        r"[A-Za-z0-9_=-]{30,}",
        "secret-test-" + alnum(36),
        "secret-test-x",
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
        (),
        "1/" + digits(16) + ":" + hexes(32),
        "1/2",
    ),
    prefixed(
        "telnyx-key", _F, "KEY0", r"[A-F0-9]{31}_[A-Za-z0-9]{20,}", "KEY0" + hexes(31).upper() + "_" + alnum(22), "KEY0"
    ),
    prefixed("adafruit-key", _F, "aio_", r"[A-Za-z0-9]{26,30}(?![A-Za-z0-9])", "aio_" + alnum(28), "aio_pika"),
    prefixed("pubnub-secret", _F, "sec-c-", r"[A-Za-z0-9+/]{40,}={0,2}", "sec-c-" + alnum(48), "sec-c-x"),
    prefixed(
        "zuplo-key", _F, "zpka_", r"[A-Za-z0-9]{24,}(?:_[a-f0-9]{8})?", "zpka_" + alnum(32) + "_" + hexes(8), "zpka_x"
    ),
    prefixed(
        "matrix-token",
        _F,
        "syt_",
        r"[A-Za-z0-9+/=]{2,80}_[A-Za-z]{16,24}_[A-Za-z0-9]{6}",
        "syt_" + alnum(12) + "_kRJXKkmYxGkBWRfYLLBX_" + alnum(6),
        "syt_x",
    ),
    prefixed("zoho-token", _F, "1000.", r"[a-f0-9]{32}\.[a-f0-9]{32}", "1000." + hexes(32) + "." + hexes(32), "1000.5"),
    prefixed(
        "close-key",
        _F,
        "api_",
        r"[A-Za-z0-9]{20,24}\.[A-Za-z0-9]{20,24}(?![A-Za-z0-9(])",
        "api_" + alnum(22) + "." + alnum(22),
        "api_client.request",
    ),
    prefixed(
        "ory-token",
        _F,
        "ory_at_ ory_rt_ ory_st_ ory_pat_ ory_wak_ ory_ac_",
        r"[A-Za-z0-9_-]{24,}(?:\.[A-Za-z0-9_-]{24,})?",
        "ory_pat_" + alnum(32),
        "ory_pat_x",
    ),
    prefixed("pinterest-token", _F, "pina_ pinr.", r"[A-Za-z0-9_-]{32,}", "pina_" + alnum(64), "pina_x"),
    prefixed("twitch-token", _F, "oauth:", r"[a-z0-9]{28,36}(?![A-Za-z0-9])", "oauth:" + lower(30), "oauth:read"),
    prefixed(
        "riot-key",
        _F,
        "RGAPI-",
        r"[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}",
        "RGAPI-3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5",
        "RGAPI-x",
    ),
    prefixed(
        "roblox-session",
        _F,
        "_|WARNING:-DO-NOT-SHARE-THIS.",
        r"[^|\s]{0,200}\|_[A-F0-9a-z]{60,}",
        "_|WARNING:-DO-NOT-SHARE-THIS.|_" + hexes(200).upper(),
        "_|WARNING:-DO-NOT-SHARE-THIS.",
    ),
    prefixed("nylas-key", _F, "nyk_v0_", r"[A-Za-z0-9]{40,}", "nyk_v0_" + alnum(64), "nyk_v0_x"),
    prefixed(
        "dub-key", _F, "dub_", r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24,}(?![A-Za-z0-9_])", "dub_" + alnum(24), "dub_x"
    ),
    prefixed("corbado-secret", _F, "corbado1_", r"[A-Za-z0-9]{24,}", "corbado1_" + alnum(32), "corbado1_x"),
    prefixed(
        "imagekit-key",
        _F,
        "private_",
        r"(?=[A-Za-z]{0,27}[0-9])[A-Za-z0-9+/]{26,}={0,2}(?![A-Za-z0-9_])",
        "private_" + alnum(28),
        "private_key",
    ),
    prefixed("thunderstore-token", _F, "tss_", r"[A-Za-z0-9]{32,}", "tss_" + alnum(40), "tss_x"),
    prefixed(
        "prismic-token",
        _F,
        "MC5",
        r"(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{36,}\.[A-Za-z0-9_-]{20,}",
        "MC5" + alnum(44) + "." + alnum(40),
        "MC5",
    ),
    prefixed(
        "ghost-key", _F, "ghost_", r"[a-f0-9]{24}:[a-f0-9]{64}", "ghost_" + hexes(24) + ":" + hexes(64), "ghost_x"
    ),
    Rule(
        "ghost-key",
        _F,
        re.compile(r"(?<![A-Za-z0-9:])[a-f0-9]{24}:[a-f0-9]{64}(?![A-Za-z0-9])"),
        (),
        hexes(24) + ":" + hexes(64),
        "sha256:" + hexes(64),
    ),
)
