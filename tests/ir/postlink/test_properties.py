"""The property sets of images, byte for byte."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.errors import CompileError, FormatError
from dovetail.image import encode_info, format_property_sets, parse_property_sets, read_info
from dovetail.postlink import PostLinked, WantedProperties

Compile = Callable[..., None]
Run = Callable[..., int]
Split = Callable[..., PostLinked]

NOTHING = WantedProperties(
    kernel_names=False,
    exported_symbols=False,
    imported_symbols=False,
    program_metadata=False,
    device_globals=False,
)


def texts(program: PostLinked, wanted: WantedProperties = NOTHING) -> list[str]:
    return [
        format_property_sets(encode_info(image.info)).decode() for image in program.images(wanted)
    ]


def kernel(marks: str, nodes: str = "") -> str:
    return f"define spir_kernel void @k() {marks} {{ ret void }}\n{nodes}\n"


def test_no_requirements(split: Split) -> None:
    assert texts(split(kernel(""))) == ["[SYCL/device requirements]\naspects=2|AAAAAAAAAAA\n"]


def test_aspects(split: Split) -> None:
    text = kernel("!sycl_used_aspects !0", "!0 = !{i32 6, i32 1}")
    assert texts(split(text)) == [
        "[SYCL/device requirements]\n"
        "aspects=2|ABAAAAAAAAQAAAAAGAAAAA\n"
        "[SYCL/image-requirements]\n"
        "aspect=2|ABAAAAAAAAQAAAAAGAAAAA\n"
    ]


SIZES = WantedProperties(
    kernel_names=False, exported_symbols=False, imported_symbols=False, device_globals=False
)


def test_work_group_size_in_three_dimensions(split: Split) -> None:
    """`reqd_work_group_size(2, 3, 5)`: as written in one set, reversed in the others."""
    text = kernel(
        "!reqd_work_group_size !0 !work_group_num_dim !1",
        "!0 = !{i32 5, i32 3, i32 2}\n!1 = !{i32 3}",
    )
    assert texts(split(text), SIZES) == [
        "[SYCL/device requirements]\n"
        "aspects=2|AAAAAAAAAAA\n"
        "reqd_work_group_size_uint64_t=2|ADAAAAAAAAQBAAAAAAAAAMAAAAAAAAAACAAAAAAAAAA\n"
        "work_group_num_dim=1|3\n"
        "[SYCL/image-requirements]\n"
        "reqd_work_group_size=2|ACAAAAAAAAwAAAAACAAAAMAAAAQBAAAA\n"
        "[SYCL/program metadata]\n"
        "k@reqd_work_group_size=2|gBAAAAAAAAQBAAAADAAAAIAAAAA\n"
        "k@work_group_num_dim=1|3\n"
    ]


def test_work_group_size_in_one_dimension(split: Split) -> None:
    text = kernel(
        "!reqd_work_group_size !0 !work_group_num_dim !1",
        "!0 = !{i32 8, i32 1, i32 1}\n!1 = !{i32 1}",
    )
    assert texts(split(text), SIZES) == [
        "[SYCL/device requirements]\n"
        "aspects=2|AAAAAAAAAAA\n"
        "reqd_work_group_size_uint64_t=2|ADAAAAAAAAACAAAAAAAAAEAAAAAAAAAABAAAAAAAAAA\n"
        "work_group_num_dim=1|1\n"
        "[SYCL/image-requirements]\n"
        "reqd_work_group_size=2|ABAAAAAAAAQAAAAAIAAAAA\n"
        "[SYCL/program metadata]\n"
        "k@reqd_work_group_size=2|gBAAAAAAAAACAAAABAAAAEAAAAA\n"
        "k@work_group_num_dim=1|1\n"
    ]


def test_sub_group_size(split: Split) -> None:
    text = kernel("!intel_reqd_sub_group_size !0", "!0 = !{i32 16}")
    assert texts(split(text), SIZES) == [
        "[SYCL/device requirements]\n"
        "aspects=2|AAAAAAAAAAA\n"
        "reqd_sub_group_size=1|16\n"
        "[SYCL/image-requirements]\n"
        "reqd_sub_group_size=2|gAAAAAAAAAAEAAAA\n"
        "[SYCL/program metadata]\n"
        "k@reqd_sub_group_size=1|16\n"
    ]


def test_a_single_image_requires_no_size(split: Split) -> None:
    """But the sizes of its kernels are listed."""
    text = kernel("!intel_reqd_sub_group_size !0 !sycl_used_aspects !0", "!0 = !{i32 6}")
    assert texts(split(text, mode="none"), SIZES) == [
        "[SYCL/device requirements]\n"
        "aspects=2|gAAAAAAAAAgBAAAA\n"
        "[SYCL/image-requirements]\n"
        "aspect=2|gAAAAAAAAAgBAAAA\n"
        "[SYCL/program metadata]\n"
        "k@reqd_sub_group_size=1|6\n"
    ]


SYMBOLS = """
    define spir_kernel void @k1() #0 { call void @_Z6importv()
      call void @__spirv_ControlBarrier()
      call void @__devicelib_assert_fail()
      call void @_Z22__spirv_GroupBroadcastv()
      call void @llvm.assume(i1 true)
      call void @helper()
      ret void }
    define spir_kernel void @k2() #0 { ret void }
    define void @exported() #0 { ret void }
    define void @helper() { ret void }
    declare void @_Z6importv()
    declare void @not_needed()
    declare void @__spirv_ControlBarrier()
    declare void @__devicelib_assert_fail()
    declare void @_Z22__spirv_GroupBroadcastv()
    declare void @llvm.assume(i1)
    attributes #0 = { "sycl-module-id"="a.cpp" }
