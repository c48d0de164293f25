"""The representation of each property at each place, and its valid values."""

import pytest

from dovetail.errors import FormatError, IRError
from dovetail.ir import Context, Module
from dovetail.postlink.compile_time_properties import (
    properties_in,
    property_names,
    represent_properties,
)
from dovetail.postlink.representation import PropertyCarrier, representation
from dovetail.spirv_metadata import (
    Decoration,
    execution_modes,
    format_annotation,
    parameter_decorations,
    parse_annotation,
    parse_operands,
    variable_decorations,
)

HOST_ACCESS = [("0", 1), ("1", 2), ("2", 3), ("3", 0), ("read", 1), ("none", 0)]


def parsed(text: str) -> Module:
    return Module.parse(Context(), text.encode(), "a.ll")


def kernel(attributes: str = "", metadata: str = "", parameter: str = "") -> Module:
    return parsed(
        f"define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) {parameter} %b)"
        f" {attributes} {metadata} {{ ret void }}\n!0 = !{{i32 16}}\n"
    )


@pytest.mark.parametrize(
    ("name", "value", "mode"),
    [
        ("sycl-execution-mode-7001", "", Decoration(7001)),
        ("sycl-execution-mode-7001", "3,-1", Decoration(7001, (3, 0xFFFF_FFFF))),
    ],
)
def test_on_kernels(name: str, value: str, mode: Decoration) -> None:
    module = kernel(f'"{name}"="{value}"')
    represent_properties(module, [name])
    assert execution_modes(module) == [("k", mode)]
    assert not module.function_attributes(name)
    module.verify()


def test_modes_are_added_to_existing_ones() -> None:
    module = kernel('"sycl-execution-mode-7001"="5"')
    module.set_execution_modes([("k", [31])])
    represent_properties(module, ["sycl-execution-mode-7001"])
    assert execution_modes(module) == [("k", Decoration(31)), ("k", Decoration(7001, (5,)))]


def test_only_kernels_have_modes() -> None:
    module = parsed('define spir_func void @f() "sycl-execution-mode-7001" { ret void }')
    represent_properties(module, ["sycl-execution-mode-7001"])
    assert execution_modes(module) == []
    assert not module.function_attributes("sycl-execution-mode-7001")


@pytest.mark.parametrize(
    ("name", "value", "decorations"),
    [
        ("sycl-no-alias", "", [Decoration(38, (4,))]),
        ("sycl-no-alias", "true", [Decoration(38, (4,))]),
        ("sycl-no-alias", "false", []),
        ("sycl-alignment", "16", [Decoration(44, (16,))]),
        ("sycl-buffer-location", "3", [Decoration(5921, (3,))]),
        ("sycl-decoration-7744", "", [Decoration(7744)]),
        ("sycl-decoration-7744", "1,2", [Decoration(7744, (1, 2))]),
        ("sycl-decoration-7744", "1.500000", [Decoration(7744, ("1.500000",))]),
        ("sycl-decoration-7744", "true", [Decoration(7744, ("true",))]),
        ("sycl-decoration-7744", "a text", [Decoration(7744, ("a text",))]),
        ("sycl-decoration-5635", "12", [Decoration(5635, ("12",))]),
    ],
)
def test_on_parameters(name: str, value: str, decorations: list[Decoration]) -> None:
    module = kernel(parameter=f'"{name}"="{value}"')
    represent_properties(module, [name])
    assert parameter_decorations(module) == ({"k": [[], decorations]} if decorations else {})
    assert not module.parameter_attributes(name)
    module.verify()


@pytest.mark.parametrize(
    ("name", "value", "decoration"),
    [
        *(("sycl-host-access", value, Decoration(6188, (n, "v"))) for value, n in HOST_ACCESS),
        ("sycl-init-mode", "0", Decoration(6190, (0,))),
        ("sycl-init-mode", "1", Decoration(6190, (1,))),
        ("sycl-implement-in-csr", "", Decoration(6191, (1,))),
        ("sycl-implement-in-csr", "true", Decoration(6191, (1,))),
        ("sycl-implement-in-csr", "false", Decoration(6191, (0,))),
        ("sycl-alignment", "64", Decoration(44, (64,))),
        ("sycl-decoration-7744", "a text", Decoration(7744, ("a text",))),
    ],
)
def test_on_variables(name: str, value: str, decoration: Decoration) -> None:
    module = parsed(f'@v = global i32 0 #0\nattributes #0 = {{ "{name}"="{value}" }}')
    represent_properties(module, [name])
    assert variable_decorations(module) == {"v": [decoration]}
    assert not module.global_variable_attributes(name)
    module.verify()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("foo,bar=32", [("foo", ""), ("bar", "32")]),
        ("foo=8\\,4\\,1,bar", [("foo", "8,4,1"), ("bar", "")]),
        ("foo=a,bar=c=d", [("foo", "a"), ("bar", "c=d")]),
        ("a\\=b\\,c=\\\\,d", [("a=b,c", "\\"), ("d", "")]),
        ("foo=a\nb", [("foo", "a\nb")]),
        ("foo", [("foo", "")]),
        ("", []),
    ],
)
def test_properties_in_annotations(text: str, expected: list[tuple[str, str]]) -> None:
    assert list(properties_in(text)) == expected


