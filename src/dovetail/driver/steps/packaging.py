"""The step that packages the images of a program into one file."""

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.step import AnyStep, Job, SavedResults, Session, Step, Task
from dovetail.driver.steps.code_generation import CodeGeneration
from dovetail.errors import InputError

if TYPE_CHECKING:
    from dovetail.artifacts import CompiledImage
    from dovetail.image import ImageInfo


class PackagingFields(NamedTuple):
    """The code of a program, and the file to write."""

    code: tuple[CodeGeneration, ...]
    """One for each group of modules that are linked together."""
    needs_kernels: bool
    """Whether a program without kernels is an error."""
    output: Path | None = None
    """The file to write, if any."""


class Packaging(Step[bytes], PackagingFields):
    """Make the content of the program file."""

    __slots__ = ()
    title = "packaging"
    makes = "syclbin"
    side = "device"
    can_be_restored = True
    not_in_key = ("output",)

    def inputs(self) -> tuple[AnyStep, ...]:
        return self.code

    def words(self) -> tuple[str, ...]:
        return ("package", os.fspath(self.output)) if self.output else (self.title,)

    def preload(self) -> None:
        import_module("dovetail.package.program")

    def run(self, task: Task) -> bytes:
        from dovetail.package import package_program

        images = _numbered(task.results.all_of(self.code))
        if self.needs_kernels and not images:
            raise InputError(
                "the program has no kernels",
                hint="mark a function with SYCL_EXT_ONEAPI_FUNCTION_PROPERTY"
                "((sycl::ext::oneapi::experimental::nd_range_kernel<1>))",
            )
        return package_program(images)

    def serialize(self, task: Task, result: bytes) -> bytes:
        return result

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> bytes:
        return content

    def save(self, files: SavedResults, job: Job, result: bytes) -> None:
        files.write(f"{files.program}.device.syclbin", result)


def _numbered(groups: "Sequence[Sequence[CompiledImage]]") -> "list[CompiledImage]":
    """Return all images; add-ons, numbered from 1 in each group, get unique identifiers."""
    from dataclasses import replace

    images: list[CompiledImage] = []
    count = 0
    for group in groups:
        add_ons = {add_on.identifier for image in group if (add_on := image.info.add_on)}
        if add_ons and count:
            images += (replace(image, info=_with_numbers(image.info, count)) for image in group)
        else:
            images += group
        count += len(add_ons)
    return images


def _with_numbers(info: "ImageInfo", offset: int) -> "ImageInfo":
    """Return the description with `offset` added to the identifiers of add-ons."""
    from dataclasses import replace

    add_on = info.add_on
    return replace(
        info,
        add_ons={str(int(each) + offset): condition for each, condition in info.add_ons.items()},
        add_on=add_on and add_on._replace(identifier=str(int(add_on.identifier) + offset)),
    )
