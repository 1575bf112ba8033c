"""`linpoint`: the first lines of the program, which come before the library is there.

Importing linpoint takes a moment. A Ctrl-C in that moment would come out as a traceback through half of the library, so until
the command line can answer, the signal has its plain effect: the process ends at once, without a word (130 in a shell).
This package exists because importing anything of `linpoint` imports all of it first. Nothing heavy belongs here.
"""

import gc
import os
import signal
import sys


def main() -> None:
    """Runs the program; the exit status is that of `linpoint.cli.main`."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not if the caller wants it ignored (nohup)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.argv[1:] == ["--version"]:
        _tell_version()
    gc.disable()  # what is imported stays: looking through it again and again for garbage takes a tenth of the time
    from linpoint.cli import main as program  # noqa: PLC0415 - only now

    gc.freeze()
    gc.enable()
    program()


def _tell_version() -> None:
    """Prints the version and leaves. The core knows it, and is loaded without the package around it, which takes longer."""
    from importlib.machinery import PathFinder  # noqa: PLC0415

    package = PathFinder.find_spec("linpoint")
    core = None if package is None else PathFinder.find_spec("linpoint._core", package.submodule_search_locations)
    module = core.loader.create_module(core) if core is not None and core.loader is not None else None
    if core is None or core.loader is None or module is None:
        return  # the command line knows what to say, here and below
    core.loader.exec_module(module)
    try:
        os.write(1, f"linpoint {module.__version__}\n".encode())
    except OSError:
        return
    os._exit(0)
