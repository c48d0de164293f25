"""Modules from text and bitcode: files that nobody vouches for, and definitions that stages write.

A file is bytes that claim to be textual IR or bitcode; it becomes a `Module` or an `IRError`.
LLVM's readers trust their input, and a damaged file can crash them or make them ask for all memory;
so a child process reads and verifies the bytes first, and only what it survived is read here.
"""

from typing import NamedTuple

from dovetail._native import Context, Module
from dovetail.errors import IRError


class ParseLimits(NamedTuple):
    """What the child process may use."""

    memory: int = 4 << 30
    """Bytes of address space. LLVM and Python take 0.5 GiB before the first byte is read."""
    seconds: float = 120.0


def parse_untrusted(
    data: bytes,
    name: str,
    context: Context | None = None,
    *,
    limits: ParseLimits | None = None,
) -> Module:
    """Parse `data`, in a fresh context unless one is given; `name` is for messages."""
    _try_in_child(data, name, limits or ParseLimits())
    return Module.parse(context or Context(), data, name)


def _try_in_child(data: bytes, name: str, limits: ParseLimits) -> None:
    # Most modules are our own, and the child process needs none of these.
    from dovetail.processes.pool import WorkerCommand, current_pool
    from dovetail.processes.process import Finished, TimedOut
    from dovetail.processes.python_command import python_command

    words = python_command("dovetail.ir.worker", [name], memory=limits.memory)
    command = WorkerCommand("LLVM's reader", words, is_reusable=False)
    try:
        refusal = current_pool().ask(command, data, seconds=limits.seconds)
    except TimedOut:
        message = f"{name}: malformed: LLVM was still reading it after {limits.seconds:g} s"
        raise IRError(message) from None
    if isinstance(refusal, Finished):
        raise IRError(
            f"{name}: malformed: it crashed LLVM's parser",
            hint="make the file anew: it is damaged, was written by another version of LLVM, or "
            f"takes more than {limits.memory >> 20} MiB to read",
        )
    if refusal:
        raise IRError(refusal.decode(errors="replace"))


def link_text(module: Module, text: str, name: str) -> None:
    """Link definitions, written as LLVM IR, into a module that declares their functions.

    Definitions have to be visible to the linker, and should be linkonce_odr: modules that bring
    the same ones are linked later.
    """
    module.link(Module.parse(module.context, f"{_target_of(module)}\n{text}".encode(), name))


def _target_of(module: Module) -> str:
    """The lines that say for what the module is: LLVM warns where those of two modules differ."""
    lines = module.extract([]).to_text().splitlines()
    return "\n".join(line for line in lines if line.startswith("target "))
