"""Reading SYCLBIN, version 1.

All metadata is parsed, since it determines which code is needed; code stays in the file's bytes.
"""

from typing import NamedTuple

from dovetail.errors import FormatError
from dovetail.image.property_sets import PropertySets, parse_property_sets
from dovetail.image.syclbin import (
    ABSTRACT_MODULE,
    CODE,
    FILE_HEADER,
    MAGIC,
    VERSION,
    AbstractModule,
    IRModule,
    NativeImage,
    SyclBin,
)
from dovetail.image.window import Bytes, Span, Window, align, window_on

# Offsets of the file header's fields, for messages.
_VERSION_AT, _COUNTS_AT, _METADATA_SIZE_AT, _BINARY_SIZE_AT, _GLOBAL_AT = 4, 8, 24, 32, 40
# Offsets of the ranges in an abstract module's header, and of the code in a code header.
_IR_RANGE_AT, _NATIVE_RANGE_AT, _CODE_AT = 16, 24, 16


def read_syclbin(data: Bytes, *, start: int = 0) -> SyclBin:
    """Read the program in `data`, which starts at byte `start` of its file.

    Code consists of views into `data`.
    """
    file = window_on("SYCLBIN", data, start)
    tables = _tables(file)
    modules = _abstract_headers(file, tables)
    ir_modules = _code_headers(file, tables, tables.ir_modules, "IR module")
    native_images = _code_headers(file, tables, tables.native_images, "native image")
    codes = ir_modules + native_images
    metadata = [tables.global_metadata, *(header.metadata for header in (*modules, *codes))]
    file.check_disjoint(metadata)
    file.check_disjoint([header.code for header in codes])
    _check_owners(file, [module.ir_modules for module in modules], tables.ir_modules)
    _check_owners(file, [module.native_images for module in modules], tables.native_images)
    return SyclBin(
        _metadata(file, tables.global_metadata),
        tuple(_abstract_module(file, module, ir_modules, native_images) for module in modules),
    )


class _Tables(NamedTuple):
    """The parts of a file, and the global metadata, which is part of the metadata."""

    abstract_modules: Span
    ir_modules: Span
    native_images: Span
    metadata: Span
    binaries: Span
    global_metadata: Span


class _AbstractHeader(NamedTuple):
    """The header of an abstract module; its ranges are of indices, not of bytes."""

    metadata: Span
    ir_modules: Span
    native_images: Span


class _CodeHeader(NamedTuple):
    """The header of an IR module or a native image."""

    metadata: Span
    code: Span


def _tables(file: Window) -> _Tables:
    """Return the places of all parts, after checking that they lie within the file."""
    fields = file.unpack(FILE_HEADER, 0, "the file header")
    magic, version, *counts = fields[:5]
    metadata_size, binary_size, global_offset, global_size = fields[5:]
    if magic != MAGIC:
        raise file.error(0, "the magic number of a SYCLBIN is missing")
    if version != VERSION:
        raise file.error(_VERSION_AT, f"version {version} is not supported")
    abstract_modules, ir_modules, native_images = _header_tables(counts)
    metadata = Span("the metadata", native_images.end, metadata_size, _METADATA_SIZE_AT)
    binaries = Span("the code", align(metadata.end), binary_size, _BINARY_SIZE_AT)
    for span in (abstract_modules, ir_modules, native_images, metadata, binaries):
        file.check(span)
    file.check_zero(metadata.end, binaries.offset)
    _check_end(file, binaries.end)
    place = Span("the global metadata", global_offset, global_size, _GLOBAL_AT)
    global_metadata = _within(file, metadata, place)
    return _Tables(abstract_modules, ir_modules, native_images, metadata, binaries, global_metadata)


