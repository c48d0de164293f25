"""Device functions compiled to PTX and AMD's instructions, with every order and scope."""

import re
from itertools import product

import pytest
from variants import one_in

from dovetail.codegen.amdgcn.processor import Processor
from dovetail.codegen.amdgcn.wave_shuffle import wave_shuffle
from dovetail.codegen.nvptx.architecture import Architecture
from dovetail.codegen.nvptx.emit import processor_functions
from dovetail.ir import Context, Module
from dovetail.passes import PassContext, parse_pipeline, run_pipeline
from dovetail.passes.device_functions.registry import FUNCTIONS

NVPTX, AMDGCN = "nvptx64-nvidia-cuda", "amdgcn-amd-amdhsa"
CONVENTION = {NVPTX: "ptx_kernel", AMDGCN: "amdgpu_kernel"}
NVIDIA = {"sm_50": "+ptx63", "sm_60": "+ptx63", "sm_70": "+ptx63", "sm_90": "+ptx80"}
AMD = ("gfx90a", "gfx1100")

# SPIR-V's numbers.
SCOPES = {"system": 0, "device": 1, "group": 2, "sub_group": 3, "item": 4}
ORDERS = {"relaxed": 0, "acquire": 2, "release": 4, "acq_rel": 8, "seq_cst": 16}
MEMORY = 0x300
SPACES = {"": "ptr", "U3AS1": "ptr addrspace(1)", "U3AS3": "ptr addrspace(3)"}
TYPES = {"j": "i32", "m": "i64", "f": "float", "d": "double"}


def declared(name: str, parameters: str) -> str:
    return f"_Z{len(name)}{name}{parameters}"


def passed(triple: str, name: str, result: str, parameters: str, arguments: str) -> Module:
    """Return a kernel, after the passes, that calls a function and stores its result."""
    call = f"call {result} @{name}({arguments})"
    used = f"%r = {call}\nstore {result} %r, ptr addrspace(1) %out"
    text = f"""
target triple = "{triple}"
declare {result} @{name}({parameters})
define {CONVENTION[triple]} void @k(ptr addrspace(1) %out, ptr addrspace(3) %local, ptr %generic,
    i32 %i, i64 %l, float %f, double %d, i32 %scope, i32 %semantics) {{
{call if result == "void" else used}
ret void
}}"""
    module = Module.parse(Context(), text.encode(), "kernel")
    run_pipeline(parse_pipeline("built-ins,optimize"), PassContext(), module)
    return module


def ptx(module: Module, cpu: str = "sm_90") -> str:
    return module.emit(
        cpu=cpu,
        features=NVIDIA[cpu],
        libraries=[processor_functions(Architecture(cpu, int(cpu[3:]), False))],
        passes="default<O1>",
        assembly=True,
    ).decode()


def isa(module: Module, cpu: str) -> str:
    return module.emit(
        cpu=cpu,
        libraries=[wave_shuffle(Processor(cpu, ()), 32 if cpu >= "gfx1000" else 64)],
        passes="default<O1>",
        assembly=True,
    ).decode()


def instructions(text: str, pattern: str) -> list[str]:
    """Return the names of matching instructions, in order."""
    return [name for name in re.findall(r"^\s+([\w.]+)", text, re.M) if re.match(pattern, name)]


