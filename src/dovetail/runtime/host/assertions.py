"""Assertions that fail in kernels of host code: the program ends, as for its own assertions."""

import os

from dovetail.errors import KernelAssertionFailed
from dovetail.runtime.assertions import AssertionReader
from dovetail.runtime.backend import BackendQueue


class AbortingReader(AssertionReader):
    """Prints what failed and aborts the process."""

    def failure(self, queue: BackendQueue) -> KernelAssertionFailed | None:
        failure = super().failure(queue)
        if failure is not None:
            # Past Python's own stream, which host code may have closed or redirected.
            os.write(2, f"{failure}\n".encode())
            os.abort()
        return None
