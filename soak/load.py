"""Threads that give random work to shared queues and look at what comes of it."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

import dovetail
from soak.kernels import SOURCE, WORK_GROUP, Numbers, Step, random_step

_LARGEST = 1 << 14
"""Elements of an array."""
_SEED = 20_261
_TO_BEGIN = 10
"""Chains that each thread has done when all have begun."""


@dataclass
class Tally:
    """What was done, and the first things that were wrong."""

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
        """Start every thread; the time counts once all are at work, however slow the machine."""
        for thread in self._threads:
            thread.start()
        while any(tally.chains < _TO_BEGIN and not tally.faults for tally in self._tallies):
            time.sleep(0.01)

    def stop(self) -> Tally:
        """Let every thread finish what it is at; what all of them did."""
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
        """Several launches on one array; they are done in order, so the result is known."""
        self._disturb(random)
        queue = self._queues[random.integers(len(self._queues))]
        size = WORK_GROUP * int(random.integers(1, _LARGEST // WORK_GROUP))
        begin = random.integers(1 << 32, size=size, dtype=np.uint32)
        steps = [random_step(random, size) for _ in range(random.integers(1, 6))]
        array = _new_array(random, queue, begin)
        events = [self._launch(queue, step, array, size) for step in steps]
        tally.launches += len(events)
        if random.random() < 0.2:
            # Nobody looks, and everything is dropped while the work may be under way.
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
        wanted = begin
        for step in steps:
            wanted = step.effect(wanted)
        result = array if isinstance(array, np.ndarray) else array.to_numpy()
        tally.chains += 1
        if not np.array_equal(result, wanted):
            names = ", ".join(step.kernel for step in steps)
            wrong = int(np.count_nonzero(result != wanted))
            tally.faults.append(f"{names} on {len(begin)} numbers: {wrong} are wrong")

    def _disturb(self, random: np.random.Generator) -> None:
        """Now and then, what programs also do."""
        luck = random.random()
        if luck < 0.005:
            # The old queue may have work, and other threads may be giving it more.
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
