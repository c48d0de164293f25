"""`any_device_has` and `all_devices_have`, for every aspect, as clang evaluates them.

What is expected follows from the entries' fields rather than from `Target.verdict`, which made the
macros; for some aspects it is written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from dovetail.targets import Target, default_table
from dovetail.targets.aspects import aspect_names, aspect_number, deprecated_aspects
from dovetail.targets.macros import trait_macros
from dovetail.targets.user_file import read_user_files

HEADER = "#include <sycl/device_aspect_traits.hpp>\n#include <type_traits>"

USER_FILE = """
complete:
  aspects: [gpu, fp16, atomic64]
  may_support_other_aspects: false
"""


@dataclass(frozen=True)
class Case:
    """A list of targets, and some of the aspects that all have and that none has."""

    names: tuple[str, ...]
    all_have: tuple[str, ...] = ()
    none_has: tuple[str, ...] = ()
    some_have: tuple[str, ...] = ()
    """One of them has it or may; not all are known to."""


CASES = {
    "none": Case((), some_have=("cpu", "gpu", "fp16", "fp64", "int64_base_atomics")),
    "spir64": Case(("spir64",), some_have=("cpu", "gpu", "fp16", "fp64", "emulated")),
    "pvc": Case(
        ("intel_gpu_pvc",),
        all_have=("gpu", "fp16", "fp64", "atomic64", "int64_base_atomics"),
        none_has=("cpu", "accelerator"),
        some_have=("image", "usm_system_allocator"),
    ),
    "acm": Case(
        ("intel_gpu_acm_g10",),
        all_have=("gpu", "fp16"),
        none_has=("cpu", "fp64"),
        some_have=("image",),
    ),
    "pvc and acm": Case(
        ("intel_gpu_pvc", "intel_gpu_acm_g10"),
        all_have=("gpu", "fp16"),
        none_has=("cpu",),
        some_have=("fp64", "image"),
    ),
    "pvc and spir64": Case(("intel_gpu_pvc", "spir64"), some_have=("cpu", "gpu", "fp16", "fp64")),
    "sm_50 and gfx700": Case(
        ("nvidia_gpu_sm_50", "amd_gpu_gfx700"),
        all_have=("gpu", "fp64", "queue_profiling"),
        none_has=("cpu", "fp16"),
        some_have=("atomic64", "ext_oneapi_graph", "int64_extended_atomics"),
    ),
    "complete": Case(
        ("complete",),
        all_have=("gpu", "fp16", "atomic64", "int64_base_atomics", "int64_extended_atomics"),
        none_has=("cpu", "fp64", "image", "host", "ext_oneapi_ipc_event"),
    ),
    "complete and acm": Case(
        ("complete", "intel_gpu_acm_g10"),
        all_have=("gpu", "fp16", "atomic64"),
        none_has=("cpu", "fp64"),
        some_have=("image",),
    ),
}


@pytest.fixture
def targets(case: Case, tmp_path: Path) -> list[Target]:
    file = tmp_path / "targets.yaml"
    file.write_text(USER_FILE)
    table, warnings, _ = read_user_files([file], default_table())
    assert warnings == ()
    return [table[name] for name in case.names]


def words(targets: Sequence[Target]) -> list[str]:
    return [f"-D{name}={value}" for name, value in trait_macros(targets).items()]


def assertion(aspect: str, has_any: bool, have_all: bool) -> str:
    name = f"sycl::aspect::{aspect}"
    return (
        f"static_assert(sycl::any_device_has_v<{name}> == {int(has_any)});"
        f"static_assert(sycl::all_devices_have_v<{name}> == {int(have_all)});"
    )


def by_hand(case: Case) -> list[str]:
    return [
        *(assertion(aspect, True, True) for aspect in case.all_have),
        *(assertion(aspect, False, False) for aspect in case.none_has),
        *(assertion(aspect, True, False) for aspect in case.some_have),
    ]


def computed(targets: Sequence[Target]) -> list[str]:
    """Each aspect, from what the entries list."""
    lines: list[str] = []
    for aspect in [*aspect_names(), *deprecated_aspects()]:
        # A device with what replaced a deprecated aspect has that one too.
        spellings = {aspect, deprecated_aspects().get(aspect, aspect)}
        having = [target for target in targets if spellings & set(target.aspects)]
        maybe = [
            target
            for target in targets
            if target.may_support_other_aspects and aspect not in target.absent_aspects
        ]
        any_device = not targets or bool(having or maybe)
        lines.append(assertion(aspect, any_device, bool(targets) and len(having) == len(targets)))
    return lines


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_aspect(
    check: Callable[..., None],
    side: tuple[str, ...],
    case: Case,
    targets: Sequence[Target],
) -> None:
    source = "\n".join([HEADER, *by_hand(case), *computed(targets)])
    check(source, *side, "-std=c++17", "-Wno-deprecated-declarations", *words(targets))


def test_what_is_no_aspect_is_on_no_device(check: Callable[..., None]) -> None:
    last = max(map(aspect_number, aspect_names()))
    lines = [
        HEADER,
        f"static_assert(sycl::any_device_has_v<sycl::aspect({last})>);",
        *(
            f"static_assert(!sycl::any_device_has_v<sycl::aspect({number})>);"
            f"static_assert(!sycl::all_devices_have_v<sycl::aspect({number})>);"
            for number in (-1, last + 1, 12345)
        ),
    ]
    check("\n".join(lines), "-std=c++17")


def test_traits_are_types(check: Callable[..., None]) -> None:
    source = f"""{HEADER}
        using sycl::aspect;
        static_assert(std::is_base_of_v<std::true_type, sycl::any_device_has<aspect::fp64>>);
        static_assert(std::is_base_of_v<std::false_type, sycl::all_devices_have<aspect::fp64>>);
        static_assert(sycl::any_device_has<aspect::fp64>::value);
        static_assert(sycl::any_device_has<aspect::fp64>{{}});
        static_assert(!sycl::all_devices_have<aspect::fp64>());
        template <bool Wide> struct number {{ using type = float; }};
        template <> struct number<true> {{ using type = double; }};
        number<sycl::all_devices_have_v<aspect::fp64>>::type value = 1.f;
        """
    check(source, "-std=c++20")
