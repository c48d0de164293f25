"""`dovetail c++`: clang with SYCL.

Without `-fsycl` this process is replaced by clang, so modules for SYCL are imported late.
"""

import gc
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from dovetail.cli.entry import print_version
from dovetail.cli.response_files import expanded
from dovetail.errors import UsageError
from dovetail.processes.response_file import replace_process
from dovetail.resources import CLANG, tool_path

_ON, _OFF = "-fsycl", "-fno-sycl"
_HELP_OF_DPCPP = "-fsycl-help"
_DOVETAIL_PREFIXES = ("-fsyclbin", "-fsycl-")
_CLANG_OPTIONS = ("-fsycl-device-only", "-fsycl-host-only")

_SOURCE_SUFFIXES = (".C", ".c++", ".cc", ".cp", ".cpp", ".cxx")
_INCLUDE_OF_SYCL = rb"""^[ \t]*#[ \t]*include[ \t]*[<"](sycl|CL)/sycl\.hpp[>"]"""
_MAX_SEARCHED = 1 << 20
"""How much of a source is searched, in bytes."""
_FOLDER_OPTIONS = ("-I", "-isystem", "-iquote")


def run(args: Sequence[str]) -> int:
    """See `dovetail c++ --help`."""
    given = expanded(args)
    if "--help" in given:
        from dovetail.cli.cxx_sycl import help_text

        print(help_text())
        return 0
    if "--version" in given:
        print_version()
        return 0
    if any(arg == _HELP_OF_DPCPP or arg.startswith(f"{_HELP_OF_DPCPP}=") for arg in given):
        from dovetail.cli.dpcpp_help import help_text as help_of_dpcpp

        print(help_of_dpcpp())
        return 0
    switches = [arg for arg in given if arg in (_ON, _OFF)]
    if switches[-1:] == [_ON]:
        # The process is short-lived, and collections while modules load take a tenth of a build.
        gc.disable()
        from dovetail.cli.cxx_sycl import run_sycl
        from dovetail.cli.long_spellings import short_spellings

        return run_sycl(short_spellings([arg for arg in given if arg != _OFF]))
    if not switches:
        _advise(given)
    kept = _without_dpcpp_options(given)
    # A pipe has been read already; clang reads other response files itself.
    from_pipe = any(arg.startswith("@") and Path(arg[1:]).is_fifo() for arg in args)
    replace_process([tool_path(CLANG), *(kept if from_pipe or kept != given else args)])


def _advise(given: list[str]) -> None:
    """Print a note if a source needs `-fsycl`. Clang's error follows: it finds no such header."""
    source = sycl_source(given)
    if source:
        print(
            f"dovetail: note: '{source}' includes the SYCL headers; add -fsycl to compile it",
            file=sys.stderr,
        )


def sycl_source(args: Sequence[str]) -> str:
    """Return the first source that includes the SYCL headers, which no option finds; or ""."""
    if any(Path(folder, "sycl/sycl.hpp").exists() for folder in _include_folders(args)):
        return ""
    for arg in args:
        if arg.endswith(_SOURCE_SUFFIXES) and not arg.startswith("-"):
            with suppress(OSError), Path(arg).open("rb") as file:
                if re.search(_INCLUDE_OF_SYCL, file.read(_MAX_SEARCHED), re.MULTILINE):
                    return arg
    return ""


def _include_folders(args: Sequence[str]) -> Iterator[str]:
    """Yield the folders in which clang looks for headers, as far as options name them."""
    rest = iter(args)
    for arg in rest:
        for option in _FOLDER_OPTIONS:
            if arg.startswith(option):
                yield arg.removeprefix(option) or next(rest, "")


def _without_dpcpp_options(given: list[str]) -> list[str]:
    """Return the arguments without options of DPC++, which have no effect without `-fsycl`."""
    kept: list[str] = []
    for arg in given:
        if not arg.startswith(_DOVETAIL_PREFIXES) or arg in _CLANG_OPTIONS:
            kept.append(arg)
        elif _is_unused(arg):
            print(
                f"dovetail: warning: argument unused during compilation: '{arg}'"
                " [-Wunused-command-line-argument]",
                file=sys.stderr,
            )
        else:
            raise UsageError(
                f"'{arg}' requires -fsycl", hint="add -fsycl; without it, this command is clang"
            )
    return kept


def _is_unused(arg: str) -> bool:
    # Imported late: few commands without -fsycl have such options.
    from dovetail.driver.dpcpp_options import BY_SPELLING, Treatment

    row = BY_SPELLING.get(arg) or BY_SPELLING.get(f"{arg.partition('=')[0]}=")
    return row is not None and row.treatment is not Treatment.REFUSED
