"""Images as files: code, property sets and symbols of each, under names that follow a pattern."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dovetail.artifacts import DeviceImage
from dovetail.files import StagedFiles
from dovetail.image import (
    CODE,
    PROPERTIES,
    SYMBOLS,
    FileTable,
    Requirements,
    encode_info,
    format_file_table,
    format_property_sets,
    format_symbols,
)
from dovetail.ir import Module


@dataclass(frozen=True)
class ImageFiles:
    """Which files each image is written to."""

    stem: Path
    """What their names begin with."""
    properties: bool = False
    symbols: bool = False
    as_text: bool = False
    """Code as text instead of bitcode."""

    @property
    def titles(self) -> tuple[str, ...]:
        """Of the columns of the table that lists them."""
        wanted = {CODE: True, PROPERTIES: self.properties, SYMBOLS: self.symbols}
        return tuple(title for title, is_wanted in wanted.items() if is_wanted)

    def names(self, number: int) -> tuple[str, ...]:
        """The files of one image."""
        suffixes = {CODE: ".ll" if self.as_text else ".bc", PROPERTIES: ".prop", SYMBOLS: ".sym"}
        return tuple(f"{self.stem}_{number}{suffixes[title]}" for title in self.titles)

    def check(self) -> None:
        """Raise `FormatError` if a table cannot hold such names."""
        format_file_table(FileTable(self.titles, (self.names(0),)))


@dataclass(frozen=True)
class WrittenImage:
    """An image whose files are written."""

    files: tuple[str, ...]
    entry_points: tuple[str, ...]
    requirements: Requirements


def write_images(
    images: Iterable[DeviceImage], files: ImageFiles, staged: StagedFiles
) -> Iterator[WrittenImage]:
    """Write each image as it comes, aside, and forget it."""
    for number, image in enumerate(images):
        names = files.names(number)
        for title, name in zip(files.titles, names, strict=True):
            staged.add(name, _content(image, title, as_text=files.as_text))
        yield WrittenImage(names, image.entry_points, image.info.requirements)


def module_content(module: Module, *, as_text: bool) -> bytes:
    """A module as it goes into a file."""
    return module.to_text().encode() if as_text else module.to_bitcode()


def _content(image: DeviceImage, title: str, *, as_text: bool) -> bytes:
    if title == PROPERTIES:
        return format_property_sets(encode_info(image.info))
    if title == SYMBOLS:
        return format_symbols(image.entry_points)
    return module_content(image.module, as_text=as_text)
