"""What a device must have for an image: aspects, sub-group size, work-group size.

Two property sets say so. "SYCL/image-requirements" is the one that the design of optional features
describes, "SYCL/device requirements" the one that DPC++ writes and reads. They hold the same in
different encodings; `docs/formats.md` compares them.
"""

from dataclasses import dataclass
from struct import pack, unpack

from dovetail.errors import FormatError
from dovetail.image.property_sets import PropertySets

IMAGE_REQUIREMENTS_SET = "SYCL/image-requirements"
DEVICE_REQUIREMENTS_SET = "SYCL/device requirements"

_MAX_DIMENSIONS = 3
_ASPECT = "aspect"
_ASPECTS = "aspects"
_SUB_GROUP = "reqd_sub_group_size"
_WORK_GROUP = "reqd_work_group_size"
_WORK_GROUP_64 = "reqd_work_group_size_uint64_t"
_DIMENSIONS = "work_group_num_dim"


@dataclass(frozen=True)
class Requirements:
    """What an image requires; equal requirements are equal objects."""

    aspects: tuple[int, ...] = ()
    """Their numbers, ascending, however they are given."""
    sub_group_size: int | None = None
    work_group_size: tuple[int, ...] = ()
    """One to three numbers, as the attribute has them; none if no size is required."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "aspects", tuple(sorted(set(self.aspects))))

    def __bool__(self) -> bool:
        return bool(self.aspects or self.sub_group_size is not None or self.work_group_size)


def requirement_properties(requirements: Requirements) -> PropertySets:
    """Both sets; without "SYCL/image-requirements" if nothing is required."""
    sets: PropertySets = {DEVICE_REQUIREMENTS_SET: device_requirements(requirements)}
    if requirements:
        sets[IMAGE_REQUIREMENTS_SET] = image_requirements(requirements)
    return sets


def requirements_of(sets: PropertySets) -> Requirements:
    """What these sets require: by "SYCL/image-requirements", else "SYCL/device requirements"."""
    if IMAGE_REQUIREMENTS_SET in sets:
        return _read_image_requirements(_Set(IMAGE_REQUIREMENTS_SET, sets))
    return _read_device_requirements(_Set(DEVICE_REQUIREMENTS_SET, sets))


def image_requirements(requirements: Requirements) -> dict[str, int | bytes]:
    """What goes into "SYCL/image-requirements"; nothing if nothing is required."""
    into = _Writer(IMAGE_REQUIREMENTS_SET)
    if requirements.aspects:
        into.add_array(_ASPECT, requirements.aspects, "I")
    if requirements.sub_group_size is not None:
        into.check_sizes(_SUB_GROUP, (requirements.sub_group_size,))
        into.add_array(_SUB_GROUP, (requirements.sub_group_size,), "I")
    size = requirements.work_group_size
    if size:
        into.check_sizes(_WORK_GROUP, size)
        into.add_array(_WORK_GROUP, (len(size), *size), "I")
    return into.properties


def device_requirements(requirements: Requirements) -> dict[str, int | bytes]:
    """What goes into "SYCL/device requirements"; `aspects` is there even if there are none."""
    into = _Writer(DEVICE_REQUIREMENTS_SET)
    into.add_array(_ASPECTS, requirements.aspects, "I")
    if requirements.sub_group_size is not None:
        into.check_sizes(_SUB_GROUP, (requirements.sub_group_size,))
        into.add_number(_SUB_GROUP, requirements.sub_group_size)
    size = requirements.work_group_size
    if size:
        into.check_sizes(_WORK_GROUP_64, size)
        # The fastest dimension first, as OpenCL counts them; the attribute has it last.
        padding = (1,) * (_MAX_DIMENSIONS - len(size))
        into.add_array(_WORK_GROUP_64, (*reversed(size), *padding), "Q")
        into.add_number(_DIMENSIONS, len(size))
    return into.properties


class _Writer:
    """Properties of one set, with errors that name set and key."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.properties: dict[str, int | bytes] = {}

    def add_array(self, key: str, values: tuple[int, ...], code: str) -> None:
        self._check_range(key, values, 32 if code == "I" else 64)
        self.properties[key] = pack(f"<{len(values)}{code}", *values)

    def add_number(self, key: str, value: int) -> None:
        self._check_range(key, (value,), 32)
        self.properties[key] = value

    def check_sizes(self, key: str, sizes: tuple[int, ...]) -> None:
        if len(sizes) > _MAX_DIMENSIONS or not all(size > 0 for size in sizes):
            raise _error(self._name, key, f"{sizes} is not one to three positive numbers")

    def _check_range(self, key: str, values: tuple[int, ...], bits: int) -> None:
        for value in values:
            if not 0 <= value < 1 << bits:
                raise _error(self._name, key, f"{value} is not a number of {bits} bits")


