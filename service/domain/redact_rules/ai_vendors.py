"""Keys of model vendors and the services around them."""

import re

from service.domain.redact_rules.rule import Rule, prefixed
from service.domain.redact_rules.samples import alnum, hexes, lower

_F = "ai"

RULES: tuple[Rule, ...] = (
    prefixed("anthropic-key", _F, "sk-ant-", r"[A-Za-z0-9_-]{24,}", "sk-ant-" + "api03-" + alnum(93), "sk-ant-..."),
    prefixed("openrouter-key", _F, "sk-or-", r"(?:v\d-)?[A-Za-z0-9]{32,}", "sk-or-" + "v1-" + hexes(64), "sk-or-..."),
    prefixed(
        "openai-key",
        _F,
        "sk-proj- sk-svcacct- sk-admin- sk-None-",
        r"[A-Za-z0-9_-]{24,}",
        "sk-" + "proj-" + alnum(100),
        "sk-proj-...",
    ),
    prefixed(
        "langfuse-key", _F, "sk-lf-", r"[a-f0-9-]{32,36}", "sk-lf-3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5", "sk-lf-..."
    ),
    prefixed(
        "secret-key",
        _F,
        "sk-",
        r"(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,}",
        "sk-" + alnum(48),
        "sk-your-key-goes-here-please",
    ),
    prefixed(
        "huggingface-token",
        _F,
        "hf_ api_org_",
        r"(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{30,}",
        "hf_" + alnum(34),
        "hf_hub_download",
    ),
    prefixed("replicate-token", _F, "r8_", r"[A-Za-z0-9]{30,}", "r8_" + alnum(37), "r8_x"),
    prefixed("groq-key", _F, "gsk_", r"[A-Za-z0-9]{32,}", "gsk_" + alnum(52), "gsk_x"),
    prefixed(
        "perplexity-key",
        _F,
        "pplx-",
        r"(?=[A-Za-z-]{0,40}[0-9])[A-Za-z0-9]{32,}",
        "pplx-" + alnum(48),
        "pplx-7b-online",
    ),
    prefixed("xai-key", _F, "xai-", r"[A-Za-z0-9_-]{60,}", "xai-" + alnum(80), "xai-grok"),
    prefixed("nvidia-key", _F, "nvapi-", r"[A-Za-z0-9_-]{48,}", "nvapi-" + alnum(64), "nvapi-x"),
    prefixed("fireworks-key", _F, "fw_ fpk_", r"[A-Za-z0-9]{20,}", "fw_" + alnum(24), "fw_version"),
    prefixed("cerebras-key", _F, "csk-", r"[a-z0-9]{40,}", "csk-" + lower(48), "csk-x"),
    prefixed("together-key", _F, "tgp_v1_", r"[A-Za-z0-9_-]{36,}", "tgp_v1_" + alnum(43), "tgp_v1_x"),
    prefixed("elevenlabs-key", _F, "sk_", r"(?=[A-Za-z_]{0,30}[0-9])[A-Za-z0-9]{32,}", "sk_" + hexes(48), "sk_buff"),
    prefixed(
        "langsmith-key",
        _F,
        "lsv2_pt_ lsv2_sk_ ls__",
        r"[a-f0-9]{32}(?:_[a-f0-9]{10})?",
        "lsv2_pt_" + hexes(32) + "_" + hexes(10),
        "lsv2_pt_x",
    ),
    prefixed("tavily-key", _F, "tvly-", r"(?:dev-|prod-)?[A-Za-z0-9]{24,}", "tvly-dev-" + alnum(32), "tvly-dev"),
    prefixed(
        "pinecone-key",
        _F,
        "pcsk_",
        r"[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}",
        "pcsk_" + alnum(6) + "_" + alnum(63),
        "pcsk_x",
    ),
    prefixed(
        "voyage-key",
        _F,
        "pa-",
        r"(?=[A-Za-z_-]{0,40}[0-9])(?=[a-z0-9_-]{0,40}[A-Z])[A-Za-z0-9_-]{40,}",
        "pa-" + alnum(43),
        "pa-system",
    ),
    prefixed(
        "jina-key", _F, "jina_", r"[a-f0-9]{24,}[A-Za-z0-9_-]{16,}", "jina_" + hexes(32) + alnum(28), "jina_embeddings"
    ),
    prefixed("firecrawl-key", _F, "fc-", r"[a-f0-9]{32}(?![A-Za-z0-9])", "fc-" + hexes(32), "fc-list"),
    prefixed("llamacloud-key", _F, "llx-", r"[A-Za-z0-9]{40,}", "llx-" + alnum(48), "llx-x"),
    prefixed("wandb-key", _F, "wandb_v1_", r"[A-Za-z0-9_]{40,}", "wandb_v1_" + alnum(77), "wandb_v1_x"),
    prefixed(
        "cursor-key", _F, "key_ crsr_", r"(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{60,}", "key_" + hexes(64), "key_name"
    ),
    prefixed(
        "modal-token",
        _F,
        "as-",
        r"(?=[A-Za-z]{0,20}[0-9])(?=[a-z0-9]{0,20}[A-Z])[A-Za-z0-9]{22}(?![A-Za-z0-9-])",
        "as-" + alnum(22),
        "as-needed",
    ),
    prefixed("runpod-key", _F, "rpa_", r"[A-Za-z0-9]{36,}", "rpa_" + alnum(46), "rpa_x"),
    prefixed("helicone-key", _F, "pk-helicone-", r"[a-z0-9-]{24,}", "pk-helicone-" + lower(32), "pk-helicone-x"),
    prefixed("mem0-key", _F, "m0-", r"[A-Za-z0-9]{36,}", "m0-" + alnum(40), "m0-x"),
    prefixed(
        "context7-key",
        _F,
        "ctx7sk-",
        r"[a-f0-9-]{32,}",
        "ctx7sk-" + "3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5",
        "ctx7sk-...",
    ),
    prefixed("e2b-key", _F, "e2b_", r"[a-f0-9]{36,}", "e2b_" + hexes(40), "e2b_sandbox"),
    prefixed("friendli-token", _F, "flp_", r"[A-Za-z0-9]{32,}", "flp_" + alnum(44), "flp_x"),
    prefixed("anyscale-key", _F, "esecret_", r"[A-Za-z0-9]{20,}", "esecret_" + alnum(26), "esecret_x"),
    prefixed("apify-token", _F, "apify_api_", r"[A-Za-z0-9]{30,}", "apify_api_" + alnum(36), "apify_api_x"),
    prefixed(
        "dify-key",
        _F,
        "app- dataset-",
        r"(?=[A-Za-z]{0,23}[0-9])(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![A-Za-z0-9-])",
        "app-" + alnum(24),
        "app-router",
    ),
    prefixed(
        "brave-search-key",
        _F,
        "BSA",
        r"(?=[A-Za-z_-]{0,26}[0-9])[A-Za-z0-9_-]{24,28}(?![A-Za-z0-9_-])",
        "BSA" + alnum(28),
        "BSA-x",
    ),
    prefixed("cartesia-key", _F, "sk_car_ sk_cr_", r"[A-Za-z0-9_-]{20,}", "sk_car_" + alnum(22), "sk_car_x"),
    Rule(
        "fal-key",
        _F,
        re.compile(r"(?<![A-Za-z0-9])(?:[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}):[a-f0-9]{32}(?![A-Za-z0-9])"),
        (),
        "3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5" + ":" + hexes(32),
        "3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5" + ":x",
    ),
)
