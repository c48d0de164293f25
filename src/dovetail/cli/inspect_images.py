"""What `dovetail inspect` shows: images, from a program or from the files of a file table."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

from dovetail.cli.file_tables import read_named
from dovetail.errors import FormatError
from dovetail.files import PROPERTIES_FILE, TABLE_ENTRY, FileKind
from dovetail.image import (
    CODE,
    PROPERTIES,
    SYMBOLS,
    AbstractModule,
    ConditionalAspects,
    Constants,
    FileTable,
    ImageInfo,
    IRType,
    NativeImage,
    Requirements,
    SyclBin,
    combined_requirements,
    constants_of,
    decode_info,
    parse_property_sets,
    parse_symbols,
)

SPIRV, PTX = "SPIR-V", "PTX"
_IR_KINDS = {IRType.SPIRV: SPIRV, IRType.PTX: PTX, IRType.AMDGCN: "AMDGCN"}

# What files of code start with.
_MAGIC = {b"BC\xc0\xde": "bitcode", b"\x03\x02\x23\x07": SPIRV, b"\x7fELF": "ELF"}


@dataclass(frozen=True)
class InspectedCode:
    """An image in one form; what is not known is empty."""

    kind: str
    size: int
    target: str = ""
    arch: str = ""
    file: str = ""
    targets: tuple[str, ...] = ()
    """Those that it is for alone."""
    processor: str = ""
    """Which of all that the target stands for."""
    compiler: str = ""


@dataclass(frozen=True)
class Conditional:
    """What in an image is for some devices alone; empty in most images."""

    constants: Constants
    """What says in its code which devices these are."""
    required: dict[str, Requirements]
    """What each function requires, kernels first, by symbol."""
    aspects: ConditionalAspects
    """What all of its kernels use under conditions."""

    def __bool__(self) -> bool:
        return bool(self.required or self.aspects or self.constants.asked)


@dataclass(frozen=True)
class Image:
    """What is known of one image."""

    code: tuple[InspectedCode, ...]
    info: ImageInfo

    @cached_property
    def conditional(self) -> Conditional:
        """What in it is for some devices only."""
        reqs = {**self.info.kernel_reqs, **self.info.function_reqs}
        return Conditional(
            constants_of(self.info),
            {symbol: combined_requirements(each) for symbol, each in reqs.items()},
            self.info.conditional_aspects,
        )


@dataclass(frozen=True)
class Contents:
    """A program, or what a file table names."""

    state: str | None
    """How far a program has been built; None for a file table."""
    images: tuple[Image, ...]
    host_cpu_kind: str = ""
    """What this machine runs of code for several CPU kinds; empty if there is none, or not known.
    """

    @property
    def has_cpu_kinds(self) -> bool:
        """Whether it has native code for CPU kinds."""
        return any(code.processor for image in self.images for code in image.code)


def contents_of_program(program: SyclBin) -> Contents:
    """What is in a program; `FormatError` if a part of it does not say what it must."""
    images = (Image(_codes(m), decode_info(m.metadata)) for m in program.abstract_modules)
    return Contents(program.state.name.lower(), tuple(images))


def contents_of_table(table: FileTable, path: str) -> Contents:
    """What is in the files that a table names; the table came from `path`."""
    if CODE not in table.titles and PROPERTIES not in table.titles:
        raise FormatError(
            f"'{path}' is a file table without a column '{CODE}' or '{PROPERTIES}'",
            hint="images can be shown from tables that name their files",
        )
    images = (_row_image(dict(zip(table.titles, row, strict=True)), path) for row in table.rows)
    return Contents(None, tuple(images))


def _codes(module: AbstractModule) -> tuple[InspectedCode, ...]:
    return (
        *(
            InspectedCode(_IR_KINDS[ir.ir_type], len(ir.code), ir.target, targets=ir.targets)
            for ir in module.ir_modules
        ),
        *map(_native_code, module.native_images),
    )


def _native_code(native: NativeImage) -> InspectedCode:
    origin = native.origin
    return InspectedCode(
        "native",
        len(native.code),
        native.target,
        native.arch,
        targets=native.targets,
        processor=origin.processor if origin else "",
        compiler=origin.compiler if origin else "",
    )


def _row_image(files: dict[str, str], table: str) -> Image:
    """The image of one row, which has a file, or nothing, by each title."""
    code, properties, symbols = (files.get(title, "") for title in (CODE, PROPERTIES, SYMBOLS))
    codes = (_file_code(code, _read(code, table, TABLE_ENTRY)),) if code else ()
    with _naming(symbols, table, "symbols"):
        entry_points = parse_symbols(_read(symbols, table, PROPERTIES_FILE))
    with _naming(properties, table, "properties"):
        info = decode_info(parse_property_sets(_read(properties, table, PROPERTIES_FILE)))
    return Image(codes, replace(info, kernel_names=_kernel_names(info, entry_points)))


def _file_code(file: str, data: bytes) -> InspectedCode:
    return InspectedCode(_MAGIC.get(data[:4], "unknown code"), len(data), file=file)


def _kernel_names(info: ImageInfo, entry_points: Sequence[str]) -> tuple[str, ...]:
    """Of a file table's image, whose properties need not list them."""
    described = tuple(kernel.symbol for kernel in info.kernels)
    exported = set(info.exports)
    others = tuple(symbol for symbol in entry_points if symbol not in exported)
    return info.kernel_names or described or others or tuple(info.kernel_reqs)


def _read(file: str, table: str, kind: FileKind) -> bytes:
    """The content of a file that the table names; nothing if it names none."""
    return read_named(file, f"'{table}'", kind) if file else b""


@contextmanager
def _naming(file: str, table: str, kind: str) -> Generator[None]:
    """Errors in the format of a file that the table names are said to be there."""
    try:
        yield
    except FormatError as error:
        raise FormatError(
            f"'{file}', which '{table}' names, is no {kind} file, or a damaged one: {error.message}"
        ) from None
