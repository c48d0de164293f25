"""The images of a loaded program: their code, exports, imports and requirements.

Code is not read here, only when an image is used.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from weakref import WeakSet

from dovetail import image as formats
from dovetail.errors import FormatError
from dovetail.image import AbstractModule, IRType, Requirements, SyclBin
from dovetail.image.window import Bytes
from dovetail.runtime.backend import Code, CodeKind, Values, VariableValue
from dovetail.runtime.global_memory import GlobalMemory, ImageGlobals
from dovetail.targets.coverage import decides_for

if TYPE_CHECKING:
    from dovetail.image import AspectUse, ConditionalAspects, Constants, NativeOrigin

_KIND_OF_IR = {
    IRType.SPIRV: CodeKind.SPIRV,
    IRType.PTX: CodeKind.PTX,
    IRType.AMDGCN: CodeKind.AMDGCN,
}


ConstantValues: TypeAlias = Mapping[str, bytes]
"""Values of specialization constants, by identifier."""

NO_CONSTANTS: ConstantValues = MappingProxyType({})
"""All constants have their default values."""


@dataclass(frozen=True)
class CodeForm:
    """One form of an image's code, not read yet."""

    kind: CodeKind
    target: str
    """The architecture of native code, otherwise the triple."""
    data: Bytes
    only_for: tuple[str, ...] = ()
    """The names of the targets that it is for; empty means every device that supports the kind."""
    origin: "NativeOrigin | None" = None
    """What generated native code, if known."""

    def read(self, values: Values = (), constants: Sequence["ScalarValue"] = ()) -> Code:
        """Return the code, with values for its conditions and specialization constants."""
        if self.kind is CodeKind.SPIRV:
            specialization = tuple((each.spec_id, each.variable.data) for each in constants)
            return Code(self.kind, bytes(self.data), values, specialization)
        variables = tuple(each.variable for each in constants)
        return Code(self.kind, bytes(self.data), values, variables=variables)

    def __str__(self) -> str:
        text = f"{self.kind} for {' and '.join(self.only_for)}" if self.only_for else self.kind
        processor = self.origin.processor if self.origin else ""
        return f"{text} ({processor})" if processor else str(text)


class ScalarValue(NamedTuple):
    """The value of a scalar of a specialization constant, in both forms that code can have."""

    spec_id: int
    variable: VariableValue


