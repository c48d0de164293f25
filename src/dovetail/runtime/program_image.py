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
from dovetail.image import (
    ADD_ON_IMAGES_SET,
    CONDITIONAL_CALLS_SET,
    AbstractModule,
    AddOn,
    IRType,
    KeptGlobal,
    Requirements,
    SyclBin,
    add_on_of,
    add_ons_of,
    asserting_kernels_of,
    exported_symbols_of,
    imported_symbols_of,
    inline_symbols_of,
    keeper_of,
    kept_globals_of,
    kernel_sizes_of,
    kernels_of,
    requirements_of,
)
from dovetail.image.window import Bytes
from dovetail.kernel_info import KernelInfo
from dovetail.runtime.backend import Code, CodeKind, Values
from dovetail.runtime.global_memory import GlobalMemory, ImageGlobals
from dovetail.targets.coverage import decides_for

if TYPE_CHECKING:
    from dovetail.conditions import Condition
    from dovetail.image import (
        AspectUse,
        ConditionalAspects,
        ConditionalCall,
        Constants,
        KernelsLeftOut,
        NativeOrigin,
    )

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
    """What an image says of itself, read when it is first asked for."""

    def __init__(self, module: AbstractModule) -> None:
        self._module = module

    @cached_property
    def requirements(self) -> Requirements:
        """What a device must have for any of its kernels."""
        return requirements_of(self._module.metadata)

    def requirements_of(self, symbol: str) -> Requirements:
        """What a device must have for a kernel or another function that is called from outside."""
        return self._single_requirements.get(symbol, self.requirements)

    @cached_property
    def has_conditions(self) -> bool:
        """Whether something in it, or that it requires, depends on the device."""
        return formats.has_conditions(self._module.metadata)

    @cached_property
    def _single_requirements(self) -> dict[str, Requirements]:
        """By function, where an image has functions for different devices."""
        if not self.has_conditions:
            return {}
        sets = self._module.metadata
        functions = {**formats.function_reqs_of(sets), **formats.kernel_reqs_of(sets)}
        return {symbol: formats.joined(reqs) for symbol, reqs in functions.items()}

    @cached_property
    def constants(self) -> "Constants | None":
        """What its code has to be told of a device; None if it is the same for all."""
        return formats.constants_of(self._module.metadata) if self.has_conditions else None

    @property
    def asks_devices(self) -> bool:
        """Whether conditions in its code ask what a device is."""
        return self.constants is not None and bool(self.constants.asked)

    @cached_property
    def conditional_calls(self) -> "dict[str, tuple[ConditionalCall, ...]]":
        """By caller, what is called on some devices alone, in the image itself or in add-ons."""
        sets = self._module.metadata
        # Most images have none, and need not load what reads them.
        return formats.conditional_calls_of(sets) if CONDITIONAL_CALLS_SET in sets else {}

    @cached_property
    def conditional_aspects(self) -> "ConditionalAspects":
        """What it uses on some devices alone, if nothing tells which of its functions do."""
        if not self.has_conditions or self.conditional_calls:
            return {}
        return formats.conditional_aspects_of(self._module.metadata)

    @cached_property
    def exports(self) -> tuple[str, ...]:
        """Functions that other images may call."""
        return exported_symbols_of(self._module.metadata)

    @cached_property
    def inline(self) -> frozenset[str]:
        """Those of the exports that other images may define in the same way."""
        return frozenset(inline_symbols_of(self._module.metadata))

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Functions that it calls on every device and that other images have to define."""
        symbols = imported_symbols_of(self._module.metadata)
        under_conditions = {symbol for each in self.conditional_imports.values() for symbol in each}
        return tuple(symbol for symbol in symbols if symbol not in under_conditions)

    @cached_property
    def conditional_imports(self) -> dict[str, tuple[str, ...]]:
        """By what is called on some devices alone, what it calls of other images."""
        return formats.conditional_imports_of(self._module.metadata) if self.has_conditions else {}

    @cached_property
    def add_on(self) -> AddOn | None:
        """Which add-on it is; None if it is none, as most are."""
        return add_on_of(self._module.metadata)

    @cached_property
    def add_ons(self) -> "dict[str, Condition]":
        """The pairs of add-ons that it needs one of each, with their conditions."""
        return add_ons_of(self._module.metadata)

    @property
    def needs_others(self) -> bool:
        """Whether other images have to be linked with it."""
        sets = self._module.metadata
        return ADD_ON_IMAGES_SET in sets or bool(imported_symbols_of(sets))

    @cached_property
    def family(self) -> str:
        """The family of device IR that it was made from: code of two cannot be linked."""
        return formats.family_of(self._module.metadata)

    @cached_property
    def resolved_targets(self) -> tuple[str, ...]:
        """Those that conditions in its code were decided for; none if it is the same for all."""
        return formats.resolved_targets_of(self._module.metadata)

    def suits(self, target: str) -> bool:
        """Whether the conditions come out on a device of that target as they were decided."""
        resolved = self.resolved_targets
        return not resolved or any(decides_for(name, target) for name in resolved)

    @cached_property
    def decided_targets(self) -> tuple[str, ...]:
        """Those that conditions in all of its code were decided for; none if some has them open."""
        is_native = all(form.kind is CodeKind.NATIVE for form in self.forms)
        if not (self.forms and is_native and self.asks_devices):
            return self.resolved_targets
        return tuple(dict.fromkeys(name for form in self.forms for name in form.only_for))

    @cached_property
    def _filtered_kernels(self) -> "Mapping[str, KernelsLeftOut]":
        """By target, the kernels that its native code is without, with what is lacking."""
        return formats.filtered_kernels_of(self._module.metadata)

    def lack(self, form: CodeForm, kernel: str) -> Sequence[str]:
        """What targets of native code lack, so that it is without a kernel; empty if it has it."""
        if form.kind is not CodeKind.NATIVE:
            return ()
        lacking = (self._filtered_kernels.get(name, {}).get(kernel, ()) for name in form.only_for)
        return next(filter(None, lacking), ())

    @property
    def failed_targets(self) -> tuple[str, ...]:
        """Those whose compilers failed on it."""
        return formats.failed_targets_of(self._module.metadata)

    @cached_property
    def kernels(self) -> tuple[KernelInfo, ...]:
        """Those that are described."""
        return kernels_of(self._module)

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

    @cached_property
    def device_globals(self) -> tuple[KeptGlobal, ...]:
        """Variables that kernels of several launches, and the host, share."""
        return kept_globals_of(self._module.metadata)

    @property
    def keeper(self) -> str:
        """The kernel that reaches those of them that lie in the image; empty if none do."""
        return keeper_of(self._module.metadata)

    def assertion_reader(self, kernel: str) -> str:
        """The kernel that tells whether an assertion in `kernel` failed; empty if none can."""
        asserting = asserting_kernels_of(self._module.metadata)
        return reader_symbol(asserting[0]) if kernel in asserting else ""

    def work_group_size(self, kernel: str) -> tuple[int, ...]:
        """What a kernel requires, as the attribute has it; empty if nothing."""
        sizes = kernel_sizes_of(self._module.metadata)
        return (sizes.get(kernel) or self.requirements_of(kernel)).work_group_size

    def uses(self, symbol: str) -> "dict[str, AspectUse]":
        """Where a kernel or exported function uses aspects, by aspect, as far as is known."""
        # Asked for only if a kernel does not fit, and loaded only then.
        return formats.aspect_uses_of(self._module.metadata).get(symbol, {})


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
        keeper = self.contents.keeper
        if not keeper:
            return None
        variables = {v.identifier: v for v in self.contents.device_globals if v.number is not None}
        return ImageGlobals(keeper, variables, self.program.global_memory, self.program.order)

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
        variants = [self.contents[n].resolved_targets for n in numbers]
        variant = next((v for v in (importer.resolved_targets, (), *variants) if v in variants), ())
        return [
            ProgramImage(self, n) for n, v in zip(numbers, variants, strict=True) if v == variant
        ]

    def _goes_with(self, number: int, importer: ImageContents, target: str) -> bool:
        contents = self.contents[number]
        return contents.family == importer.family and contents.suits(target)

    def add_on(self, identifier: str, family: str, *, real: bool) -> ProgramImage:
        """The real add-on of a pair, or its stub."""
        numbers = self._add_ons.get(identifier, ())
        pair = [ProgramImage(self, n) for n in numbers if self.contents[n].family == family]
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
            if contents.add_on:
                found.setdefault(contents.add_on.identifier, []).append(number)
        return found

    def _find_exporters(self) -> dict[str, list[int]]:
        """Read at once: what is wrong with it is no other program's business.

        What add-ons define is for their main images alone: a stub has the names of the real one.
        """
        found: dict[str, list[int]] = {}
        for number, contents in enumerate(self.contents):
            for symbol in contents.exports if contents.add_on is None else ():
                found.setdefault(symbol, []).append(number)
            _ = contents.inline, contents.family, contents.resolved_targets
        return found


def _is_real(image: ProgramImage) -> bool:
    return image.contents.add_on is not None and image.contents.add_on.is_real


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
