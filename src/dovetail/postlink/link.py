"""Link the device modules of all sources into one."""

from collections.abc import Sequence

from dovetail.artifacts import DeviceModule


def link_modules(modules: Sequence[DeviceModule]) -> DeviceModule:
    """One module with everything that the given ones hold; the given ones are used up."""
    first, *others = modules
    facts = first.facts
    for other in others:
        first.module.link(other.module)
        facts = facts.joined(other.facts)
    return DeviceModule(first.module, facts)
