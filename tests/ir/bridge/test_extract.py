"""Extract parts of a module."""

from collections.abc import Callable

import pytest
from effort import effort

from dovetail.errors import IRError
from dovetail.ir import Context, Module

Parse = Callable[[str], Module]


def names(module: Module) -> set[str]:
    return {item.name for item in [*module.functions(), *module.global_variables()]}


SOURCE = """
    target datalayout = "e-p:64:64"
    target triple = "spirv64-unknown-unknown"
    $shared = comdat any
    @table = internal constant [2 x ptr] [ptr @held, ptr @other_name]
    @unrelated = global ptr @b
    @other_name = alias void (), ptr @target
    define linkonce_odr void @shared() comdat { ret void }
    define internal void @held() !note !2 { ret void }
    define void @target() { ret void }
    declare !note !2 void @outside()
    define spir_kernel void @a() {
      call void @shared()
      %f = load ptr, ptr @table
      call void %f()
      call void @outside()
      ret void
    }
    define spir_kernel void @b() { call void @shared() \n ret void }
    !kernels = !{!0, !1}
    !llvm.module.flags = !{!3}
    !llvm.ident = !{!2}
    !0 = !{ptr @a, !2}
    !1 = !{ptr @b, !2}
    !2 = !{!"text"}
    !3 = !{i32 1, !"wchar_size", i32 4}
    """


def test_a_part_contains_only_what_it_refers_to(parse: Parse) -> None:
    part = parse(SOURCE).extract(["a"])
    part.verify()
    assert names(part) == {"a", "shared", "held", "target", "outside", "table"}
    text = part.to_text()
    assert 'target datalayout = "e-p:64:64"' in text
    assert "@other_name = alias void (), ptr @target" in text
    assert "define linkonce_odr void @shared() comdat" in text
    assert "define internal void @held() !note" in text
    assert "declare !note" in text
    assert part.named_metadata("llvm.module.flags") == [[1, "wchar_size", 4]]
    assert part.named_metadata("llvm.ident") == []


def test_the_source_is_not_changed(parse: Parse) -> None:
    module = parse(SOURCE)
    before = module.to_text()
    module.extract(["a"], ["kernels"])
    assert module.to_text() == before


def test_named_metadata_is_copied_with_its_globals(parse: Parse) -> None:
    part = parse(SOURCE).extract(["b"], ["kernels", "llvm.ident", "absent"])
    part.verify()
    assert "!kernels = !{!0}" in part.to_text()
    assert "!0 = !{ptr @b," in part.to_text()
    assert part.named_metadata("llvm.ident") == [["text"]]
    assert names(part) == {"b", "shared"}


def test_roots_may_be_variables_and_several(parse: Parse) -> None:
    module = parse(SOURCE)
    assert names(module.extract(["unrelated"])) == {"unrelated", "b", "shared"}
    assert names(module.extract(["shared", "target"])) == {"shared", "target"}
    assert names(module.extract([])) == set()
    with pytest.raises(IRError, match="named 'nobody'"):
        module.extract(["a", "nobody"])


LINKAGES = """
    $entry = comdat any
    $inner = comdat any
    @llvm.used = appending global [1 x ptr] [ptr @unused], section "llvm.metadata"
    @text = private unnamed_addr constant [2 x i8] c"a\\00"
    @shared = weak_odr addrspace(1) global i32 0
    @defined_elsewhere = external global i32
    @optional = extern_weak global i32
    @other_name = hidden alias void (), ptr @inner
    declare void @imported()
    define available_externally void @copy() { ret void }
    define linkonce_odr hidden void @inner() comdat { call void @imported() \n ret void }
    define void @unused() { ret void }
    define weak_odr spir_kernel void @entry(ptr %p) comdat {
      call void @other_name()
      call void @copy()
      store ptr @text, ptr %p
      store ptr addrspace(1) @shared, ptr %p
      store ptr @defined_elsewhere, ptr %p
      store ptr @optional, ptr %p
      ret void
    }
    """


def linkages(module: Module) -> dict[str, str]:
    symbols = [*module.functions(), *module.global_variables()]
    return {symbol.name: symbol.linkage for symbol in symbols}


