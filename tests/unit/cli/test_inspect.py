"""`dovetail inspect` as a user meets it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from image_sets import properties_of, sets_of
from patience import PATIENCE

from dovetail.cli.main import main
from dovetail.compilers import opencl_cpu
from dovetail.conditions import read_condition
from dovetail.facts import Place
from dovetail.image import (
    AbstractModule,
    ActionCall,
    AddOn,
    AspectUse,
    BundleState,
    CallOnPath,
    Constants,
    ConstantScalar,
    DeviceGlobal,
    ImageInfo,
    IRModule,
    IRType,
    NativeImage,
    NativeOrigin,
    PropertySets,
    Requirements,
    SpecializationConstant,
    SyclBin,
    encode_info,
    format_property_sets,
    numbered_reqs,
    write_program,
    write_syclbin,
)
from dovetail.kernel_info import KernelInfo, Parameter, ParameterKind
from dovetail.targets import default_table

Capture = pytest.CaptureFixture[str]

DATA = Path(__file__).parents[1] / "image" / "data"
FP64, NO_ASPECT = 6, 4711
PVC = default_table().architecture("intel_gpu_pvc")

POINTER = Parameter("p", "double *", ParameterKind.POINTER, 8, 8, "f8")
KERNELS = (
    KernelInfo("solve_symbol", "solve", "solve(double *)", 3, (POINTER,), "k.cpp", 21),
    KernelInfo("once_symbol", "once", "once()", 0, ()),
    KernelInfo("free_symbol", "free", "free()", None, (), "k.cpp", 30),
)
USE = AspectUse("type 'double'", Place("k.cpp", 12, 5))
CALLS = (
    CallOnPath("solve", "step", Place("k.cpp", 23, 3)),
    CallOnPath("step", "norm", Place("k.cpp", 15, 10)),
)
SETS = encode_info(
    ImageInfo(
        requirements=Requirements((FP64, NO_ASPECT), 16, (2, 3, 5)),
        kernel_names=(*(k.symbol for k in KERNELS), "undescribed"),
        kernels=KERNELS,
        exports=("_Z4normd",),
        imports=("_Z6weighti",),
        opt_level=2,
        device_globals=(DeviceGlobal("a", 4, False), DeviceGlobal("b", 1, True)),
        global_variables={"a": "_ZL1a"},
        specialization_constants=(
            SpecializationConstant("c", 1, (ConstantScalar(0, 0, 1),)),
            SpecializationConstant("d", 20, (ConstantScalar(1, 0, 4), ConstantScalar(2, 8, 8))),
        ),
        specialization_defaults=b"\x07" + bytes(range(20)),
        specialization_kinds={"c": "i"},
        aspect_uses={
            "solve_symbol": {"fp64": AspectUse(USE.what, USE.place, CALLS)},
            "_Z4normd": {"fp64": USE},
            "hidden": {"fp64": USE},
        },
    )
)
PROGRAM = SyclBin.of(
    BundleState.INPUT,
    [
        AbstractModule(
            SETS,
            (IRModule.of(IRType.SPIRV, "spirv64-unknown-unknown", b"abcde"),),
            (NativeImage.of("intel_gpu_pvc", "spir64_gen", b"x"),),
        ),
        AbstractModule({"SYCL/kernel names": {"refused": 1}}),
    ],
)
ALL_THERE: dict[str, Any] = {
    "filtered": 0,
    "failed": 0,
    "filtered_kernels": [],
    "failed_kernels": [],
}
ENTRY_LINES = """\
  requires fp64, aspect 4711, sub-groups of 16, work-groups of 2x3x5
  kernel solve(double *): nd_range<3>, k.cpp:21
    fp64: k.cpp:12:5, type 'double', through solve -> step (k.cpp:23:3) -> norm (k.cpp:15:10)
  kernel once(): single task
  kernel free(): any range, k.cpp:30
  kernel undescribed
  exports _Z4normd
    fp64: k.cpp:12:5, type 'double'
  entry point hidden
    fp64: k.cpp:12:5, type 'double'
  imports _Z6weighti
  device global a: 4 bytes, variable _ZL1a
  device global b: 1 byte, of image scope
  specialization constant c: 1 byte, SpecId 0, default 07
  specialization constant d: 20 bytes, SpecId 1 to 2, default 00 01 02 03 04 05 06 07 08 09 0a 0b\
 0c 0d 0e 0f …
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a program is, and a table whose names count from here."""
    monkeypatch.chdir(tmp_path)
    Path("k.syclbin").write_bytes(write_program(PROGRAM))
    Path("sub").mkdir()
    Path("sub/a.table").write_text("[Code|Properties|Symbols]\na.bc|a.prop|a.sym\nb.spv||b.sym\n")
    Path("a.bc").write_bytes(b"BC\xc0\xde" + bytes(96))
    Path("b.spv").write_bytes(b"\x03\x02\x23\x07")
    Path("a.prop").write_bytes(format_property_sets(SETS))
    Path("a.sym").write_text("solve_symbol\n_Z4normd\n")
    Path("b.sym").write_text("other\n")
    return tmp_path


def shown(capsys: Capture, *words: str) -> str:
    assert main(["inspect", *words]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def document(capsys: Capture, *words: str) -> dict[str, Any]:
    return json.loads(shown(capsys, *words, "--json"))


def refusal(capsys: Capture, *words: str) -> str:
    assert main(["inspect", *words]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_a_program_as_text(capsys: Capture) -> None:
    assert shown(capsys, "k.syclbin") == (
        "2 images, in state 'input'\n"
        "  spir64: 1 image, 5 bytes\n"
        "  intel_gpu_pvc: 1 image, 1 byte\n\n"
        "image 0: SPIR-V for spirv64-unknown-unknown (5 bytes), native for intel_gpu_pvc (1 byte),"
        f" -O2\n{ENTRY_LINES}\n"
        "image 1: no code\n  requires nothing\n  kernel refused\n"
    )
    Path("bare").write_bytes(write_syclbin(PROGRAM))
    assert shown(capsys, "bare") == shown(capsys, "k.syclbin")


@pytest.mark.parametrize(
    ("host", "line"),
    [
        ("skx", ""),
        ("icelake-client", "  no native code for this machine's CPU kind, icelake-client\n"),
        ("", ""),
    ],
)
def test_native_code_for_cpu_kinds(
    host: str, line: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def for_kind(kind: str) -> NativeImage:
        origin = NativeOrigin.of("a compiler", kind.encode(), processor=kind)
        return NativeImage.of("x86_64", "spir64_x86_64", kind.encode(), origin=origin)

    module = AbstractModule({}, (), (for_kind("core-avx2"), for_kind("skx")))
    Path("cpu").write_bytes(write_program(SyclBin.of(BundleState.INPUT, [module])))

    def host_cpu_kind(_: str) -> str:
        return host

    monkeypatch.setattr(opencl_cpu, "host_cpu_kind", host_cpu_kind)
    assert shown(capsys, "cpu").endswith(
        f"image 0: native for x86_64 on core-avx2, skx (12 bytes)\n{line}  requires nothing\n"
    )
    assert document(capsys, "cpu")["host_processor"] == (host or None)


def test_a_program_as_json(capsys: Capture) -> None:
    program = document(capsys, "k.syclbin")
    assert program["state"] == "input"
    assert program["targets"] == [
        {"name": "spir64", "images": 1, "size": 5, **ALL_THERE},
        {"name": "intel_gpu_pvc", "images": 1, "size": 1, **ALL_THERE},
    ]
    first, second = program["images"]
    native = {"kind": "native", "target": "spir64_gen", "arch": "intel_gpu_pvc", "size": 1}
    assert first["code"] == [
        {"kind": "SPIR-V", "target": "spirv64-unknown-unknown", "size": 5},
        {**native, "targets": ["intel_gpu_pvc"]},
    ]
    assert first["opt_level"] == 2
    assert first["requirements"] == {
        "aspects": ["fp64", "4711"],
        "sub_group_size": 16,
        "work_group_size": [2, 3, 5],
    }
    assert first["exported"] == ["_Z4normd"]
    assert first["imported"] == ["_Z6weighti"]
    assert first["device_globals"] == [
        {"identifier": "a", "size": 4, "has_image_scope": False, "variable": "_ZL1a"},
        {"identifier": "b", "size": 1, "has_image_scope": True, "variable": None},
    ]
    constant, other = first["specialization_constants"]
    assert constant == {
        "identifier": "c",
        "size": 1,
        "default": "07",
        "scalars": [{"spec_id": 0, "offset": 0, "size": 1}],
        "kinds": "i",
    }
    assert (other["kinds"], other["scalars"][1]) == (None, {"spec_id": 2, "offset": 8, "size": 8})
    use = {"what": "type 'double'", "place": {"file": "k.cpp", "line": 12, "column": 5}}
    assert first["aspect_uses"] == {
        symbol: {"fp64": {**use, "calls": []}} for symbol in ("_Z4normd", "hidden")
    }
    solve, once, _ = first["kernels"]
    step, norm = solve["aspects"]["fp64"].pop("calls")
    assert solve["aspects"] == {"fp64": use}
    assert (step["caller"], step["callee"], norm["callee"]) == ("solve", "step", "norm")
    assert norm["place"] == {"file": "k.cpp", "line": 15, "column": 10}
    assert (once["aspects"], once["dimensions"]) == ({}, 0)
    assert solve["parameters"][0]["type"] == "double *"
    assert second == {
        "code": [],
        "opt_level": None,
        "requirements": {"aspects": [], "sub_group_size": None, "work_group_size": None},
        "compile_target": None,
        "fixed_targets": [],
        "filtered_targets": {},
        "filtered_kernels": {},
        "failed_targets": [],
        "resolved_targets": [],
        "add_on": None,
        "add_ons": {},
        "conditional_calls": {},
        "conditional": None,
        "kernel_names": ["refused"],
        "kernels": [],
        "aspect_uses": {},
        "exported": [],
        "imported": [],
        "device_globals": [],
        "specialization_constants": [],
    }


def test_images_and_filtered_kernels_of_targets(capsys: Capture) -> None:
    """Sizes for each target, what was filtered and why, and where compilers failed."""
    sets: PropertySets = {
        "Dovetail/filtered targets": {
            **properties_of(
                filtered_targets={"a": ["fp64", "sub-group size 8"], "b": ["fp64"], "c": []}
            )
        },
        "Dovetail/failed targets": {**properties_of(fixed_targets=["d"])},
    }
    shared = NativeImage.of("c", "triple", b"four", targets=["c", "e"])
    spirv = IRModule.of(IRType.SPIRV, "spir64", b"abc", targets=["c"])
    modules = [AbstractModule(sets, (spirv,), (shared,)), AbstractModule({}, (), (shared,))]
    Path("t.syclbin").write_bytes(write_syclbin(SyclBin.of(BundleState.INPUT, modules)))
    assert shown(capsys, "t.syclbin") == (
        "2 images, in state 'input'\n"
        "  c: 2 images, 11 bytes\n"
        "  e: 2 images, 8 bytes\n"
        "  a: 0 images, 0 bytes, 1 filtered\n"
        "    filtered (lacks fp64, sub-group size 8): image 0\n"
        "  b: 0 images, 0 bytes, 1 filtered\n"
        "    filtered (lacks fp64): image 0\n"
        "  d: 0 images, 0 bytes, 1 failed\n"
        "    no native code (the compiler failed): image 0\n\n"
        "image 0: SPIR-V for c (3 bytes), native for c, e (4 bytes)\n"
        "  requires nothing\n"
        "  not for a, which lacks fp64, sub-group size 8\n"
        "  not for b, which lacks fp64\n"
        "  no native code for d: the compiler failed\n\n"
        "image 1: native for c, e (4 bytes)\n"
        "  requires nothing\n"
    )
    (first, _) = document(capsys, "t.syclbin")["images"]
    assert first["filtered_targets"] == {"a": ["fp64", "sub-group size 8"], "b": ["fp64"]}
    assert first["failed_targets"] == ["d"]


def test_kernels_that_a_target_lacks_are_named_by_reason(capsys: Capture) -> None:
    def image(*names: str, lacks: str = "", failed: bool = False) -> AbstractModule:
        return AbstractModule(
            {
                "SYCL/kernel names": {**properties_of(exports=names)},
                "Dovetail/filtered targets": {
                    **properties_of(filtered_targets={"a": [lacks] if lacks else []})
                },
                "Dovetail/failed targets": {**properties_of(fixed_targets=["a"] if failed else [])},
            }
        )

    many = [f"k{number}" for number in range(11)]
    modules = [
        image(*many[:6], lacks="fp64"),
        image("small", lacks="sub-group size 8"),
        image(*many[6:], lacks="fp64"),
        image("x", "y", failed=True),
    ]
    Path("t.syclbin").write_bytes(write_syclbin(SyclBin.of(BundleState.INPUT, modules)))
    assert shown(capsys, "t.syclbin").split("\n\n")[0] == (
        "4 images, in state 'input'\n"
        "  a: 0 images, 0 bytes, 3 filtered, 1 failed\n"
        "    filtered (lacks fp64): k0, k1, k2, k3, k4, k5, k6, k7 and 3 more\n"
        "    filtered (lacks sub-group size 8): small\n"
        "    no native code (the compiler failed): x, y"
    )
    (target,) = document(capsys, "t.syclbin")["targets"]
    assert target["filtered_kernels"] == [
        {"missing": ["fp64"], "kernels": many},
        {"missing": ["sub-group size 8"], "kernels": ["small"]},
    ]
    assert target["failed_kernels"] == ["x", "y"]


def test_gpus_that_only_ptx_covers_are_not_listed(capsys: Capture) -> None:
    ptx = IRModule.of(IRType.PTX, "nvptx64", b"abc", targets=["sm_80", "sm_90"])
    cubin = NativeImage.of("sm_80", "nvptx64", b"four")

    def targets(*modules: AbstractModule) -> list[tuple[str, int]]:
        Path("t.syclbin").write_bytes(write_syclbin(SyclBin.of(BundleState.INPUT, modules)))
        return [(each["name"], each["size"]) for each in document(capsys, "t.syclbin")["targets"]]

    both = AbstractModule({}, (ptx,), (cubin,))
    assert targets(both) == [("sm_80", 7)]
    later = AbstractModule({}, (), (NativeImage.of("sm_90", "nvptx64", b"fifth"),))
    assert targets(both, later) == [("sm_80", 7), ("sm_90", 8)]
    assert targets(AbstractModule({}, (ptx,))) == [("sm_80", 3), ("sm_90", 3)], "nothing else"


def test_conditional_image(capsys: Capture) -> None:
    """What each kernel requires, what it calls under conditions, and which targets lack it."""
    double, small, half = Requirements((FP64,)), Requirements(sub_group_size=8), Requirements((5,))
    joint = Requirements((FP64,), 8)
    fp64 = read_condition((-1, FP64))
    constants = Constants({1: double, 2: small, 3: half}, {4: fp64})
    kernels = {"solve_symbol": joint, "once_symbol": Requirements(), "undescribed": double}
    functions = {"_Z4normd": double, "action": half}
    calls = {
        "once_symbol": [ActionCall(fp64, "action")],
        "action": [ActionCall(read_condition((-3, *fp64)), "deeper")],
    }
    without = {
        "a": {"solve_symbol": ["fp64", "sub-group size 8"], "undescribed": ["fp64"]},
        "b": {"solve_symbol": ["sub-group size 8"]},
        "c": {"solve_symbol": ["sub-group size 8"]},
    }
    spec_ids = constants.required
    sets: PropertySets = {
        "SYCL/kernel names": {**properties_of(exports=kernels)},
        "Dovetail/kernels": {**properties_of(kernels=KERNELS[:2])},
        "SYCL/exported symbols": {**properties_of(exports=["_Z4normd"])},
        "SYCL/kernel reqs": properties_of(kernel_reqs=numbered_reqs(kernels, spec_ids)),
        "Dovetail/function reqs": properties_of(kernel_reqs=numbered_reqs(functions, spec_ids)),
        "SYCL/special specialization constants": properties_of(asked=constants.asked),
        "Dovetail/conditional calls": properties_of(conditional_calls=calls),
        "Dovetail/filtered kernels": properties_of(filtered_kernels=without),
        "Dovetail/aspect uses": {**properties_of(aspect_uses={"action": {"fp16": USE}})},
    }
    native = [NativeImage.of(name, "triple", b"code") for name in without]
    spirv = IRModule.of(IRType.SPIRV, "spir64", b"abc", targets=[*without])
    modules = [AbstractModule(sets, (spirv,), tuple(native))]
    Path("t.syclbin").write_bytes(write_syclbin(SyclBin.of(BundleState.INPUT, modules)))
    assert shown(capsys, "t.syclbin") == (
        "1 image, in state 'input'\n"
        "  a: 1 image, 7 bytes\n"
        "    filtered (lacks fp64, sub-group size 8): solve(double *)\n"
        "    filtered (lacks fp64): undescribed\n"
        "  b: 1 image, 7 bytes\n"
        "    filtered (lacks sub-group size 8): solve(double *)\n"
        "  c: 1 image, 7 bytes\n"
        "    filtered (lacks sub-group size 8): solve(double *)\n\n"
        "image 0: SPIR-V for a, b, c (3 bytes), native for a (4 bytes), native for b (4 bytes),"
        " native for c (4 bytes)\n"
        "  requires nothing\n"
        "  without solve(double *) for a, which lacks fp64, sub-group size 8\n"
        "  without undescribed for a, which lacks fp64\n"
        "  without solve(double *) for b, c, which lack sub-group size 8\n"
        "  conditional, with 4 constants\n"
        "  kernel solve(double *): nd_range<3>, k.cpp:21\n"
        "    requires fp64, sub-groups of 8\n"
        "  kernel once(): single task\n"
        "    requires nothing\n"
        "    calls action, if fp64\n"
        "  kernel undescribed\n"
        "    requires fp64\n"
        "  exports _Z4normd\n"
        "    requires fp64\n"
        "  action action\n"
        "    requires fp16\n"
        "    calls deeper, if not fp64\n"
        "    fp16: k.cpp:12:5, type 'double'\n"
    )
    (image,) = document(capsys, "t.syclbin")["images"]
    assert image["filtered_kernels"] == without
    conditional = image["conditional"]
    assert conditional["constants"] == [
        {"spec_id": 1, "required": required("fp64")},
        {"spec_id": 2, "required": {**required(), "sub_group_size": 8}},
        {"spec_id": 3, "required": required("fp16")},
        {"spec_id": 4, "asked": {"integers": [-1, FP64], "in_words": "fp64"}},
    ]
    assert conditional["requirements"]["solve_symbol"] == {**required("fp64"), "sub_group_size": 8}
    assert list(conditional["requirements"]) == [*kernels, *functions]
    (call,) = image["conditional_calls"]["action"]
    assert call["action"] == "deeper"
    assert call["condition"]["in_words"] == "not fp64"
    assert conditional["aspects"] == []


def required(*aspects: str) -> dict[str, Any]:
    return {"aspects": [*aspects], "sub_group_size": None, "work_group_size": None}


def test_conditional_aspects_of_another_toolchain(capsys: Capture) -> None:
    fp64 = read_condition((-1, FP64))
    sets = sets_of(requirements=Requirements())
    sets["SYCL/device requirements"] |= properties_of(conditional_aspects={fp64: (FP64, 5)})
    Path("t.syclbin").write_bytes(
        write_syclbin(SyclBin.of(BundleState.INPUT, [AbstractModule(sets)]))
    )
    assert "  conditional, with 0 constants\n  uses fp16, fp64, if fp64\n" in shown(
        capsys, "t.syclbin"
    )
    (image,) = document(capsys, "t.syclbin")["images"]
    (uses,) = image["conditional"]["aspects"]
    assert uses["aspects"] == ["fp16", "fp64"]


def test_add_ons(capsys: Capture) -> None:
    """Which images have which, under which condition, and which images are some."""
    fp64 = read_condition((-1, FP64))
    assert PVC is not None
    both = read_condition((-4, -1, FP64, -3, -2, PVC))
    calls = {"kernel": [ActionCall(both, "a"), ActionCall(fp64, "b")]}
    of_two: PropertySets = {
        "SYCL/kernel names": {**properties_of(exports=["kernel"])},
        "SYCL/add on images": properties_of(add_ons={"1": both, "2": fp64}),
        "Dovetail/conditional calls": properties_of(conditional_calls=calls),
    }
    modules = [
        AbstractModule(of_two),
        *(AbstractModule(add_on_sets("1", is_real=real)) for real in (False, True)),
        AbstractModule(
            {**add_on_sets("3", is_real=True), "Dovetail/resolved targets": {"a": 1, "b": 1}}
        ),
    ]
    Path("t.syclbin").write_bytes(write_syclbin(SyclBin.of(BundleState.INPUT, modules)))
    assert shown(capsys, "t.syclbin") == (
        "4 images, in state 'input'\n\n"
        "image 0: no code\n"
        "  requires nothing\n"
        "  kernel kernel\n"
        "    calls a, if fp64 and not intel_gpu_pvc\n"
        "    calls b, if fp64\n"
        "  add-on 1, if fp64 and not intel_gpu_pvc: real in image 2, stub in image 1\n"
        "  add-on 2, if fp64: missing\n\n"
        "image 1: no code\n"
        "  is add-on 1, if fp64 and not intel_gpu_pvc: stub\n"
        "  requires nothing\n\n"
        "image 2: no code\n"
        "  is add-on 1, if fp64 and not intel_gpu_pvc: real\n"
        "  requires nothing\n\n"
        "image 3: no code\n"
        "  is add-on 3, of no image: real\n"
        "  requires nothing\n"
        "  conditions resolved for a, b\n"
    )
    main, stub, real, other = document(capsys, "t.syclbin")["images"]
    assert main["add_ons"] == {
        "1": {"integers": [*both], "in_words": "fp64 and not intel_gpu_pvc"},
        "2": {"integers": [-1, FP64], "in_words": "fp64"},
    }
    assert main["conditional"] is None
    assert [call["action"] for call in main["conditional_calls"]["kernel"]] == ["a", "b"]
    assert [main["add_on"], stub["add_on"], real["add_on"]] == [
        None,
        {"identifier": "1", "is_real": False},
        {"identifier": "1", "is_real": True},
    ]
    assert other["resolved_targets"] == ["a", "b"]


def add_on_sets(identifier: str, *, is_real: bool) -> PropertySets:
    return {"SYCL/add on image": properties_of(add_on=AddOn(identifier, is_real))}


def test_intels_programs(capsys: Capture) -> None:
    assert shown(capsys, str(DATA / "reference.syclbin")) == (
        "2 images, in state 'object'\n  spir64: 2 images, 1936 bytes\n\n"
        "image 0: SPIR-V for spir64-unknown-unknown (972 bytes), -O2\n"
        "  requires fp64\n"
        "  kernel rtc_0$__sycl_kernel_iotad\n"
        "  kernel __sycl_kernel_iotad\n\n"
        "image 1: SPIR-V for spir64-unknown-unknown (964 bytes), -O2\n"
        "  requires nothing\n"
        "  kernel rtc_0$__sycl_kernel_iota\n"
        "  kernel __sycl_kernel_iota\n"
    )
    lines = shown(capsys, str(DATA / "reference-sizes.syclbin")).splitlines()
    assert [line for line in lines if "requires" in line] == [
        "  requires nothing",
        "  requires fp16, fp64",
        "  requires sub-groups of 16",
        "  requires work-groups of 8",
        "  requires work-groups of 2x3x5",
    ]


def test_llvm_is_not_loaded() -> None:
    code = (
        "import sys; from dovetail.cli.main import main; main(['inspect', 'k.syclbin']);"
        "sys.exit(any('_native' in name for name in sys.modules))"
    )
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=PATIENCE)
    assert finished.returncode == 0, finished.stderr
    assert b"kernel solve" in finished.stdout


def test_a_file_table_as_text(capsys: Capture) -> None:
    assert shown(capsys, "sub/a.table") == (
        f"2 images\n\nimage 0: bitcode in a.bc (100 bytes), -O2\n{ENTRY_LINES}\n"
        "image 1: SPIR-V in b.spv (4 bytes)\n  requires nothing\n  kernel other\n"
    )


def test_a_file_table_as_json(capsys: Capture) -> None:
    table, program = document(capsys, "sub/a.table"), document(capsys, "k.syclbin")
    assert table["state"] is None
    code = table["images"][0].pop("code")
    assert code == [{"kind": "bitcode", "file": "a.bc", "size": 100}]
    del program["images"][0]["code"]
    assert table["images"][0] == program["images"][0]


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("[Code]\na.bc\n", "1 image\n\nimage 0: bitcode in a.bc (100 bytes)\n  requires nothing\n"),
        ("\n[Properties|More]\n|x\n", "1 image\n\nimage 0: no code\n  requires nothing\n"),
        ("[Code|Properties]\n", "0 images\n"),
        (
            "[Code]\na.sym\n",
            "1 image\n\nimage 0: unknown code in a.sym (22 bytes)\n  requires nothing\n",
        ),
    ],
)
def test_tables_with_less(capsys: Capture, table: str, text: str) -> None:
    Path("a.table").write_text(table)
    assert shown(capsys, "a.table") == text


def test_images_for_one_target_and_kernels_for_different_devices(capsys: Capture) -> None:
    fp64 = Requirements((6,))
    info = ImageInfo(compile_target="intel_gpu_pvc", kernel_reqs={"k": {fp64: 100}})
    Path("one.prop").write_bytes(format_property_sets(encode_info(info)))
    Path("one.table").write_text("[Properties]\none.prop\n")
    assert shown(capsys, "one.table") == (
        "1 image\n\nimage 0: no code\n  requires nothing\n  built for intel_gpu_pvc only\n"
        "  conditional, with 1 constant\n  kernel k\n    requires fp64\n"
    )
    (image,) = document(capsys, "one.table")["images"]
    assert image["compile_target"] == "intel_gpu_pvc"


def test_kernels_of_a_row_that_does_not_list_them(capsys: Capture) -> None:
    def names_with(sets: PropertySets) -> list[str]:
        Path("a.prop").write_bytes(format_property_sets(sets))
        return document(capsys, "sub/a.table")["images"][0]["kernel_names"]

    exported: PropertySets = {"SYCL/exported symbols": {"_Z4normd": 1}}
    assert names_with({}) == ["solve_symbol", "_Z4normd"]
    assert names_with(exported) == ["solve_symbol"]
    described: PropertySets = {"Dovetail/kernels": {**properties_of(kernels=KERNELS[:1])}}
    assert names_with(described) == ["solve_symbol"]
    assert names_with({**described, "SYCL/kernel names": {"listed": 1}}) == ["listed"]


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("a.prop", b"k=1|1\n", "'a.prop', named by 'sub/a.table', is not a valid properties file"),
        (
            "a.prop",
            b"[SYCL/misc properties]\noptLevel=2|AAAAAAAAAAA\n",
            "'a.prop', named by 'sub/a.table', is not a valid properties file:"
            " property 'optLevel' of set 'SYCL/misc properties'",
        ),
        ("a.sym", b"a\na\n", "'a.sym', named by 'sub/a.table', is not a valid symbols file"),
        ("sub/a.table", b"[Code|Code]\n", "'sub/a.table' is not a file table"),
        (
            "sub/a.table",
            b"[Symbols]\na.sym\n",
            "expected a column 'Code' or 'Properties', got 'Symbols'",
        ),
        ("sub/a.table", b"a.bc|a.prop\n", "'sub/a.table' is not a SYCL program"),
    ],
)
def test_damage_is_named_with_its_file(
    capsys: Capture, file: str, content: bytes, message: str
) -> None:
    Path(file).write_bytes(content)
    assert message in refusal(capsys, "sub/a.table")


def test_a_file_that_is_missing(capsys: Capture) -> None:
    Path("b.spv").unlink()
    message = refusal(capsys, "sub/a.table")
    assert "cannot read 'b.spv'" in message
    assert "'sub/a.table' names it, relative to the working directory" in message
    assert "cannot read 'none'" in refusal(capsys, "none")


@pytest.mark.parametrize(
    "sets",
    [
        {"SYCL/kernel names": {"k": b""}},
        {"Dovetail/kernels": {"k": b"{}"}},
        {"Dovetail/aspect uses": {"k": b"[]"}},
        {"SYCL/device globals": {"g": b""}},
        {"SYCL/specialization constants": {"c": bytes(8)}},
        {"SYCL/specialization constants": {"c": bytes(8) + b"\1\0\0\0"}},
        {"SYCL/exported symbols": {"f": b""}},
        {"SYCL/program metadata": {"g@global_id_mapping": 1}},
        {"SYCL/device requirements": {"aspects": 1}},
    ],
)
def test_a_program_without_required_properties(capsys: Capture, sets: PropertySets) -> None:
    program = SyclBin.of(BundleState.INPUT, [AbstractModule(sets)])
    Path("bad").write_bytes(write_program(program))
    for words in ([], ["--json"]):
        assert "'bad' is not a SYCL program file, or is damaged: " in refusal(capsys, "bad", *words)


def test_names_are_shown_not_obeyed(capsys: Capture) -> None:
    kernel = KernelInfo("k", "k", "k(\x1b[31m)", 1, (), "a\nb.cpp", 1)
    sets: PropertySets = {"Dovetail/kernels": {**properties_of(kernels=[kernel])}}
    Path("odd").write_bytes(write_program(SyclBin.of(BundleState.INPUT, [AbstractModule(sets)])))
    assert r"  kernel k(\x1b[31m): nd_range<1>, a\nb.cpp:1" in shown(capsys, "odd").splitlines()
