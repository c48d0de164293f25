"""`dovetail post-link`: link device code and split it into images."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dovetail.analysis import SourceLines, WarningOptions, message_text
from dovetail.cli.arguments import Parser, add_configuration, read_configuration
from dovetail.cli.diagnostics import print_messages
from dovetail.cli.file_tables import write_output
from dovetail.cli.inspect_report import requirements_document
from dovetail.cli.progress import Progress
from dovetail.driver import SPIRV, PostLinkRequest, PostLinkResult, TableFile, link_only, post_link
from dovetail.errors import UsageError, nearest
from dovetail.files import STREAM
from dovetail.image import format_file_table, set_of
from dovetail.postlink import (
    BITCODE,
    TEXT,
    CodeFormat,
    ImageFiles,
    OptionalFeatures,
    SplitMode,
    WantedProperties,
)
from dovetail.printable import visible
from dovetail.targets import Table

_DESCRIPTION = """\
Link device code, bitcode or text, and split it into images whose kernels have
the same requirements. The output is a file table with a row for each image: its
code and, if requested, its property sets and entry points. The options are
those of DPC++'s sycl-post-link, with one dash or two.

examples:
  dovetail post-link -split=auto -properties -symbols a.bc b.bc -o app.table
  dovetail post-link -split=kernel -properties -S a.ll
  dovetail post-link -split=auto -properties -spirv a.bc
  dovetail post-link -split=auto -properties a.bc -o intel_gpu_dg1,dg1.table
  dovetail post-link -ir-output-only -S a.bc b.bc -o linked.ll
