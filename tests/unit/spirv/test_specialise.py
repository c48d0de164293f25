"""Specializing conditional modules for one device."""

import itertools
import re
from array import array
from collections import Counter

import pytest
from fuzz import modules as m
from fuzz.modules import FAST, FP16, FP64, conditional, kernel, module_of

from dovetail.errors import FormatError
from dovetail.spirv import SpirvModule, index_ids, instruction
from dovetail.spirv.specialise import specialised
from dovetail.spirv_validator import validation_error

DEVICES: list[dict[int, bool]] = [
    {FP64: fp64, FP16: fp16, FAST: fast}
    for fp64, fp16, fast in itertools.product((False, True), repeat=3)
]
NOTHING, EVERYTHING = DEVICES[0], DEVICES[-1]

VOID, BOOL, TYPE, MAIN, LABEL, CONDITION = range(1, 7)
ON = {1: True}
OFF = {1: False}


def small(
    *body: "array[int]",
    before: tuple["array[int]", ...] = (),
    declared: tuple["array[int]", ...] = (),
    after: tuple["array[int]", ...] = (),
) -> SpirvModule:
    """Return a module with a kernel, and a condition with the `SpecId` 1."""
    return SpirvModule.read(
        module_of(
            instruction(14, 2, 2),
            instruction(15, 6, MAIN, "main"),
            instruction(71, CONDITION, 1, 1),
            *before,
            instruction(19, VOID),
            instruction(20, BOOL),
            instruction(33, TYPE, VOID),
            instruction(49, BOOL, CONDITION),
            *declared,
            instruction(54, VOID, MAIN, 0, TYPE),
            instruction(248, LABEL),
            *body,
            instruction(253),
            instruction(56),
            *after,
            bound=100,
        )
    )


def function(identifier: int, label: int, *body: "array[int]") -> "array[int]":
    words = instruction(54, VOID, identifier, 0, TYPE)
    for each in (instruction(248, label), *body, instruction(253), instruction(56)):
        words.extend(each)
    return words


def conditionally(target: int, condition: int = CONDITION) -> "array[int]":
    return instruction(71, target, 6247, condition)


def ids(module: SpirvModule) -> set[int]:
    return set(index_ids(module).definitions)


def count(module: SpirvModule, opcode: int) -> int:
    return Counter(each for each, _, _ in module.instructions())[opcode]


def has(module: SpirvModule, words: "array[int]") -> bool:
    return any(module.words[at : at + len(words)] == words for at in module.starts)


def refused(message: str, module: SpirvModule, values: dict[int, bool] = OFF) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        specialised(module, values)


@pytest.mark.parametrize("device", DEVICES)
def test_valid_for_every_device(device: dict[int, bool]) -> None:
    complaint = validation_error(specialised(SpirvModule.read(conditional()), device).to_bytes())
    if complaint is None:
        pytest.skip("spirv-val is not installed")
    assert not complaint


@pytest.mark.parametrize("device", DEVICES)
def test_code_of_each_device(device: dict[int, bool]) -> None:
    module = specialised(SpirvModule.read(conditional()), device)
    left = ids(module)
    called = device[FP64] and device[FAST]
    assert left & {m.PLAIN, m.WIDE_KERNEL, m.HALF_KERNEL, m.ACTION, m.HELPER} == {
        m.PLAIN,
        *([m.WIDE_KERNEL, m.HELPER] if device[FP64] else []),
        *([m.HALF_KERNEL] if device[FP16] else []),
        *([m.ACTION] if called else []),
    }
    assert {m.P_CALL, m.P_CAST} & left == ({m.P_CALL, m.P_CAST} if called else set())
    assert (m.C_DOUBLE in left) == has(module, instruction(17, 10)) == device[FP64]
    assert (m.C_HALF in left) == has(module, instruction(17, 9)) == device[FP16]
    assert count(module, 10) == device[FP16]
    assert count(module, 15) == 1 + device[FP64] + device[FP16]
    assert count(module, 16) == count(module, 15)
    assert {6248, 6249, 6250, 49, 52, 20}.isdisjoint(each for each, _, _ in module.instructions())
    # No conditions remain, and the user's constant is unchanged.
    assert not has(module, instruction(17, 6245))
    assert has(module, instruction(71, m.USERS, 1, m.USERS_OWN))
    assert has(module, instruction(50, m.C_INT, m.USERS, 3))


