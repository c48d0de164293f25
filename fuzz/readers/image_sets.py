"""Property sets of images: all that our writers make, every reader of them, and edits."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from random import Random
from typing import Any

from dovetail import conditions, image
from dovetail.cli.inspect_images import contents_of_program
from dovetail.cli.inspect_report import as_json, as_text
from dovetail.errors import DovetailError
from dovetail.facts import Place
from dovetail.image import (
    AbstractModule,
    AddOn,
    AspectUse,
    BundleState,
    CallOnTheWay,
    ConditionalCall,
    Constants,
    DeviceGlobal,
    KeptGlobal,
    PropertySets,
    Requirements,
    SyclBin,
)
from dovetail.image.symbols import symbol_properties
from dovetail.kernel_info import ArgumentMember, Field, KernelInfo, Parameter, ParameterKind
from dovetail.runtime.program_image import ImageContents
from fuzz.edits import edited_array, edited_bytes, edited_json, edited_number, edited_text

_REQUIRED = Requirements((5, 6), 16, (8, 4))
_CONSTANTS = {
    100: Requirements((5,)),
    101: Requirements((6,)),
    102: Requirements((), 16),
    103: Requirements((), None, (8, 4)),
}
_SETS_IN_SEED = 3


def plain_sets() -> PropertySets:
    """Return the sets of an image without conditions."""
    place = Place("a.cpp", 3, 5)
    use = AspectUse("type 'double'", place, (CallOnTheWay("k", "f(int)", place),))
    return {
        **image.requirement_properties(_REQUIRED),
        image.KERNELS_SET: {**image.kernel_properties([_kernel()])},
        image.KERNEL_NAMES_SET: {**symbol_properties(["_ZTS1k"])},
        image.ASPECT_USES_SET: {**image.aspect_use_properties({"_ZTS1k": {"fp64": use}})},
        image.EXPORTED_SYMBOLS_SET: {**symbol_properties(["f", "g"])},
        image.INLINE_SYMBOLS_SET: {**symbol_properties(["g"])},
        image.IMPORTED_SYMBOLS_SET: {**symbol_properties(["h"])},
        image.ASSERT_USED_SET: {**symbol_properties(["_ZTS1k"])},
        image.MISC_PROPERTIES_SET: image.misc_properties(2),
        image.PROGRAM_METADATA_SET: image.program_metadata({"_ZTS1k": _REQUIRED}, {"i": "v"}),
        image.DEVICE_GLOBALS_SET: image.device_global_properties(
            [DeviceGlobal("i", 4, True), DeviceGlobal("j", 8, False)]
        ),
        image.KEPT_GLOBALS_SET: image.kept_global_properties(
            [KeptGlobal("i", 4, 2, 8, True, 0, bytes(8)), KeptGlobal("j", 8, 1, 8, False, None)]
        ),
        image.KEEPER_SET: {**symbol_properties(["keeper"])},
        image.TARGETS_SET: {**image.target_properties(["intel_gpu_pvc"])},
        image.FIXED_TARGETS_SET: {**image.target_properties(["intel_gpu_pvc"])},
        image.FAILED_TARGETS_SET: {**image.target_properties(["nvidia_gpu_sm_90"])},
        image.FILTERED_TARGETS_SET: image.filtered_properties({"x86_64": ("fp16", "fp64")}),
        image.FILTERED_KERNELS_SET: image.filtered_kernel_properties(
            {"intel_gpu_pvc": {"_ZTS1k": ("fp64",), "other": ("fp16", "atomic64")}}
        ),
        image.FAMILY_SET: {**image.family_properties("nvptx64")},
    }


def conditional_sets() -> PropertySets:
    """Return the sets of an image with code for some devices only, and with add-ons."""
    condition = conditions.read_condition((-4, -1, 6, -5, -3, -2, 20, -1, 5))
    reqs = {"_ZTS1k": _REQUIRED}
    sets = image.requirement_properties(_REQUIRED)
    uses = image.conditional_aspect_properties({condition: (6,)})
    sets[image.DEVICE_REQUIREMENTS_SET] = {**sets[image.DEVICE_REQUIREMENTS_SET], **uses}
    calls = {"_ZTS1k": [ConditionalCall(condition, "action")]}
    asked = {200: conditions.read_condition((-1, 6)), 201: conditions.read_condition((-2, 20))}
    return {
        **sets,
        image.KERNELS_SET: {**image.kernel_properties([_kernel()])},
        image.ADD_ON_IMAGES_SET: image.add_on_images_properties({"0": condition}),
        image.ADD_ON_IMAGE_SET: image.add_on_image_properties(AddOn("0", True)),
        image.KERNEL_REQS_SET: image.reqs_properties(image.KERNEL_REQS_SET, reqs, _CONSTANTS),
        image.FUNCTION_REQS_SET: image.reqs_properties(
            image.FUNCTION_REQS_SET, {"action": _REQUIRED}, _CONSTANTS
        ),
        image.SPECIAL_CONSTANTS_SET: image.special_constant_properties(Constants({}, asked)),
        image.CONDITIONAL_CALLS_SET: image.conditional_call_properties(calls),
        image.CONDITIONAL_IMPORTS_SET: image.conditional_import_properties({"action": ("h", "i")}),
        image.IMPORTED_SYMBOLS_SET: {**symbol_properties(["h", "i"])},
        image.RESOLVED_TARGETS_SET: {**image.target_properties(["intel_gpu_pvc"])},
    }


def small_sets() -> list[PropertySets]:
    """Return all of these sets, a few at a time: small inputs are read, and changed, faster."""
    return [
        dict(list(sets.items())[start : start + _SETS_IN_SEED])
        for sets in (plain_sets(), conditional_sets())
        for start in range(0, len(sets), _SETS_IN_SEED)
    ]


def _kernel() -> KernelInfo:
    members = (ArgumentMember("buffer", 0, 8, "float"), ArgumentMember("pointer", 8, 8, "int *"))
    parameters = (
        Parameter("a", "float", ParameterKind.SCALAR, 4, 4, "f4"),
        Parameter("b", "float *", ParameterKind.POINTER, 8, 8, "f4", True, 4),
        Parameter(
            "c", "S", ParameterKind.OBJECT, 16, 8, fields=(Field("x", 0, "f4", 2),), members=members
        ),
    )
    return KernelInfo("_ZTS1k", "k", "k(float, float *, S)", 1, parameters, "a.cpp", 3, "k")


_NAMES = (
    *("requirements", "has_conditions", "constants", "asks_devices", "conditional_calls"),
    *("conditional_aspects", "exports", "inline", "imports", "conditional_imports", "add_on"),
    *("add_ons", "needs_others", "family", "resolved_targets", "forms", "decided_targets"),
    *("failed_targets", "kernels", "device_globals", "keeper"),
)
_PARTS: tuple[Callable[[ImageContents], object], ...] = (
    *map(attrgetter, _NAMES),
    lambda contents: contents.requirements_of("_ZTS1k"),
    lambda contents: contents.assertion_reader("_ZTS1k"),
    lambda contents: contents.work_group_size("_ZTS1k"),
    lambda contents: contents.uses("_ZTS1k"),
    lambda contents: [contents.lack(form, "_ZTS1k") for form in contents.forms],
    lambda contents: contents.suits("intel_gpu_pvc"),
)


def read_modules(program: SyclBin) -> None:
    """Read everything that the runtime and `dovetail inspect` read of a program's images."""
    for contents in map(ImageContents, program.abstract_modules):
        for read_part in _PARTS:
            # That one part is refused must not keep the others from being read.
            with suppress(DovetailError):
                read_part(contents)
    shown = contents_of_program(program)
    "\n".join(as_text(shown)).encode()
    json.dumps(as_json(shown))