# Names, results and parameters of all functions but those of atomic memory.
DIMENSIONS = ("GlobalInvocationId", "GlobalSize", "GlobalOffset", "LocalInvocationId")
GROUPS = ("WorkgroupSize", "WorkgroupId", "NumWorkgroups")
SUB_GROUPS = ("LocalInvocationId", "Size", "MaxSize", "Id")
SHUFFLES = ("Shuffle", "ShuffleXor", "ShuffleUp", "ShuffleDown")
PLAIN = {
    **{f"__spirv_BuiltIn{each}": ("i64", "i", "i32 %i") for each in (*DIMENSIONS, *GROUPS)},
    **{f"__spirv_BuiltInSubgroup{each}": ("i32", "v", "") for each in SUB_GROUPS},
    "__spirv_BuiltInNumSubgroups": ("i32", "v", ""),
    "__spirv_ControlBarrier": ("void", "iii", "i32 %i, i32 %scope, i32 %semantics"),
    "__spirv_MemoryBarrier": ("void", "ii", "i32 %scope, i32 %semantics"),
    **{
        f"__spirv_GroupNonUniform{each}": ("i32", "ijj", "i32 3, i32 %i, i32 %scope")
        for each in SHUFFLES
    },
    **{f"__spirv_GroupNonUniform{each}": ("i1", "ib", "i32 3, i1 %b") for each in ("All", "Any")},
}
MODIFIED = {
    **dict.fromkeys(
        ("Exchange", "IAdd", "ISub", "And", "Or", "Xor", "SMin", "SMax", "UMin", "UMax"), "jm"
    ),
    **dict.fromkeys(("FAddEXT", "FMinEXT", "FMaxEXT"), "fd"),
}
OPERANDS = {"j": "i32 %i", "m": "i64 %l", "f": "float %f", "d": "double %d"}
POINTERS = {
    "": "ptr %generic",
    "U3AS1": "ptr addrspace(1) %out",
    "U3AS3": "ptr addrspace(3) %local",
}


def atomic(triple: str, name: str, space: str, kind: str, scope: str, semantics: str) -> Module:
    """Return a call of an atomic function."""
    pointer, operand = f"P{space}{kind}", OPERANDS[kind]
    first = f"{POINTERS[space]}, i32 {scope}, i32 {semantics}"
    shapes = {
        "Load": ("ii", first),
        "Store": (f"ii{kind}", f"{first}, {operand}"),
        "CompareExchange": (
            f"iii{kind}{kind}",
            f"{first}, i32 {semantics}, {operand}, {operand}",
        ),
    }
    letters, arguments = shapes.get(name, (f"ii{kind}", f"{first}, {operand}"))
    symbol = declared(f"__spirv_Atomic{name}", pointer + letters)
    result = "void" if name == "Store" else TYPES[kind]
    types = ", ".join(argument.rpartition(" ")[0] for argument in arguments.split(", "))
    return passed(triple, symbol, result, types, arguments)


def test_every_function_is_tested_here() -> None:
    atomics = {f"__spirv_Atomic{name}" for name in (*MODIFIED, "Load", "Store", "CompareExchange")}
    assert set(FUNCTIONS) == {*PLAIN} | atomics


@pytest.mark.parametrize("name", PLAIN)
def test_plain_functions_compile(name: str) -> None:
    result, letters, arguments = PLAIN[name]
    arguments = arguments.replace("i1 %b", "i1 true")
    types = (
        ", ".join(each.rpartition(" ")[0] for each in arguments.split(", ")) if arguments else ""
    )
    for triple in (NVPTX, AMDGCN):
        module = passed(triple, declared(name, letters), result, types, arguments)
        assert not any(f.is_declaration and "spirv" in f.name for f in module.functions())
        for cpu in NVIDIA if triple == NVPTX else AMD:
            assert ptx(module, cpu) if triple == NVPTX else isa(module, cpu)


@pytest.mark.parametrize("name", one_in(4, [*MODIFIED, "Load", "Store", "CompareExchange"]))
def test_atomics_compile_for_every_type_and_address_space(name: str) -> None:
    """With scope and order that are not constants."""
    for kind, space in product(MODIFIED.get(name, "jm"), SPACES):
        module = atomic(NVPTX, name, space, kind, "%scope", "%semantics")
        for cpu in ("sm_60", "sm_90"):
            assert "atom" in ptx(module, cpu) or name in ("Load", "Store")
        module = atomic(AMDGCN, name, space, kind, "%scope", "%semantics")
        # Of a generic pointer in a kernel's argument LLVM finds out that it is global.
        assert not space or "s_endpgm" in isa(module, "gfx90a")


