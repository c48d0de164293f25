"""Finding the images to link with a kernel's own.

They define its imports, are its add-ons for the device, or are needed by these; code under
conditions counts only where the conditions hold on the device. Nothing here reads code or checks
whether the device can run it.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail import conditions
from dovetail.errors import DuplicateDefinition, MissingImport
from dovetail.fit import Requirements
from dovetail.runtime.demangle import demangled
from dovetail.runtime.device import Device
from dovetail.runtime.program_image import ProgramImage, exporters_of

if TYPE_CHECKING:
    from dovetail.conditions import Condition


@dataclass(frozen=True, eq=False)
class Part(ABC):
    """Code of an image that a kernel needs: called by the kernel or by another part."""

    image: ProgramImage
    caller: "Part | None"
    """The part that needs it; None for the kernel itself."""

    @property
    @abstractmethod
    def entries(self) -> tuple[str, ...]:
        """The symbols of the functions that are called in the image."""

    @property
    def key(self) -> object:
        """Distinguishes the parts of an image."""
        return self.entries

    @property
    @abstractmethod
    def requirements(self) -> Requirements:
        """What a device needs to run it."""

    @property
    @abstractmethod
    def called(self) -> str:
        """The called code, for messages."""

    @property
    def reason(self) -> str:
        """Why the image is linked, for messages; empty for the kernel's own image."""
        return ""

    @property
    def call_path(self) -> tuple[str, ...]:
        """The calls that lead from the kernel to this part, in words."""
        names: list[str] = []
        part = self
        while part.caller:
            names.append(part.called)
            part = part.caller
        return tuple(reversed(names))


@dataclass(frozen=True, eq=False)
class FunctionPart(Part):
    """A kernel or an imported function, with the functions that it calls on every device."""

    symbol: str

    @property
    def entries(self) -> tuple[str, ...]:
        return (self.symbol,)

    @property
    def requirements(self) -> Requirements:
        return self.image.contents.requirements_of(self.symbol)

    @property
    def called(self) -> str:
        return f"'{demangled(self.symbol)}'"

    @property
    def reason(self) -> str:
        return f"for {self.called}, which {self.caller.image} imports" if self.caller else ""


@dataclass(frozen=True, eq=False)
class ConditionalPart(Part):
    """Code that is called only on some devices."""

    condition: "Condition"

    @property
    def called(self) -> str:
        return f"the code under the condition '{conditions.in_words(self.condition)}'"

    @property
    def reason(self) -> str:
        add_on = self.image.contents.info.add_on
        assert self.caller
        if add_on is None:
            return ""
        truth = "holds" if add_on.is_real else "does not hold"
        words = conditions.in_words(self.condition)
        return (
            f"the {add_on.kind} add-on {add_on.identifier} of {self.caller.image}, since"
            f" '{words}' {truth}"
        )


@dataclass(frozen=True, eq=False)
class AddOnPart(ConditionalPart):
    """All of an add-on: the real one or the stub, as the condition decides for the device."""

    @property
    def entries(self) -> tuple[str, ...]:
        return self.image.contents.info.exports

    @property
    def requirements(self) -> Requirements:
        return self.image.contents.info.requirements


@dataclass(frozen=True, eq=False)
class ActionPart(ConditionalPart):
    """A function in the caller's image or its add-ons, called because the condition holds."""

    symbol: str

    @property
    def entries(self) -> tuple[str, ...]:
        return (self.symbol,)

    @property
    def requirements(self) -> Requirements:
        return self.image.contents.requirements_of(self.symbol)


@dataclass(frozen=True, eq=False)
class AspectsPart(ConditionalPart):
    """Code in the caller's image that uses aspects because the condition holds."""

    aspects: tuple[int, ...]

    @property
    def entries(self) -> tuple[str, ...]:
        return ()

    @property
    def key(self) -> object:
        return self.condition

    @property
    def requirements(self) -> Requirements:
        return Requirements(self.aspects)


@dataclass(frozen=True)
class LinkSet:
    """The images that a driver links into one program."""

    parts: tuple[Part, ...]
    """The needed parts: the kernel first, others after the first part that needs them; last,
    add-ons that are linked although nothing calls them."""
    missing: tuple[tuple[ProgramImage, str], ...]
    """Undefined imports, each with the image that imports it."""

    @property
    def root(self) -> ProgramImage:
        """The image with the kernel."""
        return self.parts[0].image

    @property
    def images(self) -> tuple[ProgramImage, ...]:
        """All images, the kernel's first."""
        return tuple(self.reasons)

    @property
    def reasons(self) -> dict[ProgramImage, str]:
        """Why each image is linked; empty for the kernel's own."""
        found: dict[ProgramImage, str] = {}
        for part in self.parts:
            if part.image not in found:
                found[part.image] = part.reason
        return found

    def refuse_missing(self, kernel: str) -> None:
        """Raise `MissingImport` if an import is undefined."""
        for image, symbol in self.missing:
            name = demangled(symbol)
            raise MissingImport(
                f"kernel '{kernel}' needs the function '{name}', which no loaded program defines;"
                f" it is imported by {image}",
                hint="load the program that defines it as SYCL_EXTERNAL, and keep it, or build both"
                " sources into one program",
            )


def link_set(root: ProgramImage, kernel: str, symbol: str, device: Device) -> LinkSet:
    """Return what to link for a kernel; raise `DuplicateDefinition` if definitions conflict."""
    builder = _LinkSetBuilder(FunctionPart(root, None, symbol), kernel, device)
    for part in builder.worklist():
        with part.image.being_read():
            builder.follow(part)
    return LinkSet(tuple(builder.parts), tuple(builder.missing))


