"""Images shared by different devices: grouping, presence conditions, and properties."""

from collections.abc import Callable, Iterable
from pathlib import Path
from struct import pack

import pytest
from conditional_ir import CPU, FP16, FP64, function, kernel, plain, text, unless, when
from expression_values import values_of
from hypothesis import given, strategies as st

from dovetail.artifacts import ConditionalCode, DeviceImage
from dovetail.assertion_record import LLVM_TYPE, VARIABLE
from dovetail.conditions import ASPECT, NOT, Condition
from dovetail.errors import CompileError
from dovetail.image import (
    ActionCall,
    Constants,
    Requirements,
    constants_of,
    encode_info,
    read_info,
)
from dovetail.ir import CallGraph
from dovetail.postlink import PostLinked
from dovetail.spirv.expressions import TRUE, Expressions
from dovetail.spirv.opcodes import LOGICAL_AND, LOGICAL_NOT

Split = Callable[..., PostLinked]

FIRST = 1 << 31
MARKS = """
!7 = !{i32 8, i32 1, i32 1}
!8 = !{i32 16}
!9 = !{i32 2}
!10 = !{i32 5, i32 6}
attributes #1 = { "sycl-module-id"="a.cpp" }
attributes #2 = { "sycl-optlevel"="0" }
"""
USES_FP16, USES_FP64, USES_BOTH = (f"!sycl_used_aspects !{n}" for n in (5, 6, 10))
SIZED = "!reqd_work_group_size !7 !work_group_num_dim !9"
GROUPED = "!intel_reqd_sub_group_size !8"
NAMES = {CPU: "cpu", FP16: "fp16", FP64: "fp64"}


def images(split: Split, *functions: str, mode: str = "auto") -> list[DeviceImage]:
    program = split(text(*functions) + MARKS, mode=mode, features="conditional")
    made = list(program.images())
    assert len(made) == program.image_count
    for image in made:
        image.module.verify()
        assert image.info.add_on is None
        if image.conditional:
            assert constants_of(image.info) == image.conditional.constants
    return made


def image_of(split: Split, *functions: str, mode: str = "auto") -> DeviceImage:
    (image,) = images(split, *functions, mode=mode)
    return image


def code_of(split: Split, *functions: str) -> ConditionalCode:
    code = image_of(split, *functions).conditional
    assert code
    return code


def words(code: ConditionalCode, expression: int) -> str:
    """An expression in words: what is required by its name, what is asked with a question mark."""
    names = {
        **{i: each_name(each) for i, each in code.constants.required.items()},
        **{i: NAMES[leaf[1]] + "?" for i, leaf in code.constants.asked.items()},
    }
    operation, operands = code.expressions.nodes[expression]
    if not operation:
        return names[operands[0]]
    parts = [words(code, operand) for operand in operands]
    if operation == LOGICAL_NOT:
        return f"not {parts[0]}"
    between = " and " if operation == LOGICAL_AND else " or "
    return f"({between.join(parts)})"


def each_name(single: Requirements) -> str:
    if single.aspects:
        return NAMES[single.aspects[0]]
    return f"work-group {single.work_group_size}" if single.work_group_size else "sub-group"


def conditions(code: ConditionalCode) -> dict[str, str]:
    return {symbol: words(code, each) for symbol, each in code.functions.items()}


def calls(code: ConditionalCode) -> dict[str, str]:
    return {symbol: words(code, each) for symbol, each in code.calls.items()}


# Who shares an image.

MANY = (
    kernel("k", marks=USES_FP16),
    kernel("l", marks=USES_BOTH),
    kernel("m", marks=f"{USES_FP16} {GROUPED}"),
    kernel("n", marks=f"{USES_FP16} {SIZED}"),
)


def test_requirements_do_not_split_images(split: Split) -> None:
    image = image_of(split, *MANY)
    assert image.entry_points == ("k", "l", "m", "n")
    assert image.info.requirements == Requirements((FP16,))


@pytest.mark.parametrize("marks", [SIZED, GROUPED])
def test_common_sizes_are_required_by_the_image(split: Split, marks: str) -> None:
    image = image_of(split, kernel("k", marks=marks), kernel("l", marks=f"{marks} {USES_FP16}"))
    sizes = image.info.requirements
    assert sizes == (Requirements((), None, (1, 8)) if marks == SIZED else Requirements((), 16))


