"""Write images as files: code, property sets and symbols.

Tables for one target list the images that it can run. Their property sets name the target.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from dovetail.artifacts import DeviceImage
from dovetail.aspect_filter import alternative_requirements, fit_of
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
from dovetail.targets import Target
from dovetail.targets.coverage import compile_target


class CodeFormat(NamedTuple):
    """A file format for the code of images."""

    suffix: str
    """The suffix of file names."""
    content: Callable[[DeviceImage], bytes]
    has_conditions: bool = False
    """Whether code can contain conditions; otherwise they are in the property sets."""


def _bitcode(image: DeviceImage) -> bytes:
    return image.module.to_bitcode()


def _text(image: DeviceImage) -> bytes:
    return image.module.to_text().encode()


BITCODE = CodeFormat(".bc", _bitcode)
TEXT = CodeFormat(".ll", _text)


@dataclass(frozen=True)
class ImageFiles:
    """Which files are written for each image."""

    stem: Path
    """The prefix of file names."""
    properties: bool = False
    symbols: bool = False
    code: CodeFormat = BITCODE

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the columns of the file table."""
        wanted = {CODE: True, PROPERTIES: self.properties, SYMBOLS: self.symbols}
        return tuple(title for title, is_wanted in wanted.items() if is_wanted)

    def names(self, number: int, target: Target | None = None) -> tuple[str, ...]:
        """Return the names of an image's files, with `target` for the table of that target."""
        suffixes = {CODE: self.code.suffix, PROPERTIES: ".prop", SYMBOLS: ".sym"}
        stems = dict.fromkeys(suffixes, str(self.stem))
        # Only the property set of such a target differs from the image's own: it has its name.
        if target and compile_target([target]):
            stems[PROPERTIES] += f"_{target.name}"
        return tuple(f"{stems[title]}_{number}{suffixes[title]}" for title in self.titles)

    def check(self) -> None:
        """Raise `FormatError` if a file table cannot contain such names."""
        format_file_table(FileTable(self.titles, (self.names(0),)))


@dataclass(frozen=True)
class WrittenImage:
    """An image whose files have been written."""

    files: tuple[str, ...]
    entry_points: tuple[str, ...]
    requirements: Requirements
    files_for: Mapping[str, tuple[str, ...]]
    """The files for each target, by name, that can or may run the image."""


def write_images(
    images: Iterable[DeviceImage],
    files: ImageFiles,
    staged: StagedFiles,
    targets: Sequence[Target] = (),
) -> Iterator[WrittenImage]:
    """Write images one at a time to staged files; `targets` are those with a table."""
    for number, given in enumerate(images):
        image = given if files.code.has_conditions else _with_conditions_described(given)
        names = files.names(number)
        _stage(image, names, files, staged)
        alternatives = alternative_requirements(image.info)
        files_for: dict[str, tuple[str, ...]] = {}
        for target in targets:
            if fit_of(target, alternatives).verdict != "no":
                files_for[target.name] = files.names(number, target)
                info = replace(image.info, compile_target=compile_target([target]))
                described = replace(image, info=info)
                _stage(described, files_for[target.name], files, staged, written=names)
        yield WrittenImage(names, image.entry_points, image.info.requirements, files_for)


def _with_conditions_described(image: DeviceImage) -> DeviceImage:
    """Move conditions to the properties, since LLVM IR cannot express them."""
    if image.conditional is None:
        return image
    info = replace(image.info, conditional_functions=image.conditional.as_property)
    return replace(image, info=info)


def _stage(
    image: DeviceImage,
    names: Sequence[str],
    files: ImageFiles,
    staged: StagedFiles,
    written: Collection[str] = (),
) -> None:
    """Write the files of an image, except those in `written`."""
    for title, name in zip(files.titles, names, strict=True):
        if name not in written:
            staged.add(name, _content(image, title, files.code))


def _content(image: DeviceImage, title: str, code: CodeFormat) -> bytes:
    if title == PROPERTIES:
        return format_property_sets(encode_info(image.info))
    if title == SYMBOLS:
        return format_symbols(image.entry_points)
    return code.content(image)
