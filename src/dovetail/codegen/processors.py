"""The processors that LLVM knows. LLVM ignores names that it does not know, without an error."""

from typing import NamedTuple

from dovetail.compilers.queries import cached_query, file_identity
from dovetail.errors import UsageError
from dovetail.resources import CLANG, tool_path
from dovetail.targets.ir_family import IRFamily

ANSWER = (str, [str])
"""The JSON shape of LLVM's description: version, names."""


class Processors(NamedTuple):
    """The processors of an IR family, and the LLVM release that supports them."""

    llvm_version: str
    names: frozenset[str]


def known_processors(family: IRFamily) -> Processors:
    """Return the processors of an IR family; cached, so that planning does not load LLVM."""
    # Clang is installed with the library that generates code, and has the same version.
    version, names = cached_query(
        file_identity(tool_path(CLANG)),
        f"processors of {family.triple}",
        lambda: _query(family.triple),
        ANSWER,
    )
    return Processors(version, frozenset(names))


def _query(triple: str) -> tuple[str, list[str]]:
    from dovetail.ir import known_processors, llvm_version

    return llvm_version(), known_processors(triple)


def require_processor(family: IRFamily, processor: str) -> None:
    """Raise `UsageError` with LLVM's version if it does not know the processor."""
    known = known_processors(family)
    if not processor:
        raise UsageError(
            "no processor is named",
            hint="add one to the target's options in the device configuration: -mcpu=gfx90a",
        )
    if processor not in known.names:
        raise UsageError(
            f"LLVM {known.llvm_version} does not know the processor '{processor}'",
            hint="leave the target out: Dovetail works with this release of LLVM only",
        )
