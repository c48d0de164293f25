"""Threads that submit random work to shared queues and check the results."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

import dovetail
from soak.kernels import SOURCE, WORK_GROUP, Numbers, Step, random_step

_MAX_ELEMENTS = 1 << 14
"""The maximum size of an array."""
_SEED = 20_261
_WARM_UP_CHAINS = 10
"""The chains of each thread before the measured time starts."""


@dataclass
class Tally:
    """Counts of work, and the first faults."""

    chains: int = 0
    launches: int = 0
    faults: list[str] = field(default_factory=list[str])


class Load:
    """The threads, the queues and the program that they share."""

    def __init__(self, threads: int, queues: int) -> None:
        self._program = dovetail.build(SOURCE)
        self._data = self._program.to_bytes()
        self._queues = [dovetail.Queue() for _ in range(queues)]
        self._stop = threading.Event()
        self._tallies = [Tally() for _ in range(threads)]
        self._threads = [
            threading.Thread(target=self._run, args=(number,), name=f"soak-{number}")
            for number in range(threads)
        ]

    def start(self) -> None:
        """Start all threads and wait for their warm-up."""
        for thread in self._threads:
            thread.start()
        while any(tally.chains < _WARM_UP_CHAINS and not tally.faults for tally in self._tallies):
            time.sleep(0.01)

    def stop(self) -> Tally:
        """Let all threads finish their current chain; return the totals."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        for queue in self._queues:
            queue.wait()
        return Tally(
            sum(tally.chains for tally in self._tallies),
            sum(tally.launches for tally in self._tallies),
            [fault for tally in self._tallies for fault in tally.faults],
        )

    def _run(self, number: int) -> None:
        tally, random = self._tallies[number], np.random.default_rng([_SEED, number])
        while not self._stop.is_set() and len(tally.faults) < 3:
            try:
                self._do_chain(random, tally)
            except Exception as error:
                tally.faults.append(f"thread {number}: {type(error).__name__}: {error}")

    def _do_chain(self, random: np.random.Generator, tally: Tally) -> None:
        """Submit several launches on one array, which run in order, and compare the result."""
        self._disturb(random)
        queue = self._queues[random.integers(len(self._queues))]
        size = WORK_GROUP * int(random.integers(1, _MAX_ELEMENTS // WORK_GROUP))
        begin = random.integers(1 << 32, size=size, dtype=np.uint32)
        steps = [random_step(random, size) for _ in range(random.integers(1, 6))]
        array = _new_array(random, queue, begin)
        events = [self._launch(queue, step, array, size) for step in steps]
        tally.launches += len(events)
        if random.random() < 0.2:
            # Drop all references while the work may be running.
            return
        if random.random() < 0.5:
            events[-1].wait()
        else:
            del events
            queue.wait()
        self._compare(array, begin, steps, tally)

    def _launch(
        self, queue: dovetail.Queue, step: Step, array: dovetail.UsmArray | Numbers, size: int
    ) -> dovetail.Event:
        kernel = self._program[step.kernel]
        arguments = (*step.before, array, *step.after)
        if step.kernel == "first":
            return queue.single_task(kernel, *arguments)
        groups = WORK_GROUP if step.kernel == "turn" else None
        return queue.parallel_for(kernel, dovetail.NdRange(size, groups), *arguments)

    def _compare(
        self,
        array: dovetail.UsmArray | Numbers,
        begin: Numbers,
        steps: Sequence[Step],
        tally: Tally,
    ) -> None:
        expected = begin
        for step in steps:
            expected = step.effect(expected)
        result = array if isinstance(array, np.ndarray) else array.to_numpy()
        tally.chains += 1
        if not np.array_equal(result, expected):
            names = ", ".join(step.kernel for step in steps)
            wrong = int(np.count_nonzero(result != expected))
            tally.faults.append(f"{names} on {len(begin)} numbers: {wrong} are wrong")

    def _disturb(self, random: np.random.Generator) -> None:
        """Sometimes replace a queue or the program, collect garbage, or exhaust memory."""
        luck = random.random()
        if luck < 0.005:
            # The old queue may have pending work, and other threads may still submit to it.
            self._queues[random.integers(len(self._queues))] = dovetail.Queue()
        elif luck < 0.01:
            self._program = dovetail.Program.from_bytes(self._data)
        elif luck < 0.012:
            gc.collect()
        elif luck < 0.014:
            _refuse_too_much(self._queues[0])


def _new_array(
    random: np.random.Generator, queue: dovetail.Queue, content: Numbers
) -> dovetail.UsmArray | Numbers:
    kind = ("numpy", "shared", "host", "device")[random.integers(4)]
    if kind == "numpy":
        return content.copy()
    array = queue.alloc(len(content), np.uint32, kind)
    array.copy_from(content)
    return array


def _refuse_too_much(queue: dovetail.Queue) -> None:
    try:
        queue.alloc(1 << 50, np.uint8)
    except dovetail.DovetailError:
        return
    raise AssertionError("a petabyte was allocated")
