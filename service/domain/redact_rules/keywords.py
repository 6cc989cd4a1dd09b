"""The words that make what stands behind them a secret, and where they stand in a text."""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from service.domain.redact_rules.tree import tree_pattern, words


class Kind(Enum):
    """How much a keyword says about its value."""

    PASSWORD = auto()  # a person made it up: anything but a word of prose may be one
    SECRET = auto()  # a machine made it: letters with digits
    HEADER = auto()  # what follows is a scheme and then a secret
    DIGITS = auto()  # a number of four or more digits is enough
    WEAK = auto()  # the word has harmless meanings too: the value must look random


class Keyword(NamedTuple):
    """One keyword in a text; the rest of the identifier it belongs to may follow.

    A tuple, because hostile text is full of them and a frozen dataclass takes three times as long to make.
    """

    start: int
    end: int
    kind: Kind


_PASSWORDS = (
    *words("""
        password passwort passwortes passwörter passwd passphrase passcode passwrd paswd pwd pswd kennwort zugangscode
        contraseña contrasena clave claves motdepasse mdp senha wachtwoord wachtwoorden hasło hasła hasłem lösenord
        lösenordet adgangskode adgangskoden kodeord passord passordet heslo hesla heslem jelszó jelszava salasana
        salasanan parolă parola parolei parolanız şifre şifresi şifreniz sifre parool lozinka slaptažodis
        storepass keypass requirepass masterauth masteruserpassword kata_sandi пароль пароля паролем паролю паролі
        паролата парола гасло лозинка лозинката 密码 密碼 口令 通行码 暗証番号 合言葉
        パスワード 비밀번호 비번 암호 पासवर्ड סיסמה הסיסמה סיסמא รหัสผ่าน گذرواژه
    """),
    *(
        "mot de passe",
        "mots de passe",
        "kata sandi",
        "kata sandinya",
        "kata laluan",
        "mật khẩu",
        "كلمة المرور",
        "كلمة مرور",
    ),
    *("كلمة السر", "کلمه عبور", "رمز عبور", "رمز المرور", "κωδικός", "κωδικό", "parola d'ordine", "clave de acceso"),
)
_SECRETS = (
    *words("""
        secret token credential creds cred apikey api_hash jeton geheimnis segredo токен токена токеном ключ توکن 令牌 密钥
        密鑰 토큰 トークン シークレット apiキー api密钥 api密鑰 schlüssel api-ключ api-nyckel api-sleutel api-schlüssel
    """),
    *(
        "clé api",
        "clé d'api",
        "clé secrète",
        "clave de api",
        "clave api",
        "clave secreta",
        "chave de api",
        "chave da api",
    ),
    *("chave api", "chave secreta", "chiave api", "api sleutel", "klucz api", "api anahtarı", "api キー", "api 키"),
    *("api 密钥", "apiの鍵", "秘密鍵", "私钥", "访问密钥", "mã bí mật", "khóa api"),
)
_CODES = tuple(f"{kind} code" for kind in words("2fa mfa verification security backup recovery access one-time"))
_SHORT = {
    Kind.PASSWORD: words("pass pw psw ww"),
    Kind.DIGITS: (*words("pin otp totp passcode"), *_CODES),
    Kind.SECRET: (
        "psk",
        "community string",
        "shared secret",
        "license key",
        "licence key",
        "recovery key",
        "seed phrase",
    ),
    Kind.WEAK: words("""
    bearer key auth sid sig pat dsn salt seed code sas jwt login subscription appid license sessionid
    sessid session_id session-id cookie community
"""),
}
# What a page subscribes to pushes with is public.
_KEY_OF_PAGE = ("applicationserver", "application_server", "vapidpublic")
_KEY_OF_SECRET = tuple(
    words("""
    api access auth secret private account encryption encrypt encrypted signing sign master admin service
    license licence shared subscription app application client storage webhook deploy ingest ingestion
    integration write restricted rest server user personal session function functions root security sdk live
    prod production org organization project team bot consumer developer dev management crypt cipher hmac jwt
    aes aes-256 aes256 fernet verification rw import push sas preshared pre-shared rpc query insert global smtp
    mail vault unseal hec wallet eth btc hex bearer setup spend salt network certificate
    recovery backup activation product primary-access secondary-access tenant upload record validation
    decryption
""")
)
VENDORS = frozenset(
    words("""
    openai anthropic azure gcp algolia datadog dd newrelic sentry stripe twilio sendgrid mailgun
    mailchimp postmark sparkpost resend brevo slack discord telegram github gitlab bitbucket heroku netlify
    vercel cloudflare cf digitalocean linode fastly okta auth0 firebase supabase mapbox maps openweather weather
    pagerduty opsgenie grafana honeycomb rollbar bugsnag amplitude mixpanel intercom zendesk freshdesk hubspot
    salesforce shopify paypal plaid coinbase binance kraken alchemy infura etherscan cohere mistral groq gemini
    deepseek perplexity replicate huggingface hf deepgram elevenlabs assemblyai pinecone weaviate qdrant tavily
    serpapi exa rapidapi tmdb omdb newsapi finnhub polygon alphavantage steam twitch spotify asana trello
    airtable figma dropbox snyk codecov jenkins circleci travis buildkite launchdarkly statsig posthog mux
    uploadcare imgix contentful sanity storyblok shodan virustotal vonage nexmo plivo messagebird telnyx
    bandwidth clearbit apollo lob easypost shippo square adyen mollie razorpay wandb comet langsmith openrouter
    together fireworks cerebras nvidia stability voyage jina firecrawl browserless scraperapi zyte ipinfo
    ipstack maxmind fixer exchangerate giphy unsplash pexels rebrandly bitly tinypng linkedin twitter facebook
    nuget npm pypi rubygems jfrog artifactory sonatype smithery composio browserbase apify serper brave kagi runpod
    modal lambda hetzner vultr scaleway ovh upcloud exoscale hostinger namecheap godaddy porkbun dnsimple gandi render
    railway koyeb northflank zeabur neon planetscale turso upstash xata fauna timescale cockroach mongodb atlas
    elastic meilisearch meili typesense influx influxdb confluent redpanda aiven snowflake databricks fivetran segment
    rudderstack heap fullstory customerio klaviyo loops convertkit mailerlite mailjet mandrill courier novu onesignal
    pusher ably pubnub livekit agora dolby zoom webex ringcentral dialpad aircall bland vapi retell paddle
    lemonsqueezy chargebee recurly gocardless klarna wise revolut paystack flutterwave xendit midtrans ghost strapi
    prismic hygraph wordpress webflow typeform jotform calendly notion linear clickup monday smartsheet shortcut height
    attio pipedrive copper zoho freshworks gorgias front crisp drift statuspage betterstack axiom logtail papertrail
    loggly sumologic splunk dynatrace instana appdynamics lightstep chronosphere coralogix raygun airbrake highlight
    checkly pingdom uptimerobot healthchecks cronitor rootly incidentio firehydrant squadcast clerk workos stytch
    descope kinde fusionauth keycloak zitadel supertokens doppler infisical akeyless hashicorp terraform pulumi
    spacelift env0 harness drone codefresh semaphore bitrise appveyor teamcity octopus sonarqube sonarcloud semgrep
    veracode checkmarx snowplow unleash flagsmith growthbook configcat optimizely split qovery fly deepl lokalise
    crowdin transifex phrase mapquest tomtom opencage geoapify maptiler positionstack amap baidu tencent aliyun qiniu
    volcengine huawei yandex vk kakao naver line dingtalk feishu lark wecom zhipu moonshot qwen dashscope minimax
    baichuan siliconflow hunyuan synthesia heygen runway luma pika suno tavus hume cartesia playht murf resemble rev
    speechmatics roboflow clarifai labelbox scale nightfall censys greynoise abuseipdb hibp urlscan nrpe wakatime
    captcha anticaptcha capsolver brightdata oxylabs smartproxy crawlbase scrapingbee
""")
)
_KEY_OF_NOTHING = frozenset(
    words("""
    public publishable primary foreign cache partition sort object hot idempotency dedup dedupe composite unique
    index map dict row host group lookup hash sha commit content etag file continuation page cursor next
    sync color css theme lang i18n translation message status error country language source query arrow enter
    escape tab shift react reference natural surrogate correlation event metric label config setting feature
    flag property cluster shard bucket space any press every sub registry json yaml dictionary fingerprint pub
    answer major minor off lock turn site
""")
)
_NOT_BEFORE = frozenset(
    words("""
    csrf xsrf max min num total input output prompt completion cached reasoning used per of design next
    continuation page sync cursor arn: secretsmanager cancellation separator start end stop special unknown eos bos pad
    mask each second
""")
)
_CODE_OF_NOTHING = _NOT_BEFORE | frozenset(
    words("""
    error exit status country zip postal source qr bar promo coupon vs area byte op color hex language lang http
    response return reason claude visual studio morse dead legacy example sample machine assembly python
""")
)
_MARKERS = frozenset(words("change lock idempotency pagination marker scroll starting invalidation dedupe"))
_OF_NOTHING = {"key": _KEY_OF_NOTHING, "code": _CODE_OF_NOTHING}
_KINDS = {
    **dict.fromkeys(_PASSWORDS, Kind.PASSWORD),
    **dict.fromkeys(_SECRETS, Kind.SECRET),
    **{word: kind for kind, words in _SHORT.items() for word in words},
    "authorization": Kind.HEADER,
}
_STANDING_ALONE = frozenset(word for words in _SHORT.values() for word in words) | frozenset(
    words("mdp cred creds clave claves parola sifre")
)
_FINDER = re.compile(f"({tree_pattern(_KINDS).pattern})(?:s(?![a-z]))?")
_LONG = re.compile(
    f"({tree_pattern(word for word in _KINDS if len(word) > 4 and word.isascii()).pattern})(?:s(?![a-z]))?"
)
# No name goes on for so long behind a keyword.
_NO_NAME = re.compile(r"[A-Za-z_]{64}")
_JOINTS = " _.-"
_LONGEST_JOINT = 2
_LOOK_BACK = 20
_NAME_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_SMALL = "abcdefghijklmnopqrstuvwxyz"