def test_conditions_do_not_split_images(split: Split) -> None:
    functions = (
        kernel("k", when(FP64, "a")),
        kernel("l"),
        function("a", marks=USES_FP16),
    )
    assert image_of(split, *functions).entry_points == ("k", "l")


@pytest.mark.parametrize(
    ("mode", "count"), [("auto", 2), ("source", 2), ("kernel", 3), ("off", 1), ("none", 1)]
)
def test_levels_split_images_unless_all_are_together(split: Split, mode: str, count: int) -> None:
    functions = (kernel("k", marks=USES_FP16), kernel("l"), kernel("m", marks=f"#2 {USES_FP64}"))
    assert len(images(split, *functions, mode=mode)) == count


@pytest.mark.parametrize("mode", ["auto", "off"])
def test_imports_split_images_including_those_of_actions(split: Split, mode: str) -> None:
    functions = (
        kernel("k", when(FP64, "a")),
        kernel("l", when(FP64, "b")),
        kernel("m", plain("foreign")),
        kernel("n", when(FP64, "a"), when(FP64, "b")),
        kernel("o", when(FP16, "c")),
        function("a", plain("foreign")),
        function("b"),
        function("c", when(FP64, "a")),
        "declare void @foreign()\n",
    )
    made = images(split, *functions, mode=mode)
    assert [image.entry_points for image in made] == [("k", "n"), ("l",), ("m",), ("o",)]
    imported = [bool(image.info.imports) for image in made]
    assert imported == [True, False, True, True]
    under_conditions = [image.info.conditional_imports for image in made]
    assert under_conditions == [{"a": ("foreign",)}, {}, {}, {"a": ("foreign",)}]


def test_imports_of_entry_points_are_not_those_of_actions(split: Split) -> None:
    image = image_of(
        split,
        kernel("k", when(FP64, "a"), plain("one"), plain("helper")),
        function("a", plain("two"), plain("one"), plain("four")),
        function("helper", plain("three"), plain("four")),
        *(f"declare void @{name}()\n" for name in ("one", "two", "three", "four")),
    )
    assert image.info.conditional_imports == {"a": ("two",)}


def test_no_conditions_without_requirements(split: Split) -> None:
    source = text(kernel("k"), kernel("l", plain("h")), function("h"))
    (image,) = split(source, features="conditional").images()
    (same,) = split(source).images()
    assert image.conditional is None
    assert encode_info(image.info) == encode_info(same.info)
    assert image.module.to_text() == same.module.to_text()


def test_common_requirements_are_conditions_too(split: Split) -> None:
    code = code_of(split, kernel("k", marks=USES_FP64), kernel("l", marks=USES_FP64))
    assert conditions(code) == {"k": "fp64", "l": "fp64"}


# When functions are there.


def test_kernels_are_present_if_their_requirements_are_met(split: Split) -> None:
    code = code_of(split, *MANY, kernel("o"))
    assert conditions(code) == {
        "k": "fp16",
        "l": "(fp16 and fp64)",
        "m": "(fp16 and sub-group)",
        "n": "(fp16 and work-group (1, 8))",
    }
    assert list(code.constants.required) == [FIRST, FIRST + 1, FIRST + 2, FIRST + 3]


def test_helpers_are_present_if_a_caller_is(split: Split) -> None:
    code = code_of(
        split,
        kernel("k", plain("of_k"), plain("both"), plain("all"), marks=USES_FP16),
        kernel("l", plain("both"), plain("all"), marks=USES_FP64),
        kernel("m", plain("all")),
        function("of_k", plain("below")),
        function("both", plain("below")),
        function("all"),
        function("below"),
    )
    # What comes to 'below' over 'of_k' comes to it over 'both', too.
    assert conditions(code) == {
        "k": "fp16",
        "l": "fp64",
        "of_k": "fp16",
        "both": "(fp16 or fp64)",
        "below": "(fp16 or fp64)",
    }
    either = code.functions["both"]
    assert code.functions["below"] == either


def test_stronger_conditions_are_dropped_from_disjunctions(split: Split) -> None:
    code = code_of(
        split,
        kernel("k", plain("h"), marks=USES_FP16),
        kernel("l", plain("h"), marks=USES_BOTH),
        function("h"),
    )
    assert conditions(code)["h"] == "fp16"