class ImageContents:
    """The description of an image, and properties derived from it on first use."""

    def __init__(self, module: AbstractModule) -> None:
        self._module = module
        self.info = module.info

    def requirements_of(self, symbol: str) -> Requirements:
        """Return what a kernel, or a function that other images call, requires of a device."""
        return self._single_requirements.get(symbol, self.info.requirements)

    @cached_property
    def _single_requirements(self) -> dict[str, Requirements]:
        """Requirements by function, if the functions of the image have different ones."""
        functions = {**self.info.function_reqs, **self.info.kernel_reqs}
        return {symbol: formats.combined_requirements(reqs) for symbol, reqs in functions.items()}

    @cached_property
    def constants(self) -> "Constants | None":
        """The constants by which its code is specialized for a device; None if there are none."""
        return formats.constants_of(self.info) if self.info.has_conditions else None

    @cached_property
    def default_values(self) -> dict[str, bytes]:
        """The default values of its specialization constants, by identifier."""
        if not self.info.specialization_constants:
            return {}
        return formats.default_values(
            self.info.specialization_constants, self.info.specialization_defaults
        )

    def specialization(self, values: ConstantValues) -> tuple[ScalarValue, ...]:
        """Return its scalars that differ from the defaults, given values of constants."""
        defaults = self.default_values
        return tuple(
            ScalarValue(spec_id, VariableValue(each.identifier, offset, value))
            for each in self.info.specialization_constants
            if each.identifier in values
            for spec_id, offset, size in each.scalars
            if (value := values[each.identifier][offset : offset + size])
            != defaults[each.identifier][offset : offset + size]
        )

    @property
    def has_device_conditions(self) -> bool:
        """Whether its code contains conditions on the device."""
        return bool(self.info.asked)

    @property
    def conditional_aspects(self) -> "ConditionalAspects":
        """Aspects that it uses only on some devices, if it is unknown which functions use them."""
        return {} if self.info.conditional_calls else self.info.conditional_aspects

    @cached_property
    def inline(self) -> frozenset[str]:
        """The exports that are inline functions, which other images may also define."""
        return frozenset(self.info.inline)

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Functions of other images that it calls on every device."""
        conditional = self.info.conditional_imports.values()
        under_conditions = {symbol for each in conditional for symbol in each}
        return tuple(symbol for symbol in self.info.imports if symbol not in under_conditions)

    @property
    def needs_linking(self) -> bool:
        """Whether other images may have to be linked with it."""
        return bool(self.info.add_ons or self.info.imports)

    def is_resolved_for(self, target: str) -> bool:
        """Return whether its resolved conditions, if any, are valid for devices of a target."""
        resolved = self.info.resolved_targets
        return not resolved or any(decides_for(name, target) for name in resolved)

    @cached_property
    def resolved_targets(self) -> tuple[str, ...]:
        """The targets for which all of its conditions are resolved; empty if some are open."""
        is_native = all(form.kind is CodeKind.NATIVE for form in self.forms)
        if not (self.forms and is_native and self.has_device_conditions):
            return self.info.resolved_targets
        return tuple(dict.fromkeys(name for form in self.forms for name in form.only_for))

    def missing_for(self, form: CodeForm, kernel: str) -> Sequence[str]:
        """Return the features for lack of which native code omits a kernel; empty if it has it."""
        if form.kind is not CodeKind.NATIVE:
            return ()
        lacking = (
            self.info.filtered_kernels.get(name, {}).get(kernel, ()) for name in form.only_for
        )
        return next(filter(None, lacking), ())

    @cached_property
    def forms(self) -> tuple[CodeForm, ...]:
        """Its code: native forms first, then those that drivers compile."""
        native = [
            CodeForm(CodeKind.NATIVE, image.arch, image.code, image.targets, image.origin)
            for image in self._module.native_images
        ]
        others = [
            CodeForm(_KIND_OF_IR[ir.ir_type], ir.target, ir.code, ir.targets)
            for ir in self._module.ir_modules
        ]
        return (*native, *others)

    def assertion_reader(self, kernel: str) -> str:
        """Return the symbol of the kernel that reads `kernel`'s failed assertions, or empty."""
        asserting = self.info.asserting_kernels
        if kernel not in asserting:
            return ""
        # Imported late: most kernels have no assertions.
        from dovetail.assertion_record import reader_symbol

        return reader_symbol(asserting[0])

    def work_group_size(self, kernel: str) -> tuple[int, ...]:
        """Return the size that a kernel requires, in the attribute's order; empty if none."""
        sizes = self.info.kernel_sizes.get(kernel)
        return (sizes or self.requirements_of(kernel)).work_group_size

    def sub_group_size(self, kernel: str) -> int:
        """Return the sub-group size that a kernel requires; 0 if none."""
        sizes = self.info.kernel_sizes.get(kernel)
        return (sizes or self.requirements_of(kernel)).sub_group_size or 0

    def uses(self, symbol: str) -> "Mapping[str, AspectUse]":
        """Return the known uses of aspects in a kernel or exported function, by aspect."""
        return self.info.aspect_uses.get(symbol, {})


@dataclass(frozen=True)
class ProgramImage:
    """An image of a program; keeps the program loaded."""

    program: "ProgramImages"
    number: int

    @property
    def contents(self) -> ImageContents:
        return self.program.contents[self.number]

    def __str__(self) -> str:
        return f"image {self.number} of {self.program.name}"

    @property
    def device_globals(self) -> ImageGlobals | None:
        """The device globals in the image; None if there are none."""
        info = self.contents.info
        if not info.global_accessor:
            return None
        variables = {v.identifier: v for v in info.managed_globals if v.number is not None}
        return ImageGlobals(
            info.global_accessor, variables, self.program.global_memory, self.program.order
        )

    @contextmanager
    def being_read(self) -> Generator[None]:
        """Name the image in a `FormatError` that is raised inside."""
        try:
            yield
        except FormatError as error:
            raise FormatError(f"{self} is damaged: {error.message}") from None


