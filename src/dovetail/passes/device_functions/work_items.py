"""Indices and sizes of work-items, groups and sub-groups; dimension 0 is x.

Each family defines helpers that read its 32-bit registers. Global indices and sizes are computed
from these in 64 bits. Launches have no offset, and all groups have the same size.
"""

from dovetail.passes.device_functions.definition import DeviceFunction, helper, same_for_all
from dovetail.targets.ir_family import IRFamily

_CHOOSE = """
%is_y = icmp eq i32 %dimension, 1
%is_z = icmp eq i32 %dimension, 2
%x_or_y = select i1 %is_y, i32 %y, i32 %x
%chosen = select i1 %is_z, i32 %z, i32 %x_or_y
ret i32 %chosen"""


def _nvptx_register(name: str, register: str, lowest: int, highest: tuple[int, int, int]) -> str:
    """Return a helper that reads a register, with the range that CUDA allows for LLVM."""
    reads = [
        f"%{dimension} = call range(i32 {lowest}, {most + 1})"
        f" i32 @llvm.nvvm.read.ptx.sreg.{register}.{dimension}()"
        for dimension, most in zip("xyz", highest, strict=True)
    ]
    return helper(f"i32 @dovetail.{name}(i32 %dimension)", "\n".join(reads) + _CHOOSE)


_MAX_LOCAL_SIZE = (1024, 1024, 64)
_MAX_GROUPS = (0x7FFFFFFE, 0xFFFF, 0xFFFF)

_NVPTX = "".join(
    (
        _nvptx_register("local_id", "tid", 0, (1023, 1023, 63)),
        _nvptx_register("local_size", "ntid", 1, _MAX_LOCAL_SIZE),
        _nvptx_register("group_id", "ctaid", 0, _MAX_GROUPS),
        _nvptx_register("group_count", "nctaid", 1, _MAX_GROUPS),
        helper("i32 @dovetail.sub_group_max_size()", "ret i32 32"),
        helper(
            "i32 @dovetail.lane()",
            "%lane = call range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.laneid()\nret i32 %lane",
        ),
    )
)


def _amdgcn_register(name: str, register: str) -> str:
    reads = [f"%{d} = call i32 @llvm.amdgcn.{register}.{d}()" for d in "xyz"]
    return helper(f"i32 @dovetail.{name}(i32 %dimension)", "\n".join(reads) + _CHOOSE)


def _amdgcn_argument(name: str, offset: int, kind: str) -> str:
    """Return a helper that reads a hidden kernel argument of code object version 5."""
    widen = "zext i16 %value to i32" if kind == "i16" else "add i32 %value, 0"
    return helper(
        f"i32 @dovetail.{name}(i32 %dimension)",
        f"""
%arguments = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
%first = getelementptr inbounds i8, ptr addrspace(4) %arguments, i64 {offset}
%place = getelementptr inbounds {kind}, ptr addrspace(4) %first, i32 %dimension
%value = load {kind}, ptr addrspace(4) %place, !invariant.load !{{}}, !noundef !{{}}
%wide = {widen}
ret i32 %wide""",
    )


_AMDGCN = "".join(
    (
        _amdgcn_register("local_id", "workitem.id"),
        _amdgcn_argument("local_size", 12, "i16"),
        _amdgcn_register("group_id", "workgroup.id"),
        _amdgcn_argument("group_count", 0, "i32"),
        helper(
            "i32 @dovetail.sub_group_max_size()",
            "%size = call i32 @llvm.amdgcn.wavefrontsize()\nret i32 %size",
        ),
        helper(
            "i32 @dovetail.lane()",
            """
%low = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
%lane = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %low)
ret i32 %lane""",
        ),
    )
)

