"""The command line: one file per subcommand."""

from linpoint.cli.app import main, program

__all__ = ["main", "program"]
