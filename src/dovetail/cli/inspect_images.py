"""The data that `dovetail inspect` shows: images of a program or of a file table."""

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
    PropertySets,
    Requirements,
    SyclBin,
    combined_requirements,
    constants_of,
    decode_info,
    default_values,
    parse_property_sets,
    parse_symbols,
)

SPIRV, PTX = "SPIR-V", "PTX"
_IR_KINDS = {IRType.SPIRV: SPIRV, IRType.PTX: PTX, IRType.AMDGCN: "AMDGCN"}

# The first bytes of code files.
_MAGIC = {b"BC\xc0\xde": "bitcode", b"\x03\x02\x23\x07": SPIRV, b"\x7fELF": "ELF"}


@dataclass(frozen=True)
class InspectedCode:
    """One form of an image's code; unknown fields are empty. The fields are JSON keys."""

    kind: str
    size: int
    target: str = ""
    arch: str = ""
    file: str = ""
    targets: tuple[str, ...] = ()
    """The only targets that it is for."""
    processor: str = ""
    """The CPU kind, for targets that cover several."""
    compiler: str = ""


@dataclass(frozen=True)
class ConditionalContent:
    """The conditional part of an image; empty in most images."""

    constants: Constants
    """The specialization constants for the conditions in its code."""
    required: dict[str, Requirements]
    """The requirements of each function by symbol, kernels first."""
    aspects: ConditionalAspects
    """The aspects that all of its kernels use under conditions."""

    def __bool__(self) -> bool:
        return bool(self.required or self.aspects or self.constants.asked)


@dataclass(frozen=True)
class Image:
    """An image's code and description."""

    code: tuple[InspectedCode, ...]
    info: ImageInfo

    @cached_property
    def default_values(self) -> dict[str, bytes]:
        """The default values of its specialization constants, by identifier."""
        return default_values(self.info.specialization_constants, self.info.specialization_defaults)

    @cached_property
    def conditional(self) -> ConditionalContent:
        """The conditional part."""
        reqs = {**self.info.kernel_reqs, **self.info.function_reqs}
        return ConditionalContent(
            constants_of(self.info),
            {symbol: combined_requirements(each) for symbol, each in reqs.items()},
            self.info.conditional_aspects,
        )


@dataclass(frozen=True)
class Contents:
    """The images of a program or of a file table."""

    state: str | None
    """The state of a program; None for a file table."""
    images: tuple[Image, ...]
    host_cpu_kind: str = ""
    """The host's CPU kind, if the program has native code for CPU kinds; empty if unknown."""

    @property
    def has_cpu_kinds(self) -> bool:
        """Whether it has native code for CPU kinds."""
        return any(code.processor for image in self.images for code in image.code)


def contents_of_program(program: SyclBin) -> Contents:
    """Return the contents of a program; raise `FormatError` for invalid metadata."""
    images = (Image(_codes(m), _decoded(m.metadata)) for m in program.abstract_modules)
    return Contents(program.state.name.lower(), tuple(images))


def contents_of_table(table: FileTable, path: str) -> Contents:
    """Return the contents of the files that a table names; `path` is its name in errors."""
    if CODE not in table.titles and PROPERTIES not in table.titles:
        titles = ", ".join(f"'{title}'" for title in table.titles) or "none"
        raise FormatError(
            f"file table '{path}': expected a column '{CODE}' or '{PROPERTIES}', got {titles}",
            hint="name a table of images, as 'dovetail post-link' writes",
        )
    images = (_row_image(dict(zip(table.titles, row, strict=True)), path) for row in table.rows)
    return Contents(None, tuple(images))


def _decoded(sets: PropertySets) -> ImageInfo:
    """Return a description after checking that its sets agree."""
    info = decode_info(sets)
    default_values(info.specialization_constants, info.specialization_defaults)
    return info


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
    """Return the image of a row, which maps titles to files; files may be missing."""
    code, properties, symbols = (files.get(title, "") for title in (CODE, PROPERTIES, SYMBOLS))
    codes = (_file_code(code, _read(code, table, TABLE_ENTRY)),) if code else ()
    with _naming(symbols, table, "symbols"):
        entry_points = parse_symbols(_read(symbols, table, PROPERTIES_FILE))
    with _naming(properties, table, "properties"):
        info = _decoded(parse_property_sets(_read(properties, table, PROPERTIES_FILE)))
    return Image(codes, replace(info, kernel_names=_kernel_names(info, entry_points)))


def _file_code(file: str, data: bytes) -> InspectedCode:
    return InspectedCode(_MAGIC.get(data[:4], "unknown code"), len(data), file=file)


def _kernel_names(info: ImageInfo, entry_points: Sequence[str]) -> tuple[str, ...]:
    """Return the kernels of a file table's image, whose properties need not list them."""
    described = tuple(kernel.symbol for kernel in info.kernels)
    exported = set(info.exports)
    others = tuple(symbol for symbol in entry_points if symbol not in exported)
    return info.kernel_names or described or others or tuple(info.kernel_reqs)


def _read(file: str, table: str, kind: FileKind) -> bytes:
    """Return the content of a file that the table names; empty if it names none."""
    return read_named(file, f"'{table}'", kind) if file else b""


@contextmanager
def _naming(file: str, table: str, kind: str) -> Generator[None]:
    """Add the names of file and table to format errors."""
    try:
        yield
    except FormatError as error:
        raise FormatError(
            f"'{file}', named by '{table}', is not a valid {kind} file: {error.message}"
        ) from None
