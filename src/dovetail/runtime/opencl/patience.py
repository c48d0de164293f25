"""Whether to ask a driver again and again if work is done, or to wait in it.

Asking is quicker where a processor is free for the driver's own threads; waiting, where none is: a
CPU device's driver then does the work in the thread that waits. Which of the two it is changes from
one moment to the next with all else that the machine does, so both are tried now and then.
"""

from enum import Enum
from time import monotonic

_TRIAL, _A_WHILE = 16, 480
"""Waits."""


class _Stage(Enum):
    TRYING_TO_ASK = 0
    TRYING_TO_WAIT = 1
    DECIDED = 2


class Patience:
    """What the waits of a queue do. Threads share it; what they get wrong is soon put right."""

    __slots__ = ("_asking_took", "_began", "_stage", "asks", "waits_left")

    def __init__(self) -> None:
        self.asks = True
        self.waits_left = _TRIAL
        """How many waits there are before `reconsider` is called."""
        self._stage = _Stage.DECIDED
        self._began = 0.0
        self._asking_took = 0.0

    def reconsider(self) -> None:
        """Go on to the next trial, or decide by what the last two took."""
        now = monotonic()
        took, self._began = now - self._began, now
        self.waits_left = _TRIAL
        if self._stage is _Stage.DECIDED:
            self._stage, self.asks = _Stage.TRYING_TO_ASK, True
        elif self._stage is _Stage.TRYING_TO_ASK:
            self._stage, self.asks, self._asking_took = _Stage.TRYING_TO_WAIT, False, took
        else:
            self._stage, self.asks = _Stage.DECIDED, self._asking_took < took
            self.waits_left = _A_WHILE
