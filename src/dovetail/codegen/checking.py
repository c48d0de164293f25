"""Whether there are compilers for all targets of a build, asked before anything is compiled."""

from collections.abc import Iterable

from dovetail.codegen.generator import BuildTarget, generators_of
from dovetail.errors import DovetailError, ToolMissing, UsageError


def check_targets(targets: Iterable[BuildTarget]) -> None:
    """Return if the compilers of all targets are there and know them.

    Else one error tells of every target that cannot be compiled for: `ToolMissing` if installing
    something is all that it takes, else `UsageError`.
    """
    reasons: dict[str, DovetailError] = {}
    names: dict[str, list[str]] = {}
    for target in targets:
        error = _refusal(target)
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


def _refusal(target: BuildTarget) -> DovetailError | None:
    try:
        for generator in generators_of(target.target.toolchain):
            generator.check(target)
    except (ToolMissing, UsageError) as error:
        return error
    return None


def _listed(names: list[str]) -> str:
    quoted = ", ".join(f"'{name}'" for name in names)
    return f"target {quoted}" if len(names) == 1 else f"targets {quoted}"
