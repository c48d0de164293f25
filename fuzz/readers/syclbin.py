"""SYCLBIN: its tables, and everything that the runtime reads from its images."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from dovetail.image import (
    AbstractModule,
    BundleState,
    IRModule,
    IRType,
    NativeImage,
    NativeOrigin,
    SyclBin,
    read_syclbin,
    write_syclbin,
)
from dovetail.image.syclbin import ABSTRACT_MODULE, CODE, FILE_HEADER
from fuzz.edits import edited_bytes, edited_field, edited_items
from fuzz.reader import CONTAINER_COUNT, Reader
from fuzz.readers.image_sets import edited_sets, read_modules, small_sets

_CODE = b"\x03\x02\x23\x07" + bytes(28)


def programs() -> list[SyclBin]:
    """Return small programs that cover everything the writers support."""
    triple = "spir64-unknown-unknown"
    ir = IRModule.of(IRType.SPIRV, triple, _CODE)
    ptx = IRModule.of(IRType.PTX, "nvptx64-nvidia-cuda", b"ptx", targets=("nvidia_gpu_sm_90",))
    origin = NativeOrigin.of("ocloc 22.43", _CODE, driver="22.43", processor="pvc")
    native = NativeImage.of("intel_gpu_pvc", triple, _CODE, targets=("intel_gpu_pvc",))
    from_ocloc = NativeImage.of("intel_gpu_pvc", triple, _CODE, origin=origin)
    modules = [AbstractModule(sets) for sets in small_sets()]
    modules[0] = replace(modules[0], ir_modules=(ir, ptx), native_images=(native,))
    modules[-1] = replace(modules[-1], ir_modules=(ir,), native_images=(from_ocloc,))
    several = [modules[0], AbstractModule({}), modules[-1]]
    return [
        SyclBin.of(BundleState.INPUT, [AbstractModule({}, (ir,))]),
        *(SyclBin.of(BundleState.OBJECT, [module]) for module in modules),
        SyclBin.of(BundleState.EXECUTABLE, several),
    ]


def _seeds() -> list[bytes]:
    return [write_syclbin(program) for program in programs()]


def _read(data: bytes) -> None:
    program = read_syclbin(data)
    read_modules(program)
    assert read_syclbin(write_syclbin(program)) == program


def edited_syclbin(data: bytes, random: Random) -> bytes:
    """Return a SYCLBIN with a changed field of its tables or a changed image."""
    if random.random() < 0.3:
        return _with_edited_field(data, random)
    return write_syclbin(edited_program(read_syclbin(data), random))


def _with_edited_field(data: bytes, random: Random) -> bytes:
    if random.random() < 0.5:
        offset = random.randrange(FILE_HEADER.size // 4) * 4
    else:
        rows = FILE_HEADER.size + random.randrange(3) * ABSTRACT_MODULE.size
        offset = rows + random.randrange(CODE.size // 4) * 4
    return edited_field(data, offset, random.choice((4, 8)), random)


def edited_program(program: SyclBin, random: Random) -> SyclBin:
    """Return the program with changed metadata or a changed image."""
    if random.random() < 0.1:
        return replace(program, metadata=edited_sets(program.metadata, random))
    modules = edited_items(program.abstract_modules, random, _edited_module)
    return replace(program, abstract_modules=tuple(modules))


def _edited_module(module: AbstractModule, random: Random) -> AbstractModule:
    match random.randrange(6):
        case 0:
            changed = edited_items(module.ir_modules, random, _edited_ir)
            return replace(module, ir_modules=tuple(changed))
        case 1:
            images = edited_items(module.native_images, random, _edited_native)
            return replace(module, native_images=tuple(images))
        case _:
            return replace(module, metadata=edited_sets(module.metadata, random))


def _edited_ir(ir: IRModule, random: Random) -> IRModule:
    if random.random() < 0.2:
        return replace(ir, code=edited_bytes(bytes(ir.code), random))
    return replace(ir, metadata=edited_sets(ir.metadata, random))


def _edited_native(image: NativeImage, random: Random) -> NativeImage:
    if random.random() < 0.2:
        return replace(image, code=edited_bytes(bytes(image.code), random))
    return replace(image, metadata=edited_sets(image.metadata, random))


READER = Reader(
    "SYCLBIN, with all typed property sets of its images",
    _seeds,
    _read,
    edited_syclbin,
    count=CONTAINER_COUNT,
)
