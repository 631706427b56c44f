"""Ctrl-C before the program is ready: it ends at once, like a program in C, and not with a traceback.

A program that only imports the package is left as it is.
"""

import os
import sys


def is_program() -> bool:
    """Is the package being imported by its own program, `eleengine` or `python -m eleengine`?"""
    started: str = getattr(sys, "argv", [""])[0]
    if started not in sys.orig_argv:  # embedded, or a worker that a program has started
        return False
    if started == "-m":  # so it is called until the module has been found
        module = sys.orig_argv[sys.orig_argv.index("-m") + 1 :][:1]
        return module in (["eleengine"], ["eleengine.ucci"])
    return os.path.splitext(os.path.basename(started))[0] == "eleengine"


def let_ctrl_c_end() -> None:
    """Until the command or the engine says otherwise. A Ctrl-C that the parent ignores stays ignored."""
    try:
        if is_program():
            import signal

            if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
    except KeyboardInterrupt:
        os._exit(130)
