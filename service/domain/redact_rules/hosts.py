"""What the host of a URL says about it: request bins, numbers in place of names, hosts that everybody links to."""

import ipaddress
import re
import unicodedata

from service.domain.redact_rules.tree import words

# Services whose addresses receive whatever is sent and show it to their owner.
COLLECTORS: tuple[str, ...] = tuple(
    words("""
    webhook.site requestbin.com requestbin.net requestbin.io requestb.in request.bin requestcatcher.com
    requestinspector.com hookbin.com pipedream.net beeceptor.com postb.in ptsv2.com ptsv3.com burpcollaborator.net
    oastify.com interact.sh interactsh.com oast.pro oast.live oast.site oast.online oast.fun oast.me dnslog.cn
    dnslog.link dnslog.store ceye.io bxss.me bxss.in xss.ht xss.report ezxss.com canarytokens.com canarytokens.org
    ngrok.io ngrok.app ngrok-free.app ngrok-free.dev ngrok.dev localtunnel.me loca.lt serveo.net trycloudflare.com
    localhost.run lhr.life bore.pub pagekite.me tunnelto.dev mockbin.org mockbin.io mocky.io hookdeck.com hooks.dev
    devtunnels.ms loclx.io localxpose.io playit.gg pktriot.net portmap.io portmap.host pinggy.net pinggy.online
    srv.us tuna.am cloudpub.ru cfargotunnel.com dnslog.pw dnslog.me js.rip rbaskets.in usewebhook.com webhook.wtf
    webhooks.dev httpreq.com xsshunter.trufflesecurity.com play.svix.com mockapi.io ntfy.sh formspree.io getform.io
    formsubmit.co kvdb.io jsonbin.io npoint.io getpantry.cloud pstmn.io 2no.co yip.su httpworkbench.com bore.digital
    tunnelto.me requestbin.myworkato.com requestbin.whapi.cloud iplogger.org iplogger.com grabify.link zrok.io
    pinggy.link pinggy.io tunnelmole.net telebit.cloud sharedwithexpose.com ultrahook.com requestbin.cn dnslog.org
    postman-echo.com webhook.cool webhook.run webhookrelay.com webhook-test.com webhook.link whcli.dev smee.io
    typedwebhook.tools requestrepo.com requestly.dev webhookinbox.com httpdump.app httpdump.io dnsbin.zhack.ca
    dnsbin.net pingb.in r87.me rbndr.us b-cdn.link eyes.sh log4shell.tools dnshook.site reqbin.net reqres.bin
    hyuga.icu dig.pm callback.red ssrf.in x55.is putsreq.com runscope.net fwd.host hookb.in mailhook.app
    webhooks.app endpoint.bin requestdumper.net hkdk.events ply.gg emailhook.site openport.io posttestserver.dev dnslog.dev fuzz.red
""")
)
_COLLECTOR = re.compile(r"(?:^|\.)(?:" + "|".join(re.escape(name) for name in COLLECTORS) + r")$")

