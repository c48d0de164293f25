"""Which entry points share an image, and what is in it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.image import Requirements, encode_info
from dovetail.postlink import PostLinked, WantedProperties

Capture = pytest.CaptureFixture[str]
Run = Callable[..., int]
Split = Callable[..., PostLinked]

# What may stand behind a kernel's parameters.
METADATA = """
!0 = !{i32 5}
!1 = !{i32 6}
!2 = !{i32 5, i32 6}
!3 = !{i32 8, i32 1, i32 1}
!4 = !{i32 8, i32 4, i32 1}
!5 = !{i32 8, i32 4, i32 1}
!11 = !{i32 1}
!12 = !{i32 2}
!13 = !{i32 3}
!16 = !{i32 16}
!32 = !{i32 32}
attributes #0 = { "sycl-optlevel"="0" }
attributes #1 = { "sycl-optlevel"="1" }
"""


def kernels(**marks: str) -> str:
    """Return a kernel for each attribute or metadata."""
    lines = [
        f"define spir_kernel void @{name}() {mark} {{ ret void }}" for name, mark in marks.items()
    ]
    return "\n".join([*lines, METADATA])


def groups(program: PostLinked) -> list[list[str]]:
    return [plan.symbols for plan in program.plans]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("", "!sycl_used_aspects !0"),
        ("!sycl_used_aspects !0", "!sycl_used_aspects !1"),
        ("!sycl_used_aspects !0", "!sycl_used_aspects !2"),
        ("!sycl_used_aspects !0", "!sycl_declared_aspects !1"),
        ("", "!intel_reqd_sub_group_size !16"),
        ("!intel_reqd_sub_group_size !16", "!intel_reqd_sub_group_size !32"),
        ("", "!reqd_work_group_size !3"),
        ("!reqd_work_group_size !3", "!reqd_work_group_size !4"),
        # The same numbers in another count of dimensions.
        (
            "!reqd_work_group_size !3 !work_group_num_dim !11",
            "!reqd_work_group_size !3 !work_group_num_dim !12",
        ),
        (
            "!reqd_work_group_size !4 !work_group_num_dim !12",
            "!reqd_work_group_size !4 !work_group_num_dim !13",
        ),
    ],
)
@pytest.mark.parametrize("mode", ["auto", "source", "off"])
def test_differences_that_split_kernels(split: Split, mode: str, one: str, other: str) -> None:
    text = kernels(a=one, b=other, c=one, d=other)
    assert groups(split(text, mode=mode)) == [["a", "c"], ["b", "d"]]


@pytest.mark.parametrize(("one", "other"), [("#0", "#1"), ("", "#0")])
@pytest.mark.parametrize("mode", ["auto", "source", "off"])
def test_levels_of_optimization(split: Split, mode: str, one: str, other: str) -> None:
    apart = [["a", "c"], ["b", "d"]]
    text = kernels(a=one, b=other, c=one, d=other)
    assert groups(split(text, mode=mode)) == (apart if mode != "off" else [["a", "b", "c", "d"]])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("!sycl_used_aspects !2", "!sycl_used_aspects !0 !sycl_declared_aspects !1"),
        ("!reqd_work_group_size !4", "!reqd_work_group_size !5"),
        ("!reqd_work_group_size !3", "!reqd_work_group_size !3 !work_group_num_dim !13"),
        ("!work_group_size_hint !3", ""),
    ],
)
def test_differences_that_do_not_split_kernels(split: Split, one: str, other: str) -> None:
    assert groups(split(kernels(a=one, b=other))) == [["a", "b"]]


MANY = kernels(
    a="!sycl_used_aspects !0",
    b="!sycl_used_aspects !1 !intel_reqd_sub_group_size !16",
    c="#0 !sycl_used_aspects !0 !reqd_work_group_size !3 !work_group_num_dim !11",
    d="#1",
)


def test_one_image_with_mode_none(split: Split) -> None:
    (plan,) = split(MANY, mode="none").plans
    assert plan.symbols == ["a", "b", "c", "d"]
    assert plan.requirements == Requirements((5, 6))
    assert plan.optimization is None


def test_one_kernel_per_image(split: Split) -> None:
    program = split(kernels(a="", b="", c=""), mode="kernel")
    assert groups(program) == [["a"], ["b"], ["c"]]


@pytest.mark.parametrize("mode", ["auto", "source"])
def test_sources_are_split(split: Split, mode: str) -> None:
    """By the attribute that names them, else by input."""
    first = """
        define spir_kernel void @a() #0 { ret void }
        define spir_kernel void @b() #1 { ret void }
        define spir_kernel void @c() { ret void }
        define spir_kernel void @d() #0 { ret void }
        attributes #0 = { "sycl-module-id"="x.cpp" }
        attributes #1 = { "sycl-module-id"="y.cpp" }
    """
    second = """
        define spir_kernel void @e() #0 { ret void }
        define spir_kernel void @f() { ret void }
        attributes #0 = { "sycl-module-id"="y.cpp" }
    """
    found = groups(split(first, second, mode=mode))
    assert found == [["a", "d"], ["b", "e"], ["c"], ["f"]]
    assert groups(split(first, second, mode="off")) == [["a", "b", "c", "d", "e", "f"]]


POINTER = "define void @any(ptr %f) { call void %f()\n ret void }\n"


def test_indirect_calls_keep_sources_together(split: Split) -> None:
    texts = [kernels(a="", b="!sycl_used_aspects !0"), kernels(c="", d="!sycl_used_aspects !0")]
    apart = [["a"], ["b"], ["c"], ["d"]]
    assert groups(split(*texts, mode="auto")) == apart
    texts[1] += POINTER
    # All together first, then by requirements; and only where nothing else was asked for.
    assert groups(split(*texts, mode="auto")) == [["a", "c"], ["b", "d"]]
    assert groups(split(*texts, mode="source")) == apart


def test_inline_assembly_is_not_an_indirect_call(split: Split) -> None:
    assembly = 'define void @asm() { call void asm "nop", ""()\n ret void }\n'
    texts = [kernels(a=""), kernels(b="") + assembly]
    assert groups(split(*texts)) == [["a"], ["b"]]


EXPORTED = """
    define spir_kernel void @k() #0 {
      call void @f()
      ret void
    }
    define void @f() #0 { ret void }
    define void @g() #0 !sycl_used_aspects !0 { ret void }
    define void @h() { ret void }
    declare void @elsewhere() #0
    attributes #0 = { "sycl-module-id"="a.cpp" }
    !0 = !{i32 6}