def test_actions_are_present_if_callers_are_and_conditions_hold(split: Split) -> None:
    code = code_of(
        split,
        kernel("k", when(FP64, "a"), unless(FP64, "b"), marks=USES_FP16),
        function("a", plain("h"), marks=USES_FP64),
        function("b"),
        function("h"),
    )
    assert conditions(code) == {
        "k": "fp16",
        "a": "((fp16 and fp64) and fp64?)",
        "b": "(fp16 and not fp64?)",
        "h": "((fp16 and fp64) and fp64?)",
    }
    # An action that is not there cannot be called, whatever is asked.
    assert calls(code) == {"a": "(fp64 and fp64?)", "b": "not fp64?"}


def test_actions_within_actions(split: Split) -> None:
    code = code_of(
        split,
        kernel("k", when(FP64, "a")),
        function("a", plain("h")),
        function("h", when(FP16, "b")),
        function("b"),
    )
    assert conditions(code) == {"a": "fp64?", "h": "fp64?", "b": "(fp64? and fp16?)"}
    assert calls(code) == {"a": "fp64?", "b": "fp16?"}


def test_one_function_under_two_conditions_and_called_unconditionally(split: Split) -> None:
    image = image_of(
        split,
        kernel("k", when(FP64, "a"), when(FP16, "a")),
        kernel("l", when(FP64, "b"), plain("b"), marks=USES_FP16),
        function("a", plain("h")),
        function("b", plain("i")),
        function("h"),
        function("i"),
    )
    code = image.conditional
    assert code
    assert conditions(code) == {
        "l": "fp16",
        "a.2": "fp64?",
        "a.3": "fp16?",
        "b.2": "(fp16 and fp64?)",
        "b": "fp16",
        "h": "(fp64? or fp16?)",
        "i": "fp16",
    }
    assert calls(code) == {"a.2": "fp64?", "a.3": "fp16?", "b.2": "fp64?"}
    linkage = {f.name: f.linkage for f in image.module.functions()}
    assert {linkage[symbol] for symbol in code.functions if symbol != "l"} == {"internal"}


def test_exported_functions_are_entry_points(split: Split) -> None:
    image = image_of(
        split,
        kernel("k", plain("e"), when(FP64, "e"), marks="#1"),
        kernel("l", plain("f"), marks=f"#1 {USES_FP16}"),
        function("e", plain("h"), marks="#1"),
        function("f", plain("h"), marks=f"#1 {USES_FP64}"),
        function("h"),
    )
    assert image.entry_points == ("k", "l", "e", "f")
    assert image.conditional
    # Who calls 'f' requires what it does, so that adds nothing.
    assert conditions(image.conditional) == {"l": "(fp16 and fp64)", "f": "fp64", "e.2": "fp64?"}
    linkage = {f.name: f.linkage for f in image.module.functions()}
    assert (linkage["e"], linkage["e.2"]) == ("external", "internal")


def test_recursive_functions_are_present_if_called(split: Split) -> None:
    code = code_of(
        split,
        kernel("k", plain("one"), marks=USES_FP16),
        kernel("l", when(FP64, "a")),
        function("one", plain("two")),
        function("two", plain("one")),
        function("a", when(FP16, "b"), marks=USES_FP64),
        function("b", when(FP64, "a"), plain("h")),
        function("h"),
    )
    assert conditions(code) == {
        "k": "fp16",
        "one": "fp16",
        "two": "fp16",
        "a": "(fp64 and fp64?)",
        "b": "fp16?",
        "h": "fp16?",
    }


TAKER = (
    "define spir_kernel void @taker(ptr %slot) MARKS { store ptr @target, ptr %slot\n ret void }\n"
)
CALLER = """define spir_kernel void @caller(ptr %slot) MARKS {
  %p = load ptr, ptr %slot
  call void %p(i32 1)
  ret void
}
"""


def test_references_and_indirect_calls_count_as_calls(split: Split) -> None:
    code = code_of(
        split,
        TAKER.replace("MARKS", USES_FP16),
        CALLER.replace("MARKS", USES_FP64),
        "define void @target(i32 %x) { call void @behind()\n ret void }\n",
        function("behind"),
    )
    assert conditions(code) == {
        "taker": "fp16",
        "caller": "fp64",
        "target": "(fp16 or fp64)",
        "behind": "(fp16 or fp64)",
    }


