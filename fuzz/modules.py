"""Valid SPIR-V modules, used as seeds."""

from __future__ import annotations

from array import array

from dovetail.spirv import SpirvModule, conditional as writer, instruction
from dovetail.spirv.expressions import Expressions
from dovetail.spirv.module import MAGIC
from dovetail.spirv.specialise import specialised

VERSION = 0x10300

# Ids of `kernel`.
KERNEL, OPENCL, VOID, INT, LONG, FLOAT, POINTER, FUNCTION_TYPE = range(1, 9)
ONE, WIDE, ENABLED, SUM, PARAMETER, ENTRY, SMALL, LARGE, DONE, ADDRESS = range(9, 19)
LOADED, ROOT, MERGED, STRUCT, BOOL, GROUP, INPUT = range(19, 26)
BOUND = 26


def module_of(*instructions: array[int], bound: int = BOUND, version: int = VERSION) -> bytes:
    """Return a module with these instructions."""
    words = array("I", (MAGIC, version, 0, bound, 0))
    for each in instructions:
        words.extend(each)
    return words.tobytes()


def kernel() -> bytes:
    """Return a kernel with all kinds of operands: strings, switches, decorations, masks."""
    return module_of(
        instruction(17, 4),
        instruction(17, 6),
        instruction(17, 11),
        instruction(10, "SPV_KHR_linkonce_odr"),
        instruction(11, OPENCL, "OpenCL.std"),
        instruction(14, 2, 2),
        instruction(15, 6, KERNEL, "kernel", INPUT),
        instruction(16, KERNEL, 17, 8, 4, 1),
        instruction(3, 3, 102000),
        instruction(5, KERNEL, "kernel"),
        instruction(6, STRUCT, 0, "member"),
        instruction(330, "by hand"),
        instruction(71, KERNEL, 41, "kernel", 0),
        instruction(71, ENABLED, 1, 7),
        instruction(71, PARAMETER, 44, 16),
        instruction(71, PARAMETER, 7744, 10, "of the user's own"),
        instruction(72, STRUCT, 1, 5635, "annotated"),
        instruction(71, GROUP, 38, 5),
        instruction(73, GROUP),
        instruction(74, GROUP, PARAMETER),
        instruction(75, GROUP, STRUCT, 0, STRUCT, 1),
        instruction(19, VOID),
        instruction(20, BOOL),
        instruction(21, INT, 32, 0),
        instruction(21, LONG, 64, 0),
        instruction(22, FLOAT, 32),
        instruction(30, STRUCT, INT, FLOAT),
        instruction(32, POINTER, 5, FLOAT),
        instruction(33, FUNCTION_TYPE, VOID, POINTER),
        instruction(43, INT, ONE, 1),
        instruction(43, LONG, WIDE, 1, 2),
        instruction(48, BOOL, ENABLED),
        instruction(52, LONG, SUM, 128, WIDE, WIDE),
        instruction(59, POINTER, INPUT, 5),
        instruction(54, VOID, KERNEL, 0, FUNCTION_TYPE),
        instruction(55, POINTER, PARAMETER),
        instruction(248, ENTRY),
        instruction(251, SUM, DONE, 1, 0, SMALL, 0, 1, LARGE),
        instruction(248, SMALL),
        instruction(249, LARGE),
        instruction(248, LARGE),
        instruction(245, INT, MERGED, ONE, SMALL, ONE, ENTRY),
        instruction(70, POINTER, ADDRESS, PARAMETER, MERGED),
        instruction(61, FLOAT, LOADED, ADDRESS, 2, 4),
        instruction(12, FLOAT, ROOT, OPENCL, 61, LOADED),
        instruction(62, ADDRESS, ROOT, 2, 4),
        instruction(249, DONE),
        instruction(248, DONE),
        instruction(253),
        instruction(56),
    )


FP64, FP16, FAST = 1000, 1001, 1002
"""The `SpecId`s of the conditions in `conditional`."""
USERS_OWN = 7

