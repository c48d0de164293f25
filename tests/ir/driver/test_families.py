"""Device code of several families: each with its own front-end run, passes, linking and code."""

import re
import subprocess
from pathlib import Path

import pytest
from mock_generator import PtxGenerator

from dovetail.cli.main import main
from dovetail.codegen.generator import GENERATORS
from dovetail.driver import BuildRequest, build_program, plan_build
from dovetail.driver.requests import Headers
from dovetail.driver.steps.aspect_filter import AspectFilter
from dovetail.driver.steps.device_compile import DeviceCompile
from dovetail.driver.steps.post_link import PostLink
from dovetail.frontend import Flags, Source
from dovetail.image import IRType, read_program
from dovetail.image.device_section import read_device_section
from dovetail.ir import Context, Module
from dovetail.targets import default_table
from dovetail.targets.ir_family import IRFamily, by_ir_family, family_name

Capture = pytest.CaptureFixture[str]

ALL = "-fsycl-targets=nvidia_gpu_sm_90,amd_gpu_gfx90a,spir64"
TRIPLES = {
    "nvptx64": "nvptx64-nvidia-cuda",
    "amdgcn": "amdgcn-amd-amdhsa",
    "spirv64": "spirv64-unknown-unknown",
}

SYCL = "#include <sycl/sycl.hpp>\n"
TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
# No built-in function of any device is called, so that back-ends can compile it as it is.
KERNELS = f"""{SYCL}
struct Pair {{ double a; float b; }};
{TASK} void plain(Pair s, float c, float *p, bool on) {{ if (on) *p = s.a + s.b + c; }}
namespace {{ {TASK} void hidden(int *p) {{ *p = 1; }} }}
template <class T> {TASK} inline void generic(T *p) {{ *p = 2; }}
template void generic<int>(int *);
auto next = [](int x) {{ return x + 1; }};
template <class F> {TASK} void lambda(int *p, F f) {{ *p = f(*p); }}
template void lambda(int *, decltype(next));
void start(sycl::queue &queue, int *p) {{
  queue.submit([&](sycl::handler &handler) {{
    sycl::local_accessor<int, 1> one(16, handler);
    int n = 3;
    sycl::local_accessor<float, 1> two(16, handler);
    handler.parallel_for<class objects>(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1>) {{
      one[*p] = n;
      two[*p] = one[1];
      p[1] = two[2];
    }});
  }});
}}
int main() {{}}
"""


def cxx(*words: str) -> int:
    return main(["c++", "-fsycl", *words])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def modules(path: str) -> dict[str, bytes]:
    """The bitcode that an object carries, by family."""
    code = read_device_section(Path(path).read_bytes()).code
    return {family_name(each.triple): bytes(each.bitcode) for each in code}


def tool(*words: str, given: bytes) -> str:
    done = subprocess.run([*words, "-"], input=given, capture_output=True, check=True)
    return done.stdout.decode()


def compiled(text: str, *words: str) -> dict[str, bytes]:
    Path("k.cpp").write_text(text)
    assert cxx("-c", "k.cpp", *words) == 0
    return modules("k.o")


def kernel_lines(bitcode: bytes) -> dict[str, str]:
    """The first lines of kernels in LLVM's text, by their symbols; LLVM finds the module sound."""
    text = tool("opt-22", "-passes=verify", "-S", given=bitcode)
    lines = re.findall(r"^define .*_kernel .*$", text, re.MULTILINE)
    found = {re.search(r'@"?([^("]+)', line): line for line in lines}
    return {match[1]: line for match, line in found.items() if match}


def test_an_object_carries_each_family(folder: Path) -> None:
    Path("k.cpp").write_text(KERNELS)
    assert cxx("-c", ALL, "k.cpp") == 0
    code = read_device_section(Path("k.o").read_bytes()).code
    assert [(each.triple, each.targets) for each in code] == [
        (TRIPLES["nvptx64"], ("nvidia_gpu_sm_90",)),
        (TRIPLES["amdgcn"], ("amd_gpu_gfx90a",)),
        (TRIPLES["spirv64"], ("spir64",)),
    ]
    for each in code:
        module = Module.parse(Context(), bytes(each.bitcode), "k.o")
        assert module.triple == each.triple
    assert len({each.exports for each in code}) == 1, "the same functions in each"


