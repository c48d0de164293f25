"""Which actions each function calls, directly or through unconditional calls."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from dovetail.conditions import Normal
from dovetail.device_metadata import GuardedCall
from dovetail.graphs import from_bits, gather
from dovetail.image import ActionCall
from dovetail.ir import REFERENCES
from dovetail.postlink.actions import Action
from dovetail.postlink.calls import Calls


@dataclass(frozen=True)
class CalledActions:
    """The actions called by each function, by index."""

    actions: tuple[Action, ...]
    by_action: tuple[list[int], ...]
    """The actions that each action calls."""
    calls: Calls
    reached: list[int]
    """The actions that each node of the call graph calls, as bits."""

    @classmethod
    def of(
        cls, actions: Sequence[Action], guarded_calls: Iterable[GuardedCall], calls: Calls
    ) -> "CalledActions":
        """Return the called actions; `guarded_calls` are all conditional calls of the program."""
        numbers: dict[tuple[str, Normal], int] = {a[:2]: n for n, a in enumerate(actions)}
        own = [0] * calls.node_count
        for call in guarded_calls:
            own[calls.number_of[call.caller]] |= 1 << numbers[call.action, call.condition]
        reached = gather(own, *calls.edges(REFERENCES)) if actions else own
        by_action = [list(from_bits(reached[calls.number_of[a.origin]])) for a in actions]
        return cls(tuple(actions), tuple(by_action), calls, reached)

    def by(self, symbols: Iterable[str]) -> list[int]:
        """Return the actions that any of the given functions calls."""
        bits = 0
        for symbol in symbols:
            bits |= self.reached[self.calls.number_of[symbol]]
        return list(from_bits(bits))

    def conditional_calls_of(
        self, symbols: Iterable[str], numbers: Iterable[int]
    ) -> dict[str, list[ActionCall]]:
        """Return the conditional calls of the given functions and actions, by symbol."""
        callers = {
            **{symbol: self.by([symbol]) for symbol in symbols},
            **{self.actions[number].symbol: self.by_action[number] for number in numbers},
        }
        return {caller: [self._calls[n] for n in made] for caller, made in callers.items() if made}

    @cached_property
    def _calls(self) -> list[ActionCall]:
        return [ActionCall(each.condition, each.symbol) for each in self.actions]

    def with_callees(self, first: Iterable[int]) -> list[int]:
        """Return actions and all actions that they call, directly or not, breadth-first."""
        found = dict.fromkeys(first)
        order = list(found)
        for action in order:
            for callee in self.by_action[action]:
                if callee not in found:
                    found[callee] = None
                    order.append(callee)
        return order
