"""Make images of a linked program, as they were planned."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dovetail.artifacts import DeviceImage
from dovetail.assertion_record import VARIABLE
from dovetail.image import AddOn, ConditionalCall, ImageInfo, ManagedGlobal
from dovetail.ir import Module
from dovetail.postlink.actions import APART
from dovetail.postlink.add_ons import AddOnPair, NeededAddOns
from dovetail.postlink.assertions import (
    add_reader,
    asserting_kernels,
    functions_that_may_fail,
)
from dovetail.postlink.calls import Calls
from dovetail.postlink.compile_time_properties import property_names, represent_properties
from dovetail.postlink.conditional_code import conditional_code, conditional_info
from dovetail.postlink.conditional_plans import ConditionalPlan
from dovetail.postlink.device_global_accessor import add_accessor, managed_globals, needs_accessor
from dovetail.postlink.device_globals import Variable, device_globals
from dovetail.postlink.link import LinkedProgram
from dovetail.postlink.properties import Describer, WantedProperties
from dovetail.postlink.split import ImagePlan

_OURS = ("sycl_", "dovetail.")
"""How named metadata begin that were for us to read; those of compilers go into every image."""


@dataclass(frozen=True)
class ImageMaker:
    """Makes the images of a program whose calls of actions are plain."""

    linked: LinkedProgram
    calls: Calls
    """Those that count for what images need: where actions stay in them, all."""
    wanted: WantedProperties

    def image(self, plan: ImagePlan, add_ons: NeededAddOns, *, is_first: bool) -> DeviceImage:
        """The image of some entry points, without what is in add-ons."""
        needed = self.calls.needed(plan.symbols)
        return self._image(plan, needed, add_ons, is_first=is_first)

    def conditional_image(self, planned: ConditionalPlan, *, is_first: bool) -> DeviceImage:
        """The image of some entry points and of the actions that they come to call."""
        plan = planned.plan
        needed = self.calls.needed(plan.symbols)
        image = self._image(plan, needed, NeededAddOns(), is_first=is_first)
        code = conditional_code(image.module, planned, needed[len(plan.symbols) :])
        if code is None:
            return image
        self._hide_types_of_globals(image.module)
        info = conditional_info(image.info, planned, code)
        return replace(image, info=info, conditional=code)

    def real_add_on(self, pair: AddOnPair) -> DeviceImage:
        """The image with what actions do."""
        origins = [action.origin for action in pair.actions]
        # What a copy needs is what its origin needs.
        needed = [*pair.plan.symbols, *self.calls.needed(origins)[len(origins) :]]
        return self._image(pair.plan, needed, pair.needed, AddOn(pair.identifier, is_real=True))

    def stub_add_on(self, pair: AddOnPair) -> DeviceImage:
        """The image with functions that do nothing instead, and require nothing."""
        symbols = pair.plan.symbols
        whole = self.linked.module.extract(symbols, self._named_metadata, symbols, APART)
        whole.make_empty(symbols)
        module = whole.extract(symbols, self._named_metadata, symbols)
        _forget_marks(module)
        plan = pair.plan.requiring_nothing()
        info = replace(
            self._describer.info(plan, module, ()), add_on=AddOn(pair.identifier, is_real=False)
        )
        return self._described(module, plan, info)

    def _image(
        self,
        plan: ImagePlan,
        needed: Sequence[str],
        add_ons: NeededAddOns,
        add_on: AddOn | None = None,
        *,
        is_first: bool = False,
    ) -> DeviceImage:
        public = [*plan.symbols, *self._variables, VARIABLE]
        module = self.linked.module.extract(needed, self._named_metadata, public, APART)
        _forget_marks(module)
        _let_inline_be_linked(module, plan)
        is_linked = bool(add_ons.named or add_on)
        if add_ons.named:
            asserting = [kernel for kernel in plan.kernels if kernel in self._may_fail]
        else:
            asserting = asserting_kernels(module, plan.kernels)
        add_reader(module, asserting, shared=is_linked)
        kept, accessor = self._keep_globals(module, plan, is_first)
        info = self._describer.info(plan, module, asserting)
        if kept or add_on or add_ons.named:
            info = replace(
                info,
                managed_globals=kept,
                global_accessor=accessor,
                add_on=add_on,
                add_ons=add_ons.named,
                conditional_calls=_calls(add_ons),
            )
        return self._described(module, plan, info)

    def _keep_globals(
        self, module: Module, plan: ImagePlan, is_first: bool
    ) -> tuple[tuple[ManagedGlobal, ...], str]:
        """Let the runtime reach the device globals of an image, and return them with the accessor.

        The first image also tells of those that no image has: the host may use them.
        """
        if not self._kept or not self.wanted.device_globals or not needs_accessor(module):
            return (), ""
        variables = [variable for variable in device_globals(module) if variable.stride]
        kept = [*managed_globals(module, variables)]
        if is_first:
            kept += managed_globals(self.linked.module, self._unused, in_image=False)
        accessor = add_accessor(module, variables, plan.symbols[0]) if variables else ""
        return tuple(kept), accessor

    def _hide_types_of_globals(self, module: Module) -> None:
        """Device globals are reached on every device; not every device has their types."""
        present = {variable.name for variable in module.global_variables()}
        module.make_bytes([each.symbol for each in self._kept if each.symbol in present])

    def _described(self, module: Module, plan: ImagePlan, info: ImageInfo) -> DeviceImage:
        represent_properties(module, self._property_names)
        decided_for = self.linked.decided_for
        if decided_for:
            info = replace(info, resolved_targets=decided_for)
        return DeviceImage(
            module, tuple(plan.symbols), info, self.linked.facts_by_input, decided_for
        )

    @cached_property
    def _describer(self) -> Describer:
        return Describer(self.linked, self.wanted)

    @cached_property
    def _property_names(self) -> tuple[str, ...]:
        return property_names(self.linked.module)

    @cached_property
    def _may_fail(self) -> set[str]:
        return functions_that_may_fail(self.linked.module, self.calls.graph)

    @cached_property
    def _named_metadata(self) -> list[str]:
        names = self.linked.module.named_metadata_names()
        return [name for name in names if not name.startswith(_OURS)]

    @cached_property
    def _kept(self) -> list[Variable]:
        """The device globals that our runtime keeps."""
        return [variable for variable in device_globals(self.linked.module) if variable.stride]

    @cached_property
    def _unused(self) -> list[Variable]:
        """Those of them that no function uses."""
        users = self.linked.module.variable_users([each.symbol for each in self._kept])
        return [each for each in self._kept if not users[each.symbol]]

    @cached_property
    def _variables(self) -> list[str]:
        """Device globals keep their names in every image: the runtime looks for them."""
        return [variable.symbol for variable in device_globals(self.linked.module)]


def _calls(add_ons: NeededAddOns) -> dict[str, tuple[ConditionalCall, ...]]:
    """What functions of an image call of its add-ons, by caller."""
    if not add_ons.named:
        return {}
    return {caller: tuple(calls) for caller, calls in add_ons.calls.items() if calls}


def _forget_marks(module: Module) -> None:
    """What stays apart is a declaration by now."""
    marked = module.function_attributes(APART)
    if marked:
        module.set_function_attributes({symbol: {APART: None} for symbol in marked})


def _let_inline_be_linked(module: Module, plan: ImagePlan) -> None:
    """Drivers take the same inline function from several images; of others they take one."""
    inline = [e.symbol for e in plan.entry_points if e.root.is_inline and not e.root.is_kernel]
    if inline:
        module.set_linkage(dict.fromkeys(inline, "linkonce_odr"))
