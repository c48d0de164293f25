"""Each header compiles on its own, twice included, without a warning; none costs much."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from variants import one_in

INCLUDE = Path(__file__).parents[3] / "include"
HEADERS = sorted(path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.hpp"))
FILES = sorted(path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.*"))

# The bodies of the host's classes; the device's compilation never sees them.
BODIES = [name for name in HEADERS if name.startswith("sycl/detail/host/") and "math" not in name]

# What dovetail itself writes into a library includes it; no program does.
FOR_LIBRARIES = "sycl/detail/host/code_registration.hpp"

# Of the name that the header of SYCL 1.2.1 had; it includes the one of today, and warns.
LEGACY = "CL/sycl.hpp"

# Those that the host sees with other eyes; that the rest compiles there shows when
# the sources beside this file include everything.
TWO_SIDED = [name for name in HEADERS if "__SYCL_DEVICE_ONLY__" in (INCLUDE / name).read_text()]

# What kernels use takes no more than these, each of which costs a few hundredths of a second.
LIGHT = {"cstddef", "cstdint", "limits", "new", "type_traits"}
FOR_KERNELS = [
    "sycl/atomic_ref.hpp",
    "sycl/builtins.hpp",
    "sycl/detail/kernel_entry.hpp",
    "sycl/ext/oneapi/experimental/device_architecture.hpp",
    "sycl/ext/oneapi/experimental/device_if.hpp",
    "sycl/ext/oneapi/group_local_memory.hpp",
    "sycl/ext/oneapi/this_work_item.hpp",
    "sycl/half.hpp",
    "sycl/nd_item.hpp",
    "sycl/vec.hpp",
]

# The host's classes also show these in their interfaces. Streams and clocks are not among them:
# they are what makes a standard header heavy. A mutex is, since property use_mutex takes one.
FOR_HOST = {
    "array",
    "atomic",
    "exception",
    "functional",
    "iterator",
    "memory",
    "mutex",
    "optional",
    "string",
    "system_error",
    "tuple",
    "utility",
    "variant",
    "vector",
}
FOR_BODIES = {
    *("algorithm", "cstdio", "cstdlib", "cstring", "initializer_list", "unistd.h"),
    # Of the formatting of streams; standard_headers.hpp includes them for every program.
    *("ios", "locale", "sstream", "unordered_map"),
}

# Where the names that the headers use come from. The test that a header stands alone reads the
# standard library precompiled, and so cannot tell.
NAMES = {
    "algorithm": r"std::(find|copy_n|min)\b",
    "atomic": r"std::atomic\b",
    "cstddef": r"std::(size_t|ptrdiff_t|nullptr_t)\b",
    "cstdint": r"std::u?int(8|16|32|64|ptr)_t\b",
    "cstdio": r"std::(fprintf|sscanf)\b",
    "cstdlib": r"std::getenv\b",
    "cstring": r"std::memcpy\b",
    "exception": r"std::(exception|exception_ptr|rethrow_exception|terminate)\b",
    "functional": r"std::(function|hash|cref)\b",
    "iterator": r"std::(reverse_iterator|iterator_traits|\w+_iterator_tag)\b",
    "limits": r"std::numeric_limits\b",
    "memory": r"std::(shared_ptr|unique_ptr|weak_ptr|make_shared|make_unique|allocator)\b",
    "mutex": r"std::(mutex|lock_guard|unique_lock)\b",
    "string": r"std::string\b",
    "system_error": r"std::error_(code|category)\b",
    "type_traits": r"std::(is_\w+|enable_if_t|conditional_t|remove_\w+|true_type|common_type_t)\b",
    "utility": r"std::(move|forward|swap|declval)\b",
    "vector": r"std::vector\b",
}


@pytest.mark.parametrize(
    "header", one_in(3, [name for name in HEADERS if name not in (*BODIES, LEGACY)])
)
def test_header_stands_alone(check_with_standard: Callable[..., None], header: str) -> None:
    check_with_standard(f"#include <{header}>\n" * 2, "device")


@pytest.mark.parametrize("header", one_in(3, sorted({*TWO_SIDED, *BODIES})))
def test_header_stands_alone_on_the_host(
    check_with_standard: Callable[..., None], header: str
) -> None:
    check_with_standard(f"#include <{header}>\n" * 2, "host")


@pytest.mark.parametrize("header", FILES)
def test_standard_names_come_from_their_headers(header: str) -> None:
    text = re.sub(r"//.*", "", (INCLUDE / header).read_text())
    included = set(_included(INCLUDE / header))
    missing = {name for name, use in NAMES.items() if re.search(use, text)} - included
    assert missing == set()


@pytest.mark.parametrize("header", FOR_KERNELS)
def test_kernels_need_only_light_headers(header: str) -> None:
    assert {name for name in _reached(header) if not name.startswith("sycl/")} <= LIGHT


def test_no_other_standard_headers() -> None:
    bodies = {name for header in BODIES for name in _included(INCLUDE / header)}
    headers = set(FILES) - set(BODIES) - {"sycl/detail/standard_headers.hpp"}
    others = {name for header in headers for name in _included(INCLUDE / header)}
    assert {name for name in others if not name.startswith("sycl/")} <= LIGHT | FOR_HOST
    assert {name for name in bodies if not name.startswith("sycl/")} <= (
        LIGHT | FOR_HOST | FOR_BODIES
    )


def test_bodies_come_last() -> None:
    # No class's header includes a body, or the bodies would need each other in a circle.
    for header in set(FILES) - set(BODIES) - {"sycl/detail/precompiled.hpp"}:
        assert not set(_included(INCLUDE / header)) & set(BODIES), header


def test_sycl_hpp_includes_every_public_header() -> None:
    assert set(HEADERS) - _reached("sycl/sycl.hpp") == {"sycl/sycl.hpp", LEGACY, FOR_LIBRARIES}


def test_what_is_precompiled_fits_every_list_of_targets() -> None:
    # A precompiled header is shared by all lists; what a macro says of one must stay out of it.
    others = {
        "sycl/sycl.hpp",
        "sycl/detail/compiled_target.hpp",
        "sycl/detail/device_if.hpp",
        "sycl/detail/precompiled.hpp",
        "sycl/device_aspect_traits.hpp",
        "sycl/ext/oneapi/experimental/device_architecture.hpp",
        "sycl/ext/oneapi/experimental/device_if.hpp",
    }
    assert set(HEADERS) - _reached("sycl/detail/precompiled.hpp") == {
        *others,
        LEGACY,
        FOR_LIBRARIES,
    }
    for header in set(HEADERS) - others:
        text = (INCLUDE / header).read_text()
        assert set(re.findall(r"\b__SYCL_\w+__\b", text)) <= {"__SYCL_DEVICE_ONLY__"}, header


def test_macros_do_not_leak(preprocess: Callable[..., str]) -> None:
    macros = preprocess("#include <sycl/sycl.hpp>\n", "-fsycl", "-fsycl-device-only", "-dM")
    ours = set(re.findall(r"#define (DOVETAIL_\w+)", macros))
    assert ours == {
        "DOVETAIL_DEPRECATED",
        "DOVETAIL_DEPRECATION_WARNINGS",
        "DOVETAIL_DEVICE_GLOBAL",
        "DOVETAIL_FAST_MATH",
        "DOVETAIL_FUNCTION_PROPERTIES",
        "DOVETAIL_KERNEL_ARGUMENT",
        "DOVETAIL_KERNEL_PARAMETER_PROPERTIES",
        "DOVETAIL_MATH",
        "DOVETAIL_MEMBER_PROPERTIES",
        "DOVETAIL_NAMES_AND_VALUES",
        "DOVETAIL_QUESTION",
    }


def test_version_macros_are_those_of_dpcpp(check: Callable[..., None]) -> None:
    check(
        "#include <sycl/sycl.hpp>\n"
        "#if __LIBSYCL_MAJOR_VERSION * 10000 + __LIBSYCL_MINOR_VERSION * 100"
        " + __LIBSYCL_PATCH_VERSION < 90000 || __LIBSYCL_TIMESTAMP < 20260101\n"
        "#error an old version\n#endif\n"
        '#pragma clang diagnostic ignored "-W#pragma-messages"\n'
        "#if __SYCL_COMPILER_VERSION < 20260101\n#error an old compiler\n#endif\n",
        "-fsycl",
    )


def test_unused_headers_emit_nothing(device_ir: Callable[..., str]) -> None:
    module = device_ir("#include <sycl/sycl.hpp>\n")
    assert "define" not in module
    assert "declare" not in module


def _included(path: Path) -> list[str]:
    return re.findall(r"^#include <(.+)>", path.read_text(), re.MULTILINE)


def _reached(header: str) -> set[str]:
    """All that a header includes, and what that includes of ours."""
    seen: set[str] = set()
    pending = [header]
    while pending:
        for name in _included(INCLUDE / pending.pop()):
            if name not in seen:
                seen.add(name)
                if name.startswith("sycl/"):
                    pending.append(name)
    return seen
