"""A program made of OpenCL C kernels, and queues that use host arrays directly or by copies."""

import subprocess
from collections.abc import Callable, Iterable
from typing import cast

import pytest
from image_sets import properties_of

from dovetail import trust
from dovetail.image import (
    AbstractModule,
    BundleState,
    IRModule,
    IRType,
    SyclBin,
    write_program,
)
from dovetail.kernel_info import Field, KernelInfo, Parameter, ParameterKind
from dovetail.runtime import Device, Program, Queue, devices
from dovetail.runtime.opencl.device import OpenCLDevice

Package = Callable[[bytes, Iterable[KernelInfo]], Program]

SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void saxpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
kernel void place1(global int *out) { out[get_global_id(0)] = get_global_id(0); }
kernel void place2(global int *out) {
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] = get_global_id(1) * 100 + get_global_id(0);
}
kernel void place3(global int *out) {
  size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0)
             + get_global_id(0);
  out[i] = get_global_id(2) * 10000 + get_global_id(1) * 100 + get_global_id(0);
}
kernel void group_sizes(global int *out) {
  if (get_global_id(0) + get_global_id(1) + get_global_id(2) == 0)
    for (int d = 0; d < 3; d++) out[2 - d] = get_local_size(d);
}
kernel void scalars(char a, uchar b, short c, ushort d, int e, uint f, long g, ulong h, uchar t,
                    half u, float v, double w, global long *wholes, global double *reals) {
  wholes[0] = a; wholes[1] = b; wholes[2] = c; wholes[3] = d; wholes[4] = e; wholes[5] = f;
  wholes[6] = g; wholes[7] = h; wholes[8] = t;
  reals[0] = u; reals[1] = v; reals[2] = w;
}
struct Mixed { char tag; int number; float pair[2]; double real; };
kernel void mixed(struct Mixed m, global double *out) {
  out[0] = m.tag; out[1] = m.number; out[2] = m.pair[0]; out[3] = m.pair[1]; out[4] = m.real;
}
struct Holder { ulong address; int value; };
kernel void through(struct Holder h) { *(global int *)h.address = h.value; }
kernel void once(global int *out, int value) { out[0] = value; }
kernel void fill(global int *out, int value) { out[get_global_id(0)] = value; }
kernel void add(global int *to, global const int *from) {
  to[get_global_id(0)] += from[get_global_id(0)];
}
kernel void is_null(global const int *p, global int *out) { out[0] = p == 0; }
kernel void until(global volatile int *told, global int *out) {
  for (long i = 0; !*told && i < 1L << 40; i++) ;  // many minutes
  out[0] = 1;
}
"""


def _scalar(name: str, c_type: str, encoding: str) -> Parameter:
    size = int(encoding[1:])
    return Parameter(name, c_type, ParameterKind.SCALAR, size, size, encoding)


def _pointer(name: str, c_type: str, encoding: str, *, writable: bool = True) -> Parameter:
    spelled = f"{c_type} *" if writable else f"const {c_type} *"
    return Parameter(name, spelled, ParameterKind.POINTER, 8, 8, encoding, writable)


_OUT = _pointer("out", "int", "i4")
_MIXED = Parameter(
    "m",
    "Mixed",
    ParameterKind.OBJECT,
    size=24,
    align=8,
    fields=(
        Field("tag", 0, "i1"),
        Field("number", 4, "i4"),
        Field("pair", 8, "f4", 2),
        Field("real", 16, "f8"),
    ),
)
_HOLDER = Parameter(
    "h",
    "Holder",
    ParameterKind.OBJECT,
    size=16,
    align=8,
    fields=(Field("address", 0, "u8"), Field("value", 8, "i4")),
)
_WIDTHS = {
    **{"a": "i1", "b": "u1", "c": "i2", "d": "u2", "e": "i4", "f": "u4", "g": "i8", "h": "u8"},
    **{"t": "b1", "u": "f2", "v": "f4", "w": "f8"},
}
_PARAMETERS: dict[str, tuple[int, tuple[Parameter, ...]]] = {
    "saxpy": (
        1,
        (
            _scalar("a", "float", "f4"),
            _pointer("x", "float", "f4", writable=False),
            _pointer("y", "float", "f4"),
        ),
    ),
    "place1": (1, (_OUT,)),
    "place2": (2, (_OUT,)),
    "place3": (3, (_OUT,)),
    "group_sizes": (3, (_OUT,)),
    "scalars": (
        1,
        (
            *(_scalar(name, encoding, encoding) for name, encoding in _WIDTHS.items()),
            _pointer("wholes", "long", "i8"),
            _pointer("reals", "double", "f8"),
        ),
    ),
    "mixed": (1, (_MIXED, _pointer("out", "double", "f8"))),
    "through": (0, (_HOLDER,)),
    "once": (0, (_OUT, _scalar("value", "int", "i4"))),
    "fill": (1, (_OUT, _scalar("value", "int", "i4"))),
    "add": (1, (_pointer("to", "int", "i4"), _pointer("from", "int", "i4", writable=False))),
    "is_null": (0, (_pointer("p", "int", "i4", writable=False), _OUT)),
    "until": (0, (_pointer("told", "volatile int", "i4"), _OUT)),
}
KERNELS = tuple(
    KernelInfo(name, name, f"{name}({', '.join(p.type for p in parameters)})", count, parameters)
    for name, (count, parameters) in _PARAMETERS.items()
)


def _package(spirv: bytes, kernels: Iterable[KernelInfo]) -> Program:
    code = IRModule.of(IRType.SPIRV, "spir64-unknown-unknown", spirv)
    module = AbstractModule({"Dovetail/kernels": {**properties_of(kernels=kernels)}}, (code,))
    return Program.from_bytes(write_program(SyclBin.of(BundleState.INPUT, [module])))


@pytest.fixture(scope="session")
def package() -> Package:
    """Makes a program of SPIR-V and the description of its kernels."""
    return _package


@pytest.fixture(scope="session")
def spirv(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The kernels above, compiled."""
    folder = tmp_path_factory.mktemp("spirv")
    source, target = folder / "kernels.cl", folder / "kernels.spv"
    source.write_text(SOURCE)
    command = ["clang-22", "--target=spirv64v1.4-unknown-unknown", "-x", "cl", "-cl-std=CL3.0"]
    subprocess.run([*command, "-O2", "-c", str(source), "-o", str(target)], check=True)
    code = target.read_bytes()
    # What a compiler does once its output has been validated.
    trust.remember(code)
    return code


@pytest.fixture(scope="session")
def kernels() -> tuple[KernelInfo, ...]:
    return KERNELS


@pytest.fixture(scope="session")
def program(spirv: bytes) -> Program:
    return _package(spirv, KERNELS)


@pytest.fixture(scope="session")
def device() -> Device:
    found = devices()
    if not found:
        pytest.skip("no device takes SPIR-V")
    return found[0]


@pytest.fixture(scope="session")
def staged_device(device: Device) -> Device:
    """The same device, taken for one that cannot reach the host's memory."""
    native = cast(OpenCLDevice, device.native)
    return Device(OpenCLDevice(native.handle, reaches_host_memory=False))


@pytest.fixture(params=["direct", "staged"])
def queue(request: pytest.FixtureRequest, device: Device, staged_device: Device) -> Queue:
    """Every test that takes this runs twice: with arrays used where they lie, and with copies."""
    return Queue(device if request.param == "direct" else staged_device)