@pytest.mark.parametrize(
    "decorations",
    [
        [Decoration(7744)],
        [Decoration(7744, (1, 2)), Decoration(44, (16,))],
        [Decoration(7744, ('a "quoted}" \\ text{',)), Decoration(7745, ("ä, ö",))],
    ],
)
def test_annotations_round_trip(decorations: list[Decoration]) -> None:
    assert parse_annotation(format_annotation(decorations)) == decorations


@pytest.mark.parametrize(
    "text", ["", "mine", "{44}x", "x{44}", "{44:16}", '{44:"16}', "{99999999999}"]
)
def test_other_annotations(text: str) -> None:
    assert parse_annotation(text) is None


def test_integers_that_do_not_fit_are_strings() -> None:
    assert parse_operands("4294967295") == (0xFFFF_FFFF,)
    assert parse_operands("4294967296") == ("4294967296",)
    assert parse_operands("-2147483649") == ("-2147483649",)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("foo", PropertyCarrier.PARAMETER),
        ("sycl-no-alias", PropertyCarrier.VARIABLE),
        ("sycl-alignment", PropertyCarrier.MEMBER),
        ("sycl-sub-group-size", PropertyCarrier.PARAMETER),
        ("sycl-decoration-7744", PropertyCarrier.KERNEL),
        ("sycl-execution-mode-7001", PropertyCarrier.VARIABLE),
        ("sycl-decoration-4294967296", PropertyCarrier.VARIABLE),
        ("sycl-decoration-x", PropertyCarrier.VARIABLE),
    ],
)
def test_properties_without_representation(name: str, place: PropertyCarrier) -> None:
    assert representation(name, place) is None


@pytest.mark.parametrize(
    ("name", "place", "value", "message"),
    [
        ("sycl-alignment", PropertyCarrier.PARAMETER, "x", "expected a 32-bit integer, got 'x'"),
        (
            "sycl-alignment",
            PropertyCarrier.PARAMETER,
            "1,2",
            "expected a 32-bit integer, got '1,2'",
        ),
        ("sycl-no-alias", PropertyCarrier.PARAMETER, "perhaps", "expected 'true' or 'false', got"),
        ("sycl-host-access", PropertyCarrier.VARIABLE, "4", "or 'none', got '4'"),
        (
            "sycl-execution-mode-17",
            PropertyCarrier.KERNEL,
            "3",
            "an integer, an integer, an integer",
        ),
        (
            "sycl-execution-mode-31",
            PropertyCarrier.KERNEL,
            "1",
            "expected no operands, got '1'",
        ),
        (
            "sycl-execution-mode-38",
            PropertyCarrier.KERNEL,
            "1,1,1",
            "expected ids, which properties cannot have",
        ),
        ("sycl-decoration-44", PropertyCarrier.PARAMETER, "x", "expected an integer, got 'x'"),
    ],
)
def test_invalid_values(name: str, place: PropertyCarrier, value: str, message: str) -> None:
    row = representation(name, place)
    assert row is not None
    with pytest.raises(FormatError, match=message):
        row.of(value, "symbol")


def test_errors_name_the_symbol() -> None:
    module = kernel(parameter='"sycl-alignment"="x"')
    message = "a.ll: property 'sycl-alignment' of 'k': expected a 32-bit integer, got 'x'"
    with pytest.raises(IRError, match=message):
        represent_properties(module, ["sycl-alignment"])


def test_names_of_properties() -> None:
    module = parsed('!sycl_properties = !{!0, !1, !0}\n!0 = !{!"b"}\n!1 = !{!"a"}')
    assert property_names(module) == ("a", "b")


def test_known_properties_need_not_be_listed() -> None:
    module = parsed(
        '@v = global i32 0 "sycl-init-mode"="1" "mine"\n'
        'define spir_kernel void @k(ptr "sycl-no-alias" nonnull %p) #0 { ret void }\n'
        'attributes #0 = { nounwind "sycl-device-has"="1" "sycl-execution-mode-31" "x\\FF" }\n'
    )
    assert property_names(module) == (
        "sycl-device-has",
        "sycl-execution-mode-31",
        "sycl-init-mode",
        "sycl-no-alias",
    )
    with pytest.raises(IRError, match="does not contain names of properties"):
        property_names(parsed("!sycl_properties = !{!0}\n!0 = !{i32 1}"))


@pytest.mark.parametrize("node", ["!{}", '!{!"x"}', "!{null}", "!{!0}"])
def test_malformed_decorations(node: str) -> None:
    text = f"@v = global i32 0, !spirv.Decorations !1\n!0 = !{{}}\n!1 = !{{{node}}}"
    with pytest.raises(IRError, match=r"a\.ll: a decoration or execution mode for SPIR-V"):
        variable_decorations(parsed(text))
