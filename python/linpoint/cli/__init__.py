"""The command line: one file per subcommand."""

from linpoint.cli.app import app, main

__all__ = ["app", "main"]