# Hosts of ordinary links, where long ids are part of every address.
_FAMILIAR = re.compile(
    r"(?:^|\.)(?:github\.com|githubusercontent\.com|github\.dev|gitlab\.com|bitbucket\.org"
    r"|google\.[a-z.]{2,6}|googleapis\.com|gstatic\.com|googleusercontent\.com|goo\.gl|youtube\.com"
    r"|youtu\.be"
    r"|ytimg\.com|stackoverflow\.com|stackexchange\.com|npmjs\.(?:com|org)|pypi\.org|pythonhosted\.org"
    r"|python\.org|rubygems\.org|crates\.io|docs\.rs|golang\.org|go\.dev|wikipedia\.org|wikimedia\.org"
    r"|mozilla\.org|microsoft\.com"
    r"|live\.com|office\.com|sharepoint\.com|apple\.com|amazon\.[a-z.]{2,6}|amazonaws\.com"
    r"|cloudfront\.net|azure\.com|azureedge\.net|windows\.net|docker\.com|docker\.io|figma\.com"
    r"|notion\.so|linear\.app|atlassian\.(?:net|com)"
    r"|slack\.com|discord\.com|discordapp\.com|shields\.io|badgen\.net|twitter\.com|x\.com|t\.co"
    r"|linkedin\.com|reddit\.com|redd\.it|facebook\.com|instagram\.com|medium\.com|substack\.com"
    r"|vimeo\.com|spotify\.com|dropbox\.com|trello\.com|asana\.com"
    r"|zoom\.us|loom\.com|miro\.com|airtable\.com|circleci\.com|travis-ci\.com|jenkins\.io|codecov\.io"
    r"|sentry\.io|datadoghq\.(?:com|eu)|grafana\.(?:com|net)|newrelic\.com|vercel\.com"
    r"|netlify\.com"
    r"|jsdelivr\.net|unpkg\.com|cdnjs\.com|cloudflare\.com"
    r"|typescriptlang\.org|rust-lang\.org|godbolt\.org|codepen\.io|codesandbox\.io|stackblitz\.com"
    r"|jsfiddle\.net|replit\.com|kaggle\.com|huggingface\.co|arxiv\.org|doi\.org"
    r"|anthropic\.com|claude\.ai|openai\.com|chatgpt\.com|stripe\.com|paypal\.com|shopify\.com"
    r"|gravatar\.com|wp\.com|w3\.org|ietf\.org|archive\.org|nytimes\.com|bbc\.co\.uk"
    r"|ycombinator\.com|mermaid\.ink|quickchart\.io|plantuml\.com|kroki\.io|imgur\.com|etherscan\.io"
    r"|sigstore\.dev|codecogs\.com)$"
)
# Where anybody may leave a file without an account.
DROPS: tuple[str, ...] = tuple(
    words("""
    transfer.sh file.io 0x0.st termbin.com ix.io sprunge.us paste.rs bashupload.com oshi.at catbox.moe temp.sh gofile.io
    pastebin.com dpaste.com dpaste.org hastebin.com ghostbin.com paste.ee rentry.co tmpfiles.org uguu.se keep.sh
""")
)
_HOSTILE = re.compile(
    r"(?:^|[.-])(?:evil|attacker\w*|exfil\w*|steal|stealer|stolen|malicious|phish|phisher|pwn|rogue|adversary|dropzone|sinkhole|collaborator|interactsh|oast|loot|skimmer|keylogger|grabber|harvester|malware|backdoor)(?:[.-]|$)"
)
# Names that stand for the number they hold, and addresses anybody gets for a program of their own.
_WILDCARD = re.compile(
    r"(?:^|[.-])(?P<number>\d{1,3}(?:[.-]\d{1,3}){3}|[0-9a-f]{8})\.(?:nip\.io|sslip\.io|xip\.io|traefik\.me)$"
)
_RENTED = re.compile(r"\.(?:execute-api|lambda-url|elb|compute)[.-]")
# Platforms that name what they host by a number of theirs.
_PLATFORM = re.compile(
    r"\.(?:r2\.dev|cloudflarestorage\.com|pages\.dev|workers\.dev|vercel\.app|netlify\.app|fly\.dev|onrender\.com"
    r"|herokuapp\.com|web\.app|firebaseapp\.com|run\.app|appspot\.com|ipfs\.\w{2,10}\.\w{2,8}|dweb\.link|gitpod\.io"
    r"|app\.github\.dev|azurewebsites\.net|cloudapp\.net|mux\.com|sentry\.io|myshopify\.com)$"
)
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_LITERAL = re.compile(r"\[[0-9a-f:.%]{2,60}\]")
_LATIN = re.compile(r"[a-z]")
_LOOKALIKE = re.compile(r"[Ͱ-Ͽа-џ]")
_ALL_LOOKALIKE = re.compile(
    r"[асеорхуіјѕԁӏһԛԝгпкмтвнι0-9-]{0,40}[асеорхуіјѕԁӏһԛԝ]{2}[асеорхуіјѕԁӏһԛԝгпкмтвнι0-9-]{0,40}"
)
_PADDED = re.compile(r"(?=.*(?:^|\.)0\d)\d{1,4}(?:\.\d{1,4}){3}")
_DOTS = str.maketrans("。．｡", "...")
_PRIVATE = tuple(
    map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"))
)
_ODD = re.compile(
    r"0x[0-9a-f]{6,8}|\d{8,10}|0[0-7]{9,12}|(?:0x[0-9a-f]{1,8}|0[0-7]{1,11}|\d{1,10})"
    r"(?:\.(?:0x[0-9a-f]{1,8}|0[0-7]{1,11}|\d{1,10})){1,3}"
)


