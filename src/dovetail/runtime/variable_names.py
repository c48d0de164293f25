"""Finding a variable of device code by the name that a user would write."""

from collections.abc import Collection

from dovetail.errors import VariableNotFound, nearest
from dovetail.runtime.demangle import variable_name


def find_variable(name: str, identifiers: Collection[str], owner: str, kind: str) -> str:
    """Return the only identifier that `name` matches: itself, its C++ name, or the end of that.

    `VariableNotFound` says what the `owner` has: the program, say, and its device globals.
    """
    if name in identifiers:
        return name
    named = {identifier: variable_name(identifier) for identifier in identifiers}
    tail = f"::{name}"
    found = [identifier for identifier, it in named.items() if it == name]
    found = found or [identifier for identifier, it in named.items() if it.endswith(tail)]
    if len(found) == 1:
        return found[0]
    if found:
        raise VariableNotFound(
            f"{kind} '{name}' is ambiguous; candidates: {', '.join(found)}",
            hint="use one of these identifiers",
        )
    listed = ", ".join(sorted(named.values())) or "none"
    raise VariableNotFound(
        f"{owner} has no {kind} '{name}'; it has: {listed}", hint=nearest(name, named.values())
    )
