"""Short codes a person copies by hand: recovery codes, numbers that open doors, product keys, app passwords."""

import re

from service.domain.redact_rules.rule import Rule
from service.domain.redact_rules.samples import digits, hexes, upper
from service.domain.redact_rules.tree import words
from service.domain.redact_rules.values import has_digit

_F = "codes"
_CODE = (
    r"(?:\d{4}[ ]\d{4}|[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{3,10}){1,3}"
    r"|(?=[A-Za-z]{0,9}\d)[A-Za-z0-9]{6,12})(?![A-Za-z0-9-])"
)
_LEAD = r"(?:[\s,;|]{1,6}(?:[-*•][ ]|\d{1,2}[.)][ ]{0,2})?)"


def is_code_list(text: str) -> bool:
    """Whether each of several codes has a digit, or the one code has: words that are listed have none."""
    return all(has_digit(part) for part in re.findall(r"[A-Za-z0-9-]{4,}", text))


def is_grouped_key(text: str) -> bool:
    """Whether groups of capitals mix letters with digits, as no row of words does."""
    groups = text.split("-")
    mixed = sum(has_digit(group) and not group.isdigit() for group in groups)
    return mixed > 1 and len(set(text)) > 8


def is_card(text: str) -> bool:
    """Whether the digits satisfy the check digit that card numbers carry (Luhn)."""
    numbers = [int(sign) for sign in reversed(text) if sign.isdigit()]
    doubled = [number * 2 - 9 * (number > 4) for number in numbers[1::2]]
    return (sum(numbers[::2]) + sum(doubled)) % 10 == 0 and len(set(numbers)) > 1


