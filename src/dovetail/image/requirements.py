"""Device requirements of an image: aspects, sub-group size, work-group size.

Two property sets hold the same requirements in different encodings: `IMAGE_REQUIREMENTS` is the one
in the design of optional features, `DEVICE_REQUIREMENTS` the one that DPC++ writes and reads.
`docs/formats.md` compares them. The latter also has the target of images built for only one.
"""

from dovetail.fit import Requirements
from dovetail.image.typed_set import MAX_DIMENSIONS, Codec, SetReader, SetWriter, needs_64_bits

_ASPECT = "aspect"
_ASPECTS = "aspects"
_SUB_GROUP = "reqd_sub_group_size"
_WORK_GROUP = "reqd_work_group_size"
_WORK_GROUP_64 = "reqd_work_group_size_uint64_t"
_DIMENSIONS = "work_group_num_dim"
_COMPILE_TARGET = "compile_target"


def _encode_image_requirements(into: SetWriter, requirements: Requirements) -> None:
    """Write the requirements, and nothing if there are none."""
    if requirements.aspects:
        into.add_array(_ASPECT, requirements.aspects, "I")
    if requirements.sub_group_size is not None:
        into.check_sizes(_SUB_GROUP, (requirements.sub_group_size,))
        into.add_array(_SUB_GROUP, (requirements.sub_group_size,), "I")
    size = requirements.work_group_size
    if size:
        into.check_sizes(_WORK_GROUP, size)
        # The design has 32 bits for a size; larger sizes have a separate key.
        key, code = (_WORK_GROUP_64, "Q") if needs_64_bits(size) else (_WORK_GROUP, "I")
        into.add_array(key, (len(size), *size), code)


def _encode_device_requirements(into: SetWriter, requirements: Requirements) -> None:
    """Write the requirements; `aspects` is written even if there are none."""
    into.add_array(_ASPECTS, requirements.aspects, "I")
    if requirements.sub_group_size is not None:
        into.check_sizes(_SUB_GROUP, (requirements.sub_group_size,))
        into.add_number(_SUB_GROUP, requirements.sub_group_size)
    size = requirements.work_group_size
    if size:
        into.add_padded_size(_WORK_GROUP_64, size, "Q", dimensions_key=_DIMENSIONS)


def _decode_image_requirements(source: SetReader) -> Requirements:
    sub_group = source.sizes(_SUB_GROUP, source.array(_SUB_GROUP, "I"))
    if _SUB_GROUP in source and len(sub_group) != 1:
        raise source.error(_SUB_GROUP, f"expected one size, got {len(sub_group)}")
    key, code = (_WORK_GROUP_64, "Q") if _WORK_GROUP_64 in source else (_WORK_GROUP, "I")
    count_and_size = source.array(key, code)
    size = source.sizes(key, count_and_size[1:])
    if key in source and (
        count_and_size[:1] != (len(size),) or not 1 <= len(size) <= MAX_DIMENSIONS
    ):
        raise source.error(key, "expected a count from 1 to 3 and as many sizes")
    return Requirements(source.array(_ASPECT, "I"), sub_group[0] if sub_group else None, size)


def _decode_device_requirements(source: SetReader) -> Requirements:
    return Requirements(
        source.array(_ASPECTS, "I"),
        source.size(_SUB_GROUP),
        source.padded_size(_WORK_GROUP_64, "Q", dimensions_key=_DIMENSIONS),
    )


def _encode_compile_target(into: SetWriter, name: str) -> None:
    into.add_text(_COMPILE_TARGET, name)


def _decode_compile_target(source: SetReader) -> str:
    return source.text(_COMPILE_TARGET)


IMAGE_REQUIREMENTS = Codec(_encode_image_requirements, _decode_image_requirements)
DEVICE_REQUIREMENTS = Codec(_encode_device_requirements, _decode_device_requirements)
COMPILE_TARGET = Codec(_encode_compile_target, _decode_compile_target)
