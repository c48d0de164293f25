"""`dovetail post-link`: split device code into images, with what they require."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dovetail.analysis import SourceLines, WarningOptions, message_text
from dovetail.cli.arguments import Parser, add_configuration, read_configuration
from dovetail.cli.file_tables import write_output
from dovetail.cli.inspect_report import requirements_document
from dovetail.cli.output import colours
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
Link device code, bitcode or text, and split it into images whose kernels all use the same aspects
and require the same sizes. A file table lists the images: for each its code and, where asked for,
its property sets and its entry points. DPC++'s options are taken, with one dash or two.

examples:
  dovetail post-link -split=auto -properties -symbols a.bc b.bc -o app.table
  dovetail post-link -split=kernel -properties -S a.ll
  dovetail post-link -split=auto -optional-features=conditional -properties -spirv a.bc
  dovetail post-link -split=auto -properties a.bc -o all.table -o intel_gpu_dg1,dg1.table
  dovetail post-link -ir-output-only -S a.bc b.bc -o linked.ll
"""

_SWITCHES = {
    "properties": "write a file of property sets for each image",
    "symbols": "write a file for each image that lists its entry points",
    "emit-kernel-names": f'have the set "{set_of("kernel_names")}"',
    "emit-exported-symbols": f'have the set "{set_of("exports")}"',
    "emit-imported-symbols": f'have the set "{set_of("imports")}"',
    "emit-program-metadata": f'have the set "{set_of("global_variables")}"',
    "device-globals": f'have the set "{set_of("device_globals")}"',
    "emit-only-kernels-as-entry-points": "leave out exported functions that no kernel needs",
    "ir-output-only": "write the linked module alone, to the file that -o names",
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
"""What makes no sense where nothing is split."""

_OTHERS_WITH_O = ("out-dir", "optional-features")
"""Options that begin like -o."""


def run(words: Sequence[str]) -> int:
    """See `dovetail post-link --help`."""
    _refuse_joined(words)
    options = _parser().parse_intermixed_args(words)
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
        help="where the table goes; with a target, only the images that it can run; may be"
        " repeated (default: standard output)",
    )
    parser.add_argument(
        "-out-dir", "--out-dir", metavar="DIR", help="the folder for images (default: the table's)"
    )
    parser.add_argument("-json", "--json", action="store_true", help="print the images as JSON")
    add_configuration(parser)
    return parser


def _add_splitting(parser: Parser) -> None:
    """Add what says which kernels share an image."""
    parser.add_argument(
        "-split",
        "--split",
        type=_split_mode,
        metavar="MODE",
        help="auto: by source, or all together where there are indirect calls; source; kernel; off:"
        " all together; each of them split further by requirements. none (the default): one image"
        " whatever it requires",
    )
    parser.add_argument(
        "-optional-features",
        "--optional-features",
        type=_features,
        metavar="HOW",
        help="split (the default): kernels with different requirements are in different images;"
        " conditional: they share images, whose code says what is for which devices",
    )
    parser.add_argument(
        "-resolve",
        "--resolve",
        metavar="TARGET",
        help="decide for a target what is called on some devices alone (default: it goes into"
        " images of its own, for the runtime to choose)",
    )


def _refuse_joined(words: Sequence[str]) -> None:
    """What begins like -o is no file's name, as it would be to argparse."""
    for word in words:
        option = word.partition("=")[0].lstrip("-")
        if word.startswith("-o") and option not in ("o", *_OTHERS_WITH_O):
            raise UsageError(
                f"unknown option '{word}'", hint=nearest(option, _OTHERS_WITH_O) or "write -o FILE"
            )


def _split_mode(text: str) -> SplitMode:
    try:
        return SplitMode(text)
    except ValueError:
        modes = ", ".join(SplitMode)
        raise UsageError(f"there is no way to split '{text}'", hint=f"there are {modes}") from None


def _features(text: str) -> OptionalFeatures:
    try:
        return OptionalFeatures(text)
    except ValueError:
        known = ", ".join(OptionalFeatures)
        raise UsageError(
            f"'-optional-features={text}' is not known", hint=f"there are {known}"
        ) from None


def _code_format(options: Namespace) -> CodeFormat:
    if options.S and options.spirv:
        raise UsageError(
            "code is written as text (-S) or as SPIR-V (-spirv), not as both", hint="leave one out"
        )
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
    target, comma, path = text.partition(",")
    if not comma:
        return TableFile(text)
    if not path:
        raise UsageError(f"'-o {text}' names no file", hint="as in -o intel_gpu_pvc,pvc.table")
    return TableFile(path, targets[target])


def _name_for(path: str) -> str:
    """Images without a table of their own are named after the first input, where we are."""
    return "a.out" if path == STREAM else Path(path).name


def _link_only(options: Namespace) -> int:
    for name in _SPLITTING:
        if getattr(options, name.replace("-", "_")):
            raise UsageError(f"'-ir-output-only' splits nothing, so '-{name}' has no meaning")
    if len(options.outputs) > 1 or any("," in output for output in options.outputs):
        raise UsageError("'-ir-output-only' writes one file", hint="name it with -o FILE")
    (output,) = options.outputs or [STREAM]
    content, result = link_only(options.inputs, as_text=options.S)
    _warn(result)
    write_output(output, content)
    return 0


def _warn(result: PostLinkResult) -> None:
    lines, colour = SourceLines(), sys.stderr.isatty()
    with colours(sys.stderr):
        for finding in result.findings:
            print(message_text(finding, WarningOptions(), lines, colour=colour), file=sys.stderr)
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
