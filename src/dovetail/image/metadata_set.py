"""DPC++'s program metadata: sizes that kernels require, and the IR names of device globals.

Its keys have two parts, `name@what`. The optimization level and the number of registers are in a
separate set.
"""

from collections.abc import Iterator, Mapping

from dovetail.image.requirements import Requirements
from dovetail.image.typed_set import Codec, SetReader, SetWriter, needs_64_bits

_SUB_GROUP = "@reqd_sub_group_size"
_WORK_GROUP = "@reqd_work_group_size"
_WORK_GROUP_64 = "@reqd_work_group_size_uint64_t"
"""An extension for sizes that do not fit into the 32 bits of DPC++'s key."""
_DIMENSIONS = "@work_group_num_dim"
_GLOBAL = "@global_id_mapping"
_OPT_LEVEL = "optLevel"
_GRF_SIZE = "sycl-grf-size"


def _encode_sizes(into: SetWriter, kernels: Mapping[str, Requirements]) -> None:
    """Write the sizes that kernels require, without their aspects."""
    for kernel, requirements in kernels.items():
        _add_kernel(into, kernel, requirements)


def _decode_sizes(source: SetReader) -> dict[str, Requirements]:
    """Return the sizes that kernels require, by symbol, for the kernels that require some."""
    kinds = (_SUB_GROUP, _WORK_GROUP, _WORK_GROUP_64)
    kernels = dict.fromkeys(name for kind in kinds for name in _names(source, kind))
    return {kernel: _read_kernel(source, kernel) for kernel in kernels}


def _encode_variables(into: SetWriter, variables: Mapping[str, str]) -> None:
    for identifier, variable in variables.items():
        into.add_text(identifier + _GLOBAL, variable)


def _decode_variables(source: SetReader) -> dict[str, str]:
    return {name: source.text(name + _GLOBAL) for name in _names(source, _GLOBAL)}


def _number(key: str) -> Codec[int | None]:
    """Return the codec of a field that is a number or None."""

    def encode(into: SetWriter, value: int | None) -> None:
        if value is not None:
            into.add_number(key, value)

    def decode(source: SetReader) -> int | None:
        return source.number(key)

    return Codec(encode, decode)


def _add_kernel(into: SetWriter, kernel: str, requirements: Requirements) -> None:
    size = requirements.work_group_size
    if size:
        what, code = (_WORK_GROUP_64, "Q") if needs_64_bits(size) else (_WORK_GROUP, "I")
        into.add_padded_size(kernel + what, size, code, dimensions_key=kernel + _DIMENSIONS)
    if requirements.sub_group_size is not None:
        into.check_sizes(kernel + _SUB_GROUP, (requirements.sub_group_size,))
        into.add_number(kernel + _SUB_GROUP, requirements.sub_group_size)


def _read_kernel(source: SetReader, kernel: str) -> Requirements:
    is_large = kernel + _WORK_GROUP_64 in source
    what, code = (_WORK_GROUP_64, "Q") if is_large else (_WORK_GROUP, "I")
    return Requirements(
        sub_group_size=source.size(kernel + _SUB_GROUP),
        work_group_size=source.padded_size(
            kernel + what, code, dimensions_key=kernel + _DIMENSIONS
        ),
    )


def _names(source: SetReader, what: str) -> Iterator[str]:
    """Return the first parts of the keys that end in `what`."""
    return (key.removesuffix(what) for key in source if key.endswith(what))


KERNEL_SIZES = Codec[Mapping[str, Requirements]](_encode_sizes, _decode_sizes)
GLOBAL_VARIABLES = Codec[Mapping[str, str]](_encode_variables, _decode_variables)
OPT_LEVEL = _number(_OPT_LEVEL)
GRF_SIZE = _number(_GRF_SIZE)
