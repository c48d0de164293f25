"""A kernel runs on the CPU, whatever it is decorated with."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dovetail
from dovetail.codegen.spirv.decorating import decorate
from dovetail.codegen.spirv.module_decorations import ModuleDecorations
from dovetail.image import SyclBin, read_program, write_program
from dovetail.runtime.backend import Code, CodeKind, DeviceKind
from dovetail.runtime.device_code import for_device
from dovetail.spirv_metadata import Decoration
from dovetail.spirv_validator import validation_error

pytestmark = pytest.mark.device

SOURCE = """
#include <sycl/sycl.hpp>
namespace { constexpr int table[] = {40, 50, 60, 70}; }
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))
void k(int *p, int i) { *p = table[i]; }
"""
KERNEL = "__sycl_kernel__Z1kPii"
TABLE = "_ZN12_GLOBAL__N_15tableE"

MARKS = [
    Decoration(44, (16,)),
    Decoration(5826, ("memory",)),
    Decoration(5921, (3,)),
    Decoration(6188, (1, "table")),
    Decoration(6190, (1,)),
    Decoration(6191, (1,)),
    Decoration(7744, ("some text", 3)),
]


def decorated(decorations: ModuleDecorations) -> bytes:
    """The program with the decorations."""
    program = read_program(dovetail.build(SOURCE).to_bytes())
    (module,) = program.abstract_modules
    (form,) = module.ir_modules
    code = decorate(bytes(form.code), decorations)
    assert code != bytes(form.code)
    assert validation_error(code) == ""
    module = replace(module, ir_modules=(replace(form, code=code),))
    return write_program(SyclBin(program.metadata, (module,)))


def result(program: bytes, folder: Path) -> int:
    path = folder / "program.syclbin"
    path.write_bytes(program)
    out = np.zeros(1, "i4")
    dovetail.Queue().single_task(dovetail.load(path)["k"], out, 2).wait()
    return int(out[0])


@pytest.mark.parametrize("mark", MARKS)
def test_on_parameters(mark: Decoration, tmp_path: Path) -> None:
    assert result(decorated(ModuleDecorations([], {KERNEL: [[mark], []]}, {}, {})), tmp_path) == 60


@pytest.mark.parametrize("mark", MARKS)
def test_on_variables(mark: Decoration, tmp_path: Path) -> None:
    assert result(decorated(ModuleDecorations([], {}, {TABLE: [mark]}, {})), tmp_path) == 60


@pytest.mark.parametrize("mode", [Decoration(7001, (5,)), Decoration(5896, (1,))])
def test_on_kernels(mode: Decoration, tmp_path: Path) -> None:
    assert result(decorated(ModuleDecorations([(KERNEL, mode)], {}, {}, {})), tmp_path) == 60


def test_accelerators_get_advice() -> None:
    """They are what it is for."""
    device = dovetail.Queue().device.native.description
    (module,) = read_program(
        decorated(ModuleDecorations([], {}, {TABLE: MARKS}, {}))
    ).abstract_modules
    code = Code(CodeKind.SPIRV, bytes(module.ir_modules[0].code))
    assert for_device(code, replace(device, kind=DeviceKind.ACCELERATOR)) is code
    assert for_device(code, device) != code
    broken = Code(CodeKind.SPIRV, b"no code")
    assert for_device(broken, device) is broken