PTX_SCOPES = {"system": "sys", "device": "gpu", "group": "cta", "sub_group": "cta", "item": "cta"}
BEFORE = {"release": "fence.acq_rel", "acq_rel": "fence.acq_rel", "seq_cst": "fence.sc"}
BEHIND: dict[str, str] = dict.fromkeys(("acquire", "acq_rel", "seq_cst"), "fence.acq_rel")
ATOMIC_OR_FENCE = r"(atom|red|fence|membar|ld\.(relaxed|volatile|acquire)|st\.(relaxed|volatile))"


def fenced(order: str, scope: str, instruction: str) -> list[str]:
    """Return the instructions that the PTX manual requires."""
    before, behind = BEFORE.get(order), BEHIND.get(order)
    return [
        *([f"{before}.{PTX_SCOPES[scope]}"] if before else []),
        instruction,
        *([f"{behind}.{PTX_SCOPES[scope]}"] if behind else []),
    ]


@pytest.mark.parametrize(("order", "scope"), [*product(ORDERS, SCOPES)])
def test_orders_and_scopes_in_ptx(order: str, scope: str) -> None:
    numbers = (str(SCOPES[scope]), str(ORDERS[order] | MEMORY))
    width = PTX_SCOPES[scope]

    def made(name: str, kind: str = "j", space: str = "U3AS1") -> list[str]:
        return instructions(ptx(atomic(NVPTX, name, space, kind, *numbers)), ATOMIC_OR_FENCE)

    # LLVM writes no scope, which means the device; that is right for narrower ones too.
    written = "atom.sys.global" if scope == "system" else "atom.global"
    assert made("IAdd") == fenced(order, scope, f"{written}.add.u32")
    assert made("FAddEXT", "d") == fenced(order, scope, f"{written}.add.f64")
    exchange = f"atom.relaxed.{width}.global.cas.b64"
    assert made("CompareExchange", "m") == fenced(order, scope, exchange)
    assert made("FMaxEXT", "f") == fenced(order, scope, f"atom.relaxed.{width}.global.cas.b32")
    assert made("IAdd", "m", "U3AS3") == fenced(order, scope, "atom.shared.add.u64")
    if order not in ("release", "acq_rel"):
        assert made("Load") == fenced(order, scope, f"ld.relaxed.{width}.global.b32")
    if order not in ("acquire", "acq_rel"):
        store = fenced(order, scope, f"st.relaxed.{width}.global.b32")
        assert made("Store") == store[: 1 + (order in BEFORE)]


@pytest.mark.parametrize(("order", "scope"), [*product(ORDERS, SCOPES)])
def test_orders_before_sm_70(order: str, scope: str) -> None:
    """There fences are called membar, and there are no acquire fences."""
    numbers = (str(SCOPES[scope]), str(ORDERS[order] | MEMORY))
    text = ptx(atomic(NVPTX, "IAdd", "U3AS1", "j", *numbers), "sm_60")
    fence = {"sys": "membar.sys", "gpu": "membar.gl", "cta": "membar.cta"}[PTX_SCOPES[scope]]
    before, behind = [fence] * (order in BEFORE), [fence] * (order in BEHIND)
    written = "atom.sys.global.add.u32" if scope == "system" else "atom.global.add.u32"
    assert instructions(text, ATOMIC_OR_FENCE) == [*before, written, *behind]


def test_device_scope_is_the_widest_before_sm_60() -> None:
    for name in (*MODIFIED, "Load", "Store", "CompareExchange"):
        for kind, space in product(MODIFIED.get(name, "jm"), SPACES):
            text = ptx(atomic(NVPTX, name, space, kind, "0", str(8 | MEMORY)), "sm_50")
            assert "membar.sys" in text
            assert not re.search(r"(atom|red)\.sys", text)
    text = ptx(atomic(NVPTX, "IAdd", "U3AS1", "j", "0", "0"), "sm_50")
    assert instructions(text, "atom") == ["atom.global.add.u32"]


