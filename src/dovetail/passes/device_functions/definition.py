"""Generate definitions of device functions for their declarations."""

from collections.abc import Callable
from dataclasses import dataclass

from dovetail.ir import Function
from dovetail.targets.ir_family import IRFamily


@dataclass(frozen=True)
class DeviceFunction:
    """A function of the headers, for all types with which it is declared."""

    parameters: tuple[str, ...]
    """Their names in the body; their types are those of the declaration."""
    body: Callable[[IRFamily, Function], str]
    """LLVM IR, which may call the helpers of its IR family, `@dovetail.…`."""
    convergent: bool = False
    """Whether work-items must execute it together."""


def same_for_all(body: str) -> Callable[[IRFamily, Function], str]:
    """Return a body that is the same for all IR families, as it only calls helpers."""
    return lambda _family, _declaration: body


def definition(family: IRFamily, declaration: Function, function: DeviceFunction) -> str:
    """Return the definition of a declared function."""
    typed = zip(declaration.parameter_types, function.parameters, strict=True)
    parameters = ", ".join(f"{kind} %{name}" for kind, name in typed)
    head = f"{declaration.calling_convention} {declaration.return_type} @{declaration.name}"
    convergent = " convergent" if function.convergent else ""
    body = function.body(family, declaration)
    return f"define {head}({parameters}) alwaysinline nounwind{convergent} {{\n{body}\n}}\n"


def helper(signature: str, body: str, *, convergent: bool = False) -> str:
    """Return a function that only device functions call; unused helpers are not linked."""
    attributes = "alwaysinline nounwind" + (" convergent" if convergent else "")
    return f"define internal {signature} {attributes} {{\n{body}\n}}\n"