def test_public_names_are_external_and_all_others_internal(parse: Parse) -> None:
    part = parse(LINKAGES).extract(["entry"], public=["entry", "shared", "unused", "imported"])
    part.verify()
    assert linkages(part) == {
        "entry": "external",
        "inner": "internal",
        "copy": "available_externally",
        "imported": "external",
        "text": "internal",
        "shared": "external",
        "defined_elsewhere": "external",
        "optional": "extern_weak",
    }
    text = part.to_text()
    assert "@other_name = internal alias" in text
    assert "comdat" not in text


def test_an_alias_can_be_public(parse: Parse) -> None:
    part = parse(LINKAGES).extract(["other_name"], public=["other_name"])
    part.verify()
    assert "@other_name = hidden alias" in part.to_text()
    assert linkages(part) == {"inner": "internal", "imported": "external"}


def test_without_public_names_linkage_stays(parse: Parse) -> None:
    module = parse(LINKAGES)
    kept = linkages(module.extract(["entry"]))
    assert kept.items() <= linkages(module).items()
    assert linkages(module.extract(["unused"], public=[])) == {"unused": "internal"}


def test_a_list_that_grows_by_appending_stays_one(parse: Parse) -> None:
    part = parse(LINKAGES).extract(["llvm.used"], public=[])
    part.verify()
    assert linkages(part) == {"llvm.used": "appending", "unused": "internal"}


LIST = """
    define void @a() { ret void }
    define void @b() { ret void }
    define void @c() { ret void }
    !ids = !{!0, !1, !2, !3, !4}
    !0 = !{!"x"}
    !1 = !{ptr @a}
    !2 = !{ptr @b}
    !3 = !{ptr @c, ptr @a, ptr @a}
    !4 = !{!"y"}
    """


def nodes_of(module: Module) -> list[str]:
    """Return the texts of nodes, in order."""
    text = module.to_text()
    _, numbers = text.split("!ids = !{")
    wanted = numbers.splitlines()[0].removesuffix("}").split(", ")
    return [text.split(f"\n{number} = ")[1].splitlines()[0] for number in wanted]


def test_nodes_of_the_part_are_copied_in_order(parse: Parse) -> None:
    module = parse(LIST)
    assert nodes_of(module.extract(["b"], ["ids"])) == ['!{!"x"}', "!{ptr @b}", '!{!"y"}']
    assert nodes_of(module.extract(["a"], ["ids"])) == ['!{!"x"}', "!{ptr @a}", '!{!"y"}']
    both = ['!{!"x"}', "!{ptr @a}", "!{ptr @c, ptr @a, ptr @a}", '!{!"y"}']
    assert nodes_of(module.extract(["c", "a"], ["ids"])) == both


def test_changes_between_extractions_count(parse: Parse) -> None:
    module = parse(LIST)
    module.extract(["a"], ["ids"])
    module.set_named_metadata("ids", [["changed"]])
    assert module.extract(["a"], ["ids"]).named_metadata("ids") == [["changed"]]


def test_ifuncs_are_refused(parse: Parse) -> None:
    module = parse("""
        @i = ifunc void (), ptr @resolve
        define ptr @resolve() { ret ptr null }
        define void @f() { call void @i() \n ret void }
        define void @g() { ret void }
        """)
    with pytest.raises(IRError, match="'i' is an ifunc"):
        module.extract(["f"])
    with pytest.raises(IRError, match="'i' is an ifunc"):
        module.extract(["i"])
    module.extract(["g"]).verify()
    module.verify()


