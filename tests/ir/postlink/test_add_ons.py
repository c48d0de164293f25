"""Which actions are in which add-on images, and errors."""

from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest
from conditional_ir import CPU, FP16, FP64, function, kernel, plain, text, unless, when
from hypothesis import given, strategies as st

from dovetail.artifacts import DeviceImage, DeviceModule
from dovetail.assertion_record import LLVM_TYPE, VARIABLE
from dovetail.cli.main import INTERNAL_ERROR_STATUS
from dovetail.conditions import ASPECT, in_words as words, read_condition
from dovetail.errors import CompileError, IRError
from dovetail.facts import Facts
from dovetail.image import (
    AddOn,
)
from dovetail.ir import Context, Module
from dovetail.postlink import (
    PostLinked,
    SplitMode,
    conditions_in,
    link_modules,
    resolve_conditions,
    unknown_conditions,
    variants_of,
)
from dovetail.targets import default_table

Split = Callable[..., PostLinked]
Run = Callable[..., int]


def described(images: Iterable[DeviceImage]) -> list[tuple[str, list[str], list[str]]]:
    """Return the kind of each image, its entry points and the add-ons that it names."""
    return [
        (
            f"{add_on.kind} {add_on.identifier}" if (add_on := i.info.add_on) else "main",
            list(i.entry_points),
            list(i.info.add_ons),
        )
        for i in images
    ]


def reals(program: PostLinked) -> list[tuple[str, list[str], list[str]]]:
    """Return the same without stubs, which have the same entry points and name no add-ons."""
    images = list(program.images())
    for image in images:
        image.module.verify()
    stubs = [each for each in described(images) if each[0].startswith("stub")]
    others = [each for each in described(images) if not each[0].startswith("stub")]
    pairs = [each for each in others if each[0].startswith("real")]
    assert [(f"stub {real.split()[1]}", names, []) for real, names, _ in pairs] == stubs
    return others


def test_actions_with_one_condition_and_the_same_aspects_share_an_image(split: Split) -> None:
    program = split(
        text(
            kernel("k", when(FP64, "a"), when(FP64, "b"), when(FP64, "c"), when(FP16, "d")),
            function("a"),
            function("b", marks="!sycl_used_aspects !5"),
            function("c"),
            function("d"),
        )
    )
    assert reals(program) == [
        ("main", ["k"], ["1", "2", "3"]),
        ("real 1", ["a", "c"], []),
        ("real 2", ["b"], []),
        ("real 3", ["d"], []),
    ]


def test_an_action_is_in_only_one_image(split: Split) -> None:
    """Linked images must not both define it."""
    program = split(
        text(
            kernel("k", when(FP64, "a"), when(FP64, "both")),
            kernel("l", when(FP64, "b"), when(FP64, "both")),
            function("a"),
            function("b"),
            function("both"),
        ),
        mode="kernel",
    )
    assert reals(program) == [
        ("main", ["k"], ["1", "2"]),
        ("main", ["l"], ["2", "3"]),
        ("real 1", ["a"], []),
        ("real 2", ["both"], []),
        ("real 3", ["b"], []),
    ]


def test_images_list_the_calls_of_add_ons_by_function(split: Split) -> None:
    """As kernels share images, and actions share add-ons; calls within an add-on lead further."""
    program = split(
        text(
            kernel("k", when(FP64, "a")),
            kernel("l", plain("helper"), when(FP64, "b")),
            kernel("m"),
            function("helper", when(FP64, "c")),
            function("a"),
            function("b", when(FP64, "c"), when(FP16, "below")),
            function("c", when(FP64, "b")),
            function("below"),
        )
    )
    images = list(program.images())
    assert [each for each in described(images) if "stub" not in each[0]] == [
        ("main", ["k", "l", "m"], ["1", "2"]),
        ("real 1", ["a"], []),
        ("real 2", ["b", "c"], ["3"]),
        ("real 3", ["below"], []),
    ]
    main, first, stub, second, *others = [
        {
            caller: [(words(call.condition), call.action) for call in calls]
            for caller, calls in image.info.conditional_calls.items()
        }
        for image in images
    ]
    assert main == {"k": [("fp64", "a")], "l": [("fp64", "b"), ("fp64", "c")]}
    assert second == {"b": [("fp64", "c"), ("fp16", "below")], "c": [("fp64", "b")]}
    assert not any((first, stub, *others)), "what needs no add-ons"
    assert not any(image.info.has_conditions for image in images)


def test_callees_of_one_add_on_are_not_linked_for_another(split: Split) -> None:
    program = split(
        text(
            kernel("k", when(FP64, "a"), when(FP16, "b")),
            function("a", when(CPU, "below_a")),
            function("b", when(CPU, "below_b")),
            function("below_a"),
            function("below_b"),
        )
    )
    assert reals(program) == [
        ("main", ["k"], ["1", "2"]),
        ("real 1", ["a"], ["3"]),
        ("real 2", ["b"], ["4"]),
        ("real 3", ["below_a"], []),
        ("real 4", ["below_b"], []),
    ]


