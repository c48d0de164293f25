"""What `dovetail inspect` shows: images, from a program or from the files of a file table."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from dovetail.cli.file_tables import read_named
from dovetail.conditions import Condition
from dovetail.errors import FormatError
from dovetail.files import PROPERTIES_FILE, TABLE_ENTRY, FileKind
from dovetail.image import (
    CODE,
    KERNEL_NAMES_SET,
    PROPERTIES,
    SYMBOLS,
    AbstractModule,
    AddOn,
    AspectUse,
    ConditionalAspects,
    ConditionalCall,
    Constants,
    DeviceGlobal,
    FileTable,
    IRType,
    NativeImage,
    PropertySets,
    Requirements,
    SyclBin,
    add_on_of,
    add_ons_of,
    aspect_uses_of,
    conditional_aspects_of,
    conditional_calls_of,
    constants_of,
    device_globals_of,
    exported_symbols_of,
    failed_targets_of,
    filtered_kernels_of,
    filtered_targets_of,
    fixed_targets_of,
    function_reqs_of,
    global_variables_of,
    imported_symbols_of,
    joined,
    kernel_names_of,
    kernel_reqs_of,
    kernels_of,
    opt_level_of,
    parse_property_sets,
    parse_symbols,
    requirements_of,
    resolved_targets_of,
)
from dovetail.kernel_info import KernelInfo

SPIRV, PTX = "SPIR-V", "PTX"
_IR_KINDS = {IRType.SPIRV: SPIRV, IRType.PTX: PTX, IRType.AMDGCN: "AMDGCN"}

# What files of code start with.
_MAGIC = {b"BC\xc0\xde": "bitcode", b"\x03\x02\x23\x07": SPIRV, b"\x7fELF": "ELF"}


@dataclass(frozen=True)
class Code:
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

    code: tuple[Code, ...]
    opt_level: int | None
    requirements: Requirements
    kernel_names: tuple[str, ...]
    kernels: tuple[KernelInfo, ...]
    """Those that are described, which only our own toolchain does."""
    uses: dict[str, dict[str, AspectUse]]
    """Of aspects, by entry point."""
    exported: tuple[str, ...]
    imported: tuple[str, ...]
    device_globals: tuple[DeviceGlobal, ...]
    variables: dict[str, str]
    """The names of device globals in the IR, by identifier."""
    fixed_targets: tuple[str, ...]
    """What its program is meant to run on, if nothing else."""
    filtered_targets: dict[str, tuple[str, ...]]
    """Those that it was not compiled for, and what they lack."""
    filtered_kernels: dict[str, dict[str, tuple[str, ...]]]
    """By target, the kernels that its code is without, and what it lacks for each."""
    failed_targets: tuple[str, ...]
    """Those whose compilers failed."""
    resolved_targets: tuple[str, ...]
    """Those that conditions in its code were decided for."""
    add_on: AddOn | None
    """Which add-on it is, if it is one."""
    add_ons: dict[str, Condition]
    """The pairs of add-ons that it has, with their conditions."""
    conditional_calls: dict[str, tuple[ConditionalCall, ...]]
    """What functions call under conditions, in the image itself or in its add-ons."""
    conditional: Conditional


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
    images = (_image(m.metadata, _codes(m), kernel_names_of(m)) for m in program.abstract_modules)
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


def _codes(module: AbstractModule) -> tuple[Code, ...]:
    return (
        *(
            Code(_IR_KINDS[ir.ir_type], len(ir.code), ir.target, targets=ir.targets)
            for ir in module.ir_modules
        ),
        *map(_native_code, module.native_images),
    )


def _native_code(native: NativeImage) -> Code:
    origin = native.origin
    return Code(
        "native",
        len(native.code),
        native.target,
        native.arch,
        targets=native.targets,
        processor=origin.processor if origin else "",
        compiler=origin.compiler if origin else "",
    )


def _image(sets: PropertySets, code: tuple[Code, ...], kernel_names: Sequence[str]) -> Image:
    return Image(
        code=code,
        opt_level=opt_level_of(sets),
        requirements=requirements_of(sets),
        kernel_names=tuple(kernel_names),
        kernels=kernels_of(AbstractModule(sets)),
        uses=aspect_uses_of(sets),
        exported=exported_symbols_of(sets),
        imported=imported_symbols_of(sets),
        device_globals=device_globals_of(sets),
        variables=global_variables_of(sets),
        fixed_targets=fixed_targets_of(sets),
        filtered_targets=filtered_targets_of(sets),
        filtered_kernels=filtered_kernels_of(sets),
        failed_targets=failed_targets_of(sets),
        resolved_targets=resolved_targets_of(sets),
        add_on=add_on_of(sets),
        add_ons=add_ons_of(sets),
        conditional_calls=conditional_calls_of(sets),
        conditional=_conditional(sets),
    )


def _conditional(sets: PropertySets) -> Conditional:
    reqs = {**kernel_reqs_of(sets), **function_reqs_of(sets)}
    return Conditional(
        constants_of(sets),
        {symbol: joined(each) for symbol, each in reqs.items()},
        conditional_aspects_of(sets),
    )


def _row_image(files: dict[str, str], table: str) -> Image:
    """The image of one row, which has a file, or nothing, by each title."""
    code, properties, symbols = (files.get(title, "") for title in (CODE, PROPERTIES, SYMBOLS))
    codes = (_file_code(code, _read(code, table, TABLE_ENTRY)),) if code else ()
    with _naming(symbols, table, "symbols"):
        entry_points = parse_symbols(_read(symbols, table, PROPERTIES_FILE))
    with _naming(properties, table, "properties"):
        sets = parse_property_sets(_read(properties, table, PROPERTIES_FILE))
        return _image(sets, codes, _kernel_names(sets, entry_points))


def _file_code(file: str, data: bytes) -> Code:
    return Code(_MAGIC.get(data[:4], "unknown code"), len(data), file=file)


def _kernel_names(sets: PropertySets, entry_points: Sequence[str]) -> tuple[str, ...]:
    """Of a file table's image, whose properties need not list them."""
    module = AbstractModule(sets)
    if KERNEL_NAMES_SET in sets:
        return kernel_names_of(module)
    described = tuple(kernel.symbol for kernel in kernels_of(module))
    exported = set(exported_symbols_of(sets))
    return described or tuple(symbol for symbol in entry_points if symbol not in exported)


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