def test_interfaces_lose_removed_variables() -> None:
    off = specialised(SpirvModule.read(conditional()), NOTHING)
    assert has(off, instruction(15, 6, m.PLAIN, "plain"))
    on = specialised(SpirvModule.read(conditional()), EVERYTHING)
    assert has(on, instruction(15, 6, m.PLAIN, "plain", m.TABLE))
    assert has(on, instruction(15, 6, m.HALF_KERNEL, "half"))


def test_plain_modules_are_unchanged() -> None:
    module = SpirvModule.read(kernel())
    assert specialised(module, {}) is module
    assert specialised(module, {1000: True}) is module


def test_specialising_again_changes_nothing() -> None:
    once = specialised(SpirvModule.read(conditional()), EVERYTHING)
    assert specialised(once, {}) is once


def test_byte_order_is_preserved() -> None:
    words = array("I", conditional())
    words.byteswap()
    big = specialised(SpirvModule.read(words.tobytes()), EVERYTHING)
    assert big.is_swapped
    assert big.words == specialised(SpirvModule.read(conditional()), EVERYTHING).words


def test_constants_that_code_uses_become_plain() -> None:
    """Including expressions, which then no longer need their operands."""
    module = small(
        instruction(83, BOOL, 9, 7),
        declared=(instruction(52, BOOL, 7, 168, CONDITION), instruction(52, BOOL, 8, 168, 7)),
    )
    off, on = specialised(module, OFF), specialised(module, ON)
    assert has(off, instruction(41, BOOL, 7))
    assert has(on, instruction(42, BOOL, 7))
    assert ids(off) == ids(on) == {VOID, BOOL, TYPE, MAIN, LABEL, 7, 9}
    assert count(off, 71) == 0


def test_expressions_with_a_users_constant_remain() -> None:
    module = small(
        instruction(83, BOOL, 9, 8),
        before=(instruction(71, 7, 1, 55),),
        declared=(instruction(48, BOOL, 7), instruction(52, BOOL, 8, 167, CONDITION, 7)),
    )
    after = specialised(module, OFF)
    assert has(after, instruction(42, BOOL, CONDITION))
    assert has(after, instruction(52, BOOL, 8, 167, CONDITION, 7))
    assert has(after, instruction(71, 7, 1, 55))


def test_constants_without_a_spec_id_have_their_default() -> None:
    for constant, stays in ((48, True), (49, False), (41, True), (42, False), (46, False)):
        module = small(
            before=(conditionally(8, 7),),
            declared=(instruction(constant, BOOL, 7),),
            after=(function(8, 9),),
        )
        assert (8 in ids(specialised(module, {}))) == stays
        # The other one is not used in a condition, and can be set later.
        assert CONDITION in ids(specialised(module, {}))


def test_ids_that_were_unused_remain() -> None:
    module = small(
        before=(conditionally(8),),
        declared=(instruction(22, 7, 64), instruction(22, 10, 32)),
        after=(function(8, 9, instruction(1, 10, 11)),),
    )
    assert ids(specialised(module, OFF)) == {VOID, TYPE, MAIN, LABEL, 7}


def test_functions_are_removed_with_their_only_callers() -> None:
    """Unless they are exported, or entry points."""
    calls = [instruction(57, VOID, 20 + each, each) for each in (10, 12, 14)]
    module = small(
        before=(
            instruction(15, 6, 14, "other"),
            conditionally(8),
            instruction(71, 12, 41, "exported", 0),
            instruction(71, 10, 41, "shared", 2),
        ),
        after=(function(8, 9, *calls), function(10, 11), function(12, 13), function(14, 15)),
    )
    assert {8, 10, 12, 14} & ids(specialised(module, OFF)) == {12, 14}
    assert {8, 10, 12, 14} & ids(specialised(module, ON)) == {8, 10, 12, 14}


def test_recursive_functions_are_removed() -> None:
    module = small(
        before=(conditionally(8),),
        after=(
            function(8, 9, instruction(57, VOID, 20, 10)),
            function(10, 11, instruction(57, VOID, 21, 12)),
            function(12, 13, instruction(57, VOID, 22, 10)),
        ),
    )
    assert {8, 10, 12}.isdisjoint(ids(specialised(module, OFF)))