def test_imports_of_actions_split_kernels(split: Split) -> None:
    program = split(
        text(
            kernel("k", when(FP64, "a")),
            kernel("l", when(FP64, "b")),
            kernel("m"),
            function("a", plain("foreign")),
            function("b"),
            "declare void @foreign()\n",
        )
    )
    assert reals(program) == [
        ("main", ["k"], ["1"]),
        ("main", ["l", "m"], ["2"]),
        ("real 1", ["a"], []),
        ("real 2", ["b"], []),
    ]


def test_mutually_recursive_actions(split: Split) -> None:
    program = split(
        text(
            kernel("k", when(FP64, "a")),
            function("a", when(FP16, "b"), when(FP64, "a")),
            function("b", when(FP64, "a")),
        )
    )
    assert reals(program) == [
        ("main", ["k"], ["1"]),
        ("real 1", ["a"], ["2"]),
        ("real 2", ["b"], ["1"]),
    ]


def test_exported_functions_have_add_ons_and_are_unconditional_uses(split: Split) -> None:
    module_id = "#1"
    program = split(
        text(
            kernel("k", when(FP64, "exported")),
            function("exported", when(FP16, "a"), marks=module_id),
            function("a"),
        )
        + 'attributes #1 = { "sycl-module-id"="a.cpp" }',
        mode="off",
    )
    assert reals(program) == [
        ("main", ["k", "exported"], ["1", "2"]),
        ("real 1", ["exported.2"], ["2"]),
        ("real 2", ["a"], []),
    ]


def test_constant_conditions(split: Split) -> None:
    always = "i32 -5, i32 -1, i32 6, i32 -3, i32 -1, i32 6"
    never = always.replace("-5", "-4")
    types = ", ".join(["i32"] * 6)
    source = text(
        kernel("k", f"call void @both(ptr @a, {always})", f"call void @both(ptr @b, {never})"),
        function("a", marks="!sycl_used_aspects !6"),
        function("b", marks="!sycl_used_aspects !5"),
        f"declare void @both(ptr, {types}) #0\n",
    )
    (image,) = split(source).images()
    assert image.info.requirements.aspects == (FP64,)
    assert [f.name for f in image.module.functions()] == ["k", "a"]


def test_add_ons_have_no_properties_of_kernels(split: Split) -> None:
    source = text(
        kernel("k", when(FP64, "a")).replace("()  {", "() !reqd_work_group_size !7 {"),
        function("a"),
        "!7 = !{i32 8, i32 1, i32 1}\n",
    )
    main, real, stub = split(source).images()
    assert main.info.requirements.work_group_size
    assert not real.info.requirements
    assert not stub.info.requirements


def test_lost_condition_is_a_bug(post_link: Run, capfd: pytest.CaptureFixture[str]) -> None:
    source = "define spir_kernel void @k(i32 %n) { call void @call_if_on_device_conditionally_G_1"
    source += "(ptr @a, i32 -1, i32 %n)\n ret void }\n"
    assert post_link("a.ll", a=text(source, function("a"))) == INTERNAL_ERROR_STATUS
    assert "non-constant condition in 'k'" in capfd.readouterr().err


def test_malformed_condition(split: Split) -> None:
    call = "call void @call_if_on_device_conditionally_G_1(ptr @a, i32 -1, i32 -1)"
    with pytest.raises(IRError, match=r"'k'.*'a'"):
        split(text(kernel("k", call), function("a")))


def test_undefined_action_is_refused(split: Split) -> None:
    program = split(text(kernel("k", when(FP64, "foreign"))) + "declare void @foreign()\n")
    with pytest.raises(CompileError, match="'foreign' is called conditionally, but no"):
        list(program.images())


def test_device_globals_are_refused_only_in_add_ons(split: Split) -> None:
    source = text(
        '@g = addrspace(1) global i32 0 #2\nattributes #2 = { "sycl-device-global-size"="4" }\n',
        kernel("k", when(FP64, "a")),
        function("a", plain("b")),
        function("b", "store i32 1, ptr addrspace(1) @g"),
    )
    with pytest.raises(CompileError, match=r"'a', which is called .* uses device global 'g'"):
        list(split(source).images())
    assert len(list(decided(source, "intel_gpu_pvc"))) == 1


