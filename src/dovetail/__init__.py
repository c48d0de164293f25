"""Dovetail: a SYCL device toolchain and runtime in Python, on stock LLVM."""
