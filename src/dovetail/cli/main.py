"""The `dovetail` command: finds the subcommand, runs it, and turns errors into messages.

A subcommand's module is imported only when it is asked for, so that none pays for another.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, Protocol, cast

from dovetail.cli.output import safe_streams
from dovetail.errors import (
    DovetailError,
    OutOfMemory,
    UsageError,
    is_out_of_memory,
    nearest,
)
from dovetail.settings import SETTINGS
from dovetail.version import __version__

BUG_STATUS = 70


class Command(Protocol):
    """What a subcommand's module has to offer."""

    def run(self, words: Sequence[str]) -> int:
        """Do it. Returns the exit status."""
        ...


class CommandEntry(NamedTuple):
    """One subcommand."""

    module: str
    help: str


COMMANDS = {
    "aspect-filter": CommandEntry(
        "dovetail.cli.aspect_filter", "drop the rows of a file table that a target cannot run"
    ),
    "c++": CommandEntry(
        "dovetail.cli.cxx", "clang, and with -fsycl a compiler for SYCL; also: dovetail-c++"
    ),
    "cache": CommandEntry("dovetail.cli.cache", "show and clear what is kept between runs"),
    "check": CommandEntry(
        "dovetail.cli.check", "show which aspects kernels use, and what is wrong"
    ),
    "devices": CommandEntry("dovetail.cli.devices", "show the devices that can run programs"),
    "inspect": CommandEntry("dovetail.cli.inspect", "show what is in a program"),
    "opt": CommandEntry("dovetail.cli.opt", "run passes over LLVM IR"),
    "post-link": CommandEntry("dovetail.cli.post_link", "split device code into images"),
    "run": CommandEntry("dovetail.cli.run", "run a SYCL program: sources, or one that is built"),
    "table": CommandEntry("dovetail.cli.table", "transform file tables"),
    "targets": CommandEntry("dovetail.cli.targets", "show what each target can do"),
    "tblgen": CommandEntry("dovetail.cli.tblgen", "write tables from a TableGen file"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit status."""
    with safe_streams():
        return _run(list(sys.argv[1:] if arguments is None else arguments))


def _run(words: list[str]) -> int:
    try:
        status = _dispatch(words)
        sys.stdout.flush()
        return status
    except DovetailError as error:
        return _report(error)
    except KeyboardInterrupt:
        print("dovetail: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has seen enough; keep Python from complaining as it exits.
        sys.stdout = None
        return 1
    except Exception as error:
        if is_out_of_memory(error):
            return _report(OutOfMemory(f"running 'dovetail {words[0]}'"))
        if isinstance(error, OSError):
            print(f"dovetail: error: {error.strerror or error}", file=sys.stderr)
            sys.stdout = None
            return 1
        return _report_bug(words)


def _report(error: DovetailError) -> int:
    """Print an error and what to do about it. Returns the exit status."""
    prefix = "" if error.names_place else "dovetail: error: "
    print(f"{prefix}{error.message}", file=sys.stderr)
    for line in error.hint.splitlines():
        print(f"dovetail: {line}", file=sys.stderr)
    return error.exit_status


def _dispatch(words: list[str]) -> int:
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    if not words or words[0] in ("-h", "--help"):
        print(help_text())
        return 0 if words else UsageError.exit_status
    if words[0] == "--version":
        print(f"dovetail {__version__}")
        return 0
    entry = COMMANDS.get(words[0])
    if entry is None:
        hint = nearest(words[0], COMMANDS) or "'dovetail --help' lists the commands"
        raise UsageError(f"there is no command '{words[0]}'", hint=hint)
    command = cast(Command, import_module(entry.module))
    return command.run(words[1:])


def help_text() -> str:
    """What `dovetail --help` prints."""
    commands = "\n".join(f"  {name:<13} {entry.help}" for name, entry in COMMANDS.items())
    settings = "\n".join(f"  {setting.variable:<22} {setting.help}" for setting in SETTINGS)
    return f"""\
usage: dovetail COMMAND ...

Dovetail builds SYCL kernels written in C++ and runs them on the devices at hand.

commands:
{commands}

'dovetail COMMAND --help' tells more about one.

A SYCL program with its own main runs at once:

  dovetail run prog.cpp -- arguments

Kernels on their own, k.cpp:

  #include <sycl/sycl.hpp>
  namespace syclex = sycl::ext::oneapi::experimental;
  SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
  void twice(float *data) {{
    auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
    data[item.get_global_linear_id()] *= 2;
  }}

Built and looked at from the shell:

  dovetail c++ -fsycl -fsyclbin k.cpp -o k.syclbin
  dovetail inspect k.syclbin

Run from Python:

  import dovetail, numpy
  data = numpy.ones(64, numpy.float32)
  program = dovetail.build("k.cpp")          # or dovetail.load("k.syclbin")
  queue = dovetail.Queue()
  queue.parallel_for(program["twice"], dovetail.NdRange((64,), (16,)), data).wait()

environment:
{settings}

exit status: 0: success; 1: error in the input; 2: usage error; 70: bug in Dovetail"""


def _report_bug(words: list[str]) -> int:
    import platform
    import traceback

    traceback.print_exc()
    print(
        f"dovetail: this is a bug in Dovetail {__version__} (Python {platform.python_version()},"
        f" {platform.platform()})\n"
        f"dovetail: please report it with the lines above and the command: {' '.join(words)}",
        file=sys.stderr,
    )
    return BUG_STATUS
