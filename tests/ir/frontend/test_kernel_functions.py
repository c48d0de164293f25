"""What is left of functions that are kernels, beside their entry points."""

from typing import TYPE_CHECKING

from dovetail.passes import PassContext, parse_pipeline, run_pipeline
from dovetail.passes.standard import device_pipeline

if TYPE_CHECKING:
    from conftest import Compile

SOURCE = """
KERNEL void alone(int *p) { *p = 1; }
KERNEL void called(int *p) { *p = 2; }
KERNEL void caller(int *p) { called(p); }
KERNEL [[clang::sycl_external]] void shared(int *p) { *p = 3; }
KERNEL __attribute__((noinline)) void apart(int *p) { *p = 4; }
template <int n> KERNEL void made(int *p) { *p = n; }
template void made<5>(int *);
"""


def test_only_what_others_may_call_stays(compile_text: "Compile") -> None:
    """The rest would be optimised a second time for nobody."""
    device = compile_text(SOURCE)
    passes = parse_pipeline(",".join(device_pipeline()))
    run_pipeline(passes, PassContext(device.facts), device.module)
    defined = {each.name for each in device.module.functions() if not each.is_declaration}
    assert {name for name in defined if not name.startswith("__sycl_kernel_")} == {
        "_Z6sharedPi",
        "_Z5apartPi",
    }
    assert {name for name in defined if name.startswith("__sycl_kernel_")} == {
        f"__sycl_kernel_{name}"
        for name in (
            *("_Z5alonePi", "_Z6calledPi", "_Z6callerPi", "_Z6sharedPi", "_Z5apartPi"),
            "_Z4madeILi5EEvPi",
        )
    }
