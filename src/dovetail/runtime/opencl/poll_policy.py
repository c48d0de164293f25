"""Whether a wait for short work polls the driver before it blocks: whichever is faster now.

Polling is faster while the driver's threads are awake and have a CPU each. Where they are not, it
keeps them from the work, which a CPU driver would do in the thread that blocks. Neither the machine
nor the driver says which it is, and it changes with all else that the machine does. So both are
measured, and the slower one is tried again now and then.
"""

_TRIAL, _SHORTEST_RUN, _LONGEST_RUN = 64, 1024, 8192
"""Waits: of the slower mode to measure it, and of the faster one between two such trials."""

_WEIGHT = 0.25
"""Of a new measurement in an average: what was before a trial has no weight after it."""

_LONGEST_S = 1e-4
"""What counts of a single wait: it may have met other work of the machine."""


class PollPolicy:
    """What the waits of a queue do. Threads share it; what they get wrong is soon put right."""

    __slots__ = ("_averages", "_is_trial", "_last", "_left", "_run", "polls")

    def __init__(self) -> None:
        self.polls = True
        self._last = 0.0
        """When the last wait ended."""
        self._averages = [_LONGEST_S, _LONGEST_S]
        """Seconds from the end of a wait to that of the next: blocking, and polling. What the
        program does in between counts, since a driver's threads that are awake slow that down."""
        self._is_trial = True
        self._left = _TRIAL
        """Waits until the mode is reconsidered."""
        self._run = _SHORTEST_RUN
        """How long the faster mode is kept."""

    def measured(self, now: float) -> None:
        """Note the end of a wait in the current mode, and choose the mode of the next one."""
        seconds, self._last = now - self._last, now
        average = self._averages[self.polls]
        self._averages[self.polls] = average + _WEIGHT * (min(seconds, _LONGEST_S) - average)
        self._left -= 1
        if self._left <= 0:
            self._reconsider()

    def _reconsider(self) -> None:
        if not self._is_trial:
            self._try_other()
            return
        blocking, polling = self._averages
        faster = polling < blocking
        # A mode that stays the faster one is doubted less and less.
        self._run = _SHORTEST_RUN if faster == self.polls else min(2 * self._run, _LONGEST_RUN)
        self.polls, self._is_trial, self._left = faster, False, self._run

    def _try_other(self) -> None:
        self.polls = not self.polls
        self._is_trial, self._left = True, _TRIAL
