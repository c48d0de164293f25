"""Random kernels are deterministic, complete, and cover every construct."""

from differential.campaign import build_configs
from differential.generation import random_kernel, random_kernels
from differential.sources import (
    device_source,
    kernel_text,
    program_source,
    reference_source,
    standalone_source,
)
from differential.walking import is_closed

_CONSTRUCTS = (
    "bool i8 i16 i32 i64 u8 u16 u32 u64 half float double "
    "arithmetic bitwise comparison select shift division guarded-division floating-division "
    "absolute absolute-difference add-saturated subtract-saturated bounded count-ones funnel-shift "
    "greatest-common-divisor larger smaller leading-zeros trailing-zeros multiply-high "
    "reverse-bits rotate swap-bytes "
    "assignment declaration if switch loop for while do jump break continue "
    "array array-in-struct vector vector-parameter "
    "struct nested-struct small-struct struct-with-pointer struct-result "
    "struct-by-value struct-by-reference struct-by-pointer "
    "call changing-call inline noinline pointer-parameter pointer-select "
    "division-under-guard byte-comparison byte-copy byte-read strided-load "
    "atomic barrier barrier-in-loop range "
)


def test_a_seed_always_generates_the_same_kernels() -> None:
    assert random_kernels(3, range(30)) == random_kernels(3, range(30))
    assert random_kernel(3, 7) == random_kernels(3, range(5, 10))[2]
    assert random_kernel(3, 7) != random_kernel(4, 7)


def test_every_construct_occurs() -> None:
    found = {name for kernel in random_kernels(1, range(300)) for name in kernel.constructs}
    assert found == {*_CONSTRUCTS.split()}


def test_constructs_can_be_excluded() -> None:
    without = frozenset({"half", "reverse-bits", "barrier", "struct", "vector"})
    for kernel in random_kernels(1, range(100), without):
        text = kernel_text(kernel)
        assert not any(
            word in text for word in ("half", "reverse_bits", "barrier", "struct", "Vec<")
        )


def test_every_name_in_a_kernel_is_declared() -> None:
    assert all(is_closed(kernel) for kernel in random_kernels(2, range(200)))


def test_every_source_has_all_kernels() -> None:
    kernels = random_kernels(1, range(5))
    for source, name in (
        (device_source(kernels), "void kernel_{}("),
        (reference_source(kernels), "static void reference_{}("),
        (program_source(kernels), "static void launch_{}("),
    ):
        assert all(name.format(kernel.number) in source for kernel in kernels)
    assert "reference_0(in" not in device_source(kernels)
    standalone = standalone_source(kernels[0], comment="wrong\nin two lines")
    assert standalone.startswith("// wrong\n// in two lines\n#include <sycl/sycl.hpp>\n")


def test_configurations_alternate() -> None:
    configs = [each for source in range(16) for each in build_configs(source, (0, 1, 2, 3))]
    for name in ("design", "clang_vectors", "lambdas", "vectorizer"):
        for level in range(4):
            assert len({getattr(each, name) for each in configs if each.level == level}) == 2
