"""Code generation."""

import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from dovetail.errors import IRError
from dovetail.ir import Context, Module, known_processors, llvm_version

Parse = Callable[[str], Module]
Validate = Callable[[bytes], None]

KERNEL = """
    target triple = "spirv64-unknown-unknown"
    define spir_kernel void @k(ptr addrspace(1) %p) {
      %old = atomicrmw ADD ptr addrspace(1) %p, TYPE 1ONE seq_cst
      ret void
    }
    """
INTEGER_KERNEL = KERNEL.replace("ADD", "add").replace("TYPE 1ONE", "i32 1")
FLOAT_KERNEL = KERNEL.replace("ADD", "fadd").replace("TYPE 1ONE", "float 1.0")
FLOAT_ATOMICS = "SPV_EXT_shader_atomic_float_add"


def spirv_version(code: bytes) -> tuple[int, int]:
    magic, version = struct.unpack_from("<II", code)
    assert magic == 0x07230203
    return version >> 16, version >> 8 & 0xFF


@pytest.mark.parametrize("minor", [0, 2, 4, 6])
def test_the_triple_chooses_the_spirv_version(
    parse: Parse, validate_spirv: Validate, minor: int
) -> None:
    code = parse(INTEGER_KERNEL).emit(triple=f"spirv64v1.{minor}-unknown-unknown")
    assert spirv_version(code) == (1, minor)
    if minor <= 2:  # what the validator's OpenCL 2.2 takes
        validate_spirv(code)


def test_emission_does_not_change_the_module(parse: Parse) -> None:
    module = parse(INTEGER_KERNEL)
    before = module.to_text()
    first = module.emit(triple="spirv64v1.4-unknown-unknown")
    assert module.to_text() == before
    assert module.emit(triple="spirv64v1.4-unknown-unknown") == first


def test_emissions_do_not_disturb_each_other(validate_spirv: Validate) -> None:
    """The back-end's global state would affect the second or third emission."""
    branching = """
        target triple = "spirv64-unknown-unknown"
        define spir_kernel void @k(ptr addrspace(1) %p, i1 %c) {
          br i1 %c, label %a, label %b
        a:
          store i32 1, ptr addrspace(1) %p
          br label %b
        b:
          ret void
        }
        """
    codes: set[bytes] = set()
    for source in (branching, INTEGER_KERNEL) * 20:
        module = Module.parse(Context(), source.encode(), "again")
        codes.add(module.emit(triple="spirv64v1.2-unknown-unknown"))
    assert len(codes) == 2
    for code in codes:
        validate_spirv(code)


def test_extensions_apply_to_one_emission(parse: Parse) -> None:
    module = parse(FLOAT_KERNEL)

    def emit(*extensions: str) -> bytes:
        return module.emit(extensions=extensions)

    for _ in range(2):
        assert FLOAT_ATOMICS.encode() in emit(FLOAT_ATOMICS)
        assert FLOAT_ATOMICS.encode() in emit("SPV_KHR_linkonce_odr", FLOAT_ATOMICS)
        with pytest.raises(IRError, match=FLOAT_ATOMICS):
            emit()


def test_unknown_extensions_are_refused(parse: Parse) -> None:
    module = parse(INTEGER_KERNEL)
    with pytest.raises(IRError, match="SPV_KHR_no_such_thing"):
        module.emit(extensions=["SPV_KHR_no_such_thing"])
    assert module.emit()
    with pytest.raises(IRError, match="for SPIR-V"):
        module.emit(triple="nvptx64-nvidia-cuda", extensions=["SPV_KHR_linkonce_odr"])


