"""Removal of decorations that readers do not support."""

import pytest
from fuzz.modules import BOUND, KERNEL, PARAMETER, kernel

from dovetail.spirv import Edit, SpirvModule
from dovetail.spirv.declarations import Declarations
from dovetail.spirv.grammar import decoration, execution_mode
from dovetail.spirv.opcodes import CAPABILITY, DECORATE, EXECUTION_MODE, EXTENSION
from dovetail.spirv.stripping import strip_for_validator, strip_hints

_FPGA_VARIABLES = "SPV_INTEL_global_variable_fpga_decorations"


def plain() -> SpirvModule:
    """Return the sample without user-defined decorations."""
    return strip_for_validator(SpirvModule.read(kernel()))


def decorated(*numbers: int) -> SpirvModule:
    """Return the same with decorations and their requirements."""
    module = plain()
    edit = Edit(module)
    declared = Declarations(module, edit)
    for number in numbers:
        declared.require(decoration(number))
        edit.add(DECORATE, PARAMETER, number, 1)
    return edit.apply()


def declared(module: SpirvModule) -> tuple[list[int], list[str]]:
    instructions = list(module.instructions())
    return (
        [module.operand(at, 1) for opcode, at, _ in instructions if opcode == CAPABILITY],
        [module.string(at, 1) for opcode, at, _ in instructions if opcode == EXTENSION],
    )


def test_decorations_that_validators_do_not_support() -> None:
    """A user-defined decoration, and one that is newer than the module's version."""
    before = SpirvModule.read(kernel())
    after = strip_for_validator(before)
    assert len(before.starts) - len(after.starts) == 2
    assert strip_for_validator(after) is after


@pytest.mark.parametrize("number", [44, 38, 7744])
def test_decorations_without_requirements(number: int) -> None:
    assert declared(decorated(number)) == declared(plain())


@pytest.mark.parametrize(
    ("number", "capability", "extension"),
    [
        (5921, 5920, "SPV_INTEL_fpga_buffer_location"),
        (5825, 5824, "SPV_INTEL_fpga_memory_attributes"),
        (6188, 6187, "SPV_INTEL_global_variable_host_access"),
        (6190, 6189, _FPGA_VARIABLES),
        (6191, 6189, _FPGA_VARIABLES),
    ],
)
def test_hints_are_added_and_removed_with_their_requirements(
    number: int, capability: int, extension: str
) -> None:
    capabilities, extensions = declared(plain())
    module = decorated(number, number)
    assert declared(module) == ([*capabilities, capability], [*extensions, extension])
    assert strip_hints(module).to_bytes() == plain().to_bytes()


def test_extensions_remain_while_required() -> None:
    module = decorated(6190, 6191)
    assert declared(module)[1].count(_FPGA_VARIABLES) == 1
    edit = Edit(plain())
    edit.add(CAPABILITY, 5892)
    edit.add(CAPABILITY, 5897)
    edit.add(EXTENSION, "SPV_INTEL_kernel_attributes")
    edit.add(EXECUTION_MODE, KERNEL, 5893, 1, 1, 1)
    edit.add(EXECUTION_MODE, KERNEL, 5896, 1)
    capabilities, extensions = declared(strip_hints(edit.apply()))
    assert 5892 in capabilities
    assert 5897 not in capabilities
    assert "SPV_INTEL_kernel_attributes" in extensions


def test_of_several_capabilities_the_one_that_implies_least() -> None:
    """Decorating a kernel does not declare `Shader`."""
    needs = decoration(26)
    assert needs is not None
    assert needs.capabilities[0] == 1
    assert 1 not in declared(decorated(26))[0]


def test_implied_capabilities() -> None:
    """`Tessellation` implies `Shader`."""
    edit = Edit(plain())
    edit.add(CAPABILITY, 3)
    module = edit.apply()
    more = Edit(module)
    Declarations(module, more).require(decoration(26))
    Declarations(module, more).require(execution_mode(7001))
    assert more.apply() is module
    assert module.bound == BOUND
