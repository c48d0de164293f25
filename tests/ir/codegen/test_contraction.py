"""Products in sums that may be contracted become OpenCL's `mad`."""

import re
import subprocess

import dovetail
from dovetail.codegen.spirv.emit import TRIPLE
from dovetail.codegen.spirv.intrinsics import contract_with_mad
from dovetail.image import read_program
from dovetail.ir import Context, Module

KERNEL = """
#include <sycl/sycl.hpp>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))
void k(float a, float b, float *out) { BODY }
"""


def disassembled(code: bytes) -> str:
    command = ["spirv-dis", "--raw-id", "-"]
    return subprocess.run(command, input=code, capture_output=True, check=True).stdout.decode()


def arithmetic(text: str) -> list[str]:
    """Return the arithmetic instructions, in order."""
    return re.findall(r"= (?:OpExtInst %\d+ %\d+ )?(mad|fma|OpFMul|OpFAdd)\b", text)


def compiled(body: str) -> list[str]:
    (module,) = read_program(
        dovetail.build(KERNEL.replace("BODY", body)).to_bytes()
    ).abstract_modules
    return arithmetic(disassembled(bytes(module.ir_modules[0].code)))


def test_a_product_in_a_sum() -> None:
    assert compiled("*out = a * b + *out;") == ["mad"]


def test_nothing_is_contracted_across_statements() -> None:
    assert compiled("float c = a * b; *out += c;") == ["OpFMul", "OpFAdd"]


def test_the_pragma_disables_contraction() -> None:
    body = "{\n#pragma clang fp contract(off)\n*out = a * b + *out; }"
    assert compiled(body) == ["OpFMul", "OpFAdd"]


def test_explicit_calls_are_unchanged() -> None:
    body = "*out = a * b + sycl::fma(a, b, sycl::mad(a, a, *out));"
    assert compiled(body) == ["mad", "fma", "mad"]


def test_every_type_of_mad() -> None:
    types = {
        f"v{width}{element}" if width > 1 else element: f"<{width} x {name}>" if width > 1 else name
        for element, name in (("f16", "half"), ("f32", "float"), ("f64", "double"))
        for width in (1, 2, 3, 4, 8, 16)
    }
    text = 'target triple = "spirv64-unknown-unknown"\n'
    for suffix, name in types.items():
        text += f"""
            declare {name} @llvm.fmuladd.{suffix}({name}, {name}, {name})
            define spir_kernel void @k_{suffix}({name} %a, ptr addrspace(1) %out) {{
              %r = call {name} @llvm.fmuladd.{suffix}({name} %a, {name} %a, {name} %a)
              store {name} %r, ptr addrspace(1) %out
              ret void
            }}"""
    module = Module.parse(Context(), text.encode(), "test.ll")
    contract_with_mad(module)
    emitted = disassembled(module.emit(triple=TRIPLE))
    assert arithmetic(emitted) == ["mad"] * len(types)
    assert "OpFunctionCall" not in emitted