def test_local_memory_has_no_initial_value(parse: Parse, validate_spirv: Validate) -> None:
    module = parse("""
        target triple = "spirv64-unknown-unknown"
        declare spir_func ptr addrspace(3) @allocate(i64, i64)
        define spir_kernel void @k(ptr addrspace(1) %out) {
          %p = call spir_func ptr addrspace(3) @allocate(i64 64, i64 4)
          store i32 1, ptr addrspace(3) %p
          ret void
        }
        """)
    module.replace_calls_with_globals("allocate", 3)
    text = module.emit(assembly=True).decode()
    variables = [line for line in text.splitlines() if "OpVariable" in line]
    assert len(variables) == 1
    assert variables[0].rstrip().endswith("Workgroup")
    validate_spirv(module.emit(triple="spirv64v1.2-unknown-unknown"))


def test_other_targets(parse: Parse) -> None:
    ptx = parse("""
        target triple = "nvptx64-nvidia-cuda"
        define ptx_kernel void @k(ptr addrspace(1) %p) { ret void }
        """)
    assert b".visible .entry k(" in ptx.emit(cpu="sm_90", assembly=True)
    amd = parse("""
        target triple = "amdgcn-amd-amdhsa"
        define amdgpu_kernel void @k(ptr addrspace(1) %p) { ret void }
        """)
    assert amd.emit(cpu="gfx90a").startswith(b"\x7fELF")


@pytest.mark.parametrize(
    ("triple", "level", "message"),
    [("nosuch-unknown", 2, "nosuch"), ("spirv64-unknown-unknown", 7, "level 7")],
)
def test_impossible_targets_are_refused(
    parse: Parse, triple: str, level: int, message: str
) -> None:
    with pytest.raises(IRError, match=message):
        parse(INTEGER_KERNEL).emit(triple=triple, opt_level=level)


def test_broken_ir_is_refused_before_the_back_end_sees_it(parse: Parse) -> None:
    module = parse("define void @f() { call void @g() \n ret void }\ndeclare void @g()")
    module.set_calling_convention({"g": "spir_kernel"})
    with pytest.raises(IRError, match="does not permit calls"):
        module.emit(triple="spirv64-unknown-unknown")


def test_threads_emit_at_the_same_time(validate_spirv: Validate) -> None:
    """In separate contexts and in a shared one."""
    shared = Module.parse(Context(), INTEGER_KERNEL.encode(), "shared")
    expected = shared.emit(triple="spirv64v1.2-unknown-unknown")

    def emit_often(index: int) -> set[bytes]:
        own = Module.parse(Context(), INTEGER_KERNEL.encode(), "own")
        module = own if index % 2 else shared
        return {module.emit(triple="spirv64v1.2-unknown-unknown") for _ in range(10)}

    with ThreadPoolExecutor(4) as pool:
        for codes in pool.map(emit_often, range(4)):
            assert codes == {expected}
    validate_spirv(expected)


LIBRARY = b"""
@table = external constant i32
@own = constant i32 7
define i32 @twice(i32 %x) "target-cpu"="sm_35" {
  %t = load i32, ptr @own
  %y = mul i32 %x, %t
  %z = call i32 @other(i32 %y)
  ret i32 %z
}
define i32 @other(i32 %x) { ret i32 %x }
define i32 @unused(i32 %x) { %y = load i32, ptr @table
  ret i32 %y }
!opencl.ocl.version = !{!0}
!0 = !{i32 2, i32 0}
"""
CALLER = """
    target triple = "nvptx64-nvidia-cuda"
    declare i32 @twice(i32)
    define ptx_kernel void @k(ptr addrspace(1) %p) noinline {
      %v = call i32 @twice(i32 6)
      store i32 %v, ptr addrspace(1) %p
      ret void
    }
    """


def test_called_functions_of_libraries_are_linked(parse: Parse) -> None:
    module = parse(CALLER)
    before = module.to_text()
    plain = module.emit(cpu="sm_90", assembly=True, libraries=[LIBRARY]).decode()
    assert ".func" in plain
    assert ".visible .func" not in plain
    assert "unused" not in plain
    assert "table" not in plain
    optimised = module.emit(
        cpu="sm_90", assembly=True, libraries=[LIBRARY], passes="default<O2>"
    ).decode()
    assert ".func" not in optimised
    assert "42" in optimised
    assert module.to_text() == before