def test_functions_that_pointers_from_another_image_may_reach(split: Split) -> None:
    caller, taker = images(
        split,
        CALLER.replace("MARKS", ""),
        kernel("other"),
        TAKER.replace("MARKS", "#2"),
        f"define void @target(i32 %x) {USES_FP64} {{ ret void }}\n",
    )
    assert caller.entry_points == ("caller", "other")
    assert caller.conditional
    assert conditions(caller.conditional) == {"caller": "fp64", "target": "fp64"}
    # As when images are split: who only takes an address does not use what is there.
    assert taker.conditional is None


def test_tables_of_functions_belong_to_users_of_variables(split: Split) -> None:
    code = code_of(
        split,
        "@table = internal constant [1 x ptr] [ptr @held]\n",
        f"@{VARIABLE} = linkonce_odr addrspace(1) global {LLVM_TYPE} zeroinitializer\n",
        kernel("reader", "%p = load ptr, ptr @table", marks=USES_FP64),
        kernel("other", f"store i32 1, ptr addrspace(1) @{VARIABLE}"),
        function("held", plain("behind")),
        function("behind"),
    )
    found = conditions(code)
    assert (found["held"], found["behind"]) == ("fp64", "fp64")


def test_imports_are_conditional_and_built_ins_are_not(split: Split) -> None:
    code = code_of(
        split,
        kernel("k", plain("foreign"), plain("__spirv_something"), marks=USES_FP64),
        kernel("l", plain("foreign"), marks=USES_FP16),
        "declare void @foreign()\ndeclare void @__spirv_something()\n",
    )
    assert conditions(code) == {"k": "fp64", "l": "fp16", "foreign": "(fp64 or fp16)"}


def test_added_kernels_are_always_present(split: Split) -> None:
    marks = '#3 = { "sycl-device-global-size"="4" "dovetail-device-global-stride"="16" }'
    image = image_of(
        split,
        'target datalayout = "e-i64:64-G1"\ntarget triple = "spirv64-unknown-unknown"\n',
        f"@{VARIABLE} = linkonce_odr addrspace(1) global {LLVM_TYPE} zeroinitializer\n",
        f"@g = addrspace(1) global {{ i64, i32 }} zeroinitializer #3\nattributes {marks}\n",
        kernel("k", when(FP64, "a")),
        kernel("l", marks=USES_FP16),
        function("a", plain("fails"), "store i64 1, ptr addrspace(1) @g"),
        function("fails", f"store i32 1, ptr addrspace(1) @{VARIABLE}"),
    )
    assert image.info.asserting_kernels == ("k",)
    assert image.conditional
    assert conditions(image.conditional) == {"l": "fp16", "a": "fp64?", "fails": "fp64?"}
    names = {f.name for f in image.module.functions()}
    assert {"__dovetail_assertion_of_k", "__dovetail_device_globals_of_k"} <= names
    record = next(v for v in image.module.global_variables() if v.name == VARIABLE)
    assert record.linkage == "internal"


SCOPED = """@g = addrspace(1) global i32 0 #3
attributes #3 = { "sycl-device-global-size"="4" "sycl-device-image-scope" }
"""


def test_variables_of_image_scope_can_be_used_under_conditions(split: Split) -> None:
    """There is one image and so one variable, but not for kernels of two images."""
    functions = (
        SCOPED,
        kernel("k", when(FP64, "a")),
        kernel("l", when(FP64, "a"), marks=USES_FP64),
        function("a", "store i32 1, ptr addrspace(1) @g"),
    )
    image = image_of(split, *functions)
    assert [v.name for v in image.module.global_variables()] == ["g"]
    with pytest.raises(
        CompileError, match="'k' and 'l', which both use it, are in different images"
    ):
        images(split, *functions, mode="kernel")


def test_undefined_action_is_refused(split: Split) -> None:
    with pytest.raises(CompileError, match="'foreign' is called conditionally, but no"):
        images(split, kernel("k", when(FP64, "foreign")), "declare void @foreign()\n")


# What is said of that.


def test_constants_and_expressions_are_unique(split: Split) -> None:
    code = code_of(
        split,
        *(kernel(f"k{n}", when(FP64, f"a{n % 2}"), plain("h"), marks=USES_BOTH) for n in range(9)),
        *(kernel(f"l{n}", unless(FP64, "b"), plain("h"), marks=USES_FP64) for n in range(9)),
        *(function(name, plain("h")) for name in ("a0", "a1", "b")),
        function("h"),
    )
    assert len(set(code.expressions.nodes)) == len(code.expressions.nodes)
    spec_ids = [*code.constants.required, *code.constants.asked]
    assert spec_ids == [FIRST, FIRST + 1, FIRST + 2]
    leaves = [n.operands[0] for n in code.expressions.nodes if not n.operation]
    assert sorted(leaves) == spec_ids
    assert set(conditions(code).values()) == {
        "(fp16 and fp64)",
        "fp64",
        "((fp16 and fp64) and fp64?)",
        "(fp64 and not fp64?)",
    }