def test_system_scope_of_every_modification_in_ptx() -> None:
    wanted = {
        **{"Exchange": "exch.b", "IAdd": "add.u", "ISub": "add.u", "And": "and.b", "Or": "or.b"},
        **{"Xor": "xor.b", "SMin": "min.s", "SMax": "max.s", "UMin": "min.u", "UMax": "max.u"},
        "FAddEXT": "add.f",
    }
    for name, suffix in wanted.items():
        for kind, bits in zip(MODIFIED[name], (32, 64), strict=True):
            text = ptx(atomic(NVPTX, name, "", kind, "0", "0"))
            assert instructions(text, "atom") == [f"atom.sys.{suffix}{bits}"]
    assert "neg.s32" in ptx(atomic(NVPTX, "ISub", "", "j", "0", "0"))


AMD_SCOPES = ("", "agent", "workgroup", "wavefront", "singlethread")
AMD_ORDERS = {"relaxed": "monotonic"}


@pytest.mark.parametrize(("order", "scope"), [*product(ORDERS, SCOPES)])
def test_orders_and_scopes_for_amd(order: str, scope: str) -> None:
    """LLVM's back-end implements all orders and scopes."""
    numbers = (str(SCOPES[scope]), str(ORDERS[order] | MEMORY))
    name = AMD_SCOPES[SCOPES[scope]]
    word = AMD_ORDERS.get(order, order)
    ending = f'syncscope("{name}") {word}' if name else word

    def made(function: str) -> str:
        return atomic(AMDGCN, function, "U3AS1", "j", *numbers).to_text()

    assert re.search(rf"atomicrmw umax ptr .*, i32 %i {re.escape(ending)}, align 4", made("UMax"))
    failure = {"acq_rel": "acquire", "release": "monotonic"}.get(word, word)
    assert f"{ending} {failure}, align 4" in made("CompareExchange")
    if order not in ("release", "acq_rel"):
        assert re.search(rf"load atomic i32, .* {re.escape(ending)}, align 4", made("Load"))
    if order not in ("acquire", "acq_rel"):
        assert re.search(rf"store atomic i32 .* {re.escape(ending)}, align 4", made("Store"))


def test_amd_code_orders_memory() -> None:
    text = isa(atomic(AMDGCN, "IAdd", "U3AS1", "j", "0", str(8 | MEMORY)), "gfx90a")
    found = instructions(text, "buffer_|global_atomic")
    assert found == ["buffer_wbl2", "global_atomic_add", "buffer_invl2", "buffer_wbinvl1_vol"]


def test_the_order_of_failure_counts() -> None:
    """In C++17 the order of failure can be stronger than that of success."""
    symbol = declared("__spirv_AtomicCompareExchange", "PU3AS1jiiijj")
    types = "ptr addrspace(1), i32, i32, i32, i32, i32"
    arguments = "ptr addrspace(1) %out, i32 1, i32 772, i32 770, i32 %i, i32 %scope"
    text = passed(AMDGCN, symbol, "i32", types, arguments).to_text()
    assert 'syncscope("agent") acq_rel acquire' in text


def test_a_generic_pointer_is_not_private() -> None:
    """Otherwise the back-end tests each at run time."""
    text = atomic(AMDGCN, "IAdd", "", "m", "1", "0").to_text()
    assert re.search(
        r"atomicrmw add .*!noalias.addrspace !(\d+)[^$]*^!\1 = !{i32 5, i32 6}", text, re.M
    )


def barrier(triple: str, execution: int, memory: int, semantics: int) -> Module:
    symbol = declared("__spirv_ControlBarrier", "iii")
    arguments = f"i32 {execution}, i32 {memory}, i32 {semantics}"
    return passed(triple, symbol, "void", "i32, i32, i32", arguments)


