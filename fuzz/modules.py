"""Valid modules to start from."""

from __future__ import annotations

from array import array

from dovetail.spirv import instruction
from dovetail.spirv.module import MAGIC

VERSION = 0x10300

# Ids of the kernel below.
KERNEL, OPENCL, VOID, INT, LONG, FLOAT, POINTER, FUNCTION_TYPE = range(1, 9)
ONE, WIDE, ENABLED, SUM, PARAMETER, ENTRY, SMALL, LARGE, DONE, ADDRESS = range(9, 19)
LOADED, ROOT, MERGED, STRUCT, BOOL, GROUP, INPUT = range(19, 26)
BOUND = 26


def module_of(*instructions: array[int], bound: int = BOUND) -> bytes:
    """A module with these instructions."""
    words = array("I", (MAGIC, VERSION, 0, bound, 0))
    for each in instructions:
        words.extend(each)
    return words.tobytes()


def kernel() -> bytes:
    """A kernel with a bit of everything: strings, switches, decorations, masks, constants."""
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
