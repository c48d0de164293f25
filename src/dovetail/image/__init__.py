"""The container formats: readers and writers, nothing else.

A packaged program is a SYCLBIN inside an OffloadBinary, with property sets that say what everything
in it is and needs; before it is packaged, a file table says which files make up each image.
`docs/formats.md` has the grammars. Readers take any bytes and either return or
raise `FormatError`, in time and memory that the size of the input bounds.
"""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.image.aspect_uses import (
        ASPECT_USES_SET,
        AspectUse,
        CallOnTheWay,
        aspect_use_properties,
        aspect_uses_of,
    )
    from dovetail.image.device_globals import (
        DEVICE_GLOBALS_SET,
        DeviceGlobal,
        device_global_properties,
        device_globals_of,
    )
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
        kernel_names_of,
        kernel_properties,
        kernels_of,
    )
    from dovetail.image.metadata_set import (
        PROGRAM_METADATA_SET,
        global_variables_of,
        kernel_sizes_of,
        program_metadata,
    )
    from dovetail.image.misc_set import (
        MISC_PROPERTIES_SET,
        misc_properties,
        opt_level_of,
    )
    from dovetail.image.offload_binary import (
        ImageKind,
        OffloadEntry,
        OffloadKind,
    )
    from dovetail.image.offload_reader import (
        read_offload_binary,
    )
    from dovetail.image.offload_writer import (
        write_offload_binary,
    )
    from dovetail.image.program import (
        naming_file,
        read_program,
        write_program,
    )
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
    from dovetail.image.syclbin_reader import (
        read_syclbin,
    )
    from dovetail.image.syclbin_writer import (
        write_syclbin,
    )
    from dovetail.image.symbols import (
        ASSERT_USED_SET,
        EXPORTED_SYMBOLS_SET,
        IMPORTED_SYMBOLS_SET,
        INLINE_SYMBOLS_SET,
        asserting_kernels_of,
        exported_symbols_of,
        format_symbols,
        imported_symbols_of,
        inline_symbols_of,
        parse_symbols,
        symbol_properties,
        symbols_in,
    )
    from dovetail.image.target_names import (
        FIXED_TARGETS_SET,
        TARGETS_SET,
        fixed_targets_of,
        target_properties,
        targets_of,
    )

__all__ = [
    "ASPECT_USES_SET",
    "ASSERT_USED_SET",
    "CODE",
    "DEVICE_GLOBALS_SET",
    "DEVICE_REQUIREMENTS_SET",
    "EXPORTED_SYMBOLS_SET",
    "FIXED_TARGETS_SET",
    "GLOBAL_SET",
    "IMAGE_REQUIREMENTS_SET",
    "IMPORTED_SYMBOLS_SET",
    "INLINE_SYMBOLS_SET",
    "IR_MODULE_SET",
    "KERNELS_SET",
    "KERNEL_NAMES_SET",
    "MISC_PROPERTIES_SET",
    "NATIVE_IMAGE_SET",
    "PROGRAM_METADATA_SET",
    "PROPERTIES",
    "SYMBOLS",
    "TARGETS_SET",
    "AbstractModule",
    "AspectUse",
    "BundleState",
    "CallOnTheWay",
    "DeviceGlobal",
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
    "aspect_use_properties",
    "aspect_uses_of",
    "asserting_kernels_of",
    "cell_of",
    "column_index",
    "column_of",
    "concatenate",
    "device_global_properties",
    "device_globals_of",
    "device_requirements",
    "exported_symbols_of",
    "extract_columns",
    "fixed_targets_of",
    "format_file_table",
    "format_property_sets",
    "format_symbols",
    "global_variables_of",
    "image_requirements",
    "imported_symbols_of",
    "inline_symbols_of",
    "kernel_names_of",
    "kernel_properties",
    "kernel_sizes_of",
    "kernels_of",
    "misc_properties",
    "naming_file",
    "opt_level_of",
    "parse_file_table",
    "parse_property_sets",
    "parse_symbols",
    "program_metadata",
    "read_offload_binary",
    "read_program",
    "read_syclbin",
    "rename_column",
    "replace_cell",
    "replace_column",
    "requirement_properties",
    "requirements_of",
    "symbol_properties",
    "symbols_in",
    "target_properties",
    "targets_of",
    "text_property",
    "uint32_property",
    "write_offload_binary",
    "write_program",
    "write_syclbin",
]

__getattr__ = on_demand(
    __name__,
    {
        "device_globals": (
            "DEVICE_GLOBALS_SET",
            "DeviceGlobal",
            "device_global_properties",
            "device_globals_of",
        ),
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
        "kernel_table": (
            "KERNEL_NAMES_SET",
            "KERNELS_SET",
            "kernel_names_of",
            "kernel_properties",
            "kernels_of",
        ),
        "misc_set": (
            "MISC_PROPERTIES_SET",
            "misc_properties",
            "opt_level_of",
        ),
        "offload_binary": (
            "ImageKind",
            "OffloadEntry",
            "OffloadKind",
        ),
        "offload_reader": ("read_offload_binary",),
        "offload_writer": ("write_offload_binary",),
        "program": (
            "naming_file",
            "read_program",
            "write_program",
        ),
        "metadata_set": (
            "PROGRAM_METADATA_SET",
            "global_variables_of",
            "kernel_sizes_of",
            "program_metadata",
        ),
        "property_sets": (
            "PropertySets",
            "format_property_sets",
            "parse_property_sets",
            "text_property",
            "uint32_property",
        ),
        "requirements": (
            "DEVICE_REQUIREMENTS_SET",
            "IMAGE_REQUIREMENTS_SET",
            "Requirements",
            "device_requirements",
            "image_requirements",
            "requirement_properties",
            "requirements_of",
        ),
        "syclbin": (
            "GLOBAL_SET",
            "IR_MODULE_SET",
            "NATIVE_IMAGE_SET",
            "AbstractModule",
            "BundleState",
            "IRModule",
            "IRType",
            "NativeImage",
            "SyclBin",
        ),
        "syclbin_reader": ("read_syclbin",),
        "syclbin_writer": ("write_syclbin",),
        "symbols": (
            "ASSERT_USED_SET",
            "EXPORTED_SYMBOLS_SET",
            "IMPORTED_SYMBOLS_SET",
            "INLINE_SYMBOLS_SET",
            "asserting_kernels_of",
            "exported_symbols_of",
            "format_symbols",
            "imported_symbols_of",
            "inline_symbols_of",
            "parse_symbols",
            "symbol_properties",
            "symbols_in",
        ),
        "target_names": (
            "FIXED_TARGETS_SET",
            "TARGETS_SET",
            "fixed_targets_of",
            "target_properties",
            "targets_of",
        ),
        "aspect_uses": (
            "ASPECT_USES_SET",
            "AspectUse",
            "CallOnTheWay",
            "aspect_use_properties",
            "aspect_uses_of",
        ),
    },
)
