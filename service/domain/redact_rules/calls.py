"""Secrets handed to functions by place: the last argument of a log-in, the key a client is made with."""

import re

from service.domain.redact_rules.commands import is_given
from service.domain.redact_rules.harmless import is_name, is_own_name, is_public
from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.samples import alnum
from service.domain.redact_rules.statements import is_strong_password
from service.domain.redact_rules.tree import words
from service.domain.redact_rules.values import is_hex, is_uuid, looks_random

_F = "calls"
_PASS = "hT" + "7mWq2x"
_STRING = r"(?:[rbuf]{0,2}[\"'`][^\"'`\n]{0,200}[\"'`]|[A-Za-z_$][\w$.]{0,60}|\d{1,6})"
_LAST = r"(?:(?:Some|String|Buffer)\(|\[\]byte\()?[rbuf]{0,2}[\"'`](?P<secret>[^\"'`\n\s]{6,512})[\"'`]"


def is_password_argument(value: str) -> bool:
    """Whether a string among the arguments of a log-in is a password, and no name, address or path."""
    if (
        not is_given(value)
        or is_name(value)
        or "://" in value
        or (value.count("@") == 1 and value.endswith((".com", ".dev", ".org")))
    ):
        return False
    return is_strong_password(value) or looks_random(value)


def is_client_key(value: str) -> bool:
    """Whether the string a client is made with is its key: random, of the length of keys, or a UUID."""
    return (not is_public(value) and looks_random(value)) or (len(value) >= 32 and is_hex(value)) or is_uuid(value)


RULES: tuple[Rule, ...] = (
    Rule(
        "password",
        _F,
        re.compile(
            r"(?:[Ll]og_?[Ii]n|[Ss]ign_?[Ii]n|[Aa]uth|[Aa]uthenticate|[Cc]onnect|[Cc]onnection"
            r"|[Cc]redentials?|[Bb]asic_?[Aa]uth|AuthProvider|[Dd]ial"
            r"|setCredentials|set_password|setPassword|begin|PDO|mysqli|SetBasicAuth|setBasicAuth|bearer_auth"
            r"|BasicAuthentication|UsernamePassword\w{0,20}|NewStaticCredentials|PlainAuth|jwt\.(?:sign|encode"
            r"|verify|decode)|Signer|NewMac|unsafePlainText|SecretString|SecureString|plainText|Fernet|TOTP"
            r"|[Dd]efineAuth|HmacSHA\d{1,3}|createHmac|verify_password|check_password|hash_?[Pp]assword|hashpw)"
            rf"\((?:\s{{0,12}}{_STRING},){{0,4}}\s{{0,12}}{_LAST}"
        ),
        words("""
    login( Login( log_in( signin( signIn( SignIn( sign_in( auth( Auth( authenticate( connect( Connect( connection(
    Connection( credential( credentials( Credential( Credentials( basic_auth( BasicAuth( basicAuth( AuthProvider(
    dial( Dial( set_password( setPassword( SetPassword( begin( PDO( mysqli( SetBasicAuth( setBasicAuth( bearer_auth(
    BasicAuthentication( UsernamePasswordToken( UsernamePasswordCredential( NewStaticCredentials( PlainAuth(
    jwt.sign( jwt.encode( jwt.verify( jwt.decode( NewMac( unsafePlainText( SecretString( SecureString( plainText(
    Fernet( TOTP( createHmac( check_password( hashPassword( hash_password( hashpw(
"""),
        f'server.login("kim@acme.dev", "{_PASS}")',
        'server.login("kim@acme.dev", password)',
        inside=True,
        accept=is_password_argument,
    ),
    Rule(
        "client-key",
        _F,
        re.compile(
            r"(?<!LDClient\.)(?:(?:Client|Api|API|Auth|SDK|Session|Credential|Credentials|Bot|Realtime|Rest|Analytics|Wallet)"
            r"|Exa|Resend|Stripe|Octokit|Logtail|OpenAI|Anthropic|Cohere|Groq|Mistral|Together|Replicate|Pinecone"
            r"|Roboflow|Realtime|getInstance"
            r"|set_token|setToken|setApiKey|set_api_key|setAccessToken|initialize|init|configure|algoliasearch"
            r"|searchClient|Rollbar|Bugsnag|Sentry|mixpanel|StaticTokenSource|NewTokenAuth)"
            rf"\((?:\s{{0,12}}{_STRING},){{0,4}}\s{{0,12}}{_LAST}"
        ),
        words("""
    Client( Api( API( Auth( SDK( Session( Credential( Credentials( Bot( Realtime( Rest( Analytics( Wallet( Exa(
    Resend( Stripe( Octokit( Logtail( OpenAI( Anthropic( Cohere( Groq( Mistral( Together( Replicate( Pinecone(
    Roboflow( getInstance( set_token( setToken( setApiKey( set_api_key( setAccessToken( initialize( init( configure(
    algoliasearch( searchClient( Rollbar( Bugsnag( mixpanel( NewTokenAuth(
"""),
        'RestClient("' + alnum(32) + '")',
        'Client("https://api.acme.dev")',
        inside=True,
        accept=is_client_key,
    ),
    Rule(
        "password",
        _F,
        re.compile(
            r"(?i:set|with|add|use|update|change|reset)_?(?i:password|passwd|passphrase|pwd)\([ ]?[\"']"
            r"(?P<secret>[^\"'\s]{4,256})[\"']"
        ),
        words("setP withP addP useP set_p with_p SetP WithP updateP changeP resetP"),
        f'.withPassword("{_PASS}")',
        '.withPassword("")',
        inside=True,
        accept=lambda value: not is_own_name(value),
    ),
)
