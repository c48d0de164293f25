"""NVIDIA's GPUs: PTX by LLVM, and from that native code by ptxas."""

from dovetail.codegen.nvptx.generator import NvptxGenerator

__all__ = ["NvptxGenerator"]
