"""Adding conditions to modules: each kind of instruction, with each condition on and off."""

from __future__ import annotations

import itertools
from array import array
from collections import Counter

import pytest
from fuzz.modules import (
    FAST,
    FP16,
    FP64,
    conditional as by_hand,
    module_of,
    without_conditions,
    written,
)

from dovetail.spirv import SpirvModule, index_ids, instruction
from dovetail.spirv.conditional import conditional
from dovetail.spirv.expressions import FALSE, FIRST_SPEC_ID, TRUE, Expressions
from dovetail.spirv.specialise import specialised
from dovetail.spirv_validator import validation_error

FP64_ID, FP16_ID = FIRST_SPEC_ID, FIRST_SPEC_ID + 1
VOID, SIGNATURE, MAIN, MAIN_LABEL, OTHER, OTHER_LABEL, THIRD, THIRD_LABEL = range(1, 9)
FREE = 9
"""The first unused id."""


def function(identifier: int, label: int, *body: array[int]) -> list[array[int]]:
    head = instruction(54, VOID, identifier, 0, SIGNATURE), instruction(248, label)
    return [*head, *body, instruction(253), instruction(56)]


def plain(
    *,
    capabilities: tuple[int, ...] = (),
    extensions: tuple[str, ...] = (),
    about: tuple[array[int], ...] = (),
    declared: tuple[array[int], ...] = (),
    main: tuple[array[int], ...] = (),
    other: tuple[array[int], ...] = (),
    third: tuple[array[int], ...] = (),
    modes: tuple[array[int], ...] = (),
    entries: tuple[tuple[int, str], ...] = ((MAIN, "main"), (OTHER, "other"), (THIRD, "third")),
) -> SpirvModule:
    """Return a module with three functions, which are kernels by default."""
    return SpirvModule.read(
        module_of(
            *(instruction(17, each) for each in (4, 6, *capabilities)),
            *(instruction(10, each) for each in extensions),
            instruction(14, 2, 2),
            *(instruction(15, 6, each, name) for each, name in entries),
            *modes,
            instruction(5, MAIN, "main"),
            instruction(5, OTHER, "other"),
            instruction(5, THIRD, "third"),
            *about,
            instruction(19, VOID),
            instruction(33, SIGNATURE, VOID),
            *declared,
            *function(MAIN, MAIN_LABEL, *main),
            *function(OTHER, OTHER_LABEL, *other),
            *function(THIRD, THIRD_LABEL, *third),
            bound=100,
        )
    )


def call(result: int, callee: int) -> array[int]:
    return instruction(57, VOID, result, callee)


class Conditions:
    """Return two constants and expressions of them."""

    def __init__(self) -> None:
        self.all = Expressions()
        self.fp64, self.fp16 = self.all.constant(FP64_ID), self.all.constant(FP16_ID)

    def given_to(
        self, module: SpirvModule, functions: dict[str, int], calls: dict[str, int] | None = None
    ) -> SpirvModule:
        return conditional(module, self.all, functions, calls or {})


def on_each_device(module: SpirvModule) -> dict[tuple[bool, bool], SpirvModule]:
    """Return the specialized modules of devices with and without fp64 and fp16; all are valid."""
    found: dict[tuple[bool, bool], SpirvModule] = {}
    for fp64, fp16 in itertools.product((False, True), repeat=2):
        made = specialised(module, {FP64_ID: fp64, FP16_ID: fp16})
        assert not validation_error(made.to_bytes())
        found[fp64, fp16] = made
    return found


def has(module: SpirvModule, opcode: int, *operands: int | str) -> bool:
    words = instruction(opcode, *operands)
    return any(module.words[at : module.end(at)] == words for at in module.starts)


def devices_with(module: SpirvModule, opcode: int, *operands: int | str) -> set[tuple[bool, bool]]:
    """Return the devices whose modules have an instruction."""
    made = on_each_device(module)
    return {device for device, each in made.items() if has(each, opcode, *operands)}


