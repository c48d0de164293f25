"""Reading failed assertions of kernels after their work has finished."""

import os
from ctypes import string_at
from threading import Lock

from dovetail.assertion_record import RECORD_SIZE, FailedAssertion
from dovetail.errors import KernelAssertionFailed
from dovetail.runtime.backend import BackendDevice, BackendProgram, BackendQueue, MemoryKind


class AssertionReader:
    """Reads and clears the record that an image's kernels write when an assertion fails."""

    def __init__(self, device: BackendDevice, program: BackendProgram, symbol: str) -> None:
        """`symbol` names the kernel in the same image that copies out and clears the record."""
        self._memory = device.allocate(MemoryKind.HOST, RECORD_SIZE)
        self._kernel = program.kernel(symbol, follows_pointers=False)
        self._kernel.set_pointer(0, self._memory.argument)
        # All callers share the memory.
        self._lock = Lock()

    def failure(self, queue: BackendQueue) -> KernelAssertionFailed | None:
        """Return the first assertion failure since the previous call, or None."""
        with self._lock:
            queue.wait(queue.launch(self._kernel, (1,), (1,)))
            failed = FailedAssertion.read(string_at(self._memory.address, RECORD_SIZE))
        return None if failed is None else KernelAssertionFailed(str(failed))


class AbortingReader(AssertionReader):
    """Prints the failed assertion and aborts the process, as `assert` in host code does."""

    def failure(self, queue: BackendQueue) -> KernelAssertionFailed | None:
        failure = super().failure(queue)
        if failure is not None:
            # Not through `sys.stderr`, which may have been closed or redirected.
            os.write(2, f"{failure}\n".encode())
            os.abort()
        return None
