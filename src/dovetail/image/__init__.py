"""The container formats: readers and writers, nothing else.

A packaged program is a SYCLBIN inside an OffloadBinary, with property sets that say what everything
in it is and needs; before it is packaged, a file table says which files make up each image.
`docs/formats.md` has the grammars. Readers take any bytes and either return or
raise `FormatError`, in time and memory that the size of the input bounds.
"""

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
from dovetail.image.kernel_table import (
    KERNEL_NAMES_SET,
    KERNELS_SET,
    kernel_name_properties,
    kernel_names_of,
    kernel_properties,
    kernels_of,
)
from dovetail.image.offload_binary import ImageKind, OffloadEntry, OffloadKind
from dovetail.image.offload_reader import read_offload_binary
from dovetail.image.offload_writer import write_offload_binary
from dovetail.image.program import naming_file, read_program, write_program
from dovetail.image.property_sets import (
    PropertySets,
    format_property_sets,
    parse_property_sets,
    text_property,
    uint32_property,
)
from dovetail.image.requirements import (
    DEVICE_REQUIREMENTS_SET,
    IMAGE_REQUIREMENTS_SET,
    Requirements,
    device_requirements,
    image_requirements,
    requirement_properties,
    requirements_of,
)
from dovetail.image.syclbin import (
    GLOBAL_SET,
    IR_MODULE_SET,
    NATIVE_IMAGE_SET,
    AbstractModule,
    BundleState,
    IRModule,
    IRType,
    NativeImage,
    SyclBin,
)
from dovetail.image.syclbin_reader import read_syclbin
from dovetail.image.syclbin_writer import write_syclbin

__all__ = [
    "CODE",
    "DEVICE_REQUIREMENTS_SET",
    "GLOBAL_SET",
    "IMAGE_REQUIREMENTS_SET",
    "IR_MODULE_SET",
    "KERNELS_SET",
    "KERNEL_NAMES_SET",
    "NATIVE_IMAGE_SET",
    "PROPERTIES",
    "SYMBOLS",
    "AbstractModule",
    "BundleState",
    "FileTable",
    "IRModule",
    "IRType",
    "ImageKind",
    "NativeImage",
    "OffloadEntry",
    "OffloadKind",
    "PropertySets",
    "Requirements",
    "SyclBin",
    "cell_of",
    "column_index",
    "column_of",
    "concatenate",
    "device_requirements",
    "extract_columns",
    "format_file_table",
    "format_property_sets",
    "image_requirements",
    "kernel_name_properties",
    "kernel_names_of",
    "kernel_properties",
    "kernels_of",
    "naming_file",
    "parse_file_table",
    "parse_property_sets",
    "read_offload_binary",
    "read_program",
    "read_syclbin",
    "rename_column",
    "replace_cell",
    "replace_column",
    "requirement_properties",
    "requirements_of",
    "text_property",
    "uint32_property",
    "write_offload_binary",
    "write_program",
    "write_syclbin",
]
