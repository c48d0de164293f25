"""Reading from pipes with timeouts."""

import os

WRITER_WAIT_S = 5.0
"""Time until a pipe must have a writer: in `<(command)`, a shell may start the writer later."""

DATA_WAIT_S = 60.0
"""Time within which the writer of a pipe must write something."""


class PipeReader:
    """Reads a pipe that was opened with `O_NONBLOCK`; `TimeoutError` if no data arrives."""

    def __init__(self, file: int) -> None:
        # Imported here: most commands read no pipe.
        import select

        self._file = file
        self._poll = select.poll()
        self._poll.register(file, select.POLLIN)
        self._had_writer = False

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes; empty after all writers have closed the pipe."""
        is_late = False
        while True:
            try:
                part = os.read(self._file, size)
            except BlockingIOError:
                self._had_writer = True
                if not self._poll.poll(DATA_WAIT_S * 1000):
                    message = f"the writer of this pipe has written nothing for {DATA_WAIT_S:g} s"
                    raise TimeoutError(message) from None
                continue
            # A pipe without a writer yet reads like one at its end.
            if part or self._had_writer:
                self._had_writer = True
                return part
            if is_late:
                raise TimeoutError(f"this pipe has had no writer for {WRITER_WAIT_S:g} s")
            self._had_writer = bool(self._poll.poll(WRITER_WAIT_S * 1000))
            is_late = True
