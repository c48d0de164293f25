"""The property sets of programs, images and code: one row for each, in file order.

`SCHEMA` has the sets of images. A field can have rows in two sets with the same content; the later
one is used if both are present. A set can have rows for two fields, which use different keys.
"""

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from typing import Any, NamedTuple

from dovetail.errors import FormatError
from dovetail.image.info import ImageInfo
from dovetail.image.property_sets import PropertySets
from dovetail.image.typed_set import Codec, SetReader, SetWriter


class Row(NamedTuple):
    """A property set, and the field that it holds (of `ImageInfo`, for images)."""

    set_name: str
    field: str
    codec: str
    """Module of this package and name in it, loaded when the set is present."""
    is_eager: bool = False
    """Whether it is decoded when a program is loaded, so that damage shows early; else on use."""
    key_prefix: str = ""
    """A prefix of some of its keys, if the set also holds another field."""
    next_set: str = ""
    """A set that is written directly after this one if both are present."""


_DEVICE_REQUIREMENTS = "SYCL/device requirements"
_CONDITIONAL_CALLS = "Dovetail/conditional calls"
_MISC_PROPERTIES = "SYCL/misc properties"
_PROGRAM_METADATA = "SYCL/program metadata"
_SPECIALIZATION_CONSTANTS = "SYCL/specialization constants"

SCHEMA = (
    Row(_DEVICE_REQUIREMENTS, "requirements", "requirements:DEVICE_REQUIREMENTS"),
    Row(
        _DEVICE_REQUIREMENTS,
        "conditional_aspects",
        "conditional_calls:ASPECTS",
        key_prefix="condition-",
    ),
    Row(
        _DEVICE_REQUIREMENTS,
        "compile_target",
        "requirements:COMPILE_TARGET",
        key_prefix="compile_target",
    ),
    Row("SYCL/image-requirements", "requirements", "requirements:IMAGE_REQUIREMENTS"),
    Row("SYCL/kernel names", "kernel_names", "symbols:SYMBOLS"),
    Row("SYCL/exported symbols", "exports", "symbols:SYMBOLS", is_eager=True),
    Row("Dovetail/inline symbols", "inline", "symbols:SYMBOLS", is_eager=True),
    Row("SYCL/imported symbols", "imports", "symbols:SYMBOLS"),
    Row("SYCL/device globals", "device_globals", "device_globals:DEVICE_GLOBALS"),
    Row(
        _SPECIALIZATION_CONSTANTS,
        "specialization_constants",
        "specialization_constants:SPECIALIZATION_CONSTANTS",
    ),
    Row(
        f"{_SPECIALIZATION_CONSTANTS} default values",
        "specialization_defaults",
        "specialization_constants:DEFAULT_VALUES",
    ),
    Row("SYCL/assert used", "asserting_kernels", "symbols:SYMBOLS"),
    Row(_MISC_PROPERTIES, "opt_level", "metadata_set:OPT_LEVEL"),
    Row(_MISC_PROPERTIES, "grf_size", "metadata_set:GRF_SIZE"),
    Row(_PROGRAM_METADATA, "kernel_sizes", "metadata_set:KERNEL_SIZES"),
    Row(_PROGRAM_METADATA, "global_variables", "metadata_set:GLOBAL_VARIABLES"),
    Row("Dovetail/kernels", "kernels", "symbols:KERNELS"),
    Row("Dovetail/aspect uses", "aspect_uses", "aspect_uses:ASPECT_USES"),
    Row("Dovetail/resolved targets", "resolved_targets", "symbols:SYMBOLS", is_eager=True),
    Row("SYCL/add on images", "add_ons", "add_ons:ADD_ONS", next_set=_CONDITIONAL_CALLS),
    Row("Dovetail/device globals", "managed_globals", "device_globals:MANAGED_GLOBALS"),
    Row(
        "Dovetail/specialization constants",
        "specialization_kinds",
        "specialization_constants:SCALAR_KINDS",
    ),
    Row("Dovetail/device global keeper", "global_accessor", "symbols:SYMBOL"),
    Row("SYCL/add on image", "add_on", "add_ons:ADD_ON", is_eager=True),
    Row("SYCL/kernel reqs", "kernel_reqs", "kernel_requirements:REQS"),
    Row("Dovetail/function reqs", "function_reqs", "kernel_requirements:REQS"),
    Row("SYCL/special specialization constants", "asked", "special_constants:ASKED"),
    Row(_CONDITIONAL_CALLS, "conditional_calls", "conditional_calls:CALLS"),
    Row("Dovetail/conditional imports", "conditional_imports", "conditional_calls:IMPORTS"),
    Row("Dovetail/conditional code", "conditional_functions", "conditional_code:FUNCTIONS"),
    Row("Dovetail/family", "family", "target_names:FAMILY", is_eager=True),
    Row("Dovetail/filtered targets", "filtered_targets", "target_names:FILTERED_TARGETS"),
    Row("Dovetail/filtered kernels", "filtered_kernels", "target_names:FILTERED_KERNELS"),
    Row("Dovetail/failed targets", "failed_targets", "symbols:SYMBOLS"),
    Row("Dovetail/fixed targets", "fixed_targets", "symbols:SYMBOLS"),
)

