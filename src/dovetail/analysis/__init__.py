"""The analysis of device code: facts in; who uses which aspects, and what is wrong, out.

    analysis = Analysis.of([facts, ...])
    for finding in analysis.findings():
        print(message_text(finding, WarningOptions(), SourceLines()))
    for kernel in analysis.kernels(targets):
        print(kernel.name, *kernel.aspects)

The parts can be had alone: `build_graph`, `Uses`, `find_all`, `report_kernels`.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.analysis.analysis import Analysis as Analysis
    from dovetail.analysis.conditional import (
        ConditionalUses as ConditionalUses,
    )
    from dovetail.analysis.conditional import (
        Edges as Edges,
    )
    from dovetail.analysis.conditional import (
        simplify as simplify,
    )
    from dovetail.analysis.findings import (
        Finding as Finding,
    )
    from dovetail.analysis.findings import (
        Note as Note,
    )
    from dovetail.analysis.findings import (
        find_all as find_all,
    )
    from dovetail.analysis.findings import (
        function_name as function_name,
    )
    from dovetail.analysis.findings import (
        misfits as misfits,
    )
    from dovetail.analysis.findings import (
        mismatched_aspects as mismatched_aspects,
    )
    from dovetail.analysis.findings import (
        mismatched_externals as mismatched_externals,
    )
    from dovetail.analysis.findings import (
        undeclared_aspects as undeclared_aspects,
    )
    from dovetail.analysis.findings import (
        unfit_for_fixed as unfit_for_fixed,
    )
    from dovetail.analysis.graph import (
        CallStep as CallStep,
    )
    from dovetail.analysis.graph import (
        Graph as Graph,
    )
    from dovetail.analysis.graph import (
        KernelNode as KernelNode,
    )
    from dovetail.analysis.graph import (
        Node as Node,
    )
    from dovetail.analysis.graph import (
        build_graph as build_graph,
    )
    from dovetail.analysis.kernels import (
        KernelReport as KernelReport,
    )
    from dovetail.analysis.kernels import (
        report_kernels as report_kernels,
    )
    from dovetail.analysis.messages import SourceLines as SourceLines
    from dovetail.analysis.messages import message_text as message_text
    from dovetail.analysis.rules import (
        FIXED_TARGETS as FIXED_TARGETS,
    )
    from dovetail.analysis.rules import (
        MISFIT as MISFIT,
    )
    from dovetail.analysis.rules import (
        MISMATCHED_ASPECTS as MISMATCHED_ASPECTS,
    )
    from dovetail.analysis.rules import (
        REFUSED as REFUSED,
    )
    from dovetail.analysis.rules import (
        RULES as RULES,
    )
    from dovetail.analysis.rules import (
        UNDECLARED_ASPECT as UNDECLARED_ASPECT,
    )
    from dovetail.analysis.rules import (
        UNKNOWN_ARCHITECTURE as UNKNOWN_ARCHITECTURE,
    )
    from dovetail.analysis.rules import (
        UNKNOWN_ASPECT as UNKNOWN_ASPECT,
    )
    from dovetail.analysis.rules import (
        Level as Level,
    )
    from dovetail.analysis.rules import (
        Rule as Rule,
    )
    from dovetail.analysis.rules import (
        WarningOptions as WarningOptions,
    )
    from dovetail.analysis.rules import (
        read_warning_words as read_warning_words,
    )
    from dovetail.analysis.rules import (
        words_for_clang as words_for_clang,
    )
    from dovetail.analysis.uses import Chain as Chain
    from dovetail.analysis.uses import Uses as Uses
    from dovetail.analysis.uses import aspect_text as aspect_text