def find_keywords(text: str, small: str) -> Iterator[Keyword]:
    """Every keyword that stands as a word or as a part of an identifier; `small` is the text in small letters."""
    done = 0
    for found in _FINDER.finditer(small):
        start, end = found.span()
        if start < done:
            continue
        word = found[1]
        goes_on = text[end : end + 1] in _NAME_SIGNS
        if goes_on and _NO_NAME.match(text, end):
            continue
        if (goes_on and _runs_on(text, end)) or (
            (len(word) == 2 or text[start - 1 : start].isalpha()) and _is_glued(text, start, end, word)
        ):
            # What is no word by itself may hide the beginning of one: `rootPassword`.
            inner = _inner(small, start, end)
            if inner is None or _runs_on(text, inner.end()):
                continue
            (start, end), word = inner.span(), inner[1]
        done = end
        kind = _kind_of(small, start, word)
        if kind is not None and not (text[start].isupper() and _is_marker(text, start, word)):
            yield Keyword(start, end, kind)


def _inner(small: str, start: int, end: int) -> re.Match[str] | None:
    """A long keyword that begins within a short one and goes on behind it."""
    for at in range(start + 1, end):
        found = _LONG.match(small, at)
        if found and found.end() > end:
            return found
    return None


def _runs_on(text: str, end: int) -> bool:
    """Whether the word goes on, as `keyboard` and `TOKENIZER` do and `tokenValue` does not."""
    follower = text[end : end + 1]
    return "a" <= follower <= "z" or ("A" <= follower <= "Z" and text[end - 1].isupper())


