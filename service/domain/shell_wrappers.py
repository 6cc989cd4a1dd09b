"""What stands before a command without being it: `FOO=1`, `sudo`, `timeout 60`, `bash -lc`."""

import re
from dataclasses import dataclass

from service.domain.programs import program_name

_MAX_WRAPPERS = 12
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_DURATION = re.compile(r"[0-9.]+[smhd]?")

# What starts another program, with the flags of its own that take a value.
_WRAPPERS = {
    name: frozenset(flags.split())
    for name, flags in {
        "env": "-u --unset -C --chdir",
        "time": "-f --format -o --output",
        "gtime": "-f --format -o --output",
        "timeout": "-s --signal -k --kill-after",
        "gtimeout": "-s --signal -k --kill-after",
        "sudo": "-u --user -g --group -D --chdir",
        "doas": "-u",
        "nice": "-n --adjustment",
        "ionice": "-c -n",
        "stdbuf": "-i -o -e",
        "xvfb-run": "-s --server-args -n",
        "nohup": "",
        "command": "",
        "builtin": "",
        "exec": "",
        "setsid": "",
        "unbuffer": "",
        "caffeinate": "-t",
    }.items()
}


@dataclass(frozen=True, slots=True)
class Options:
    """What `set -e` and `set -o pipefail` change about results."""

    errexit: bool = False
    pipefail: bool = False


def unwrap(words: tuple[str, ...]) -> tuple[str, ...]:
    """The command behind `FOO=1`, `env`, `time`, `timeout 60`, `sudo`, `nohup` and their like."""
    for _ in range(_MAX_WRAPPERS):
        at = 0
        while at < len(words) and _ASSIGNMENT.match(words[at]):
            at += 1
        words = words[at:]
        name = program_name(words[0]) if words else ""
        if name not in _WRAPPERS:
            return words
        if name == "command" and words[1:2] in (("-v",), ("-V",)):  # asks where a program is
            return words
        words = _behind_wrapper(name, words[1:])
    return ()


def _behind_wrapper(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    at = 0
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "--":
            at += 1
            break
        at += 2 if words[at] in _WRAPPERS[name] else 1
    if name in ("timeout", "gtimeout") and at < len(words) and _DURATION.fullmatch(words[at]):
        at += 1
    return words[at:]


def nested_script(words: tuple[str, ...]) -> tuple[str, Options] | None:
    """The script in `bash -lc "…"` and its like, with what the flags before it set."""
    if not words:
        return None
    name = program_name(words[0])
    if name == "eval":
        return " ".join(words[1:]), Options()
    if name in ("pwsh", "powershell", "cmd"):
        flag = next((at for at, word in enumerate(words) if word.lower() in ("-c", "-command", "/c")), None)
        return None if flag is None else (" ".join(words[flag + 1 :]), Options())
    if name not in _SHELLS:
        return None
    flags = []
    for at, word in enumerate(words[1:], 1):
        flags.append(word)
        if word[:1] not in "-+" and words[at - 1][-1:] not in ("o", "O"):
            return None
        if word.startswith("-") and not word.startswith("--") and "c" in word and at + 1 < len(words):
            return words[at + 1], options_of(flags, Options())
    return None


def options_of(flags: tuple[str, ...] | list[str], options: Options) -> Options:
    """The options as these flags leave them: `-euo pipefail`, `+e`, `-o errexit`."""
    errexit, pipefail = options.errexit, options.pipefail
    for at, flag in enumerate(flags):
        on = flag.startswith("-")
        if flag[:1] not in ("-", "+") or flag.startswith("--"):
            continue
        name = flags[at + 1] if flag.endswith("o") and at + 1 < len(flags) else ""
        errexit = on if "e" in flag or name == "errexit" else errexit
        pipefail = on if name == "pipefail" else pipefail
    return Options(errexit, pipefail)
