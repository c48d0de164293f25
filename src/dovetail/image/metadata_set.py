"""What a runtime has to know of single kernels and device globals, as DPC++ writes it.

"SYCL/program metadata" has keys of two parts, `name@what`: the sizes that a kernel requires, and
which variables of the IR the device globals are.
"""

from collections.abc import Iterator, Mapping

from dovetail.image.property_sets import PropertySets
from dovetail.image.requirements import Requirements
from dovetail.image.typed_set import SetReader, SetWriter, needs_64_bits

PROGRAM_METADATA_SET = "SYCL/program metadata"

_SUB_GROUP = "@reqd_sub_group_size"
_WORK_GROUP = "@reqd_work_group_size"
_WORK_GROUP_64 = "@reqd_work_group_size_uint64_t"
"""Ours, for sizes that take more than the 32 bits that DPC++ has for them."""
_DIMENSIONS = "@work_group_num_dim"
_GLOBAL = "@global_id_mapping"


def program_metadata(
    kernels: Mapping[str, Requirements], globals: Mapping[str, str]
) -> dict[str, int | bytes]:
    """What goes into "SYCL/program metadata".

    `kernels` has the requirements of each by its symbol, whose aspects are not written here;
    `globals` the name in the IR of each device global by its identifier.
    """
    into = SetWriter(PROGRAM_METADATA_SET)
    for kernel, requirements in kernels.items():
        _add_kernel(into, kernel, requirements)
    for identifier, variable in globals.items():
        into.add_text(identifier + _GLOBAL, variable)
    return into.properties


def kernel_sizes_of(sets: PropertySets) -> dict[str, Requirements]:
    """The sizes that kernels require, by kernel; without those that require none."""
    source = SetReader(PROGRAM_METADATA_SET, sets)
    kinds = (_SUB_GROUP, _WORK_GROUP, _WORK_GROUP_64)
    kernels = dict.fromkeys(name for kind in kinds for name in _names(source, kind))
    return {kernel: _read_kernel(source, kernel) for kernel in kernels}


def global_variables_of(sets: PropertySets) -> dict[str, str]:
    """The names in the IR of device globals, by identifier."""
    source = SetReader(PROGRAM_METADATA_SET, sets)
    return {name: source.text(name + _GLOBAL) for name in _names(source, _GLOBAL)}


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
    """The first parts of the keys that end so."""
    return (key.removesuffix(what) for key in source if key.endswith(what))
