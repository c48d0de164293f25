"""From device images to code, for each target that can run them.

    filtered = [filter_images(images, target) for target in targets]
    made = generate_code(images, group_targets(filtered), session)
    compiled = compiled_images(images, made, filtered)

Code for all images and targets is made side by side. An image that no target can run keeps its
place, with its requirements and without code, so that its kernels are refused with the reason.
Targets that get the same code share it. Native code of an image that is conditional is made for
what its constants are on a target, and has none of the kernels that the target cannot run.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

from dovetail.artifacts import CodeForm, CompiledImage, DeviceImage
from dovetail.codegen import (
    NO_VALUES,
    BuildTarget,
    CodeFailure,
    CodeGenerationError,
    CodeGenerator,
    InvalidCode,
    Values,
    generators_of,
)
from dovetail.codegen.session import CodegenSession
from dovetail.driver.step import AnyStep
from dovetail.errors import DovetailError, ToolFailed
from dovetail.fit import Fit, fit, fit_any
from dovetail.image import FilteredKernels
from dovetail.targets import Table
from dovetail.targets.coverage import compile_target
from dovetail.targets.ir_family import family_name

_Key = TypeVar("_Key")


@dataclass(frozen=True)
class TargetImages:
    """Which of a program's images one target gets."""

    target: BuildTarget
    fits: dict[int, Fit]
    """Of the images that are meant for it, by number."""
    entry_point_fits: dict[int, dict[str, Fit]] = field(default_factory=dict[int, dict[str, Fit]])
    """Of the entry points of those that are conditional, by symbol."""
    values: dict[int, Values] = field(default_factory=dict[int, Values])
    """Of the constants of those that are conditional, on the target."""

    @cached_property
    def dropped(self) -> dict[int, tuple[str, ...]]:
        """By the numbers of the images that it cannot run, what it lacks for each, in words."""
        return _missing(self.fits)

    def gets(self, number: int) -> bool:
        """Whether code of that image is made for it."""
        return number in self.fits and number not in self.dropped

    def left_out(self, number: int) -> dict[str, tuple[str, ...]]:
        """The entry points that its code of that image is without, and what it lacks for each."""
        return _missing(self.entry_point_fits.get(number, {})) if self.gets(number) else {}


def _missing(fits: Mapping[_Key, Fit]) -> dict[_Key, tuple[str, ...]]:
    """Return what the target lacks, for what it cannot run."""
    # Imported late: most programs are built for any device.
    from dovetail.targets.fit_text import fit_text

    return {key: fit_text(each).missing for key, each in fits.items() if each.verdict == "no"}


def start_compilers(steps: Iterable[AnyStep], at_most: int) -> None:
    """Start the compilers that images will go to, before there is work for them.

    They start slowly; what already runs is not started again.
    """
    toolchains = filter(None, (step.toolchain() for step in steps))
    counts = Counter(generator for each in toolchains for generator in generators_of(each))
    for generator, count in counts.items():
        generator.prepare(min(count, at_most))


def filter_images(images: Sequence[DeviceImage], target: BuildTarget, table: Table) -> TargetImages:
    """The aspect filter: what the target is known to lack, its compiler is not asked for.

    `table` is what is known of targets, for conditions on architectures.
    """
    found = TargetImages(target, {})
    for number, image in enumerate(images):
        if image.targets and target.name not in image.targets:
            continue
        if image.conditional is None:
            found.fits[number] = fit(target.target.capabilities, image.info.requirements)
            continue
        # Imported late: most images have no conditions.
        from dovetail.driver.fitting import entry_point_fits, values_on

        fits = entry_point_fits(image, target.target, table)
        found.fits[number] = fit_any([*fits.values()])
        found.entry_point_fits[number] = fits
        found.values[number] = values_on(target.target, image.conditional.constants, table)
    return found


class CodeOrder(NamedTuple):
    """Code of an image to be made once."""

    targets: tuple[BuildTarget, ...] = ()
    """Those that share it; none means any device."""
    values: Values = NO_VALUES
    """What the constants of a conditional image are on all of them."""
    left_out: Collection[str] = ()
    """The entry points that it is without."""


class CodeGroup(NamedTuple):
    """Targets that get the same code, unless the constants of an image differ on them."""

    generator: CodeGenerator
    members: tuple[TargetImages, ...] = ()
    """None means whatever device turns up as the program runs, and all images."""

    def orders(self, number: int) -> list[CodeOrder]:
        """What the generator is to make of the image of that number."""
        if not self.members:
            return [CodeOrder()]
        taking = [each for each in self.members if each.gets(number)]
        if not self.generator.specialises:
            return [CodeOrder(tuple(each.target for each in taking))] if taking else []
        alike: dict[tuple[tuple[int, bool], ...], list[TargetImages]] = {}
        for each in taking:
            values = each.values.get(number, NO_VALUES)
            alike.setdefault(tuple(sorted(values.items())), []).append(each)
        return [
            CodeOrder(
                tuple(each.target for each in members), dict(values), members[0].left_out(number)
            )
            for values, members in alike.items()
        ]


