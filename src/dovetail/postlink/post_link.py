"""From linked modules to device images: propagate aspects, split, describe.

    linked = link_modules(modules)
    program = PostLinked.of(linked, SplitMode.AUTO)
    for finding in find_in_program(linked, program.used, conditional=program.conditional): ...
    for image in program.images(): ...

Images are made one at a time, so that whoever writes them away keeps one in memory and not all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from dovetail.analysis import ConditionalUses
from dovetail.artifacts import DeviceImage
from dovetail.assertion_record import VARIABLE
from dovetail.device_metadata import CONDITIONAL_CALLER
from dovetail.ir import CallGraph, Module
from dovetail.postlink.assertions import add_reader, asserting_kernels
from dovetail.postlink.calls import Calls
from dovetail.postlink.device_globals import device_globals, refuse_shared_image_scope
from dovetail.postlink.imports import importable
from dovetail.postlink.link import LinkedProgram
from dovetail.postlink.propagate import propagate_aspects
from dovetail.postlink.properties import Describer, Wanted
from dovetail.postlink.split import ImagePlan, find_entry_points, plan_images
from dovetail.postlink.split_mode import SplitMode

_OURS = ("sycl_", "dovetail.")
"""How named metadata begin that were for us to read; those of compilers go into every image."""


@dataclass(frozen=True)
class PostLinked:
    """A program that has been taken apart."""

    linked: LinkedProgram
    calls: Calls
    used: dict[str, int]
    """The aspects that each function uses, as bits; without functions that use none."""
    plans: tuple[ImagePlan, ...]
    conditional: dict[str, ConditionalUses]
    """The aspects that functions use on some devices alone, by condition."""

    @classmethod
    def of(cls, linked: LinkedProgram, mode: SplitMode, *, only_kernels: bool = False) -> Self:
        """Find out what kernels use and which of them go into an image together."""
        calls = Calls(CallGraph.of(linked.module, CONDITIONAL_CALLER))
        used, conditional = propagate_aspects(linked, calls)
        foreign = importable(linked.undefined & calls.number_of.keys())
        imports = calls.reached(sorted(foreign)) if foreign else {}
        entry_points = find_entry_points(linked, used, imports, only_kernels=only_kernels)
        plans = plan_images(entry_points, mode, has_indirect_calls=calls.are_indirect)
        refuse_shared_image_scope(linked, calls, plans, device_globals(linked.module))
        return cls(linked, calls, used, tuple(plans), conditional)

    def images(self, wanted: Wanted | None = None) -> Iterator[DeviceImage]:
        """The images, in the order of the plans."""
        describer = Describer(self.linked, wanted or Wanted())
        for plan in self.plans:
            module = self.linked.module.extract(
                self.calls.needed(plan.symbols),
                self._named_metadata,
                [*plan.symbols, *self._variables, VARIABLE],
            )
            _let_inline_be_linked(module, plan)
            kernels = describer.kernels(plan)
            asserting = asserting_kernels(module, plan.kernels)
            add_reader(module, asserting)
            yield DeviceImage(
                module,
                tuple(plan.symbols),
                kernels,
                plan.requirements,
                describer.properties(plan, module, kernels, asserting),
                self.linked.facts_by_input,
            )

    @cached_property
    def _named_metadata(self) -> list[str]:
        names = self.linked.module.named_metadata_names()
        return [name for name in names if not name.startswith(_OURS)]

    @cached_property
    def _variables(self) -> list[str]:
        """Device globals keep their names in every image: the runtime looks for them."""
        return [variable.symbol for variable in device_globals(self.linked.module)]


def _let_inline_be_linked(module: Module, plan: ImagePlan) -> None:
    """Drivers take the same inline function from several images; of others they take one."""
    inline = [e.symbol for e in plan.entry_points if e.root.is_inline and not e.root.is_kernel]
    if inline:
        module.set_linkage(dict.fromkeys(inline, "linkonce_odr"))
