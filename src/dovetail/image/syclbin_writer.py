"""Writing SYCLBIN, version 1. The output is deterministic."""

from dovetail.errors import FormatError
from dovetail.image.property_sets import PropertySets, format_property_sets
from dovetail.image.syclbin import (
    ABSTRACT_MODULE,
    CODE,
    FILE_HEADER,
    MAGIC,
    VERSION,
    IRModule,
    NativeImage,
    SyclBin,
)
from dovetail.image.window import Bytes, flat, padding

_COUNT_MAX = 0xFFFF_FFFF


def write_syclbin(syclbin: SyclBin) -> bytes:
    """Serialize a program, without the OffloadBinary that Intel's runtime expects around it."""
    modules = syclbin.abstract_modules
    ir_modules = [ir for module in modules for ir in module.ir_modules]
    native_images = [image for module in modules for image in module.native_images]
    counts = (len(modules), len(ir_modules), len(native_images))
    if max(counts) > _COUNT_MAX:
        raise FormatError(f"a SYCLBIN has at most {_COUNT_MAX} modules, got {max(counts)}")
    metadata, codes = _Table(), _Table(aligned=True)
    global_place = _add_metadata(metadata, syclbin.metadata)
    headers = [*_abstract_rows(syclbin, metadata)]
    headers += [_code_row(code, metadata, codes) for code in (*ir_modules, *native_images)]
    file_header = FILE_HEADER.pack(
        MAGIC, VERSION, *counts, metadata.size, codes.size, *global_place
    )
    gap = padding(metadata.size)
    end = padding(codes.size)
    return b"".join((file_header, *headers, *metadata.parts, gap, *codes.parts, end))


class _Table:
    """Consecutive parts and their total size in bytes."""

    def __init__(self, *, aligned: bool = False) -> None:
        self._aligned = aligned
        self.parts: list[Bytes] = []
        self.size = 0

    def add(self, part: Bytes) -> tuple[int, int]:
        """Append `part`; return its offset and size."""
        if self._aligned:
            self._append(padding(self.size))
        offset = self.size
        self._append(part)
        return offset, len(part)

    def _append(self, part: Bytes) -> None:
        self.parts.append(part)
        self.size += len(part)


def _abstract_rows(syclbin: SyclBin, metadata: _Table) -> list[bytes]:
    rows: list[bytes] = []
    first_ir = first_native = 0
    for module in syclbin.abstract_modules:
        ir_count, native_count = len(module.ir_modules), len(module.native_images)
        place = _add_metadata(metadata, module.metadata)
        rows.append(ABSTRACT_MODULE.pack(*place, ir_count, first_ir, native_count, first_native))
        first_ir += ir_count
        first_native += native_count
    return rows


def _code_row(code: IRModule | NativeImage, metadata: _Table, codes: _Table) -> bytes:
    return CODE.pack(*_add_metadata(metadata, code.metadata), *codes.add(flat(code.code)))


def _add_metadata(table: _Table, sets: PropertySets) -> tuple[int, int]:
    """Add metadata to the table; return its offset and size."""
    return table.add(format_property_sets(sets))
