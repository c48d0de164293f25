"""Forms of IR for the SPIR-V back-end, and the checks of its output."""

import re
import subprocess
from pathlib import Path

import pytest

from dovetail.artifacts import DeviceImage
from dovetail.cli.main import main
from dovetail.codegen.generator import CodeGenerationError, InvalidCode
from dovetail.codegen.spirv import emit, forms
from dovetail.codegen.spirv.emit import TRIPLE, emit_spirv
from dovetail.codegen.spirv.id_terms import collect_id_terms
from dovetail.codegen.spirv.intrinsics import replace_intrinsics
from dovetail.codegen.spirv.shapes import shape_difference
from dovetail.codegen.spirv.validate import validate_spirv
from dovetail.errors import IRError
from dovetail.image import ImageInfo
from dovetail.ir import Context, Module

Capture = pytest.CaptureFixture[str]

GUARDED = """
define spir_kernel void @k(ptr addrspace(1) %p) {
  %first = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %n1, %next ]
  %y = phi i32 [ %first, %0 ], [ %y1, %next ]
  %zero = icmp eq i32 %y, 0
  br i1 %zero, label %join, label %divide
divide:
  %r = srem i32 255, %y
  %large = icmp ugt i32 %r, %n
  br label %join
join:
  %five = phi i1 [ %large, %divide ], [ false, %loop ]
  %any = or i1 %zero, %five
  %mux = select i1 %five, i32 5, i32 0
  br i1 %any, label %next, label %again
again:
  %s = srem i32 255, %y
  br label %next
next:
  %y1 = phi i32 [ %mux, %join ], [ %s, %again ]
  %n1 = add i32 %n, 1
  %done = icmp eq i32 %n1, 7
  br i1 %done, label %out, label %loop
out:
  store i32 %y1, ptr addrspace(1) %p
  ret void
}
"""

COPIED = """
%S = type { ptr addrspace(4), [4 x i64] }
define spir_kernel void @k(ptr byval(%S) %s, ptr addrspace(1) %out) {
  %copy = alloca %S, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %s, i64 40, i1 false)
  %p = load ptr addrspace(4), ptr %copy
  %place = getelementptr i8, ptr %copy, i64 8
  %n = load i64, ptr %place
  %at = getelementptr i32, ptr addrspace(4) %p, i64 %n
  %x = load i32, ptr addrspace(4) %at
  %r = call spir_func i32 @f(ptr byval(%S) %copy, i32 %x)
  store i32 %r, ptr addrspace(1) %out
  ret void
}
define internal spir_func i32 @f(ptr byval(%S) %s, i32 %x) noinline memory(argmem: read) {
  %p = load ptr addrspace(4), ptr %s
  %y = load i32, ptr addrspace(4) %p
  %r = add i32 %x, %y
  ret i32 %r
}
"""

POINTER = """
define spir_kernel void @k(ptr addrspace(1) %p) {
  %v = alloca ptr addrspace(4), align 8
  %g = addrspacecast ptr %v to ptr addrspace(4)
  %q = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  store ptr addrspace(4) %q, ptr %v
  call spir_func void @f(ptr addrspace(4) %g)
  ret void
}
define internal spir_func void @f(ptr addrspace(4) %g) noinline {
  %q = load ptr addrspace(4), ptr addrspace(4) %g
  store i8 1, ptr addrspace(4) %q
  ret void
}
"""


def parsed(text: str) -> Module:
    lines = 'target triple = "spirv64-unknown-unknown"\n'
    return Module.parse(Context(), (lines + text).encode(), "test.ll")


def image(text: str) -> DeviceImage:
    return DeviceImage(parsed(text), ("k",), ImageInfo())


def disassembled(code: bytes) -> str:
    command = ["spirv-dis", "--no-header", "-"]
    return subprocess.run(command, input=code, capture_output=True, check=True).stdout.decode()


def difference(module: Module, level: int) -> str:
    code = module.emit(triple=TRIPLE, opt_level=level)
    return shape_difference(module.function_shapes(), code)


def test_divisions_stay_after_their_guards() -> None:
    code = emit_spirv(image(GUARDED))
    assert disassembled(code).count("OpSRem") == 2
    assert not difference(parsed(GUARDED), 0)


def test_moved_divisions_are_detected() -> None:
    """LLVM 22 moves them when it optimizes."""
    assert "divisions or loads are in other basic blocks" in difference(parsed(GUARDED), 2)


def test_variables_keep_their_sizes() -> None:
    module = parsed(COPIED)
    assert "expected 40 bytes for variable 1, got 8" in difference(module, 0)
    forms.pin_variable_types(module)
    assert not difference(module, 0)


def test_variables_that_are_pointers_keep_their_sizes() -> None:
    module = parsed(POINTER)
    forms.pin_variable_types(module)
    assert not difference(module, 0)


def test_variables_with_matching_uses_keep_their_types() -> None:
    module = parsed(
        "define void @f(i64 %n) {\n %a = alloca [4 x i32]\n %b = alloca i32\n store i32 1, ptr %b\n"
        " %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %n\n store i32 2, ptr %p\n ret void }"
    )
    before = module.to_text()
    forms.pin_variable_types(module)
    assert module.to_text() == before


