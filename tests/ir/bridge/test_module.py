"""Reading, writing, checking and linking modules."""

from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import Context, Module

Parse = Callable[[str], Module]


def test_text_and_bitcode_give_the_same_module(context: Context, parse: Parse) -> None:
    module = parse("""
        target datalayout = "e-i64:64-G1"
        target triple = "spirv64-unknown-unknown"
        declare void @f(i32)
        """)
    again = Module.parse(context, module.to_bitcode(), "test.ll")
    assert again.to_text() == module.to_text()
    assert again.name == "test.ll"
    assert again.triple == "spirv64-unknown-unknown"
    assert again.context is context


def test_a_syntax_error_is_located(parse: Parse) -> None:
    with pytest.raises(IRError, match=r"test\.ll:2:9: error: expected") as error:
        parse("declare void @f()\ndeclare @")
    assert "declare @" in str(error.value)


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00garbage", b"BC\xc0\xde", b"BC\xc0\xde" + b"\x35" * 99]
)
def test_garbage_is_refused(context: Context, data: bytes) -> None:
    with pytest.raises(IRError):
        Module.parse(context, data, "garbage")


def test_names_must_be_utf8(parse: Parse) -> None:
    with pytest.raises(IRError, match="not UTF-8"):
        parse('declare void @"a\\FFb"()')


def test_verify_reports_what_llvm_says(parse: Parse) -> None:
    module = parse(
        "define void @k() { ret void }\ndefine void @caller() { call void @k() \n ret void }"
    )
    module.verify()
    module.set_calling_convention({"k": "spir_kernel"})
    # It is looked at again once it has changed, and for as long as it is wrong.
    for _ in range(2):
        with pytest.raises(IRError, match="calling convention does not permit calls"):
            module.verify()


def test_link_resolves_declarations_and_consumes_the_other(parse: Parse) -> None:
    program = parse("declare i32 @f()\ndefine i32 @g() { %r = call i32 @f() \n ret i32 %r }")
    library = parse("define i32 @f() { ret i32 1 }")
    program.link(library)
    assert not any(function.is_declaration for function in program.functions())
    for use in (library.to_text, library.functions, library.verify, library.call_graph):
        with pytest.raises(IRError, match="no longer usable"):
            use()
    with pytest.raises(IRError, match="no longer usable"):
        program.link(library)


def test_link_reports_clashes(parse: Parse) -> None:
    program = parse("define void @f() { ret void }")
    with pytest.raises(IRError, match="symbol multiply defined"):
        program.link(parse("define void @f() { ret void }"))


def test_link_refuses_itself_and_other_contexts(parse: Parse) -> None:
    module = parse("declare void @f()")
    with pytest.raises(IRError, match="into itself"):
        module.link(module)
    foreign = Module.parse(Context(), b"declare void @g()", "foreign")
    with pytest.raises(IRError, match="different contexts"):
        module.link(foreign)
    assert foreign.functions()[0].name == "g"


def test_warnings_are_collected_once(context: Context, parse: Parse) -> None:
    program = parse('target triple = "spirv64-unknown-unknown"\ndeclare void @f()')
    program.link(parse('target triple = "nvptx64-nvidia-cuda"\ndeclare void @g()'))
    (warning,) = context.take_warnings()
    assert "different target triples" in warning
    assert context.take_warnings() == []


def test_functions_are_listed_in_order(parse: Parse) -> None:
    module = parse("""
        %pair = type { i32, i32 }
        define weak_odr spir_kernel void @b(ptr addrspace(1) %p, i8 %i) { ret void }
        declare spir_func float @a(ptr byval(%pair))
        define internal amdgpu_gfx void @c() { ret void }
        """)
    b, a, c = module.functions()
    assert (b.name, b.is_declaration, b.linkage) == ("b", False, "weak_odr")
    assert (b.calling_convention, b.return_type) == ("spir_kernel", "void")
    assert b.parameter_types == ["ptr addrspace(1)", "i8"]
    assert (a.name, a.is_declaration, a.linkage) == ("a", True, "external")
    assert (a.calling_convention, a.return_type) == ("spir_func", "float")
    assert (c.name, c.linkage, c.calling_convention) == ("c", "internal", "100")


def test_global_variables_are_described(parse: Parse) -> None:
    module = parse("""
        %opaque = type opaque
        @table = internal addrspace(3) global [5 x i16] undef, align 16
        @limit = external constant i32
        @thing = external global %opaque
        """)
    table, limit, thing = module.global_variables()
    assert (table.name, table.address_space, table.value_type) == ("table", 3, "[5 x i16]")
    assert (table.size, table.alignment, table.is_constant) == (10, 16, False)
    assert (table.linkage, table.is_declaration) == ("internal", False)
    assert (limit.size, limit.alignment, limit.is_constant) == (4, 4, True)
    assert limit.is_declaration
    assert (thing.size, thing.value_type) == (0, "%opaque")
