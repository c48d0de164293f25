"""Map SPIR-V's scopes and memory semantics, which are numbers, to LLVM's, which are keywords.

The numbers need not be constants. So a body has a block for each scope and order, and a `switch`.
For constants, which are usual, one block remains after inlining.
"""

from collections.abc import Callable

from dovetail.targets.ir_family import IRFamily

SYNC_SCOPES = {
    # PTX has no scope for sub-groups and work-items; the next wider scope is correct.
    IRFamily.NVPTX64: ("", "device", "block", "block", "block"),
    IRFamily.AMDGCN: ("", "agent", "workgroup", "wavefront", "singlethread"),
}
"""Indexed by SPIR-V's numbers: cross device, device, work-group, sub-group, invocation."""

_ACQUIRE, _RELEASE, _ACQUIRE_RELEASE, _SEQUENTIAL = 0x2, 0x4, 0x8, 0x10
_ORDER_BITS = 0x1E
_SCOPE_SHIFT = 5
_STRONGEST = ("", "seq_cst")

RELEASE_PART = {"release": "release", "acq_rel": "release", "seq_cst": "seq_cst"}
"""The fence needed before a relaxed instruction for each order; none for other orders."""
ACQUIRE_PART = {"acquire": "acquire", "acq_rel": "acquire", "seq_cst": "seq_cst"}
"""The fence needed after it."""


def order_of(semantics: int) -> str:
    """Return LLVM's weakest order that satisfies the bits."""
    acquires = semantics & (_ACQUIRE | _ACQUIRE_RELEASE)
    releases = semantics & (_RELEASE | _ACQUIRE_RELEASE)
    if semantics & _SEQUENTIAL:
        return "seq_cst"
    if acquires and releases:
        return "acq_rel"
    return "acquire" if acquires else "release" if releases else "monotonic"


def by_scope_and_order(family: IRFamily, block: Callable[[str, str], str]) -> str:
    """Return a body that switches on `%scope` and `%semantics`.

    `block` returns the instructions for a scope and an order of LLVM, ending in a return. Unknown
    numbers select the widest scope and the strongest order.
    """
    blocks: dict[tuple[str, str], str] = {}
    cases: list[str] = []
    for number, scope in enumerate(SYNC_SCOPES[family]):
        for bits in range(0, _ORDER_BITS + 1, 2):
            order = order_of(bits)
            blocks.setdefault((scope, order), block(scope, order))
            cases.append(f"i32 {number << _SCOPE_SHIFT | bits}, label %{_label(scope, order)}")
    return "\n".join(
        [
            f"%order = and i32 %semantics, {_ORDER_BITS}",
            f"%shifted = shl i32 %scope, {_SCOPE_SHIFT}",
            "%both = or i32 %shifted, %order",
            f"switch i32 %both, label %{_label(*_STRONGEST)} [{' '.join(cases)}]",
            *(f"{_label(*key)}:\n{text}" for key, text in blocks.items()),
        ]
    )


def _label(scope: str, order: str) -> str:
    return f"{scope or 'system'}.{order}"


def sync_scope(scope: str) -> str:
    """Return the scope in an instruction's text; empty for system scope."""
    return f'syncscope("{scope}")' if scope else ""


def fence(scope: str, order: str | None) -> str:
    """Return a fence, or an empty string without an order."""
    return f"fence {sync_scope(scope)} {order}" if order else ""
