"""Turning what clang and the plugin left into artifacts."""

from pathlib import Path

from dovetail.artifacts import DeviceModule
from dovetail.frontend.facts_file import load_facts
from dovetail.ir import Context, Module


def load_device_module(
    context: Context, name: str, bitcode: Path, facts: Path, unit: str = ""
) -> DeviceModule:
    """What clang and the plugin have just written, so it need not be parsed in a child first."""
    module = Module.parse(context, bitcode.read_bytes(), name)
    return DeviceModule(module, load_facts(facts, unit))
