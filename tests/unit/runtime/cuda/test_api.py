"""The functions of NVIDIA's driver: those that are used exist in the bindings as they are used."""

import inspect
import re
from typing import Any

import pytest
from fake_cuda import FakeCuda, bindings

from dovetail.runtime.cuda.api import FUNCTIONS, CudaError, Driver


def count_in_bindings(name: str) -> int:
    """The number of parameters that the bindings document."""
    signature = re.match(rf"{name}\((.*)\)", getattr(bindings, name).__doc__)
    assert signature
    # Types may contain commas, in brackets.
    text = re.sub(r"\[[^][]*\]", "", re.sub(r"\[[^][]*\]", "", signature[1]))
    return len([each for each in text.split(",") if each.strip()])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_have_the_parameters_of_the_bindings(name: str) -> None:
    assert len(FUNCTIONS[name]) == count_in_bindings(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_mock_driver_has_the_same(name: str) -> None:
    mock: Any = getattr(FakeCuda, name)
    assert len(inspect.signature(mock).parameters) == 1 + len(FUNCTIONS[name])


def test_errors_name_the_call_and_the_status() -> None:
    fake = FakeCuda()
    fake.failing["cuDeviceGetCount"] = [fake.CUresult.CUDA_ERROR_NOT_INITIALIZED]
    with pytest.raises(CudaError) as raised:
        Driver(fake).call("cuDeviceGetCount")
    assert str(raised.value) == "cuDeviceGetCount failed: CUDA_ERROR_NOT_INITIALIZED"
    assert not raised.value.is_fatal


@pytest.mark.parametrize(
    "name", ["ILLEGAL_ADDRESS", "ASSERT", "LAUNCH_FAILED", "ECC_UNCORRECTABLE", "UNKNOWN"]
)
def test_which_errors_make_a_context_unusable(name: str) -> None:
    status = getattr(bindings.CUresult, f"CUDA_ERROR_{name}")
    assert Driver(FakeCuda()).error("cuEventQuery", status).is_fatal


def test_attributes_that_a_driver_does_not_know_are_zero() -> None:
    fake = FakeCuda()
    driver = Driver(fake)
    handle = driver.call("cuDeviceGet", 0)
    assert driver.device_attribute("INTEGRATED", handle) == 0
    assert driver.device_attribute("MULTIPROCESSOR_COUNT", handle) == 132
    assert driver.device_attribute("OF_NEXT_YEAR", handle) == 0


def test_a_result_is_single_or_several() -> None:
    driver = Driver(FakeCuda())
    assert driver.call("cuDriverGetVersion") == 13000
    assert driver.call("cuInit", 0) == ()
