"""SPIR-V's scopes and memory semantics, which are numbers, as LLVM's, which are words.

The numbers may be computed. A body therefore has a block for each scope and order and a `switch`
that chooses; with constants, as they mostly are, inlining leaves one block of it.
"""

from collections.abc import Callable

from dovetail.targets.ir_family import IRFamily

SYNC_SCOPES = {
    # Sub-groups and single work-items have no scope in PTX; the next wider is right for them.
    IRFamily.NVPTX64: ("", "device", "block", "block", "block"),
    IRFamily.AMDGCN: ("", "agent", "workgroup", "wavefront", "singlethread"),
}
"""By SPIR-V's number: across devices, device, work-group, sub-group, invocation."""

_ACQUIRE, _RELEASE, _ACQUIRE_RELEASE, _SEQUENTIAL = 0x2, 0x4, 0x8, 0x10
_ORDER_BITS = 0x1E
_SCOPE_SHIFT = 5
_STRONGEST = ("", "seq_cst")

RELEASE_PART = {"release": "release", "acq_rel": "release", "seq_cst": "seq_cst"}
"""What has to stand before an instruction to make it have an order; nothing for other orders."""
ACQUIRE_PART = {"acquire": "acquire", "acq_rel": "acquire", "seq_cst": "seq_cst"}
"""What has to stand behind it."""


def order_of(semantics: int) -> str:
    """The weakest order of LLVM's that gives what the bits ask for."""
    acquires = semantics & (_ACQUIRE | _ACQUIRE_RELEASE)
    releases = semantics & (_RELEASE | _ACQUIRE_RELEASE)
    if semantics & _SEQUENTIAL:
        return "seq_cst"
    if acquires and releases:
        return "acq_rel"
    return "acquire" if acquires else "release" if releases else "monotonic"


def by_scope_and_order(family: IRFamily, block: Callable[[str, str], str]) -> str:
    """A body that chooses by `%scope` and `%semantics`; each block has to return.

    `block` has the instructions for one of LLVM's scopes and one of its orders. Numbers that do not
    exist get what is strongest.
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
    """As it stands in an instruction; nothing is the widest."""
    return f'syncscope("{scope}")' if scope else ""


def fence(scope: str, order: str | None) -> str:
    """A fence; nothing for no order."""
    return f"fence {sync_scope(scope)} {order}" if order else ""
