"""The kernels of an abstract module, through a whole file."""

import pytest
from image_sets import properties_of

from dovetail.errors import FormatError
from dovetail.image import (
    AbstractModule,
    BundleState,
    ImageInfo,
    SyclBin,
    read_program,
    write_program,
)
from dovetail.kernel_info import KernelInfo, Parameter, ParameterKind

POINTER = Parameter("p", "float *", ParameterKind.POINTER, 8, 8, "f4")
KERNELS = (
    KernelInfo("_Z5scalePf", "scale", "scale(float *)", 1, (POINTER,), "ä.cpp", 3),
    KernelInfo("_Z4onceb", "once", "once(bool)", 0, ()),
)


def test_kernels_are_stored_in_a_program() -> None:
    names = tuple(kernel.symbol for kernel in KERNELS)
    module = AbstractModule.of(ImageInfo(kernel_names=names, kernels=KERNELS))
    program = read_program(write_program(SyclBin.of(BundleState.INPUT, [module])))
    (read,) = program.abstract_modules
    assert read.info.kernels == KERNELS
    assert read.info.kernel_names == ("_Z5scalePf", "_Z4onceb")
    assert read.metadata["SYCL/kernel names"] == {"_Z5scalePf": 1, "_Z4onceb": 1}
    assert list(read.metadata["Dovetail/kernels"]) == ["_Z5scalePf", "_Z4onceb"]


def test_a_module_of_another_toolchain_has_names_only() -> None:
    module = AbstractModule({"SYCL/kernel names": {"k": 1}})
    assert module.info.kernels == ()
    assert module.info.kernel_names == ("k",)
    assert AbstractModule({}).info.kernel_names == ()


@pytest.mark.parametrize("description", [1, b"", b"{}", b"[]", b"\xff", b'{"parameters":1}'])
def test_a_malformed_description_names_its_kernel(description: int | bytes) -> None:
    with pytest.raises(FormatError, match=r"description of kernel 'k'|property 'k' of set"):
        _ = AbstractModule({"Dovetail/kernels": {"k": description}}).info.kernels


def test_symbols_are_unique() -> None:
    with pytest.raises(FormatError, match="two kernels have the symbol '_Z4onceb'"):
        properties_of(kernels=[KERNELS[1], KERNELS[1]])
