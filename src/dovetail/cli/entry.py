"""Where the commands `dovetail` and `dovetail-c++` begin.

Build systems ask compilers for their version again and again, so that is answered before anything
is imported.
"""

import os
import sys

from dovetail.version import __version__

_VERSION = "--version"
_CXX = "c++"

_CLANG = "clang version 22.1"
"""Every release of the one LLVM that the plugin is built for begins so."""


def dovetail() -> int:
    """`dovetail`."""
    return _start(sys.argv[1:])


def dovetail_cxx() -> int:
    """`dovetail-c++`: the compiler as a single word, as build systems want it."""
    return _start([_CXX, *sys.argv[1:]])


def _start(words: list[str]) -> int:
    if words == [_CXX, _VERSION]:
        return _tell_version()
    try:
        from dovetail.cli.main import main
    except KeyboardInterrupt:
        # As `main` has it, for those who are quicker than Python.
        print("dovetail: interrupted", file=sys.stderr)
        return 130
    status = main(words)
    if words[:1] == [_CXX]:
        _leave(status)
    return status


def _tell_version() -> int:
    try:
        print_version()
    except OSError as error:
        # As `main` has it, which this need not pay for; a reader that is gone needs no words.
        if not isinstance(error, BrokenPipeError):
            print(f"dovetail: error: {error.strerror}", file=sys.stderr)
        sys.stdout = None
        return 1
    return 0


def _leave(status: int) -> None:
    """End the process at once.

    What a build leaves behind is files, and these are written. Taking Python's modules and LLVM
    apart again takes longer than Python's start.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            # What nobody reads any more may be gone already.
            if stream:
                stream.flush()
        except OSError:
            pass
    os._exit(status)


def print_version() -> None:
    """Ours, and whose compiler it is: some build systems look for clang's name here."""
    print(f"dovetail {__version__}\n{_CLANG}", flush=True)
