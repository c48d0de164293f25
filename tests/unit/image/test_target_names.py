"""The names of targets in programs."""

import pytest
from image_sets import properties_of

from dovetail.errors import FormatError
from dovetail.image import (
    AbstractModule,
    BundleState,
    IRModule,
    IRType,
    PropertySets,
    SyclBin,
    read_info,
    read_program,
    write_program,
)


def test_names_keep_their_order_in_a_program() -> None:
    ir = IRModule.of(IRType.SPIRV, "a triple", b"code", targets=["intel_gpu_pvc", "x86_64"])
    fixed: PropertySets = {
        "Dovetail/fixed targets": {**properties_of(fixed_targets=["spir64_gen"])}
    }
    written = write_program(SyclBin.of(BundleState.INPUT, [AbstractModule(fixed, (ir,))]))
    (module,) = read_program(written).abstract_modules
    assert module.ir_modules[0].targets == ("intel_gpu_pvc", "x86_64")
    assert module.info.fixed_targets == ("spir64_gen",)


def test_code_for_any_device_has_no_targets() -> None:
    ir = IRModule.of(IRType.SPIRV, "a triple", b"code")
    assert ir.metadata.keys() == {"SYCLBIN/ir module metadata"}
    assert ir.targets == ()
    assert read_info({}).fixed_targets == ()


def test_names_are_numbers_in_the_set() -> None:
    with pytest.raises(FormatError, match="'x' of set 'Dovetail/targets'"):
        _ = IRModule({"Dovetail/targets": {"x": b"1"}}, b"").targets
