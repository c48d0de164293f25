"""Which compilers answer for the toolchains that the device table names."""

from dovetail.probe import amdgpu, ocloc, opencl_cpu, ptxas
from dovetail.probe.compiler import FindCompilers

TOOLCHAINS: dict[str, FindCompilers] = {
    "ocloc": ocloc.find,
    "ptxas": ptxas.find,
    "amdgpu": amdgpu.find,
    "opencl-aot": opencl_cpu.find,
}
