"""The `dovetail` command: dispatch to a subcommand, and print errors as messages.

Only the module of the requested subcommand is imported.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from dovetail.cli.output import safe_streams
from dovetail.errors import (
    CompileError,
    DovetailError,
    OutOfMemory,
    UsageError,
    is_out_of_memory,
    nearest,
)
from dovetail.settings import SETTINGS
from dovetail.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

INTERNAL_ERROR_STATUS = 70


class CommandEntry(NamedTuple):
    """A subcommand."""

    module: str
    """The module with its function `run`, which returns the exit status."""
    help: str


COMMANDS = {
    "aspect-filter": CommandEntry(
        "dovetail.cli.aspect_filter", "drop from a file table the images that a target cannot run"
    ),
    "bundle": CommandEntry(
        "dovetail.cli.bundle", "collect a program and its runtime for machines without Dovetail"
    ),
    "c++": CommandEntry("dovetail.cli.cxx", "compile and link C++ and SYCL (same as dovetail-c++)"),
    "cache": CommandEntry("dovetail.cli.cache", "show or clear the cache"),
    "check": CommandEntry(
        "dovetail.cli.check", "report the aspects that kernels use, and errors in device code"
    ),
    "compile": CommandEntry(
        "dovetail.cli.compile",
        "compiler launcher: run 'dovetail c++' for SYCL sources, another compiler otherwise",
    ),
    "config": CommandEntry("dovetail.cli.config", "options for other compilers and build systems"),
    "devices": CommandEntry("dovetail.cli.devices", "list the devices"),
    "inspect": CommandEntry("dovetail.cli.inspect", "show the images of a program"),
    "opt": CommandEntry("dovetail.cli.opt", "run passes over LLVM IR"),
    "post-link": CommandEntry(
        "dovetail.cli.post_link", "link device code and split it into images"
    ),
    "run": CommandEntry("dovetail.cli.run", "run a SYCL program: sources, or one already built"),
    "table": CommandEntry("dovetail.cli.table", "transform file tables"),
    "targets": CommandEntry("dovetail.cli.targets", "list targets and their features"),
    "tblgen": CommandEntry("dovetail.cli.tblgen", "generate tables from a TableGen file"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    with safe_streams():
        return _run(list(sys.argv[1:] if arguments is None else arguments))


def _run(args: list[str]) -> int:
    """Run the command and return the exit status; print errors as messages."""
    try:
        status = _dispatch(args)
        sys.stdout.flush()
        return status
    except DovetailError as error:
        return _report(error)
    except KeyboardInterrupt:
        print("dovetail: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader has closed the pipe. Python would print an error when it flushes at exit.
        sys.stdout = None
        return 1
    except Exception as error:
        if is_out_of_memory(error):
            return _report(OutOfMemory(f"running 'dovetail {args[0]}'"))
        if isinstance(error, OSError):
            print(f"dovetail: error: {error.strerror or error}", file=sys.stderr)
            sys.stdout = None
            return 1
        return _report_internal_error(args)


def _report(error: DovetailError) -> int:
    """Print an error with its hint, and return the exit status."""
    # LLVM's messages about IR begin with the place and `error:`, as clang's do.
    has_place = error.names_place or ": error: " in error.message.partition("\n")[0]
    if isinstance(error, CompileError):
        # Imported late, as it loads the front-end.
        from dovetail.cli.diagnostics import print_diagnostics

        print_diagnostics(error.message)
    else:
        prefix = "" if has_place else "dovetail: error: "
        print(f"{prefix}{error.message}", file=sys.stderr)
    for line in error.hint.splitlines():
        print(f"dovetail: {line}", file=sys.stderr)
    return error.exit_status


def _dispatch(args: list[str]) -> int:
    """Import the module of the command and run it."""
    if args[:1] == ["help"]:
        args = [*args[1:], "--help"]
    if not args or args[0] in ("-h", "--help"):
        print(help_text())
        return 0 if args else UsageError.exit_status
    if args[0] == "--version":
        print(f"dovetail {__version__}")
        return 0
    entry = COMMANDS.get(args[0])
    if entry is None:
        hint = nearest(args[0], COMMANDS) or "'dovetail --help' lists the commands"
        raise UsageError(f"unknown command '{args[0]}'", hint=hint)
    run: Callable[[Sequence[str]], int] = import_module(entry.module).run
    return run(args[1:])


def help_text() -> str:
    """Return the output of `dovetail --help`."""
    from dovetail.cli.arguments import EXIT_STATUS, help_rows

    commands = help_rows(((name, entry.help) for name, entry in COMMANDS.items()), 13)
    settings = help_rows(((setting.variable, setting.help) for setting in SETTINGS), 21)
    return f"""\
usage: dovetail COMMAND ...

SYCL compiler, device toolchain and runtime.

commands:
{commands}

'dovetail COMMAND --help' describes a command.

Build and run a SYCL program:

  dovetail run prog.cpp -- arguments

Kernels without a main function, k.cpp:

  #include <sycl/sycl.hpp>
  namespace syclex = sycl::ext::oneapi::experimental;
  SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
  void twice(float *data) {{
    auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
    data[item.get_global_linear_id()] *= 2;
  }}

Build and inspect them from the shell:

  dovetail c++ -fsycl -fsyclbin k.cpp -o k.syclbin
  dovetail inspect k.syclbin

Run them from Python:

  import dovetail, numpy
  data = numpy.ones(64, numpy.float32)
  program = dovetail.build("k.cpp")          # or dovetail.load("k.syclbin")
  queue = dovetail.Queue()
  queue.parallel_for(program["twice"], dovetail.NdRange((64,), (16,)), data).wait()

environment:
{settings}

{EXIT_STATUS}"""


def _report_internal_error(args: list[str]) -> int:
    import platform
    import traceback

    traceback.print_exc()
    print(
        f"dovetail: internal error: this is a bug in Dovetail {__version__}"
        f" (Python {platform.python_version()}, {platform.platform()})\n"
        f"dovetail: please report it with the lines above and the command: {' '.join(args)}",
        file=sys.stderr,
    )
    return INTERNAL_ERROR_STATUS
