"""`dovetail inspect`: show what is in a program."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from dovetail.cli.arguments import Parser
from dovetail.cli.tables import print_table
from dovetail.errors import FormatError
from dovetail.files import read_bytes
from dovetail.image import (
    AbstractModule,
    IRType,
    SyclBin,
    kernel_names_of,
    kernels_of,
    naming_file,
    read_program,
)
from dovetail.kernel_info import KernelInfo


def run(words: Sequence[str]) -> int:
    """See `dovetail inspect --help`."""
    parser = Parser(
        "inspect",
        "Show the images and kernels of a program, by whichever toolchain it was made.\n\n"
        "example:\n  dovetail inspect k.syclbin",
    )
    parser.add_argument("file", help="a SYCLBIN, in an offload binary or bare")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args(words)
    data = read_bytes(options.file)
    try:
        program = read_program(data)
        description = _description(program)
    except FormatError as error:
        raise naming_file(error, options.file) from None
    if options.json:
        print(json.dumps(description, indent=2))
    else:
        _print(program)
    return 0


def _description(program: SyclBin) -> dict[str, Any]:
    return {
        "state": program.state.name.lower(),
        "images": [_image(module) for module in program.abstract_modules],
    }


def _image(module: AbstractModule) -> dict[str, Any]:
    return {
        "code": [
            {"kind": _kind(ir.ir_type), "target": ir.target, "size": len(ir.code)}
            for ir in module.ir_modules
        ]
        + [
            {
                "kind": "native",
                "target": native.target,
                "arch": native.arch,
                "size": len(native.code),
            }
            for native in module.native_images
        ],
        "kernel_names": list(kernel_names_of(module)),
        "kernels": [asdict(kernel) for kernel in kernels_of(module)],
    }


def _kind(ir_type: IRType) -> str:
    return {IRType.SPIRV: "SPIR-V", IRType.PTX: "PTX", IRType.AMDGCN: "AMDGCN"}[ir_type]


def _print(program: SyclBin) -> None:
    images = [_image(module) for module in program.abstract_modules]
    print_table(
        ["image", "code", "target", "bytes", "kernels"],
        [
            [
                str(number),
                code["kind"],
                code.get("arch", code["target"]),
                str(code["size"]),
                str(len(image["kernel_names"])),
            ]
            for number, image in enumerate(images)
            for code in image["code"]
        ],
    )
    described = [
        (str(number), kernel)
        for number, module in enumerate(program.abstract_modules)
        for kernel in kernels_of(module)
    ]
    if described:
        print_table(
            ["image", "kernel", "range", "defined at"],
            [
                [number, kernel.signature, _range(kernel), f"{kernel.file}:{kernel.line}"]
                for number, kernel in described
            ],
        )
    else:
        # Another toolchain's program says no more than the names.
        print_table(["kernel"], [[name] for image in images for name in image["kernel_names"]])


def _range(kernel: KernelInfo) -> str:
    named = {None: "any", 0: "single task"}
    return named.get(kernel.dimensions, f"nd_range<{kernel.dimensions}>")
