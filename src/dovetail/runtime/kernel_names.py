"""Finding a kernel by the name that a user would write.

The name is compared with symbols, then with qualified names and demangled signatures, then with
these without leading namespaces, and last with these without template arguments or parameters. The
first comparison that matches any kernel decides; if it matches several, the name is ambiguous, and
the error lists the candidates.
"""

from collections.abc import Iterable, Sequence

from dovetail.errors import KernelNotFound, nearest
from dovetail.kernel_info import KernelInfo
from dovetail.kernel_properties import ENTRY_PREFIX


def find_kernel(name: str, kernels: Sequence[KernelInfo]) -> KernelInfo:
    """Return the only kernel that `name` matches, or raise `KernelNotFound`."""
    wanted = _squeeze(name)
    for forms in (_symbols, _full_names, _unscoped, _bare):
        found = [kernel for kernel in kernels if wanted in forms(kernel)]
        if len(found) == 1:
            return found[0]
        if found:
            listed = "".join(f"\n  {kernel.signature}" for kernel in found)
            raise KernelNotFound(
                f"kernel name '{name}' is ambiguous; candidates:{listed}",
                hint="use one of these signatures",
            )
    raise _unknown(name, kernels)


def _unknown(name: str, kernels: Sequence[KernelInfo]) -> KernelNotFound:
    if not kernels:
        return KernelNotFound(f"there is no kernel '{name}': the program has no kernels")
    listed = ", ".join(sorted(kernel.signature for kernel in kernels))
    known = {kernel.name for kernel in kernels}
    known |= {kernel.name.rpartition("::")[2] for kernel in kernels}
    return KernelNotFound(
        f"there is no kernel '{name}' in the program; it has: {listed}",
        hint=nearest(name, known),
    )


def _symbols(kernel: KernelInfo) -> set[str]:
    return {kernel.symbol, kernel.symbol.removeprefix(ENTRY_PREFIX)}


def _full_names(kernel: KernelInfo) -> set[str]:
    # The demangled name of a template instance includes the return type, which users leave out.
    demangled = kernel.demangled.removeprefix("void ")
    forms = (kernel.name, kernel.signature, demangled)
    return {_squeeze(form) for form in forms if form}


def _unscoped(kernel: KernelInfo) -> set[str]:
    """Return the full names, and each without any number of its leading namespaces."""
    names = _full_names(kernel)
    return names | {tail for name in names for tail in _tails(name)}


def _bare(kernel: KernelInfo) -> set[str]:
    """Return the names of `_unscoped`, cut off before template arguments or parameters."""
    starts = {name[: _first_bracket(name)] for name in _unscoped(kernel)}
    return starts | {name.partition("(")[0] for name in _unscoped(kernel)}


def _tails(name: str) -> Iterable[str]:
    """Yield the text after each `::` that is not inside brackets."""
    depth = 0
    for position, character in enumerate(name):
        depth += (character in "<(") - (character in ">)")
        if depth == 0 and name.startswith("::", position):
            yield name[position + 2 :]


def _first_bracket(name: str) -> int:
    return min((p for p in (name.find("<"), name.find("(")) if p > 0), default=len(name))


def _squeeze(name: str) -> str:
    """Return the name without blanks and a leading `::`, which do not distinguish C++ names."""
    return "".join(name.split()).removeprefix("::")
