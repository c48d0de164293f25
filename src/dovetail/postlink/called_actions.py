"""Which actions functions come to call through calls that are made on every device."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from dovetail.conditions import Normal
from dovetail.device_metadata import GuardedCall
from dovetail.graphs import from_bits, gather
from dovetail.image import ConditionalCall
from dovetail.ir import REFERENCES
from dovetail.postlink.actions import Action
from dovetail.postlink.calls import Calls


@dataclass(frozen=True)
class CalledActions:
    """Actions are known by their numbers, those first that are called first."""

    actions: tuple[Action, ...]
    by_action: tuple[list[int], ...]
    """Which actions each one calls."""
    calls: Calls
    reached: list[int]
    """By node of the calls, which actions it comes to call, as bits."""

    @classmethod
    def of(
        cls, actions: Sequence[Action], guarded_calls: Iterable[GuardedCall], calls: Calls
    ) -> "CalledActions":
        """`guarded_calls` are all calls of the actions; the graph has them with conditions."""
        numbers: dict[tuple[str, Normal], int] = {a[:2]: n for n, a in enumerate(actions)}
        own = [0] * calls.node_count
        for call in guarded_calls:
            own[calls.number_of[call.caller]] |= 1 << numbers[call.action, call.condition]
        reached = gather(own, *calls.edges(REFERENCES)) if actions else own
        by_action = [list(from_bits(reached[calls.number_of[a.origin]])) for a in actions]
        return cls(tuple(actions), tuple(by_action), calls, reached)

    def by(self, symbols: Iterable[str]) -> list[int]:
        """Those that some functions call."""
        bits = 0
        for symbol in symbols:
            bits |= self.reached[self.calls.number_of[symbol]]
        return list(from_bits(bits))

    def made_by(
        self, symbols: Iterable[str], numbers: Iterable[int]
    ) -> dict[str, list[ConditionalCall]]:
        """What each of some functions and actions calls, by symbol; without those that do not."""
        callers = {
            **{symbol: self.by([symbol]) for symbol in symbols},
            **{self.actions[number].symbol: self.by_action[number] for number in numbers},
        }
        return {caller: [self._calls[n] for n in made] for caller, made in callers.items() if made}

    @cached_property
    def _calls(self) -> list[ConditionalCall]:
        return [ConditionalCall(each.condition, each.symbol) for each in self.actions]

    def and_behind(self, first: Iterable[int]) -> list[int]:
        """Some actions and all that they may come to call in turn, breadth-first."""
        found = dict.fromkeys(first)
        order = list(found)
        for action in order:
            for below in self.by_action[action]:
                if below not in found:
                    found[below] = None
                    order.append(below)
        return order