def test_assertions_in_add_ons_share_the_record(split: Split) -> None:
    source = text(
        f"@{VARIABLE} = linkonce_odr addrspace(1) global {LLVM_TYPE} zeroinitializer\n",
        kernel("k", when(FP64, "a")),
        function("a", f"store i32 1, ptr addrspace(1) @{VARIABLE}"),
    )
    main, real, stub = split(source).images()
    assert main.info.asserting_kernels == ("k",)
    for image in (main, real):
        (variable,) = image.module.global_variables()
        assert (variable.name, variable.linkage) == (VARIABLE, "linkonce_odr")
        image.module.verify()
    assert not stub.module.global_variables()


def decided(source: str, *targets: str) -> list[DeviceImage]:
    """Return the images of each variant for these targets."""
    module = Module.parse(Context(), source.encode(), "a.ll")
    linked = link_modules([DeviceModule(module, Facts())])
    table = default_table()
    return [
        image
        for variant in variants_of(conditions_in(linked), [table[t] for t in targets], table)
        for image in PostLinked.of(resolve_conditions(linked, variant), SplitMode.AUTO).images()
    ]


def test_targets_with_equal_outcomes_share_a_variant() -> None:
    source = text(
        kernel("k", when(FP64, "a"), unless(FP64, "b")),
        function("a", marks="!sycl_used_aspects !6"),
        function("b"),
    )
    images = decided(source, "intel_gpu_pvc", "intel_gpu_acm_g10", "intel_gpu_skl")
    assert [
        (
            image.info.resolved_targets,
            [f.name for f in image.module.functions()],
            image.info.requirements.aspects,
        )
        for image in images
    ] == [
        (("intel_gpu_pvc", "intel_gpu_skl"), ["k", "a"], (FP64,)),
        (("intel_gpu_acm_g10",), ["k", "b"], ()),
    ]


def test_unknown_features_of_a_target_are_reported() -> None:
    source = text(kernel("k", when(FP64, "a")), function("a"))
    module = Module.parse(Context(), source.encode(), "a.ll")
    linked = link_modules([DeviceModule(module, Facts())])
    written, table = conditions_in(linked), default_table()
    assert written == [read_condition([ASPECT, FP64])]
    targets = [table["spir64_gen"], table["intel_gpu_pvc"]]
    (finding,) = unknown_conditions(linked, written, targets, table)
    assert finding.place.file == "a.ll"
    assert finding.message == (
        "whether 'fp64' holds for 'spir64_gen' depends on 'fp64', which it may have; it is assumed"
        " not to"
    )


# For each of some actions: its aspect, the aspects of the conditions under which each of the others
# is called, and which others it calls plainly.
COUNT = 5
calls_of = st.lists(
    st.tuples(st.sampled_from([FP16, FP64, CPU]), st.booleans(), st.integers(0, COUNT - 1)),
    max_size=3,
)
programs = st.tuples(
    st.lists(calls_of, min_size=COUNT, max_size=COUNT), st.lists(calls_of, min_size=1, max_size=3)
)


@given(programs)
def test_any_program_links_completely_and_never_twice(
    given_calls: tuple[list[list[tuple[int, bool, int]]], list[list[tuple[int, bool, int]]]],
) -> None:
    """On every device, the linked images define each function once."""
    of_actions, of_kernels = given_calls

    def body(calls: list[tuple[int, bool, int]]) -> list[str]:
        return [
            plain(f"a{callee}") if is_plain else when(aspect, f"a{callee}")
            for aspect, is_plain, callee in calls
        ]

    source = text(
        *(kernel(f"k{n}", *body(calls)) for n, calls in enumerate(of_kernels)),
        *(function(f"a{n}", *body(calls)) for n, calls in enumerate(of_actions)),
    )
    module = Module.parse(Context(), source.encode(), "a.ll")
    linked = link_modules([DeviceModule(module, Facts())])
    images = list(PostLinked.of(linked, SplitMode.KERNEL).images())
    add_ons = {add_on: i for i in images if (add_on := i.info.add_on)}
    numbers = [int(add_on.identifier) for add_on in add_ons if add_on.is_real]
    assert all(later == earlier + 1 for earlier, later in pairwise([0, *numbers]))
    for has in ((), (FP64,), (FP16, CPU), (FP64, FP16, CPU)):
        for main in (image for image in images if image.info.add_on is None):
            check_linked(main, add_ons, has)


def check_linked(
    main: DeviceImage, add_ons: dict[AddOn, DeviceImage], has: tuple[int, ...]
) -> None:
    """Link as the runtime does, and see who defines what."""
    linked = [main]
    for image in linked:
        for identifier, condition in image.info.add_ons.items():
            chosen = add_ons[AddOn(identifier, condition[1] in has)]
            if chosen not in linked:
                linked.append(chosen)
    defined: list[str] = []
    declared: set[str] = set()
    for image in linked:
        for each in image.module.functions():
            if each.is_declaration:
                declared.add(each.name)
            elif each.linkage == "external":
                defined.append(each.name)
    assert len(defined) == len(set(defined))
    assert declared <= set(defined)