"""


def test_exported_functions_are_entry_points(split: Split) -> None:
    program = split(EXPORTED)
    assert groups(program) == [["k", "f"], ["g"]]
    images = list(program.images())
    assert [image.entry_points for image in images] == [("k", "f"), ("g",)]
    linkages = [{f.name: f.linkage for f in image.module.functions()} for image in images]
    assert linkages == [{"k": "external", "f": "external"}, {"g": "external"}]


def test_exported_functions_with_only_kernels_as_entry_points(split: Split) -> None:
    (image,) = split(EXPORTED, only_kernels=True).images()
    linkages = {f.name: f.linkage for f in image.module.functions()}
    assert linkages == {"k": "external", "f": "internal"}


def test_sizes_of_functions_that_are_not_kernels_are_ignored(split: Split) -> None:
    sized = EXPORTED.replace("@g() #0", "@g() #0 !reqd_work_group_size !1")
    program = split(sized + "!1 = !{i32 8, i32 1, i32 1}\n")
    assert program.plans[1].requirements == Requirements((6,))


@pytest.mark.parametrize("linkage", ["linkonce_odr", "linkonce", "weak_odr"])
def test_inline_functions_are_exported_from_any_input(split: Split, linkage: str) -> None:
    text = f"""
        define {linkage} void @f() #0 {{ ret void }}
        attributes #0 = {{ "sycl-module-id"="h.hpp" }}
    """
    program = split("define spir_kernel void @k() { ret void }\n", text, text)
    assert groups(program) == [["k"], ["f"]]
    *_, image = program.images()
    assert [f.linkage for f in image.module.functions()] == ["linkonce_odr"]


@pytest.mark.parametrize("convention", ["spir_kernel", "ptx_kernel", "amdgpu_kernel"])
def test_kernels_of_every_family(split: Split, convention: str) -> None:
    text = f"define {convention} void @k() {{ ret void }}\ndefine void @f() {{ ret void }}\n"
    assert groups(split(text)) == [["k"]]


def test_targets_of_indirect_calls_are_in_the_image(split: Split) -> None:
    """The function that takes the address need not be the caller."""
    program = split("""
        define spir_kernel void @caller(ptr %f) { call void %f(i32 1)
          ret void }
        define spir_kernel void @taker(ptr %out) !intel_reqd_sub_group_size !0 {
          store ptr @target, ptr %out
          store ptr @of_another_type, ptr %out
          ret void
        }
        define void @target(i32 %x) { call void @behind()
          ret void }
        define void @behind() { ret void }
        define void @of_another_type(i64 %x) { ret void }
        define void @not_taken(i32 %x) { ret void }
        !0 = !{i32 16}
    """)
    caller, taker = (
        {f.name: f.linkage for f in image.module.functions()} for image in program.images()
    )
    assert caller == {"caller": "external", "target": "internal", "behind": "internal"}
    assert taker == {
        "taker": "external",
        "target": "internal",
        "behind": "internal",
        "of_another_type": "internal",
    }


def test_images_verify(split: Split) -> None:
    program = split(MANY + POINTER, EXPORTED.replace("@k", "@k2"), mode="kernel")
    assert len(groups(program)) == 7
    for image in program.images():
        image.module.verify()


def test_two_runs_give_the_same_bytes(split: Split) -> None:
    def run() -> list[tuple[bytes, object]]:
        images = split(MANY + POINTER, EXPORTED.replace("@k", "@k2")).images(WantedProperties())
        return [(image.module.to_bitcode(), encode_info(image.info)) for image in images]

    assert run() == run()


def test_two_processes_give_the_same_bytes(post_link: Run, folder: Path) -> None:
    texts = {"a": MANY + POINTER, "b": EXPORTED.replace("@k", "@k2")}
    words = ["-split=auto", "-properties", "-symbols", "-emit-kernel-names", "-o", "t"]
    assert post_link(*words, "a.ll", "b.ll", **texts) == 0
    ours = {path.name: path.read_bytes() for path in folder.glob("t*")}
    assert len(ours) == 1 + 3 * 6
    for seed in ("1", "2"):
        for name in ours:
            (folder / name).unlink()
        subprocess.run(
            [sys.executable, "-m", "dovetail", "post-link", *words, "a.ll", "b.ll"],
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
        )
        assert {path.name: path.read_bytes() for path in folder.glob("t*")} == ours
