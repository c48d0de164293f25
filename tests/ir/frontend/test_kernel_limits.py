"""Kernels that no device can have are errors at a place in the source, or name the kernel."""

from typing import TYPE_CHECKING

import pytest

import dovetail
from dovetail.errors import CompileError, DovetailError

if TYPE_CHECKING:
    from conftest import Compile

START = (
    "template <class N, class F> [[clang::sycl_kernel_entry_point(N)]] void start(F f) { f(); }\n"
)
LARGE = "struct Large { char bytes[1 << 20]; };\n"
ERRORS = {
    "object": (
        START + LARGE + "void r(Large &l, int *p) { start<class K>([=] { *p = l.bytes[3]; }); }",
        "<stdin>:3:43: error: kernel parameter of type '(lambda",
    ),
    "parameter": (
        LARGE + "KERNEL void k(Large l, int *p) { *p = l.bytes[3]; }",
        "error: kernel parameter of type 'Large' has a size or alignment of 1048576",
    ),
    "alignment": (
        "struct alignas(1 << 20) Aligned { int i; };\n"
        "KERNEL void k(Aligned a, int *p) { *p = a.i; }",
        "error: kernel parameter of type 'Aligned'",
    ),
    "vector": (
        "typedef int five __attribute__((ext_vector_type(5)));\n"
        "KERNEL void k(five f, int *p) { *p = f[4]; }",
        "error: parameter 'f' of kernel 'k' is a vector of unsupported length",
    ),
    "dimensions": (
        '[[__sycl_detail__::__add_ir_attributes_function__("sycl-nd-range-kernel", 4)]]\n'
        "void k(int *p) { *p = 1; }",
        "<stdin>:2: error: kernel 'k': expected 1, 2 or 3 dimensions, got '4'",
    ),
    "property with an unknown aspect": (
        "[[__sycl_detail__::__add_ir_attributes_function__("
        '"sycl-nd-range-kernel", "sycl-device-has", 1, "6,4096")]] void k(int *p) { *p = 1; }',
        "error: there is no aspect 4096, which is a value of property 'sycl-device-has'",
    ),
}


@pytest.mark.parametrize(("text", "message"), ERRORS.values(), ids=ERRORS.keys())
def test_errors(compile_text: "Compile", text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        compile_text(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("<stdin>:")


def test_errors_of_the_back_end_name_the_kernel() -> None:
    task = "sycl::ext::oneapi::experimental::single_task_kernel"
    with pytest.raises(DovetailError) as caught:
        dovetail.build(
            "#include <sycl/sycl.hpp>\n"
            f"SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(({task})) void stuck(int *p) {{\n"
            "  *p = int(long(__builtin_alloca(*p))); }"
        )
    assert "cannot compile kernel 'stuck' for any device" in caught.value.message
    assert "rewrite the code without it" in caught.value.hint
