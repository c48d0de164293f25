"""Code objects for AMD's GPUs, by LLVM and lld."""

from dovetail.codegen.amdgcn.generator import AmdgcnGenerator

__all__ = ["AmdgcnGenerator"]
