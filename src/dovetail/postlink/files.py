"""Images as files: code, property sets and symbols of each, under names that follow a pattern.

Tables for one target list the images that it can run, with property sets of their own, which say
that they are for this target only.
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
    """How the code of images is written."""

    suffix: str
    """Of the names of files."""
    content: Callable[[DeviceImage], bytes]
    has_conditions: bool = False
    """Whether it says itself when functions are there; else their property sets do."""


def _bitcode(image: DeviceImage) -> bytes:
    return image.module.to_bitcode()


def _text(image: DeviceImage) -> bytes:
    return image.module.to_text().encode()


BITCODE = CodeFormat(".bc", _bitcode)
TEXT = CodeFormat(".ll", _text)


@dataclass(frozen=True)
class ImageFiles:
    """Which files each image is written to."""

    stem: Path
    """What their names begin with."""
    properties: bool = False
    symbols: bool = False
    code: CodeFormat = BITCODE

    @property
    def titles(self) -> tuple[str, ...]:
        """Of the columns of the table that lists them."""
        wanted = {CODE: True, PROPERTIES: self.properties, SYMBOLS: self.symbols}
        return tuple(title for title, is_wanted in wanted.items() if is_wanted)

    def names(self, number: int, target: Target | None = None) -> tuple[str, ...]:
        """The files of one image; those that say that it is for a target only, if there is one."""
        suffixes = {CODE: self.code.suffix, PROPERTIES: ".prop", SYMBOLS: ".sym"}
        stems = dict.fromkeys(suffixes, str(self.stem))
        if target and compile_target([target]):
            stems[PROPERTIES] += f"_{target.name}"
        return tuple(f"{stems[title]}_{number}{suffixes[title]}" for title in self.titles)

    def check(self) -> None:
        """Raise `FormatError` if a table cannot hold such names."""
        format_file_table(FileTable(self.titles, (self.names(0),)))


@dataclass(frozen=True)
class WrittenImage:
    """An image whose files are written."""

    files: tuple[str, ...]
    entry_points: tuple[str, ...]
    requirements: Requirements
    files_for: Mapping[str, tuple[str, ...]]
    """By name, for each target with a table that can run it, or may be able to."""


def write_images(
    images: Iterable[DeviceImage],
    files: ImageFiles,
    staged: StagedFiles,
    targets: Sequence[Target] = (),
) -> Iterator[WrittenImage]:
    """Write each image as it comes, aside, and forget it; `targets` are those with a table."""
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
    """Let the description say when functions are there, which LLVM's IR has no place for."""
    if image.conditional is None:
        return image
    info = replace(image.info, conditional_functions=image.conditional.described)
    return replace(image, info=info)


def _stage(
    image: DeviceImage,
    names: Sequence[str],
    files: ImageFiles,
    staged: StagedFiles,
    written: Collection[str] = (),
) -> None:
    """Write the files of an image, but for those that are written already."""
    for title, name in zip(files.titles, names, strict=True):
        if name not in written:
            staged.add(name, _content(image, title, files.code))


def _content(image: DeviceImage, title: str, code: CodeFormat) -> bytes:
    if title == PROPERTIES:
        return format_property_sets(encode_info(image.info))
    if title == SYMBOLS:
        return format_symbols(image.entry_points)
    return code.content(image)
