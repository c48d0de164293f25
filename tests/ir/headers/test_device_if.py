"""`if_device_has` and `if_architecture_is`: what becomes of them on either side, in both ways."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dovetail.resources import plugin_path
from dovetail.targets import Target, default_table
from dovetail.targets.ir_family import IRFamily
from dovetail.targets.macros import architecture_macros, device_if_macros

INCLUDE = Path(__file__).parents[3] / "include"
COMPILER = ("clang++-22", "-x", "c++", "-", "-std=c++17", "-o", "-", f"-I{INCLUDE}")
STRICT = ("-Wall", "-Wextra", "-Werror", "-Wno-unknown-attributes")
DEVICE = ("-fsycl", "-fsycl-device-only", "-Xclang", "-disable-llvm-passes", "-O1")
HEADERS = """
#include <sycl/aspects.hpp>
#include <sycl/ext/oneapi/experimental/device_architecture.hpp>
#include <sycl/ext/oneapi/experimental/device_if.hpp>
#include <sycl/external.hpp>
using namespace sycl::ext::oneapi::experimental;
using sycl::aspect;
SYCL_EXTERNAL void told(int);
"""
CHAINS = """
SYCL_EXTERNAL void aspects() {
  if_device_has<aspect::fp64>([] { told(1); })
      .else_if_device_has<aspect::fp16, aspect::atomic64, aspect::gpu>([] { told(2); })
      .else_if_device_has<aspect::cpu>([] { told(3); })
      .otherwise([] { told(4); });
}
SYCL_EXTERNAL void architectures() {
  if_architecture_is<architecture::intel_gpu_pvc>([] { told(1); })
      .else_if_architecture_is<architecture::x86_64, architecture::intel_gpu_9_0_9,
                               architecture::nvidia_gpu_sm_90>([] { told(2); })
      .otherwise([] { told(3); });
}
"""
ASPECT, ARCHITECTURE, NOT, AND, OR = -1, -2, -3, -4, -5
FP64 = [ASPECT, 6]
THREE = [AND, ASPECT, 5, AND, ASPECT, 27, ASPECT, 2]
CPU = [ASPECT, 1]
PVC = [ARCHITECTURE, 20]
OTHERS = [OR, ARCHITECTURE, 0, OR, ARCHITECTURE, 2, ARCHITECTURE, 34]
NOT_TWO = [AND, NOT, *FP64, NOT, *THREE]
CONDITIONS = {
    "aspects": [
        FP64,
        [AND, NOT, *FP64, *THREE],
        [AND, *NOT_TWO, *CPU],
        [AND, *NOT_TWO, NOT, *CPU],
    ],
    "architectures": [
        PVC,
        [AND, NOT, *PVC, *OTHERS],
        [AND, NOT, *PVC, NOT, *OTHERS],
    ],
}
"""As the design of device_if builds them."""


def compiled(source: str, *options: str) -> str:
    command = [*COMPILER, *STRICT, *options, "-S", "-emit-llvm"]
    done = subprocess.run(command, input=HEADERS + source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(source: str, *options: str) -> str:
    command = [*COMPILER, *options, "-fsyntax-only"]
    done = subprocess.run(command, input=HEADERS + source, capture_output=True, text=True)
    assert done.returncode == 1
    return done.stderr


def file_check(text: str, checks: str, folder: Path) -> None:
    (folder / "checks").write_text(checks)
    command = ["FileCheck-22", folder / "checks"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def family_words(family: IRFamily) -> tuple[str, ...]:
    return (
        ("-Xclang", "-triple", "-Xclang", family.triple) if family is not IRFamily.SPIRV64 else ()
    )


def bodies(module: str) -> dict[str, str]:
    """What each function of a module is made of."""
    found = re.findall(r"^define .*?@(\w+)\(.*?\{\n(.*?)^\}", module, re.DOTALL | re.MULTILINE)
    return dict(found)


def reached(module: str, start: str) -> Iterator[tuple[str, str]]:
    """The calls behind a function in the order in which they are made: callee and arguments."""
    functions = bodies(module)
    for callee, arguments in re.findall(r"call [^@\n]*@(\w+)\((.*)\)", functions[start]):
        yield callee, arguments
        if callee in functions:
            yield from reached(module, callee)


def function(module: str, name: str) -> str:
    (symbol,) = (symbol for symbol in bodies(module) if symbol.startswith(f"_Z{len(name)}{name}"))
    return symbol


@pytest.mark.parametrize("family", IRFamily)
@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_are_the_constants_of_the_calls(name: str, family: IRFamily) -> None:
    module = compiled(CHAINS, *DEVICE, *family_words(family))
    found = [
        [int(number) for number in re.findall(r"i32 noundef (-?\d+)", arguments)]
        for callee, arguments in reached(module, function(module, name))
        if "31call_if_on_device_conditionally" in callee
    ]
    assert found == CONDITIONS[name]


SHAPE = """
CHECK-LABEL: define{{.*}} spir_func void @_Z1fPi(
CHECK: call spir_func void @[[FIRST:[^( ]*if_device_has[^( ]*]](
CHECK: define internal spir_func void @[[FIRST]](
CHECK: call spir_func void @{{[^( ]*}}call_if{{[^( ]*}}(
CHECK: call spir_func void @[[CALLER:[^( ]*31call_if_on_device_conditionally[^( ]*]](
CHECK-SAME: ptr addrspace(4) {{.*}} %{{[0-9]+}}, i32 noundef -1, i32 noundef 6)
CHECK: define internal spir_func void @[[CALLER]](
CHECK-SAME: ptr addrspace(4) {{.*}} %0, i32 noundef %1, i32 noundef %2)
CHECK: call spir_func void @[[ACTION:_ZZ1fPiENKUlvE_clEv]](ptr addrspace(4)
CHECK-NOT: call spir_func
CHECK: ret void
CHECK: define internal spir_func void @[[ACTION]](
"""


def test_shape(tmp_path: Path) -> None:
    source = "SYCL_EXTERNAL void f(int *p) { if_device_has<aspect::fp64>([=] { *p = 1; }); }"
    file_check(compiled(source, *DEVICE), SHAPE, tmp_path)


CALLABLES = """
struct counted {
  int *count;
  counted(int *count) : count(count) {}
  counted(const counted &other) : count(other.count) { ++*count; }
  ~counted() { --*count; }
  void operator()() { told(*count); }
};
struct empty { void operator()() const { told(0); } };
struct given { given(); ~given(); };
SYCL_EXTERNAL void f(int *count) {
  counted object(count);
  if_device_has<aspect::fp64>(object).otherwise([=] { told(*object.count); });
  if_architecture_is<architecture::x86_64>(empty{}).otherwise([] { return 3; });
  if_device_has<aspect::fp16>([]() -> given { return {}; });
  int runs = 0;
  if_device_has<aspect::fp16>([runs]() mutable { told(++runs); });
}
"""


@pytest.mark.parametrize("family", IRFamily)
def test_callables_of_every_kind(family: IRFamily) -> None:
    module = compiled(
        CALLABLES.replace("given();", "given() {}", 1).replace("~given();", "~given() {}"),
        *DEVICE,
        *family_words(family),
    )
    callers = [name for name in bodies(module) if "31call_if_on_device_conditionally" in name]
    assert len(callers) == 6
    for name in callers:
        called = [callee for callee, _ in reached(module, name) if not callee.startswith("llvm")]
        direct = re.findall(r"call [^@\n]*@(?!llvm)(\w+)\(", bodies(module)[name])
        assert len(direct) == 1, (name, called)


def test_callables_compile_everywhere(check: Callable[..., None], side: tuple[str, ...]) -> None:
    check(HEADERS + CALLABLES + CHAINS, "-std=c++17", *side)
    check(HEADERS + CALLABLES + CHAINS, "-std=c++20", *side)


def constants(source: str, *options: str) -> dict[str, list[int]]:
    """What `told` is told by each function after optimization."""
    module = compiled(source, "-O2", *options)
    return {
        name: [
            int(number)
            for number in re.findall(
                r"@_Z4toldi\(i32 noundef (\d+)\)", bodies(module)[function(module, name)]
            )
        ]
        for name in ("aspects", "architectures")
    }


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("-fsycl", "-fsycl-host-only"),
        ("-D__SYCL_DEVICE_IF_MACROS__",),
        # The host's side sees the macros of the targets.
        ("-D__SYCL_TARGET_INTEL_X86_64__=1", "-D__SYCL_TARGET_INTEL_GPU_PVC__=1"),
    ],
)
def test_the_host_is_no_device(options: tuple[str, ...]) -> None:
    assert constants(CHAINS, *options) == {"aspects": [4], "architectures": [3]}


def told_by(target: Target) -> dict[str, list[int]]:
    """What the chains have to do, from what the target has."""
    has, architecture = target.has, default_table().architecture(target.name)
    clauses = [has("fp64"), all(map(has, ("fp16", "atomic64", "gpu"))), has("cpu"), True]
    places = [architecture == 20, architecture in (0, 2, 34), True]
    return {
        "aspects": [clauses.index(True) + 1],
        "architectures": [places.index(True) + 1],
    }


TARGETS = (
    *("intel_gpu_pvc", "intel_gpu_skl", "intel_gpu_acm_g10", "spir64_x86_64", "x86_64"),
    *("nvidia_gpu_sm_90", "nvidia_gpu_sm_50", "amd_gpu_gfx90a", "amd_gpu_gfx700"),
)


@pytest.mark.parametrize("name", TARGETS)
def test_macros_decide_for_one_target(name: str) -> None:
    target = default_table()[name]
    macros = architecture_macros([target]) | device_if_macros([target])
    words = [f"-D{macro}={value}" for macro, value in macros.items()]
    assert constants(CHAINS, "-fsycl", "-fsycl-device-only", *words) == told_by(target)


def test_targets_differ() -> None:
    told = [told_by(default_table()[name]) for name in TARGETS]
    assert {1, 2} <= set(itertools.chain.from_iterable(t["aspects"] for t in told))
    assert {1, 2, 3} == set(itertools.chain.from_iterable(t["architectures"] for t in told))


def test_macros_need_one_target() -> None:
    words = ("-fsycl", "-fsycl-device-only", "-D__SYCL_DEVICE_IF_MACROS__=1")
    uses = (
        "if_device_has<aspect::gpu>([] {});",
        "if_device_has<aspect::gpu>([] {}).else_if_device_has<aspect::cpu>([] {});",
        "if_architecture_is<architecture::x86_64>([] {}).otherwise([] {});",
        "if_architecture_is<architecture::x86_64>([] {})"
        ".else_if_architecture_is<architecture::intel_gpu_pvc>([] {}).otherwise([] {});",
        "if_device_has<aspect::gpu>([] {})"
        ".else_if_device_has<aspect::cpu>([] {}).otherwise([] {});",
    )
    text = refused("\n".join(["SYCL_EXTERNAL void f() {", *uses, "}"]), *words)
    # One error for each function, at its first use.
    wanted = (
        r"error: static assertion failed: The (\w+) function may only be used when AOT compiling"
        r" with '-fsycl-targets=spir64_x86_64' or '-fsycl-targets=intel_gpu_\*'; with"
        r" -fsycl-device-if=macros, every target has to be one device"
    )
    assert sorted(re.findall(wanted, text)) == ["if_architecture_is", "if_device_has"]
    assert text.count("error:") == 2
    first = HEADERS.count("\n") + 2
    for line in (first, first + 2):
        assert re.search(rf"<stdin>:{line}:\d+: note: in instantiation of function", text)
    compiled("", *words)  # who does not use them is not told


@pytest.mark.parametrize(
    "use",
    [
        "if_device_has<>([] {})",
        "if_architecture_is<>([] {})",
        "if_architecture_is<architecture::unknown>([] {})",
        "if_device_has<architecture::x86_64>([] {})",
        "if_device_has<aspect::gpu>([] {}).else_if_architecture_is<architecture::x86_64>([] {})",
        "if_device_has<aspect::gpu>([] {}).otherwise([] {}).otherwise([] {})",
        "if_device_has<aspect::gpu>([](int) {})",
    ],
)
def test_what_makes_no_sense_is_refused(use: str) -> None:
    refused(f"SYCL_EXTERNAL void f() {{ {use}; }}", *DEVICE)


def test_a_function_pointer_is_an_error_where_it_is_passed(tmp_path: Path) -> None:
    source = "inline void g() {}\nSYCL_EXTERNAL void f() {\n  if_device_has<aspect::gpu>(g);\n}"
    facts = tmp_path / "facts"
    plugin = (f"-fplugin={plugin_path()}", f"-fplugin-arg-dovetail-facts={facts}")
    command = [word for word in (*COMPILER, *DEVICE) if not word.startswith("-I")]
    done = subprocess.run(
        [*command, *plugin, "-isystem", INCLUDE, "-fsyntax-only"],
        input=HEADERS + source,
        capture_output=True,
        text=True,
    )
    line = HEADERS.count("\n") + 3
    assert done.returncode == 1
    assert done.stderr.startswith(f"<stdin>:{line}:3: error: the action of a conditional call")
    assert done.stderr.count("error:") == 1