def test_functions_have_no_memory_effects_attribute() -> None:
    text = disassembled(emit_spirv(image(COPIED)))
    assert re.findall(r"OpFunction %\w+ (\S+)", text) == ["None", "DontInline"]


def test_classes_are_copied_by_the_called_function() -> None:
    module = parsed(COPIED.replace("%y = load", "store i64 1, ptr %s\n  %y = load"))
    forms.pass_by_reference(module)
    text = module.to_text()
    assert "define spir_kernel void @k(ptr byval(%S)" in text, "kernels are launched by drivers"
    assert "@f(ptr %s" in text
    assert "call spir_func i32 @f(ptr %copy" in text
    body = text[text.index("define internal") :]
    assert "llvm.memcpy" in body
    assert "store i64 1, ptr %s" not in body
    module.verify()


def test_read_only_classes_are_not_copied() -> None:
    text = COPIED.replace("ptr byval(%S) %s, i32", "ptr readonly byval(%S) %s, i32")
    module = parsed(text.replace("memory(argmem: read)", "memory(read)"))
    forms.pass_by_reference(module)
    text = module.to_text()
    assert "call void @llvm.memcpy" not in text[text.index("define internal") :]


@pytest.mark.parametrize(
    ("signature", "body"),
    [
        ("i32 @f(i24 %x)", "%y = zext i24 %x to i32\n ret i32 %y"),
        ("i64 @f(i64 %x, i1 %c)", "%y = zext i64 %x to i128\n br i1 %c, label %a, label %b\n"
         "a: br label %b\nb: %p = phi i128 [ %y, %0 ], [ 5, %a ]\n"
         "%z = udiv i128 %p, %y\n%h = lshr i128 %z, 64\n %r = trunc i128 %h to i64\n ret i64 %r"),
    ],
    ids=["parameter", "128 bits"],
)  # fmt: skip
def test_integers_that_cannot_be_promoted(signature: str, body: str) -> None:
    module = parsed(f"define {signature} {{ {body}\n}}")
    before = module.to_text()
    with pytest.raises(IRError, match=r"'f' (has an integer of a width|computes with integers of)"):
        forms.use_supported_integers(module)
    # The second attempt at emission starts from the same module as the first one.
    assert module.to_text() == before


def test_integers_are_promoted_everywhere() -> None:
    module = parsed("""
define i32 @f(ptr %p, i32 %x, <4 x i8> %v, i1 %c) {
entry:
  %t = trunc i32 %x to i20
  switch i20 %t, label %b [ i20 -1, label %b
                            i20 7, label %a ]
a:
  %l = load i40, ptr %p
  %m = call i40 @llvm.smax.i40(i40 %l, i40 -5)
  store i40 %m, ptr %p
  %n = trunc i40 %m to i20
  br label %b
b:
  %y = phi i20 [ %t, %entry ], [ %t, %entry ], [ %n, %a ]
  %s = select i1 %c, i20 %y, i20 3
  %e = icmp eq <4 x i8> %v, zeroinitializer
  %bits = bitcast <4 x i1> %e to i4
  %few = zext i4 %bits to i20
  %sum = add i20 %s, %few
  %g = getelementptr i8, ptr %p, i20 %sum
  store i8 0, ptr %g
  %r = sext i20 %sum to i32
  ret i32 %r
}
declare i40 @llvm.smax.i40(i40, i40)
""")
    forms.use_supported_integers(module)
    module.verify()
    body = module.to_text().partition("declare")[0]
    assert not re.search(r"\bi(?!1\b|8\b|16\b|32\b|64\b)[0-9]+\b", body)
    assert "bitcast" not in body
    assert not difference(module, 0)


@pytest.mark.parametrize("type_", ["i8", "i16", "i32", "i64", "<4 x i32>"])
def test_intrinsics_get_bodies(type_: str) -> None:
    suffix = re.sub(r"<(\d+) x (\w+)>", r"v\1\2", type_)
    text = f"""
define {type_} @f({type_} %x) {{
  %y = call {type_} @llvm.bitreverse.{suffix}({type_} %x)
  ret {type_} %y
}}
declare {type_} @llvm.bitreverse.{suffix}({type_})
"""
    with pytest.raises(IRError, match="Unable to meet SPIR-V requirements"):
        parsed(text).emit(triple=TRIPLE, opt_level=0)
    module = parsed(text)
    replace_intrinsics(module)
    assert not difference(module, 0)
    assert "call" not in module.to_text()


ONE_BIT = {
    **dict.fromkeys(("smax", "smin", "umax", "umin"), "i1 {1}"),
    **dict.fromkeys(("sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"), "i1 {1}"),
    **dict.fromkeys(("abs", "ctlz", "cttz"), "i1 false"),
    **dict.fromkeys(("ctpop", "bitreverse"), ""),
    **dict.fromkeys(("fshl", "fshr"), "i1 {1}, i1 {1}"),
}