ALL = set(itertools.product((False, True), repeat=2))
WITH_FP64 = {(True, False), (True, True)}
WITH_FP16 = {(False, True), (True, True)}
WITH_BOTH = {(True, True)}


@pytest.mark.parametrize("device", list(itertools.product((False, True), repeat=3)))
def test_conditions_equal_those_given_by_hand(device: tuple[bool, ...]) -> None:
    """The specialized module of each device is the same as with hand-written conditions."""
    values: dict[int, bool] = dict(zip((FP64, FP16, FAST), device, strict=True))
    expected = specialised(SpirvModule.read(by_hand()), values)
    made = specialised(SpirvModule.read(written()), values)
    # The users of the extension are not known.
    assert instructions(made) == instructions(expected)
    assert not validation_error(made.to_bytes())


def instructions(module: SpirvModule) -> list[array[int]]:
    """Return all instructions except extensions."""
    return [
        module.words[at : module.end(at)] for opcode, at, _ in module.instructions() if opcode != 10
    ]


def test_added_instructions() -> None:
    module = SpirvModule.read(written())
    opcodes = Counter(opcode for opcode, _, _ in module.instructions())
    # Three constants; slow, both terms of `wide`, and their disjunction.
    assert opcodes[49] == 3
    assert opcodes[52] == 4
    assert opcodes[20] == 1
    assert opcodes[6249] == 2
    assert has(module, 17, 6245)
    assert has(module, 10, "SPV_INTEL_function_variants")
    assert opcodes[6250] == 2
    # Every id is defined exactly once.
    index_ids(module)


def test_no_conditions() -> None:
    module = without_conditions()
    assert conditional(module, Expressions(), {}, {}) is module


def test_expressions_are_not_modified() -> None:
    conditions = Conditions()
    before = list(conditions.all.nodes)
    conditions.given_to(
        plain(declared=(instruction(22, FREE, 32),), main=(instruction(1, FREE, FREE + 1),)),
        {"main": conditions.fp64, "other": conditions.fp16},
    )
    assert conditions.all.nodes == before


def test_unknown_functions() -> None:
    with pytest.raises(AssertionError, match="no function 'missing'"):
        Conditions().given_to(plain(), {"missing": 0})


def test_reserved_spec_ids() -> None:
    module = plain(
        about=(instruction(71, FREE + 1, 1, FIRST_SPEC_ID),),
        declared=(instruction(20, FREE), instruction(48, FREE, FREE + 1)),
    )
    with pytest.raises(AssertionError, match="SpecIds that are reserved"):
        Conditions().given_to(module, {"main": 0})


@pytest.mark.parametrize("has_booleans", [False, True])
def test_booleans_have_one_type(has_booleans: bool) -> None:
    module = plain(
        declared=(instruction(20, FREE),) if has_booleans else (),
        other=(instruction(1, FREE, FREE + 1),) if has_booleans else (),
    )
    conditions = Conditions()
    made = conditions.given_to(module, {"other": conditions.fp64})
    assert Counter(opcode for opcode, _, _ in made.instructions())[20] == 1
    # On a device without the function, only the conditions used it.
    assert devices_with(made, 20, FREE) == (WITH_FP64 if has_booleans else set())


def test_kernels_with_everything_that_they_use() -> None:
    module = plain(
        modes=(instruction(16, OTHER, 17, 8, 1, 1),),
        about=(instruction(5, FREE, "value"), instruction(71, FREE, 5635, "mine")),
        declared=(instruction(22, FREE + 1, 32),),
        other=(instruction(1, FREE + 1, FREE),),
    )
    conditions = Conditions()
    made = conditions.given_to(module, {"other": conditions.fp64})
    for opcode, *operands in (
        (15, 6, OTHER, "other"),
        (16, OTHER, 17, 8, 1, 1),
        (5, OTHER, "other"),
        (5, FREE, "value"),
        (71, FREE, 5635, "mine"),
        (22, FREE + 1, 32),
        (54, VOID, OTHER, 0, SIGNATURE),
    ):
        assert devices_with(made, int(opcode), *operands) == WITH_FP64
    assert devices_with(made, 15, 6, MAIN, "main") == ALL


