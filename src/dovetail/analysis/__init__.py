"""The analysis of device code: facts in; who uses which aspects, and what is wrong, out.

    analysis = Analysis.of([facts, ...])
    for finding in analysis.findings():
        print(message_text(finding, WarningOptions(), SourceLines()))
    for kernel in analysis.kernels(targets):
        print(kernel.name, *kernel.aspects)

The parts can be had alone: `build_graph`, `Uses`, `find_all`, `report_kernels`.
"""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.analysis.analysis import (
        Analysis,
    )
    from dovetail.analysis.conditional import (
        ConditionalUses,
        Edges,
        simplify,
    )
    from dovetail.analysis.findings import (
        Finding,
        Note,
        find_all,
        function_name,
        misfits,
        mismatched_aspects,
        mismatched_externals,
        undeclared_aspects,
        unfit_for_fixed,
    )
    from dovetail.analysis.graph import (
        Graph,
        KernelNode,
        Node,
        Step,
        build_graph,
    )
    from dovetail.analysis.kernels import (
        KernelReport,
        report_kernels,
    )
    from dovetail.analysis.messages import (
        SourceLines,
        message_text,
    )
    from dovetail.analysis.rules import (
        FIXED_TARGETS,
        MISFIT,
        MISMATCHED_ASPECTS,
        REFUSED,
        RULES,
        UNDECLARED_ASPECT,
        UNKNOWN_ARCHITECTURE,
        UNKNOWN_ASPECT,
        Level,
        Rule,
        WarningOptions,
        read_warning_words,
        words_for_clang,
    )
    from dovetail.analysis.uses import (
        Chain,
        Uses,
        aspect_text,
    )

__all__ = [
    "FIXED_TARGETS",
    "MISFIT",
    "MISMATCHED_ASPECTS",
    "REFUSED",
    "RULES",
    "UNDECLARED_ASPECT",
    "UNKNOWN_ARCHITECTURE",
    "UNKNOWN_ASPECT",
    "Analysis",
    "Chain",
    "ConditionalUses",
    "Edges",
    "Finding",
    "Graph",
    "KernelNode",
    "KernelReport",
    "Level",
    "Node",
    "Note",
    "Rule",
    "SourceLines",
    "Step",
    "Uses",
    "WarningOptions",
    "aspect_text",
    "build_graph",
    "find_all",
    "function_name",
    "message_text",
    "misfits",
    "mismatched_aspects",
    "mismatched_externals",
    "read_warning_words",
    "report_kernels",
    "simplify",
    "undeclared_aspects",
    "unfit_for_fixed",
    "words_for_clang",
]

__getattr__ = on_demand(
    __name__,
    {
        "analysis": ("Analysis",),
        "conditional": (
            "ConditionalUses",
            "Edges",
            "simplify",
        ),
        "findings": (
            "Finding",
            "Note",
            "find_all",
            "function_name",
            "misfits",
            "mismatched_aspects",
            "mismatched_externals",
            "undeclared_aspects",
            "unfit_for_fixed",
        ),
        "graph": (
            "Graph",
            "KernelNode",
            "Node",
            "Step",
            "build_graph",
        ),
        "kernels": (
            "KernelReport",
            "report_kernels",
        ),
        "messages": (
            "SourceLines",
            "message_text",
        ),
        "rules": (
            "FIXED_TARGETS",
            "MISFIT",
            "MISMATCHED_ASPECTS",
            "REFUSED",
            "RULES",
            "UNDECLARED_ASPECT",
            "UNKNOWN_ARCHITECTURE",
            "UNKNOWN_ASPECT",
            "Level",
            "Rule",
            "WarningOptions",
            "read_warning_words",
            "words_for_clang",
        ),
        "uses": (
            "Chain",
            "Uses",
            "aspect_text",
        ),
    },
)