@pytest.mark.parametrize("values", ["false false", "false true", "true false", "true true"])
@pytest.mark.parametrize("name", ONE_BIT)
def test_intrinsics_of_one_bit(name: str, values: str) -> None:
    """The bodies compute what LLVM's optimizer does for constants."""
    first, second = values.split()
    operands = ", ".join(filter(None, (f"i1 {first}", ONE_BIT[name].replace("{1}", second))))
    types = re.sub(r" (true|false)", "", operands)
    text = f"declare i1 @llvm.{name}.i1({types})\ndefine spir_func i1 @f() {{\n"
    text += f" %r = call i1 @llvm.{name}.i1({operands})\n ret i1 %r }}"
    folded, replaced = parsed(text), parsed(text)
    replace_intrinsics(replaced)
    assert "call" not in replaced.to_text()
    folded.run_passes("function(instsimplify)")
    result = re.compile(r"ret i1 (\w+)")
    assert result.findall(folded.to_text()) == result.findall(replaced.to_text())


def adding(length: int) -> str:
    return (
        f"define spir_kernel void @k(ptr addrspace(1) %p) {{\n"
        f" %x = load <{length} x i32>, ptr addrspace(1) %p\n"
        f" %y = add <{length} x i32> %x, splat (i32 3)\n"
        f" store <{length} x i32> %y, ptr addrspace(1) %p\n ret void }}"
    )


@pytest.mark.parametrize(("length", "sums"), [(3, 3), (4, 1), (5, 5), (32, 32)])
def test_vectors_of_unusual_lengths_are_split(length: int, sums: int) -> None:
    assert disassembled(emit_spirv(image(adding(length)))).count("OpIAdd") == sums


REINTERPRETED = """
define spir_kernel void @k(ptr addrspace(1) %p) {
  %three = load <3 x i64>, ptr addrspace(1) %p
  %n = extractelement <3 x i64> %three, i64 0
  %x = trunc i64 %n to i32
  %a = insertelement <4 x i64> <i64 3, i64 poison, i64 poison, i64 poison>, i64 %n, i64 1
  %b = bitcast <4 x i64> %a to <8 x i32>
  %c = extractelement <8 x i32> %b, i64 0
  %v = insertelement <4 x i32> <i32 7, i32 poison, i32 9, i32 9>, i32 %c, i64 1
  %w = insertelement <4 x i32> %v, i32 %x, i64 0
  store <4 x i32> %w, ptr addrspace(1) %p
  ret void
}
"""


def test_constants_have_no_casts_after_vectors_are_split() -> None:
    module = parsed(REINTERPRETED)
    module.split_vectors((2, 4, 8, 16))
    assert "bitcast (" not in module.to_text()
    assert "OpStore" in disassembled(emit_spirv(image(REINTERPRETED)))


THREE = """
define spir_kernel void @k(ptr addrspace(1) %p) {
  %x = load <3 x i32>, ptr addrspace(1) %p
  %r = call spir_func i32 @f(<3 x i32> %x)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
define internal spir_func i32 @f(<3 x i32> %v) noinline {
  %r = extractelement <3 x i32> %v, i64 2
  ret i32 %r
}
"""


def test_parameters_are_vectors_of_four_instead_of_three() -> None:
    module = parsed(THREE)
    forms.use_common_vectors(module)
    assert "define internal spir_func i32 @f(<4 x i32> %v)" in module.to_text()
    assert "<3 x" not in disassembled(emit_spirv(image(THREE)))


def test_functions_return_vectors_of_four_instead_of_three() -> None:
    module = parsed("""
declare spir_func noundef <3 x float> @imported(i32, <3 x float> noundef)
declare <3 x float> @llvm.fabs.v3f32(<3 x float>)
define spir_func noundef <3 x float> @exported(<3 x float> noundef %v) {
  %w = call spir_func noundef <3 x float> @imported(i32 1, <3 x float> noundef %v)
  %r = call <3 x float> @llvm.fabs.v3f32(<3 x float> %w)
  ret <3 x float> %r
}
""")
    forms.use_common_vectors(module)
    module.verify()
    text = module.to_text()
    assert "declare spir_func <4 x float> @imported(i32, <4 x float>)" in text
    assert "define spir_func <4 x float> @exported(<4 x float> %v)" in text
    assert "call spir_func <4 x float> @imported(i32 1, <4 x float> " in text


@pytest.mark.parametrize(
    "instruction",
    ["%r = extractelement <4 x i32> %v, i32 %i", "%r = insertelement <4 x i32> %v, i32 5, i32 %i"],
)
def test_indices_into_vectors_are_constant(instruction: str) -> None:
    module = parsed(f"define void @f(<4 x i32> %v, i32 %i) {{ {instruction}\n ret void }}")
    forms.use_common_vectors(module)
    text = module.to_text()
    assert "i32 %i\n" not in text
    assert text.count("select") == 4


def test_simpler_forms_are_used_after_a_failure() -> None:
    calls: list[int] = []

    def check(code: bytes) -> None:
        calls.append(len(code))
        if "OpTypeVector" in disassembled(code):
            raise InvalidCode("no good", code, ".spv")

    assert disassembled(emit_spirv(image(adding(4)), check)).count("OpIAdd") == 4
    assert len(calls) == 2


