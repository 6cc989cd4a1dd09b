"""Help that names an argument as it is typed: `PATH...`, without braces and without the name of a Python type."""

from typing import TYPE_CHECKING

from typer.core import TyperArgument, TyperCommand

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter


class PlainCommand(TyperCommand):
    """A command with arguments, whose help is for people who know no Python."""

    def collect_usage_pieces(self, ctx: "Context") -> list[str]:
        """What stands behind the command's name; brackets stand only around what may be left out."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """The arguments by their names alone, then the options as typer writes them."""
        shown = [(param, record) for param in self.get_params(ctx) if (record := param.get_help_record(ctx))]
        arguments = [(param.display_name_raw, words) for param, (_, words) in shown if isinstance(param, TyperArgument)]
        options = [record for param, record in shown if not isinstance(param, TyperArgument)]
        for heading, rows in (("Arguments", arguments), ("Options", options)):
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)