RULES: tuple[Rule, ...] = (
    Rule(
        "recovery-code",
        _F,
        re.compile(
            r"(?i:(?:recovery|backup|scratch|emergency|rescue|2fa|mfa)[ _-]?codes?|codes de secours"
            r"|wiederherstellungscodes?"
            r"|códigos de (?:recuperación|respaldo)|резервны[ей] код[ыа]?|恢复代码|备用码|备份码)"
            r",?(?:[ ][^\s:]{1,16}){0,10}?"
            rf"[ \t]{{0,2}}[:：=是]?[\s>*`\"'-]{{1,6}}(?P<secret>{_CODE}(?:{_LEAD}{_CODE}){{0,24}})"
        ),
        words("""
    recovery Recovery RECOVERY backup Backup BACKUP scratch Scratch emergency Emergency rescue Rescue 2fa 2FA MFA mfa
    codes Codes Wiederherstellungscode wiederherstellungscode códigos Códigos резервны Резервны 恢复代码 备用码 备份码
"""),
        "recovery codes:\n" + hexes(5) + "-" + hexes(9)[4:] + "\n",
        "backup code paths are tested",
        accept=is_code_list,
    ),
    Rule(
        "pin",
        _F,
        re.compile(
            r"(?<![A-Za-z])(?:(?:SIM|card|door|phone|tablet|Karten-?)[ ]?PIN|PIN|PUK|CVV2?|CVC2?)(?:[ -]?(?:code"
            r"|Code|number))?"
            r"(?:[ ]?[:=#][ ]?|[ ](?:is[ ]|ist[ ]|est[ ]|es[ ])?)(?P<secret>\d{3,10})(?![\d.,:/-]?[A-Za-z0-9])"
        ),
        ("PIN", "PUK", "CVV", "CVC", "SIM PIN", "card", "door", "phone", "tablet", "Karten"),
        "SIM PIN " + digits(4),
        "PIN 13 is an input",
        accept=lambda text: len(text) > 2,
    ),
    Rule(
        "pin",
        _F,
        re.compile(
            r"(?i:(?:door|gate|alarm(?:anlagen)?|entry|safe|lock|unlock|garage|parental|voicemail|one[ -]time|login|sms"
            r"|verification|tür|zugangs)"
            r"[ -]?(?:code|pin|combination))(?:[ ][^\s\d:]{1,12}){0,6}?[ ]?[:=]?[ ]{0,2}"
            r"(?P<secret>[*#]?\d{4,10}[*#]?)(?![\d.]?\d)"
        ),
        words("""
    door Door gate Gate alarm Alarm Alarmanlagen entry Entry safe Safe lock unlock Unlock garage Garage parental voicemail
    one-time One-time login Login sms SMS verification Verification Tür Zugangs
"""),
        "the door code is " + digits(4) + "#",
        "the exit code is 137",
    ),
    Rule(
        "card-number",
        _F,
        re.compile(
            r"(?i:card(?: number| no\.?|nr\.?)?|visa|mastercard|amex|kreditkarte\w{0,7}|tarjeta|carte|卡号)"
            r"[^\n\d]{0,24}"
            r"(?P<secret>[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{3,4})(?!\d)"
        ),
        words("card Card CARD visa Visa VISA mastercard Mastercard amex Amex Kreditkarte tarjeta Tarjeta carte 卡号"),
        "card number 4012 8888 8888 1881",
        "card 4012 8888 8888 1882",
        accept=is_card,
    ),
    Rule(
        "license-key",
        _F,
        re.compile(
            r"(?i:licen[sc]e|activation|product|serial|registration|lizenz|lizenzschlüssel|seriennummer|licencia"
            r"|licence|激活码|序列号)"
            r"[ _-]?(?i:key|code|number|no\.?|nummer"
            r"|schlüssel)?[\"']?(?:[ ][^\s:=\d]{1,14}){0,3}?[ \t]{0,2}[:=：是]?[ \t\"'`]{0,3}"
            r"(?P<secret>(?=[A-Z-]{0,30}\d)[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7})(?![A-Za-z0-9-])"
        ),
        words("""
    license licence License Licence LICENSE activation Activation product Product PRODUCT serial Serial SERIAL
    registration Registration Lizenz lizenz Seriennummer licencia 激活码 序列号
"""),
        "product key " + "-".join((upper(5), upper(7)[2:], upper(9)[4:])),
        "product key performance indicators",
    ),
    Rule(
        "license-key",
        _F,
        re.compile(
            r"(?<![A-Za-z0-9-])(?:(?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}|(?:[A-Z0-9]{4}-){5}[A-Z0-9]{4})(?![A-Za-z0-9-])"
        ),
        (),
        "-".join((upper(5), upper(7)[2:], upper(9)[4:], upper(11)[6:], upper(13)[8:])),
        "BUILD-LINUX-ARM64-DEBUG-TESTS",
        accept=is_grouped_key,
    ),
    Rule(
        "account-number",
        _F,
        re.compile(r"(?i:mullvad)[^\n\d]{0,100}(?P<secret>\d{4}(?:[ -]?\d{4}){3})(?!\d)"),
        ("mullvad", "Mullvad"),
        "mullvad account " + digits(16),
        "mullvad 2026.1",
    ),
    Rule(
        "recovery-key",
        _F,
        re.compile(r"(?<![\d-])\d{6}(?:-\d{6}){7}(?![\d-])"),
        (),
        "-".join(digits(6 + n)[n:] for n in range(8)),
        "480229-906023",
    ),
    Rule(
        "license-key",
        _F,
        re.compile(r"(?<![A-Za-z0-9])[A-Z0-9]{10}-eyJsaWNlbnNlSWQi[A-Za-z0-9+/=-]{40,}"),
        ("-eyJsaWNlbnNlSWQi",),
        upper(10) + "-eyJsaWNlbnNlSWQi" + upper(80),
        "-eyJsaWNlbnNlSWQi",
        reach=10,
    ),
    Rule(
        "app-password",
        _F,
        re.compile(
            r"(?i:app(?:lication)?[ _-]?(?:specific[ _-]?)?password),?(?:[ ][^\s:=]{1,14}){0,5}?[ \t]{0,3}(?:[:=：]|is)"
            r"[ \t]{0,3}[\"'`]?(?P<secret>[a-z]{16}|[a-z]{4}(?:[ -][a-z]{4}){3})(?![A-Za-z])"
        ),
        words("app App APP application Application"),
        "app password for mail is " + "qzkxwvjhgbtnmrdl",
        "app password is required",
    ),
    Rule(
        "setup-key",
        _F,
        re.compile(
            r"(?i:(?:setup|secret|authenticator|totp|2fa|otp|mfa)[ _-]?(?:key|seed|secret|code))"
            r"(?:[ ][^\s:=]{1,14}){0,4}?[ \t]{0,2}(?:[:=：]|is)[ \t]{0,3}[\"'`]?"
            r"(?P<secret>[A-Za-z2-7]{4}(?:[ ][A-Za-z2-7]{4}){3,12})(?![A-Za-z0-9])"
        ),
        words("setup Setup secret Secret SECRET authenticator totp TOTP 2fa 2FA otp OTP mfa MFA"),
        "setup key: " + " ".join(("c4hq", "yd2t", "3up6", "ufon")),
        "setup key: read this then call back",
        accept=has_digit,
    ),
)