def test_the_first_failure_is_reported() -> None:
    messages = iter(("first", "second"))

    def check(code: bytes) -> None:
        raise InvalidCode(next(messages), code, ".spv")

    with pytest.raises(CodeGenerationError, match="first"):
        emit_spirv(image(GUARDED), check)


def test_wrong_code_is_an_error_that_names_kernel_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def differ(shapes: object, code: bytes) -> str:
        return "function 'f': it is missing"

    monkeypatch.setattr(emit, "shape_difference", differ)
    monkeypatch.chdir(tmp_path)
    task = "sycl::ext::oneapi::experimental::single_task_kernel"
    Path("a.cpp").write_text(
        "#include <sycl/sycl.hpp>\n\n"
        f"SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(({task}))\nvoid unlucky(int *p) {{ *p = 1; }}\n"
    )
    assert main(["c++", "-fsycl", "-fsyclbin", "a.cpp", "-o", "a.bin"]) == 1
    said = capsys.readouterr().err
    assert "cannot compile kernel 'unlucky' for any device" in said
    assert "miscompiled function 'f': it is missing" in said
    assert "a.cpp:4: note: kernel 'unlucky' is defined here" in said
    assert not Path("a.bin").exists()


def body_of(text: str) -> str:
    """Return the instructions of a function, in a module with queries for ids."""
    return f"""
declare spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)
declare spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n) {{
  %lid = call spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  {text}
  store i64 %r, ptr addrspace(1) %p
  ret void
}}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%x = xor i64 %lid, -1\n %r = sub i64 %x, %lid", r"mul i64 %lid, -2\b"),
        ("%x = mul i64 %lid, 3\n %y = add i64 %x, %n\n %r = add i64 %y, %lid", r"mul i64 %lid, 4"),
        ("%x = shl i64 %lid, 2\n %r = or disjoint i64 %x, %lid", r"mul i64 %lid, 5"),
        ("%x = add i64 %lid, %n\n %r = sub i64 %x, %lid", r"store i64 %n, "),
        (
            "%x = trunc i64 %lid to i32\n %y = add i32 %x, %x\n %r = zext i32 %y to i64",
            r"mul i32 %\d+, 2",
        ),
        ("%x = add i64 %lid, %n\n %y = mul i64 %x, %n\n %r = add i64 %y, %lid", "add i64 %y, %lid"),
    ],
)
def test_an_id_occurs_once_in_a_sum(text: str, expected: str) -> None:
    module = parsed(body_of(text))
    collect_id_terms(module)
    module.verify()
    module.run_passes("function(instsimplify,dce)")
    assert re.search(expected, module.to_text())


def test_global_ids_are_computed_if_local_ones_are_used() -> None:
    module = parsed(
        body_of("""
  %gid = call spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %x = add i64 %gid, %lid
  %r = add i64 %x, 1""")
    )
    collect_id_terms(module)
    text = module.to_text()
    assert "call spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi" not in text
    assert re.search(r"mul i64 %[\w.]+, 2\b", text)


def test_global_ids_are_unchanged_without_local_ones() -> None:
    text = body_of("%r = add i64 %lid, %n").replace("LocalInvocationIdi(", "GlobalInvocationIdi(")
    text = text.replace("_Z32__spirv_BuiltInGlobal", "_Z33__spirv_BuiltInGlobal")
    module = parsed("\n".join(dict.fromkeys(text.splitlines())))
    collect_id_terms(module)
    assert "_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)" in module.to_text()


def test_long_chains_of_sums_are_fast() -> None:
    lines = ["%x0 = add i64 %lid, %lid"]
    lines += [f"%x{i} = add i64 %x{i - 1}, %x{i - 1}" for i in range(1, 3000)]
    module = parsed(body_of("\n".join([*lines, "%r = add i64 %x2999, 1"])))
    collect_id_terms(module)
    module.verify()


def test_local_variables_have_a_lifetime() -> None:
    module = parsed("""
define void @f(i1 %c) {
  %marked = alloca i32
  %plain = alloca [4 x i64]
  call void @llvm.lifetime.start.p0(ptr %marked)
  br i1 %c, label %a, label %b
a:
  ret void
b:
  ret void
}
""")
    forms.mark_lifetimes(module)
    module.verify()
    text = module.to_text()
    assert text.count("call void @llvm.lifetime.start.p0(ptr %plain)") == 1
    assert text.count("call void @llvm.lifetime.end.p0(ptr %plain)") == 2
    assert "lifetime.end.p0(ptr %marked)" not in text


NEGATIONS = """
declare spir_func void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
define spir_kernel void @waits(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %n = fneg float %x
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  %m = call spir_func float @called(float %n)
  store float %m, ptr addrspace(1) %p
  ret void
}
define internal spir_func float @called(float %x) {
  %n = fmul float %x, -1.0
  ret float %n
}
define spir_kernel void @other(ptr addrspace(1) %p) {
  %x = load <2 x half>, ptr addrspace(1) %p
  %n = fneg <2 x half> %x
  store <2 x half> %n, ptr addrspace(1) %p
  ret void
}
"""


def test_negations_are_hidden_in_functions_with_barriers() -> None:
    module = parsed(NEGATIONS)
    forms.hide_values(module)
    module.verify()
    text = module.to_text()
    assert text.count("fneg") == 1
    assert text.count("_Z27__spirv_BuiltInGlobalOffseti(i32 0)") == 2
    # Optimizers do not recover the negations.
    module.run_passes("default<O3>")
    assert module.to_text().count("fneg") == 1


def test_offsets_are_selected_instead_of_addresses() -> None:
    module = parsed(
        """
