"""Keys of wallets: extended and exported keys, key pairs as numbers, and the words a wallet is restored from."""

import re

from service.domain.redact_rules.rule import Rule, prefixed
from service.domain.redact_rules.samples import alnum, hexes
from service.domain.redact_rules.tree import words
from service.domain.redact_rules.values import has_digit

_F = "wallets"
_WORD = r"[a-z]{3,8}"
# A blank line ends them.
_BETWEEN = r"(?:(?:[ \t,]{1,4}|,?[ \t]{0,2}\r?\n[ \t>*-]{0,4})(?:\d{1,2}[.):][ \t]{0,2})?)"
# No list of recovery words holds these; sentences of twelve words hardly do without them.
_OF_SENTENCES = re.compile(
    r"\b(?:the|and|for|with|from|are|was|has|have|not|but|its|then|than|them|into|when|which|were|been|does|only"
    r"|should|would|also|our|your|his|her|their|how|why|who|could|because)\b"
)
_COUNTS = frozenset((12, 15, 18, 21, 24))
_PHRASE = "orbit velvet cactus humble ladder frozen pigeon salad timber uncle wagon zebra"


def is_seed_phrase(phrase: str) -> bool:
    """Whether so many words in a row are those of a wallet, and not a sentence or the same word again and again."""
    found = re.findall(r"[a-z]+", phrase)
    return len(found) >= min(_COUNTS) and len(set(found)) >= len(found) // 3 and _OF_SENTENCES.search(phrase) is None


def is_exported_key(key: str) -> bool:
    """Whether letters of both cases are mixed with digits, as base58 mixes them."""
    return has_digit(key) and key.lower() != key and key.upper() != key


