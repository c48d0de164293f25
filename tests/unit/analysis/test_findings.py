"""What is found wrong, and in which words."""

from collections.abc import Callable
from typing import Any

import pytest

from dovetail.analysis import Finding, Uses, build_graph, find_all
from dovetail.facts import Facts
from dovetail.targets import default_table

Source = Callable[..., Facts]

FP16, FP64 = 5, 6


def found(*sources: Facts) -> list[Finding]:
    """Everything that is wrong with sources."""
    graph = build_graph(sources)
    return find_all(graph, Uses(graph))


def lines(findings: list[Finding]) -> list[str]:
    """A line for each finding and each of its notes."""
    text: list[str] = []
    for finding in findings:
        text.append(f"{finding.place} {finding.rule.name}: {finding.message}")
        text += [f"  {note.place} {note.message}" for note in finding.notes]
    return text


def test_an_undeclared_aspect_with_each_call_between(source: Source) -> None:
    functions = {
        "f": {"declared": [FP16], "calls": ["g"], "uses": [FP16]},
        "g": {"calls": ["h"]},
        "h": {"uses": [FP64]},
    }
    assert lines(found(source("a.cpp", functions))) == [
        "a.cpp:10:6 sycl-undeclared-aspect: function 'f' uses aspect 'fp64', which its attribute"
        " 'device_has' does not list",
        "  a.cpp:9:3 attribute is here",
        "  a.cpp:12:1 'f' calls 'g' here",
        "  a.cpp:22:1 'g' calls 'h' here",
        "  a.cpp:31:1 uses aspect 'fp64' here: use of 6",
    ]


def test_each_aspect_is_a_finding_also_with_an_empty_list(source: Source) -> None:
    findings = found(source("a.cpp", {"f": {"declared": [], "uses": [FP64, FP16, FP64]}}))
    assert [finding.message.split("'")[3] for finding in findings] == ["fp16", "fp64"]


def test_a_callee_counts_with_its_declared_aspects(source: Source) -> None:
    functions = {
        "f": {"declared": [], "calls": ["g"]},
        "g": {"defined": False, "external": True, "declared": [FP64]},
    }
    (finding,) = found(source("a.cpp", functions))
    assert finding.notes[-1].message == (
        "uses aspect 'fp64' here: call of 'g', which is declared with device_has(fp64)"
    )
    assert str(finding.notes[-1].place) == "a.cpp:12:1"


@pytest.mark.parametrize(
    "functions",
    [
        {"k": {"kernel": "k", "uses": [FP64]}},
        {"f": {"declared": [FP64], "uses": [FP64]}},
        {"f": {"declared": [FP64]}},
        {"f": {"declared": [FP64], "calls": ["g"]}, "g": {"declared": [], "calls": []}},
        {"f": {"declared": [], "defined": False, "external": True}},
        {"f": {"violations": ["throw"]}},
        {"f": {"calls": ["f"]}},
    ],
)
def test_nothing_is_wrong(source: Source, functions: dict[str, Any]) -> None:
    assert found(source("a.cpp", functions)) == []


def test_a_kernel_is_called_by_its_name(source: Source) -> None:
    functions = {
        "entry": {"kernel": "add", "object": "lambda", "calls": ["lambda"]},
        "lambda": {"declared": [], "calls": ["g"]},
        "g": {"uses": [FP64]},
    }
    (finding,) = found(source("a.cpp", functions))
    assert finding.message.startswith("kernel 'add' uses aspect 'fp64'")
    assert finding.notes[1].message == "'add' calls 'g' here"


def test_violations_where_device_code_reaches_them(source: Source) -> None:
    functions = {
        "entry": {"kernel": "k", "object": "lambda", "calls": ["lambda"]},
        "lambda": {"calls": ["f"]},
        "f": {"violations": ["throw"]},
        "other": {"kernel": "other", "calls": ["f"]},
        "unreached": {"violations": ["goto"]},
        "external": {"external": True, "calls": ["behind", "f"]},
        "behind": {"violations": ["asm"]},
    }
    assert lines(found(source("a.cpp", functions))) == [
        "a.cpp:33:1 sycl-throw: kernel 'k' does throw, which is not allowed in device code",
        "  a.cpp:22:1 'k' calls 'f' here",
        "a.cpp:73:1 sycl-asm: function 'external' does asm, which is not allowed in device code",
        "  a.cpp:62:1 'external' calls 'behind' here",
    ]


