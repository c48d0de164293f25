"""Reading from pipes without waiting for ever."""

import os

WRITER_WAIT_S = 5.0
"""How long a pipe may have no writer: a shell may start the command in `<(command)` later."""

DATA_WAIT_S = 60.0
"""How long the writer of a pipe may write nothing."""


class PipeReader:
    """Reads a pipe that was opened with `O_NONBLOCK`; `TimeoutError` if nothing comes."""

    def __init__(self, file: int) -> None:
        # Hardly any command reads a pipe.
        import select

        self._file = file
        self._poll = select.poll()
        self._poll.register(file, select.POLLIN)
        self._had_writer = False

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most `size`; none once all writers are gone."""
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
            # A pipe that has no writer yet reads like one that has ended.
            if part or self._had_writer:
                self._had_writer = True
                return part
            if is_late:
                raise TimeoutError(f"this pipe has had no writer for {WRITER_WAIT_S:g} s")
            self._had_writer = bool(self._poll.poll(WRITER_WAIT_S * 1000))
            is_late = True
