"""Which images have to be linked for a kernel: its own, those that define what it imports, and so
on. Nothing here looks at code or at a device.
"""

from dataclasses import dataclass

from dovetail.errors import DuplicateDefinition, MissingImport
from dovetail.runtime.demangle import demangled
from dovetail.runtime.program_image import ProgramImage, exporters_of


@dataclass(frozen=True)
class Need:
    """Why an image is linked: who imports which function."""

    image: ProgramImage
    importer: ProgramImage
    symbol: str

    @property
    def name(self) -> str:
        """The function in C++."""
        return demangled(self.symbol)


@dataclass(frozen=True)
class LinkSet:
    """Images that become one program for a driver."""

    root: ProgramImage
    """The one that has the kernel."""
    needs: tuple[Need, ...]
    """The others, each for the first import that asked for it."""
    missing: tuple[tuple[ProgramImage, str], ...]
    """Imports that nothing defines, with who imports them."""

    def way_to(self, need: Need) -> tuple[str, ...]:
        """The functions that are called one after the other, from the kernel to that one."""
        names = [need.name]
        by_image = {each.image: each for each in self.needs}
        while need.importer in by_image:
            need = by_image[need.importer]
            names.append(need.name)
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


def link_set(root: ProgramImage, kernel: str) -> LinkSet:
    """Everything that has to be linked with an image; `DuplicateDefinition` if that is unclear."""
    needs: list[Need] = []
    missing: list[tuple[ProgramImage, str]] = []
    linked = [root]
    defined = dict.fromkeys(root.contents.exports, root)
    for importer in linked:
        for symbol in importer.contents.imports:
            # Asked even if it is defined by now: the verdict must not depend on the order.
            image = _definition(symbol, importer, kernel)
            if image is None:
                missing.append((importer, symbol))
                continue
            if image in linked or _is_inline_in_both(symbol, defined.get(symbol), image):
                continue
            needs.append(Need(image, importer, symbol))
            linked.append(image)
            for exported in image.contents.exports:
                first = defined.setdefault(exported, image)
                if first != image and not _are_inline(exported, first, image):
                    raise _duplicate(kernel, exported, first, image)
    return LinkSet(root, tuple(needs), tuple(missing))


def _definition(symbol: str, importer: ProgramImage, kernel: str) -> ProgramImage | None:
    """The image that defines a function; the first, if it is an inline function of several."""
    first, *others = exporters_of(symbol, importer) or [None]
    for other in others:
        if first and other and not _are_inline(symbol, first, other):
            raise _duplicate(kernel, symbol, first, other)
    return first


def _is_inline_in_both(symbol: str, first: ProgramImage | None, second: ProgramImage) -> bool:
    """Whether an inline function is there already, so that another definition is not needed."""
    return first is not None and _are_inline(symbol, first, second)


def _are_inline(symbol: str, *images: ProgramImage) -> bool:
    return all(symbol in image.contents.inline for image in images)


def _duplicate(
    kernel: str, symbol: str, first: ProgramImage, second: ProgramImage
) -> DuplicateDefinition:
    return DuplicateDefinition(
        f"kernel '{kernel}' cannot be linked: {first} and {second} both define"
        f" '{demangled(symbol)}'",
        hint="unload one of them, or make the function static in one of the sources",
    )