def test_one_violation_for_each_place(source: Source) -> None:
    both = {"k": {"kernel": "k", "violations": ["undefined-function", "virtual-call"]}}
    one = {"k": {"kernel": "k", "violations": ["undefined-function"]}}
    assert lines(found(source("a.cpp", both))) == [
        "a.cpp:13:1 sycl-virtual-call: kernel 'k' does virtual-call, which is not allowed in"
        " device code"
    ]
    assert lines(found(source("a.cpp", one))) == [
        "a.cpp:13:1 sycl-undefined-function: kernel 'k' does undefined-function"
    ]


def test_a_variadic_function_is_one_error_with_what_it_calls(source: Source) -> None:
    functions: dict[str, Any] = {
        "k": {"kernel": "k", "calls": ["sum"], "violations": [("variadic", 0)]},
        "sum": {"calls": ["sum_of_list", "vprintf"], "violations": ["library-function"]},
        "sum_of_list": {"violations": ["variadic", "throw"]},
        "vprintf": {"violations": ["global-variable"], "system": True},
    }
    assert [line for line in lines(found(source("a.cpp", functions))) if line[0] != " "] == [
        "a.cpp:12:1 sycl-variadic: kernel 'k' calls by variadic, which is not allowed in device"
        " code",
        "a.cpp:33:1 sycl-throw: kernel 'k' does throw, which is not allowed in device code",
    ]
    functions["sum_of_list"]["violations"] = ["variadic"]
    functions["k"] = {"kernel": "k", "calls": ["sum_of_list"]}
    (finding,) = found(source("a.cpp", functions))
    assert str(finding.place) == "a.cpp:33:1"


def test_violations_in_the_standard_library_are_at_the_users_call(source: Source) -> None:
    functions = {
        "entry": {"kernel": "k", "object": "lambda", "calls": ["lambda"], "system": True},
        "lambda": {"calls": ["push", "own"]},
        "push": {"calls": ["grow"], "system": True},
        "grow": {"violations": ["throw", "allocation"], "system": True},
        "own": {"violations": ["library-function"]},
    }
    assert lines(found(source("a.cpp", functions))) == [
        "a.cpp:22:1 sycl-throw: kernel 'k' calls 'push', which does throw; this is not allowed in"
        " device code",
        "  a.cpp:22:1 'k' calls 'push' here",
        "  a.cpp:32:1 'push' calls 'grow' here",
        "  a.cpp:43:1 this does throw",
        "a.cpp:53:1 sycl-library-function: kernel 'k' does library-function",
        "  a.cpp:22:2 'k' calls 'own' here",
    ]
    functions["other"] = {"kernel": "other", "calls": ["push"]}
    (*_, other) = found(source("a.cpp", functions))
    assert other.message.startswith("kernel 'other' calls 'push', which does throw")
    functions["lambda"]["violations"] = ["goto"]
    functions["own"] = {"calls": ["loop"]}
    functions["loop"] = {"calls": ["loop"], "system": True}
    del functions["other"]
    assert [line for line in lines(found(source("a.cpp", functions))) if line[0] != " "] == [
        "a.cpp:22:1 sycl-throw: kernel 'k' calls 'push', which does throw; this is not allowed in"
        " device code",
        "a.cpp:23:1 sycl-goto: kernel 'k' does goto, which is not allowed in device code",
        "a.cpp:52:1 sycl-recursion: kernel 'k' reaches 'loop', which calls itself; recursion is"
        " not allowed in device code",
    ]


