"""Whether to ask a driver again and again if work is done, or to wait in it.

Asking is quicker where a processor is free for the driver's own threads. Where none is, it keeps
them from the work, which a CPU device's driver would do in the thread that waits. Which of the two
it is changes from one moment to the next, with all else that the machine does.
"""

_SURE, _PAUSE, _LONGEST_PAUSE = 2, 4, 256
"""Waits."""


class Patience:
    """What the waits of a queue do. Threads share it; what they get wrong is soon put right."""

    __slots__ = ("_next_pause", "asks", "waits_left")

    def __init__(self) -> None:
        self.asks = True
        self.waits_left = _SURE
        """How many waits there are before `reconsider` is called."""
        self._next_pause = _PAUSE
        """How many waits do not ask after it was in vain the next time."""

    def reconsider(self) -> None:
        """After a pause, ask again; asking that goes on well makes the next pause a short one."""
        if self.asks:
            self._next_pause = _PAUSE
        self.asks = True
        self.waits_left = _SURE

    def asked_in_vain(self) -> None:
        """Do not ask for a while, and for twice as long if that was in vain before, too."""
        self.asks = False
        self.waits_left = self._next_pause
        self._next_pause = min(2 * self._next_pause, _LONGEST_PAUSE)
