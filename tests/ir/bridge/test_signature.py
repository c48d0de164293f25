"""Clone and wrap functions, and add parameters."""

from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import Module

Parse = Callable[[str], Module]


def test_a_clone_is_independent(parse: Parse) -> None:
    module = parse("define i32 @f(i32 %x) { %y = add i32 %x, 1 \n ret i32 %y }\ndeclare void @d()")
    module.clone_function("f", "g")
    assert "define i32 @g(i32 %x) {\n  %y = add i32 %x, 1" in module.to_text()
    with pytest.raises(IRError, match="already has a global named 'g'"):
        module.clone_function("f", "g")
    with pytest.raises(IRError, match="'d' has no body"):
        module.clone_function("d", "e")


WRAPPED = """
    %struct = type { i32, i64 }
    define internal spir_func void @body(ptr byval(%struct) align 8 %s, ptr addrspace(4) %p,
        i1 zeroext %b, i32 signext %i) nounwind convergent noinline { ret void }
    """


def test_a_wrapper_converts_and_keeps_attributes(parse: Parse) -> None:
    module = parse(WRAPPED)
    module.wrap_function("body", "k", "spir_kernel", {1: "ptr addrspace(1)", 2: "i8", 3: "i64"})
    text = module.to_text()
    assert (
        "define spir_kernel void @k(ptr byval(%struct) align 8 %s, ptr addrspace(1) %p, "
        "i8 zeroext %b, i64 signext %i)" in text
    )
    assert "addrspacecast ptr addrspace(1) %p to ptr addrspace(4)" in text
    assert "icmp ne i8 %b, 0" in text
    assert "trunc i64 %i to i32" in text
    assert "call spir_func void @body(ptr byval(%struct) align 8 %s," in text
    assert module.function_attributes("convergent").keys() == {"body", "k"}
    assert module.function_attributes("nounwind").keys() == {"body", "k"}
    assert module.function_attributes("noinline").keys() == {"body"}
    module.verify()


def test_a_wrapper_drops_attributes_that_do_not_fit(parse: Parse) -> None:
    module = parse("define void @body(i32 range(i32 0, 8) %i) { ret void }")
    module.wrap_function("body", "k", "spir_kernel", {0: "i8"})
    assert "define spir_kernel void @k(i8 %i)" in module.to_text()
    assert "zext i8 %i to i32" in module.to_text()
    module.verify()


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ({0: "float"}, "of type float cannot be passed as ptr"),
        ({9: "i8"}, "no parameter 9"),
        ({0: "pointer"}, "'pointer' is not a type"),
        ({0: "label"}, "cannot have type label"),
    ],
)
def test_a_refused_wrapper_leaves_nothing_behind(
    parse: Parse, types: dict[int, str], message: str
) -> None:
    module = parse(WRAPPED)
    before = module.to_text()
    with pytest.raises(IRError, match=message):
        module.wrap_function("body", "k", "spir_kernel", types)
    assert module.to_text() == before


@pytest.mark.parametrize(
    ("linkage", "expected"),
    [
        ("", "external"),
        ("internal", "external"),
        ("linkonce_odr", "weak_odr"),
        ("weak_odr", "weak_odr"),
    ],
)
def test_a_wrapper_has_the_linkage_of_the_function(
    parse: Parse, linkage: str, expected: str
) -> None:
    comdat = "comdat" if "odr" in linkage else ""
    declaration = "$body = comdat any\n" if comdat else ""
    text = f"{declaration}define {linkage} void @body() {comdat} {{ ret void }}"
    module, twin = parse(text), parse(text)
    for one in (module, twin):
        one.wrap_function("body", "k", "spir_kernel", {})
        assert one.functions()[1].linkage == expected
    if comdat:
        module.link(twin)
        module.verify()


def test_only_void_functions_are_wrapped(parse: Parse) -> None:
    with pytest.raises(IRError, match="unlike 'f'"):
        parse("declare i32 @f()").wrap_function("f", "k", "spir_kernel", {})


KERNEL = """
    define weak_odr spir_kernel void @first() { ret void }
    define weak_odr spir_kernel void @k(ptr byval(i64) %p) #0 !dbg !4 !kind !6 {
    entry:
      %v = load i64, ptr %p, !dbg !7
      ret void, !dbg !7
    }
    @used = global ptr @k
    attributes #0 = { convergent "key"="value" }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!2}
    !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
    !1 = !DIFile(filename: "k.cpp", directory: "/")
    !2 = !{i32 2, !"Debug Info Version", i32 3}
    !3 = !DISubroutineType(types: !5)
    !4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !3, unit: !0,
                                spFlags: DISPFlagDefinition)
    !5 = !{null}
    !6 = !{i32 1}
    !7 = !DILocation(line: 2, scope: !4)
    """


def test_parameters_are_appended(parse: Parse) -> None:
    module = parse(KERNEL)
    module.add_parameters("k", [("ptr addrspace(3)", "local"), ("i64", "")])
    module.verify()
    first, kernel = module.functions()
    assert (first.name, kernel.name) == ("first", "k")
    assert kernel.parameter_types == ["ptr", "ptr addrspace(3)", "i64"]
    assert (kernel.linkage, kernel.calling_convention) == ("weak_odr", "spir_kernel")
    assert module.function_metadata("kind") == {"k": [1]}
    assert module.function_attributes("key") == {"k": "value"}
    text = module.to_text()
    assert "@k(ptr byval(i64) %p, ptr addrspace(3) %local, i64 %0)" in text
    assert "%v = load i64, ptr %p, align 4, !dbg" in text
    assert "!dbg !" in text.split("@k(")[1].splitlines()[0]
    assert "@used = global ptr @k" in text


