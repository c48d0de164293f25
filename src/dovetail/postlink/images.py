"""Build the planned images of a linked program."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dovetail import image as formats
from dovetail.artifacts import DeviceImage
from dovetail.assertion_record import VARIABLE
from dovetail.device_metadata import CONSTANT_SCALAR
from dovetail.image import ImageInfo
from dovetail.ir import Module
from dovetail.postlink.actions import OWN_IMAGE
from dovetail.postlink.calls import Calls
from dovetail.postlink.compile_time_properties import property_names, represent_properties
from dovetail.postlink.device_globals import Variable, device_globals
from dovetail.postlink.link import LinkedProgram
from dovetail.postlink.properties import ImageDescriber, WantedProperties
from dovetail.postlink.split import ImagePlan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.image import ActionCall, AddOn, ManagedGlobal
    from dovetail.postlink.add_ons import AddOnPair, NeededAddOns
    from dovetail.postlink.conditional_plans import ConditionalPlan

_OWN_METADATA = ("sycl_", "dovetail.")
"""Prefixes of Dovetail's named metadata; other named metadata is copied into every image."""


@dataclass(frozen=True)
class ImageBuilder:
    """Builds the images of a program in which conditional calls are replaced by direct ones."""

    linked: LinkedProgram
    calls: Calls
    """The calls that determine what an image contains. They include conditional calls if actions
    are in the same image."""
    wanted: WantedProperties

    def image(
        self, plan: ImagePlan, add_ons: "NeededAddOns | None", *, is_first: bool
    ) -> DeviceImage:
        """Return the image of a plan, without the code in add-ons."""
        needed = self.calls.needed(plan.symbols)
        return self._image(plan, needed, add_ons, is_first=is_first)

    def conditional_image(self, planned: "ConditionalPlan", *, is_first: bool) -> DeviceImage:
        """Return the image of entry points and the actions that they call."""
        # Imported late: most programs have no conditional code.
        from dovetail.postlink.conditional_code import conditional_code, conditional_info

        plan = planned.plan
        needed = self.calls.needed(plan.symbols)
        image = self._image(plan, needed, is_first=is_first)
        code = conditional_code(image.module, planned, needed[len(plan.symbols) :])
        if code is None:
            return image
        self._hide_types_of_globals(image.module)
        info = conditional_info(image.info, planned, code)
        return replace(image, info=info, conditional=code)

    def real_add_on(self, pair: "AddOnPair") -> DeviceImage:
        """Return the image that contains the actions of a pair."""
        origins = [action.origin for action in pair.actions]
        # Copies are not in the call graph, and need what their origins need.
        needed = [*pair.plan.symbols, *self.calls.needed(origins)[len(origins) :]]
        return self._image(
            pair.plan, needed, pair.needed, formats.AddOn(pair.identifier, is_real=True)
        )

    def stub_add_on(self, pair: "AddOnPair") -> DeviceImage:
        """Return the image with empty functions instead of the actions, without requirements."""
        symbols = pair.plan.symbols
        whole = self.linked.module.extract(symbols, self._named_metadata, symbols, OWN_IMAGE)
        whole.make_empty(symbols)
        module = whole.extract(symbols, self._named_metadata, symbols)
        _remove_marks(module)
        plan = pair.plan.requiring_nothing()
        info = replace(
            self._describer.info(plan, module, ()),
            add_on=formats.AddOn(pair.identifier, is_real=False),
        )
        return self._described(module, plan, info)

    def _image(
        self,
        plan: ImagePlan,
        needed: Sequence[str],
        add_ons: "NeededAddOns | None" = None,
        add_on: "AddOn | None" = None,
        *,
        is_first: bool = False,
    ) -> DeviceImage:
        """Extract the needed functions into a module, prepare it, and return it as an image."""
        public = [*plan.symbols, *self._variables, VARIABLE]
        module = self.linked.module.extract(needed, self._named_metadata, public, OWN_IMAGE)
        _remove_marks(module)
        _make_inline_linkable(module, plan)
        named = add_ons.named if add_ons else {}
        asserting = self._add_reader(module, plan, bool(named), is_linked=bool(named or add_on))
        managed, accessor = self._add_accessor(module, plan, is_first)
        info = _with_constants(module, self._describer.info(plan, module, asserting))
        if managed or add_on or named:
            info = replace(
                info,
                managed_globals=managed,
                global_accessor=accessor,
                add_on=add_on,
                add_ons=named,
                conditional_calls=_calls(add_ons) if add_ons else {},
            )
        return self._described(module, plan, info)

    def _add_reader(
        self, module: Module, plan: ImagePlan, has_add_ons: bool, *, is_linked: bool
    ) -> list[str]:
        """Add the kernel that reads failed assertions; return the kernels that can fail one."""
        if not self._has_assertions:
            return []
        # Imported late: most programs have no assertions.
        from dovetail.postlink.assertions import add_reader, asserting_kernels

        if has_add_ons:
            asserting = [kernel for kernel in plan.kernels if kernel in self._may_fail]
        else:
            asserting = asserting_kernels(module, plan.kernels)
        add_reader(module, asserting, shared=is_linked)
        return asserting

    def _add_accessor(
        self, module: Module, plan: ImagePlan, is_first: bool
    ) -> "tuple[tuple[ManagedGlobal, ...], str]":
        """Add the accessor kernel if needed; return the device globals and the accessor's symbol.

        The first image also lists device globals that no image contains, as the host may use them.
        """
        if not self._managed or not self.wanted.device_globals:
            return (), ""
        # Imported late: most programs have no device globals.
        from dovetail.postlink.device_global_accessor import (
            add_accessor,
            managed_globals,
            needs_accessor,
        )

        if not needs_accessor(module):
            return (), ""
        variables = [variable for variable in device_globals(module) if variable.stride]
        managed = [*managed_globals(module, variables)]
        if is_first:
            managed += managed_globals(self.linked.module, self._unused, in_image=False)
        accessor = add_accessor(module, variables, plan.symbols[0]) if variables else ""
        return tuple(managed), accessor

    def _hide_types_of_globals(self, module: Module) -> None:
        """Make device globals arrays of bytes, because some devices do not support their types."""
        present = {variable.name for variable in module.global_variables()}
        module.make_bytes([each.symbol for each in self._managed if each.symbol in present])

    def _described(self, module: Module, plan: ImagePlan, info: ImageInfo) -> DeviceImage:
        """Represent the properties in the module, and return it with its description."""
        represent_properties(module, self._property_names)
        resolved_for = self.linked.resolved_for
        if resolved_for:
            info = replace(info, resolved_targets=resolved_for)
        return DeviceImage(
            module, tuple(plan.symbols), info, self.linked.facts_by_input, resolved_for
        )

    @cached_property
    def _describer(self) -> ImageDescriber:
        return ImageDescriber(self.linked, self.wanted)

    @cached_property
    def _property_names(self) -> tuple[str, ...]:
        return property_names(self.linked.module)

    @cached_property
    def _has_assertions(self) -> bool:
        return any(variable.name == VARIABLE for variable in self.linked.module.global_variables())

    @cached_property
    def _may_fail(self) -> set[str]:
        from dovetail.postlink.assertions import functions_that_may_fail

        return functions_that_may_fail(self.linked.module, self.calls.graph)

    @cached_property
    def _named_metadata(self) -> list[str]:
        names = self.linked.module.named_metadata_names()
        return [name for name in names if not name.startswith(_OWN_METADATA)]

    @cached_property
    def _managed(self) -> list[Variable]:
        """The device globals that Dovetail's runtime manages."""
        return [variable for variable in device_globals(self.linked.module) if variable.stride]

    @cached_property
    def _unused(self) -> list[Variable]:
        """The managed device globals that no function uses."""
        users = self.linked.module.variable_users([each.symbol for each in self._managed])
        return [each for each in self._managed if not users[each.symbol]]

    @cached_property
    def _variables(self) -> list[str]:
        """The symbols of all device globals, which stay external in images."""
        return [variable.symbol for variable in device_globals(self.linked.module)]


def _with_constants(module: Module, info: ImageInfo) -> ImageInfo:
    """Define the specialization constants that the module reads; add them to its description."""
    if not module.function_attributes(CONSTANT_SCALAR):
        return info
    # Imported late: most programs have none.
    from dovetail.postlink.specialization_constants import define_constants

    return define_constants(module, info)


def _calls(add_ons: "NeededAddOns") -> "dict[str, tuple[ActionCall, ...]]":
    """Return the calls of add-ons, by caller."""
    return {caller: tuple(calls) for caller, calls in add_ons.calls.items() if calls}


def _remove_marks(module: Module) -> None:
    """Remove the attribute that keeps actions out of their callers' images."""
    marked = module.function_attributes(OWN_IMAGE)
    if marked:
        module.set_function_attributes({symbol: {OWN_IMAGE: None} for symbol in marked})


def _make_inline_linkable(module: Module, plan: ImagePlan) -> None:
    """Make exported inline functions linkonce_odr, as linked images may all define them."""
    inline = [e.symbol for e in plan.entry_points if e.root.is_inline and not e.root.is_kernel]
    if inline:
        module.set_linkage(dict.fromkeys(inline, "linkonce_odr"))
