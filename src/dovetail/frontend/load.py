"""Turning what clang and the plugin left into artifacts."""

from pathlib import Path

from dovetail.facts import Facts
from dovetail.facts_json import parse_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.artifacts import DeviceModule
    from dovetail.ir import Context


def load_facts(facts: Path, unit: str = "") -> Facts:
    """What the plugin has just written about a source; `unit` tells it from all others."""
    return parse_facts(facts.read_bytes(), unit)


def load_device_module(
    context: "Context", name: str, bitcode: Path, facts: Path, unit: str = ""
) -> "DeviceModule":
    """What clang and the plugin have just written, so it need not be parsed in a child first."""
    # Checks read facts only, and need not load LLVM.
    from dovetail.artifacts import DeviceModule
    from dovetail.ir import Module

    module = Module.parse(context, bitcode.read_bytes(), name)
    return DeviceModule(module, load_facts(facts, unit))
