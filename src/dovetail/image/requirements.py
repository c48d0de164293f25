"""What a device must have for an image: aspects, sub-group size, work-group size.

Two property sets say so. "SYCL/image-requirements" is the one that the design of optional features
describes, "SYCL/device requirements" the one that DPC++ writes and reads. They hold the same in
different encodings; `docs/formats.md` compares them.
"""

from dovetail.fit import Requirements
from dovetail.image.property_sets import PropertySets
from dovetail.image.typed_set import MAX_DIMENSIONS, SetReader, SetWriter, needs_64_bits

IMAGE_REQUIREMENTS_SET = "SYCL/image-requirements"
DEVICE_REQUIREMENTS_SET = "SYCL/device requirements"

_ASPECT = "aspect"
_ASPECTS = "aspects"
_SUB_GROUP = "reqd_sub_group_size"
_WORK_GROUP = "reqd_work_group_size"
_WORK_GROUP_64 = "reqd_work_group_size_uint64_t"
_DIMENSIONS = "work_group_num_dim"


def requirement_properties(requirements: Requirements) -> PropertySets:
    """Both sets; without "SYCL/image-requirements" if nothing is required."""
    sets: PropertySets = {DEVICE_REQUIREMENTS_SET: device_requirements(requirements)}
    if requirements:
        sets[IMAGE_REQUIREMENTS_SET] = image_requirements(requirements)
    return sets


def requirements_of(sets: PropertySets) -> Requirements:
    """What these sets require: by "SYCL/image-requirements", else "SYCL/device requirements"."""
    if IMAGE_REQUIREMENTS_SET in sets:
        return _read_image_requirements(SetReader(IMAGE_REQUIREMENTS_SET, sets))
    return _read_device_requirements(SetReader(DEVICE_REQUIREMENTS_SET, sets))


def image_requirements(requirements: Requirements) -> dict[str, int | bytes]:
    """What goes into "SYCL/image-requirements"; nothing if nothing is required."""
    into = SetWriter(IMAGE_REQUIREMENTS_SET)
    if requirements.aspects:
        into.add_array(_ASPECT, requirements.aspects, "I")
    if requirements.sub_group_size is not None:
        into.check_sizes(_SUB_GROUP, (requirements.sub_group_size,))
        into.add_array(_SUB_GROUP, (requirements.sub_group_size,), "I")
    size = requirements.work_group_size
    if size:
        into.check_sizes(_WORK_GROUP, size)
        # The design has 32 bits for a size; a size that takes more has a key of its own.
        key, code = (_WORK_GROUP_64, "Q") if needs_64_bits(size) else (_WORK_GROUP, "I")
        into.add_array(key, (len(size), *size), code)
    return into.properties


def device_requirements(requirements: Requirements) -> dict[str, int | bytes]:
    """What goes into "SYCL/device requirements"; `aspects` is there even if there are none."""
    into = SetWriter(DEVICE_REQUIREMENTS_SET)
    into.add_array(_ASPECTS, requirements.aspects, "I")
    if requirements.sub_group_size is not None:
        into.check_sizes(_SUB_GROUP, (requirements.sub_group_size,))
        into.add_number(_SUB_GROUP, requirements.sub_group_size)
    size = requirements.work_group_size
    if size:
        into.add_padded_size(_WORK_GROUP_64, size, "Q", dimensions_key=_DIMENSIONS)
    return into.properties


def _read_image_requirements(source: SetReader) -> Requirements:
    sub_group = source.sizes(_SUB_GROUP, source.array(_SUB_GROUP, "I"))
    if _SUB_GROUP in source and len(sub_group) != 1:
        raise source.error(_SUB_GROUP, f"{len(sub_group)} sizes instead of one")
    key, code = (_WORK_GROUP_64, "Q") if _WORK_GROUP_64 in source else (_WORK_GROUP, "I")
    count_and_size = source.array(key, code)
    size = source.sizes(key, count_and_size[1:])
    if key in source and (
        count_and_size[:1] != (len(size),) or not 1 <= len(size) <= MAX_DIMENSIONS
    ):
        raise source.error(key, "not a count from 1 to 3 and as many sizes")
    return Requirements(source.array(_ASPECT, "I"), sub_group[0] if sub_group else None, size)


def _read_device_requirements(source: SetReader) -> Requirements:
    return Requirements(
        source.array(_ASPECTS, "I"),
        source.size(_SUB_GROUP),
        source.padded_size(_WORK_GROUP_64, "Q", dimensions_key=_DIMENSIONS),
    )