def test_recursive_types_are_removed() -> None:
    module = small(
        before=(conditionally(8), instruction(6, 10, 0, "next")),
        declared=(
            instruction(39, 11, 5),
            instruction(30, 10, 11),
            instruction(32, 11, 5, 10),
        ),
        after=(function(8, 9, instruction(1, 11, 12)),),
    )
    off = specialised(module, OFF)
    assert {10, 11}.isdisjoint(ids(off))
    assert count(off, 39) == count(off, 6) == 0
    assert {10, 11} <= ids(specialised(module, ON))


def test_computations_for_a_removed_call_are_removed() -> None:
    """Except instructions with side effects or other users."""
    module = small(
        instruction(59, 12, 13, 7),
        instruction(61, 11, 14, 13),
        instruction(61, 11, 15, 13, 1),
        instruction(124, 11, 16, 14),
        instruction(124, 11, 17, 14),
        instruction(57, VOID, 18, 8, 15, 16, 17),
        instruction(62, 13, 17),
        before=(conditionally(18), conditionally(8)),
        declared=(instruction(21, 11, 32, 0), instruction(32, 12, 7, 11)),
        after=(function(8, 9),),
    )
    assert {13, 14, 15, 16, 17, 18} & ids(specialised(module, OFF)) == {13, 14, 15, 17}


def test_decorations_keep_their_operands() -> None:
    """The sizes of a remaining kernel, not those of a removed one."""
    module = small(
        before=(
            instruction(15, 6, 8, "other"),
            conditionally(8),
            instruction(331, MAIN, 38, 11, 11, 11),
            instruction(331, 8, 38, 12, 12, 11),
        ),
        declared=tuple(
            [instruction(21, 10, 32, 0)] + [instruction(43, 10, each, 4) for each in (11, 12)]
        ),
        after=(function(8, 9),),
    )
    off = specialised(module, OFF)
    assert {10, 11, 12} & ids(off) == {10, 11}
    assert count(off, 331) == 1


def test_decorations_of_candidates() -> None:
    """An alignment by id is removed with its target only."""
    for used in (True, False):
        module = small(
            *([instruction(83, 11, 15, 12)] if used else []),
            before=(conditionally(8), instruction(332, 12, 46, 13)),
            declared=(
                instruction(21, 11, 32, 0),
                instruction(43, 11, 12, 4),
                instruction(43, 11, 13, 4),
            ),
            after=(function(8, 9, instruction(83, 11, 16, 12), instruction(83, 11, 17, 13)),),
        )
        assert {12, 13} & ids(specialised(module, OFF)) == ({12, 13} if used else set())


def test_execution_modes_are_removed_with_the_entry_point() -> None:
    """The function itself is still called."""
    module = small(
        instruction(57, VOID, 10, 8),
        before=(instruction(6249, CONDITION, 6, 8, "other"), instruction(16, 8, 31)),
        after=(function(8, 9),),
    )
    off, on = specialised(module, OFF), specialised(module, ON)
    assert 8 in ids(off)
    assert (count(off, 15), count(off, 16)) == (1, 0)
    assert (count(on, 15), count(on, 16)) == (2, 1)


def test_nothing_is_declared_twice() -> None:
    module = small(
        before=(
            instruction(17, 6),
            *[instruction(6250, CONDITION, each) for each in (6, 10, 10)],
            instruction(10, "A"),
            *[instruction(6248, CONDITION, each) for each in "ABB"],
            instruction(10, "SPV_INTEL_spec_conditional"),
        ),
    )
    on, off = specialised(module, ON), specialised(module, OFF)
    assert (count(on, 17), count(on, 10)) == (2, 2)
    assert (count(off, 17), count(off, 10)) == (1, 1)


def test_groups() -> None:
    """A condition of a group applies to its members; removed ids leave their groups."""
    module = small(
        before=(
            conditionally(20),
            instruction(73, 20),
            instruction(74, 20, 8, 10),
            instruction(73, 21),
            instruction(74, 21, 8, MAIN),
            instruction(75, 21, 12, 0, 13, 0, 12, 0),
        ),
        declared=(instruction(21, 14, 32, 0), instruction(30, 12, 14), instruction(30, 13, 14)),
        after=(function(8, 9, instruction(1, 12, 15)), function(10, 11)),
    )
    off = specialised(module, OFF)
    assert {8, 10, 12, 13, MAIN} & ids(off) == {13, MAIN}
    assert has(off, instruction(74, 21, MAIN))
    assert has(off, instruction(75, 21, 13, 0))
    assert count(off, 74) == 1
    on = specialised(module, ON)
    assert has(on, instruction(74, 21, 8, MAIN))


