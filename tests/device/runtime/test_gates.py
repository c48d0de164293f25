"""Gates: work that waits for the host, in a real driver."""

import ctypes
from threading import Timer

import pytest

from dovetail.runtime import devices
from dovetail.runtime.backend import BackendAllocation, BackendDevice, MemoryKind

pytestmark = pytest.mark.device


@pytest.fixture
def device() -> BackendDevice:
    return devices()[0].native


@pytest.fixture
def memory(device: BackendDevice) -> BackendAllocation:
    found = device.allocate(MemoryKind.SHARED, 64)
    ctypes.memset(found.address, 0, 64)
    return found


def test_only_what_is_behind_a_gate_waits(device: BackendDevice, memory: BackendAllocation) -> None:
    gate, held, free = device.new_gate(), device.open_queue(), device.open_queue()
    events = [
        held.fill(memory.address, b"x", 8, [gate.event]),
        held.copy(memory.address + 8, memory.address, 8),
        held.marker(),
    ]
    held.flush()
    free.wait(free.fill(memory.address + 32, b"y", 8))
    assert ctypes.string_at(memory.address, 40) == bytes(32) + b"y" * 8
    assert not any(held.is_done(event) for event in (*events, gate.event))
    gate.open()
    held.wait(events[-1])
    held.wait(gate.event)
    assert ctypes.string_at(memory.address, 16) == b"x" * 16


def test_another_thread_opens_a_gate_that_is_waited_for(device: BackendDevice) -> None:
    gate, queue = device.new_gate(), device.open_queue()
    event = queue.marker([gate.event])
    Timer(0.02, gate.open).start()
    queue.wait(event)


def test_many_gates(device: BackendDevice) -> None:
    queue = device.open_queue()
    gates = [device.new_gate() for _ in range(500)]
    events = [queue.marker([gate.event]) for gate in gates]
    queue.flush()
    for gate in reversed(gates):
        assert not queue.is_done(events[-1])
        gate.open()
    queue.wait(events[-1])
    # One that is open already holds nothing back.
    queue.wait(queue.marker([gates[0].event]))