# Ids of `conditional`.
PLAIN, WIDE_KERNEL, HALF_KERNEL, ACTION, HELPER = range(1, 6)
C_VOID, C_BOOL, C_INT, C_FLOAT, C_DOUBLE, C_HALF = range(6, 12)
TO_FLOAT, TO_DOUBLE, TO_HALF, PLAIN_TYPE, WIDE_TYPE, HALF_TYPE = range(12, 18)
HAS_FP64, HAS_FP16, IS_FAST, IS_SLOW, EITHER, BOTH, WHEN_CALLED = range(18, 25)
USERS, TWO, HALF_ONE, TABLE, TO_TABLE = range(25, 30)
(P_LABEL, P_PARAMETER, P_CAST, P_CALL, P_LOADED, P_SUM) = range(30, 36)
(W_LABEL, W_PARAMETER, W_LOADED, W_PRODUCT, W_CALL) = range(36, 41)
(H_LABEL, H_PARAMETER, H_LOADED, H_SUM, H_CALL) = range(41, 46)
(A_LABEL, A_PARAMETER, A_LOADED, A_PRODUCT, G_LABEL, G_TYPE) = range(46, 52)
C_BOUND = 52


def conditional() -> bytes:
    """Return three kernels: two are conditional, and the third calls a conditional function."""
    return module_of(
        instruction(17, 4),
        instruction(17, 5),
        instruction(17, 6),
        instruction(17, 6245),
        instruction(6250, EITHER, 10),
        instruction(6250, HAS_FP16, 9),
        instruction(10, "SPV_INTEL_function_variants"),
        instruction(6248, HAS_FP16, "SPV_KHR_no_integer_wrap_decoration"),
        instruction(14, 2, 2),
        instruction(15, 6, PLAIN, "plain", TABLE),
        instruction(15, 6, WIDE_KERNEL, "wide", TABLE),
        instruction(6249, HAS_FP16, 6, HALF_KERNEL, "half"),
        instruction(16, PLAIN, 17, 8, 1, 1),
        instruction(16, WIDE_KERNEL, 17, 4, 1, 1),
        instruction(16, HALF_KERNEL, 31),
        instruction(5, PLAIN, "plain"),
        instruction(5, ACTION, "action"),
        instruction(5, HELPER, "helper"),
        instruction(5, W_PRODUCT, "product"),
        instruction(5, TWO, "two"),
        instruction(71, HAS_FP64, 1, FP64),
        instruction(71, HAS_FP16, 1, FP16),
        instruction(71, IS_FAST, 1, FAST),
        instruction(71, USERS, 1, USERS_OWN),
        instruction(71, WIDE_KERNEL, 6247, EITHER),
        instruction(71, ACTION, 6247, WHEN_CALLED),
        instruction(332, P_CALL, 6247, WHEN_CALLED),
        instruction(332, HALF_KERNEL, 6247, HAS_FP16),
        instruction(71, C_HALF, 6247, HAS_FP16),
        instruction(71, HELPER, 6247, EITHER),
        instruction(71, W_PARAMETER, 38, 5),
        instruction(71, P_PARAMETER, 38, 5),
        instruction(19, C_VOID),
        instruction(20, C_BOOL),
        instruction(21, C_INT, 32, 0),
        instruction(22, C_FLOAT, 32),
        instruction(22, C_DOUBLE, 64),
        instruction(22, C_HALF, 16),
        instruction(32, TO_FLOAT, 5, C_FLOAT),
        instruction(32, TO_DOUBLE, 5, C_DOUBLE),
        instruction(32, TO_HALF, 5, C_HALF),
        instruction(33, PLAIN_TYPE, C_VOID, TO_FLOAT),
        instruction(33, WIDE_TYPE, C_VOID, TO_DOUBLE),
        instruction(33, HALF_TYPE, C_VOID, TO_HALF),
        instruction(33, G_TYPE, C_VOID),
        instruction(49, C_BOOL, HAS_FP64),
        instruction(49, C_BOOL, HAS_FP16),
        instruction(49, C_BOOL, IS_FAST),
        instruction(52, C_BOOL, IS_SLOW, 168, IS_FAST),
        instruction(52, C_BOOL, BOTH, 167, HAS_FP64, IS_SLOW),
        instruction(52, C_BOOL, WHEN_CALLED, 167, HAS_FP64, IS_FAST),
        instruction(52, C_BOOL, EITHER, 166, BOTH, WHEN_CALLED),
        instruction(50, C_INT, USERS, 3),
        instruction(43, C_DOUBLE, TWO, 0, 0x4000_0000),
        instruction(43, C_HALF, HALF_ONE, 0x3C00),
        instruction(32, TO_TABLE, 5, C_DOUBLE),
        instruction(59, TO_TABLE, TABLE, 5, TWO),
        instruction(54, C_VOID, PLAIN, 0, PLAIN_TYPE),
        instruction(55, TO_FLOAT, P_PARAMETER),
        instruction(248, P_LABEL),
        instruction(124, TO_DOUBLE, P_CAST, P_PARAMETER),
        instruction(57, C_VOID, P_CALL, ACTION, P_CAST),
        instruction(61, C_FLOAT, P_LOADED, P_PARAMETER, 2, 4),
        instruction(129, C_FLOAT, P_SUM, P_LOADED, P_LOADED),
        instruction(62, P_PARAMETER, P_SUM, 2, 4),
        instruction(253),
        instruction(56),
        instruction(54, C_VOID, WIDE_KERNEL, 0, WIDE_TYPE),
        instruction(55, TO_DOUBLE, W_PARAMETER),
        instruction(248, W_LABEL),
        instruction(61, C_DOUBLE, W_LOADED, TABLE, 2, 8),
        instruction(133, C_DOUBLE, W_PRODUCT, W_LOADED, TWO),
        instruction(62, W_PARAMETER, W_PRODUCT, 2, 8),
        instruction(57, C_VOID, W_CALL, HELPER),
        instruction(253),
        instruction(56),
        instruction(54, C_VOID, HALF_KERNEL, 0, HALF_TYPE),
        instruction(55, TO_HALF, H_PARAMETER),
        instruction(248, H_LABEL),
        instruction(61, C_HALF, H_LOADED, H_PARAMETER, 2, 2),
        instruction(129, C_HALF, H_SUM, H_LOADED, HALF_ONE),
        instruction(62, H_PARAMETER, H_SUM, 2, 2),
        instruction(253),
        instruction(56),
        instruction(54, C_VOID, ACTION, 0, WIDE_TYPE),
        instruction(55, TO_DOUBLE, A_PARAMETER),
        instruction(248, A_LABEL),
        instruction(61, C_DOUBLE, A_LOADED, A_PARAMETER, 2, 8),
        instruction(133, C_DOUBLE, A_PRODUCT, A_LOADED, TWO),
        instruction(62, A_PARAMETER, A_PRODUCT, 2, 8),
        instruction(253),
        instruction(56),
        instruction(54, C_VOID, HELPER, 0, G_TYPE),
        instruction(248, G_LABEL),
        instruction(253),
        instruction(56),
        bound=C_BOUND,
        version=0x10400,
    )


def without_conditions() -> SpirvModule:
    """Return `conditional` with all code and without conditions."""
    return specialised(SpirvModule.read(conditional()), {FP64: True, FP16: True, FAST: True})


def written() -> bytes:
    """Return the same with conditions added by `dovetail.spirv.conditional`."""
    expressions = Expressions()
    fp64, fp16, fast = map(expressions.constant, (FP64, FP16, FAST))
    slow = expressions.negation(fast)
    called = expressions.conjunction((fp64, fast))
    either = expressions.disjunction((expressions.conjunction((fp64, slow)), called))
    functions = {"wide": either, "half": fp16, "action": called, "helper": either}
    module = writer.conditional(without_conditions(), expressions, functions, {"action": called})
    return module.to_bytes()
