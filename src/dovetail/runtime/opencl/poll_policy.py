"""Whether a wait for short work polls the driver before it blocks: whichever is faster now.

Polling is faster while the driver's threads are awake and have a CPU each. Where they are not, it
keeps them from the work, which a CPU driver would do in the thread that blocks. Neither the machine
nor the driver says which it is, and it changes with all else that the machine does. So both are
measured, round by round: a mode that has become slower than the other one was is left at once, and
the slower one is tried again now and then.
"""

_ROUND = 64
"""Waits after which the mode is reconsidered."""

_SHORTEST_RUN, _LONGEST_RUN = 16, 128
"""Rounds that the faster mode is kept before the other one is tried again."""

_LONGEST_S = 1e-4
"""What counts of a single wait: it may have met other work of the machine."""


class PollPolicy:
    """What the waits of a queue do. Threads share it; what they get wrong is soon put right."""

    __slots__ = ("_last", "_left", "_longest", "_rounds", "_run", "_seconds", "_taken", "polls")

    def __init__(self) -> None:
        self.polls = True
        self._last = 0.0
        """When the last wait ended."""
        self._seconds = 0.0
        """From the end of a wait to that of the next, in this round. What the program does in
        between counts, since a driver's threads that are awake slow that down."""
        self._longest = 0.0
        """The longest of them, which does not count: the program may have paused before it."""
        self._left = _ROUND
        self._taken = [0.0, 0.0]
        """The last round of each mode, in seconds: blocking, and polling."""
        self._rounds = 0
        """In this mode."""
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
        self._taken[self.polls] = self._seconds - self._longest
        self._seconds, self._longest, self._left = 0.0, 0.0, _ROUND
        self._rounds += 1
        blocking, polling = self._taken
        if (polling < blocking) != self.polls:
            self._change_mode()
        elif self._rounds >= self._run:
            # A mode that stays the faster one is doubted less and less.
            self._run = min(2 * self._run, _LONGEST_RUN)
            self._change_mode()

    def _change_mode(self) -> None:
        self.polls = not self.polls
        self._rounds = 0
