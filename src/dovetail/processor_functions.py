"""Functions that passes call and code generation defines: only it knows the processor.

Passes run once for a family. What they write is declared here, so that both sides agree.
"""

_PREFIX = "__dovetail_processor_"

GENERATION = f"{_PREFIX}generation"
"""On NVIDIA's GPUs: the number of the architecture, 90 for sm_90."""
WAVE_SHUFFLE = f"{_PREFIX}wave_shuffle"
"""On AMD's GPUs: the value that another lane of the wave passes. Lanes that do not exist pass any
value."""

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
    """For who calls it, in LLVM's text."""
    result, parameters, attributes = _SIGNATURES[name]
    return f"declare {result} @{name}{parameters} {attributes}\n"


def definition(name: str, body: str) -> str:
    """For who knows the processor; nothing is left of the function but its body."""
    result, parameters, attributes = _SIGNATURES[name]
    return f"define {result} @{name}{parameters} alwaysinline {attributes} {{\n{body}\n}}\n"
