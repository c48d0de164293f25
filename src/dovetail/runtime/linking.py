"""Which images have to be linked for a kernel: its own, those that define what it imports, the
add-ons that are for the device, and what these need. Nothing here looks at code; the device is
only asked what it is, not whether it can run it.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail import conditions
from dovetail.errors import DuplicateDefinition, MissingImport
from dovetail.runtime.demangle import demangled
from dovetail.runtime.device import Device
from dovetail.runtime.program_image import ProgramImage, exporters_of

if TYPE_CHECKING:
    from dovetail.conditions import Condition


@dataclass(frozen=True)
class Need(ABC):
    """Why an image is linked."""

    image: ProgramImage
    importer: ProgramImage
    """The one that needs it."""

    @property
    @abstractmethod
    def entries(self) -> tuple[str, ...]:
        """The functions that are called there, by symbol."""

    @property
    @abstractmethod
    def called(self) -> str:
        """What is called there, for messages."""

    @property
    @abstractmethod
    def reason(self) -> str:
        """What it is linked for."""


@dataclass(frozen=True)
class ImportNeed(Need):
    """An image that has a function which another one imports."""

    symbol: str

    @property
    def entries(self) -> tuple[str, ...]:
        return (self.symbol,)

    @property
    def called(self) -> str:
        return f"'{demangled(self.symbol)}'"

    @property
    def reason(self) -> str:
        return f"for {self.called}, which {self.importer} imports"


@dataclass(frozen=True)
class AddOnNeed(Need):
    """One of a pair of add-ons, chosen for the device."""

    condition: "Condition"

    @property
    def entries(self) -> tuple[str, ...]:
        return self.image.contents.exports

    @property
    def called(self) -> str:
        return f"the code under the condition '{conditions.in_words(self.condition)}'"

    @property
    def reason(self) -> str:
        add_on = self.image.contents.add_on
        assert add_on
        truth = "holds" if add_on.is_real else "does not hold"
        words = conditions.in_words(self.condition)
        return (
            f"the {add_on.kind} add-on {add_on.identifier} of {self.importer}, since"
            f" '{words}' {truth}"
        )


@dataclass(frozen=True)
class LinkSet:
    """Images that become one program for a driver."""

    root: ProgramImage
    """The one that has the kernel."""
    needs: tuple[Need, ...]
    """The others, each for the first image that asked for it."""
    missing: tuple[tuple[ProgramImage, str], ...]
    """Imports that nothing defines, with who imports them."""

    def way_to(self, need: Need) -> tuple[str, ...]:
        """What is called one after the other, from the kernel to that one, in words."""
        names = [need.called]
        by_image = {each.image: each for each in self.needs}
        while need.importer in by_image:
            need = by_image[need.importer]
            names.append(need.called)
        return tuple(reversed(names))

    @property
    def images(self) -> tuple[ProgramImage, ...]:
        return (self.root, *(need.image for need in self.needs))

    def refuse_missing(self, kernel: str) -> None:
        """Raise `MissingImport` unless everything is there."""
        for image, symbol in self.missing:
            name = demangled(symbol)
            raise MissingImport(
                f"kernel '{kernel}' needs the function '{name}', which no loaded program defines;"
                f" it is imported by {image}",
                hint="load the program that defines it as SYCL_EXTERNAL, and keep it, or build both"
                " sources into one program",
            )


def link_set(root: ProgramImage, kernel: str, device: Device) -> LinkSet:
    """Everything that has to be linked with an image; `DuplicateDefinition` if that is unclear."""
    gathering = _Gathering(root, kernel, device)
    for image in gathering.linked:
        with image.being_read():
            add_ons = _chosen_add_ons(image, device)
            gathering.add_add_ons(add_ons)
            gathering.add_imports(image, {symbol for each in add_ons for symbol in each.entries})
    return LinkSet(root, tuple(gathering.needs), tuple(gathering.missing))


def _chosen_add_ons(image: ProgramImage, device: Device) -> list[AddOnNeed]:
    """One of each pair that the image names: of its own program, since others count anew."""
    family = image.contents.family
    chosen: list[AddOnNeed] = []
    for identifier, condition in image.contents.add_ons.items():
        add_on = image.program.add_on(identifier, family, real=device.satisfies(condition))
        chosen.append(AddOnNeed(add_on, image, condition))
    return chosen


class _Gathering:
    """The images that are linked so far, and what they define."""

    def __init__(self, root: ProgramImage, kernel: str, device: Device) -> None:
        self.linked = [root]
        self.needs: list[Need] = []
        self.missing: list[tuple[ProgramImage, str]] = []
        self._kernel = kernel
        self._device = device
        self._is_linked = {root}
        self._definitions = dict.fromkeys(root.contents.exports, root)

    def add_add_ons(self, needs: Sequence[AddOnNeed]) -> None:
        """Link add-ons, unless they are there."""
        for need in needs:
            self._add(need)

    def add_imports(self, importer: ProgramImage, defined: Collection[str]) -> None:
        """Link what defines an image's imports, but for those that its own add-ons define."""
        for symbol in importer.contents.imports:
            if symbol in defined:
                continue
            # Asked even if it is defined by now: the verdict must not depend on the order.
            image = self._definition(symbol, importer)
            if image is None:
                self.missing.append((importer, symbol))
            elif not self._has_the_same(symbol, image):
                self._add(ImportNeed(image, importer, symbol))

    def _add(self, need: Need) -> None:
        image = need.image
        if image in self._is_linked:
            return
        self._is_linked.add(image)
        self.linked.append(image)
        self.needs.append(need)
        for symbol in image.contents.exports:
            first = self._definitions.setdefault(symbol, image)
            if first != image and not _are_the_same(symbol, first, image):
                raise self._duplicate(symbol, first, image)

    def _definition(self, symbol: str, importer: ProgramImage) -> ProgramImage | None:
        """The image that defines a function; the first, if it is an inline function of several."""
        first, *others = exporters_of(symbol, importer, self._device.target) or [None]
        for other in others:
            if first and other and not _are_the_same(symbol, first, other):
                raise self._duplicate(symbol, first, other)
        return first

    def _has_the_same(self, symbol: str, image: ProgramImage) -> bool:
        """Whether a function is there already, so that another definition is not needed."""
        first = self._definitions.get(symbol)
        return first is not None and _are_the_same(symbol, first, image)

    def _duplicate(
        self, symbol: str, first: ProgramImage, second: ProgramImage
    ) -> DuplicateDefinition:
        return DuplicateDefinition(
            f"kernel '{self._kernel}' cannot be linked: {first} and {second} both define"
            f" '{demangled(symbol)}'",
            hint="unload one of them, or make the function static in one of the sources",
        )


def _are_the_same(symbol: str, first: ProgramImage, second: ProgramImage) -> bool:
    """Whether either definition will do: both are inline, and none is a stub for the other."""
    is_inline = all(symbol in image.contents.inline for image in (first, second))
    return is_inline and _is_stub(first) == _is_stub(second)


def _is_stub(image: ProgramImage) -> bool:
    add_on = image.contents.add_on
    return add_on is not None and not add_on.is_real
