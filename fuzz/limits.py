"""What one input may take: more is a fault."""

SECONDS_PER_INPUT = 10
MEMORY_ALLOWANCE = 256 << 20
"""Bytes of address space beyond what the process has before the first input. Inputs are at most a
few kilobytes, so that an allocation that reaches it follows a size that the input merely claims."""
GROWTH_ALLOWANCE = 64 << 20
"""Bytes by which memory may grow between the first tenth of a run and its end; the engine keeps
inputs that reach new code."""