def read_sets(sets: PropertySets) -> None:
    """Read all typed sets, as of an image that has them."""
    read_modules(SyclBin.of(BundleState.INPUT, [AbstractModule(sets)]))


def edited_sets(sets: PropertySets, random: Random) -> PropertySets:
    """Return the sets with a set or a property removed, renamed, copied or changed."""
    if not sets:
        return random.choice(small_sets())
    name = random.choice(list(sets))
    other = random.choice((*sets, *_ALL_SETS))
    properties = sets[name]
    match random.randrange(12):
        case 0:
            return {each: values for each, values in sets.items() if each != name}
        case 1:
            return {**sets, other: properties}
        case 2:
            return {**sets, other: {**sets.get(other, {}), **properties}}
        case _:
            return {**sets, name: _edited_properties(properties, random)}


def _edited_properties(
    properties: dict[str, int | bytes], random: Random
) -> dict[str, int | bytes]:
    if not properties:
        return {"a": 1}
    key = random.choice(list(properties))
    match random.randrange(8):
        case 0:
            return {each: value for each, value in properties.items() if each != key}
        case 1:
            renamed = edited_text(key, random)
            return {renamed if each == key else each: v for each, v in properties.items()}
        case 2:
            return {**properties, edited_text(key, random): properties[key]}
        case _:
            return {**properties, key: _edited_value(properties[key], random)}


def _edited_value(value: int | bytes, random: Random) -> int | bytes:
    if isinstance(value, int):
        return edited_number(value, random, 4) if random.random() < 0.8 else bytes(4)
    if value[:1] in (b"{", b"["):
        try:
            document: Any = json.loads(value)
        except (ValueError, RecursionError):
            return edited_bytes(value, random)
        return json.dumps(edited_json(document, random)).encode()
    edit = random.choice((edited_array, edited_array, edited_bytes))
    return edit(value, random) if random.random() < 0.9 else len(value)


_ALL_SETS = tuple(plain_sets() | conditional_sets())
