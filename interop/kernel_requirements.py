"""Compares the aspects that Intel's run-time compiler and Dovetail require for the same kernels.

The kernels are in `requirements/`. With `-fsycl-aspects=written`, Dovetail must require at least
the aspects of Intel's compiler; with `optimized`, the same, except for `DIFFERENCES`.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from dovetail.image import read_program
from dovetail.targets import aspect_text
from interop.intel_compiler import IntelCompiler

SOURCES = Path(__file__).with_name("requirements")
READINGS = ("written", "optimized")

_PREFIX = "__sycl_kernel_"

_FLOAT16 = "DPC++ has no mark for _Float16"
_MARKED_FP64 = "DPC++ loses the mark fp64 with what it inlines"
_REMOVED = "the optimizer removes the parameter or the result"
_OFFSET = "the address is a number of bytes away, and needs no double"
_FIRST = "DPC++ loses the class of an address that is the object's own"
_EXCHANGED = "the headers exchange values as integers, and nothing computes with a double"

DIFFERENCES = {
    "f16_used": _FLOAT16,
    "f16_copy": _FLOAT16,
    "f16_param": _FLOAT16,
    "f16_conv": _FLOAT16,
    "atomic_of_clang": "DPC++ has no mark for clang's atomic operations",
    "vec_conv": "what is left of a conversion of vectors depends on the headers",
    "declares_by_property": "DPC++ ignores the device_has property of free functions",
    "edge_marked_fp64": _MARKED_FP64,
    "edge_inlined_marked": _MARKED_FP64,
    "edge_unused_argument": _REMOVED,
    "edge_known_result": _REMOVED,
    "edge_next": _OFFSET,
    "edge_next_row": _OFFSET,
    "edge_next_as_float": _OFFSET,
    "edge_nth_as_long": "DPC++ loses the type of an address for an access as wide",
    "edge_first_of_array": _FIRST,
    "edge_first_of_first": _FIRST,
    "group_shift_left": _EXCHANGED,
    "group_shift_right": _EXCHANGED,
    "group_permute": _EXCHANGED,
    "group_select": _EXCHANGED,
    "group_shift_vector": _EXCHANGED,
    "group_broadcast_in_sub_group": _EXCHANGED,
}
"""Kernels for which `optimized` requires other aspects, with the reason."""

Aspects = frozenset[str]


@dataclass(frozen=True)
class Comparison:
    """The required aspects of one kernel."""

    kernel: str
    intel: Aspects
    written: Aspects
    optimized: Aspects

    @property
    def written_contains_intel(self) -> bool:
        """Whether `written` lacks no aspect."""
        return self.intel <= self.written

    @property
    def is_equal(self) -> bool:
        """Whether `optimized` is equal."""
        return self.intel == self.optimized

    @property
    def is_expected(self) -> bool:
        """Whether the result is as expected; differences that no longer exist are errors too."""
        return self.written_contains_intel and self.is_equal == (self.kernel not in DIFFERENCES)


def compare_requirements(compiler: IntelCompiler, folder: Path) -> list[Comparison]:
    """Compile all sources in `folder`, with Intel's compiler and in both readings with Dovetail."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted(SOURCES.glob("*.cpp"))
    theirs = {source: folder / f"{source.stem}-intel.syclbin" for source in sources}
    compiler.compile(theirs)
    found: list[Comparison] = []
    for source, output in theirs.items():
        intel = _requirements(output)
        written, optimized = (_ours(source, reading, folder) for reading in READINGS)
        if not intel.keys() == written.keys() == optimized.keys():
            raise AssertionError(f"{source}: the compilers found different kernels")
        found += [Comparison(name, intel[name], written[name], optimized[name]) for name in intel]
    return found


def _ours(source: Path, reading: str, folder: Path) -> dict[str, Aspects]:
    output = folder / f"{source.stem}-{reading}.syclbin"
    command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", "-fsyclbin", "-w"]
    subprocess.run([*command, f"-fsycl-aspects={reading}", source, "-o", output], check=True)
    return _requirements(output)


def _requirements(program: Path) -> dict[str, Aspects]:
    """Return by kernel the aspects that its image requires."""
    found: dict[str, Aspects] = {}
    for module in read_program(program.read_bytes()).abstract_modules:
        aspects = frozenset(map(aspect_text, module.info.requirements.aspects))
        # Intel's compiler lists each kernel a second time, with a prefix of its own.
        names = [name for name in module.info.kernel_names if name.startswith(_PREFIX)]
        found |= {name.removeprefix(_PREFIX): aspects for name in names}
    return found
