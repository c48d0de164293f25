"""Generate the code of device images for each target that can run them.

    filtered = [filter_images(images, target) for target in targets]
    made = generate_code(images, group_targets(filtered), session)
    compiled = compiled_images(images, made, filtered)

Code for all images and targets is generated in parallel. An image that no target can run is kept
without code, so that the runtime can report why its kernels cannot run. Targets share code that is
the same for them. Native code of a conditional image is specialized with the values of its
constants on the target, and lacks the kernels that the target cannot run.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

from dovetail import codegen
from dovetail.artifacts import CodeForm, CompiledImage, DeviceImage
from dovetail.codegen import (
    NO_VALUES,
    BuildTarget,
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.codegen import CodeFailure

_Key = TypeVar("_Key")


@dataclass(frozen=True)
class TargetImages:
    """The images of a program that a target can run."""

    target: BuildTarget
    fits: dict[int, Fit]
    """Whether it can run each image that is meant for it, by the number of the image."""
    entry_point_fits: dict[int, dict[str, Fit]] = field(default_factory=dict[int, dict[str, Fit]])
    """For conditional images: whether it can run each entry point, by symbol."""
    values: dict[int, Values] = field(default_factory=dict[int, Values])
    """For conditional images: the values of their constants on the target."""

    @cached_property
    def dropped(self) -> dict[int, tuple[str, ...]]:
        """The images that it cannot run, by number, with descriptions of what it lacks."""
        return _missing(self.fits)

    def gets(self, number: int) -> bool:
        """Return whether code of an image is generated for it."""
        return number in self.fits and number not in self.dropped

    def left_out(self, number: int) -> dict[str, tuple[str, ...]]:
        """Return the entry points that its code of an image lacks, with what it lacks for each."""
        return _missing(self.entry_point_fits.get(number, {})) if self.gets(number) else {}


def _missing(fits: Mapping[_Key, Fit]) -> dict[_Key, tuple[str, ...]]:
    """Return the keys that do not fit, with descriptions of what the target lacks."""
    # Imported late: most programs are built for any device.
    from dovetail.targets.fit_text import fit_text

    return {key: fit_text(each).missing for key, each in fits.items() if each.verdict == "no"}


def start_compilers(steps: Iterable[AnyStep], at_most: int) -> None:
    """Start the compilers of the steps' targets, up to `at_most` of each, before they have work.

    They start slowly. Compilers that already run are not started again.
    """
    toolchains = filter(None, (step.toolchain() for step in steps))
    counts = Counter(generator for each in toolchains for generator in generators_of(each))
    for generator, count in counts.items():
        generator.prepare(min(count, at_most))


def filter_images(images: Sequence[DeviceImage], target: BuildTarget, table: Table) -> TargetImages:
    """Return which images a target can run, so that its compiler does not get the others.

    Conditions on architectures are resolved with `table`, which has the known targets.
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


class CodeVariant(NamedTuple):
    """Code of an image to generate for one or several targets."""

    targets: tuple[BuildTarget, ...] = ()
    """The targets that share it; empty for any device."""
    values: Values = NO_VALUES
    """The values of a conditional image's constants on these targets."""
    left_out: Collection[str] = ()
    """The entry points that it lacks."""


class CodeGroup(NamedTuple):
    """Targets that share code, unless the constants of an image have other values on them."""

    generator: CodeGenerator
    members: tuple[TargetImages, ...] = ()
    """Empty for any device: code of all images."""

    def variants(self, number: int) -> list[CodeVariant]:
        """Return the variants of an image's code to generate."""
        if not self.members:
            return [CodeVariant()]
        users = [each for each in self.members if each.gets(number)]
        if not self.generator.specialises:
            return [CodeVariant(tuple(each.target for each in users))] if users else []
        by_values: dict[tuple[tuple[int, bool], ...], list[TargetImages]] = {}
        for each in users:
            values = each.values.get(number, NO_VALUES)
            by_values.setdefault(tuple(sorted(values.items())), []).append(each)
        return [
            CodeVariant(
                tuple(each.target for each in members), dict(values), members[0].left_out(number)
            )
            for values, members in by_values.items()
        ]


