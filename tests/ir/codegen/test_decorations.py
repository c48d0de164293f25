"""Decorations and execution modes from IR to SPIR-V: one test for each place and kind of value."""

import re
import subprocess

import pytest

from dovetail.codegen.spirv.decorating import decorate
from dovetail.codegen.spirv.emit import EXTENSIONS, TRIPLE
from dovetail.codegen.spirv.module_decorations import ModuleDecorations
from dovetail.ir import Context, Module
from dovetail.spirv import SpirvModule as Spirv, index_ids, instruction
from dovetail.spirv.opcodes import CAPABILITY, DECORATE, EXECUTION_MODE, EXTENSION, NAME, VARIABLE
from dovetail.spirv.stripping import strip_for_validator, strip_hints
from dovetail.spirv_validator import validation_error

IR = """
target triple = "spirv64-unknown-unknown"
@g = addrspace(1) global i32 7, align 4{variable}
@s = private unnamed_addr addrspace(1) constant [{size} x i8] c"{annotation}\\00"
declare ptr addrspace(1) @llvm.ptr.annotation.p1.p1(
  ptr addrspace(1), ptr addrspace(1), ptr addrspace(1), i32, ptr addrspace(1))
define spir_kernel void @k(i32 %n, ptr addrspace(1) {attributes} %p){function} {{
  %v = load i32, ptr addrspace(1) @g
  store i32 %v, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %n
  %a = call ptr addrspace(1) @llvm.ptr.annotation.p1.p1(
    ptr addrspace(1) %q, ptr addrspace(1) @s, ptr addrspace(1) @s, i32 3, ptr addrspace(1) null)
  store i32 3, ptr addrspace(1) %a
  ret void
}}
{more}
"""

SHAPES = [
    ("{number}, i32 16", (16,)),
    ("{number}", ()),
    ("{number}, i32 1, i32 -2", (1, 0xFFFF_FFFE)),
    ('{number}, !"some text"', ("some text",)),
    ('{number}, i32 5, !"some text"', (5, "some text")),
]


def emitted(
    variable: str = "",
    function: str = "",
    annotation: str = "mine",
    attributes: str = "",
    more: str = "",
) -> Spirv:
    """Return the decorated module, which must be valid."""
    size = len(annotation) + 1
    escaped = annotation.replace('"', "\\22")
    text = IR.format(
        variable=variable,
        function=function,
        annotation=escaped,
        size=size,
        attributes=attributes,
        more=more,
    )
    module = Module.parse(Context(), text.encode(), "a.ll")
    decorations = ModuleDecorations.extract_from(module)
    module.verify()
    code = decorate(module.emit(triple=TRIPLE, extensions=list(EXTENSIONS)), decorations)
    assert validation_error(code) == ""
    found = Spirv.read(code)
    index_ids(found)
    return found


def given(module: Spirv, opcode: int, target: int, number: int) -> list[bytes]:
    """Return the decorations and execution modes of an id."""
    return [
        module.words[at : module.end(at)].tobytes()
        for each, at, _ in module.instructions()
        if each == opcode and (module.operand(at, 1), module.operand(at, 2)) == (target, number)
    ]


def id_of(module: Spirv, what: str) -> int:
    """Return the output of SPIR-V's disassembler."""
    patterns = {
        "kernel": r"OpEntryPoint Kernel %(\d+)",
        "variable": r"OpName %(\d+) \"g\"",
        "parameter": r"OpName %(\d+) \"p\"",
        "pointer": r"OpStore %(\d+) %\d+ Aligned \d+\s+OpReturn",
    }
    command = ["spirv-dis", "--raw-id", "--no-header", "-"]
    code = strip_for_validator(module).to_bytes()
    text = subprocess.run(command, input=code, capture_output=True, check=True).stdout.decode()
    match = re.search(patterns[what], text)
    assert match, text
    return int(match[1])


def check(module: Spirv, what: str, number: int, operands: tuple[int | str, ...]) -> None:
    opcode = EXECUTION_MODE if what == "kernel" else DECORATE
    target = id_of(module, what)
    expected = instruction(opcode, target, number, *operands).tobytes()
    assert given(module, opcode, target, number) == [expected]


def node(text: str, number: int) -> str:
    return text.format(number=f"i32 {number}")


@pytest.mark.parametrize(("text", "operands"), SHAPES)
def test_on_parameters(text: str, operands: tuple[int | str, ...]) -> None:
    nodes = f"!0 = !{{!1, !2}}\n!1 = !{{}}\n!2 = !{{!3}}\n!3 = !{{{node(text, 7744)}}}"
    module = emitted(function=" !spirv.ParameterDecorations !0", more=nodes)
    check(module, "parameter", 7744, operands)


@pytest.mark.parametrize(("text", "operands"), SHAPES)
def test_on_variables(text: str, operands: tuple[int | str, ...]) -> None:
    nodes = f"!0 = !{{!1}}\n!1 = !{{{node(text, 7745)}}}"
    module = emitted(variable=", !spirv.Decorations !0", more=nodes)
    check(module, "variable", 7745, operands)


