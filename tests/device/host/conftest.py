"""Programs whose host code is C++ on the bare table, and whose kernels are OpenCL C."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest
from designs import Design
from image_sets import properties_of
from patience import PATIENCE

from dovetail import trust
from dovetail.image import (
    AbstractModule,
    BundleState,
    IRModule,
    IRType,
    SyclBin,
    write_program,
)
from dovetail.kernel_info import ArgumentMember, KernelInfo, Parameter, ParameterKind
from dovetail.runtime import Program, devices

HERE = Path(__file__).parent
INCLUDE = HERE.parents[2] / "include"

SOURCE = """
struct Fill { global int *out; int value; };
kernel void fill(struct Fill o) { o.out[get_global_id(0)] = o.value; }
kernel void place3(struct Fill o) {
  size_t i = ((get_global_id(2) - get_global_offset(2)) * get_global_size(1)
              + get_global_id(1) - get_global_offset(1)) * get_global_size(0)
             + get_global_id(0) - get_global_offset(0);
  o.out[i] = get_global_id(2) * 10000 + get_global_id(1) * 100 + get_global_id(0);
}
kernel void local_size(struct Fill o) { o.out[get_global_id(0)] = get_local_size(0); }
kernel void increment_one(struct Fill o) { o.out[0] += o.value; }
kernel void until(struct Fill o) {
  volatile global int *told = o.out, *begun = o.out + 1;
  *begun = 1;
  for (long i = 0; !*told && i < 1L << 40; i++) ;  // many minutes
}
struct Copy { global int *from; global int *to; int factor; };
kernel void scaled_copy(struct Copy o) {
  size_t i = get_global_id(0);
  o.to[i] = o.from[i] * o.factor;
}
kernel void increment(struct Copy o) { o.to[get_global_id(0)] += o.factor; }
struct Sum { ulong scratch; global int *out; ulong other; };
kernel void group_sum(struct Sum o, local int *scratch, local int *other) {
  size_t l = get_local_id(0);
  scratch[l] = get_global_id(0);
  if (l == 0) other[0] = 1000000;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l) return;
  int sum = other[0];
  for (size_t i = 0; i < get_local_size(0); i++) sum += scratch[i];
  o.out[get_group_id(0)] = sum;
}
kernel void nothing(struct Fill o) {}
"""

_FILL = Parameter("o", "fill_object", ParameterKind.OBJECT, 16, 8)
_COPY = Parameter(
    "o",
    "copy_object",
    ParameterKind.OBJECT,
    24,
    8,
    members=(
        ArgumentMember("buffer", 0, 8, "sycl::accessor<int, 1>"),
        ArgumentMember("buffer", 8, 8, "sycl::accessor<int, 1>"),
    ),
)
_SUM = Parameter(
    "o",
    "group_sum_object",
    ParameterKind.OBJECT,
    24,
    8,
    members=(
        ArgumentMember("local", 0, 8, "sycl::local_accessor<int, 1>"),
        ArgumentMember("local", 16, 8, "sycl::local_accessor<int, 1>"),
    ),
)
_ODD = Parameter(
    "o",
    "odd_object",
    ParameterKind.OBJECT,
    16,
    8,
    members=(ArgumentMember("image", 0, 8, "sycl::image_accessor"),),
)
_PARAMETERS = {
    **dict.fromkeys(["fill", "place3", "local_size", "increment_one", "until"], _FILL),
    **dict.fromkeys(["scaled_copy", "increment"], _COPY),
    "group_sum": _SUM,
    "nothing": _ODD,
    "not_there": _FILL,
}
_KERNELS = [
    KernelInfo(name, name, f"{name}({parameter.type})", dimensions=None, parameters=(parameter,))
    for name, parameter in _PARAMETERS.items()
]

Build = Callable[[str], Path]
Application = Callable[..., str]


_WITHOUT_CODE = KernelInfo("without_code", "without_code", "without_code()", None, ())
_ONLY_PTX = KernelInfo("only_ptx", "only_ptx", "only_ptx()", None, ())
_BROKEN = KernelInfo("broken", "broken", "broken()", None, ())


def _package(spirv: bytes) -> Program:
    code = IRModule.of(IRType.SPIRV, "spir64-unknown-unknown", spirv)
    modules = [
        _module(_KERNELS, code),
        _module([_WITHOUT_CODE]),
        _module([_ONLY_PTX], IRModule.of(IRType.PTX, "nvptx64-nvidia-cuda", b"no PTX")),
        _module([_BROKEN], IRModule.of(IRType.SPIRV, "spir64-unknown-unknown", b"no SPIR-V")),
    ]
    data = write_program(SyclBin.of(BundleState.INPUT, modules))
    return Program.from_bytes(data, "program.syclbin")


def _module(kernels: Iterable[KernelInfo], *code: IRModule) -> AbstractModule:
    return AbstractModule({"Dovetail/kernels": {**properties_of(kernels=kernels)}}, code)


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The kernels above."""
    if not devices():
        pytest.skip("no device takes SPIR-V")
    folder = tmp_path_factory.mktemp("spirv")
    source, target = folder / "kernels.cl", folder / "kernels.spv"
    source.write_text(SOURCE)
    command = ["clang-22", "--target=spirv64v1.4-unknown-unknown", "-x", "cl", "-cl-std=CL3.0"]
    subprocess.run([*command, "-O2", "-c", str(source), "-o", str(target)], check=True)
    code = target.read_bytes()
    trust.remember(code)
    return _package(code)


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Compiles host code, a file beside this one, to a shared object; once for each name."""
    folder = tmp_path_factory.mktemp("host")

    @cache
    def build_library(name: str) -> Path:
        library = folder / f"{name}.so"
        command = ["clang++-22", "-std=c++17", "-O1", "-fPIC", "-shared", "-pthread"]
        source = str(HERE / f"{name}.cpp")
        subprocess.run([*command, f"-I{INCLUDE}", source, "-o", str(library)], check=True)
        return library

    return build_library


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory, design: Design) -> Application:
    """Runs a program of `sources` with more in its environment: what it prints.

    It is built once for each list of options and each design.
    """
    folder = tmp_path_factory.mktemp("applications")
    dovetail = [sys.executable, "-m", "dovetail"]

    @cache
    def build_application(name: str, options: tuple[str, ...]) -> Path:
        path = folder / "-".join([name, *(word.rpartition("=")[2] for word in options)])
        source = HERE / "sources" / f"{name}.cpp"
        subprocess.run(
            [*dovetail, "c++", "-fsycl", design.option, *options, source, "-o", path], check=True
        )
        return path

    def run(name: str, *options: str, **environment: str) -> str:
        command = [*dovetail, "run", build_application(name, options)]
        finished = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env={**os.environ, **environment},
        )
        assert (finished.returncode, finished.stderr) == (0, "")
        return finished.stdout

    return run


@pytest.fixture(scope="session")
def checks(build: Build) -> Path:
    return build("checks")
