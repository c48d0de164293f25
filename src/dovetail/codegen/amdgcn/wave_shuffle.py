"""The wave shuffle, which reads a value from another lane, for each generation of processors.

`ds_bpermute` is available from gfx8 on. From gfx10 on it reaches only half of a wave of 64 lanes.
LLVM's intrinsic reaches all lanes from gfx11 on, and crashes for gfx10.
"""

from dovetail.codegen.amdgcn.processor import Processor
from dovetail.processor_functions import WAVE_SHUFFLE, definition

_BY_LLVM = """
%result = call i32 @llvm.amdgcn.wave.shuffle.i32(i32 %value, i32 %from)
ret i32 %result"""

_NOTHING_AT_ONCE = """
%at_once = freeze i32 poison
%waiting = call i64 @llvm.amdgcn.ballot.i64(i1 true)"""

_HALVES_AT_ONCE = """
%scaled = shl i32 %from, 2
%place = and i32 %scaled, 124
%at_once = call i32 @llvm.amdgcn.ds.bpermute(i32 %place, i32 %value)
%low = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
%lane = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %low)
%differs = xor i32 %lane, %from
%half = and i32 %differs, 32
%crosses = icmp ne i32 %half, 0
%waiting = call i64 @llvm.amdgcn.ballot.i64(i1 %crosses)"""

# Each iteration serves all lanes that read from the same lane. All lanes stay in the loop until
# the last one is served, since registers of inactive lanes need not keep their values.
_ONE_BY_ONE = """
entry:{start}
%any = icmp ne i64 %waiting, 0
br i1 %any, label %serve, label %done
serve:
%left = phi i64 [ %waiting, %entry ], [ %still, %serve ]
%so_far = phi i32 [ %at_once, %entry ], [ %now, %serve ]
%first = call i64 @llvm.cttz.i64(i64 %left, i1 true)
%asking = trunc nuw i64 %first to i32
%asked = call i32 @llvm.amdgcn.readlane.i32(i32 %from, i32 %asking)
%answer = call i32 @llvm.amdgcn.readlane.i32(i32 %value, i32 %asked)
%served = icmp eq i32 %from, %asked
%now = select i1 %served, i32 %answer, i32 %so_far
%all_served = call i64 @llvm.amdgcn.ballot.i64(i1 %served)
%others = xor i64 %all_served, -1
%still = and i64 %left, %others
%more = icmp ne i64 %still, 0
br i1 %more, label %serve, label %done
done:
%result = phi i32 [ %at_once, %entry ], [ %now, %serve ]
ret i32 %result"""


def wave_shuffle(processor: Processor, wavefront_size: int) -> bytes:
    """Return a module that defines the wave shuffle for a processor."""
    return definition(WAVE_SHUFFLE, _body(processor.generation, wavefront_size)).encode()


def _body(generation: int, wavefront_size: int) -> str:
    if generation < 8:
        return _ONE_BY_ONE.format(start=_NOTHING_AT_ONCE)
    if generation == 10 and wavefront_size == 64:
        return _ONE_BY_ONE.format(start=_HALVES_AT_ONCE)
    return _BY_LLVM
