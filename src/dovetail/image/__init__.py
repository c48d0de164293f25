"""The container formats and the description of an image: readers and writers, nothing else.

A packaged program is a SYCLBIN inside an OffloadBinary, with property sets that say what everything
in it is and needs; before it is packaged, a file table says which files make up each image.
`docs/formats.md` has the grammars. Readers take any bytes and either return or
raise `FormatError`, in time and memory that the size of the input bounds.

`ImageInfo` (`info.py`) is what an image says of itself, as typed fields. `schema.py` has one row
for each property set: its name, the field that it holds, the codec between them, and whether it is
decoded at once or when it is asked for. Who makes or uses images sees fields only; names and bytes
of sets are known here and nowhere else. A new set is a field, a row and, if no codec fits, a codec.

    stages fill fields          ImageInfo(requirements=..., kernels=...)
    packaging encodes them      AbstractModule.of(info, forms), encode_info(info)
    the runtime decodes some    module.info.exports, read_info(sets)
    `inspect` decodes all       decode_info(sets)
"""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.image.add_ons import AddOn
    from dovetail.image.aspect_uses import AspectUse, CallOnTheWay
    from dovetail.image.conditional_calls import ConditionalAspects, ConditionalCall
    from dovetail.image.device_globals import DeviceGlobal, KeptGlobal
    from dovetail.image.file_table import (
        CODE,
        PROPERTIES,
        SYMBOLS,
        FileTable,
        cell_of,
        column_index,
        column_of,
        concatenate,
        extract_columns,
        format_file_table,
        parse_file_table,
        rename_column,
        replace_cell,
        replace_column,
    )
    from dovetail.image.info import ImageInfo
    from dovetail.image.kernel_reqs import Reqs, joined, numbered_reqs, single_requirements
    from dovetail.image.native_origin import NativeOrigin
    from dovetail.image.offload_binary import ImageKind, OffloadEntry, OffloadKind
    from dovetail.image.offload_reader import read_offload_binary
    from dovetail.image.offload_writer import write_offload_binary
    from dovetail.image.program import naming_file, read_program, write_program
    from dovetail.image.property_sets import (
        PropertySets,
        format_property_sets,
        parse_property_sets,
    )
    from dovetail.image.requirements import Requirements
    from dovetail.image.schema import decode_info, encode_info, read_info, set_of
    from dovetail.image.special_constants import Constants, constants_of
    from dovetail.image.syclbin import (
        AbstractModule,
        BundleState,
        IRModule,
        IRType,
        NativeImage,
        SyclBin,
    )
    from dovetail.image.syclbin_reader import read_syclbin
    from dovetail.image.syclbin_writer import write_syclbin
    from dovetail.image.symbols import format_symbols, parse_symbols
    from dovetail.image.target_names import KernelsLeftOut

__all__ = [
    "CODE",
    "PROPERTIES",
    "SYMBOLS",
    "AbstractModule",
    "AddOn",
    "AspectUse",
    "BundleState",
    "CallOnTheWay",
    "ConditionalAspects",
    "ConditionalCall",
    "Constants",
    "DeviceGlobal",
    "FileTable",
    "IRModule",
    "IRType",
    "ImageInfo",
    "ImageKind",
    "KeptGlobal",
    "KernelsLeftOut",
    "NativeImage",
    "NativeOrigin",
    "OffloadEntry",
    "OffloadKind",
    "PropertySets",
    "Reqs",
    "Requirements",
    "SyclBin",
    "cell_of",
    "column_index",
    "column_of",
    "concatenate",
    "constants_of",
    "decode_info",
    "encode_info",
    "extract_columns",
    "format_file_table",
    "format_property_sets",
    "format_symbols",
    "joined",
    "naming_file",
    "numbered_reqs",
    "parse_file_table",
    "parse_property_sets",
    "parse_symbols",
    "read_info",
    "read_offload_binary",
    "read_program",
    "read_syclbin",
    "rename_column",
    "replace_cell",
    "replace_column",
    "set_of",
    "single_requirements",
    "write_offload_binary",
    "write_program",
    "write_syclbin",
]

__getattr__ = on_demand(
    __name__,
    {
        "add_ons": ("AddOn",),
        "aspect_uses": ("AspectUse", "CallOnTheWay"),
        "conditional_calls": ("ConditionalAspects", "ConditionalCall"),
        "device_globals": ("DeviceGlobal", "KeptGlobal"),
        "file_table": (
            "CODE",
            "PROPERTIES",
            "SYMBOLS",
            "FileTable",
            "cell_of",
            "column_index",
            "column_of",
            "concatenate",
            "extract_columns",
            "format_file_table",
            "parse_file_table",
            "rename_column",
            "replace_cell",
            "replace_column",
        ),
        "info": ("ImageInfo",),
        "kernel_reqs": ("Reqs", "joined", "numbered_reqs", "single_requirements"),
        "native_origin": ("NativeOrigin",),
        "offload_binary": ("ImageKind", "OffloadEntry", "OffloadKind"),
        "offload_reader": ("read_offload_binary",),
        "offload_writer": ("write_offload_binary",),
        "program": ("naming_file", "read_program", "write_program"),
        "property_sets": ("PropertySets", "format_property_sets", "parse_property_sets"),
        "requirements": ("Requirements",),
        "schema": ("decode_info", "encode_info", "read_info", "set_of"),
        "special_constants": ("Constants", "constants_of"),
        "syclbin": (
            "AbstractModule",
            "BundleState",
            "IRModule",
            "IRType",
            "NativeImage",
            "SyclBin",
        ),
        "syclbin_reader": ("read_syclbin",),
        "syclbin_writer": ("write_syclbin",),
        "symbols": ("format_symbols", "parse_symbols"),
        "target_names": ("KernelsLeftOut",),
    },
)
