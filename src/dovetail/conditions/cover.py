"""Irredundant sums of products: no product and no literal can be dropped.

For one architecture, the sum is the one that the Minato-Morreale algorithm reads off a decision
diagram. For several, each product applies to every architecture whose function it implies, and
products that others cover are dropped, the longest first. The result depends only on the function:
equal functions have equal sums.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from dovetail.conditions.cases import Cases
from dovetail.conditions.diagram import FALSE, TRUE, Diagram, Edge
from dovetail.conditions.expression import AND, OR
from dovetail.conditions.terms import Literal, Term, compound

Product = tuple[Literal, ...]
"""Literals of aspects, ascending."""

_PRODUCTS_PER_STEP = 16
"""Copying a product costs far less than a step in a diagram."""
_STEPS_PER_LITERAL = 2
"""Writing a literal costs more."""


class _Group(NamedTuple):
    """The architectures that share a function."""

    edge: Edge
    architectures: tuple[int, ...]
    """Ascending; empty for the group of all architectures that no other group lists."""


def sum_of_products(cases: Cases, diagram: Diagram) -> Term:
    """Return the sum for a non-constant function; raise `TooLarge` if it takes too many steps."""
    groups = _groups(cases)
    candidates = _candidates(diagram, groups)
    kept = candidates if len(groups) == 1 else _irredundant(diagram, candidates, len(groups))
    terms = [_literals(product, candidates[product], groups) for product in kept]
    diagram.spend(_STEPS_PER_LITERAL * sum(len(literals) + len(among) for literals, among in terms))
    return compound(OR, [_term(*each) for each in terms])


def _groups(cases: Cases) -> list[_Group]:
    """Return the groups in the order of their first architectures, the unlisted ones last."""
    listed: dict[Edge, list[int]] = {}
    for architecture in sorted(cases.known):
        listed.setdefault(cases.known[architecture], []).append(architecture)
    groups = [_Group(edge, tuple(architectures)) for edge, architectures in listed.items()]
    return [*groups, _Group(cases.others, ())]


class _IrredundantSums:
    """Irredundant sums of products for functions of aspects (Minato 1993, after Morreale 1970)."""

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._sums: dict[tuple[Edge, Edge], tuple[list[Product], Edge]] = {}
        """By lower and upper bound."""

    def of(self, edge: Edge) -> list[Product]:
        """Return the products of a function."""
        return self._sum(edge, edge)[0]

    def _sum(self, lower: Edge, upper: Edge) -> tuple[list[Product], Edge]:
        """Return a sum that `lower` implies and that implies `upper`, with its function."""
        if lower == FALSE:
            return [], FALSE
        if upper == TRUE:
            return [()], TRUE
        found = self._sums.get((lower, upper))
        if found is None:
            found = self._sums[lower, upper] = self._split(lower, upper)
        self._diagram.spend(1 + len(found[0]) // _PRODUCTS_PER_STEP)
        return found

    def _split(self, lower: Edge, upper: Edge) -> tuple[list[Product], Edge]:
        """Split at the first aspect; products that cover both cofactors do not contain it."""
        diagram = self._diagram
        aspect = diagram.first_aspect(lower, upper)
        lower_present, lower_absent = diagram.branches(lower, aspect)
        upper_present, upper_absent = diagram.branches(upper, aspect)
        if_present, present = self._sum(
            diagram.both(lower_present, upper_absent ^ 1), upper_present
        )
        if_absent, absent = self._sum(diagram.both(lower_absent, upper_present ^ 1), upper_absent)
        left = diagram.either(
            diagram.both(lower_present, present ^ 1), diagram.both(lower_absent, absent ^ 1)
        )
        in_both, both = self._sum(left, diagram.both(upper_present, upper_absent))
        products = [
            *_with_literal(Literal(False, aspect), if_present),
            *_with_literal(Literal(False, aspect, negated=True), if_absent),
            *in_both,
        ]
        function = diagram.node(aspect, diagram.either(present, both), diagram.either(absent, both))
        return products, function


def _with_literal(literal: Literal, products: Iterable[Product]) -> Iterable[Product]:
    return ((literal, *product) for product in products)


def _edge_of(diagram: Diagram, product: Product) -> Edge:
    edge = TRUE
    for literal in reversed(product):
        present, absent = (FALSE, edge) if literal.negated else (edge, FALSE)
        edge = diagram.node(literal.number, present, absent)
    return edge


def _candidates(diagram: Diagram, groups: Sequence[_Group]) -> dict[Product, list[int]]:
    """Return the products of all groups, each with the groups whose function it implies."""
    sums = _IrredundantSums(diagram)
    of_groups = [dict.fromkeys(sums.of(group.edge)) for group in groups]
    candidates: dict[Product, list[int]] = {}
    for product in chain.from_iterable(of_groups):
        if product not in candidates:
            edge = _edge_of(diagram, product)
            candidates[product] = [
                number
                for number, group in enumerate(groups)
                if product in of_groups[number] or diagram.implies(edge, group.edge)
            ]
    return candidates


def _irredundant(
    diagram: Diagram, candidates: dict[Product, list[int]], groups: int
) -> list[Product]:
    """Return the products that remain after dropping each one that the others cover."""
    order = sorted(candidates, key=lambda each: (-len(each), len(candidates[each]), each))
    # What the products after each one cover, in each group.
    covered_after = [[FALSE] * groups]
    for product in reversed(order):
        covered_after.append(_covered(diagram, covered_after[-1], product, candidates[product]))
    kept: list[Product] = []
    before = [FALSE] * groups
    for product, after in zip(order, covered_after[-2::-1], strict=True):
        edge = _edge_of(diagram, product)
        if not all(
            diagram.implies(edge, diagram.either(before[group], after[group]))
            for group in candidates[product]
        ):
            kept.append(product)
            before = _covered(diagram, before, product, candidates[product])
    return kept


def _covered(
    diagram: Diagram, covered: Sequence[Edge], product: Product, groups: Sequence[int]
) -> list[Edge]:
    diagram.spend(len(groups))
    edge = _edge_of(diagram, product)
    more = list(covered)
    for group in groups:
        more[group] = diagram.either(covered[group], edge)
    return more


def _literals(
    product: Product, applicable: Sequence[int], groups: Sequence[_Group]
) -> tuple[list[Literal], list[Literal]]:
    """Return the literals that all must hold, and alternatives of which one must hold, if any.

    The product applies either to listed architectures, the alternatives, or to all but some, which
    are then excluded by negated literals.
    """
    unlisted = len(groups) - 1
    if unlisted not in applicable:
        among = [each for number in applicable for each in groups[number].architectures]
        return [*product], [Literal(True, each) for each in among]
    excluded = [
        each
        for number, group in enumerate(groups)
        if number not in applicable
        for each in group.architectures
    ]
    return [*product, *(Literal(True, each, negated=True) for each in excluded)], []


def _term(literals: Sequence[Literal], among: Sequence[Literal]) -> Term:
    return compound(AND, [*literals, compound(OR, among)] if among else literals)
