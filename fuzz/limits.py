"""Limits of time and memory for one input; exceeding them is a fault."""

SECONDS_PER_INPUT = 10
MEMORY_ALLOWANCE = 256 << 20
"""Bytes of address space in addition to those before the first input. Inputs are at most a few
kilobytes, so a larger allocation can only come from a size field that was not checked."""
GROWTH_ALLOWANCE = 64 << 20
"""Bytes by which memory may grow between the first tenth of a run and its end. The engine keeps
inputs that reach new code."""
