"""LLVM IR for the rest of the package: modules, their call graphs, files nobody vouches for.

In: bytes of textual IR or bitcode. Out: `Module`, which reads and edits in bulk, runs LLVM's passes
and generates code. This package alone imports the native bridge; `docs/bridge.md` has its rules.
"""

from dovetail.errors import ToolMissing, is_out_of_memory

try:
    from dovetail._native import (
        ConditionalCall,
        ConditionalCaller,
        Context,
        Function,
        FunctionShape,
        GlobalVariable,
        Integer,
        Module,
        demangle,
        known_processors,
        llvm_version,
    )
except ImportError as error:
    if is_out_of_memory(error):
        raise
    raise ToolMissing(
        f"this installation of Dovetail can run programs but not build them: {error}",
        hint="install it with its native parts: 'make setup' in a checkout",
    ) from None

from dovetail.ir.call_graph import REFERENCES, CallGraph, EdgeKind
from dovetail.ir.parsing import ParseLimits, link_text, parse_untrusted

__all__ = [
    "REFERENCES",
    "CallGraph",
    "ConditionalCall",
    "ConditionalCaller",
    "Context",
    "EdgeKind",
    "Function",
    "FunctionShape",
    "GlobalVariable",
    "Integer",
    "Module",
    "ParseLimits",
    "demangle",
    "known_processors",
    "link_text",
    "llvm_version",
    "parse_untrusted",
]
