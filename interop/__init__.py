"""Interoperability with Intel's SYCL: our examples with its headers, our files with its runtime."""
