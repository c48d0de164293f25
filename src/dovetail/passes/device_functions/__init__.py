"""LLVM IR for the device functions that the headers declare, `__spirv_…`, on GPUs without SPIR-V.

`registry.py` lists them by name; the other modules define them by subject. For SPIR-V, the back-end
implements them as instructions.
"""