def test_shared_definitions_remain_for_either_user() -> None:
    module = plain(
        declared=(instruction(22, FREE, 32), instruction(32, FREE + 1, 7, FREE)),
        main=(instruction(1, FREE + 1, FREE + 2),),
        other=(instruction(1, FREE, FREE + 3),),
    )
    conditions = Conditions()
    made = conditions.given_to(module, {"main": conditions.fp16, "other": conditions.fp64})
    assert devices_with(made, 22, FREE, 32) == WITH_FP64 | WITH_FP16
    assert devices_with(made, 32, FREE + 1, 7, FREE) == WITH_FP16


def test_calls_and_computations_for_them() -> None:
    """A cast that only the call needs, with its type and constant, but nothing that others need."""
    boolean, one, pointer, variable, cast, shared = range(FREE, FREE + 6)
    other_pointer, signature, parameter = range(FREE + 6, FREE + 9)
    action = [
        instruction(54, VOID, THIRD, 0, signature),
        instruction(55, other_pointer, parameter),
        instruction(248, THIRD_LABEL),
        instruction(253),
        instruction(56),
    ]
    module = SpirvModule.read(
        module_of(
            *(instruction(17, each) for each in (4, 6)),
            instruction(14, 2, 2),
            instruction(15, 6, MAIN, "main"),
            instruction(5, THIRD, "third"),
            instruction(19, VOID),
            instruction(33, SIGNATURE, VOID),
            instruction(21, boolean, 32, 0),
            instruction(22, one, 32),
            instruction(32, pointer, 7, boolean),
            instruction(32, other_pointer, 7, one),
            instruction(33, signature, VOID, other_pointer),
            *function(
                MAIN,
                MAIN_LABEL,
                instruction(59, pointer, variable, 7),
                instruction(124, other_pointer, cast, variable),
                instruction(57, VOID, 50, THIRD, cast),
                instruction(61, boolean, shared, variable),
                instruction(62, variable, shared),
            ),
            *action,
            bound=100,
        )
    )
    conditions = Conditions()
    both = conditions.all.conjunction((conditions.fp64, conditions.fp16))
    made = conditions.given_to(module, {"third": both}, {"third": both})
    assert devices_with(made, 57, VOID, 50, THIRD, cast) == WITH_BOTH
    assert devices_with(made, 124, other_pointer, cast, variable) == WITH_BOTH
    assert devices_with(made, 32, other_pointer, 7, one) == WITH_BOTH
    assert devices_with(made, 22, one, 32) == WITH_BOTH
    assert devices_with(made, 61, boolean, shared, variable) == ALL
    assert devices_with(made, 59, pointer, variable, 7) == ALL
    # Every conditional id is decorated, so the module is correct for other specializers too.
    decorated = {
        made.operand(at, 1)
        for opcode, at, _ in made.instructions()
        if opcode == 71 and made.operand(at, 2) == 6247
    }
    assert decorated == {THIRD, 50, cast, other_pointer, signature, one}


def test_functions_without_given_conditions() -> None:
    """They have their callers' conditions; kernels and exports are unconditional."""
    export = 41
    module = plain(
        capabilities=(5,),
        about=(
            instruction(71, MAIN, export, "main", 0),
            instruction(71, THIRD, export, "spirv.llvm_thing", 0),
        ),
        main=(call(50, OTHER),),
        other=(call(51, THIRD),),
        entries=(),
    )
    conditions = Conditions()
    made = conditions.given_to(module, {"other": conditions.fp64}, {"other": conditions.fp64})
    assert devices_with(made, 54, VOID, MAIN, 0, SIGNATURE) == ALL
    assert devices_with(made, 54, VOID, THIRD, 0, SIGNATURE) == WITH_FP64


def test_functions_that_call_each_other() -> None:
    module = plain(
        capabilities=(5,),
        main=(call(50, OTHER),),
        other=(call(51, THIRD),),
        third=(call(52, OTHER),),
        entries=((MAIN, "main"),),
    )
    conditions = Conditions()
    made = conditions.given_to(module, {"main": conditions.fp64})
    # The cycle has no conditions, and is left to the specializer.
    assert devices_with(made, 54, VOID, OTHER, 0, SIGNATURE) == WITH_FP64


