"""Device globals: variables shared by all kernels of a program, or by those of one image."""

from collections.abc import Sequence
from typing import NamedTuple

from dovetail import image
from dovetail.device_metadata import GLOBAL_ID, GLOBAL_SIZE, GLOBAL_STRIDE, IMAGE_SCOPE
from dovetail.errors import CompileError, IRError
from dovetail.ir import Module, demangle
from dovetail.postlink.actions import Action
from dovetail.postlink.calls import Calls
from dovetail.postlink.link import LinkedProgram
from dovetail.postlink.split import ImagePlan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.image import DeviceGlobal

_MAX_DIGITS = 10
"""The number of digits of the largest 32-bit number."""


class Variable(NamedTuple):
    """A device global in the IR."""

    symbol: str
    described: "DeviceGlobal"
    stride: int = 0
    """The size of an element in an image; 0 if Dovetail's runtime does not manage the variable."""


def device_globals(module: Module) -> tuple[Variable, ...]:
    """Return the device globals of a module in order."""
    sizes = module.global_variable_attributes(GLOBAL_SIZE)
    if not sizes:
        return ()
    identifiers = module.global_variable_attributes(GLOBAL_ID)
    scopes = module.global_variable_attributes(IMAGE_SCOPE)
    strides = module.global_variable_attributes(GLOBAL_STRIDE)
    return tuple(
        Variable(
            variable.name,
            image.DeviceGlobal(
                identifiers.get(variable.name) or variable.name,
                _size(module, variable.name, sizes[variable.name]),
                scopes.get(variable.name, "false") != "false",
            ),
            _size(module, variable.name, strides.get(variable.name, "0")),
        )
        for variable in module.global_variables()
        if variable.name in sizes
    )


def _size(module: Module, symbol: str, text: str) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS
    if not is_number or int(text) >= 1 << 32:
        shown = text[: 2 * _MAX_DIGITS]
        raise IRError(
            f"{module.name}: variable '{symbol}': expected a size below 2^32, got '{shown}'"
        )
    return int(text)


def refuse_in_actions(linked: LinkedProgram, calls: Calls, actions: Sequence[Action]) -> None:
    """Raise `CompileError` if an action in an add-on image uses a variable that it cannot share.

    A variable of image scope would be duplicated, as the main image may have it too. For device
    globals of other compilers' headers, nothing would set the pointers.
    """
    variables = [
        variable.symbol
        for variable in device_globals(linked.module)
        if variable.described.has_image_scope or not variable.stride
    ]
    if not variables:
        return
    for symbol, functions in linked.module.variable_users(variables).items():
        users = calls.users(functions)
        for action in actions:
            if action.origin in users:
                name, function = demangle([symbol, action.origin])
                raise CompileError(
                    f"{linked.inputs[0]}: error: '{function}', which is called conditionally, uses"
                    f" device global '{name}', which has one instance per image",
                    hint="use it outside of conditionally called functions, remove the property"
                    " device_image_scope, or build for targets that are compiled ahead of time",
                )


def refuse_shared_image_scope(
    linked: LinkedProgram,
    calls: Calls,
    plans: Sequence[ImagePlan],
    variables: Sequence[Variable],
) -> None:
    """Raise `CompileError` if two images use a variable of image scope."""
    scoped = [variable.symbol for variable in variables if variable.described.has_image_scope]
    if not scoped:
        return
    image_of = {symbol: number for number, plan in enumerate(plans) for symbol in plan.symbols}
    for symbol, functions in linked.module.variable_users(scoped).items():
        users = calls.users(functions)
        first_of_image = {image_of[user]: user for user in sorted(users & image_of.keys())}
        entries = [first_of_image[number] for number in sorted(first_of_image)]
        if len(entries) > 1:
            name, *kernels = demangle([symbol, *entries[:2]])
            first, second = (
                linked.kernels[entry].name if entry in linked.kernels else kernel
                for entry, kernel in zip(entries, kernels, strict=False)
            )
            raise CompileError(
                f"{linked.inputs[0]}: error: device global '{name}' has the property"
                f" device_image_scope, but '{first}' and '{second}', which both use it, are in"
                " different images",
                hint="remove the property, or give both kernels the same requirements and build"
                " them into one image (-split=off, -fsycl-device-code-split=off)",
            )
