"""Property sets about targets: what they lack for an image, and its IR family.

Targets that cannot run an image, or some of its kernels, are keys; the value lists what they lack.
"""

from collections.abc import Mapping

from dovetail.image.symbols import decode_symbols, encode_symbols
from dovetail.image.typed_set import Codec, SetReader, SetWriter

DEFAULT_FAMILY = "spirv64"
"""The IR family of images that do not name one."""

_LINE_SEPARATOR = "\n"
"""Between the things that a target lacks, and between kernels."""
_FIELD_SEPARATOR = "\t"
"""Between a kernel and the things that the target lacks for it."""

FilteredKernels = Mapping[str, tuple[str, ...]]
"""By symbol of a kernel, what the target lacks for it."""


def _encode_filtered_targets(into: SetWriter, lacking: Mapping[str, tuple[str, ...]]) -> None:
    for name, missing in lacking.items():
        if missing:
            into.add_text(name, _LINE_SEPARATOR.join(missing))


def _decode_filtered_targets(source: SetReader) -> dict[str, tuple[str, ...]]:
    return {name: tuple(source.text(name).split(_LINE_SEPARATOR)) for name in source}


def _encode_filtered_kernels(into: SetWriter, lacking: Mapping[str, FilteredKernels]) -> None:
    for name, kernels in lacking.items():
        lines = [_FIELD_SEPARATOR.join((kernel, *missing)) for kernel, missing in kernels.items()]
        if lines:
            into.add_text(name, _LINE_SEPARATOR.join(lines))


def _decode_filtered_kernels(source: SetReader) -> dict[str, FilteredKernels]:
    return {
        name: dict(map(_filtered_kernel, source.text(name).split(_LINE_SEPARATOR)))
        for name in source
    }


def _filtered_kernel(line: str) -> tuple[str, tuple[str, ...]]:
    kernel, *missing = line.split(_FIELD_SEPARATOR)
    return kernel, tuple(missing)


def _encode_family(into: SetWriter, family: str) -> None:
    if family != DEFAULT_FAMILY:
        encode_symbols(into, [family])


def _decode_family(source: SetReader) -> str:
    return next(iter(decode_symbols(source)), DEFAULT_FAMILY)


FILTERED_TARGETS = Codec[Mapping[str, tuple[str, ...]]](
    _encode_filtered_targets, _decode_filtered_targets
)
FILTERED_KERNELS = Codec[Mapping[str, FilteredKernels]](
    _encode_filtered_kernels, _decode_filtered_kernels
)
FAMILY = Codec(_encode_family, _decode_family)
