"""AMD's GPUs: code objects by LLVM and its linker."""

from dovetail.codegen.amdgcn.generator import AmdgcnGenerator

__all__ = ["AmdgcnGenerator"]