class ProgramImages:
    """All images of one program, whose exports other programs can import while it exists.

    It has no references to its `ProgramImage`s, which refer to it, so it is freed without garbage
    collection.
    """

    def __init__(self, syclbin: SyclBin, data: bytes, name: str) -> None:
        self.name = name
        """The file, if there is one, for messages."""
        self.contents = tuple(map(ImageContents, syclbin.abstract_modules))
        self._data = data
        self.global_memory = GlobalMemory()
        self._add_ons = self._find_add_ons()
        self._exporters = self._find_exporters()
        with _loading:
            self.order = next(_numbers)
            for symbol in self._exporters:
                _exporting.setdefault(symbol, WeakSet()).add(self)

    @property
    def images(self) -> tuple[ProgramImage, ...]:
        return tuple(ProgramImage(self, number) for number in range(len(self.contents)))

    @cached_property
    def digest(self) -> bytes:
        """The SHA-256 digest of the program."""
        return sha256(self._data).digest()

    def exporters(self, symbol: str, importer: ImageContents, target: str) -> list[ProgramImage]:
        """Return the images that can define a function for another, on devices of a target.

        A program can have variants of an image, with conditions resolved for different targets.
        Then the importer's variant is preferred, then the one with open conditions, then the first.
        """
        numbers = [
            n for n in self._exporters.get(symbol, ()) if self._is_compatible(n, importer, target)
        ]
        variants = [self.contents[n].info.resolved_targets for n in numbers]
        variant = next(
            (v for v in (importer.info.resolved_targets, (), *variants) if v in variants), ()
        )
        return [
            ProgramImage(self, n) for n, v in zip(numbers, variants, strict=True) if v == variant
        ]

    def _is_compatible(self, number: int, importer: ImageContents, target: str) -> bool:
        contents = self.contents[number]
        return contents.info.family == importer.info.family and contents.is_resolved_for(target)

    def add_on(self, identifier: str, family: str, *, real: bool) -> ProgramImage:
        """Return the real add-on of a pair, or its stub."""
        numbers = self._add_ons.get(identifier, ())
        pair = [ProgramImage(self, n) for n in numbers if self.contents[n].info.family == family]
        reals = [image for image in pair if _is_real(image)]
        stubs = [image for image in pair if not _is_real(image)]
        if len(reals) != 1 or len(stubs) != 1:
            raise FormatError(
                f"expected one real image and one stub of add-on '{identifier}', got {len(reals)}"
                f" and {len(stubs)} in {self.name}"
            )
        return reals[0] if real else stubs[0]

    def _find_add_ons(self) -> dict[str, list[int]]:
        """Return the numbers of add-on images, by identifier."""
        found: dict[str, list[int]] = {}
        for number, contents in enumerate(self.contents):
            if contents.info.add_on:
                found.setdefault(contents.info.add_on.identifier, []).append(number)
        return found

    def _find_exporters(self) -> dict[str, list[int]]:
        """Return the numbers of the images that export each symbol.

        Only their main images use add-ons: a stub defines the same symbols as the real one.
        """
        found: dict[str, list[int]] = {}
        for number, contents in enumerate(self.contents):
            for symbol in contents.info.exports if contents.info.add_on is None else ():
                found.setdefault(symbol, []).append(number)
        return found


def _is_real(image: ProgramImage) -> bool:
    add_on = image.contents.info.add_on
    return add_on is not None and add_on.is_real


_loading = Lock()
_exporting: dict[str, WeakSet[ProgramImages]] = {}
"""The loaded programs that export each symbol."""
_numbers = iter(range(1 << 62))


def exporters_of(symbol: str, importer: ProgramImage, target: str) -> Sequence[ProgramImage]:
    """Return the images that export a function to `importer`, on a device with this target.

    They are images of its program or, if that has none, of other loaded programs. A program
    that is loaded twice counts once.
    """
    contents = importer.contents
    own = importer.program.exporters(symbol, contents, target)
    if own:
        return own
    with _loading:
        others = sorted(_exporting.get(symbol, ()), key=lambda each: each.order)
    return _each_once(
        image for other in others for image in other.exporters(symbol, contents, target)
    )


def _each_once(images: Iterable[ProgramImage]) -> list[ProgramImage]:
    """Return the images without copies, as of a program that was loaded twice."""
    found = list(images)
    if len(found) < 2:
        return found
    first: dict[tuple[bytes, int], ProgramImage] = {}
    for image in found:
        first.setdefault((image.program.digest, image.number), image)
    return list(first.values())
