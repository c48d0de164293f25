"""The images of a loaded program: what each has, offers, needs and requires.

Code is not touched here; whoever takes an image reads it.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakSet

from dovetail import image as formats
from dovetail.assertion_record import reader_symbol
from dovetail.errors import FormatError
from dovetail.image import AbstractModule, IRType, Requirements, SyclBin
from dovetail.image.window import Bytes
from dovetail.runtime.backend import Code, CodeKind, Values
from dovetail.runtime.global_memory import GlobalMemory, ImageGlobals
from dovetail.targets.coverage import decides_for

if TYPE_CHECKING:
    from dovetail.image import AspectUse, ConditionalAspects, Constants, NativeOrigin

_KIND_OF_IR = {
    IRType.SPIRV: CodeKind.SPIRV,
    IRType.PTX: CodeKind.PTX,
    IRType.AMDGCN: CodeKind.AMDGCN,
}


@dataclass(frozen=True)
class CodeForm:
    """One of the forms that an image's code comes in, unread."""

    kind: CodeKind
    target: str
    """The architecture of native code, else the triple."""
    data: Bytes
    only_for: tuple[str, ...] = ()
    """Names of the targets that it is for; none means every device that takes it."""
    origin: "NativeOrigin | None" = None
    """What made native code, if it says so."""

    def read(self, values: Values = ()) -> Code:
        """The code itself, with what it is told of a device."""
        return Code(self.kind, bytes(self.data), values)

    def __str__(self) -> str:
        text = f"{self.kind} for {' and '.join(self.only_for)}" if self.only_for else self.kind
        processor = self.origin.processor if self.origin else ""
        return f"{text} ({processor})" if processor else str(text)