def test_violations_of_a_kernel_object_in_the_headers_are_at_its_code(source: Source) -> None:
    functions = {
        "entry": {
            "kernel": "k",
            "object": "lambda",
            "calls": ["lambda"],
            "system": True,
            "violations": ["long-double"],
        },
        "lambda": {"calls": ["f"]},
        "f": {},
    }
    text = "sycl-long-double: kernel 'k' does long-double, which is not allowed in device code"
    assert lines(found(source("a.cpp", functions))) == [f"a.cpp:20:6 {text}"]
    functions["f"]["violations"] = ["long-double", "long-double"]
    assert lines(found(source("a.cpp", functions))) == [
        f"a.cpp:33:1 {text}",
        "  a.cpp:22:1 'k' calls 'f' here",
    ]


def test_recursion_names_the_cycle(source: Source) -> None:
    functions = {
        "k": {"kernel": "k", "calls": ["a", "self"]},
        "a": {"calls": ["b"]},
        "b": {"calls": ["a", "c"]},
        "c": {"calls": ["a"]},
        "self": {"calls": ["self"]},
    }
    assert lines(found(source("a.cpp", functions))) == [
        "a.cpp:20:6 sycl-recursion: kernel 'k' reaches 'a', which calls itself through 'b';"
        " recursion is not allowed in device code",
        "  a.cpp:12:1 'k' calls 'a' here",
        "  a.cpp:22:1 'a' calls 'b' here",
        "  a.cpp:32:1 'b' calls 'a' here",
        "a.cpp:50:6 sycl-recursion: kernel 'k' reaches 'self', which calls itself;"
        " recursion is not allowed in device code",
        "  a.cpp:12:2 'k' calls 'self' here",
        "  a.cpp:52:1 'self' calls 'self' here",
    ]


def test_an_external_function_that_calls_itself(source: Source) -> None:
    (finding,) = found(source("a.cpp", {"f": {"external": True, "calls": ["f"]}}))
    assert finding.message == "function 'f' calls itself; recursion is not allowed in device code"


def test_declarations_that_disagree(source: Source) -> None:
    declared = {"f": {"defined": False, "external": True, "declared": [FP64]}}
    findings = found(
        source("a.cpp", declared),
        source("b.cpp", {"f": {"external": True, "declared": [FP16]}}),
        source("c.cpp", declared),
        source("d.cpp", {"f": {"defined": False, "external": True}}),
    )
    assert lines(findings) == [
        "a.cpp:9:3 sycl-mismatched-aspects: 'f' is declared with device_has(fp64) here but defined"
        " with device_has(fp16)",
        "  b.cpp:9:3 defined here",
        "d.cpp:10:6 sycl-mismatched-aspects: 'f' is declared with no attribute here but defined"
        " with device_has(fp16)",
        "  b.cpp:9:3 defined here",
    ]


@pytest.mark.parametrize("is_defined", [False, True])
def test_kernels_that_others_call_are_external(source: Source, is_defined: bool) -> None:
    kernel = source("a.cpp", {"k": {"kernel": "k"}})
    caller = source("b.cpp", {"k": {"defined": is_defined, "external": True}})
    for sources in ([kernel, caller], [caller, kernel]):
        assert lines(found(*sources)) == [
            "b.cpp:10:6 sycl-mismatched-external: kernel 'k' is SYCL_EXTERNAL here but not in its"
            " definition",
            "  a.cpp:10:6 defined here",
        ]
    assert not found(source("a.cpp", {"k": {"kernel": "k", "external": True}}), caller)


def test_a_definition_inherits_aspects_declared_in_another_source(source: Source) -> None:
    findings = found(
        source("a.cpp", {"f": {"defined": False, "external": True, "declared": [FP16]}}),
        source("b.cpp", {"f": {"external": True, "uses": [FP64]}}),
    )
    assert [finding.rule.name for finding in findings] == [
        "sycl-mismatched-aspects",
        "sycl-undeclared-aspect",
    ]
    assert str(findings[1].notes[0].place) == "a.cpp:9:3"


