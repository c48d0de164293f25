"""Parse pipelines of passes, and run them with verification after each pass."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from importlib import import_module
from typing import ClassVar

from dovetail.errors import IRError, UsageError, nearest
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.registry import PASSES, PassEntry


@dataclass(frozen=True)
class DeferredPass(ModulePass):
    """A pass, without options, that is loaded only if a module has something for it."""

    name: ClassVar[str] = "deferred"
    deferred: str = ""
    """The name of the pass."""

    def apply(self, context: PassContext, module: Module) -> None:
        entry = PASSES[self.deferred]
        names = [*(each.name for each in module.functions()), *module.string_attribute_keys()]
        if any(name.startswith(entry.only_with) for name in names):
            _class_of(entry)().apply(context, module)

    def __str__(self) -> str:
        return self.deferred


def parse_pipeline(text: str) -> tuple[ModulePass, ...]:
    """Return the passes in a text of the form `name,name{option=value;option=value}`."""
    passes: list[ModulePass] = []
    rest = text.strip()
    while rest:
        match = re.match(r"([\w-]+)(?:\{([^{}]*)\})?\s*(?:,\s*(?=\S)|$)", rest)
        if not match:
            raise UsageError(
                f"cannot parse the pipeline at '{rest}'",
                hint="separate passes by commas, and write options in braces: name{option=value}",
            )
        passes.append(_make(match[1], match[2] or ""))
        rest = rest[match.end() :]
    if not passes:
        raise UsageError("the pipeline is empty", hint=f"passes: {', '.join(PASSES)}")
    return tuple(passes)


def run_pipeline(passes: Iterable[ModulePass], context: PassContext, module: Module) -> None:
    """Run the passes in order; an `IRError` names the pass that caused it."""
    for one in passes:
        try:
            one.apply(context, module)
            module.verify()
        except IRError as error:
            raise IRError(f"in pass '{one}': {error.message}", hint=error.hint) from error


def _make(name: str, options: str) -> ModulePass:
    """Return the pass with a name and options; raise `UsageError` for unknown ones."""
    if name not in PASSES:
        hint = nearest(name, PASSES) or f"passes: {', '.join(PASSES)}"
        raise UsageError(f"unknown pass '{name}'", hint=hint)
    entry = PASSES[name]
    if entry.only_with and not options:
        return DeferredPass(name)
    kind = _class_of(entry)
    return kind(**_read_options(kind, options))


def _class_of(entry: PassEntry) -> type[ModulePass]:
    module, _, class_name = entry.location.partition(":")
    kind: type[ModulePass] = getattr(import_module(module), class_name)
    return kind


def _read_options(kind: type[ModulePass], text: str) -> dict[str, str]:
    known = {option.name.replace("_", "-"): option.name for option in fields(kind)}
    given: dict[str, str] = {}
    for item in filter(None, text.split(";")):
        key, _, value = item.partition("=")
        if key not in known:
            raise UsageError(
                f"pass '{kind.name}' has no option '{key}'",
                hint=nearest(key, known) or f"its options: {', '.join(known) or 'none'}",
            )
        given[known[key]] = value
    return given