@pytest.mark.parametrize(("text", "operands"), SHAPES[:3])
def test_on_kernels(text: str, operands: tuple[int | str, ...]) -> None:
    nodes = f"!spirv.ExecutionMode = !{{!0}}\n!0 = !{{ptr @k, {node(text, 7001)}}}"
    module = emitted(more=nodes)
    check(module, "kernel", 7001, operands)
    # LLVM's execution modes are unchanged.
    assert given(module, EXECUTION_MODE, id_of(module, "kernel"), 31)


@pytest.mark.parametrize(
    ("annotation", "number", "operands"),
    [
        ('{44:"16"}', 44, (16,)),
        ("{7744}", 7744, ()),
        ('{7744:"1,2"}', 7744, (1, 2)),
        ('{44:"16"}{7744:"some text"}', 7744, ("some text",)),
        ("mine", 5635, ("mine",)),
        ('mine{44:"16"}', 5635, ('mine{44:"16"}',)),
    ],
)
def test_on_members(annotation: str, number: int, operands: tuple[int | str, ...]) -> None:
    check(emitted(annotation=annotation), "pointer", number, operands)


@pytest.mark.parametrize(
    ("number", "operands", "capability", "extension"),
    [
        (5921, (3,), 5920, "SPV_INTEL_fpga_buffer_location"),
        (6188, (2, "name"), 6187, "SPV_INTEL_global_variable_host_access"),
        (6190, (1,), 6189, "SPV_INTEL_global_variable_fpga_decorations"),
        (6191, (1,), 6189, "SPV_INTEL_global_variable_fpga_decorations"),
    ],
)
def test_requirements_of_decorations_are_declared(
    number: int, operands: tuple[int | str, ...], capability: int, extension: str
) -> None:
    spelled = ", ".join(
        f"i32 {each}" if isinstance(each, int) else f'!"{each}"' for each in operands
    )
    nodes = f"!0 = !{{!1}}\n!1 = !{{i32 {number}, {spelled}}}"
    module = emitted(variable=", !spirv.Decorations !0", more=nodes)
    check(module, "variable", number, operands)
    data = module.to_bytes()
    assert instruction(CAPABILITY, capability).tobytes() in data
    assert instruction(EXTENSION, extension).tobytes() in data
    plain = strip_hints(module)
    assert plain.to_bytes() == emitted().to_bytes()
    assert validation_error(plain.to_bytes()) == ""


def test_alignment_replaces_llvms() -> None:
    nodes = "!0 = !{!1}\n!1 = !{i32 44, i32 64}"
    module = emitted(variable=", !spirv.Decorations !0", more=nodes)
    check(module, "variable", 44, (64,))


def test_values_in_functions_can_have_the_name_of_a_variable() -> None:
    text = """
target triple = "spirv64-unknown-unknown"
@p = internal addrspace(1) global i32 7, !spirv.Decorations !0
define spir_kernel void @first(ptr addrspace(1) %p) { ret void }
define spir_kernel void @k() { store i32 1, ptr addrspace(1) @p
  ret void }
!0 = !{!1}
!1 = !{i32 7745}
"""
    module = Module.parse(Context(), text.encode(), "a.ll")
    decorations = ModuleDecorations.extract_from(module)
    code = decorate(module.emit(triple=TRIPLE, extensions=list(EXTENSIONS)), decorations)
    found = Spirv.read(code)
    places = {NAME: 1, VARIABLE: 2}
    ids = {
        opcode: [found.operand(at, place) for each, at, _ in found.instructions() if each == opcode]
        for opcode, place in places.items()
    }
    (variable,) = ids[VARIABLE]
    decorated = [each for each in ids[NAME] if given(found, DECORATE, each, 7745)]
    assert decorated == [variable]
    assert code.count(b"p\0\0\0") == 2


def test_decorations_of_llvm_are_not_duplicated() -> None:
    nodes = "!0 = !{!1, !2}\n!1 = !{}\n!2 = !{!3, !4}\n!3 = !{i32 38, i32 4}\n!4 = !{i32 38, i32 5}"
    module = emitted(function=" !spirv.ParameterDecorations !0", attributes="noalias", more=nodes)
    target = id_of(module, "parameter")
    assert sorted(given(module, DECORATE, target, 38)) == [
        instruction(DECORATE, target, 38, attribute).tobytes() for attribute in (4, 5)
    ]


def test_sizes_are_not_duplicated() -> None:
    nodes = "!spirv.ExecutionMode = !{!0}\n!0 = !{ptr @k, i32 35, i32 8}\n!1 = !{i32 8}"
    module = emitted(function=" !intel_reqd_sub_group_size !1", more=nodes)
    check(module, "kernel", 35, (8,))


def test_a_module_without_decorations_is_unchanged() -> None:
    assert not ModuleDecorations([], {}, {}, {})
