"""Shuffles and votes of the work-items of a sub-group, in which all existing work-items take part.

The value of a work-item that does not exist is undefined.
"""

from dovetail.ir import Function
from dovetail.passes.device_functions.definition import DeviceFunction, helper
from dovetail.processor_functions import WAVE_SHUFFLE, declaration
from dovetail.targets.ir_family import IRFamily

# The last sub-group may be smaller, and NVIDIA's instructions need a mask of the participants.
_MEMBERS = helper(
    "i32 @dovetail.members()",
    """
%size = call i32 @dovetail.sub_group_size()
%missing = sub nuw nsw i32 32, %size
%members = lshr i32 -1, %missing
ret i32 %members""",
)


def _nvptx_shuffle(name: str, mode: str, clamp: int) -> str:
    return helper(
        f"i32 @dovetail.{name}(i32 %value, i32 %operand)",
        f"""
%members = call i32 @dovetail.members()
%result = call i32 @llvm.nvvm.shfl.sync.{mode}.i32(i32 %members, i32 %value, i32 %operand, \
i32 {clamp})
ret i32 %result""",
        convergent=True,
    )


def _nvptx_vote(name: str) -> str:
    return helper(
        f"i1 @dovetail.{name}(i1 %value)",
        f"""
%members = call i32 @dovetail.members()
%result = call i1 @llvm.nvvm.vote.{name}.sync(i32 %members, i1 %value)
ret i1 %result""",
        convergent=True,
    )


def _amdgcn_shuffle(name: str, computed: str) -> str:
    return helper(
        f"i32 @dovetail.{name}(i32 %value, i32 %operand)",
        f"""
%lane = call i32 @dovetail.lane()
%from = {computed}
%result = call i32 @{WAVE_SHUFFLE}(i32 %value, i32 %from)
ret i32 %result""",
        convergent=True,
    )


# The ballot does not count work-items that do not exist.
_AMDGCN_VOTES = "".join(
    (
        helper(
            "i1 @dovetail.any(i1 %value)",
            """
%votes = call i64 @llvm.amdgcn.ballot.i64(i1 %value)
%result = icmp ne i64 %votes, 0
ret i1 %result""",
            convergent=True,
        ),
        helper(
            "i1 @dovetail.all(i1 %value)",
            """
%against = xor i1 %value, true
%found = call i1 @dovetail.any(i1 %against)
%result = xor i1 %found, true
ret i1 %result""",
            convergent=True,
        ),
    )
)

HELPERS = {
    IRFamily.NVPTX64: "".join(
        (
            _MEMBERS,
            _nvptx_shuffle("shuffle", "idx", 31),
            _nvptx_shuffle("shuffle_xor", "bfly", 31),
            _nvptx_shuffle("shuffle_up", "up", 0),
            _nvptx_shuffle("shuffle_down", "down", 31),
            _nvptx_vote("all"),
            _nvptx_vote("any"),
        )
    ),
    IRFamily.AMDGCN: "".join(
        (
            declaration(WAVE_SHUFFLE),
            _amdgcn_shuffle("shuffle", "add i32 %operand, 0"),
            _amdgcn_shuffle("shuffle_xor", "xor i32 %lane, %operand"),
            _amdgcn_shuffle("shuffle_up", "sub i32 %lane, %operand"),
            _amdgcn_shuffle("shuffle_down", "add i32 %lane, %operand"),
            _AMDGCN_VOTES,
        )
    ),
}


def _shuffle(name: str) -> DeviceFunction:
    """Return a shuffle of 32 or 64 bits; the instructions move 32 bits."""

    def body(_family: IRFamily, declaration: Function) -> str:
        if declaration.return_type == "i32":
            return f"%r = call i32 @dovetail.{name}(i32 %value, i32 %operand)\nret i32 %r"
        return f"""
%low = trunc i64 %value to i32
%shifted = lshr i64 %value, 32
%high = trunc nuw i64 %shifted to i32
%new_low = call i32 @dovetail.{name}(i32 %low, i32 %operand)
%new_high = call i32 @dovetail.{name}(i32 %high, i32 %operand)
%wide_low = zext i32 %new_low to i64
%wide_high = zext i32 %new_high to i64
%top = shl nuw i64 %wide_high, 32
%result = or disjoint i64 %top, %wide_low
ret i64 %result"""

    return DeviceFunction(("scope", "value", "operand"), body, convergent=True)


def _vote(name: str) -> DeviceFunction:
    def body(_family: IRFamily, _declaration: Function) -> str:
        return f"%result = call i1 @dovetail.{name}(i1 %value)\nret i1 %result"

    return DeviceFunction(("scope", "value"), body, convergent=True)


FUNCTIONS = {
    "__spirv_GroupNonUniformShuffle": _shuffle("shuffle"),
    "__spirv_GroupNonUniformShuffleXor": _shuffle("shuffle_xor"),
    "__spirv_GroupNonUniformShuffleUp": _shuffle("shuffle_up"),
    "__spirv_GroupNonUniformShuffleDown": _shuffle("shuffle_down"),
    "__spirv_GroupNonUniformAll": _vote("all"),
    "__spirv_GroupNonUniformAny": _vote("any"),
}
