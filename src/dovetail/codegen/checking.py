"""Check that compilers for all targets of a build are installed, before anything is compiled."""

from collections.abc import Iterable

from dovetail.codegen.generator import BuildTarget, generators_of
from dovetail.errors import DovetailError, ToolMissing, UsageError


def check_targets(targets: Iterable[BuildTarget]) -> None:
    """Raise an error if the compiler of a target is not installed or does not know the target.

    One error lists all such targets: `ToolMissing` if installing compilers is enough, else
    `UsageError`.
    """
    reasons: dict[str, DovetailError] = {}
    names: dict[str, list[str]] = {}
    for target in targets:
        error = _problem(target)
        if error:
            reasons.setdefault(error.message, error)
            names.setdefault(error.message, []).append(target.name)
    if not reasons:
        return
    lines = (f"cannot compile for {_listed(names[reason])}: {reason}" for reason in reasons)
    hints = dict.fromkeys(line for error in reasons.values() for line in error.hint.splitlines())
    is_all_missing = all(isinstance(error, ToolMissing) for error in reasons.values())
    kind = ToolMissing if is_all_missing else UsageError
    raise kind("\n".join(lines), hint="\n".join(hints))


def _problem(target: BuildTarget) -> DovetailError | None:
    """Return the error that code generation for a target would raise at once, or None."""
    try:
        for generator in generators_of(target.target.toolchain):
            generator.check(target)
    except (ToolMissing, UsageError) as error:
        return error
    return None


def _listed(names: list[str]) -> str:
    quoted = ", ".join(f"'{name}'" for name in names)
    return f"target {quoted}" if len(names) == 1 else f"targets {quoted}"
