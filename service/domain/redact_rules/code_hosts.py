"""Tokens of code hosts, build services and package registries."""

import re

from service.domain.redact_rules.rule import Rule, prefixed
from service.domain.redact_rules.samples import alnum, hexes, lower

_F = "code-hosts"

RULES: tuple[Rule, ...] = (
    prefixed("github-token", _F, "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9_.-]{30,}", "ghp_" + alnum(36), "ghp_..."),
    prefixed(
        "github-fine-grained-token",
        _F,
        "github_pat_",
        r"[A-Za-z0-9_]{40,}",
        "github_pat_" + alnum(22) + "_" + alnum(59),
        "github_pat_name",
    ),
    prefixed(
        "gitlab-token",
        _F,
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-",
        r"[A-Za-z0-9_=.-]{18,}",
        "glpat-" + alnum(20),
        "glpat-...",
    ),
    prefixed(
        "gitlab-runner-registration", _F, "GR1348941", r"[A-Za-z0-9_-]{18,}", "GR1348941" + alnum(20), "GR1348941"
    ),
    prefixed(
        "gitlab-session", _F, "_gitlab_session=", r"[a-f0-9]{24,}", "_gitlab_session=" + hexes(32), "_gitlab_session=x"
    ),
    prefixed("bitbucket-token", _F, "ATBB ATCTT3xFfGN0", r"[A-Za-z0-9_=-]{24,}", "ATBB" + alnum(32), "ATBB"),
    prefixed(
        "atlassian-token",
        _F,
        "ATATT3xFfGF0 ATOA ATSTT3xFfGN0",
        r"[A-Za-z0-9_=-]{60,}",
        "ATATT3xFfGF0" + alnum(170),
        "ATATT3",
    ),
    prefixed(
        "sourcegraph-token",
        _F,
        "sgp_ slk_ sgph_",
        r"(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40,}",
        "sgp_" + hexes(40),
        "sgp_local",
    ),
    prefixed("npm-token", _F, "npm_", r"[A-Za-z0-9]{30,}", "npm_" + alnum(36), "npm_config_registry"),
    prefixed("pypi-token", _F, "pypi-AgE", r"[A-Za-z0-9_-]{50,}", "pypi-AgE" + alnum(150), "pypi-publish"),
    prefixed("rubygems-key", _F, "rubygems_", r"[a-f0-9]{40,}", "rubygems_" + hexes(48), "rubygems_version"),
    prefixed(
        "crates-token",
        _F,
        "cio",
        r"(?=[A-Za-z]{0,31}[0-9])[A-Za-z0-9]{32}(?![A-Za-z0-9])",
        "cio" + alnum(32),
        "cioconfig",
    ),
    prefixed("nuget-key", _F, "oy2", r"[a-z0-9]{43}(?![A-Za-z0-9])", "oy2" + lower(43), "oy2"),
    prefixed("clojars-token", _F, "CLOJARS_", r"[a-z0-9]{48,}", "CLOJARS_" + lower(60), "CLOJARS_TOKEN"),
    prefixed("hex-key", _F, "hexpm_ hexu_ hexo_", r"[A-Za-z0-9_]{24,}", "hexpm_" + hexes(32), "hexpm_user"),
    prefixed("docker-token", _F, "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{24,}", "dckr_pat_" + alnum(27), "dckr_pat_x"),
    prefixed("jfrog-key", _F, "AKCp", r"[A-Za-z0-9]{60,}", "AKCp" + alnum(69), "AKCp8"),
    prefixed("jfrog-reference-token", _F, "cmVmdGtuO", r"[A-Za-z0-9]{40,}", "cmVmdGtuO" + alnum(55), "cmVmdGtuO"),
    prefixed(
        "jetbrains-token",
        _F,
        "perm:",
        r"[A-Za-z0-9+/=_-]{8,}\.[A-Za-z0-9+/=_-]{4,}\.[A-Za-z0-9]{24,}",
        "perm:" + alnum(12) + ".NDctMg==." + alnum(30),
        "perm:read",
    ),
    prefixed(
        "buildkite-token",
        _F,
        "bkua_ bkct_ bkrt_ bkaj_ bkat_ bkpat_ bkpt_",
        r"[A-Za-z0-9_-]{24,}",
        "bkua_" + hexes(40),
        "bkua_x",
    ),
    prefixed(
        "circleci-token",
        _F,
        "CCIPAT_ CCIPRJ_",
        r"[A-Za-z0-9]{16,}_[A-Za-z0-9]{30,}",
        "CCIPAT_" + alnum(22) + "_" + hexes(40),
        "CCIPAT_x",
    ),
    prefixed("sonar-token", _F, "squ_ sqp_ sqa_", r"[a-f0-9]{40}(?![A-Za-z0-9])", "squ_" + hexes(40), "squ_x"),
    prefixed(
        "snyk-token",
        _F,
        "snyk_uat. snyk_sat.",
        r"[A-Za-z0-9._-]{24,}",
        "snyk_uat." + hexes(8) + "." + alnum(60),
        "snyk_uat.x",
    ),
    prefixed(
        "codecov-token",
        _F,
        "codecov_",
        r"(?=[A-Za-z]{0,30}[0-9])[A-Za-z0-9]{32,}",
        "codecov_" + alnum(36),
        "codecov_upload",
    ),
    prefixed("gitea-token", _F, "gta_", r"[a-f0-9]{40}(?![A-Za-z0-9])", "gta_" + hexes(40), "gta_x"),
    prefixed("gitkraken-token", _F, "gkp_", r"[A-Za-z0-9]{30,}", "gkp_" + alnum(40), "gkp_x"),
    prefixed("prefect-key", _F, "pnu_ pnb_", r"[A-Za-z0-9]{30,}", "pnu_" + alnum(36), "pnu_x"),
    prefixed("nx-cloud-token", _F, "nxc_", r"[A-Za-z0-9]{30,}", "nxc_" + alnum(40), "nxc_x"),
    prefixed("deno-token", _F, "ddp_ ddo_ ddw_", r"[A-Za-z0-9]{30,}", "ddp_" + alnum(36), "ddp_x"),
    prefixed("jsr-token", _F, "jsrp_ jsrd_", r"[A-Za-z0-9_-]{30,}", "jsrp_" + alnum(40), "jsrp_x"),
    prefixed(
        "anaconda-token",
        _F,
        "an-",
        r"[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}",
        "an-" + "3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5",
        "an-example",
    ),
    prefixed("scalingo-token", _F, "tk-us-", r"[A-Za-z0-9_-]{40,}", "tk-us-" + alnum(48), "tk-us-east"),
    prefixed("readme-key", _F, "rdme_", r"[a-z0-9]{60,}", "rdme_" + lower(70), "rdme_x"),
    prefixed(
        "stackhawk-key",
        _F,
        "hawk.",
        r"[A-Za-z0-9_-]{20}\.[A-Za-z0-9_-]{20}",
        "hawk." + alnum(20) + "." + alnum(20),
        "hawk.yml",
    ),
    prefixed("gitbook-token", _F, "gb_api_", r"[A-Za-z0-9]{30,}", "gb_api_" + alnum(40), "gb_api_x"),
    Rule(
        "sidekiq-key",
        _F,
        re.compile(r"(?i:contribsys(?:__|\.)com)[= ]{1,2}(?P<secret>[a-f0-9]{8}:[a-f0-9]{8})"),
        ("CONTRIBSYS", "contribsys"),
        "BUNDLE_ENTERPRISE__CONTRIBSYS__COM=3fa19c7e:08d52b64",
        "CONTRIBSYS__COM=",
    ),
    prefixed(
        "wakatime-key",
        _F,
        "waka_",
        r"[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}",
        "waka_" + "3fa19c7e-08d5-4b64-9c7e-3fa19c7e08d5",
        "waka_time",
    ),
    prefixed("intra-secret", _F, "s-s4t2ud- s-s4t2af-", r"[a-f0-9]{60,}", "s-s4t2ud-" + hexes(64), "s-s4t2ud-x"),
    prefixed("valtown-token", _F, "vtwn_", r"[A-Za-z0-9]{24,}", "vtwn_" + alnum(32), "vtwn_x"),
    prefixed(
        "logfire-token", _F, "pylf_v1_ pylf_v2_", r"[a-z]{2}_[A-Za-z0-9]{30,}", "pylf_v1_us_" + alnum(44), "pylf_v1_us"
    ),
    prefixed(
        "unkey-key", _F, "unkey_", r"(?=[A-Za-z_]{0,30}[0-9])[A-Za-z0-9]{16,}", "unkey_" + alnum(22), "unkey_root"
    ),
    prefixed("endor-token", _F, "endr+", r"[A-Za-z0-9-]{16,}", "endr+" + alnum(16), "endr+x"),
)
