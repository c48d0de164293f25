"""The step that rejects calls between sources whose device code is not linked: `-fno-sycl-rdc`."""

from typing import NamedTuple

from dovetail.driver.step import AnyStep, Step, Task
from dovetail.driver.steps.object_code import ObjectCode
from dovetail.driver.steps.passes import Passes, device_modules
from dovetail.targets.ir_family import IRFamily


class CrossSourceCallsFields(NamedTuple):
    """The groups of modules that are linked separately."""

    groups: tuple[Passes | ObjectCode, ...]
    family: IRFamily


class CrossSourceCalls(Step[None], CrossSourceCallsFields):
    """Raise an error if device code of one group calls a function of another."""

    __slots__ = ()
    title = "calls between sources"
    side = "device"

    def inputs(self) -> tuple[AnyStep, ...]:
        return self.groups

    def about(self) -> tuple[str, ...]:
        return (self.side, self.family)

    def run(self, task: Task) -> None:
        from dovetail.postlink import refuse_calls_between

        refuse_calls_between([device_modules(task.results, each) for each in self.groups])
