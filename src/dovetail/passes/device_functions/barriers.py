"""Barriers and fences.

A barrier is a release fence, a wait, and an acquire fence. NVIDIA's waits order memory among the
waiting work-items, so fences are needed only for wider scopes and sequential consistency.
"""

from collections.abc import Mapping

from dovetail.ir import Function
from dovetail.passes.device_functions.definition import DeviceFunction, helper, same_for_all
from dovetail.passes.device_functions.memory_order import (
    ACQUIRE_PART,
    RELEASE_PART,
    by_scope_and_order,
    fence,
)
from dovetail.targets.ir_family import IRFamily


def _fence_helper(family: IRFamily, name: str, part: Mapping[str, str]) -> str:
    """Return a helper with the fence before or after a wait."""

    def block(scope: str, order: str) -> str:
        return f"{fence(scope, part.get(order))}\nret void"

    signature = f"void @dovetail.{name}(i32 %scope, i32 %semantics)"
    return helper(signature, by_scope_and_order(family, block))


def _fences(family: IRFamily) -> str:
    release = _fence_helper(family, "release", RELEASE_PART)
    return release + _fence_helper(family, "acquire", ACQUIRE_PART)


_NVPTX_WAITS = "".join(
    (
        helper(
            "void @dovetail.wait_for_group()",
            "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\nret void",
            convergent=True,
        ),
        helper(
            "void @dovetail.wait_for_sub_group()",
            """
%members = call i32 @dovetail.members()
call void @llvm.nvvm.bar.warp.sync(i32 %members)
ret void""",
            convergent=True,
        ),
        helper(
            "i32 @dovetail.beyond_wait(i32 %execution, i32 %memory, i32 %semantics)",
            """
%wider = icmp ult i32 %memory, %execution
%sequential = and i32 %semantics, 16
%is_sequential = icmp ne i32 %sequential, 0
%needed = or i1 %wider, %is_sequential
%left = select i1 %needed, i32 %semantics, i32 0
ret i32 %left""",
        ),
    )
)

_AMDGCN_WAITS = "".join(
    (
        helper(
            "void @dovetail.wait_for_group()",
            "call void @llvm.amdgcn.s.barrier()\nret void",
            convergent=True,
        ),
        helper(
            "void @dovetail.wait_for_sub_group()",
            "call void @llvm.amdgcn.wave.barrier()\nret void",
            convergent=True,
        ),
        helper(
            "i32 @dovetail.beyond_wait(i32 %execution, i32 %memory, i32 %semantics)",
            "ret i32 %semantics",
        ),
    )
)

HELPERS = {
    IRFamily.NVPTX64: _NVPTX_WAITS + _fences(IRFamily.NVPTX64),
    IRFamily.AMDGCN: _AMDGCN_WAITS + _fences(IRFamily.AMDGCN),
}

_BARRIER = """
%left = call i32 @dovetail.beyond_wait(i32 %execution, i32 %memory, i32 %semantics)
call void @dovetail.release(i32 %memory, i32 %left)
%is_sub_group = icmp uge i32 %execution, 3
br i1 %is_sub_group, label %sub_group, label %group
group:
call void @dovetail.wait_for_group()
br label %done
sub_group:
call void @dovetail.wait_for_sub_group()
br label %done
done:
call void @dovetail.acquire(i32 %memory, i32 %left)
ret void"""


def _fence(family: IRFamily, _declaration: Function) -> str:
    def block(scope: str, order: str) -> str:
        return f"{fence(scope, None if order == 'monotonic' else order)}\nret void"

    return by_scope_and_order(family, block)


FUNCTIONS = {
    "__spirv_ControlBarrier": DeviceFunction(
        ("execution", "memory", "semantics"), same_for_all(_BARRIER), convergent=True
    ),
    "__spirv_MemoryBarrier": DeviceFunction(("scope", "semantics"), _fence),
}
