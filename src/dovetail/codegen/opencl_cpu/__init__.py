"""Native code for x86-64 processors, compiled by Intel's OpenCL CPU runtime."""

from dovetail.codegen.opencl_cpu.generator import OpenCLCpuGenerator

__all__ = ["OpenCLCpuGenerator"]