def u32(*numbers: int) -> bytes:
    return pack(f"<{len(numbers)}I", *numbers)


def i32(*numbers: int) -> bytes:
    return pack(f"<{len(numbers)}i", *numbers)


PROPERTIES = (
    kernel("k", when(FP64, "a"), marks=f"{USES_FP16} {SIZED} {GROUPED}"),
    kernel("l", plain("h"), marks="#1"),
    function("e", when(CPU, "b"), marks=f"#1 {USES_FP64}"),
    function("h", unless(FP64, "b")),
    function("a", when(CPU, "b"), marks=USES_FP16),
    function("b"),
)


def test_property_sets_are_laid_out_as_specified(split: Split) -> None:
    sets = encode_info(image_of(split, *PROPERTIES, mode="off").info)
    fp16, size, sub_group, fp64, fp64_asked, cpu_asked = range(FIRST, FIRST + 6)
    # Entries of aspects, work-group sizes and sub-group sizes are of the types 0, 1 and 2.
    assert sets["SYCL/kernel reqs"] == {
        "k": u32(3, 0, FP16, fp16, 1, 2, 1, 8, size, 2, 16, sub_group),
        "l": u32(0),
    }
    assert sets["Dovetail/function reqs"] == {
        "e": u32(1, 0, FP64, fp64),
        "a": u32(1, 0, FP16, fp16),
        "b.2": u32(0),
        "b.3": u32(0),
    }
    assert sets["SYCL/special specialization constants"] == {
        "aspects": u32(fp64_asked, FP64, cpu_asked, CPU)
    }
    assert read_info(sets).conditional_calls == {
        "k": (ActionCall(Condition((ASPECT, FP64)), "a"),),
        "l": (ActionCall(Condition((NOT, ASPECT, FP64)), "b.3"),),
        "e": (ActionCall(Condition((ASPECT, CPU)), "b.2"),),
        "a": (ActionCall(Condition((ASPECT, CPU)), "b.2"),),
    }
    assert set(sets["SYCL/device requirements"]) == {"aspects"}
    assert "SYCL/image-requirements" not in sets


def test_architectures_are_constants_too(split: Split) -> None:
    call = "call void @call_if_on_device_conditionally_G_1(ptr @a, i32 -2, i32 20)"
    sets = encode_info(image_of(split, kernel("k", call), function("a")).info)
    assert sets["SYCL/special specialization constants"] == {"architectures": u32(FIRST, 20)}
    assert sets["SYCL/kernel reqs"] == {"k": u32(0)}


def test_conditional_aspects_where_kernels_agree(split: Split) -> None:
    functions = (
        kernel("k", when(FP64, "a"), unless(CPU, "b")),
        kernel("l", when(FP64, "a"), unless(CPU, "b"), marks=USES_FP64),
        function("a", marks=USES_FP16),
        function("b", marks=USES_BOTH),
        function("e", when(FP64, "b"), marks="#1"),
    )
    # What a kernel always uses, it does not use under conditions besides.
    sets = encode_info(image_of(split, *functions[:1], *functions[2:4]).info)
    assert sets["SYCL/device requirements"] == {
        "aspects": b"",
        "condition-0": i32(NOT, ASPECT, CPU),
        "conditional-aspects-0": u32(FP16, FP64),
        "condition-1": i32(ASPECT, FP64),
        "conditional-aspects-1": u32(FP16),
    }
    agreeing = (functions[0], functions[0].replace("@k", "@m"), *functions[2:])
    assert len(image_of(split, *agreeing, mode="off").info.conditional_aspects) == 2
    assert not image_of(split, *functions, mode="off").info.conditional_aspects


def test_no_conditional_aspects_where_a_kernel_has_none(split: Split) -> None:
    sets = encode_info(
        image_of(
            split, kernel("k", when(FP64, "a")), kernel("l"), function("a", marks=USES_FP16)
        ).info
    )
    assert not read_info(sets).conditional_aspects
    assert set(read_info(sets).conditional_calls) == {"k"}