def test_kernels_are_entered_as_each_family_wants(folder: Path) -> None:
    kernels = {family: kernel_lines(code) for family, code in compiled(KERNELS, ALL).items()}
    conventions = {"spirv64": "spir_kernel", "nvptx64": "ptx_kernel", "amdgcn": "amdgpu_kernel"}
    assert len({tuple(sorted(each)) for each in kernels.values()}) == 1, "under the same names"
    for family, lines in kernels.items():
        assert len(lines) == 5
        assert all(f" {conventions[family]} void" in line for line in lines.values())
        (generic,) = (line for symbol, line in lines.items() if "generic" in symbol)
        assert "weak_odr" in generic
    plain, objects = "__sycl_kernel__Z5plain4PairfPfb", "_ZTSZZ5startRN4sycl3_V15queueEPiENK"
    parameters = {family: lines[plain].partition("(")[2] for family, lines in kernels.items()}
    assert re.match(r"ptr .*byval.*, ptr addrspace\(1\) .*, i8 ", parameters["spirv64"])
    assert re.match(r"ptr .*byval.*, ptr [^,]*, i8 ", parameters["nvptx64"])
    # Classes lie in memory as the host has put them there, in one piece.
    assert re.match(r"ptr addrspace\(4\) .*byref\(.*, ptr [^,]*, i1 ", parameters["amdgcn"])
    inner = {
        family: re.findall(r"(?:, |\()([^,()]*(?:\(3\))?) %inner", line)
        for family, lines in kernels.items()
        for symbol, line in lines.items()
        if symbol.startswith(objects)
    }
    assert inner["spirv64"] == ["ptr addrspace(3)", "ptr addrspace(3)"]
    assert inner["nvptx64"] == inner["amdgcn"] == ["i32", "i32"]


def test_back_ends_take_what_needs_no_built_ins(folder: Path) -> None:
    code = compiled(KERNELS, ALL)
    ptx = tool("llc-22", "-mcpu=sm_90", "-o", "-", given=code["nvptx64"])
    assert len(re.findall(r"^(\.\w+ )?\.entry ", ptx, re.MULTILINE)) == len(
        kernel_lines(code["nvptx64"])
    )
    assert re.search(r"\.extern \.shared \.align 128 \.b8 __dovetail_local_memory\[\]", ptx)
    assert "st.shared" in ptx
    assert "st.global" in ptx
    Path("amd.bc").write_bytes(code["amdgcn"])
    subprocess.run(["llc-22", "-mcpu=gfx90a", "-filetype=obj", "amd.bc"], check=True)
    subprocess.run(["ld.lld-22", "-shared", "amd.o", "-o", "amd.out"], check=True)
    notes = tool("llvm-readelf-22", "--notes", given=Path("amd.out").read_bytes())
    (plain,) = (text for text in notes.split("  - .agpr_count") if "5plain4PairfPfb\n" in text)
    arguments = plain.partition("    .name")[0]
    assert re.findall(r"\.offset: +(\d+)\s+\.size: +(\d+)", arguments) == [
        ("0", "16"),
        ("16", "4"),
        ("24", "8"),
        ("32", "1"),
    ]


def test_macros_tell_the_family_and_its_only_target(folder: Path) -> None:
    text = f"""{SYCL}
#if !defined(__SYCL_DEVICE_ONLY__)
#elif defined(__NVPTX__)
static_assert(__SYCL_TARGET_NVIDIA_GPU_SM90__);
{TASK} void nvidia(int *p) {{ *p = 1; }}
#elif defined(__AMDGCN__)
#ifdef __SYCL_TARGET_AMD_GPU_GFX90A__
#error there are two targets of AMD
#endif
{TASK} void amd(int *p) {{ *p = 1; }}
#elif !defined(__SPIRV__)
#error unknown
#endif
static_assert(sycl::any_device_has_v<sycl::aspect::fp64>);
static_assert(sycl::all_devices_have_v<sycl::aspect::gpu>);
static_assert(!sycl::all_devices_have_v<sycl::aspect::cpu>);
"""
    names = "nvidia_gpu_sm_90,amd_gpu_gfx90a,amd_gpu_gfx1100,intel_gpu_pvc"
    code = compiled(text, f"-fsycl-targets={names}")
    assert {family: [*kernel_lines(each)] for family, each in code.items()} == {
        "nvptx64": ["__sycl_kernel__Z6nvidiaPi"],
        "amdgcn": ["__sycl_kernel__Z3amdPi"],
        "spirv64": [],
    }
    # The source was compiled for it, and has nothing for it: no reason to refuse the object.
    Path("main.cpp").write_text(f"{SYCL}{TASK} void k(int *p) {{ *p = 1; }}\nint main() {{}}\n")
    assert cxx("-fsycl-targets=intel_gpu_pvc", "main.cpp", "k.o", "-o", "app") == 0


def test_messages_are_given_once(folder: Path, capsys: Capture) -> None:
    warned = f"{SYCL}{TASK} void k(int *p) {{ int unused; *p = 1; }}\n"
    compiled(warned, ALL, "-Wall")
    assert capsys.readouterr().err.count("unused variable 'unused'") == 1
    Path("k.cpp").write_text(f"{SYCL}{TASK} void k(int *p) {{ throw *p; }}\n")
    assert cxx("-c", ALL, "k.cpp") == 1
    assert capsys.readouterr().err.count("error: ") == 1
    Path("k.cpp").write_text(
        f"{SYCL}[[sycl::device_has()]] SYCL_EXTERNAL double f(double x) {{ return x * 2; }}\n"
    )
    assert cxx("-c", ALL, "k.cpp") == 0
    assert capsys.readouterr().err.count("warning: ") == 1


