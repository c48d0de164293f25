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


@dataclass(frozen=True)
class LinkSet:
    """Images that become one program for a driver."""

    root: ProgramImage
    """The one that has the kernel."""
    needs: tuple[Need, ...]
    """The others, each for the first import that asked for it."""
    missing: tuple[tuple[ProgramImage, str], ...]
    """Imports that nothing defines, with who imports them."""

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
            if symbol in defined:
                continue
            found = exporters_of(symbol, importer.program)
            if len(found) > 1:
                raise _duplicate(kernel, symbol, found[0], found[1])
            if not found:
                missing.append((importer, symbol))
                continue
            (image,) = found
            needs.append(Need(image, importer, symbol))
            linked.append(image)
            for exported in image.contents.exports:
                if exported in defined:
                    raise _duplicate(kernel, exported, defined[exported], image)
                defined[exported] = image
    return LinkSet(root, tuple(needs), tuple(missing))


def _duplicate(
    kernel: str, symbol: str, first: ProgramImage, second: ProgramImage
) -> DuplicateDefinition:
    return DuplicateDefinition(
        f"kernel '{kernel}' cannot be linked: {first} and {second} both define"
        f" '{demangled(symbol)}'",
        hint="unload one of them, or make the function static in one of the sources",
    )