def test_barriers_in_ptx() -> None:
    """Waiting orders memory among the waiting work-items; wider scopes need fences."""

    def made(*numbers: int) -> list[str]:
        return instructions(ptx(barrier(NVPTX, *numbers)), "fence|bar")

    acq_rel = 8 | MEMORY
    assert made(2, 2, acq_rel) == ["bar.sync"]
    assert made(2, 3, acq_rel) == ["bar.sync"]
    assert made(3, 3, acq_rel) == ["bar.warp.sync"]
    assert made(2, 1, acq_rel) == ["fence.acq_rel.gpu", "bar.sync", "fence.acq_rel.gpu"]
    assert made(3, 2, acq_rel) == ["fence.acq_rel.cta", "bar.warp.sync", "fence.acq_rel.cta"]
    assert made(2, 0, 4 | MEMORY) == ["fence.acq_rel.sys", "bar.sync"]
    assert made(2, 2, 16 | MEMORY) == ["fence.sc.cta", "bar.sync", "fence.sc.cta"]


def test_barriers_for_amd() -> None:
    def made(*numbers: int) -> list[str]:
        pattern = r"(fence.*|tail call void @llvm\.\S+?(?=\())"
        return re.findall(pattern, barrier(AMDGCN, *numbers).to_text())

    group, wave = (f"tail call void @llvm.amdgcn.{name}.barrier" for name in ("s", "wave"))
    acq_rel = 8 | MEMORY
    for scope, name in ((2, "workgroup"), (1, "agent")):
        fences = [f'fence syncscope("{name}") {half}' for half in ("release", "acquire")]
        assert made(2, scope, acq_rel) == [fences[0], group, fences[1]]
    assert made(3, 3, acq_rel)[1] == wave
    assert made(2, 2, 0) == [group]


@pytest.mark.parametrize(("order", "scope"), [*product(ORDERS, SCOPES)])
def test_fences(order: str, scope: str) -> None:
    symbol = declared("__spirv_MemoryBarrier", "ii")
    arguments = f"i32 {SCOPES[scope]}, i32 {ORDERS[order] | MEMORY}"
    text = ptx(passed(NVPTX, symbol, "void", "i32, i32", arguments))
    strength = "sc" if order == "seq_cst" else "acq_rel"
    wanted = [] if order == "relaxed" else [f"fence.{strength}.{PTX_SCOPES[scope]}"]
    assert instructions(text, "fence") == wanted
    name = AMD_SCOPES[SCOPES[scope]]
    found = re.findall(r"fence.*", passed(AMDGCN, symbol, "void", "i32, i32", arguments).to_text())
    words = f'fence syncscope("{name}") {order}' if name else f"fence {order}"
    assert found == ([] if order == "relaxed" else [words])


def query(triple: str, name: str, dimension: str) -> Module:
    return passed(triple, declared(f"__spirv_BuiltIn{name}", "i"), "i64", "i32", f"i32 {dimension}")


@pytest.mark.parametrize(("dimension", "letter"), [*enumerate("xyz")])
def test_dimensions(dimension: int, letter: str) -> None:
    text = ptx(query(NVPTX, "GlobalInvocationId", str(dimension)))
    registers = set(re.findall(r"%(?:n?tid|n?ctaid)\.\w", text))
    assert registers == {f"%{name}.{letter}" for name in ("ctaid", "ntid", "tid")}
    if letter == "x":  # CUDA bounds the others so that 32 bits are enough
        assert instructions(text, "mad|mul")[0] in ("mad.wide.u32", "mul.wide.u32")
    text = query(AMDGCN, "GlobalInvocationId", str(dimension)).to_text()
    assert set(re.findall(r"@llvm\.amdgcn\.(work\w+\.id\.\w)\(\)$", text, re.M)) == {
        f"workgroup.id.{letter}",
        f"workitem.id.{letter}",
    }


def test_a_variable_dimension() -> None:
    text = ptx(query(NVPTX, "WorkgroupSize", "%i"))
    assert {f"%ntid.{letter}" for letter in "xyz"} <= set(re.findall(r"%ntid\.\w", text))
    assert len(instructions(text, "selp")) == 2


