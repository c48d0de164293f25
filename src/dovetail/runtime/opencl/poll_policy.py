"""Whether a wait for short work polls the driver before it blocks: the faster of the two.

Polling is faster while the driver's threads are awake and have a CPU each. Otherwise it keeps them
from the work, which a CPU driver does in the blocked thread. Which is faster depends on the load of
the machine, so both are measured, in rounds: a mode that becomes slower than the other was is left
at once, and the slower one is tried again from time to time.
"""

MAX_POLLS = 100
"""The maximum number of times that a wait asks for the status before it blocks: for about 16
microseconds."""

_ROUND = 64
"""The number of waits after which the mode is reconsidered."""

_SHORTEST_RUN, _LONGEST_RUN = 16, 128
"""The number of rounds after which the slower mode is tried again."""

_LONGEST_S = 1e-4
"""The maximum that counts for one wait, which other work of the machine may have delayed."""


class PollPolicy:
    """The mode of a queue's waits. Threads share it without a lock; errors are corrected soon."""

    __slots__ = ("_last", "_left", "_longest", "_rounds", "_run", "_seconds", "_taken", "polls")

    def __init__(self) -> None:
        self.polls = True
        self._last = 0.0
        """When the last wait ended."""
        self._seconds = 0.0
        """The sum, in this round, of the times from the end of a wait to that of the next. The time
        in between counts, since a driver's threads that are awake slow the program down."""
        self._longest = 0.0
        """The longest of them, which is left out: the program may have paused."""
        self._left = _ROUND
        self._taken = [0.0, 0.0]
        """The duration of the last round in each mode, in seconds: blocking, polling."""
        self._rounds = 0
        """Rounds so far in this mode."""
        self._run = _SHORTEST_RUN

    def measured(self, now: float) -> None:
        """Note the end of a wait in the current mode, and choose the mode of the next one."""
        seconds, self._last = now - self._last, now
        if seconds > _LONGEST_S:
            seconds = _LONGEST_S
        self._seconds += seconds
        if seconds > self._longest:
            self._longest = seconds
        self._left -= 1
        if self._left <= 0:
            self._reconsider()

    def _reconsider(self) -> None:
        """End a round: choose the mode of the next one."""
        self._taken[self.polls] = self._seconds - self._longest
        self._seconds, self._longest, self._left = 0.0, 0.0, _ROUND
        self._rounds += 1
        blocking, polling = self._taken
        if (polling < blocking) != self.polls:
            self._change_mode()
        elif self._rounds >= self._run:
            # The longer a mode is the faster one, the more rarely the other is tried.
            self._run = min(2 * self._run, _LONGEST_RUN)
            self._change_mode()

    def _change_mode(self) -> None:
        """Switch between polling and blocking."""
        self.polls = not self.polls
        self._rounds = 0
