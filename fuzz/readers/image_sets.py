"""Property sets of images: seeds with all sets, every reader of them, and edits."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from random import Random
from typing import Any

from dovetail import conditions
from dovetail.cli.inspect_images import contents_of_program
from dovetail.cli.inspect_report import as_json, as_text
from dovetail.errors import DovetailError
from dovetail.facts import Place
from dovetail.image import (
    AbstractModule,
    ActionCall,
    AddOn,
    AspectUse,
    BundleState,
    CallOnPath,
    DeviceGlobal,
    ImageInfo,
    IRModule,
    IRType,
    ManagedGlobal,
    PropertySets,
    Requirements,
    SyclBin,
    encode_info,
    numbered_reqs,
    read_info,
)
from dovetail.image.schema import SCHEMA
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
    use = AspectUse("type 'double'", place, (CallOnPath("k", "f(int)", place),))
    info = ImageInfo(
        requirements=_REQUIRED,
        kernels=(_kernel(),),
        kernel_names=("_ZTS1k",),
        aspect_uses={"_ZTS1k": {"fp64": use}},
        exports=("f", "g"),
        inline=("g",),
        imports=("h",),
        asserting_kernels=("_ZTS1k",),
        opt_level=2,
        kernel_sizes={"_ZTS1k": _REQUIRED},
        global_variables={"i": "v"},
        device_globals=(DeviceGlobal("i", 4, True), DeviceGlobal("j", 8, False)),
        managed_globals=(
            ManagedGlobal("i", 4, 2, 8, True, 0, bytes(8)),
            ManagedGlobal("j", 8, 1, 8, False, None),
        ),
        global_accessor="global_accessor",
        fixed_targets=("intel_gpu_pvc",),
        failed_targets=("nvidia_gpu_sm_90",),
        filtered_targets={"x86_64": ("fp16", "fp64")},
        filtered_kernels={"intel_gpu_pvc": {"_ZTS1k": ("fp64",), "other": ("fp16", "atomic64")}},
        family="nvptx64",
    )
    code = IRModule.of(IRType.SPIRV, "spirv64", b"", targets=["intel_gpu_pvc"])
    return {**encode_info(info), **code.metadata}


def conditional_sets() -> PropertySets:
    """Return the sets of an image with conditional code and add-ons."""
    condition = conditions.read_condition((-4, -1, 6, -5, -3, -2, 20, -1, 5))
    info = ImageInfo(
        requirements=_REQUIRED,
        conditional_aspects={condition: (6,)},
        kernels=(_kernel(),),
        add_ons={"0": condition},
        add_on=AddOn("0", True),
        kernel_reqs=numbered_reqs({"_ZTS1k": _REQUIRED}, _CONSTANTS),
        function_reqs=numbered_reqs({"action": _REQUIRED}, _CONSTANTS),
        asked={200: conditions.read_condition((-1, 6)), 201: conditions.read_condition((-2, 20))},
        conditional_calls={"_ZTS1k": (ActionCall(condition, "action"),)},
        conditional_imports={"action": ("h", "i")},
        imports=("h", "i"),
        resolved_targets=("intel_gpu_pvc",),
    )
    return encode_info(info)


def small_sets() -> list[PropertySets]:
    """Return all of these sets in small groups, since small inputs are processed faster."""
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


_DERIVED = (
    *(
        "constants",
        "has_device_conditions",
        "conditional_aspects",
        "inline",
        "imports",
        "needs_linking",
    ),
    *("forms", "resolved_targets"),
)
_PARTS: tuple[Callable[[ImageContents], object], ...] = (
    *(attrgetter(f"info.{row.field}") for row in SCHEMA),
    attrgetter("info.has_conditions"),
    *map(attrgetter, _DERIVED),
    lambda contents: contents.requirements_of("_ZTS1k"),
    lambda contents: contents.assertion_reader("_ZTS1k"),
    lambda contents: contents.work_group_size("_ZTS1k"),
    lambda contents: contents.uses("_ZTS1k"),
    lambda contents: [contents.missing_for(form, "_ZTS1k") for form in contents.forms],
    lambda contents: contents.is_resolved_for("intel_gpu_pvc"),
)


def read_modules(program: SyclBin) -> None:
    """Read everything that the runtime and `dovetail inspect` read of a program's images."""
    for module in program.abstract_modules:
        _read_single_sets(module.metadata)
        # Some fields are validated at once.
        with suppress(DovetailError):
            _read_parts(ImageContents(module))
    shown = contents_of_program(program)
    "\n".join(as_text(shown)).encode()
    json.dumps(as_json(shown))


def _read_single_sets(sets: PropertySets) -> None:
    for row in SCHEMA:
        if row.set_name in sets:
            with suppress(DovetailError):
                getattr(read_info({row.set_name: sets[row.set_name]}), row.field)


def _read_parts(contents: ImageContents) -> None:
    for read_part in _PARTS:
        # If one part is rejected, the others are read nevertheless.
        with suppress(DovetailError):
            read_part(contents)


def read_sets(sets: PropertySets) -> None:
    """Read all typed sets as those of an image."""
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
