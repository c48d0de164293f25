"""Summaries by target for `dovetail inspect`: its images, and the kernels that it lacks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dovetail.cli.inspect_images import PTX, SPIRV, Contents, Image, InspectedCode
from dovetail.targets.coverage import ANY_DEVICE


@dataclass
class FilteredKernels:
    """Kernels that a target cannot run for the same reason; the fields are JSON keys."""

    missing: tuple[str, ...]
    """The features that the target lacks."""
    kernels: list[str] = field(default_factory=list[str])


@dataclass
class TargetSummary:
    """A target's images and missing kernels; the fields are JSON keys."""

    images: int = 0
    """The number of images with code for it."""
    size: int = 0
    """The size of that code in bytes; targets may share code."""
    filtered: int = 0
    """The number of images that it cannot run."""
    failed: int = 0
    """The number of images that its compiler failed on."""
    filtered_kernels: list[FilteredKernels] = field(default_factory=list[FilteredKernels])
    failed_kernels: list[str] = field(default_factory=list[str])

    def add_filtered(self, kernels: Iterable[str], missing: tuple[str, ...]) -> None:
        """Add kernels that the target cannot run."""
        group = next((each for each in self.filtered_kernels if each.missing == missing), None)
        if group is None:
            group = FilteredKernels(missing)
            self.filtered_kernels.append(group)
        group.kernels += kernels

    def add_failed(self, kernels: Iterable[str]) -> None:
        """Add an image that the target's compiler failed on."""
        self.failed += 1
        self.failed_kernels += kernels


def target_summaries(contents: Contents) -> dict[str, TargetSummary]:
    """Return the summaries by target, in order of appearance; code for any device is `spir64`'s."""
    summaries: dict[str, TargetSummary] = {}
    named = _named_by_other_code(contents)
    for number, image in enumerate(contents.images):
        sizes: dict[str, int] = {}
        for code in image.code:
            for name in _targets_of(code, image, named):
                sizes[name] = sizes.get(name, 0) + code.size
        for name, size in sizes.items():
            summary = summaries.setdefault(name, TargetSummary())
            summary.images += 1
            summary.size += size
        for name, missing in image.info.filtered_targets.items():
            summary = summaries.setdefault(name, TargetSummary())
            summary.filtered += 1
            summary.add_filtered(_names(image, number), missing)
        for name, kernels in image.info.filtered_kernels.items():
            summary = summaries.setdefault(name, TargetSummary())
            for missing, symbols in group_by_missing(kernels).items():
                summary.add_filtered(names_of(image, symbols), missing)
        for name in image.info.failed_targets:
            summaries.setdefault(name, TargetSummary()).add_failed(_names(image, number))
    return summaries


def _named_by_other_code(contents: Contents) -> set[str]:
    """Return the targets that are named by code other than PTX."""
    return {
        name
        for image in contents.images
        for names in (
            *(code.targets for code in image.code if code.kind != PTX),
            image.info.filtered_targets,
            image.info.failed_targets,
        )
        for name in names
    }


def _targets_of(code: InspectedCode, image: Image, named: set[str]) -> tuple[str, ...]:
    """Return the targets that a form of code was built for."""
    if code.kind == PTX and len(image.code) > 1:
        # PTX that accompanies a cubin also names later GPUs, which were not requested.
        return tuple(name for name in code.targets if name in named)
    is_for_any = code.kind == SPIRV and not code.targets and not code.file
    return (ANY_DEVICE,) if is_for_any else code.targets


def _names(image: Image, number: int) -> list[str]:
    """Return the names of an image's kernels, or else of its exported functions."""
    described = (kernel.symbol for kernel in image.info.kernels)
    symbols = (*dict.fromkeys((*described, *image.info.kernel_names)),) or image.info.exports
    return names_of(image, symbols) or [f"image {number}"]


def names_of(image: Image, symbols: Iterable[str]) -> list[str]:
    """Return the signatures of kernels, or else their symbols."""
    signatures = {kernel.symbol: kernel.signature for kernel in image.info.kernels}
    return [signatures.get(symbol, symbol) for symbol in symbols]


def group_by_missing(
    missing_by_name: Mapping[str, tuple[str, ...]],
) -> dict[tuple[str, ...], list[str]]:
    """Group targets or kernels by their missing features."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, missing in missing_by_name.items():
        groups.setdefault(missing, []).append(name)
    return groups
