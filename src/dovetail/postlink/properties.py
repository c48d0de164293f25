"""Derive the properties of an image from its plan and its code."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from dovetail import image
from dovetail.analysis import Chain, aspect_text, function_name
from dovetail.facts import KernelFact, Place
from dovetail.image import ImageInfo, Requirements
from dovetail.ir import Module, demangle
from dovetail.kernel_info import KernelInfo
from dovetail.postlink.device_globals import device_globals
from dovetail.postlink.imports import importable
from dovetail.postlink.link import LinkedProgram
from dovetail.postlink.split import EntryPoint, ImagePlan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.image import AspectUse


class WantedProperties(NamedTuple):
    """Which optional properties images have."""

    kernel_names: bool = True
    exported_symbols: bool = True
    imported_symbols: bool = True
    program_metadata: bool = True
    device_globals: bool = True


_MAX_CALLS = 32
"""The maximum length of call chains of exported functions and actions, to bound the total size."""


def _shortened(chain: Chain) -> Chain:
    return Chain(chain.steps[-_MAX_CALLS:], chain.use)


def _sizes(plan: ImagePlan) -> dict[str, Requirements]:
    """Return the required sizes of kernels that require any, by symbol."""
    required = {e.symbol: e.requirements for e in plan.entry_points if e.root.is_kernel}
    return {
        symbol: each.with_aspects(())
        for symbol, each in required.items()
        if each.work_group_size or each.sub_group_size is not None
    }


@dataclass(frozen=True)
class ImageDescriber:
    """Derives the properties of a program's images."""

    linked: LinkedProgram
    wanted: WantedProperties

    def kernels(self, plan: ImagePlan) -> tuple[KernelInfo, ...]:
        """Return the facts about an image's kernels."""
        known = [self.linked.kernels[s] for s in plan.symbols if s in self.linked.kernels]
        if not known:
            return ()
        names = demangle([kernel.symbol for kernel in known])
        return tuple(
            self._as_written(kernel, kernel.info(name))
            for kernel, name in zip(known, names, strict=True)
        )

    def _as_written(self, kernel: KernelFact, info: KernelInfo) -> KernelInfo:
        """Return the info with the user's place if the kernel is an object passed to a header."""
        place = self._places.get(kernel.entry_symbol)
        if kernel.form != "entry" or place is None:
            return info
        return replace(info, signature=info.name, file=place.file, line=place.line)

    @cached_property
    def _places(self) -> dict[str, Place]:
        return {report.symbol: report.place for report in self.linked.analysis.kernels()}

    def info(self, plan: ImagePlan, module: Module, asserting: Sequence[str]) -> ImageInfo:
        """Return the properties of an image; `asserting` kernels can fail an assertion."""
        wanted = self.wanted
        exported = [e.root for e in plan.entry_points if not e.root.is_kernel]
        if not wanted.exported_symbols:
            exported.clear()
        variables = device_globals(module) if self._has_variables else ()
        metadata = wanted.program_metadata
        return ImageInfo(
            requirements=plan.requirements,
            kernel_names=tuple(plan.kernels) if wanted.kernel_names else (),
            kernels=self.kernels(plan),
            kernel_sizes=_sizes(plan) if metadata else {},
            asserting_kernels=tuple(asserting),
            opt_level=plan.optimization,
            grf_size=plan.grf_size,
            aspect_uses=self._uses(plan) if self.linked.facts.functions else {},
            exports=tuple(root.symbol for root in exported),
            inline=tuple(root.symbol for root in exported if root.is_inline),
            imports=tuple(self._imports(module)) if wanted.imported_symbols else (),
            device_globals=tuple(v.described for v in variables) if wanted.device_globals else (),
            global_variables={v.described.identifier: v.symbol for v in variables if metadata},
        )

    def _imports(self, module: Module) -> Iterator[str]:
        if not self._importable:
            return
        for function in module.functions():
            is_copy = function.linkage == "available_externally"
            if (function.is_declaration or is_copy) and function.name in self._importable:
                yield function.name

    @cached_property
    def _has_variables(self) -> bool:
        return bool(device_globals(self.linked.module))

    @cached_property
    def _importable(self) -> frozenset[str]:
        return importable(self.linked.undefined)

    def _uses(self, plan: ImagePlan) -> "dict[str, dict[str, AspectUse]]":
        """Return the uses of the required aspects by entry point, as far as they are in facts."""
        uses: dict[str, dict[str, AspectUse]] = {}
        for entry in (*plan.entry_points, *plan.actions):
            chains = self._chains_of(entry)
            if chains is not None:
                required = map(aspect_text, entry.requirements.aspects)
                of_entry = {a: self._use(chains[a]) for a in required if a in chains}
                if of_entry:
                    uses[entry.symbol] = of_entry
        return uses

    def _chains_of(self, entry: EntryPoint) -> dict[str, Chain] | None:
        """Return the call chains of an entry point by aspect, or None if there are no facts."""
        if not entry.action:
            return self._chains.get(entry.symbol)
        # Internal functions were renamed by appending a dollar sign and a prefix.
        for name in (entry.action, entry.action.rpartition("$")[0]):
            if name in self._defined:
                return self._chains_from(self._defined[name])
        return None

    def _use(self, chain: Chain) -> "AspectUse":
        graph = self.linked.analysis.graph
        calls = tuple(
            image.CallOnPath(
                function_name(graph, step.caller), function_name(graph, step.callee), step.place
            )
            for step in chain.steps
        )
        return image.AspectUse(chain.use.what, chain.use.place, calls)

    @cached_property
    def _chains(self) -> dict[str, dict[str, Chain]]:
        """The call chain to the first use, by entry point and aspect."""
        graph = self.linked.analysis.graph
        chains = {
            node.fact.symbol: self._chains_from(number)
            for number, node in enumerate(graph.nodes)
            if node.fact.is_external and node.fact.is_defined
        }
        return chains | {kernel.symbol: kernel.aspects for kernel in self.linked.analysis.kernels()}

    def _chains_from(self, number: int) -> dict[str, Chain]:
        uses = self.linked.analysis.uses
        return {aspect_text(a): _shortened(uses.chain(number, a)) for a in uses.of(number)}

    @cached_property
    def _defined(self) -> dict[str, int]:
        """The indices of functions that sources define, by symbol."""
        nodes = enumerate(self.linked.analysis.graph.nodes)
        return {node.fact.symbol: number for number, node in nodes if node.fact.is_defined}
