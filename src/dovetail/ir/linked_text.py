"""Definitions written as LLVM IR, for stages that give declared functions a body."""

from dovetail._native import Module


def link_text(module: Module, text: str, name: str) -> None:
    """Link what the text defines into a module. What only declares a function there is served.

    Definitions have to be visible to the linker, and should be linkonce_odr: modules that bring
    the same ones are linked later.
    """
    module.link(Module.parse(module.context, f"{_target_of(module)}\n{text}".encode(), name))


def _target_of(module: Module) -> str:
    """The lines that say for what the module is: LLVM warns where those of two modules differ."""
    lines = module.extract([]).to_text().splitlines()
    return "\n".join(line for line in lines if line.startswith("target "))