def test_parameters_are_stored_on_entry(parse: Parse) -> None:
    module = parse(KERNEL)
    module.add_parameters("k", [("ptr addrspace(3)", "local")])
    module.store_parameters("k", [(1, 0, 24)])
    module.verify()
    entry = module.to_text().split("entry:")[1].splitlines()
    assert "getelementptr inbounds i8, ptr %p, i64 24" in entry[1]
    assert "store ptr addrspace(3) %local, ptr" in entry[2]
    assert "load i64" in entry[3]


def test_addresses_in_an_array_are_stored(parse: Parse) -> None:
    module = parse(KERNEL)
    module.add_parameters("k", [("i32", "one"), ("i32", "two")])
    module.declare_array("memory", 3, 128)
    module.declare_array("memory", 3, 128)
    module.store_parameters("k", [(1, 0, 24), (2, 0, 32)], "memory")
    module.verify()
    text = module.to_text()
    assert text.count("@memory = external addrspace(3) global [0 x i8], align 128") == 1
    entry = text.split("entry:")[1].splitlines()
    assert "getelementptr inbounds i8, ptr addrspace(3) @memory, i32 %one" in entry[1]
    assert "getelementptr inbounds i8, ptr %p, i64 24" in entry[2]
    assert "store ptr addrspace(3)" in entry[3]
    assert "ptr addrspace(3) @memory, i32 %two" in entry[4]


BY_REFERENCE = """
    target datalayout = "A5"
    define amdgpu_kernel void @k(ptr addrspace(4) byref([8 x i8]) %p, i32 %x) {
      %copy = alloca [8 x i8], align 8, addrspace(5)
      %object = addrspacecast ptr addrspace(5) %copy to ptr
      COPY
      ret void
    }
    declare void @llvm.memcpy.p0.p4.i64(ptr, ptr addrspace(4), i64, i1)
    """


def test_an_object_in_shared_memory_is_not_changed(parse: Parse) -> None:
    copy = "call void @llvm.memcpy.p0.p4.i64(ptr %object, ptr addrspace(4) %p, i64 8, i1 false)"
    module = parse(BY_REFERENCE.replace("COPY", copy))
    module.store_parameters("k", [(1, 0, 4)])
    module.verify()
    _, _, behind = module.to_text().partition("call void @llvm.memcpy")
    _, place, store, *_ = behind.splitlines()
    assert "getelementptr inbounds i8, ptr %object, i64 4" in place
    assert "store i32 %x, ptr" in store
    uncopied = parse(BY_REFERENCE.replace("COPY", ""))
    with pytest.raises(IRError, match="function 'k' does not copy parameter 0"):
        uncopied.store_parameters("k", [(1, 0, 4)])


def test_parameters_are_stored_as_another_type(parse: Parse) -> None:
    module = parse(KERNEL)
    module.add_parameters("k", [("ptr addrspace(1)", "memory")])
    module.store_parameters("k", [(1, 0, 24)], type="ptr addrspace(4)")
    module.verify()
    entry = module.to_text().split("entry:")[1].splitlines()
    assert "addrspacecast ptr addrspace(1) %memory to ptr addrspace(4)" in entry[1]
    assert "getelementptr inbounds i8, ptr %p, i64 24" in entry[2]
    assert "store ptr addrspace(4)" in entry[3]


def test_an_object_that_is_passed_as_its_pointer(parse: Parse) -> None:
    module = parse("define void @f(ptr %p, ptr addrspace(1) %q) { store i8 1, ptr %p \n ret void }")
    with pytest.raises(IRError, match="parameter 0 of 'f' is a single pointer, so offset"):
        module.store_parameters("f", [(1, 0, 8)], type="ptr")
    module.store_parameters("f", [(1, 0, 0)], type="ptr")
    module.verify()
    assert "%1 = addrspacecast ptr addrspace(1) %q to ptr\n  store i8 1, ptr %1" in module.to_text()


def test_invalid_arrays(parse: Parse) -> None:
    module = parse("define void @f(ptr %p, ptr %q) { ret void }")
    with pytest.raises(IRError, match="alignment 3 is not a power of two"):
        module.declare_array("memory", 3, 3)
    with pytest.raises(IRError, match="'f'"):
        module.declare_array("f", 3, 4)
    with pytest.raises(IRError, match="there is no variable 'memory'"):
        module.store_parameters("f", [(1, 0, 0)], "memory")
    module.declare_array("memory", 3, 4)
    with pytest.raises(IRError, match="parameter 1 of 'f' is not an offset"):
        module.store_parameters("f", [(1, 0, 0)], "memory")


@pytest.mark.parametrize(
    ("stores", "message"),
    [
        ([(0, 0, 0), (7, 0, 0)], "no parameter 7"),
        ([(0, 1, 0)], "parameter 1 of 'f' is not a pointer"),
    ],
)
def test_refused_stores_leave_nothing_behind(
    parse: Parse, stores: list[tuple[int, int, int]], message: str
) -> None:
    module = parse("define void @f(ptr %p, i32 %i) { ret void }")
    before = module.to_text()
    with pytest.raises(IRError, match=message):
        module.store_parameters("f", stores)
    assert module.to_text() == before


def test_called_functions_keep_their_parameters(parse: Parse) -> None:
    module = parse("define void @f() { call void @f() \n ret void }\ndeclare void @d()")
    with pytest.raises(IRError, match="'f' is called"):
        module.add_parameters("f", [("i32", "x")])
    with pytest.raises(IRError, match="'d' has no body"):
        module.add_parameters("d", [("i32", "x")])
