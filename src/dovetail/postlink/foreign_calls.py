"""Which functions of other programs are called, on every device and on some alone."""

from collections.abc import Iterable
from typing import NamedTuple

from dovetail.graphs import from_bits, to_bits
from dovetail.postlink.called_actions import CalledActions
from dovetail.postlink.calls import Calls


class ForeignCalls(NamedTuple):
    """Foreign functions are known by their numbers."""

    names: list[str]
    always: dict[str, int]
    """By function, those that it comes to call on every device, as bits."""

    @classmethod
    def of(cls, foreign: Iterable[str], calls: Calls) -> "ForeignCalls":
        """`calls` has those that are made on every device."""
        names = sorted(foreign)
        return cls(names, calls.reached(names) if names else {})

    def by(self, functions: Iterable[str]) -> int:
        """Those that some functions come to call on every device, as bits."""
        bits = 0
        for function in functions:
            bits |= self.always.get(function, 0)
        return bits

    def named(self, bits: int) -> list[str]:
        return [self.names[number] for number in from_bits(bits)]

    def with_actions(self, called: CalledActions, with_guarded: Calls) -> dict[str, int]:
        """By function, what decides which foreign ones it needs on which devices, as bits.

        Those that it always calls, and the actions that it calls and that come to call some.
        `with_guarded` has all calls, those under conditions too.
        """
        reached = with_guarded.reached(self.names) if self.names else {}
        leading = to_bits(n for n, each in enumerate(called.actions) if each.origin in reached)
        return {
            function: self.by([function])
            | (called.reached[called.calls.number_of[function]] & leading) << len(self.names)
            for function in reached
        }
