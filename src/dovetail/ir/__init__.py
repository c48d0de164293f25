"""LLVM IR: modules, call graphs, and parsing of untrusted files.

Textual IR or bitcode becomes a `Module`, which can be queried, edited, optimized by LLVM's passes
and compiled. Only this package imports the native bridge; `docs/bridge.md` has the rules.
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
from dovetail.ir.parsing import ParseLimits, link_definitions, parse_untrusted

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
    "link_definitions",
    "llvm_version",
    "parse_untrusted",
]