class ImageContents:
    """What an image says of itself, and what follows from that, once it is asked for."""

    def __init__(self, module: AbstractModule) -> None:
        self._module = module
        self.info = module.info

    def requirements_of(self, symbol: str) -> Requirements:
        """What a device must have for a kernel or another function that is called from outside."""
        return self._single_requirements.get(symbol, self.info.requirements)

    @cached_property
    def _single_requirements(self) -> dict[str, Requirements]:
        """By function, where an image has functions for different devices."""
        functions = {**self.info.function_reqs, **self.info.kernel_reqs}
        return {symbol: formats.combined_requirements(reqs) for symbol, reqs in functions.items()}

    @cached_property
    def constants(self) -> "Constants | None":
        """What its code has to be told of a device; None if it is the same for all."""
        return formats.constants_of(self.info) if self.info.has_conditions else None

    @property
    def asks_devices(self) -> bool:
        """Whether conditions in its code ask what a device is."""
        return bool(self.info.asked)

    @property
    def conditional_aspects(self) -> "ConditionalAspects":
        """What it uses on some devices only, if nothing tells which of its functions do."""
        return {} if self.info.conditional_calls else self.info.conditional_aspects

    @cached_property
    def inline(self) -> frozenset[str]:
        """Those of the exports that other images may define in the same way."""
        return frozenset(self.info.inline)

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Functions that it calls on every device and that other images have to define."""
        conditional = self.info.conditional_imports.values()
        under_conditions = {symbol for each in conditional for symbol in each}
        return tuple(symbol for symbol in self.info.imports if symbol not in under_conditions)

    @property
    def needs_others(self) -> bool:
        """Whether other images have to be linked with it."""
        return bool(self.info.add_ons or self.info.imports)

    def suits(self, target: str) -> bool:
        """Whether the conditions come out on a device of that target as they were decided."""
        resolved = self.info.resolved_targets
        return not resolved or any(decides_for(name, target) for name in resolved)

    @cached_property
    def decided_targets(self) -> tuple[str, ...]:
        """Those that conditions in all of its code were decided for; none if some has them open."""
        is_native = all(form.kind is CodeKind.NATIVE for form in self.forms)
        if not (self.forms and is_native and self.asks_devices):
            return self.info.resolved_targets
        return tuple(dict.fromkeys(name for form in self.forms for name in form.only_for))

    def lack(self, form: CodeForm, kernel: str) -> Sequence[str]:
        """What targets of native code lack, so that it is without a kernel; empty if it has it."""
        if form.kind is not CodeKind.NATIVE:
            return ()
        lacking = (
            self.info.filtered_kernels.get(name, {}).get(kernel, ()) for name in form.only_for
        )
        return next(filter(None, lacking), ())

    @cached_property
    def forms(self) -> tuple[CodeForm, ...]:
        """Its code: native first, then what drivers compile."""
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
        """The kernel that tells whether an assertion in `kernel` failed; empty if none can."""
        asserting = self.info.asserting_kernels
        return reader_symbol(asserting[0]) if kernel in asserting else ""

    def work_group_size(self, kernel: str) -> tuple[int, ...]:
        """What a kernel requires, as the attribute has it; empty if nothing."""
        sizes = self.info.kernel_sizes.get(kernel)
        return (sizes or self.requirements_of(kernel)).work_group_size

    def uses(self, symbol: str) -> "Mapping[str, AspectUse]":
        """Where a kernel or exported function uses aspects, by aspect, as far as is known."""
        return self.info.aspect_uses.get(symbol, {})


@dataclass(frozen=True)
class ProgramImage:
    """A part of a program that is compiled and loaded as a whole. Keeps the program loaded."""

    program: "ProgramImages"
    number: int

    @property
    def contents(self) -> ImageContents:
        return self.program.contents[self.number]

    def __str__(self) -> str:
        return f"image {self.number} of {self.program.name}"

    @property
    def device_globals(self) -> ImageGlobals | None:
        """Those that lie in the image, if there are some."""
        info = self.contents.info
        if not info.global_accessor:
            return None
        variables = {v.identifier: v for v in info.managed_globals if v.number is not None}
        return ImageGlobals(
            info.global_accessor, variables, self.program.global_memory, self.program.order
        )

    @contextmanager
    def being_read(self) -> Generator[None]:
        """Where errors in what it says of itself are said to be of it."""
        try:
            yield
        except FormatError as error:
            raise FormatError(f"{self} is damaged: {error.message}") from None


class ProgramImages:
    """All images of one program. While it is there, its exports are there for others.

    It does not hold its `ProgramImage`s, which hold it: so it goes as soon as nobody needs it.
    """

    def __init__(self, syclbin: SyclBin, data: bytes, name: str) -> None:
        self.name = name
        """For messages: the file, if it came from one."""
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
        """Tells programs of different content apart."""
        return sha256(self._data).digest()

    def exporters(self, symbol: str, importer: ImageContents, target: str) -> list[ProgramImage]:
        """The images that can define a function for another, on a device of that target.

        A program can have images several times, for targets that conditions were decided for. Then
        those are taken that are as the importer is, or have them open, or the first.
        """
        numbers = [
            n for n in self._exporters.get(symbol, ()) if self._goes_with(n, importer, target)
        ]
        variants = [self.contents[n].info.resolved_targets for n in numbers]
        variant = next(
            (v for v in (importer.info.resolved_targets, (), *variants) if v in variants), ()
        )
        return [
            ProgramImage(self, n) for n, v in zip(numbers, variants, strict=True) if v == variant
        ]

    def _goes_with(self, number: int, importer: ImageContents, target: str) -> bool:
        contents = self.contents[number]
        return contents.info.family == importer.info.family and contents.suits(target)

    def add_on(self, identifier: str, family: str, *, real: bool) -> ProgramImage:
        """The real add-on of a pair, or its stub."""
        numbers = self._add_ons.get(identifier, ())
        pair = [ProgramImage(self, n) for n in numbers if self.contents[n].info.family == family]
        reals = [image for image in pair if _is_real(image)]
        stubs = [image for image in pair if not _is_real(image)]
        if len(reals) != 1 or len(stubs) != 1:
            raise FormatError(
                f"{self.name} has {len(reals)} real images and {len(stubs)} stubs of add-on"
                f" '{identifier}', instead of one of each"
            )
        return reals[0] if real else stubs[0]

    def _find_add_ons(self) -> dict[str, list[int]]:
        """Those of each identifier."""
        found: dict[str, list[int]] = {}
        for number, contents in enumerate(self.contents):
            if contents.info.add_on:
                found.setdefault(contents.info.add_on.identifier, []).append(number)
        return found

    def _find_exporters(self) -> dict[str, list[int]]:
        """By symbol, the images that define a function for others.

        What add-ons define is for their main images alone: a stub has the names of the real one.
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
"""By symbol, the loaded programs that have the function."""
_numbers = iter(range(1 << 62))


def exporters_of(symbol: str, importer: ProgramImage, target: str) -> Sequence[ProgramImage]:
    """The images that can define a function for another: of its own program, else of others.

    `target` is that of the device. A program that was loaded twice counts once.
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
    found = list(images)
    if len(found) < 2:
        return found
    first: dict[tuple[bytes, int], ProgramImage] = {}
    for image in found:
        first.setdefault((image.program.digest, image.number), image)
    return list(first.values())
