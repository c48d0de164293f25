"""From device images to code, for each target that can run them.

    filtered = [filter_images(images, target) for target in targets]
    code = [generate_code(images, group, pool) for group in group_targets(filtered)]
    compiled = compiled_images(images, code)

An image that no target can run keeps its place, with its requirements and without code, so that its
kernels are refused with the reason. Targets that get the same code share it.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from dovetail.artifacts import CodeForm, CompiledImage, DeviceImage
from dovetail.aspect_filter import fit_requirements
from dovetail.codegen import BuildTarget, CodeGenerationError, CodeGenerator, generators_of
from dovetail.image import FIXED_TARGETS_SET, target_properties
from dovetail.targets import Fit


@dataclass(frozen=True)
class TargetImages:
    """Which of a program's images one target gets."""

    target: BuildTarget
    fits: tuple[Fit, ...]
    """Of each image."""

    @property
    def dropped(self) -> dict[int, tuple[str, ...]]:
        """By the numbers of the images that it cannot run, what it lacks for each, in words."""
        return {number: fit.missing for number, fit in enumerate(self.fits) if fit.verdict == "no"}


def filter_images(images: Sequence[DeviceImage], target: BuildTarget) -> TargetImages:
    """The aspect filter: what the target is known to lack, its compiler is not asked for."""
    fits = (fit_requirements(target.target, image.requirements) for image in images)
    return TargetImages(target, tuple(fits))


@dataclass(frozen=True)
class TargetGroup:
    """Targets that get the same code."""

    generator: CodeGenerator
    members: tuple[TargetImages, ...] = ()
    """None means whatever device turns up as the program runs, and all images."""

    def taking(self, number: int) -> tuple[BuildTarget, ...]:
        """The targets that get the image of that number."""
        return tuple(each.target for each in self.members if number not in each.dropped)


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


def generate_code(
    images: Sequence[DeviceImage],
    group: TargetGroup,
    pool: Executor,
    waiting: AbstractContextManager[None] | None = None,
) -> dict[int, tuple[CodeForm, ...]]:
    """The code of each image that one of the group's targets can run, by number.

    While this thread only waits for the pool, it is inside of `waiting`.

    What a compiler refuses is no reason to leave the others alone: `CodeGenerationError` tells of
    all that failed.
    """
    started: dict[int, Future[tuple[CodeForm, ...]]] = {}
    for number, image in enumerate(images):
        targets = group.taking(number)
        if targets or not group.members:
            started[number] = group.generator.generate(image, targets, pool)
    code: dict[int, tuple[CodeForm, ...]] = {}
    failures: list[CodeGenerationError] = []
    with waiting or nullcontext():
        wait(started.values())
    for number, future in started.items():
        try:
            code[number] = future.result()
        except CodeGenerationError as error:
            failures.append(_naming(error, images[number], group.taking(number)))
    if failures:
        message = "\n".join(error.message for error in failures)
        raise CodeGenerationError(message, hint=failures[0].hint)
    return code


def compiled_images(
    images: Sequence[DeviceImage],
    code: Sequence[Mapping[int, tuple[CodeForm, ...]]],
    fixed_targets: Sequence[str] = (),
) -> list[CompiledImage]:
    """The images with the code that all groups have for them, in their order.

    `fixed_targets` are the names of what the program is meant to run on, if nothing else.
    """
    compiled: list[CompiledImage] = []
    for number, image in enumerate(images):
        forms = tuple(form for of_group in code for form in of_group.get(number, ()))
        properties = dict(image.properties)
        if fixed_targets:
            properties[FIXED_TARGETS_SET] = {**target_properties(fixed_targets)}
        compiled.append(CompiledImage(forms, image.kernels, properties))
    return compiled


def _naming(
    error: CodeGenerationError, image: DeviceImage, targets: Sequence[BuildTarget]
) -> CodeGenerationError:
    kernels = ", ".join(f"'{kernel.name}'" for kernel in image.kernels)
    whose = f"of kernels {kernels}" if kernels else f"of functions {', '.join(image.entry_points)}"
    names = ", ".join(f"'{target.name}'" for target in targets) or "any device"
    return CodeGenerationError(
        f"the code {whose} cannot be made for {names}:\n{error.message}", hint=error.hint
    )