def test_groups_with_many_conditions_and_members() -> None:
    """The time must not be their product."""
    size = 30_000
    module = small(
        before=(
            *[conditionally(20)] * size,
            instruction(73, 20),
            instruction(74, 20, *[8] * size),
            instruction(74, 20, *[10] * size),
        ),
        after=(function(8, 9), function(10, 11)),
    )
    assert {8, 10} & ids(specialised(module, ON)) == {8, 10}
    assert not {8, 10} & ids(specialised(module, OFF))


def test_all_conditions_must_be_true() -> None:
    module = small(
        before=(conditionally(8), conditionally(8, 7)),
        declared=(instruction(52, BOOL, 7, 168, CONDITION),),
        after=(function(8, 9),),
    )
    assert 8 not in ids(specialised(module, ON))
    assert 8 not in ids(specialised(module, OFF))


def test_uses_of_code_that_is_off() -> None:
    call = instruction(57, VOID, 10, 8)
    refused(
        "SPIR-V, word 38: OpFunctionCall uses %8, which is off",
        small(call, before=(conditionally(8),), after=(function(8, 9),)),
    )
    result = instruction(57, BOOL, 10, 8)
    refused(
        "OpCopyObject uses %10, which is off",
        small(
            result,
            instruction(83, BOOL, 11, 10),
            before=(conditionally(8), conditionally(10)),
            after=(function(8, 9),),
        ),
    )
    refused(
        "OpUndef uses %7, which is off",
        small(instruction(1, 7, 8), before=(conditionally(7),), declared=(instruction(22, 7, 64),)),
    )
    refused(
        "OpCopyObject uses %10, which is off",
        small(
            instruction(83, BOOL, 11, 10),
            before=(conditionally(8),),
            after=(function(8, 9, instruction(1, BOOL, 10)),),
        ),
    )


def test_uses_by_rewritten_instructions() -> None:
    """A constant of a type that is off, and an entry point without a function."""
    refused(
        "OpSpecConstantFalse uses %2, which is off",
        small(
            instruction(83, 10, 7, CONDITION),
            before=(conditionally(BOOL),),
            declared=(instruction(20, 10),),
        ),
    )
    refused(
        "OpConditionalEntryPointINTEL uses %12, which is off",
        small(
            before=(conditionally(8), instruction(6249, 7, 6, 12, "no function")),
            declared=(instruction(41, BOOL, 7),),
            after=(
                function(8, 9, instruction(57, VOID, 14, 10)),
                function(10, 11, instruction(1, BOOL, 12)),
            ),
        ),
    )


def test_uses_by_annotations_of_removed_ids() -> None:
    """The annotated function is removed with its caller, so this is valid."""
    module = small(
        before=(conditionally(8), conditionally(13), instruction(332, 12, 46, 13)),
        declared=(instruction(1, BOOL, 13),),
        after=(
            function(8, 9, instruction(57, VOID, 14, 10)),
            function(10, 11, instruction(1, BOOL, 12)),
        ),
    )
    assert {8, 10, 12, 13}.isdisjoint(ids(specialised(module, OFF)))


def test_conditional_declarations_in_a_removed_function() -> None:
    """They are misplaced, and must not keep the function."""
    strange = instruction(6250, 7, 10), instruction(73, 12), instruction(74, 12, 8, MAIN)
    module = small(
        before=(conditionally(8),),
        declared=(instruction(41, BOOL, 7),),
        after=(function(8, 9, *strange),),
    )
    assert ids(specialised(module, OFF)) == {VOID, TYPE, MAIN, LABEL}


def test_invalid_conditions() -> None:
    def with_condition(*declared: "array[int]") -> SpirvModule:
        return small(before=(conditionally(8, 7),), declared=declared, after=(function(8, 9),))

    refused("expected a boolean constant, got OpTypeFloat", with_condition(instruction(22, 7, 64)))
    refused(
        "expected a boolean constant, got OpConstantNull", with_condition(instruction(46, VOID, 7))
    )
    equal = instruction(52, BOOL, 7, 164, CONDITION, CONDITION)
    refused("expected a boolean constant, got OpSpecConstantOp", with_condition(equal))
    negated = instruction(52, BOOL, 7, 168, CONDITION)
    refused("the specialization constant 1 has no value", with_condition(negated), {})
    cycle = instruction(52, BOOL, 7, 168, 10), instruction(52, BOOL, 10, 168, 7)
    refused("%10 is used before it is defined", with_condition(*cycle))
    refused("%7 is used before", with_condition(instruction(52, BOOL, 7, 167, CONDITION, 7)))
    later = instruction(52, BOOL, 7, 168, 10), instruction(41, BOOL, 10)
    refused("%10 is used before it is defined", with_condition(*later))
    refused("may be defined by an unknown opcode", with_condition(instruction(60000, 7)))


