"""How a command ends when it cannot do what was asked."""

# Ended by Ctrl-C, as shells number it: 128 and the signal.
INTERRUPTED = 130
# What the option parser itself ends with where whoever read our output has gone.
PIPE_CLOSED = 1
FOLDER_IN_USE = 5


class CommandError(Exception):
    """What the person should know and do, in one sentence, and the exit code."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code
