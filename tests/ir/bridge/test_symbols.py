"""Names, linkage, calling conventions, initial values."""

from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import Module

Parse = Callable[[str], Module]


def linkage(module: Module) -> dict[str, str]:
    return {function.name: function.linkage for function in module.functions()}


def test_linkage_changes_and_leaves_the_comdat(parse: Parse) -> None:
    module = parse("""
        $f = comdat any
        define linkonce_odr void @f() comdat { ret void }
        define void @g() { ret void }
        """)
    module.set_linkage({"f": "internal", "g": "weak_odr"})
    assert linkage(module) == {"f": "internal", "g": "weak_odr"}
    assert "define internal void @f() {" in module.to_text()
    module.verify()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"f": "internal", "d": "internal"}, "'d' is a declaration"),
        ({"f": "extern_weak"}, "'f' is defined"),
        ({"f": "purple"}, "no linkage 'purple'"),
        ({"nobody": "internal"}, "named 'nobody'"),
    ],
)
def test_impossible_linkage_is_refused(parse: Parse, change: dict[str, str], message: str) -> None:
    module = parse("define void @f() { ret void }\ndeclare void @d()")
    with pytest.raises(IRError, match=message):
        module.set_linkage(change)
    assert linkage(module) == {"f": "external", "d": "external"}


def test_calls_follow_the_calling_convention(parse: Parse) -> None:
    module = parse("declare void @f(ptr)\ndefine void @g() { call void @f(ptr @g) \n ret void }")
    module.set_calling_convention({"f": "spir_func", "g": "100"})
    text = module.to_text()
    assert "declare spir_func void @f(ptr)" in text
    assert "call spir_func void @f(ptr @g)" in text
    assert module.functions()[1].calling_convention == "100"


@pytest.mark.parametrize("name", ["sprikernel", "-1", "4096"])
def test_unknown_calling_conventions_are_refused(parse: Parse, name: str) -> None:
    with pytest.raises(IRError, match=f"no calling convention '{name}'"):
        parse("declare void @f()").set_calling_convention({"f": name})


def test_two_symbols_exchange_names_and_comdats(parse: Parse) -> None:
    module = parse("""
        $a = comdat any
        $b = comdat largest
        define linkonce_odr i32 @a() comdat { ret i32 1 }
        define linkonce_odr i32 @b() comdat { ret i32 2 }
        """)
    module.rename({"a": "b", "b": "a"})
    text = module.to_text()
    assert "define linkonce_odr i32 @b() comdat {\n  ret i32 1" in text
    assert "define linkonce_odr i32 @a() comdat {\n  ret i32 2" in text
    assert "$a = comdat largest" in text
    module.verify()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"a": "c"}, "already has a global named 'c'"),
        ({"a": "x", "b": "x"}, "both be renamed to 'x'"),
        ({"a": ""}, "empty name"),
        ({"x": "y"}, "named 'x'"),
    ],
)
def test_impossible_names_are_refused(parse: Parse, names: dict[str, str], message: str) -> None:
    module = parse("declare void @a()\ndeclare void @b()\n@c = external global i32")
    with pytest.raises(IRError, match=message):
        module.rename(names)
    assert [function.name for function in module.functions()] == ["a", "b"]


def test_initial_values_are_removed(parse: Parse) -> None:
    module = parse(
        "@m = internal addrspace(1) global { i8, i32 } { i8 1, i32 2 }\n@d = external global i32"
    )
    module.make_zero(["m"])
    assert "@m = internal addrspace(1) global { i8, i32 } zeroinitializer" in module.to_text()
    with pytest.raises(IRError, match="'d' is only declared"):
        module.make_zero(["d"])


def test_kept_variables(parse: Parse) -> None:
    module = parse("@a = internal addrspace(1) global i32 0\n@b = internal global i32 0")
    module.keep_variables([])
    module.keep_variables(["a"])
    module.run_passes("default<O2>")
    assert [variable.name for variable in module.global_variables()] == ["a", "llvm.compiler.used"]
    with pytest.raises(IRError, match="'c'"):
        module.keep_variables(["a", "c"])