def _is_glued(text: str, start: int, end: int, word: str) -> bool:
    """Whether a short word is only the end of another one; `dbPass` and `DB_PASS` are two words each."""
    if len(word) == 2 and (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
        return text[max(0, start - 1) : end + 1].isascii()
    if word not in _STANDING_ALONE or start == 0 or not text[start - 1].isalpha() or not text[start - 1].isascii():
        return False
    if word == "key" and text[max(0, start - _LOOK_BACK) : start].lower().endswith(_KEY_OF_SECRET):
        return False
    return not (text[start].isupper() and text[start - 1].islower())


def _is_marker(text: str, start: int, word: str) -> bool:
    """Whether the part of a `camelCase` name before the keyword says that it only marks a place or a repetition."""
    if start == 0 or not text[start - 1].islower():
        return False
    head = text[max(0, start - _LOOK_BACK) : start]
    name = head[len(head.rstrip(_SMALL)) - 1 :].lstrip("_-").lower()
    return name in _NOT_BEFORE or (word == "token" and (name in _MARKERS or head.lower().endswith("clientrequest")))


def _kind_of(small: str, start: int, word: str) -> Kind | None:
    if word != "key" and (start == 0 or small[start - 1] not in _JOINTS):
        return _KINDS[word]
    before = small[max(0, start - _LOOK_BACK) : start]
    stem = before.rstrip(_JOINTS)
    if len(before) - len(stem) > _LONGEST_JOINT:
        return _KINDS[word]
    if word == "key" and stem.endswith(_KEY_OF_PAGE):
        return None
    if word == "key" and stem.endswith(_KEY_OF_SECRET):
        return Kind.SECRET
    last = stem[len(stem.rstrip(_SMALL + ":")) :]
    if word == "key" and last in VENDORS:
        return Kind.SECRET
    return None if last in _OF_NOTHING.get(word, _NOT_BEFORE) else _KINDS[word]