_COMMON = "".join(
    (
        helper(
            "i32 @dovetail.linear_id()",
            """
%x = call i32 @dovetail.local_id(i32 0)
%y = call i32 @dovetail.local_id(i32 1)
%z = call i32 @dovetail.local_id(i32 2)
%width = call i32 @dovetail.local_size(i32 0)
%height = call i32 @dovetail.local_size(i32 1)
%planes = mul nuw nsw i32 %z, %height
%rows = add nuw nsw i32 %planes, %y
%before = mul nuw nsw i32 %rows, %width
%id = add nuw nsw i32 %before, %x
ret i32 %id""",
        ),
        helper(
            "i32 @dovetail.items_in_group()",
            """
%width = call i32 @dovetail.local_size(i32 0)
%height = call i32 @dovetail.local_size(i32 1)
%depth = call i32 @dovetail.local_size(i32 2)
%plane = mul nuw nsw i32 %width, %height
%items = mul nuw nsw i32 %plane, %depth
ret i32 %items""",
        ),
        # Sub-group sizes are powers of two, so a shift divides by them.
        helper(
            "i32 @dovetail.in_sub_groups(i32 %items)",
            """
%size = call i32 @dovetail.sub_group_max_size()
%shift = call i32 @llvm.cttz.i32(i32 %size, i1 true)
%count = lshr i32 %items, %shift
ret i32 %count""",
        ),
        helper(
            "i32 @dovetail.sub_group_size()",
            """
%items = call i32 @dovetail.items_in_group()
%id = call i32 @dovetail.linear_id()
%lane = call i32 @dovetail.lane()
%first = sub nuw nsw i32 %id, %lane
%left = sub nuw nsw i32 %items, %first
%most = call i32 @dovetail.sub_group_max_size()
%size = call i32 @llvm.umin.i32(i32 %left, i32 %most)
ret i32 %size""",
        ),
    )
)

HELPERS = {IRFamily.NVPTX64: _NVPTX + _COMMON, IRFamily.AMDGCN: _AMDGCN + _COMMON}


def _by_dimension(body: str) -> DeviceFunction:
    return DeviceFunction(("dimension",), same_for_all(body))


def _of_sub_group(body: str) -> DeviceFunction:
    return DeviceFunction((), same_for_all(body))


def _widened(name: str) -> str:
    return f"""
%value = call i32 @dovetail.{name}(i32 %dimension)
%result = zext i32 %value to i64
ret i64 %result"""


def _answer(name: str) -> str:
    return f"%result = call i32 @dovetail.{name}()\nret i32 %result"


FUNCTIONS = {
    "__spirv_BuiltInLocalInvocationId": _by_dimension(_widened("local_id")),
    "__spirv_BuiltInWorkgroupSize": _by_dimension(_widened("local_size")),
    "__spirv_BuiltInWorkgroupId": _by_dimension(_widened("group_id")),
    "__spirv_BuiltInNumWorkgroups": _by_dimension(_widened("group_count")),
    "__spirv_BuiltInGlobalOffset": _by_dimension("ret i64 0"),
    "__spirv_BuiltInGlobalInvocationId": _by_dimension(
        """
%group = call i32 @dovetail.group_id(i32 %dimension)
%size = call i32 @dovetail.local_size(i32 %dimension)
%local = call i32 @dovetail.local_id(i32 %dimension)
%wide_group = zext i32 %group to i64
%wide_size = zext i32 %size to i64
%wide_local = zext i32 %local to i64
%before = mul nuw nsw i64 %wide_group, %wide_size
%result = add nuw nsw i64 %before, %wide_local
ret i64 %result"""
    ),
    "__spirv_BuiltInGlobalSize": _by_dimension(
        """
%count = call i32 @dovetail.group_count(i32 %dimension)
%size = call i32 @dovetail.local_size(i32 %dimension)
%wide_count = zext i32 %count to i64
%wide_size = zext i32 %size to i64
%result = mul nuw nsw i64 %wide_count, %wide_size
ret i64 %result"""
    ),
    "__spirv_BuiltInSubgroupLocalInvocationId": _of_sub_group(_answer("lane")),
    "__spirv_BuiltInSubgroupSize": _of_sub_group(_answer("sub_group_size")),
    "__spirv_BuiltInSubgroupMaxSize": _of_sub_group(_answer("sub_group_max_size")),
    "__spirv_BuiltInSubgroupId": _of_sub_group(
        """
%id = call i32 @dovetail.linear_id()
%result = call i32 @dovetail.in_sub_groups(i32 %id)
ret i32 %result"""
    ),
    "__spirv_BuiltInNumSubgroups": _of_sub_group(
        """
%items = call i32 @dovetail.items_in_group()
%size = call i32 @dovetail.sub_group_max_size()
%above = sub nuw nsw i32 %size, 1
%sum = add nuw nsw i32 %items, %above
%result = call i32 @dovetail.in_sub_groups(i32 %sum)
ret i32 %result"""
    ),
}