def test_sizes_of_functions_that_are_not_kernels(source: Source) -> None:
    functions = {
        "k": {"kernel": "k", "object": "o", "calls": ["o", "f"], "reqd_sub_group_size": 8},
        "o": {"reqd_sub_group_size": 8, "reqd_work_group_size": [8, 4]},
        "f": {"reqd_sub_group_size": 16, "reqd_work_group_size": [8]},
        "k2": {"kernel": "k2", "object": "o2", "calls": ["o2"], "reqd_work_group_size": [2]},
        "o2": {"reqd_work_group_size": [8, 4]},
    }
    assert lines(found(source("a.cpp", functions))) == [
        "a.cpp:30:6 sycl-size-without-kernel: function 'f' is not a kernel; its required work-group"
        " size is ignored",
        "a.cpp:30:6 sycl-size-without-kernel: function 'f' is not a kernel; its required sub-group"
        " size is ignored",
        "a.cpp:50:6 sycl-mismatched-requirements: kernel 'k2' requires work-group size 2, but"
        " the operator() of its object requires 8x4",
    ]


def test_conflicting_properties_and_attributes(source: Source) -> None:
    properties = {"sycl-sub-group-size": "8", "sycl-device-has": "5"}
    functions = {
        "k": {"kernel": "k", "attributes": properties, "reqd_sub_group_size": 16},
        "k2": {"kernel": "k2", "object": "o", "calls": ["o"], "attributes": properties},
        "o": {"reqd_sub_group_size": 32, "declared": [FP64], "uses": [FP64]},
        "f": {"attributes": {"sycl-device-has": "5"}, "declared": [FP16]},
    }
    assert lines(found(source("a.cpp", functions))) == [
        "a.cpp:10:6 sycl-mismatched-requirements: kernel 'k' requires sub-group size 8 by a"
        " property but 16 by an attribute",
        "a.cpp:30:6 sycl-mismatched-requirements: kernel 'k2' requires aspects fp16, but the"
        " operator() of its object requires fp64",
        "a.cpp:30:6 sycl-mismatched-requirements: kernel 'k2' requires sub-group size 8, but"
        " the operator() of its object requires 32",
    ]


def test_undeclared_aspect_of_a_property_is_reported_at_the_user_code(source: Source) -> None:
    functions = {
        "k": {
            "kernel": "k",
            "object": "o",
            "calls": ["between"],
            "attributes": {"sycl-device-has": "5"},
        },
        "between": {"calls": ["o"]},
        "o": {"calls": ["f"]},
        "f": {"uses": [FP64]},
    }
    assert lines(found(source("a.cpp", functions))) == [
        "a.cpp:30:6 sycl-undeclared-aspect: kernel 'k' uses aspect 'fp64', which its property"
        " 'device_has' does not list",
        "  a.cpp:32:1 'k' calls 'f' here",
        "  a.cpp:41:1 uses aspect 'fp64' here: use of 6",
    ]


def test_an_internal_function_of_a_header_is_reported_once(source: Source) -> None:
    functions = {"f": {"declared": [], "uses": [FP64], "internal": True}}
    assert len(found(source("a.h", functions), source("a.h", functions))) == 1


def test_a_kernel_that_a_fixed_target_cannot_run(source: Source) -> None:
    functions = {
        "k": {"kernel": "k", "calls": ["f"], "reqd_sub_group_size": 64},
        "f": {"uses": [FP64]},
        "fine": {"kernel": "fine", "uses": [FP16]},
    }
    graph = build_graph([source("a.cpp", functions)])
    table = default_table()
    fixed = [table["intel_gpu_acm_g10"], table["spir64"]]
    assert lines(find_all(graph, Uses(graph), fixed)) == [
        "a.cpp:10:6 sycl-fixed-targets: kernel 'k' does not fit target 'intel_gpu_acm_g10', which"
        " lacks fp64, sub-group size 64",
        "  a.cpp:12:1 'k' calls 'f' here",
        "  a.cpp:21:1 uses aspect 'fp64' here: use of 6",
    ]
    assert find_all(graph, Uses(graph)) == []