def _header_tables(counts: list[int]) -> list[Span]:
    """Return the tables of abstract modules, IR modules and native images, which are adjacent."""
    names = ("abstract modules", "IR modules", "native images")
    row_sizes = (ABSTRACT_MODULE.size, CODE.size, CODE.size)
    tables: list[Span] = []
    offset = FILE_HEADER.size
    for index, (name, row_size) in enumerate(zip(names, row_sizes, strict=True)):
        size = counts[index] * row_size
        tables.append(Span(f"the table of {name}", offset, size, _COUNTS_AT + 4 * index))
        offset += size
    return tables


def _check_end(file: Window, end: int) -> None:
    """Check that only zeros up to the next aligned offset follow the code."""
    if len(file) > align(end):
        raise file.error(end, f"{len(file) - end} bytes follow the code")
    file.check_zero(end, len(file))


def _abstract_headers(file: Window, tables: _Tables) -> list[_AbstractHeader]:
    headers: list[_AbstractHeader] = []
    rows = file.unpack_table(ABSTRACT_MODULE, tables.abstract_modules)
    for number, row in enumerate(rows):
        name = f"abstract module {number}"
        place = tables.abstract_modules.offset + number * ABSTRACT_MODULE.size
        offset, size, ir_count, first_ir, native_count, first_native = row
        metadata = Span(f"the metadata of {name}", offset, size, place)
        headers.append(
            _AbstractHeader(
                _within(file, tables.metadata, metadata),
                Span(name, first_ir, ir_count, place + _IR_RANGE_AT),
                Span(name, first_native, native_count, place + _NATIVE_RANGE_AT),
            )
        )
    return headers


def _code_headers(file: Window, tables: _Tables, table: Span, kind: str) -> list[_CodeHeader]:
    headers: list[_CodeHeader] = []
    for number, row in enumerate(file.unpack_table(CODE, table)):
        place = table.offset + number * CODE.size
        metadata_offset, metadata_size, offset, size = row
        metadata = Span(f"the metadata of {kind} {number}", metadata_offset, metadata_size, place)
        code = Span(f"the code of {kind} {number}", offset, size, place + _CODE_AT)
        headers.append(
            _CodeHeader(
                _within(file, tables.metadata, metadata), _within(file, tables.binaries, code)
            )
        )
    return headers


def _within(file: Window, table: Span, part: Span) -> Span:
    """Convert the offset of `part`, relative to `table`, into one relative to the file."""
    if part.end > table.size:
        problem = f"{part.what} extends to byte {part.end} of {table.what}"
        raise file.error(part.claimed_at, f"{problem}, which ends at byte {table.size}")
    return Span(part.what, table.offset + part.offset, part.size, part.claimed_at)


def _check_owners(file: Window, ranges: list[Span], table: Span) -> None:
    """Check that each row of `table` belongs to exactly one abstract module."""
    count = table.size // CODE.size
    for span in ranges:
        if span.size and span.end > count:
            problem = f"{span.what} uses rows up to {span.end} of {table.what}"
            raise file.error(span.claimed_at, f"{problem}, which has {count}")
    file.check_disjoint(ranges)
    if sum(span.size for span in ranges) != count:
        raise file.error(table.offset, f"{table.what} has rows that no abstract module uses")


def _abstract_module(
    file: Window,
    header: _AbstractHeader,
    ir_modules: list[_CodeHeader],
    native_images: list[_CodeHeader],
) -> AbstractModule:
    ir_range, native_range = header.ir_modules, header.native_images
    return AbstractModule(
        _metadata(file, header.metadata),
        tuple(
            IRModule(_metadata(file, ir.metadata), file.part(ir.code))
            for ir in ir_modules[ir_range.offset : ir_range.end]
        ),
        tuple(
            NativeImage(_metadata(file, image.metadata), file.part(image.code))
            for image in native_images[native_range.offset : native_range.end]
        ),
    )


def _metadata(file: Window, span: Span) -> PropertySets:
    try:
        return parse_property_sets(bytes(file.part(span)))
    except FormatError as error:
        raise file.error(span.offset, f"{span.what}: {error.message}") from None
