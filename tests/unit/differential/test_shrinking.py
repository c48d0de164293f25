"""The shrinker, with simulated faults."""

from collections.abc import Callable, Sequence

from differential.generation import random_kernels
from differential.model import Kernel
from differential.shrinking import shrink, without_unused
from differential.sources import kernel_text
from differential.walking import is_closed, plain_phases


def _shrunk(kernel: Kernel, has_fault: Callable[[Kernel], bool], batch: int = 16) -> Kernel:
    def oracle(candidates: Sequence[Kernel]) -> list[bool]:
        assert len(candidates) <= batch
        assert all(is_closed(each) for each in candidates)
        return [has_fault(each) for each in candidates]

    return shrink(kernel, oracle, seconds=60, batch=batch)


def test_only_code_that_the_fault_needs_remains() -> None:
    def has_fault(kernel: Kernel) -> bool:
        return "reverse_bits(" in kernel_text(kernel)

    faulty = [each for each in random_kernels(1, range(100)) if has_fault(each)]
    for kernel in faulty[:8]:
        small = _shrunk(kernel, has_fault)
        text = kernel_text(small)
        assert has_fault(small)
        assert len(text.splitlines()) <= 22, text
        assert small.items == 1
        assert small.input_seed == kernel.input_seed


def test_work_items_that_the_fault_needs_remain() -> None:
    kernel = next(each for each in random_kernels(1, range(100)) if each.group_size >= 16)
    small = _shrunk(kernel, lambda each: each.group_size >= 8, batch=1)
    assert (small.groups, small.group_size) == (1, 8)
    assert [phase.body for phase in plain_phases(small)] == [()]


def test_a_call_keeps_its_function_and_loses_parameters() -> None:
    def has_fault(kernel: Kernel) -> bool:
        return any(not each.inlined for each in kernel.functions)

    kernel = next(each for each in random_kernels(1, range(100)) if has_fault(each))
    small = _shrunk(kernel, has_fault)
    assert [len(each.parameters) for each in small.functions] == [0]


def test_without_time_no_candidate_is_checked() -> None:
    def no_oracle(_: Sequence[Kernel]) -> list[bool]:
        raise AssertionError("tried")

    kernel = random_kernels(1, range(1))[0]
    assert shrink(kernel, no_oracle, seconds=0) == kernel


def test_nothing_unused_remains() -> None:
    for kernel in random_kernels(1, range(50)):
        tidy = without_unused(kernel)
        assert is_closed(tidy)
        assert without_unused(tidy) == tidy
