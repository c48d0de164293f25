"""What each target gets of a program, and what it does not get and why."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dovetail.cli.inspect_images import PTX, SPIRV, Contents, Image, InspectedCode
from dovetail.targets.coverage import ANY_DEVICE


@dataclass
class FilteredShare:
    """Kernels that a target cannot run for the same reason."""

    missing: tuple[str, ...]
    """What it lacks."""
    kernels: list[str] = field(default_factory=list[str])


@dataclass
class Share:
    """What one target gets of a program."""

    images: int = 0
    """How many it has code of."""
    size: int = 0
    """Of that code, in bytes; targets may share it."""
    filtered: int = 0
    """How many images it cannot run."""
    failed: int = 0
    """How many its compiler failed on."""
    filtered_kernels: list[FilteredShare] = field(default_factory=list[FilteredShare])
    failed_kernels: list[str] = field(default_factory=list[str])

    def leave_out(self, kernels: Iterable[str], missing: tuple[str, ...]) -> None:
        """Note kernels that the target cannot run."""
        alike = next((each for each in self.filtered_kernels if each.missing == missing), None)
        if alike is None:
            alike = FilteredShare(missing)
            self.filtered_kernels.append(alike)
        alike.kernels += kernels

    def note_failure(self, kernels: Iterable[str]) -> None:
        """Note an image that the target's compiler failed on."""
        self.failed += 1
        self.failed_kernels += kernels


def shares_of(contents: Contents) -> dict[str, Share]:
    """By target, in the order in which they are met; none if the code is for none that has a name.

    Code for any device is `spir64`'s.
    """
    shares: dict[str, Share] = {}
    named = _named_otherwise(contents)
    for number, image in enumerate(contents.images):
        sizes: dict[str, int] = {}
        for code in image.code:
            for name in _takers(code, image, named):
                sizes[name] = sizes.get(name, 0) + code.size
        for name, size in sizes.items():
            share = shares.setdefault(name, Share())
            share.images += 1
            share.size += size
        for name, missing in image.info.filtered_targets.items():
            share = shares.setdefault(name, Share())
            share.filtered += 1
            share.leave_out(_names(image, number), missing)
        for name, kernels in image.info.filtered_kernels.items():
            share = shares.setdefault(name, Share())
            for missing, symbols in alike(kernels).items():
                share.leave_out(names_of(image, symbols), missing)
        for name in image.info.failed_targets:
            shares.setdefault(name, Share()).note_failure(_names(image, number))
    return shares


def _named_otherwise(contents: Contents) -> set[str]:
    """The targets that are named by more than PTX."""
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


def _takers(code: InspectedCode, image: Image, named: set[str]) -> tuple[str, ...]:
    """The targets that a form of code was made for."""
    if code.kind == PTX and len(image.code) > 1:
        # Beside a cubin it names all later GPUs as well, which nobody asked for.
        return tuple(name for name in code.targets if name in named)
    is_for_any = code.kind == SPIRV and not code.targets and not code.file
    return (ANY_DEVICE,) if is_for_any else code.targets


def _names(image: Image, number: int) -> list[str]:
    """Of its kernels, as they are best known; of its functions if it has none."""
    described = (kernel.symbol for kernel in image.info.kernels)
    symbols = (*dict.fromkeys((*described, *image.info.kernel_names)),) or image.info.exports
    return names_of(image, symbols) or [f"image {number}"]


def names_of(image: Image, symbols: Iterable[str]) -> list[str]:
    """As they are best known."""
    signatures = {kernel.symbol: kernel.signature for kernel in image.info.kernels}
    return [signatures.get(symbol, symbol) for symbol in symbols]


def alike(lacking: Mapping[str, tuple[str, ...]]) -> dict[tuple[str, ...], list[str]]:
    """By what is lacking, the targets or kernels that lack it."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, missing in lacking.items():
        found.setdefault(missing, []).append(name)
    return found
