"""Tells program output and code from words: logs, stack traces, test reports, diffs, shell lines, source."""

from collections.abc import Iterator

import regex

from service.summarizers.outline_phrases import alternatives

# What a line is shows at its front.
_HEAD = 1_000

_OUTPUT = alternatives(
    r"""
    \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d | \[?\d\d:\d\d:\d\d | \[?(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} +\d{1,2} \d\d:\d\d
    (\[\s*)?(TRACE|DEBUG|INFO|NOTICE|WARN(ING)?|ERROR|FATAL|CRITICAL|PANIC)\b(\s*\]|\s*:|\s\s|\s+[\[\w.]+:)
    npm (ERR!|error|WARN|warn) | error(\[E\d+\]|: | TS\d+) | fatal: | panic: | goroutine \d+ | make(\[\d+\])?: \*\*\*
    (ld|gcc|clang|rustc|docker|bash|zsh|sh|sudo|git|curl): | thread '[^']{0,80}'.{0,40} (panicked|has overflowed)
    Segmentation fault | Exit code | exit (code|status)
    at\s+\S.{0,300}(\(|:\d+) | File ".{1,300}", line \d | Traceback \(most | Caused by: | note: run with
    \.{3} \d+ more | During handling of | Aborted( \(core dumped\))?$
    ([A-Za-z_][\w.$]{0,120})?(Error|Exception|Warning)(\s*\[.{0,60}\])?:\s | Error from server | Fehler: | E\s{2,}\S
    [\w./\\-]{1,200}\.\w{1,6}[:(]\d+([:,]\d+)?\)?:? | [\w./\\-]{1,200}\.\w+\(0x | 0x[0-9a-fA-F]{4,}
    ([$%❯➜]|PS [A-Z]:\\.{0,200}>|[\w.-]{1,60}@[\w.-]{1,60}:[^\s$#]{0,200}[$#])\s+\S
    (FAILED|PASSED|PASS|FAIL|ok|not ok|[✓✗✖×●])\s+\S+(::|\.\w{1,5}\b| -| \d) | =+ .* =+$ | -{3,}\s\S.*-{3,}$
    \d+ (passed|failed)\b | diff --git | index [0-9a-f]{6,} | @@\s | \+\+\+\s | ---\s\S | >>>?\s | \^+\s*$ | ~+\^
    [+-](\s{2,}|[\w@{}<]\S*\s*[=({;]) | \d+\s*\|\s | (GET|POST|PUT|PATCH|DELETE|HEAD) /\S*\s+(HTTP/|\d{3}\b)
    """
)
_CODE = alternatives(
    r"""
    [\[{(<\]})]\s*$ | \{\s*" | "[^"]{1,80}"\s*: | <\?xml | #include\b
    (import|from)\s[\w.{]+(\s+import\b|;|\s*$) | //\s
    (const|let|var|export|public|private|static|func|fn|def|class|return|package)\s[^.?!。]{0,200}[;{(:=]\s*$
    (def|class|func|fn|function)\s+\w+\s*[(<:{] | [\w.\[\]"']+\s*(=|\+=|:=)\s*\S+[)\]};]?\s*$
    [^\s].*[;{}]\s*$ | </?\w[^>]{0,300}>.*</\w+>\s*$
    """
)
_PASTED = regex.compile(rf"\s*(?:{_OUTPUT}|{_CODE})")
_FENCE = regex.compile(r"\s{0,8}(`{3,}|~{3,})")
_NO_LETTERS = regex.compile(r"[^\p{L}\p{M}]+")


def is_pasted(line: str) -> bool:
    """Whether a line is program output or code rather than something a person worded."""
    head = line[:_HEAD]
    return bool(_PASTED.match(head)) or _is_mostly_signs(head)


def worded_lines(text: str) -> Iterator[str]:
    """The lines that somebody worded: what stands in fences and quotes, and what is pasted, is left out."""
    fence = ""
    for line in text.splitlines():
        if mark := _FENCE.match(line):
            fence = _fence_after(mark[1], fence)
        elif not fence and line.strip() and not line.lstrip().startswith(">") and not is_pasted(line):
            yield line[:_HEAD]


def pasted_share(text: str) -> float:
    """How much of a message is pasted output or code, by lines: 0 for prose, 1 for nothing else."""
    lines = sum(1 for line in text.splitlines() if line.strip())
    return 1 - sum(1 for _ in worded_lines(text)) / lines if lines else 0.0


def _fence_after(mark: str, fence: str) -> str:
    """The fence that is open behind a line of marks; a shorter or other mark inside an open one closes nothing."""
    if not fence:
        return mark
    return "" if mark.startswith(fence) else fence


def _is_mostly_signs(line: str) -> bool:
    """Prose is letters; rows of numbers, paths and punctuation are output."""
    body = line.strip()
    return len(body) > 12 and len(_NO_LETTERS.sub("", body)) < len(body) * 0.45