def test_constant_conditions() -> None:
    module = plain(declared=(instruction(22, FREE, 32),), other=(instruction(1, FREE, FREE + 1),))
    conditions = Conditions()
    made = conditions.given_to(module, {"other": FALSE, "main": TRUE})
    assert devices_with(made, 15, 6, MAIN, "main") == ALL
    assert devices_with(made, 15, 6, OTHER, "other") == set()
    assert devices_with(made, 22, FREE, 32) == set()


def test_constants_of_sizes() -> None:
    """An execution mode that uses constants by id."""
    module = plain(
        modes=(instruction(331, OTHER, 38, FREE + 1, FREE + 1, FREE + 1),),
        declared=(instruction(21, FREE, 32, 0), instruction(43, FREE, FREE + 1, 8)),
    )
    conditions = Conditions()
    made = conditions.given_to(module, {"other": conditions.fp64})
    assert devices_with(made, 43, FREE, FREE + 1, 8) == WITH_FP64


def test_variables() -> None:
    """Including exported variables, which have no other users either."""
    pointer, one, variable = FREE + 1, FREE + 2, FREE + 3
    module = plain(
        capabilities=(5, 10),
        about=(instruction(71, variable, 41, "variable", 0),),
        declared=(
            instruction(22, FREE, 64),
            instruction(32, pointer, 5, FREE),
            instruction(43, FREE, one, 0, 0x3FF00000),
            instruction(59, pointer, variable, 5, one),
        ),
        other=(instruction(61, FREE, FREE + 4, variable),),
    )
    conditions = Conditions()
    made = conditions.given_to(module, {"other": conditions.fp64})
    assert devices_with(made, 59, pointer, variable, 5, one) == WITH_FP64
    assert devices_with(made, 17, 10) == WITH_FP64


UNDEFINED = instruction(1, FREE, FREE + 1)
FLOAT_ADD, FLOAT_MIN = "SPV_EXT_shader_atomic_float_add", "SPV_EXT_shader_atomic_float_min_max"


def atomic(opcode: int, *values: int) -> tuple[array[int], ...]:
    """Return an atomic operation on a variable of the type `FREE`, and its requirements."""
    variable, pointer = FREE + 3, FREE + 2
    return (
        instruction(59, pointer, variable, 7),
        instruction(opcode, FREE, FREE + 1, variable, FREE + 4, FREE + 4, *values),
    )


SCOPED = (
    instruction(32, FREE + 2, 7, FREE),
    instruction(21, FREE + 5, 32, 0),
    instruction(43, FREE + 5, FREE + 4, 1),
)


@pytest.mark.parametrize(
    ("declared", "body", "capabilities", "extensions"),
    [
        ((instruction(22, FREE, 64),), (UNDEFINED,), (10,), ()),
        ((instruction(22, FREE, 16),), (UNDEFINED,), (9,), ()),
        ((instruction(22, FREE, 16),), (UNDEFINED,), (8, 9), ()),
        ((instruction(21, FREE, 64, 0),), (UNDEFINED,), (11,), ()),
        ((instruction(21, FREE, 16, 0),), (UNDEFINED,), (22,), ()),
        ((instruction(21, FREE, 8, 0),), (UNDEFINED,), (39,), ()),
        (
            (instruction(22, FREE + 2, 32), instruction(23, FREE, FREE + 2, 16)),
            (UNDEFINED,),
            (7,),
            (),
        ),
        ((instruction(21, FREE, 64, 0), *SCOPED), atomic(227), (11, 12), ()),
        ((instruction(22, FREE, 32), *SCOPED), atomic(6035, FREE + 6), (6033,), (FLOAT_ADD,)),
        ((instruction(22, FREE, 64), *SCOPED), atomic(6035, FREE + 6), (10, 6034), (FLOAT_ADD,)),
        ((instruction(22, FREE, 32), *SCOPED), atomic(5614, FREE + 6), (5612,), (FLOAT_MIN,)),
        ((instruction(32, FREE, 8, VOID),), (UNDEFINED,), (38,), ()),
    ],
)
def test_capabilities_of_conditional_code(
    declared: tuple[array[int], ...],
    body: tuple[array[int], ...],
    capabilities: tuple[int, ...],
    extensions: tuple[str, ...],
) -> None:
    if any(each[0] & 0xFFFF in (5614, 6035) for each in body):
        declared = (*declared, instruction(46, FREE, FREE + 6))
    module = plain(capabilities=capabilities, extensions=extensions, declared=declared, other=body)
    conditions = Conditions()
    made = conditions.given_to(module, {"other": conditions.fp64})
    for each in capabilities:
        assert devices_with(made, 17, each) == WITH_FP64
    for name in extensions:
        assert devices_with(made, 10, name) == WITH_FP64


