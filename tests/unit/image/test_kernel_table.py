"""The kernels of an abstract module, through a whole file."""

import pytest

from dovetail.errors import FormatError
from dovetail.image import (
    KERNEL_NAMES_SET,
    KERNELS_SET,
    AbstractModule,
    BundleState,
    SyclBin,
    kernel_names_of,
    kernel_properties,
    kernels_of,
    read_program,
    symbol_properties,
    write_program,
)
from dovetail.kernel_info import KernelInfo, Parameter, ParameterKind

POINTER = Parameter("p", "float *", ParameterKind.POINTER, 8, 8, "f4")
KERNELS = (
    KernelInfo("_Z5scalePf", "scale", "scale(float *)", 1, (POINTER,), "ä.cpp", 3),
    KernelInfo("_Z4onceb", "once", "once(bool)", 0, ()),
)


def test_kernels_travel_in_a_program() -> None:
    module = AbstractModule(
        {
            KERNEL_NAMES_SET: {**symbol_properties(k.symbol for k in KERNELS)},
            KERNELS_SET: {**kernel_properties(KERNELS)},
        }
    )
    program = read_program(write_program(SyclBin.of(BundleState.INPUT, [module])))
    (read,) = program.abstract_modules
    assert kernels_of(read) == KERNELS
    assert kernel_names_of(read) == ("_Z5scalePf", "_Z4onceb")
    assert read.metadata["SYCL/kernel names"] == {"_Z5scalePf": 1, "_Z4onceb": 1}
    assert list(read.metadata["Dovetail/kernels"]) == ["_Z5scalePf", "_Z4onceb"]


def test_a_module_of_another_toolchain_has_names_only() -> None:
    module = AbstractModule({"SYCL/kernel names": {"k": 1}})
    assert kernels_of(module) == ()
    assert kernel_names_of(module) == ("k",)
    assert kernel_names_of(AbstractModule({})) == ()


@pytest.mark.parametrize("description", [1, b"", b"{}", b"[]", b"\xff", b'{"parameters":1}'])
def test_a_malformed_description_names_its_kernel(description: int | bytes) -> None:
    with pytest.raises(FormatError, match="description of kernel 'k'"):
        kernels_of(AbstractModule({"Dovetail/kernels": {"k": description}}))


def test_symbols_are_unique() -> None:
    with pytest.raises(FormatError, match="two kernels have the symbol '_Z4onceb'"):
        kernel_properties([KERNELS[1], KERNELS[1]])
