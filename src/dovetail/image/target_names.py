"""What an image says of targets beside their names: what they lack, and its family of device IR.

Targets that cannot run an image, or some of its kernels, are keys with a text: what is lacking.
"""

from collections.abc import Mapping

from dovetail.image.symbols import decode_symbols, encode_symbols
from dovetail.image.typed_set import Codec, SetReader, SetWriter

USUAL_FAMILY = "spirv64"
"""Of images that do not name one."""

_BETWEEN = "\n"
"""What separates the things that a target lacks, and kernels with what it lacks for each."""
_WITHIN = "\t"
"""What separates a kernel from what is lacking for it, and these things."""

KernelsLeftOut = Mapping[str, tuple[str, ...]]
"""By symbol, what is lacking for a kernel."""


def _encode_filtered_targets(into: SetWriter, lacking: Mapping[str, tuple[str, ...]]) -> None:
    for name, missing in lacking.items():
        if missing:
            into.add_text(name, _BETWEEN.join(missing))


def _decode_filtered_targets(source: SetReader) -> dict[str, tuple[str, ...]]:
    return {name: tuple(source.text(name).split(_BETWEEN)) for name in source}


def _encode_filtered_kernels(into: SetWriter, lacking: Mapping[str, KernelsLeftOut]) -> None:
    for name, kernels in lacking.items():
        lines = [_WITHIN.join((kernel, *missing)) for kernel, missing in kernels.items()]
        if lines:
            into.add_text(name, _BETWEEN.join(lines))


def _decode_filtered_kernels(source: SetReader) -> dict[str, KernelsLeftOut]:
    return {name: dict(map(_kernel_left_out, source.text(name).split(_BETWEEN))) for name in source}


def _kernel_left_out(line: str) -> tuple[str, tuple[str, ...]]:
    kernel, *missing = line.split(_WITHIN)
    return kernel, tuple(missing)


def _encode_family(into: SetWriter, family: str) -> None:
    if family != USUAL_FAMILY:
        encode_symbols(into, [family])


def _decode_family(source: SetReader) -> str:
    return next(iter(decode_symbols(source)), USUAL_FAMILY)


FILTERED_TARGETS = Codec[Mapping[str, tuple[str, ...]]](
    _encode_filtered_targets, _decode_filtered_targets
)
FILTERED_KERNELS = Codec[Mapping[str, KernelsLeftOut]](
    _encode_filtered_kernels, _decode_filtered_kernels
)
FAMILY = Codec(_encode_family, _decode_family)
