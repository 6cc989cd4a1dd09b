"""Rules a person stated for the project, in the person's own words."""

from collections.abc import Iterable, Iterator, Sequence

import regex

from service.domain.messages import FactKind
from service.summarizers.outline_phrases import alternatives
from service.summarizers.outline_text import lines_of, plain, sentences
from service.summarizers.outline_turns import Turn
from service.summarizers.outline_vocabulary import vocabulary

_LONGEST_RULE = 240

# "Always run the linter" is a rule; "always fails", "never worked" and "never mind" tell of something.
_NO_ORDER = r"(?!(?:mind|seen|have|has|again|got|had|been|was|is|does|did)\b|\w+(?<!s)s\b|\w+ed\b)"
_THING = r"[^\s,]{1,60}(?:\s\S{1,60}){0,3}?"
_RULE = regex.compile(
    alternatives(
        rf"""
        ^((and|but|please|also|so|note|rule|important|remember|no)[,:.!]?\s+)*(always|never( ever)?)\s+{_NO_ORDER}\w
        \b(you|we) (must|should|need to|have to) (always|never)\b | \bwe (always|never) {_NO_ORDER}\w
        \b(must|should) (always|never) be\b | \bfrom now on\b | \bgoing forward\b | \bevery time you\b
        \bin this (project|repo(sitory)?|codebase)\b.{{0,80}}\b(use|run|must|never|always|don'?t)
        \b(make sure (to|you)|remember to|be sure to) always\b | \b(do not|don'?t) ever\b
        \buse {_THING},? (not|instead of|rather than|and not|never) \S | \b(do not|don'?t) use {_THING}[,;]? use\b
        ^(immer|niemals|nie) \w | \b(ab jetzt|ab sofort|von nun an|künftig|grundsätzlich)\b
        \bbitte (immer|nie(mals)?)\b | \b(nimm|nutze|verwende|benutze?) .{{1,60}}\b(statt|nicht)\b
        \bdu (sollst|darfst) (immer|nie(mals)?)\b
        ^((ne )?jamais|toujours) \w | \bdésormais\b | \bà partir de maintenant\b
        \butilise .{{1,60}}\b(pas|au lieu de|plutôt que)\b
        ^(siempre|nunca|sempre|mai) \w | \ba partir de (ahora|agora)\b | \bd'ora in poi\b
        \b(usa|utiliza) .{{1,60}}\b(en (vez|lugar) de|no)\b
        ^(всегда|никогда) \w | \b(отныне|впредь)\b | \bс этого момента\b
        \bиспользуй(те)? .{{1,60}}(, (а )?не\b|\bвместо\b)
        今後は | これからは | (常に|必ず).{{1,40}}(して|する|使) | 絶対に.{{1,40}}(ないで|しない|禁止)
        ではなく.{{1,40}}使
        从现在(开始|起) | 以后(都|请|要|不要) | ^请?(总是|始终|务必|一定要|永远不要|绝对不要|切勿)
        用.{{1,30}}(不要用|而不是|别用) | 不要用.{{1,30}}用
        앞으로는? | 항상.{{1,40}}(하세요|해|사용) | 절대.{{1,40}}(마|말) | 대신.{{1,30}}(사용|써)
        จากนี้ไป | ต้อง.{{1,40}}เสมอ | ห้าม | อย่าใช้
        """
    ),
    regex.IGNORECASE,
)
_POLITE_FRONT = regex.compile(r"^(?:(?:and|but|so|also|ok|sorry|please|bitte|und)[,:.!]?\s+)+", regex.IGNORECASE)
_ASKS_OR_TELLS = regex.compile(
    r"[?？؟]\s*$|^(?:why|what|how|when|does|do|is|are|warum|wieso|pourquoi|por qué|почему)\b", regex.IGNORECASE
)


def constraints_of(turns: Sequence[Turn]) -> list[str]:
    """The rules in the order they were stated; a later one about the same things takes the earlier one's place."""
    rules: dict[frozenset[str], str] = {}
    for sentence in _said(turns):
        rule = _POLITE_FRONT.sub("", sentence)
        if len(rule) <= _LONGEST_RULE and _RULE.search(rule) and not _ASKS_OR_TELLS.search(rule):
            subject = vocabulary(rule) or frozenset({rule.casefold()})
            rules.pop(subject, None)
            rules[subject] = rule.rstrip(" ,;")
    return list(rules.values())


def _said(turns: Iterable[Turn]) -> Iterator[str]:
    """What the person typed, and the reasons given for refusing a tool."""
    for turn in turns:
        for line in lines_of(turn.words):
            yield from sentences(line.text)
        for fact in turn.facts:
            if fact.kind is FactKind.DENIED:
                yield from sentences(plain(fact.text.partition(": ")[2]))
