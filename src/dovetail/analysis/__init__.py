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
    )
    from dovetail.analysis.conditional import (
        Edges as Edges,
    )
    from dovetail.analysis.conditional import (
        simplify as simplify,
    )
    from dovetail.analysis.finding import (
        Finding as Finding,
    )
    from dovetail.analysis.finding import (
        Note as Note,
    )
    from dovetail.analysis.finding import (
        function_name as function_name,
    )
    from dovetail.analysis.findings import (
        find_all as find_all,
    )
    from dovetail.analysis.findings import (
        fixed_target_misfits as fixed_target_misfits,
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
    from dovetail.analysis.rendering import SourceLines as SourceLines
    from dovetail.analysis.rendering import colored as colored
    from dovetail.analysis.rendering import message_text as message_text
    from dovetail.analysis.rules import (
        DOES_NOT_COMPILE as DOES_NOT_COMPILE,
    )
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
        parse_warning_options as parse_warning_options,
    )
    from dovetail.analysis.rules import (
        without_dovetail_warnings as without_dovetail_warnings,
    )
    from dovetail.analysis.uses import Chain as Chain
    from dovetail.analysis.uses import Uses as Uses
    from dovetail.analysis.uses import aspect_text as aspect_text