define spir_kernel void @k(ptr addrspace(1) %out, i1 %c, i1 %d, i64 %n) {
  %v = alloca [8 x i32]
  %other = alloca i32
  %p = getelementptr [8 x i32], ptr %v, i64 0, i64 %n
  %q = getelementptr i8, ptr %p, i64 4
  %first = select i1 %c, ptr %v, ptr %q
  %second = select i1 %d, ptr %p, ptr %first
  %a = load i32, ptr %second
  %either = select i1 %c, ptr %v, ptr %other
  %b = load i32, ptr %either
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(1) %out
  ret void
}
"""
    )
    forms.select_offsets(module)
    module.verify()
    selections = [line for line in module.to_text().splitlines() if "select i1" in line]
    assert ["ptr" in line for line in selections] == [False, False, True]


EXTREMES = """
declare i64 @llvm.smax.i64(i64, i64)
declare i32 @llvm.smax.i32(i32, i32)
define spir_func i64 @called(i64 %a, i64 %b) {
  %r = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  ret i64 %r
}
define spir_func i64 @selected(i64 %a, i64 %b) {
  %c = icmp ult i64 %a, %b
  %r = select i1 %c, i64 %a, i64 %b
  ret i64 %r
}
define spir_func i64 @branched(i64 %a, i64 %b) {
  %c = icmp slt i64 %a, %b
  br i1 %c, label %less, label %end
less:
  br label %end
end:
  %r = phi i64 [ %a, %less ], [ %b, %0 ]
  ret i64 %r
}
define spir_func i32 @complemented(i32 %a, i32 %b) {
  %m = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %r = xor i32 %m, -1
  ret i32 %r
}
"""


def test_minima_and_maxima_of_long_integers_are_hidden() -> None:
    module = parsed(EXTREMES)
    forms.hide_values(module)
    module.verify()
    # Optimizers do not recover them, nor the complement.
    module.run_passes("default<O3>")
    text = module.to_text()
    assert "max.i64" not in text
    assert "min.i64" not in text
    assert "max.i32" in text
    assert "xor i32" in text
    assert ", -1" not in text.split("xor i32", 1)[1].splitlines()[0]


def test_complements_remain_without_minima_and_maxima() -> None:
    module = parsed("define spir_func i32 @f(i32 %a) {\n  %r = xor i32 %a, -1\n  ret i32 %r\n}")
    forms.hide_values(module)
    assert "xor i32 %a, -1" in module.to_text()


LOOP = """
declare spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)
declare spir_func i64 @_Z26__spirv_BuiltInWorkgroupIdi(i32)
define spir_kernel void @k(ptr addrspace(1) %p) {
  %id = call spir_func i64 @ID(i32 0)
  %first = icmp eq i64 %id, 0
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %latch ]
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %k
  %n = load i32, ptr addrspace(1) %q
  %branch = icmp eq i32 %n, 0
  BRANCH
then:
  store i32 7, ptr addrspace(1) %q
  br label %latch
latch:
  %picked = select i1 %first, i32 %n, i32 3
  store volatile i32 %picked, ptr addrspace(1) %p
  %next = add i64 %k, 1
  %end = icmp eq i64 %next, 7
  br i1 %end, label %exit, label %loop
exit:
  ret void
}
"""
BRANCH = "br i1 %branch, label %then, label %latch"
DIVERGENT = "_Z32__spirv_BuiltInLocalInvocationIdi"


def test_conditions_of_work_items_change_in_loops_with_branches() -> None:
    module = parsed(LOOP.replace("@ID", f"@{DIVERGENT}").replace("BRANCH", BRANCH))
    forms.hide_loop_conditions(module)
    module.verify()
    before = module.to_text()
    assert "select i1 %first" not in before
    # LLVM does not move the condition out of the loop.
    module.run_passes("function(loop-simplify,loop-mssa(licm,simple-loop-unswitch<nontrivial>))")
    assert module.to_text().count("store volatile") == 1
    # A second pass changes nothing.
    module = parsed(before)
    forms.hide_loop_conditions(module)
    assert module.to_text() == before


@pytest.mark.parametrize(
    ("query", "branch"),
    [("_Z26__spirv_BuiltInWorkgroupIdi", BRANCH), (DIVERGENT, "br label %latch")],
    ids=["uniform", "without another branch"],
)
def test_other_conditions_remain(query: str, branch: str) -> None:
    module = parsed(LOOP.replace("@ID", f"@{query}").replace("BRANCH", branch))
    forms.hide_loop_conditions(module)
    assert "select i1 %first" in module.to_text()


def test_negations_of_vectors_and_doubles_are_hidden() -> None:
    module = parsed(
        NEGATIONS.replace("fmul float %x, -1.0", "fneg float %x")
        + """