def test_conditions_of_one_image_are_not_in_others(split: Split) -> None:
    first, second = images(
        split,
        kernel("k", when(FP64, "a")),
        kernel("l", marks="#2"),
        function("a", marks=USES_FP16),
    )
    assert first.info.conditional_aspects
    assert not second.info.conditional_aspects
    assert second.conditional is None


SOURCE = """\
template <typename T, typename... Condition>
[[__sycl_detail__::add_ir_attributes_function("sycl-call-if-on-device-conditionally", true)]]
void call_conditionally(T fn, Condition...) { fn(); }
void go(float *p) {
  start<class K>([=] { *p = *p * 2.0; });
  start<class L>([=] { *p = (_Float16)1; });
  start<class M>([=] {
    auto twice = [=] { *p = *p * 3.0; };
    call_conditionally(twice, -1, 6);
    call_conditionally(twice, -1, 1);
  });
}
"""


def test_places_of_the_requirements_of_each_function(
    split: Split, compile_source: Callable[..., None], folder: Path
) -> None:
    compile_source("a", SOURCE)
    (image,) = split((folder / "a.bc").read_bytes(), features="conditional").images()
    uses = image.info.aspect_uses
    lines = {
        symbol: {aspect: use.place.line for aspect, use in by_aspect.items()}
        for symbol, by_aspect in uses.items()
    }
    one, other, *actions = lines.values()
    assert (one, other) == ({"fp64": 6}, {"fp16": 7})
    assert actions == [{"fp64": 9}, {"fp64": 9}]
    assert image.conditional
    assert list(lines)[2:] == list(image.conditional.calls)


# Any program.

COUNT = 5
aspects = st.sampled_from([FP16, FP64, CPU])
calls_of = st.lists(st.tuples(aspects, st.booleans(), st.integers(0, COUNT - 1)), max_size=3)
functions_of = st.tuples(st.none() | st.sampled_from([FP16, FP64]), calls_of)
programs = st.tuples(
    st.lists(functions_of, min_size=COUNT, max_size=COUNT),
    st.lists(functions_of, min_size=1, max_size=3),
)
Drawn = list[tuple[int | None, list[tuple[int, bool, int]]]]


@given(programs)
def test_any_program_is_complete_on_any_device(split: Split, drawn: tuple[Drawn, Drawn]) -> None:
    """Kernels that a device can run are there, with all that they call; and nothing is that needs
    what the device does not have."""
    of_actions, of_kernels = drawn

    def body(made: Iterable[tuple[int, bool, int]]) -> list[str]:
        return [
            plain(f"a{to}") if is_plain else when(aspect, f"a{to}") for aspect, is_plain, to in made
        ]

    def marks(aspect: int | None) -> str:
        return f"!sycl_used_aspects !{aspect}" if aspect else ""

    program = split(
        text(
            *(kernel(f"k{n}", *body(c), marks=marks(a)) for n, (a, c) in enumerate(of_kernels)),
            *(function(f"a{n}", *body(c), marks=marks(a)) for n, (a, c) in enumerate(of_actions)),
        ),
        features="conditional",
    )
    (image,) = program.images()
    for has in ((), (FP64,), (FP16, CPU), (FP64, FP16), (FP64, FP16, CPU)):
        check_device(program, image, has)


def check_device(program: PostLinked, image: DeviceImage, has: tuple[int, ...]) -> None:
    origin_of = {action.symbol: action.origin for action in program.actions}
    names = [f.name for f in image.module.functions()]
    used = {name: program.used.get(origin_of.get(name, name), 0) for name in names}
    code = image.conditional or ConditionalCode(Constants({}, {}), Expressions(), {}, {})
    given = code.constants.values(
        lambda single: set(single.aspects) <= set(has), lambda leaf: leaf[1] in has
    )
    values = values_of(code.expressions, [i for i, is_true in given.items() if is_true])
    there = {name for name in names if values[code.functions.get(name, TRUE)]}
    met = sum(1 << aspect for aspect in has)
    assert {name for name in image.entry_points if not used[name] & ~met} <= there
    assert not any(used[name] & ~met for name in there)
    for caller, callees in CallGraph.of(image.module).callees().items():
        called = {callee for callee in callees if values[code.calls.get(callee, TRUE)]}
        assert caller not in there or called <= there
