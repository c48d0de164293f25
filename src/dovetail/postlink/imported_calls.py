"""Which imported functions each function calls, unconditionally or conditionally."""

from collections.abc import Iterable
from typing import NamedTuple

from dovetail.graphs import from_bits, to_bits
from dovetail.postlink.calls import Calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.postlink.called_actions import CalledActions


class ImportedCalls(NamedTuple):
    """The imported functions called by each function, by index."""

    names: list[str]
    always: dict[str, int]
    """The imports that each function calls unconditionally, directly or not, as bits."""

    @classmethod
    def of(cls, imported: Iterable[str], calls: Calls) -> "ImportedCalls":
        """Return the calls of imported functions in the unconditional `calls`."""
        names = sorted(imported)
        return cls(names, calls.reached(names) if names else {})

    def by(self, functions: Iterable[str]) -> int:
        """Return the imports that any of the functions calls unconditionally, as bits."""
        bits = 0
        for function in functions:
            bits |= self.always.get(function, 0)
        return bits

    def named(self, bits: int) -> list[str]:
        return [self.names[number] for number in from_bits(bits)]

    def with_actions(self, called: "CalledActions", with_guarded: Calls) -> dict[str, int]:
        """Return a key for the imports that each function needs, as bits.

        The bits are the imports that it calls unconditionally, and the actions that it calls and
        that call imports. `with_guarded` includes conditional calls.
        """
        reached = with_guarded.reached(self.names) if self.names else {}
        leading = to_bits(n for n, each in enumerate(called.actions) if each.origin in reached)
        return {
            function: self.by([function])
            | (called.reached[called.calls.number_of[function]] & leading) << len(self.names)
            for function in reached
        }
