"""`dovetail inspect`: show the images of a program or of a file table."""

import json
from collections.abc import Sequence
from dataclasses import replace

from dovetail.cli.arguments import Parser
from dovetail.cli.file_tables import parse_table
from dovetail.cli.inspect_images import Contents, contents_of_program, contents_of_table
from dovetail.cli.inspect_report import as_json, as_text
from dovetail.errors import FormatError
from dovetail.files import PROGRAM, read_bytes
from dovetail.image import naming_file, read_embedded_program, read_program
from dovetail.image.elf import is_elf
from dovetail.image.executable import begins_as_executable, read_executable

_DESCRIPTION = """\
Show the images of a program, whichever toolchain built it: their code, their
requirements with the reasons, their kernels, exports and imports. For a file
table, show the files that it names, relative to the working directory.

examples:
  dovetail inspect k.syclbin
  dovetail inspect a.table --json
"""


def run(args: Sequence[str]) -> int:
    """See `dovetail inspect --help`."""
    parser = Parser("inspect", _DESCRIPTION)
    parser.add_argument(
        "file",
        help="a program (a SYCLBIN file, bare or inside an offload binary, or an executable or"
        " shared library built by 'dovetail c++') or a file table with column titles",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    options = parser.parse_args(args)
    contents = _with_host(_read(options.file))
    if options.json:
        print(json.dumps(as_json(contents), indent=2))
    else:
        print("\n".join(as_text(contents)))
    return 0


def _with_host(contents: Contents) -> Contents:
    """Add the host's CPU kind, if the program has native code for CPU kinds."""
    if not contents.has_cpu_kinds:
        return contents
    # Imported late: most programs have no such code.
    from dovetail.compilers.opencl_cpu import host_cpu_kind
    from dovetail.runtime.host_processor import processor_features

    return replace(contents, host_cpu_kind=host_cpu_kind(processor_features()))


def _read(path: str) -> Contents:
    """Return the contents of a program file, executable or file table."""
    data = read_bytes(path, PROGRAM)
    # All forms of a program start with non-text bytes.
    if data.lstrip(b"\n").startswith(b"["):
        return contents_of_table(parse_table(data, path), path)
    try:
        if is_elf(data):
            return contents_of_program(read_embedded_program(data))
        program = read_executable(data).program if begins_as_executable(data) else data
        return contents_of_program(read_program(program))
    except FormatError as error:
        raise naming_file(error, path) from None