_CODE_TARGETS = Row("Dovetail/targets", "targets", "symbols:SYMBOLS")

PROGRAM_ROWS = (Row("SYCLBIN/global metadata", "state", "code_metadata:STATE"),)
IR_ROWS = (
    Row("SYCLBIN/ir module metadata", "form", "code_metadata:IR_FORMAT"),
    _CODE_TARGETS,
)
NATIVE_ROWS = (
    Row(
        "SYCLBIN/native device code image metadata",
        "form",
        "code_metadata:NATIVE_FORMAT",
    ),
    _CODE_TARGETS,
    Row("Dovetail/native code", "origin", "native_origin:NATIVE_ORIGIN"),
)


def set_of(field: str) -> str:
    """Return the name of the set that holds a field, for messages."""
    return next(row.set_name for row in SCHEMA if row.field == field)


def encode_info(info: ImageInfo) -> PropertySets:
    """Return the property sets of an image, in order, without empty ones."""
    return encode_fields(SCHEMA, {field: getattr(info, field) for field in _ROWS})


def encode_fields(rows: Sequence[Row], fields: Mapping[str, object]) -> PropertySets:
    """Return the property sets of fields, in the order of the rows, without empty ones."""
    writers: dict[str, SetWriter] = {}
    for row in rows:
        value = fields[row.field]
        if value is None or value in ((), "", {}):
            continue
        for name in filter(None, (row.set_name, row.next_set)):
            writers.setdefault(name, SetWriter(name))
        _codec(row.codec).encode(writers[row.set_name], value)
    return {name: into.properties for name, into in writers.items() if into.properties}


def read_info(sets: PropertySets) -> ImageInfo:
    """Return the description in property sets; most fields are decoded on first access.

    A damaged set raises `FormatError`, here or on access.
    """
    return _LazyInfo(sets)


def decode_info(sets: PropertySets) -> ImageInfo:
    """Decode all fields of the description in property sets, or raise `FormatError`."""
    info = read_info(sets)
    return ImageInfo(**{field: getattr(info, field) for field in _ROWS})


_REQUIRED = object()


def decode_field(
    rows: Sequence[Row], field: str, sets: PropertySets, default: object = _REQUIRED
) -> Any:
    """Return the value of a field, or `default` if no set holds it.

    Raise `FormatError` if the set is damaged, or missing where there is no default.
    """
    value = _decoded([row for row in rows if row.field == field], sets, default)
    if value is _REQUIRED:
        name = next(row.set_name for row in rows if row.field == field)
        raise FormatError(f"property set '{name}' is missing")
    return value


class _LazyInfo(ImageInfo):
    """Decodes fields on access: `cached_property` objects, added below, replace them."""

    sets: PropertySets

    def __init__(self, sets: PropertySets) -> None:
        vars(self)["sets"] = sets
        for field in _EAGER:
            getattr(self, field)


@cache
def _codec(place: str) -> Codec[object]:
    module, _, name = place.partition(":")
    return getattr(import_module(f"dovetail.image.{module}"), name)


def _decoded(rows: Sequence[Row], sets: PropertySets, default: object) -> object:
    for row in reversed(rows):
        properties = sets.get(row.set_name)
        if properties is not None and _has_keys(row, properties):
            return _codec(row.codec).decode(SetReader(row.set_name, properties))
    return default


def _has_keys(row: Row, properties: Mapping[str, int | bytes]) -> bool:
    return not row.key_prefix or any(key.startswith(row.key_prefix) for key in properties)


def _decoding(field: str, rows: Sequence[Row]) -> "cached_property[object]":
    default: object = getattr(_DEFAULTS, field)

    def decode(info: _LazyInfo) -> object:
        return _decoded(rows, info.sets, default)

    return cached_property(decode)


_DEFAULTS = ImageInfo()
_EAGER = tuple(row.field for row in SCHEMA if row.is_eager)
_ROWS = {field: [row for row in SCHEMA if row.field == field] for _, field, *_ in SCHEMA}

for _field, _rows in _ROWS.items():
    _property = _decoding(_field, _rows)
    _property.__set_name__(_LazyInfo, _field)
    setattr(_LazyInfo, _field, _property)
