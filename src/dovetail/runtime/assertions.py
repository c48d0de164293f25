"""Assertions that fail in kernels: asking for them when work has ended."""

import os
from ctypes import string_at
from threading import Lock

from dovetail.assertion_record import RECORD_SIZE, FailedAssertion
from dovetail.errors import KernelAssertionFailed
from dovetail.runtime.backend import BackendDevice, BackendProgram, BackendQueue, MemoryKind


class AssertionReader:
    """Reads what the kernels of an image leave behind when an assertion fails, and clears it."""

    def __init__(self, device: BackendDevice, program: BackendProgram, symbol: str) -> None:
        """`symbol` is that of the kernel, in the same image, that does it."""
        self._memory = device.allocate(MemoryKind.HOST, RECORD_SIZE)
        self._kernel = program.kernel(symbol, follows_pointers=False)
        self._kernel.set_pointer(0, self._memory.argument)
        # One memory for all who ask.
        self._lock = Lock()

    def failure(self, queue: BackendQueue) -> KernelAssertionFailed | None:
        """The first that failed since this was last asked, if any did."""
        with self._lock:
            queue.wait(queue.launch(self._kernel, (1,), (1,)))
            failed = FailedAssertion.read(string_at(self._memory.address, RECORD_SIZE))
        return None if failed is None else KernelAssertionFailed(str(failed))


class AbortingReader(AssertionReader):
    """Prints what failed and aborts the process, as assertions of host code do."""

    def failure(self, queue: BackendQueue) -> KernelAssertionFailed | None:
        failure = super().failure(queue)
        if failure is not None:
            # Past Python's own stream, which host code may have closed or redirected.
            os.write(2, f"{failure}\n".encode())
            os.abort()
        return None
