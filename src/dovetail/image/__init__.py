"""Readers and writers of the container formats and of image descriptions.

A packaged program is a SYCLBIN inside an OffloadBinary; property sets describe its images and code.
Before packaging, a file table lists the files of each image. `docs/formats.md` has the grammars.
Readers accept arbitrary bytes and either return or raise `FormatError`, in time and memory bounded
by the size of the input.

`ImageInfo` (`info.py`) describes an image in typed fields. `schema.py` has one row for each
property set: its name, the field that it holds, the codec between them, and whether it is decoded
eagerly or on first access. Other packages see only fields; only this one knows the names and bytes
of sets. A new set needs a field, a row and, if no codec fits, a codec.

    stages fill fields          ImageInfo(requirements=..., kernels=...)
    packaging encodes them      AbstractModule.of(info, forms), encode_info(info)
    the runtime decodes some    module.info.exports, read_info(sets)
    `inspect` decodes all       decode_info(sets)
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.image.add_ons import AddOn as AddOn
    from dovetail.image.aspect_uses import AspectUse as AspectUse, CallOnPath as CallOnPath
    from dovetail.image.code_metadata import BundleState as BundleState, IRType as IRType
    from dovetail.image.conditional_calls import (
        ActionCall as ActionCall,
        ConditionalAspects as ConditionalAspects,
    )
    from dovetail.image.conditional_code import (
        ConditionalFunctions as ConditionalFunctions,
    )
    from dovetail.image.device_globals import (
        DeviceGlobal as DeviceGlobal,
        ManagedGlobal as ManagedGlobal,
    )
    from dovetail.image.embedded import (
        has_embedded_program as has_embedded_program,
        read_embedded_program as read_embedded_program,
    )
    from dovetail.image.file_table import (
        CODE as CODE,
        PROPERTIES as PROPERTIES,
        SYMBOLS as SYMBOLS,
        FileTable as FileTable,
        cell_of as cell_of,
        column_index as column_index,
        column_of as column_of,
        concatenate as concatenate,
        extract_columns as extract_columns,
        format_file_table as format_file_table,
        parse_file_table as parse_file_table,
        rename_column as rename_column,
        replace_cell as replace_cell,
        replace_column as replace_column,
    )
    from dovetail.image.info import ImageInfo as ImageInfo
    from dovetail.image.kernel_requirements import (
        Reqs as Reqs,
        combined_requirements as combined_requirements,
        numbered_reqs as numbered_reqs,
        single_requirements as single_requirements,
    )
    from dovetail.image.native_origin import NativeOrigin as NativeOrigin
    from dovetail.image.offload_binary import (
        ImageKind as ImageKind,
        OffloadEntry as OffloadEntry,
        OffloadKind as OffloadKind,
    )
    from dovetail.image.offload_reader import read_offload_binary as read_offload_binary
    from dovetail.image.offload_writer import write_offload_binary as write_offload_binary
    from dovetail.image.program import (
        naming_file as naming_file,
        read_program as read_program,
        write_program as write_program,
    )
    from dovetail.image.property_sets import (
        PropertySets as PropertySets,
        format_property_sets as format_property_sets,
        parse_property_sets as parse_property_sets,
    )
    from dovetail.image.requirements import Requirements as Requirements
    from dovetail.image.schema import (
        decode_info as decode_info,
        encode_info as encode_info,
        read_info as read_info,
        set_of as set_of,
    )
    from dovetail.image.special_constants import (
        Constants as Constants,
        constants_of as constants_of,
    )
    from dovetail.image.specialization_constants import (
        ConstantScalar as ConstantScalar,
        SpecializationConstant as SpecializationConstant,
        default_values as default_values,
    )
    from dovetail.image.syclbin import (
        AbstractModule as AbstractModule,
        IRModule as IRModule,
        NativeImage as NativeImage,
        SyclBin as SyclBin,
    )
    from dovetail.image.syclbin_reader import read_syclbin as read_syclbin
    from dovetail.image.syclbin_writer import write_syclbin as write_syclbin
    from dovetail.image.symbols import (
        format_symbols as format_symbols,
        parse_symbols as parse_symbols,
    )
    from dovetail.image.target_names import FilteredKernels as FilteredKernels
