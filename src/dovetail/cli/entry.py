"""Entry points of the commands `dovetail` and `dovetail-c++`.

Build systems often query a compiler's version, so that is handled before other imports.
"""

import os
import sys

from dovetail.version import __version__

_VERSION = "--version"
_CXX = "c++"

_CLANG = "clang version 22.1"
"""The start of the version of every release of the LLVM that the plugin is built for."""


def dovetail() -> int:
    """Run `dovetail`."""
    return _start(sys.argv[1:])


def dovetail_cxx() -> int:
    """Run `dovetail-c++`: `dovetail c++` as a single word, as build systems require."""
    return _start([_CXX, *sys.argv[1:]])


def _start(args: list[str]) -> int:
    """Run a command; the compiler command exits at once, without freeing memory."""
    if args == [_CXX, _VERSION]:
        return _version_command()
    try:
        from dovetail.cli.main import main
    except KeyboardInterrupt:
        # As in `main`, for interrupts while modules load.
        print("dovetail: interrupted", file=sys.stderr)
        return 130
    status = main(args)
    if args[:1] == [_CXX]:
        _exit_at_once(status)
    return status


def _version_command() -> int:
    try:
        print_version()
    except OSError as error:
        # As in `main`, which is not imported here. A closed pipe needs no message.
        if not isinstance(error, BrokenPipeError):
            print(f"dovetail: error: {error.strerror}", file=sys.stderr)
        sys.stdout = None
        return 1
    return 0


def _exit_at_once(status: int) -> None:
    """Exit without Python's finalization.

    All outputs of a build are written files. Destroying Python's modules and LLVM's objects takes
    longer than starting Python.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            # Closed streams have been set to None.
            if stream:
                stream.flush()
        except OSError:
            pass
    os._exit(status)


def print_version() -> None:
    """Print Dovetail's and clang's version; some build systems search for clang's name."""
    print(f"dovetail {__version__}\n{_CLANG}", flush=True)
