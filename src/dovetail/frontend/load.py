"""Load the output files of clang and the plugin as artifacts."""

from pathlib import Path

from dovetail.facts import Facts
from dovetail.facts_json import parse_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.artifacts import DeviceModule
    from dovetail.ir import Context


def load_facts(facts: Path, unit: str = "") -> Facts:
    """Return the facts that the plugin wrote about a source; `unit` identifies the source."""
    return parse_facts(facts.read_bytes(), unit)


def load_device_module(
    context: "Context", name: str, bitcode: Path, facts: Path, unit: str = ""
) -> "DeviceModule":
    """Return the module and facts of a source; the files are clang's own and hence trusted."""
    # Imported here because checks read only facts and do not load LLVM.
    from dovetail.artifacts import DeviceModule
    from dovetail.ir import Module

    module = Module.parse(context, bitcode.read_bytes(), name)
    return DeviceModule(module, load_facts(facts, unit))