def group_targets(filtered: Sequence[TargetImages]) -> list[CodeGroup]:
    """The groups of targets that code is made for; one for any device if there are no targets.

    All are of the family that the images are of.
    """
    if not filtered:
        return [CodeGroup(generator) for generator in generators_of()]
    groups: dict[tuple[CodeGenerator, tuple[str, ...]], list[TargetImages]] = {}
    for each in filtered:
        for generator in generators_of(each.target.target.toolchain):
            groups.setdefault((generator, generator.key_parts(each.target)), []).append(each)
    return [CodeGroup(generator, tuple(members)) for (generator, _), members in groups.items()]


class Generated(NamedTuple):
    """The code of images, by number, and what there is none of."""

    code: Mapping[int, tuple[CodeForm, ...]]
    failures_of: Mapping[int, tuple[CodeFailure, ...]]
    invalid: Sequence[InvalidCode] = ()
    """Those of the failures in which a compiler did write something."""

    @property
    def failures(self) -> list[CodeFailure]:
        return [failure for each in self.failures_of.values() for failure in each]


_Wanted = tuple[int, CodeGenerator, CodeOrder]
"""The number of an image, and what makes which code of it."""


def generate_code(
    images: Sequence[DeviceImage],
    groups: Sequence[CodeGroup],
    session: CodegenSession,
    waiting: AbstractContextManager[None] | None = None,
) -> Generated:
    """The code of each image for each group, if one of the group's targets can run it.

    What a compiler refuses is no reason to leave the others alone. While this thread only waits for
    the session's pool, it is inside of `waiting`.
    """
    wanted = [
        (number, group.generator, order)
        for number in range(len(images))
        for group in groups
        for order in group.orders(number)
    ]
    started = {
        place: generator.generate(images[number], order.targets, session, order.values)
        for place, (number, generator, order) in _longest_first(wanted, images)
    }
    with waiting or nullcontext():
        wait(started.values())
    code: dict[int, tuple[CodeForm, ...]] = {}
    failures: dict[int, tuple[CodeFailure, ...]] = {}
    invalid: list[InvalidCode] = []
    for place, (number, _, order) in enumerate(wanted):
        try:
            code[number] = (*code.get(number, ()), *started[place].result())
        except (CodeGenerationError, ToolFailed) as error:
            failure = _failure(error, images[number], order)
            failures[number] = (*failures.get(number, ()), failure)
            if isinstance(error, InvalidCode):
                invalid.append(error)
    return Generated(code, failures, invalid)


def _longest_first(
    wanted: Sequence[_Wanted], images: Sequence[DeviceImage]
) -> list[tuple[int, _Wanted]]:
    """With their places: what is begun last is short, so that no thread has to wait long for it."""

    def length(placed: tuple[int, _Wanted]) -> tuple[int, tuple[int, ...]]:
        _, (number, generator, order) = placed
        return len(images[number].entry_points), generator.cost(order.targets)

    return sorted(enumerate(wanted), key=length, reverse=True)


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
        dropped = {each.target.name: each.dropped.get(number, ()) for each in filtered}
        left_out = {each.target.name: _kernels(image, each.left_out(number)) for each in filtered}
        failures = made.failures_of.get(number, ())
        failed = tuple(name for each in failures for name in each.targets)
        info = replace(
            image.info,
            family=family_name(image.module.triple),
            filtered_targets={name: missing for name, missing in dropped.items() if missing},
            filtered_kernels={name: kernels for name, kernels in left_out.items() if kernels},
            failed_targets=failed,
            fixed_targets=tuple(fixed_targets),
            compile_target=compile_target(
                each.target.target
                for each in filtered
                if each.gets(number) and each.target.name not in failed
            ),
        )
        compiled.append(CompiledImage(made.code.get(number, ()), info))
    return compiled


def _kernels(image: DeviceImage, entry_points: FilteredKernels) -> FilteredKernels:
    """Those of some entry points that are kernels."""
    kernels = image.info.kernel_reqs
    return {symbol: missing for symbol, missing in entry_points.items() if symbol in kernels}


def _failure(error: DovetailError, image: DeviceImage, order: CodeOrder) -> CodeFailure:
    there = [kernel for kernel in image.info.kernels if kernel.symbol not in order.left_out]
    return CodeFailure(
        kernels=tuple(kernel.name for kernel in there),
        functions=() if image.info.kernels else tuple(image.entry_points),
        targets=tuple(target.name for target in order.targets),
        log=error.message,
        hint=error.hint,
        places=tuple(
            f"{kernel.file}:{kernel.line}: note: kernel '{kernel.name}' is defined here"
            for kernel in there
            if kernel.line
        ),
    )