def test_there_is_no_offset() -> None:
    for triple in (NVPTX, AMDGCN):
        assert "store i64 0" in query(triple, "GlobalOffset", "%i").to_text()


@pytest.mark.parametrize(("cpu", "size"), [("gfx90a", 64), ("gfx1100", 32), ("gfx1201", 32)])
def test_the_wave_size_depends_on_the_processor(cpu: str, size: int) -> None:
    module = passed(AMDGCN, declared("__spirv_BuiltInSubgroupMaxSize", "v"), "i32", "", "")
    assert re.search(
        rf"v_(dual_)?mov_b32\S* v\d+, (0x)?{size}\b|, v\d+, {size}$", isa(module, cpu), re.M
    )
    module = passed(AMDGCN, declared("__spirv_BuiltInSubgroupId", "v"), "i32", "", "")
    assert f" {size.bit_length() - 1}, v" in "".join(re.findall("v_lshr.*", isa(module, cpu)))


def shuffle(triple: str, name: str, kind: str) -> Module:
    symbol = declared(f"__spirv_GroupNonUniform{name}", f"i{kind}j")
    arguments = f"i32 3, {OPERANDS[kind]}, i32 %scope"
    return passed(triple, symbol, TYPES[kind], f"i32, {TYPES[kind]}, i32", arguments)


@pytest.mark.parametrize(
    ("name", "mode"), [*zip(SHUFFLES, ("idx", "bfly", "up", "down"), strict=True)]
)
def test_shuffles(name: str, mode: str) -> None:
    for kind, count in (("j", 1), ("m", 2)):
        text = ptx(shuffle(NVPTX, name, kind))
        assert instructions(text, "shfl") == [f"shfl.sync.{mode}.b32"] * count
        # Those who exist take part; the last sub-group may be smaller.
        assert "%laneid" in text
        assert "%ntid.x" in text
        # Shuffling up stops at the first, all others at the last.
        assert re.search(rf"shfl\.sync\.{mode}.*, {0 if mode == 'up' else 31}, %", text)
        for cpu in ("gfx90a", "gfx1100"):
            exchanged = instructions(isa(shuffle(AMDGCN, name, kind), cpu), "ds_")
            assert exchanged == ["ds_bpermute_b32"] * count


@pytest.mark.parametrize("name", ["All", "Any"])
def test_votes(name: str) -> None:
    """Work-items vote on different values, since AMD's votes on uniform ones are optimized."""
    symbol = declared(f"__spirv_GroupNonUniform{name}", "ib")
    wanted = {
        NVPTX: (f"@llvm.nvvm.vote.{name.lower()}.sync(", "nvvm.read.ptx.sreg.tid.x"),
        AMDGCN: ("@llvm.amdgcn.ballot.i64(", "amdgcn.workitem.id.x"),
    }
    for triple, (instruction, place) in wanted.items():
        text = f"""
target triple = "{triple}"
declare i1 @{symbol}(i32, i1)
define {CONVENTION[triple]} void @k(ptr addrspace(1) %out) {{
%id = call i32 @llvm.{place}()
%place = getelementptr i32, ptr addrspace(1) %out, i32 %id
%read = load i32, ptr addrspace(1) %place
%value = icmp ne i32 %read, 0
%r = call i1 @{symbol}(i32 3, i1 %value)
%wide = zext i1 %r to i32
store i32 %wide, ptr addrspace(1) %place
ret void
}}"""
        module = Module.parse(Context(), text.encode(), "votes")
        run_pipeline(parse_pipeline("built-ins,optimize"), PassContext(), module)
        assert instruction in module.to_text()
        assert ptx(module) if triple == NVPTX else all(isa(module, cpu) for cpu in AMD)


def test_a_symbol_with_thousands_of_digits() -> None:
    """Python refuses to convert such numbers, and IR is untrusted."""
    symbol = "_Z" + "9" * 5000
    module = passed(NVPTX, symbol, "i64", "i32", "i32 0")
    assert symbol in {function.name for function in module.functions()}