def is_collector(host: str) -> bool:
    """Whether what is sent to the host can be read by whoever rented it."""
    return host.endswith(COLLECTORS) and _COLLECTOR.search(host) is not None


def is_suspicious(host: str) -> bool:
    """Whether anything about a host of plain letters asks for a closer look."""
    return (
        host.endswith((*COLLECTORS, ".nip.io", ".sslip.io", ".xip.io", ".traefik.me"))
        or is_hostile(host)
        or "xn--" in host
        or len(host) > 40
    )


def is_drop(host: str) -> bool:
    """Whether the host keeps the files of strangers."""
    return host.removeprefix("www.") in DROPS


def is_familiar(host: str) -> bool:
    """Whether the host is one of those that ordinary links lead to."""
    return _FAMILIAR.search(host) is not None and _RENTED.search(host) is None


def is_forged(host: str) -> bool:
    """Whether one label passes look-alikes of another alphabet off as Latin letters."""
    if host.isascii() and "xn--" not in host:
        return False
    return any(_is_forged(_spoken(label)) for label in host.split("."))


def _is_forged(label: str) -> bool:
    mixed = _LATIN.search(label) is not None and _LOOKALIKE.search(label) is not None
    return mixed or _ALL_LOOKALIKE.fullmatch(label) is not None


def _spoken(label: str) -> str:
    """The label as a browser may show it, out of its ASCII form."""
    try:
        return label[4:].encode("ascii").decode("punycode") if label.startswith("xn--") else label
    except (UnicodeError, OverflowError, ValueError):
        return label


def is_hostile(host: str) -> bool:
    """Whether the host's own name says what it is for."""
    return _HOSTILE.search(host) is not None


def plain_name(host: str) -> str:
    """The host without its port, in the small letters and dots that a browser makes of it."""
    name = (host if host.isascii() else unicodedata.normalize("NFKC", host.translate(_DOTS))).lower()
    return (name.partition("]")[0] + "]" if name.startswith("[") else name.partition(":")[0]).rstrip(".")


def is_platform(host: str) -> bool:
    """Whether the host belongs to a platform that puts ids of its own into host names."""
    return _PLATFORM.search(host) is not None


def is_local(host: str) -> bool:
    """Whether the host is this machine or the private network."""
    wildcard = _WILDCARD.search(host)
    if wildcard:
        number = wildcard["number"]
        plain = number.isalnum()
        host = ".".join(str(byte) for byte in bytes.fromhex(number)) if plain else number.replace("-", ".")
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal", ".test")):
        return True
    try:
        literal = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    address = getattr(literal, "ipv4_mapped", None) or literal
    return (
        address.is_loopback
        or address.is_link_local
        or address.is_unspecified
        or any(address in net for net in _PRIVATE if net.version == address.version)
    )


def is_number(host: str) -> bool:
    """Whether an address stands in place of a name."""
    return _LITERAL.fullmatch(host) is not None or _DOTTED.fullmatch(host) is not None


def is_odd_number(host: str) -> bool:
    """Whether the address is written in a way that hides it: one integer, octal, hexadecimal, or IPv4 inside IPv6."""
    if _WILDCARD.search(host):
        return not is_local(host)
    if host.startswith("["):
        return _LITERAL.fullmatch(host) is not None and ("." in host or "::ffff:" in host) and not is_local(host)
    return (_DOTTED.fullmatch(host) is None and _ODD.fullmatch(host) is not None) or _PADDED.fullmatch(host) is not None