define spir_func <4 x double> @exported(<4 x double> %v) {
  %n = fneg <4 x double> %v
  ret <4 x double> %n
}
"""
    )
    forms.hide_values(module)
    module.verify()
    assert "xor <4 x i64>" in module.to_text()


def test_negations_of_some_elements_are_hidden() -> None:
    module = parsed(
        """
declare spir_func void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
define spir_kernel void @waits(ptr addrspace(1) %p, <2 x float> %v) {
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  %product = fmul <2 x float> %v, <float -1.0, float 2.5>
  store volatile <2 x float> %product, ptr addrspace(1) %p
  %quotient = fdiv <2 x float> %v, <float 3.0, float -1.0>
  store volatile <2 x float> %quotient, ptr addrspace(1) %p
  %difference = fsub <2 x float> <float -0.0, float 1.0>, %v
  store volatile <2 x float> %difference, ptr addrspace(1) %p
  ret void
}
"""
    )
    forms.hide_values(module)
    module.verify()
    module.run_passes("function(scalarizer),default<O3>")
    text = module.to_text()
    assert "fneg" not in text
    assert "-0.000000e+00" not in text


def test_factors_that_may_be_folded_are_hidden_in_functions_with_barriers() -> None:
    module = parsed(
        """
@signs = internal addrspace(1) constant [2 x float] [float -1.0, float 1.0]
declare spir_func void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
define internal spir_func float @times(float %x, float %y) {
  %r = fmul float %x, %y
  ret float %r
}
define spir_kernel void @waits(ptr addrspace(1) %p, float %x, i1 %c, i64 %n) {
entry:
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  %sign = select i1 %c, float -1.0, float 1.0
  %selected = fmul float %x, %sign
  store volatile float %selected, ptr addrspace(1) %p
  %variable = alloca [2 x float]
  store float -1.0, ptr %variable
  %stored = load float, ptr %variable
  %loaded = fdiv float %x, %stored
  store volatile float %loaded, ptr addrspace(1) %p
  %address = getelementptr float, ptr addrspace(1) @signs, i64 %n
  %constant = load float, ptr addrspace(1) %address
  %product = fmul float %constant, %x
  store volatile float %product, ptr addrspace(1) %p
  %called = call spir_func float @times(float %x, float -1.0)
  store volatile float %called, ptr addrspace(1) %p
  br label %loop
loop:
  %step = phi float [ -1.5, %entry ], [ %next, %loop ]
  %stepped = fmul float %x, %step
  store volatile float %stepped, ptr addrspace(1) %p
  %next = fadd float %step, 0.5
  %more = fcmp olt float %next, 0.0
  br i1 %more, label %loop, label %end
end:
  ret void
}
define spir_kernel void @other(ptr addrspace(1) %p, float %x, float %y) {
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  %z = load float, ptr addrspace(1) %p
  %product = fmul float %x, %y
  %sum = fadd float %product, 1.0
  %quotient = fdiv nnan float %z, %sum
  store volatile float %quotient, ptr addrspace(1) %p
  ret void
}
"""
    )
    forms.hide_values(module)
    module.verify()
    module.run_passes("default<O3>")
    waits, other = module.to_text().split("@other")
    assert "fneg" not in waits
    # Values from outside the kernel cannot be folded, and are not hidden.
    assert " xor " not in other


def test_signed_integers_that_are_converted_are_hidden() -> None:
    module = parsed(
        """