def test_atomics_of_different_types_have_different_requirements() -> None:
    wide, to_wide, wide_variable, wide_null = range(FREE + 7, FREE + 11)
    module = plain(
        capabilities=(10, 6033, 6034),
        extensions=(FLOAT_ADD,),
        declared=(
            instruction(22, FREE, 32),
            *SCOPED,
            instruction(46, FREE, FREE + 6),
            instruction(22, wide, 64),
            instruction(32, to_wide, 7, wide),
            instruction(46, wide, wide_null),
        ),
        main=atomic(6035, FREE + 6),
        other=(
            instruction(59, to_wide, wide_variable, 7),
            instruction(6035, wide, 60, wide_variable, FREE + 4, FREE + 4, wide_null),
        ),
    )
    conditions = Conditions()
    made = conditions.given_to(module, {"other": conditions.fp64})
    assert devices_with(made, 17, 6033) == ALL
    assert devices_with(made, 17, 6034) == WITH_FP64
    assert devices_with(made, 10, FLOAT_ADD) == ALL


def test_implied_capabilities() -> None:
    """LLVM does not declare `Kernel`, which `Vector16` implies; without that it is required."""
    module = SpirvModule.read(
        module_of(
            *(instruction(17, each) for each in (4, 7)),
            instruction(14, 2, 2),
            instruction(15, 6, MAIN, "main"),
            instruction(15, 6, OTHER, "other"),
            instruction(19, VOID),
            instruction(33, SIGNATURE, VOID),
            instruction(22, FREE + 2, 32),
            instruction(23, FREE, FREE + 2, 8),
            *function(MAIN, MAIN_LABEL),
            *function(OTHER, OTHER_LABEL, UNDEFINED),
            bound=100,
        )
    )
    conditions = Conditions()
    made = conditions.given_to(module, {"other": conditions.fp64})
    assert devices_with(made, 17, 7) == WITH_FP64
    assert devices_with(made, 17, 6) == ALL


def test_capabilities_of_unknown_instructions_are_unconditional() -> None:
    """All capabilities are, if there is an unknown instruction."""
    double = (instruction(22, FREE, 64),)
    conditions = Conditions()
    made = conditions.given_to(
        plain(capabilities=(10, 14), declared=double, other=(UNDEFINED,)),
        {"other": conditions.fp64},
    )
    assert devices_with(made, 17, 14) == ALL
    assert devices_with(made, 17, 10) == WITH_FP64
    unknown = instruction(65000, 12345)
    module = plain(capabilities=(10,), declared=double, main=(unknown,), other=(UNDEFINED,))
    made = conditions.given_to(module, {"other": conditions.fp64})
    assert has(made, 17, 10)


def test_types_that_use_each_other() -> None:
    structure, pointer = FREE, FREE + 1
    module = plain(
        declared=(
            instruction(39, pointer, 5),
            instruction(30, structure, pointer),
            instruction(32, pointer, 5, structure),
        ),
        other=(instruction(1, pointer, FREE + 2),),
    )
    conditions = Conditions()
    made = conditions.given_to(module, {"other": conditions.fp64})
    assert devices_with(made, 30, structure, pointer) == WITH_FP64
