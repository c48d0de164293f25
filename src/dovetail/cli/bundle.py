"""`dovetail bundle`: a program with everything that it needs on machines without Dovetail."""

import json
from collections.abc import Sequence
from pathlib import Path

from dovetail.bundling import (
    Bundle,
    BundleRequest,
    Written,
    plan_bundle,
    require_replaceable,
    write_bundle,
)
from dovetail.bundling.packages import PROCESSORS
from dovetail.cli.arguments import Parser
from dovetail.cli.output import print_table
from dovetail.cli.progress import Progress
from dovetail.errors import UsageError, nearest
from dovetail.printable import visible

_DESCRIPTION = """\
Collect a program with its libraries, Python, Dovetail's runtime and Intel's
OpenCL CPU driver in a directory or an archive. It runs on machines with the
same operating system, without Dovetail, a compiler or a network.

examples:
  dovetail bundle app -o app-dir && app-dir/app
  dovetail bundle app -o app.tar.gz
"""


def run(args: Sequence[str]) -> int:
    """See `dovetail bundle --help`."""
    parser = Parser("bundle", _DESCRIPTION)
    parser.add_argument("program", type=Path, metavar="PROGRAM", help="an executable or a library")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="OUTPUT",
        help="a directory, or an archive NAME.tar.gz; an earlier bundle is replaced",
    )  # fmt: skip
    parser.add_argument(
        "--library", type=Path, action="append", default=[], metavar="FILE",
        help="a shared library that the program loads with dlopen; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--package", action="append", default=[], metavar="NAME",
        help="another Python package, such as cuda-bindings; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--processors", default=",".join(PROCESSORS), metavar="LIST",
        help=f"what the CPU driver supports, separated by commas: {', '.join(PROCESSORS)}"
        " (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--opencl-c", action="store_true",
        help="include the CPU driver's compiler for kernels in OpenCL C (200 MB)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    options = parser.parse_args(args)
    request = BundleRequest(
        options.program,
        tuple(options.library),
        tuple(options.package),
        tuple(map(_processor, options.processors.split(","))),
        options.opencl_c,
    )
    output: Path = options.output
    require_replaceable(output)
    with Progress() as progress:
        progress.show("collecting files")
        bundle = plan_bundle(request)
        written = write_bundle(
            bundle.entries,
            output,
            lambda done, total: progress.show(f"writing '{output}': {100 * done // total} %"),
        )
    (_print_json if options.json else _print_text)(bundle, written, output)
    return 0


def _processor(name: str) -> str:
    if name not in PROCESSORS:
        hint = nearest(name, PROCESSORS) or f"kinds: {', '.join(PROCESSORS)}"
        raise UsageError(f"unknown kind of processor '{name}'", hint=hint)
    return name


def _print_json(bundle: Bundle, written: Written, output: Path) -> None:
    report = {
        "output": str(output),
        "files": written.files,
        "size": written.size,
        "packed_size": written.packed,
        "components": [{"name": name, "size": size} for name, size in written.sizes.items()],
        "has_cpu_driver": bundle.has_cpu_driver,
        "needed": bundle.needed,
    }
    print(json.dumps(report, indent=2))


def _print_text(bundle: Bundle, written: Written, output: Path) -> None:
    print_table(
        ["component", "size"], [[name, _size(size)] for name, size in written.sizes.items()]
    )
    packed = f", {_size(written.packed)} packed" if written.packed is not None else ""
    print(f"'{visible(str(output))}': {written.files} files, {_size(written.size)}{packed}")
    if bundle.needed:
        print(f"libraries that the system has to have: {', '.join(map(visible, bundle.needed))}")
    if not bundle.has_cpu_driver:
        print(
            "no OpenCL CPU driver is included, since it is not installed:"
            " pip install 'dovetail[cpu]'"
        )


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB"