# Two translation units, each with a kernel and globals; @shared_inline is inlined into @a.
DEBUG = """
    @file_scope = global i32 0, !dbg !20
    @in_namespace = global i32 0, !dbg !22
    @of_b = global i32 0, !dbg !24
    define void @a() !dbg !10 {
      %v = load i32, ptr @file_scope, !dbg !15
      store i32 %v, ptr @in_namespace, !dbg !16
      ret void, !dbg !16
    }
    define void @b() !dbg !11 {
      store i32 1, ptr @of_b, !dbg !17
      ret void, !dbg !17
    }
    !llvm.dbg.cu = !{!0, !1}
    !llvm.module.flags = !{!2}
    !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, emissionKind: FullDebug,
                                 globals: !30, imports: !33)
    !1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !4, emissionKind: FullDebug,
                                 globals: !31)
    !2 = !{i32 2, !"Debug Info Version", i32 3}
    !3 = !DIFile(filename: "a.cpp", directory: "/")
    !4 = !DIFile(filename: "b.cpp", directory: "/")
    !5 = !DISubroutineType(types: !6)
    !6 = !{null}
    !7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
    !8 = !DINamespace(name: "n", scope: null)
    !10 = distinct !DISubprogram(name: "a", file: !3, line: 1, type: !5, unit: !0,
                                 spFlags: DISPFlagDefinition)
    !11 = distinct !DISubprogram(name: "b", file: !4, line: 1, type: !5, unit: !1,
                                 spFlags: DISPFlagDefinition)
    !12 = distinct !DISubprogram(name: "shared_inline", file: !4, line: 7, type: !5, unit: !1,
                                 spFlags: DISPFlagDefinition)
    !15 = !DILocation(line: 8, scope: !12, inlinedAt: !16)
    !16 = distinct !DILocation(line: 2, scope: !10)
    !17 = !DILocation(line: 2, scope: !11)
    !20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
    !21 = distinct !DIGlobalVariable(name: "file_scope", scope: !0, file: !3, type: !7)
    !22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
    !23 = distinct !DIGlobalVariable(name: "in_namespace", scope: !8, file: !3, type: !7)
    !24 = !DIGlobalVariableExpression(var: !25, expr: !DIExpression())
    !25 = distinct !DIGlobalVariable(name: "of_b", scope: !8, file: !4, type: !7)
    !30 = !{!20, !22}
    !31 = !{!24}
    !33 = !{!34}
    !34 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !0, entity: !8, file: !3, line: 1)
    """


def unit_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if "!DICompileUnit(" in line]


def reparse(module: Module) -> Module:
    """Convert to bitcode and back, which drops malformed debug information."""
    return Module.parse(Context(), module.to_bitcode(), "again")


def test_debug_information_of_one_unit(parse: Parse) -> None:
    part = parse(DEBUG).extract(["b"])
    part.verify()
    text = reparse(part).to_text()
    (unit,) = unit_lines(text)
    assert "globals:" in unit
    assert 'filename: "b.cpp"' in text
    assert "a.cpp" not in text
    assert 'name: "of_b"' in text
    assert "file_scope" not in text


def test_debug_information_of_inlined_code_needs_both_units(parse: Parse) -> None:
    part = parse(DEBUG).extract(["a"])
    part.verify()
    text = reparse(part).to_text()
    first, second = unit_lines(text)
    assert "globals:" in first
    assert "globals:" not in second
    assert "imports:" not in first
    assert "inlinedAt:" in text
    assert 'name: "in_namespace"' in text
    assert "of_b" not in text


def test_parts_with_debug_information_can_be_linked_again(parse: Parse) -> None:
    module = parse(DEBUG)
    part = module.extract(["a"])
    part.link(module.extract(["b"]))
    part.verify()
    assert names(part) == {"a", "b", "file_scope", "in_namespace", "of_b"}


def kernels(count: int) -> str:
    chains = [
        f"define void @k{i}() {{ call void @h{i}() \n ret void }}\n"
        f"define internal void @h{i}() {{ ret void }}"
        for i in range(count)
    ]
    # Some compilers write lists with a node for each kernel.
    nodes = ", ".join(f"!{i}" for i in range(count))
    named = [f"!{i} = !{{ptr @k{i}}}" for i in range(count)]
    return "\n".join([*chains, f"!kernels = !{{{nodes}}}", *named])


def test_extraction_does_not_slow_down_with_the_module(parse: Parse) -> None:
    """A copy of the whole module for each kernel would make the larger one 30 times slower."""

    def extract_50(module: Module) -> None:
        for i in range(50):
            module.extract([f"k{i}"], ["kernels"])

    small, large = parse(kernels(100)), parse(kernels(3000))
    assert effort(lambda: extract_50(large)) < 8 * effort(lambda: extract_50(small))


def test_a_clone_has_the_named_definitions_and_declares_the_rest(parse: Parse) -> None:
    module = parse(SOURCE)
    clone = module.clone_with(["b", "shared"])
    clone.verify()
    assert {f.name for f in clone.functions() if not f.is_declaration} == {"b", "shared"}
    assert names(clone) >= {"a", "b", "held", "target", "table"}
    with pytest.raises(IRError, match="named 'nobody'"):
        module.clone_with(["nobody"])