declare spir_func void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
define spir_kernel void @waits(ptr addrspace(1) %p, i64 %x, i1 %c, <2 x i16> %v) {
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  %minus = sub i64 0, %x
  %f = sitofp i64 %minus to float
  store volatile float %f, ptr addrspace(1) %p
  %mask = select i1 %c, i16 0, i16 -1
  %d = sitofp i16 %mask to double
  store volatile double %d, ptr addrspace(1) %p
  %b = sitofp i1 %c to double
  store volatile double %b, ptr addrspace(1) %p
  %w = sitofp <2 x i16> %v to <2 x float>
  store volatile <2 x float> %w, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @other(ptr addrspace(1) %p, i32 %x) {
  %f = sitofp i32 %x to float
  store float %f, ptr addrspace(1) %p
  ret void
}
"""
    )
    forms.hide_values(module)
    module.verify()
    assert module.to_text().count("_Z27__spirv_BuiltInGlobalOffseti(i32 0)") == 2
    module.run_passes("default<O3>")
    text = module.to_text()
    assert "fneg" not in text
    assert "sitofp i1 " not in text
    assert text.count("sitofp") == 5


def test_results_that_drivers_fold_wrongly_are_hidden() -> None:
    module = parsed(
        """
define spir_kernel void @k(ptr addrspace(1) %p, float %x, i32 %n, <2 x double> %v) {
  %quotient = fdiv float 0.0, %x
  %product = fmul float %quotient, 2.0
  store volatile float %product, ptr addrspace(1) %p
  %whole = fptosi float %x to i32
  %truncated = sitofp i32 %whole to float
  store volatile float %truncated, ptr addrspace(1) %p
  %even = shl i32 %n, 31
  %big = uitofp i32 %even to float
  %half = fptrunc float %big to half
  %back = fpext half %half to double
  store volatile double %back, ptr addrspace(1) %p
  %halves = fptrunc <2 x double> %v to <2 x half>
  store volatile <2 x half> %halves, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @other(ptr addrspace(1) %p, float %x) {
  %reciprocal = fdiv float 1.0, %x
  %finite = fdiv nnan float %reciprocal, %x
  store float %finite, ptr addrspace(1) %p
  ret void
}
"""
    )
    forms.hide_values(module)
    module.verify()
    text = module.to_text()
    # A quotient of one is never zero by zero, and `nnan` excludes NaN.
    assert text.count("_Z27__spirv_BuiltInGlobalOffseti(i32 0)") == 1
    assert text.count(" xor ") == 5
    module.run_passes("default<O3>")
    text = module.to_text()
    assert text.count(" xor ") == 5
    # LLVM would convert directly to double.
    assert "uitofp i32 %even to double" not in text


HALVES = """
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n, float %x) {
  %large = select i1 true, i64 144115188075855872, i64 0
  %number = uitofp i64 %large to float
  %half = fptrunc float %number to half
  %back = fpext half %half to double
  store volatile double %back, ptr addrspace(1) %p
  %quotient = fdiv float 0.0, %x
  %ratio = fptrunc float %quotient to half
  %wide = fpext half %ratio to float
  store volatile float %wide, ptr addrspace(1) %p
  ret void
}
"""


@pytest.mark.parametrize("times", [1, 2])
def test_hidden_values_stay_hidden_from_optimisers(times: int) -> None:
    """Masks must not cancel each other, and must not be known to be 0 or -1."""
    module = parsed(HALVES)
    for _ in range(times):
        forms.hide_values(module)
    module.verify()
    module.run_passes("default<O3>")
    text = module.to_text()
    # The integer, the converted number, the quotient, and the quotient converted to half.
    assert text.count(" xor ") == 4
    # One mask for operands, another for results.
    assert len(re.findall(r" = mul i(32|64) ", text)) == 2
    assert " select " not in text
    assert "0x4380000000000000" not in text


def test_widened_parts_of_hidden_integers_are_masked_at_their_width() -> None:
    text = """
define spir_kernel void @k(ptr addrspace(1) %p, i64 %id) {
  %sum = add i64 %id, 7
  %part = trunc i64 %sum to i16
  %wide = sext i16 %part to i32
  store i32 %wide, ptr addrspace(1) %p
  ret void
}
"""
    emitted = image(text)
    emit_spirv(emitted, lambda code: validate_spirv(code, ["k"]))
    assert "dovetail-values-hidden" in emitted.module.to_text()


def test_sign_extensions_of_values_that_may_have_wrapped_are_hidden() -> None:
    module = parsed(
        """
define spir_kernel void @k(ptr addrspace(1) %p, i32 %id, i64 %wide, i8 %small) {
  %sum = add i32 %id, 2147483632
  %extended = sext i32 %sum to i64
  store volatile i64 %extended, ptr addrspace(1) %p
  %high = shl i64 %wide, 32
  %moved = add i64 %high, 9223371968135299072
  %shifted = ashr i64 %moved, 32
  store volatile i64 %shifted, ptr addrspace(1) %p
  %product = mul i8 %small, 16
  %index = sext i8 %product to i64
  %address = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store volatile i8 0, ptr addrspace(1) %address
  ret void
}
define spir_kernel void @other(ptr addrspace(1) %p, i32 %id, i64 %wide) {
  %sum = add nsw i32 %id, 7
  %extended = sext i32 %sum to i64
  store volatile i64 %extended, ptr addrspace(1) %p
  %high = shl i64 %wide, 32
  %shifted = ashr exact i64 %high, 32
  store volatile i64 %shifted, ptr addrspace(1) %p
  %next = add i32 %id, 1
  %index = sext i32 %next to i64
  %address = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store volatile i8 0, ptr addrspace(1) %address
  ret void
}
"""
    )
    forms.hide_values(module)
    module.verify()
    hidden, others = module.to_text().split("@other")
    assert "_Z27__spirv_BuiltInGlobalOffseti(i32 0)" in hidden
    assert not re.search(r"= (sext|ashr) i(8|32) |%moved, 32\b.*ashr", hidden)
    # Sums that cannot wrap and 32-bit indices are not hidden: consecutive accesses need them.
    assert " xor " not in others
    assert others.count(" sext ") == 2


def test_small_classes_are_copied_by_fields() -> None:
    module = parsed(
        """
%S = type { i8, i32 }
%N = type { [2 x %S], float, ptr addrspace(4) }
define void @k(ptr sret(%S) %result, ptr %from, ptr %other) {
  %s = alloca %S
  %n = alloca %N
  store i64 261, ptr %s
  %copied = load i64, ptr %from, align 4
  store i64 %copied, ptr %result, align 4
  %second = getelementptr i8, ptr %n, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %second, ptr align 4 %from, i64 8, i1 false)
  call void @llvm.memset.p0.i64(ptr align 8 %n, i8 0, i64 8, i1 false)
  %pointer = getelementptr i8, ptr %n, i64 24
  store i64 0, ptr %pointer
  %unknown = load i64, ptr %from
  store i64 %unknown, ptr %other
  %computed = load i64, ptr %s
  %sum = add i64 %computed, 1
  store i64 %sum, ptr %from
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
    )
    forms.copy_by_fields(module)
    module.verify()
    lines = [line.strip() for line in module.to_text().splitlines()]
    stored = [line.split(",")[0].split()[1:] for line in lines if line.startswith("store")]
    # The padding of a class is copied too: it may be another member of a union.
    types = [type_ for type_, _ in stored]
    assert types == [*(["i8", "i8", "i16", "i32"] * 4), "i64", "i64", "i64"]
    assert [value for _, value in stored[:4]] == ["5", "1", "0", "0"]
    assert "mem" not in "".join(line for line in lines if line.startswith("call"))


