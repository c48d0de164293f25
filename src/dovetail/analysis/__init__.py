"""Static analysis of device code from facts: the aspects that functions use, and errors.

    analysis = Analysis.of([facts, ...])
    for finding in analysis.findings():
        print(message_text(finding, WarningOptions(), SourceLines()))
    for kernel in analysis.kernels(targets):
        print(kernel.name, *kernel.aspects)

`build_graph`, `Uses`, `find_all` and `report_kernels` can also be used separately.
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.analysis.analysis import Analysis as Analysis
    from dovetail.analysis.conditional import (
        ConditionalUses as ConditionalUses,
        Edges as Edges,
        simplify as simplify,
    )
    from dovetail.analysis.finding import (
        Finding as Finding,
        Note as Note,
        function_name as function_name,
    )
    from dovetail.analysis.findings import (
        find_all as find_all,
        fixed_target_misfits as fixed_target_misfits,
        misfits as misfits,
        mismatched_aspects as mismatched_aspects,
        mismatched_externals as mismatched_externals,
        undeclared_aspects as undeclared_aspects,
    )
    from dovetail.analysis.graph import (
        CallStep as CallStep,
        Graph as Graph,
        KernelNode as KernelNode,
        Node as Node,
        build_graph as build_graph,
    )
    from dovetail.analysis.kernels import (
        KernelReport as KernelReport,
        report_kernels as report_kernels,
    )
    from dovetail.analysis.rendering import (
        SourceLines as SourceLines,
        colored as colored,
        message_text as message_text,
    )
    from dovetail.analysis.rules import (
        DOES_NOT_COMPILE as DOES_NOT_COMPILE,
        FIXED_TARGETS as FIXED_TARGETS,
        MISFIT as MISFIT,
        MISMATCHED_ASPECTS as MISMATCHED_ASPECTS,
        RULES as RULES,
        UNDECLARED_ASPECT as UNDECLARED_ASPECT,
        UNKNOWN_ARCHITECTURE as UNKNOWN_ARCHITECTURE,
        UNKNOWN_ASPECT as UNKNOWN_ASPECT,
        Level as Level,
        Rule as Rule,
        WarningOptions as WarningOptions,
        parse_warning_options as parse_warning_options,
        without_dovetail_warnings as without_dovetail_warnings,
    )
    from dovetail.analysis.uses import Chain as Chain, Uses as Uses, aspect_text as aspect_text