RULES: tuple[Rule, ...] = (
    prefixed(
        "nostr-secret",
        _F,
        "nsec1",
        r"[02-9ac-hj-np-z]{50,}",
        "nsec1" + "qpzry9x8gf2tvdw0s3jn54khce6mua7l" + "qpzry9x8gf2tvdw0s3jn54khce",
        "nsec1",
    ),
    prefixed(
        "wallet-extended-key",
        _F,
        "xprv yprv zprv tprv",
        r"[1-9A-HJ-NP-Za-km-z]{90,}",
        "xprv" + alnum(120).replace("0", "1"),
        "xprv",
    ),
    prefixed(
        "wallet-key",
        _F,
        " ".join(f"{kind}_xsk1" for kind in words("root acct addr stake drep cc_cold cc_hot"))
        + " ed25519e_sk1 ed25519_sk1 root_sk1 addr_sk1 stake_sk1",
        r"[02-9ac-hj-np-z]{50,}",
        "root_xsk1" + "qpzry9x8gf2tvdw0s3jn54khce6mua7l" * 4,
        "root_xsk1",
    ),
    Rule(
        "wallet-key",
        _F,
        re.compile(
            r"(?<![A-Za-z0-9+/=_-])(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KLc][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9+/=_-])"
        ),
        (),
        "5J" + alnum(60).replace("0", "")[:49],
        "5Jx",
        accept=is_exported_key,
    ),
    Rule(
        "seed-phrase",
        _F,
        re.compile(
            r"(?i:seed(?:[ _-]?(?:phrase|words?))?|mnemonic|recovery (?:phrase|words)|secret (?:phrase|words)"
            r"|(?:backup|wallet) (?:phrase|words)|hardware wallet|metamask|phantom|ledger|trezor|(?:12|15|18|21"
            r"|24)[ -]words?(?: phrase)?"
            r"|(?:zwölf|vierundzwanzig|douze|vingt-quatre|doce|veinticuatro|dodici|ventiquattro|doze|twelve|twenty-four"
            r"|двенадцать|12|24)[ -](?:words?|Wörter|mots|palabras|parole|palavras|слов\w{0,2}|woorden|ord)"
            rf"|助记词|ニーモニック|니모닉)(?!\w)[^\n]{{0,40}}?"
            rf"(?:(?<![A-Za-z])(?:is|are|was|sind|sont|son|sono|são)\b|[:=：—]|\n|是)[\s\"'`„“«\[]{{0,6}}"
            rf"(?:1[.):][ \t]{{0,2}})?"
            rf"(?P<secret>{_WORD}(?:{_BETWEEN}{_WORD}){{11,24}})(?![a-z_:/])"
        ),
        tuple(f"{count}{joint}" for count in sorted(_COUNTS) for joint in " -")
        + words("""
    seed Seed SEED mnemonic Mnemonic MNEMONIC recovery Recovery RECOVERY secret Secret backup Backup wallet Wallet
    zwölf vierundzwanzig douze vingt-quatre doce veinticuatro dodici ventiquattro doze twelve twenty-four двенадцать
    hardware Hardware
    metamask MetaMask Metamask phantom Phantom ledger Ledger trezor Trezor 助记词 ニーモニック 니모닉
"""),
        "seed phrase: " + _PHRASE,
        "seed the database with a few rows",
        accept=is_seed_phrase,
    ),
    Rule(
        "wallet-key",
        _F,
        re.compile(
            r"(?i:private key|clé privée|clave privada|chave privada|chiave privata|privater? schlüssel"
            r"|приватн\w{2,3} ключ|закрыт\w{2,3} ключ|私钥|秘密鍵)(?:(?!(?i:fingerprint|sha|hash|digest|public))[^\n]){0,80}?"
            r"(?<![A-Za-z0-9])(?P<secret>(?:0x)?[0-9A-Fa-f]{64})(?![A-Za-z0-9])"
        ),
        words(
            "private Private clé Clé clave Clave chave Chave chiave Chiave Privater приватн Приватн закрыт 私钥 秘密鍵"
        ),
        "the private key of the wallet (main net): 0x" + hexes(64),
        "private key fingerprint " + hexes(64),
    ),
    Rule(
        "key-pair",
        _F,
        re.compile(
            r"(?i:key[_-]?pair|secret[_-]?key|private[_-]?key|network[_-]?key|keypair\.json|id\.json"
            r"|from_?bytes)[^\[]{0,40}"
            r"\[\s{0,4}(?P<secret>(?:0x[0-9A-Fa-f]{2}|\d{1,3})(?:\s{0,4},\s{0,4}(?:0x[0-9A-Fa-f]{2}"
            r"|\d{1,3})){15,127})\s{0,4}\]"
        ),
        words("""
    key_pair keypair Keypair KeyPair KEYPAIR secretKey secret_key SecretKey secretkey SECRET_KEY private_key privateKey
    PrivateKey PRIVATE_KEY network_key networkKey NETWORK_KEY id.json from_bytes fromBytes
"""),
        "keypair = [" + ", ".join(str(n * 37 % 256) for n in range(64)) + "]",
        "keypair = [1, 2, 3]",
    ),
    Rule(
        "wallet-key",
        _F,
        re.compile(
            r"(?:accounts[\"']?\s{0,3}[:=]\s{0,3}\[\s{0,8}|(?:Wallet|privateKeyToAccount|from_key|fromPrivateKey"
            r"|PrivateKey"
            r"|privateKeyFromHex|Keypair\.fromSecretKey|private key|private-key|privkey|seckey|spend ?key|view ?key)"
            r"[\s(=:\"'`]{1,6}(?:is[ ])?)[\"'`]?(?P<secret>(?:0x)?[0-9A-Fa-f]{64})(?![A-Za-z0-9])"
        ),
        words("""
    accounts Wallet privateKeyToAccount from_key fromPrivateKey PrivateKey privateKeyFromHex private privkey seckey
    spend view
"""),
        'accounts: ["0x' + hexes(64) + '"]',
        "accounts: []",
    ),
)
