"""What a device function is: the body that a declaration of it gets."""

from collections.abc import Callable
from dataclasses import dataclass

from dovetail.ir import Function
from dovetail.targets.ir_family import IRFamily


@dataclass(frozen=True)
class DeviceFunction:
    """One function of the headers, for all types that it is declared with."""

    parameters: tuple[str, ...]
    """What the body calls them; their types are the declaration's."""
    body: Callable[[IRFamily, Function], str]
    """LLVM IR, which may call the helpers of its family, `@dovetail.…`."""
    convergent: bool = False
    """Whether work-items have to come to it together."""


def same_for_all(body: str) -> Callable[[IRFamily, Function], str]:
    """A body that is written in helpers alone."""
    return lambda _family, _declaration: body


def definition(family: IRFamily, declaration: Function, function: DeviceFunction) -> str:
    """The text that defines what a module declares."""
    typed = zip(declaration.parameter_types, function.parameters, strict=True)
    parameters = ", ".join(f"{kind} %{name}" for kind, name in typed)
    head = f"{declaration.calling_convention} {declaration.return_type} @{declaration.name}"
    convergent = " convergent" if function.convergent else ""
    body = function.body(family, declaration)
    return f"define {head}({parameters}) alwaysinline nounwind{convergent} {{\n{body}\n}}\n"


def helper(signature: str, body: str, *, convergent: bool = False) -> str:
    """The text of a function that only device functions call; what none calls is not linked."""
    attributes = "alwaysinline nounwind" + (" convergent" if convergent else "")
    return f"define internal {signature} {attributes} {{\n{body}\n}}\n"
