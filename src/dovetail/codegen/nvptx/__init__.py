"""Code for NVIDIA's GPUs: PTX by LLVM, and native code by ptxas."""

from dovetail.codegen.nvptx.generator import NvptxGenerator

__all__ = ["NvptxGenerator"]