"""


def test_symbols(split: Split) -> None:
    """Kernels with different imports are in different images."""
    nothing = "[SYCL/device requirements]\naspects=2|AAAAAAAAAAA\n"
    assert texts(split(SYMBOLS), WantedProperties()) == [
        nothing + "[SYCL/kernel names]\nk1=1|1\n[SYCL/imported symbols]\n_Z6importv=1|1\n",
        nothing + "[SYCL/kernel names]\nk2=1|1\n[SYCL/exported symbols]\nexported=1|1\n",
    ]


def test_symbols_of_each_image(split: Split) -> None:
    k1, k2, exported = texts(split(SYMBOLS, mode="kernel"), WantedProperties())
    assert "[SYCL/kernel names]\nk1=1|1\n[SYCL/imported symbols]\n_Z6importv=1|1\n" in k1
    assert k2.endswith("[SYCL/kernel names]\nk2=1|1\n")
    assert exported.endswith("aspects=2|AAAAAAAAAAA\n[SYCL/exported symbols]\nexported=1|1\n")


GLOBALS = """
    @g = addrspace(1) global ptr addrspace(1) null #0
    @h = addrspace(1) global i64 0 #1
    @plain = addrspace(1) constant i32 3
    define spir_kernel void @k1() { %g = load ptr addrspace(1), ptr addrspace(1) @g
      ret void }
    define spir_kernel void @_Z2k2v() { call void @f()
      ret void }
    define void @f() { %h = load i64, ptr addrspace(1) @h
      %p = load i32, ptr addrspace(1) @plain
      ret void }
    attributes #0 = { "sycl-device-global-size"="4" "sycl-unique-id"="id of g" }
    attributes #1 = { "sycl-device-global-size"="8" "sycl-device-image-scope"="true" }
