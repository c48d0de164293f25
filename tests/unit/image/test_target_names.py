"""The names of targets that programs carry."""

import pytest

from dovetail.errors import FormatError
from dovetail.image import (
    FIXED_TARGETS_SET,
    IR_MODULE_SET,
    TARGETS_SET,
    AbstractModule,
    BundleState,
    IRModule,
    IRType,
    PropertySets,
    SyclBin,
    fixed_targets_of,
    read_program,
    target_properties,
    targets_of,
    write_program,
)


def test_names_come_back_from_a_program_in_their_order() -> None:
    ir = IRModule.of(IRType.SPIRV, "a triple", b"code", targets=["intel_gpu_pvc", "x86_64"])
    fixed: PropertySets = {FIXED_TARGETS_SET: {**target_properties(["spir64_gen"])}}
    written = write_program(SyclBin.of(BundleState.INPUT, [AbstractModule(fixed, (ir,))]))
    (module,) = read_program(written).abstract_modules
    assert module.ir_modules[0].targets == ("intel_gpu_pvc", "x86_64")
    assert fixed_targets_of(module.metadata) == ("spir64_gen",)


def test_code_for_any_device_says_nothing_of_targets() -> None:
    ir = IRModule.of(IRType.SPIRV, "a triple", b"code")
    assert ir.metadata.keys() == {IR_MODULE_SET}
    assert ir.targets == ()
    assert fixed_targets_of({}) == ()


def test_names_are_numbers_in_the_set() -> None:
    with pytest.raises(FormatError, match="'x' of set 'Dovetail/targets'"):
        targets_of({TARGETS_SET: {"x": b"1"}})
