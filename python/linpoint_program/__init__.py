"""`linpoint`: the first lines of the program, which come before the library is there.

Importing linpoint takes a moment. A Ctrl-C in that moment would come out as a traceback through half of the library, so until
the command line can answer, the signal has its plain effect: the process ends at once, without a word (130 in a shell).
This package exists because importing anything of `linpoint` imports all of it first. Nothing heavy belongs here.
"""

import signal


def main() -> None:
    """Runs the program; the exit status is that of `linpoint.cli.main`."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not if the caller wants it ignored (nohup)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from linpoint.cli import main as program  # noqa: PLC0415 - only now

    program()