def test_every_family_is_checked(folder: Path, capsys: Capture) -> None:
    Path("k.cpp").write_text(f"{SYCL}#ifdef __AMDGCN__\n#error on AMD\n#endif\n")
    assert cxx("-fsyntax-only", "k.cpp") == 0
    assert cxx("-fsyntax-only", ALL, "k.cpp") == 1
    assert capsys.readouterr().err.count("error: on AMD") == 1
    assert main(["check", "--targets", "nvidia_gpu_sm_90,spir64", "k.cpp"]) == 0
    assert main(["check", "--targets", "amd_gpu_gfx90a,spir64", "k.cpp"]) == 1


def test_objects_of_several_families_are_linked_for_one(folder: Path, capsys: Capture) -> None:
    Path("f.cpp").write_text(f"{SYCL}SYCL_EXTERNAL int f() {{ return 1; }}\n")
    Path("main.cpp").write_text(
        f"{SYCL}SYCL_EXTERNAL int f();\n{TASK} void k(int *p) {{ *p = f(); }}\nint main() {{}}\n"
    )
    assert cxx("-c", ALL, "f.cpp", "main.cpp") == 0
    assert cxx("f.o", "main.o", "-o", "app") == 0
    assert cxx("-c", "-fsycl-targets=nvidia_gpu_sm_90", "f.cpp") == 0
    assert cxx("f.o", "main.o", "-o", "other") == 1
    assert "'f.o' has no device code for spirv64, only for nvptx64" in capsys.readouterr().err
    assert not Path("other").exists()


@pytest.mark.parametrize(
    ("target", "unknown"),
    [("nvidia_gpu_sm_999", "architecture 'sm_999'"), ("amd_gpu_gfx999", "processor 'gfx999'")],
)
def test_programs_are_refused_before_anything_is_compiled(
    folder: Path, capsys: Capture, target: str, unknown: str
) -> None:
    Path("k.cpp").write_text("this is no C++")
    Path("new.yaml").write_text(f"{target}: {{aspects: [gpu]}}\n")
    targets = [f"-fsycl-targets={target},spir64", "-fsycl-device-config-file=new.yaml"]
    for words in (["-fsyclbin"], [], ["-shared"], ["-###"]):
        assert cxx("-v", *targets, "k.cpp", *words) == 2
        printed = capsys.readouterr().err
        assert f"not know the {unknown}" in printed
        assert "clang" not in printed
    assert main(["run", *targets, "k.cpp"]) == 2
    assert {path.name for path in folder.iterdir()} == {"k.cpp", "new.yaml"}


def test_generators_see_their_own_family_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GENERATORS, "ptxas", ("mock_generator:PtxGenerator",))
    monkeypatch.setattr(PtxGenerator, "seen", [])
    names = ("nvidia_gpu_sm_90", "spir64", "nvidia_gpu_sm_80", "intel_gpu_acm_g10")
    targets = tuple(default_table()[name] for name in names)
    text = f"{SYCL}{TASK} void k(int *p) {{ *p = 1; }}\n{TASK} void d(double *p) {{ *p *= 2; }}\n"
    request = BuildRequest((Source.from_text(text),), Flags(targets=targets))
    assert by_ir_family(targets).keys() == {IRFamily.NVPTX64, IRFamily.SPIRV64}
    program = read_program(build_program(request).program)
    kinds = [
        (kernel.name, sorted(module.ir_type for module in image.ir_modules))
        for image in program.abstract_modules
        for kernel in image.info.kernels
    ]
    ptx, spirv = [IRType.PTX, IRType.PTX], [IRType.SPIRV]
    assert kinds == [("k", ptx), ("d", ptx), ("k", spirv), ("d", spirv)]
    assert PtxGenerator.seen == [
        (TRIPLES["nvptx64"], (name,))
        for _ in range(2)
        for name in ("nvidia_gpu_sm_90", "nvidia_gpu_sm_80")
    ]


def test_the_graph_has_a_post_link_for_each_family(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GENERATORS, "ptxas", ("mock_generator:PtxGenerator",))
    names = ("nvidia_gpu_sm_90", "spir64", "nvidia_gpu_sm_80")
    flags = Flags(targets=tuple(default_table()[name] for name in names))
    sources = (Source("a.cpp", ""), Source("b.cpp", ""))
    root = plan_build(BuildRequest(sources, flags), Headers())
    steps = list(root.in_order())
    families = [IRFamily.NVPTX64, IRFamily.SPIRV64]
    assert [step.family for step in steps if isinstance(step, PostLink)] == families
    assert [step.linked.family for step in root.code] == families
    filtered = [step.target.name for step in steps if isinstance(step, AspectFilter)]
    assert filtered == ["nvidia_gpu_sm_90", "nvidia_gpu_sm_80", "spir64"]
    assert sum(isinstance(step, DeviceCompile) for step in steps) == 4