def _called_under_conditions(
    part: Part, in_add_ons: Mapping[str, ProgramImage], device: Device
) -> Iterator[Part]:
    """Yield what a part calls under conditions that hold on the device, in its image or add-ons."""
    contents = part.image.contents
    for entry in part.entries:
        for condition, action in contents.info.conditional_calls.get(entry, ()):
            if device.satisfies(condition):
                yield ActionPart(in_add_ons.get(action, part.image), part, condition, action)
    for condition, aspects in contents.conditional_aspects.items():
        if device.satisfies(condition):
            yield AspectsPart(part.image, part, condition, aspects)


def _chosen_add_ons(part: Part, device: Device) -> list[AddOnPart]:
    """Return one add-on of each pair that the image names; identifiers are unique in a program."""
    image = part.image
    family = image.contents.info.family
    chosen: list[AddOnPart] = []
    for identifier, condition in image.contents.info.add_ons.items():
        add_on = image.program.add_on(identifier, family, real=device.satisfies(condition))
        chosen.append(AddOnPart(add_on, part, condition))
    return chosen


class _LinkSetBuilder:
    """The parts found so far, and what their images define."""

    def __init__(self, root: Part, kernel: str, device: Device) -> None:
        self.parts = [root]
        self.missing: list[tuple[ProgramImage, str]] = []
        self._kernel = kernel
        self._device = device
        self._is_taken = {(root.image, root.key)}
        self._first = {root.image: root}
        """The first part of each linked image."""
        self._in_add_ons: dict[ProgramImage, dict[str, ProgramImage]] = {}
        """For each image, the add-on that defines each symbol."""
        self._add_ons: deque[AddOnPart] = deque()
        """Add-ons to link at the end, if nothing has called them by then."""
        self._definitions = dict.fromkeys(root.image.contents.info.exports, root.image)

    def worklist(self) -> Iterator[Part]:
        """Yield each part, including ones added meanwhile; add-ons that nothing calls come last."""
        followed = 0
        while followed < len(self.parts):
            yield self.parts[followed]
            followed += 1
            while followed == len(self.parts) and self._add_ons:
                add_on = self._add_ons.popleft()
                if add_on.image not in self._first:
                    self._add(add_on)

    def follow(self, part: Part) -> None:
        """Add what a part needs."""
        contents = part.image.contents
        is_first = self._first[part.image] is part
        if is_first:
            self._choose_add_ons(part)
        in_add_ons = self._in_add_ons[part.image]
        for called in _called_under_conditions(part, in_add_ons, self._device):
            self._add(called)
        for entry in part.entries:
            self._add_imports(part, contents.info.conditional_imports.get(entry, ()))
        if is_first:
            # The image's own add-ons define some of its imports.
            self._add_imports(part, (each for each in contents.imports if each not in in_add_ons))

    def _choose_add_ons(self, part: Part) -> None:
        """Choose the add-ons of the part's image; add them now, unless its calls are known."""
        chosen = _chosen_add_ons(part, self._device)
        self._in_add_ons[part.image] = {
            symbol: each.image for each in chosen for symbol in each.entries
        }
        if part.image.contents.info.conditional_calls:
            self._add_ons.extend(chosen)
        else:
            for add_on in chosen:
                self._add(add_on)

    def _add_imports(self, importer: Part, symbols: Iterable[str]) -> None:
        """Add imported functions of other images."""
        for symbol in symbols:
            # Looked up even if already defined: errors must not depend on the order.
            image = self._definition(symbol, importer.image)
            if image is None:
                self.missing.append((importer.image, symbol))
            else:
                self._add(FunctionPart(self._same_or(symbol, image), importer, symbol))

    def _add(self, part: Part) -> None:
        """Add a part once; raise `DuplicateDefinition` if an image exports a function again."""
        image = part.image
        if (image, part.key) in self._is_taken:
            return
        self._is_taken.add((image, part.key))
        self.parts.append(part)
        if image in self._first:
            return
        self._first[image] = part
        for symbol in image.contents.info.exports:
            first = self._definitions.setdefault(symbol, image)
            if first != image and not _are_interchangeable(symbol, first, image):
                raise self._duplicate(symbol, first, image)

    def _definition(self, symbol: str, importer: ProgramImage) -> ProgramImage | None:
        """Return the image that defines a function; the first of several for an inline function."""
        first, *others = exporters_of(symbol, importer, self._device.target) or [None]
        for other in others:
            if first and other and not _are_interchangeable(symbol, first, other):
                raise self._duplicate(symbol, first, other)
        return first

    def _same_or(self, symbol: str, image: ProgramImage) -> ProgramImage:
        """Return an already linked image with an equivalent definition, or else `image`."""
        first = self._definitions.get(symbol)
        return image if first is None or not _are_interchangeable(symbol, first, image) else first

    def _duplicate(
        self, symbol: str, first: ProgramImage, second: ProgramImage
    ) -> DuplicateDefinition:
        return DuplicateDefinition(
            f"kernel '{self._kernel}' cannot be linked: {first} and {second} both define"
            f" '{demangled(symbol)}'",
            hint="unload one of them, or make the function static in one of the sources",
        )


def _are_interchangeable(symbol: str, first: ProgramImage, second: ProgramImage) -> bool:
    """Return whether both definitions are inline, and both or neither are stubs."""
    is_inline = all(symbol in image.contents.inline for image in (first, second))
    return is_inline and _is_stub(first) == _is_stub(second)


def _is_stub(image: ProgramImage) -> bool:
    add_on = image.contents.info.add_on
    return add_on is not None and not add_on.is_real