def test_libraries_may_call_other_libraries(parse: Parse) -> None:
    first = b"declare i32 @other(i32)\ndefine i32 @twice(i32 %x) { %y = call i32 @other(i32 %x)\n"
    first += b"ret i32 %y }\n"
    code = parse(CALLER).emit(
        cpu="sm_90", assembly=True, libraries=[first, LIBRARY], passes="default<O2>"
    )
    assert b"extern" not in code
    # In the other order nobody calls it yet.
    code = parse(CALLER).emit(
        cpu="sm_90", assembly=True, libraries=[b"define i32 @g() { ret i32 1 }", first]
    )
    assert b".extern .func" in code


def test_a_library_that_cannot_be_read_is_refused(parse: Parse) -> None:
    with pytest.raises(IRError, match="cannot read a library"):
        parse(CALLER).emit(libraries=[b"this is no IR"])


def test_functions_get_attributes_for_one_emission(parse: Parse) -> None:
    module = parse(CALLER)
    size = {"k": {"nvvm.reqntid": "8,4,2"}}
    assert b".reqntid 8, 4, 2" in module.emit(assembly=True, libraries=[LIBRARY], attributes=size)
    assert b".reqntid" not in module.emit(assembly=True, libraries=[LIBRARY])
    with pytest.raises(IRError, match="no function named 'nobody'"):
        module.emit(attributes={"nobody": {"cold": ""}})


def test_visibility_of_external_definitions(parse: Parse) -> None:
    module = parse("""
        target triple = "amdgcn-amd-amdhsa"
        define amdgpu_kernel void @k(ptr addrspace(1) %p) { ret void }
        """)
    assert (
        ".protected\tk" in module.emit(cpu="gfx90a", assembly=True, visibility="protected").decode()
    )
    assert ".protected" not in module.emit(cpu="gfx90a", assembly=True).decode()
    with pytest.raises(IRError, match="no visibility 'loud'"):
        module.emit(visibility="loud")


def test_code_is_for_the_given_processor(parse: Parse) -> None:
    module = parse("""
        target triple = "amdgcn-amd-amdhsa"
        define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 { ret void }
        attributes #0 = { "target-cpu"="gfx700" "target-features"="+wavefrontsize64" }
        """)
    text = module.emit(cpu="gfx1100", assembly=True).decode()
    assert 'amdgcn_target "amdgcn-amd-amdhsa--gfx1100"' in text
    assert ".amdhsa_wavefront_size32 1" in text


def test_deep_code_is_optimised_in_the_child(parse: Parse) -> None:
    """Its stack is as large as that of passes in this process."""
    calls = "\n".join(
        f"define internal i32 @f{n}(i32 %x) {{ %y = call i32 @f{n + 1}(i32 %x)\nret i32 %y }}"
        for n in range(3000)
    )
    module = parse(f"""
        target triple = "nvptx64-nvidia-cuda"
        {calls}
        define internal i32 @f3000(i32 %x) {{ ret i32 %x }}
        define ptx_kernel void @k(ptr addrspace(1) %p) {{
          %v = call i32 @f0(i32 5)
          store i32 %v, ptr addrspace(1) %p
          ret void
        }}
        """)
    assert b".func" not in module.emit(assembly=True, passes="default<O2>")


def test_known_processors() -> None:
    assert {"sm_90", "sm_53"} <= set(known_processors("nvptx64-nvidia-cuda"))
    assert {"gfx90a", "gfx1201"} <= set(known_processors("amdgcn-amd-amdhsa"))
    assert "gfx90a" not in known_processors("nvptx64-nvidia-cuda")
    with pytest.raises(IRError, match="nosuch"):
        known_processors("nosuch-unknown")
    assert llvm_version().startswith("22.")
