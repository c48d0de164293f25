"""From device images to code, for each target that can run them.

    filtered = [filter_images(images, target) for target in targets]
    made = generate_code(images, group_targets(filtered), pool)
    compiled = compiled_images(images, made, filtered)

Code for all images and targets is made side by side. An image that no target can run keeps its
place, with its requirements and without code, so that its kernels are refused with the reason.
Targets that get the same code share it.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property

from dovetail.artifacts import CodeForm, CompiledImage, DeviceImage
from dovetail.aspect_filter import fit_requirements
from dovetail.codegen import (
    BuildTarget,
    CodeFailure,
    CodeGenerationError,
    CodeGenerator,
    generators_of,
)
from dovetail.image import (
    FAILED_TARGETS_SET,
    FAMILY_SET,
    FILTERED_TARGETS_SET,
    FIXED_TARGETS_SET,
    PropertySets,
    family_properties,
    filtered_properties,
    target_properties,
)
from dovetail.targets import Fit
from dovetail.targets.ir_family import family_name


@dataclass(frozen=True)
class TargetImages:
    """Which of a program's images one target gets."""

    target: BuildTarget
    fits: dict[int, Fit]
    """Of the images that are meant for it, by number."""

    @cached_property
    def dropped(self) -> dict[int, tuple[str, ...]]:
        """By the numbers of the images that it cannot run, what it lacks for each, in words."""
        return {number: fit.missing for number, fit in self.fits.items() if fit.verdict == "no"}

    def gets(self, number: int) -> bool:
        """Whether code of that image is made for it."""
        return number in self.fits and number not in self.dropped


def filter_images(images: Sequence[DeviceImage], target: BuildTarget) -> TargetImages:
    """The aspect filter: what the target is known to lack, its compiler is not asked for."""
    fits = {
        number: fit_requirements(target.target, image.requirements)
        for number, image in enumerate(images)
        if not image.targets or target.name in image.targets
    }
    return TargetImages(target, fits)


@dataclass(frozen=True)
class TargetGroup:
    """Targets that get the same code."""

    generator: CodeGenerator
    members: tuple[TargetImages, ...] = ()
    """None means whatever device turns up as the program runs, and all images."""

    def taking(self, number: int) -> tuple[BuildTarget, ...]:
        """The targets that get the image of that number."""
        return tuple(each.target for each in self.members if each.gets(number))


def group_targets(filtered: Sequence[TargetImages]) -> list[TargetGroup]:
    """The groups of targets that code is made for; one for any device if there are no targets.

    All are of the family that the images are of.
    """
    if not filtered:
        return [TargetGroup(generator) for generator in generators_of()]
    groups: dict[tuple[CodeGenerator, tuple[str, ...]], list[TargetImages]] = {}
    for each in filtered:
        for generator in generators_of(each.target.target.toolchain):
            groups.setdefault((generator, generator.words(each.target)), []).append(each)
    return [TargetGroup(generator, tuple(members)) for (generator, _), members in groups.items()]


@dataclass(frozen=True)
class Generated:
    """The code of images, by number, and what there is none of."""

    code: Mapping[int, tuple[CodeForm, ...]]
    failures_of: Mapping[int, tuple[CodeFailure, ...]]

    @property
    def failures(self) -> list[CodeFailure]:
        return [failure for each in self.failures_of.values() for failure in each]


def generate_code(
    images: Sequence[DeviceImage],
    groups: Sequence[TargetGroup],
    pool: Executor,
    waiting: AbstractContextManager[None] | None = None,
) -> Generated:
    """The code of each image for each group, if one of the group's targets can run it.

    What a compiler refuses is no reason to leave the others alone. While this thread only waits for
    the pool, it is inside of `waiting`.
    """
    started = [
        (number, group, group.generator.generate(image, group.taking(number), pool))
        for number, image in enumerate(images)
        for group in groups
        if group.taking(number) or not group.members
    ]
    with waiting or nullcontext():
        wait([future for _, _, future in started])
    code: dict[int, tuple[CodeForm, ...]] = {}
    failures: dict[int, tuple[CodeFailure, ...]] = {}
    for number, group, future in started:
        try:
            code[number] = (*code.get(number, ()), *future.result())
        except CodeGenerationError as error:
            failure = _failure(error, images[number], group.taking(number))
            failures[number] = (*failures.get(number, ()), failure)
    return Generated(code, failures)


def compiled_images(
    images: Sequence[DeviceImage],
    made: Generated,
    filtered: Sequence[TargetImages] = (),
    fixed_targets: Sequence[str] = (),
) -> list[CompiledImage]:
    """The images with the code that there is of them, in their order.

    Each says which targets do not get it, and why. `fixed_targets` are the names of what the
    program is meant to run on, if nothing else.
    """
    compiled: list[CompiledImage] = []
    for number, image in enumerate(images):
        lacking = {each.target.name: each.dropped.get(number, ()) for each in filtered}
        failed = [name for each in made.failures_of.get(number, ()) for name in each.targets]
        sets: PropertySets = {
            FAMILY_SET: {**family_properties(family_name(image.module.triple))},
            FILTERED_TARGETS_SET: {**filtered_properties(lacking)},
            FAILED_TARGETS_SET: {**target_properties(failed)},
            FIXED_TARGETS_SET: {**target_properties(fixed_targets)},
        }
        said = {name: properties for name, properties in sets.items() if properties}
        forms = made.code.get(number, ())
        compiled.append(CompiledImage(forms, image.kernels, {**image.properties, **said}))
    return compiled


def _failure(
    error: CodeGenerationError, image: DeviceImage, targets: Sequence[BuildTarget]
) -> CodeFailure:
    return CodeFailure(
        kernels=tuple(kernel.name for kernel in image.kernels),
        functions=() if image.kernels else tuple(image.entry_points),
        targets=tuple(target.name for target in targets),
        log=error.message,
        hint=error.hint,
    )
