"""Functions that passes call and code generation defines, because they depend on the processor.

Passes run once for a family of targets. Both sides use the signatures in this module.
"""

_PREFIX = "__dovetail_processor_"

GENERATION = f"{_PREFIX}generation"
"""On NVIDIA's GPUs: the number of the architecture, 90 for sm_90."""
WAVE_SHUFFLE = f"{_PREFIX}wave_shuffle"
"""On AMD's GPUs: the value that another lane of the wave passes; undefined for inactive lanes."""

PROCESSOR_FUNCTIONS = (GENERATION, WAVE_SHUFFLE)

_SIGNATURES = {
    GENERATION: ("i32", "()", "nounwind willreturn memory(none)"),
    WAVE_SHUFFLE: (
        "i32",
        "(i32 %value, i32 %from)",
        "convergent nounwind willreturn memory(none)",
    ),
}


def declaration(name: str) -> str:
    """Return the declaration as LLVM IR, for callers."""
    result, parameters, attributes = _SIGNATURES[name]
    return f"declare {result} @{name}{parameters} {attributes}\n"


def definition(name: str, body: str) -> str:
    """Return the definition as LLVM IR, which is inlined into callers."""
    result, parameters, attributes = _SIGNATURES[name]
    return f"define {result} @{name}{parameters} alwaysinline {attributes} {{\n{body}\n}}\n"
