"""Plain functions that are kernels, after their entry points are generated."""

from typing import TYPE_CHECKING

from dovetail.artifacts import DeviceModule
from dovetail.passes import PassContext, parse_pipeline, run_pipeline
from dovetail.passes.standard_pipeline import device_pipeline

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

ACTION = """
KERNEL inline void action() {}
[[__sycl_detail__::__add_ir_attributes_function__("sycl-call-if-on-device-conditionally", true)]]
void maybe(const void *, int, int) { action(); }
KERNEL void caller() { maybe(nullptr, -1, 6); }
"""


def linkage_after_passes(device: DeviceModule) -> dict[str, str]:
    """Return the linkages of definitions, by symbol."""
    passes = parse_pipeline(",".join(device_pipeline()))
    run_pipeline(passes, PassContext(device.facts), device.module)
    functions = device.module.functions()
    return {each.name: each.linkage for each in functions if not each.is_declaration}


def test_only_external_functions_are_kept(compile_text: "Compile") -> None:
    """Others would be optimized twice."""
    defined = linkage_after_passes(compile_text(SOURCE)).keys()
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


def test_actions_keep_their_names(compile_text: "Compile") -> None:
    """They may be in another image than their callers, and in several sources."""
    assert linkage_after_passes(compile_text(ACTION))["_Z6actionv"] != "internal"
