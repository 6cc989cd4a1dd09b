"""What a text is about, as words that can be compared: works with and without blanks between them."""

from collections import Counter
from collections.abc import Callable, Iterable
from math import log

import regex

# Scripts written without blanks (and Hangul, whose words carry endings) are compared by pairs of characters.
SPACELESS = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
SPACELESS_LETTER = regex.compile(f"[{SPACELESS}]")
_WORD = regex.compile(rf"(?P<run>[{SPACELESS}]+)|[\p{{L}}\p{{M}}\p{{N}}--[{SPACELESS}]]+", flags=regex.VERSION1)
_GRAMMAR = regex.compile(r"[\u3040-\u309fー]+$|.*[的了是在我你他它们這这那和就也都不吗呢吧把被给请要会能].*")
_HUMP = regex.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FILE = regex.compile(r"[\w./\\-]{1,200}\.[A-Za-z][A-Za-z0-9]{0,7}\b")

_COMMON_FILES_TEXT = """
    readme.md changelog.md claude.md agents.md gemini.md todo.md package.json package-lock.json pnpm-lock.yaml
    yarn.lock pyproject.toml uv.lock poetry.lock requirements.txt cargo.toml cargo.lock go.mod go.sum .gitignore
    makefile tsconfig.json
"""
_COMMON_FILES = frozenset(_COMMON_FILES_TEXT.split())

# Endings differ, stems agree: at six letters, a plural s aside, "export", "exported", "Exporte" and "экспорта" agree.
_STEM = 6
_MOST_WORDS = 400

_STOP_WORDS_TEXT = """
    a about after all also am an and any are as at be been before but by can could did do does doing done dont for
    from
    get go going good got had has have he help her here him his how i if im in into is it its ive just know let lets
    like
    look make me more my need no not now of off ok okay on one only or other our out over please really right run s
    same
    see she should so some still sure t take tell thank thanks that thats the their them then there these they thing
    this
    those to too try up us use used using very want was way we well were what when where which while who why will
    with
    work working works would yes you your add added adding change changed fix fixed first new file files code next
    aber alle als am an auch auf aus bei bis bitte da das dass dein dem den der des die dies diese doch du ein eine
    einem
    einen einer er es für hat habe haben hier ich im in ist ja jetzt kann kannst man mal mehr mein mit mir nach
    nicht noch
    nur ob oder sein sich sie sind so um und uns von vor war was wenn werden wie wir wird zu zum zur dann mach
    machen
    au aux avec ce ces cette dans de des du elle en est et il je la le les leur mais mes mon ne nous on ou par pas
    pour
    que qui sa se ses son sont sur tu un une vous plus fait peux
    al como con cual de del el ella en es esta este esto hay la las lo los más me mi no para pero por puedes que se
    si sin
    son su un una y ya o da do e em não os uma um na no com che di il per non sono
    а без был бы в во все вот вы да для до его ее если есть ещё же за и из или их к как когда кто ли мне мы на надо
    не
    него нет но ну о он она они от по под при с сейчас со так там то тоже только ты у уже что чтобы это этот я
    можешь
    нужно сделай пожалуйста
"""
_STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())


def vocabulary(text: str) -> frozenset[str]:
    """The words that carry meaning, stems instead of forms; at most a few hundred, from the front."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(_HUMP.sub(" ", text)):
        word = match[0]
        if match["run"]:
            found.update(dict.fromkeys(_bigrams(word)))
        elif len(word) > 1 and (folded := word.casefold()) not in _STOP_WORDS:
            found[_stem(folded)] = None
        if len(found) >= _MOST_WORDS:
            break
    return frozenset(found)


def telling_files(paths: Iterable[str]) -> frozenset[str]:
    """The names of files, without those that every second change touches: they tell no goal from another."""
    return frozenset(map(file_name, paths)) - _COMMON_FILES


def files_named(text: str) -> frozenset[str]:
    """The names of telling files a text mentions, without their folders."""
    return telling_files(_FILE.findall(text[:4_000]))


def file_name(path: str) -> str:
    """The last part of a path, in one letter case, whichever way its slashes lean."""
    return path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].casefold()


def rarity(texts: Iterable[frozenset[str]]) -> Callable[[str], float]:
    """Tells how much a word says about a text: the inverse document frequency over the given ones."""
    counts: Counter[str] = Counter()
    total = 0
    for total, words in enumerate(texts, start=1):  # noqa: B007 - the last count is the number of texts
        counts.update(words)
    return lambda word: log(1 + (total + 1) / (counts[word] + 0.5))


def overlap(words: frozenset[str], others: Iterable[frozenset[str]], weight: Callable[[str], float]) -> float:
    """The weighted share of `words` that any of the others holds, 0 to 1; 0 where there is no word."""
    known = words.intersection(frozenset().union(*others))
    whole = sum(map(weight, words))
    return sum(map(weight, known)) / whole if whole else 0.0


def _stem(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1][:_STEM] if plural else word[:_STEM]


def _bigrams(run: str) -> list[str]:
    if len(run) < 2:
        return []
    pairs = (run[start : start + 2] for start in range(len(run) - 1))
    return [pair for pair in pairs if not _GRAMMAR.match(pair)]