class _Set:
    """Typed reading of one set, with errors that name set and key."""

    def __init__(self, name: str, sets: PropertySets) -> None:
        self._name = name
        self._properties = sets.get(name, {})

    def error(self, key: str, problem: str) -> FormatError:
        return _error(self._name, key, problem)

    def array(self, key: str, code: str) -> tuple[int, ...]:
        """The numbers in a byte array; none if there is no such property."""
        value = self._properties.get(key, b"")
        if not isinstance(value, bytes):
            raise self.error(key, "is a number, not a byte array")
        width = 4 if code == "I" else 8
        if len(value) % width:
            raise self.error(key, f"{len(value)} bytes are no array of {width * 8}-bit numbers")
        return unpack(f"<{len(value) // width}{code}", value)

    def number(self, key: str) -> int | None:
        value = self._properties.get(key)
        if isinstance(value, bytes):
            raise self.error(key, "is a byte array, not a number")
        return value

    def sizes(self, key: str, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """The same sizes, if they are some."""
        if 0 in sizes:
            raise self.error(key, "a size of 0")
        return sizes

    def __contains__(self, key: str) -> bool:
        return key in self._properties


def _read_image_requirements(source: _Set) -> Requirements:
    sub_group = source.sizes(_SUB_GROUP, source.array(_SUB_GROUP, "I"))
    if _SUB_GROUP in source and len(sub_group) != 1:
        raise source.error(_SUB_GROUP, f"{len(sub_group)} sizes instead of one")
    count_and_size = source.array(_WORK_GROUP, "I")
    size = source.sizes(_WORK_GROUP, count_and_size[1:])
    if _WORK_GROUP in source and (
        count_and_size[:1] != (len(size),) or not 1 <= len(size) <= _MAX_DIMENSIONS
    ):
        raise source.error(_WORK_GROUP, "not a count from 1 to 3 and as many sizes")
    return Requirements(source.array(_ASPECT, "I"), sub_group[0] if sub_group else None, size)


def _read_device_requirements(source: _Set) -> Requirements:
    sub_group = source.number(_SUB_GROUP)
    if sub_group is not None:
        source.sizes(_SUB_GROUP, (sub_group,))
    return Requirements(source.array(_ASPECTS, "I"), sub_group, _read_work_group_64(source))


def _read_work_group_64(source: _Set) -> tuple[int, ...]:
    if _WORK_GROUP_64 not in source:
        return ()
    padded = source.sizes(_WORK_GROUP_64, source.array(_WORK_GROUP_64, "Q"))
    if not 1 <= len(padded) <= _MAX_DIMENSIONS:
        raise source.error(_WORK_GROUP_64, f"{len(padded)} sizes instead of one to three")
    # Older compilers write as many sizes as there are dimensions, and no count.
    count = source.number(_DIMENSIONS)
    if count is None:
        count = len(padded)
    if not 1 <= count <= len(padded):
        raise source.error(_DIMENSIONS, f"{count} dimensions of {len(padded)}")
    if any(size != 1 for size in padded[count:]):
        raise source.error(_WORK_GROUP_64, f"a size other than 1 after {count} dimensions")
    return tuple(reversed(padded[:count]))


def _error(set_name: str, key: str, problem: str) -> FormatError:
    return FormatError(f"property '{key}' of set '{set_name}': {problem}")
