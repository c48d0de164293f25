"""Detection of faulty kernels, with simulated processes."""

from collections.abc import Sequence
from dataclasses import replace

from differential.campaign import signature
from differential.checking import BuildConfig, Fault, Run, check
from differential.generation import random_kernel
from differential.model import Kernel
from differential.reference import Expected

_CONFIG = BuildConfig(0)
_KERNEL = replace(random_kernel(1, 1), constructs=frozenset())
_KERNELS = [replace(_KERNEL, number=number) for number in range(100)]
_EXPECTED = {number: Expected("", "00 00000000") for number in range(100)}


def _numbers(faults: Sequence[Fault], kind: str) -> list[int]:
    return sorted(fault.kernel.number for fault in faults if fault.kind == kind)


def test_wrong_results_need_one_process() -> None:
    def run(kernels: Sequence[Kernel]) -> Run:
        wrong = {7: "00 01000000", 9: "00 00000100"}
        return Run({each.number: wrong.get(each.number, "00 00000000") for each in kernels})

    outcome = check(_KERNELS, _EXPECTED, _CONFIG, run)
    assert (outcome.checked, outcome.processes) == (100, 1)
    assert _numbers(outcome.faults, "wrong result") == [7, 9]
    assert outcome.faults[0].detail == "counters[0]: expected 0x00000000, got 0x00000001"


def test_failing_builds_are_bisected() -> None:
    def run(kernels: Sequence[Kernel]) -> Run:
        if any(each.number in (3, 64) for each in kernels):
            return Run(kind="build", detail="error: bad")
        return Run({each.number: "00 00000000" for each in kernels})

    outcome = check(_KERNELS, _EXPECTED, _CONFIG, run)
    assert outcome.checked == 100
    assert _numbers(outcome.faults, "build") == [3, 64]
    assert outcome.processes < 30


def test_a_kernel_that_was_running_in_a_crash_is_run_by_itself() -> None:
    def run(kernels: Sequence[Kernel]) -> Run:
        done: dict[int, str] = {}
        for each in kernels:
            if each.number == 42:
                return Run(done, started=42, kind="crash", detail="ended by status -8")
            done[each.number] = "00 00000000"
        return Run(done)

    outcome = check(_KERNELS, _EXPECTED, _CONFIG, run)
    assert outcome.checked == 100
    assert _numbers(outcome.faults, "crash") == [42]
    assert outcome.processes == 4


def test_a_crash_of_the_compiler_is_not_attributed_to_the_launched_kernel() -> None:
    def run(kernels: Sequence[Kernel]) -> Run:
        if any(each.number == 80 for each in kernels):
            return Run(started=kernels[0].number, kind="crash", detail="ended by status -11")
        return Run({each.number: "00 00000000" for each in kernels})

    outcome = check(_KERNELS, _EXPECTED, _CONFIG, run)
    assert outcome.checked == 100
    assert _numbers(outcome.faults, "crash") == [80]


def test_messages_that_differ_in_names_and_numbers_have_one_signature() -> None:
    def fault(detail: str) -> Fault:
        return Fault(_KERNEL, _CONFIG, "build", detail)

    one = fault("InvalidCode: kernel_3\nerror: line 12: bad width\n  %3 = OpBitwiseAnd %uint %4")
    two = fault("InvalidCode: kernel_9\nerror: line 17: bad width\n  %5 = OpBitwiseAnd %uint %6")
    other = fault("InvalidCode: kernel_9\nerror: line 17: bad type\n")
    assert signature(one) == signature(two) != signature(other)