def test_long_expressions_need_no_stack() -> None:
    size = 20_000
    nots = [instruction(52, BOOL, each, 168, each - 1) for each in range(101, 100 + size)]
    words = small(
        before=(conditionally(8, 99 + size),),
        declared=(instruction(52, BOOL, 100, 168, CONDITION), *nots),
        after=(function(8, 9),),
    ).words[:]
    words[3] = 100 + size
    assert 8 not in ids(specialised(SpirvModule(words), OFF))
    assert 8 in ids(specialised(SpirvModule(words), ON))
    refused("the specialization constant 1 has no value", SpirvModule(words), {})


def test_instructions_that_cannot_be_conditional() -> None:
    refused("OpLabel cannot be conditional", small(before=(conditionally(LABEL),)))
    struct = instruction(30, 7, BOOL)
    member = instruction(72, 7, 0, 6247, CONDITION)
    refused("a member cannot be conditional", small(before=(member,), declared=(struct,)), ON)


def test_constants_that_are_not_booleans() -> None:
    module = small(
        before=(instruction(71, 8, 1, 3),),
        declared=(instruction(21, 7, 32, 0), instruction(50, 7, 8, 5)),
    )
    refused("the specialization constant 3 is not a boolean", module, {3: True})
    assert specialised(module, {}) is module


def test_instructions_that_only_a_device_can_evaluate() -> None:
    constant = instruction(6251, BOOL, 7, 5)
    unused = small(before=(conditionally(8),), declared=(constant,), after=(function(8, 9),))
    refused("OpSpecConstantTargetINTEL is not supported", unused)
    leaves = small(
        before=(conditionally(8),),
        declared=(constant,),
        after=(function(8, 9, instruction(83, BOOL, 10, 7)),),
    )
    assert 7 not in ids(specialised(leaves, OFF))


def test_unknown_instructions() -> None:
    """They remain with all ids that they may use, or are removed with their function."""
    strange = instruction(60000, 7, 40)
    declared = (instruction(22, 7, 64), instruction(22, 10, 32))
    uses = instruction(1, 7, 11), instruction(1, 10, 12)
    kept = specialised(
        small(
            strange,
            before=(conditionally(8),),
            declared=declared,
            after=(function(8, 9, *uses, instruction(1, 10, 40)),),
        ),
        OFF,
    )
    assert has(kept, strange)
    assert has(kept, declared[0])
    assert not has(kept, declared[1])
    gone = specialised(
        small(before=(conditionally(8),), declared=declared, after=(function(8, 9, strange),)),
        OFF,
    )
    assert not has(gone, strange)


def test_unknown_instructions_that_may_use_code_that_is_off() -> None:
    strange = instruction(60000, 8)
    module = small(strange, before=(conditionally(8),), after=(function(8, 9),))
    refused("SPIR-V, word 38: opcode 60000 is unknown and may use %8", module)
    assert specialised(module, ON).words[3] == 100
    unknown = small(instruction(60000, VOID, 8), before=(conditionally(8),))
    refused("%8, which is off, is defined by an unknown opcode", unknown)
    assert has(specialised(unknown, ON), instruction(60000, VOID, 8))


def test_functions_without_an_end() -> None:
    begin, end = instruction(54, VOID, 8, 0, TYPE), instruction(56)
    refused("the function has no OpFunctionEnd", small(after=(begin,)))
    refused("the function has no OpFunctionEnd", small(after=(begin, function(9, 10))))
    refused("the function has no OpFunctionEnd", small(after=(end, begin)))
    refused("OpFunctionEnd without a function", small(after=(end,)))


def test_invalid_ids() -> None:
    refused("%77 is not defined", small(before=(conditionally(8, 77),), after=(function(8, 9),)))
    refused("%77 is not defined", small(before=(conditionally(77),)))
