"""Proves that the examples are spelled as SYCL is elsewhere, against Intel's headers."""