"""

_SWITCHES = {
    "properties": "write a properties file for each image",
    "symbols": "write a file with the entry points of each image",
    "emit-kernel-names": f'emit the property set "{set_of("kernel_names")}"',
    "emit-exported-symbols": f'emit the property set "{set_of("exports")}"',
    "emit-imported-symbols": f'emit the property set "{set_of("imports")}"',
    "emit-program-metadata": f'emit the property set "{set_of("global_variables")}"',
    "device-globals": f'emit the property set "{set_of("device_globals")}"',
    "emit-only-kernels-as-entry-points": "drop exported functions that no kernel needs",
    "ir-output-only": "only link, and write the module to the file of -o",
    "S": "write code as text (.ll) instead of bitcode (.bc)",
    "spirv": "write code as SPIR-V (.spv) instead of bitcode",
}

_SPLITTING = (
    *(name for name in _SWITCHES if name not in ("S", "ir-output-only")),
    "split",
    "optional-features",
    "resolve",
    "out-dir",
    "json",
)
"""Options that conflict with -ir-output-only."""

_OPTIONS_LIKE_O = ("out-dir", "optional-features")
"""Options that start with -o."""


def run(args: Sequence[str]) -> int:
    """See `dovetail post-link --help`."""
    _reject_joined_output(args)
    options = _parser().parse_intermixed_args(args)
    if options.ir_output_only:
        return _link_only(options)
    targets = read_configuration(options.configuration)
    tables = [_table_file(text, targets) for text in options.outputs or [STREAM]]
    request = _request(options, [table for table in tables if table.path != STREAM])
    resolve = targets[options.resolve] if options.resolve else None
    request = replace(request, resolve=resolve, targets=targets)
    with Progress() as progress:
        result = post_link(request, lambda done, total: progress.show(f"image {done} of {total}"))
    _warn(result)
    if options.json:
        print(json.dumps(_description(result), indent=2))
        return 0
    for table in tables:
        if table.path == STREAM:
            write_output(STREAM, format_file_table(result.table(table.target)))
    return 0


def _parser() -> Parser:
    parser = Parser("post-link", _DESCRIPTION)
    parser.add_argument(
        "inputs", nargs="*", default=[STREAM], metavar="IN", help="device code (default: -)"
    )
    _add_splitting(parser)
    for name, text in _SWITCHES.items():
        parser.add_argument(f"-{name}", f"--{name}", action="store_true", help=text)
    parser.add_argument(
        "-o",
        "--o",
        dest="outputs",
        action="append",
        default=[],
        metavar="[TARGET,]FILE",
        help="the output table; with TARGET, list only the images that it can run; may be repeated"
        " (default: standard output)",
    )
    parser.add_argument(
        "-out-dir", "--out-dir", metavar="DIR", help="the folder of images (default: the table's)"
    )
    parser.add_argument("-json", "--json", action="store_true", help="print the images as JSON")
    add_configuration(parser)
    return parser


def _add_splitting(parser: Parser) -> None:
    """Add the options that determine which kernels share an image."""
    parser.add_argument(
        "-split",
        "--split",
        type=_split_mode,
        metavar="MODE",
        help="source: kernels of one source with equal requirements share an image; auto: the same,"
        " or as off if there are indirect calls; kernel: one image per kernel; off: all kernels"
        " with equal requirements share an image; none (default): one image regardless of"
        " requirements",
    )
    parser.add_argument(
        "-optional-features",
        "--optional-features",
        type=_features,
        metavar="HOW",
        help="how to separate code with different requirements: in several images (split, the"
        " default), or in one image under conditions (conditional)",
    )
    parser.add_argument(
        "-resolve",
        "--resolve",
        metavar="TARGET",
        help="resolve conditional calls for TARGET, as far as its features are known (default: put"
        " the called functions into add-on images, among which the runtime chooses)",
    )


def _reject_joined_output(args: Sequence[str]) -> None:
    """Raise `UsageError` for misspelled options that argparse would read as -oFILE."""
    for arg in args:
        option = arg.partition("=")[0].lstrip("-")
        if arg.startswith("-o") and option not in ("o", *_OPTIONS_LIKE_O):
            raise UsageError(
                f"unknown option '{arg}'", hint=nearest(option, _OPTIONS_LIKE_O) or "write -o FILE"
            )


def _split_mode(text: str) -> SplitMode:
    try:
        return SplitMode(text)
    except ValueError:
        modes = ", ".join(SplitMode)
        raise UsageError(f"unknown split mode '{text}'", hint=f"modes: {modes}") from None


def _features(text: str) -> OptionalFeatures:
    try:
        return OptionalFeatures(text)
    except ValueError:
        known = ", ".join(OptionalFeatures)
        raise UsageError(
            f"unknown value '{text}' for -optional-features", hint=f"values: {known}"
        ) from None


def _code_format(options: Namespace) -> CodeFormat:
    if options.S and options.spirv:
        raise UsageError("'-S' and '-spirv' cannot be combined", hint="remove one of them")
    return TEXT if options.S else SPIRV if options.spirv else BITCODE


def _request(options: Namespace, tables: Sequence[TableFile]) -> PostLinkRequest:
    stem = Path(tables[0].path if tables else _name_for(options.inputs[0]))
    folder = Path(options.out_dir) if options.out_dir else stem.parent
    return PostLinkRequest(
        tuple(options.inputs),
        ImageFiles(
            folder / stem.stem,
            properties=options.properties,
            symbols=options.symbols,
            code=_code_format(options),
        ),
        tuple(tables),
        options.split or SplitMode.NONE,
        options.optional_features or OptionalFeatures.SPLIT,
        WantedProperties(
            kernel_names=options.emit_kernel_names,
            exported_symbols=options.emit_exported_symbols,
            imported_symbols=options.emit_imported_symbols,
            program_metadata=options.emit_program_metadata,
            device_globals=options.device_globals,
        ),
        options.emit_only_kernels_as_entry_points,
    )


def _table_file(text: str, targets: Table) -> TableFile:
    """Parse the value of `-o`: `FILE`, or `TARGET,FILE`."""
    target, comma, path = text.partition(",")
    if not comma:
        return TableFile(text)
    if not path:
        raise UsageError(
            f"missing file name in '-o {text}'", hint="for example: -o intel_gpu_pvc,pvc.table"
        )
    return TableFile(path, targets[target])


def _name_for(path: str) -> str:
    """Return the stem of images without an output table: the name of the first input."""
    return "a.out" if path == STREAM else Path(path).name


def _link_only(options: Namespace) -> int:
    """Only link: write the module to the output, and return the exit status."""
    for name in _SPLITTING:
        if getattr(options, name.replace("-", "_")):
            raise UsageError(
                f"'-ir-output-only' and '-{name}' cannot be combined",
                hint="-ir-output-only does not split",
            )
    if len(options.outputs) > 1 or any("," in output for output in options.outputs):
        raise UsageError("'-ir-output-only' writes only one file", hint="write -o FILE once")
    (output,) = options.outputs or [STREAM]
    content, result = link_only(options.inputs, as_text=options.S)
    _warn(result)
    write_output(output, content)
    return 0


def _warn(result: PostLinkResult) -> None:
    lines = SourceLines()
    for finding in result.findings:
        print_messages(message_text(finding, WarningOptions(), lines))
    for warning in dict.fromkeys(result.warnings):
        print(f"warning: {visible(warning.strip())}", file=sys.stderr)


def _description(result: PostLinkResult) -> dict[str, object]:
    return {
        "images": [
            {
                **{title.lower(): f for title, f in zip(result.titles, image.files, strict=True)},
                "entry_points": list(image.entry_points),
                "requirements": requirements_document(image.requirements),
            }
            for image in result.images
        ]
    }
