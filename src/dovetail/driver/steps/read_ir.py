"""The step that reads a file of IR, for `dovetail opt`."""

from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.step import AnyStep, Step, Task

if TYPE_CHECKING:
    from dovetail.artifacts import DeviceModule


class ReadIRFields(NamedTuple):
    """The files to read."""

    path: str
    """`-` for standard input."""
    facts: str | None = None
    """The file of the front-end's facts about the module."""


class ReadIR(Step["DeviceModule"], ReadIRFields):
    """Return a module with its facts, if any."""

    __slots__ = ()
    title = "read IR"
    makes = "bitcode"
    can_be_cached = False

    def inputs(self) -> tuple[AnyStep, ...]:
        return ()

    def words(self) -> tuple[str, ...]:
        return ("read", self.path, *([self.facts] if self.facts else []))

    def run(self, task: Task) -> "DeviceModule":
        from dovetail.artifacts import DeviceModule
        from dovetail.facts import Facts
        from dovetail.facts_json import parse_facts
        from dovetail.files import FACTS, LLVM_IR, read_bytes, read_input, require_utf8_name
        from dovetail.ir import parse_untrusted

        require_utf8_name(self.path)
        data = read_input(self.path, LLVM_IR)
        facts = parse_facts(read_bytes(self.facts, FACTS)) if self.facts else Facts()
        return DeviceModule(parse_untrusted(data, self.path, task.new_context()), facts)
