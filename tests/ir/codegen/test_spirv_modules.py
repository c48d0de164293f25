"""The SPIR-V reader on modules of LLVM, compared with SPIR-V's disassembler."""

import re
import subprocess
from pathlib import Path

import pytest

import dovetail
from dovetail.image import read_program
from dovetail.spirv import SpirvModule, index_ids

_EXAMPLES = Path(__file__).parents[3] / "examples"
_SOURCES = ("first.cpp",)

SWITCHES = """
#include <sycl/sycl.hpp>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))
void k(long a, int b, double *out) {
  switch (a) { case 1: *out = 2; break; case 1l << 40: *out = 7; break; case 5: *out += b; }
  switch (b) { case 1: *out = 3; break; case 9: *out *= 8; break; case 5: *out += a; }
}
"""


def modules(source: str) -> list[bytes]:
    program = read_program(dovetail.build(source).to_bytes())
    return [bytes(form.code) for each in program.abstract_modules for form in each.ir_modules]


def disassembled(code: bytes) -> list[tuple[int, list[int]]]:
    """Return the result id, or 0, and the used ids of each instruction."""
    command = ["spirv-dis", "--raw-id", "--no-header", "-"]
    text = subprocess.run(command, input=code, capture_output=True, check=True).stdout.decode()
    found: list[tuple[int, list[int]]] = []
    for line in re.sub(r'"(?:[^"\\]|\\.)*"', "", text).splitlines():
        result, equals, rest = line.rpartition(" = ")
        ids = [int(each) for each in re.findall(r"%(\d+)", rest)]
        found.append((int(result.strip()[1:]) if equals else 0, ids))
    return found


@pytest.mark.parametrize("source", [*_SOURCES, SWITCHES])
def test_modules_of_llvm(source: str) -> None:
    text = (_EXAMPLES / source).read_text() if source in _SOURCES else source
    for code in modules(text):
        module = SpirvModule.read(code)
        assert module.to_bytes() == code
        index = index_ids(module)
        numbers = range(len(module.starts))
        assert [(index.results[n], list(index.uses(n))) for n in numbers] == disassembled(code)
