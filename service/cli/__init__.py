"""The command line: one module per group of commands, each importing what is heavy only when it runs."""

from service.cli.app import main

__all__ = ["main"]
