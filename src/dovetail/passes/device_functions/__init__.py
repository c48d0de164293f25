"""The device functions that the headers declare, `__spirv_…`, as LLVM IR for GPUs without SPIR-V.

`registry.py` has them all, by name; the other modules have them by subject. On SPIR-V they are the
back-end's own instructions.
"""