"""


def test_device_globals(split: Split) -> None:
    """Size and scope; one without an identifier has its name."""
    first, second = texts(split(GLOBALS, mode="kernel"), WantedProperties(kernel_names=False))
    requirements = "[SYCL/device requirements]\naspects=2|AAAAAAAAAAA\n"
    assert first == (
        f"{requirements}[SYCL/device globals]\n"
        "id of g=2|ABAAAAAAAAABAAAAAAAAAA\n"
        "[SYCL/program metadata]\n"
        "id of g@global_id_mapping=2|IAAAAAAAAAwZ\n"
    )
    assert second == (
        f"{requirements}[SYCL/device globals]\n"
        "h=2|ABAAAAAAAAACAAAABAAAAA\n"
        "[SYCL/program metadata]\n"
        "h@global_id_mapping=2|IAAAAAAAAAAa\n"
    )


def test_device_globals_keep_their_names(split: Split) -> None:
    linkages = [
        {variable.name: variable.linkage for variable in image.module.global_variables()}
        for image in split(GLOBALS, mode="kernel").images()
    ]
    assert linkages == [{"g": "external"}, {"h": "external", "plain": "internal"}]


# `k1` uses @h too, through the initial value of another variable.
SHARED = GLOBALS.replace("ptr addrspace(1) @g\n", "ptr addrspace(1) @table\n") + (
    "@table = addrspace(1) constant [1 x ptr addrspace(1)] [ptr addrspace(1) @h]\n"
)


def test_image_scope_in_two_images(split: Split) -> None:
    with pytest.raises(CompileError) as caught:
        split(SHARED, mode="kernel")
    assert caught.value.message == (
        "0.ll: error: device global 'h' has the property device_image_scope, but 'k1' and"
        " 'k2()', which both use it, are in different images"
    )
    assert "-split=off" in caught.value.hint
    assert len(split(SHARED, mode="auto").plans) == 1


def test_a_variable_shared_by_images(split: Split) -> None:
    everywhere = SHARED.replace('"sycl-device-image-scope"="true"', "")
    assert len(split(everywhere, mode="kernel").plans) == 2
    said_so = SHARED.replace(
        '"sycl-device-image-scope"="true"', '"sycl-device-image-scope"="false"'
    )
    assert len(split(said_so, mode="kernel").plans) == 2


def test_two_variables_of_one_identifier(split: Split) -> None:
    both = GLOBALS.replace('"8"', '"8" "sycl-unique-id"="id of g"')
    with pytest.raises(FormatError, match="two device globals have this identifier"):
        texts(split(both), WantedProperties())


@pytest.mark.parametrize(
    ("levels", "line"),
    [
        (["2", "2"], "[SYCL/misc properties]\noptLevel=1|2\n"),
        (["0"], "[SYCL/misc properties]\noptLevel=1|0\n"),
        (["0", "3"], ""),
        (["s"], ""),
    ],
)
def test_optimisation_level(split: Split, levels: list[str], line: str) -> None:
    lines = [
        f'define spir_kernel void @k{n}() "sycl-optlevel"="{level}" {{ ret void }}'
        for n, level in enumerate(levels)
    ]
    (text,) = texts(split("\n".join(lines), mode="none"))
    assert text == f"[SYCL/device requirements]\naspects=2|AAAAAAAAAAA\n{line}"


CALLER = """\
EXTERNAL float f(float x);
static void helper(float *p) { *p = f(*p); }
void go(float *p) {
  start<class K>([=] [[sycl::device_has(aspect::cpu, aspect::fp64)]] {
    helper(p);
  });
  start<class L>([=] { *p = 1; });
}
"""
CALLEE = "EXTERNAL float f(float x) { return x * 2.0; }\n"


def test_where_aspects_are_used(compile_source: Compile, post_link: Run, folder: Path) -> None:
    compile_source("a", CALLER)
    compile_source("b", CALLEE)
    assert post_link("-split=auto", "-properties", "a.bc", "b.bc", "-o", "t") == 0
    first, second, third = (
        parse_property_sets((folder / f"t_{number}.prop").read_bytes()) for number in range(3)
    )
    (text,) = first["Dovetail/aspect uses"].values()
    assert isinstance(text, bytes)
    assert json.loads(text) == {
        "cpu": {
            "what": "listed by attribute 'device_has'",
            "place": ["a.cpp", 5, 24],
            "calls": [],
        },
        "fp64": {
            "what": "implicit conversion to 'double'",
            "place": ["b.cpp", 2, 52],
            "calls": [
                {"caller": "K", "callee": "helper", "place": ["a.cpp", 6, 5]},
                {"caller": "helper", "callee": "f", "place": ["a.cpp", 3, 37]},
            ],
        },
    }
    assert text.startswith(b'{"cpu":{"what":"listed by'), "without spaces, by number"
    assert "Dovetail/aspect uses" not in second, "L uses nothing"
    (uses,) = read_info(third).aspect_uses.values()
    assert (uses["fp64"].place.file, uses["fp64"].calls) == ("b.cpp", ())


def test_uses_are_listed_only_of_required_aspects(
    compile_source: Compile, post_link: Run, folder: Path
) -> None:
    compile_source("b", CALLEE, "optimized")
    assert post_link("-split=auto", "-properties", "b.bc", "-o", "t") == 0
    assert "Dovetail/aspect uses" not in (folder / "t_0.prop").read_text()


def test_a_single_image_lists_uses_of_each_kernel(
    compile_source: Compile, post_link: Run, folder: Path
) -> None:
    compile_source("a", CALLER)
    assert post_link("-properties", "a.bc", "-o", "t") == 0
    sets = parse_property_sets((folder / "t_0.prop").read_bytes())
    (symbol,) = read_info(sets).aspect_uses
    assert symbol.endswith("1K")
    assert len(sets["Dovetail/kernels"]) == 2