def test_dead_and_foldable_code_is_not_a_difference() -> None:
    code = """
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %dead = load i32, ptr addrspace(1) %p
  %folded = udiv i32 0, 3
  store i32 %folded, ptr addrspace(1) %p
  ret void
unreached:
  %d = sdiv i32 %n, %n
  store i32 %d, ptr addrspace(1) %p
  br label %unreached
}
"""
    assert "OpSDiv" not in disassembled(emit_spirv(image(code)))


def test_exported_functions_remain_without_calls() -> None:
    module = parsed("""
declare i32 @llvm.bitreverse.i32(i32)
define linkonce_odr spir_func i32 @exported(i32 %x) {
  %r = call i32 @llvm.bitreverse.i32(i32 %x)
  ret i32 %r
}
""")
    replace_intrinsics(module)
    assert "define linkonce_odr spir_func i32 @exported" in module.to_text()


@pytest.mark.parametrize("name", ["bswap.i48", "bitreverse.i24", "fshl.i40", "uadd.sat.i7"])
def test_intrinsics_on_integers_of_unusual_widths(name: str) -> None:
    width = name.rsplit(".", 1)[1]
    count = {"bswap": 1, "bitreverse": 1, "fshl": 3}.get(name.split(".")[0], 2)
    types = ", ".join([width] * count)
    module = parsed(f"""
declare {width} @llvm.{name}({types})
define void @f(ptr %p) {{
  %x = load {width}, ptr %p
  %y = call {width} @llvm.{name}({", ".join([f"{width} %x"] * count)})
  store {width} %y, ptr %p
  ret void
}}
""")
    forms.use_supported_integers(module)
    module.verify()
    body = module.to_text().split("define")[1].split("}")[0]
    assert width not in body


def test_intrinsics_that_need_the_same_function() -> None:
    names = ("minimum", "minimumnum", "maximum")
    calls = "".join(
        f"  %{name} = call float @llvm.{name}.f32(float %x, float 1.0)\n"
        f"  store volatile float %{name}, ptr addrspace(1) %p\n"
        for name in names
    )
    declarations = "".join(f"declare float @llvm.{name}.f32(float, float)\n" for name in names)
    code = emit_spirv(
        image(f"""{declarations}
define spir_kernel void @k(ptr addrspace(1) %p, float %x) {{
{calls}  ret void
}}
""")
    )
    assert "__dovetail" not in disassembled(code)


def test_constants_that_the_back_end_cannot_compile() -> None:
    code = emit_spirv(
        image("""
%S = type { [4 x i8], i8 }
%V = type { [4 x i8] }
@c = internal addrspace(1) constant { float, i8, %S, [2 x i8], %V, %S } {
  float 0.0, i8 0, %S zeroinitializer, [2 x i8] undef, %V zeroinitializer, %S zeroinitializer
}
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
define spir_kernel void @k(ptr addrspace(1) %p) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %p, ptr addrspace(1) @c, i64 20, i1 false)
  ret void
}
""")
    )
    assert "OpCopyMemorySized" in disassembled(code)


def test_vectors_are_selected_by_vectors() -> None:
    code = emit_spirv(
        image("""
define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %v = load <8 x i8>, ptr addrspace(1) %p
  %w = insertelement <8 x i8> %v, i8 3, i64 4
  %c = icmp eq i32 %n, 0
  %r = select i1 %c, <8 x i8> %v, <8 x i8> %w
  store <8 x i8> %r, ptr addrspace(1) %p
  ret void
}
"""),
        lambda code: validate_spirv(code, ["k"]),
    )
    assert "OpSelect %v8uchar" in disassembled(code)