def group_targets(filtered: Sequence[TargetImages]) -> list[CodeGroup]:
    """Return groups of targets that share code; without targets, a group for any device.

    All targets are of the images' family.
    """
    if not filtered:
        return [CodeGroup(generator) for generator in generators_of()]
    groups: dict[tuple[CodeGenerator, tuple[str, ...]], list[TargetImages]] = {}
    for each in filtered:
        for generator in generators_of(each.target.target.toolchain):
            groups.setdefault((generator, generator.key_parts(each.target)), []).append(each)
    return [CodeGroup(generator, tuple(members)) for (generator, _), members in groups.items()]


class Generated(NamedTuple):
    """The generated code of images by number, and the failures."""

    code: Mapping[int, tuple[CodeForm, ...]]
    failures_of: "Mapping[int, tuple[CodeFailure, ...]]"
    invalid: Sequence[InvalidCode] = ()
    """The failures in which a compiler wrote invalid code, with that code."""

    @property
    def failures(self) -> "list[CodeFailure]":
        return [failure for each in self.failures_of.values() for failure in each]


_Work = tuple[int, CodeGenerator, CodeVariant]
"""The number of an image, the variant of its code to generate, and the generator."""


def generate_code(
    images: Sequence[DeviceImage],
    groups: Sequence[CodeGroup],
    session: CodegenSession,
    waiting: AbstractContextManager[None] | None = None,
) -> Generated:
    """Return the code of each image for each group with a target that can run it.

    A failure of a compiler does not stop the others. This thread waits for the session's pool in
    the context `waiting`.
    """
    work = [
        (number, group.generator, variant)
        for number in range(len(images))
        for group in groups
        for variant in group.variants(number)
    ]
    started = {
        place: generator.generate(images[number], variant.targets, session, variant.values)
        for place, (number, generator, variant) in _longest_first(work, images)
    }
    with waiting or nullcontext():
        wait(started.values())
    code: dict[int, tuple[CodeForm, ...]] = {}
    failures: dict[int, tuple[CodeFailure, ...]] = {}
    invalid: list[InvalidCode] = []
    for place, (number, _, variant) in enumerate(work):
        try:
            code[number] = (*code.get(number, ()), *started[place].result())
        except (CodeGenerationError, ToolFailed) as error:
            failure = _failure(error, images[number], variant)
            failures[number] = (*failures.get(number, ()), failure)
            if isinstance(error, InvalidCode):
                invalid.append(error)
    return Generated(code, failures, invalid)


def _longest_first(work: Sequence[_Work], images: Sequence[DeviceImage]) -> list[tuple[int, _Work]]:
    """Return the work with its indices, longest first, so that all threads end at similar times."""

    def length(indexed: tuple[int, _Work]) -> tuple[int, tuple[int, ...]]:
        _, (number, generator, variant) = indexed
        return len(images[number].entry_points), generator.cost(variant.targets)

    return sorted(enumerate(work), key=length, reverse=True)


def compiled_images(
    images: Sequence[DeviceImage],
    made: Generated,
    filtered: Sequence[TargetImages] = (),
    fixed_targets: Sequence[str] = (),
) -> list[CompiledImage]:
    """Return the images with their generated code, in order.

    Their descriptions list the targets that cannot run them, with reasons. `fixed_targets` are the
    names of the only targets that the program is meant to run on, if given.
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
    """Return the entry points that are kernels."""
    kernels = image.info.kernel_reqs
    return {symbol: missing for symbol, missing in entry_points.items() if symbol in kernels}


def _failure(error: DovetailError, image: DeviceImage, variant: CodeVariant) -> "CodeFailure":
    """Return a compiler's error as the failure of the kernels in an image."""
    kernels = [kernel for kernel in image.info.kernels if kernel.symbol not in variant.left_out]
    return codegen.CodeFailure(
        kernels=tuple(kernel.name for kernel in kernels),
        functions=() if image.info.kernels else tuple(image.entry_points),
        targets=tuple(target.name for target in variant.targets),
        log=error.message,
        hint=error.hint,
        places=tuple(
            f"{kernel.file}:{kernel.line}: note: kernel '{kernel.name}' is defined here"
            for kernel in kernels
            if kernel.line
        ),
    )
