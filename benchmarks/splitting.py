"""What splitting a program of very many kernels takes: time, its growth, and memory.

Processor time, that of child processes included, each time in a fresh process; files go to memory.
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from benchmarks.figure import Figure, Usage, usage_of
from benchmarks.many_kernels import FUNCTIONS, DebugInfo, module_of_kernels
from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import facts_of
from dovetail.files import write_atomically
from dovetail.image import format_property_sets
from dovetail.ir import Context, Module
from dovetail.postlink import PostLinked, SplitMode, Wanted, link_modules
from dovetail.postlink.properties import Describer

KERNELS = 1000
GROWTH = (300, 1000, 3000)
MOST_KERNELS = 13_000
ROUNDS = 3

_MEMORY = Path("/dev/shm")
_ENOUGH = 512 << 20
"""Bytes for the files of the largest program; containers may have less there."""

POST_LINK = """\
import sys
from pathlib import Path
from dovetail.driver import PostLinkRequest, TableFile, post_link
from dovetail.postlink import ImageFiles, SplitMode

module, folder = sys.argv[1], Path(sys.argv[2])
files = ImageFiles(folder / "image", properties=True, symbols=True)
tables = (TableFile(str(folder / "images.table")),)
post_link(PostLinkRequest((module,), files, tables, SplitMode.KERNEL))
"""
CLONE = """\
import sys
from pathlib import Path
from benchmarks.many_kernels import reached_from
from dovetail.ir import Context, Module

path, folder, kernels = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
module = Module.parse(Context(), Path(path).read_bytes(), path)
for number in range(kernels):
    part = module.clone_with(reached_from(number))
    part.run_passes("globaldce")
    (folder / f"{number}.bc").write_bytes(part.to_bitcode())
"""
PARSE = """\
import sys
from pathlib import Path
from dovetail.ir import Context, Module

module = Module.parse(Context(), Path(sys.argv[1]).read_bytes(), sys.argv[1])
"""


def measure() -> list[Figure]:
    """Against cloning, against its own growth, and its parts against each other."""
    figures: list[Figure] = []
    for debug in DebugInfo:
        usages = _usages(debug)
        if debug is DebugInfo.NONE:
            figures.append(_against_cloning(usages[KERNELS]))
        else:
            figures.append(_memory(max(GROWTH), debug, usages[max(GROWTH)]))
        figures.append(_growth(debug, usages))
    figures.append(_memory(MOST_KERNELS, DebugInfo.NONE, None, at_most=1.5))
    figures.append(_describing())
    return figures


def _usages(debug: DebugInfo) -> dict[int, Usage]:
    """What splitting takes by number of kernels: the least, the sizes taking turns.

    One kernel is there for what splitting takes before it comes to any.
    """
    best: dict[int, Usage] = {}
    with _folder() as folder:
        for kernels in (1, *GROWTH):
            (folder / str(kernels)).write_bytes(module_of_kernels(kernels, debug))
        for number in range(_rounds(1)):
            for kernels in (1, *GROWTH):
                if number < _rounds(kernels):
                    usage = _split(folder / str(kernels), kernels)
                    best[kernels] = min(best.get(kernels, usage), usage, key=lambda u: u.seconds)
    return best


def _rounds(kernels: int) -> int:
    """Short runs are cheap, and a disturbance counts for more in them."""
    return min(6, max(2, 3000 // kernels))


def _split(module: Path, kernels: int) -> Usage:
    with _folder() as folder:
        usage = _run(POST_LINK, module, folder)
        files = len(list(folder.glob("image_*")))
        assert files == 3 * kernels, files
        return usage


def _run(program: str, *arguments: object) -> Usage:
    return usage_of([sys.executable, "-c", program, *map(str, arguments)])


def _against_cloning(ours: Usage) -> Figure:
    with _folder() as folder:
        module = folder / "module"
        module.write_bytes(module_of_kernels(KERNELS))
        theirs = _run(CLONE, module, folder, KERNELS)
        assert len(list(folder.glob("*.bc"))) == KERNELS
    return Figure(
        f"cloning a module of {KERNELS} kernels, {KERNELS * FUNCTIONS} functions for each kernel"
        " : splitting it",
        theirs.seconds / ours.seconds,
        f"{theirs.seconds:.1f} s : {ours.seconds:.2f} s",
        at_least=12,
    )


def _growth(debug: DebugInfo, usages: dict[int, Usage]) -> Figure:
    """The worst of all steps. What even one kernel takes is left out: it would hide growth."""
    seconds = {kernels: usages[kernels].seconds - usages[1].seconds for kernels in GROWTH}
    growth = max(seconds[b] / seconds[a] / (b / a) for a, b in pairwise(GROWTH))
    measured = ", ".join(f"{kernels}: {seconds[kernels]:.2f} s" for kernels in GROWTH)
    return Figure(f"splitting, {debug.value} : linear growth", growth, measured, 1.3)


def _memory(
    kernels: int, debug: DebugInfo, split: Usage | None, at_most: float | None = None
) -> Figure:
    """Of splitting, measured already or not, and of what it cannot do without."""
    with _folder() as folder:
        module = folder / "module"
        module.write_bytes(module_of_kernels(kernels, debug))
        ours = (split or _split(module, kernels)).peak
        parse = _run(PARSE, module).peak
    return Figure(
        f"memory to split {kernels} kernels, {debug.value} : to parse them",
        ours / parse,
        f"{ours >> 20} MiB : {parse >> 20} MiB",
        at_most,
    )


def _describing() -> Figure:
    bitcode = module_of_kernels(KERNELS)
    rounds = [_describe_and_split(bitcode) for _ in range(ROUNDS)]
    describing, splitting = map(min, zip(*rounds, strict=True))
    return Figure(
        f"propagating and describing {KERNELS} kernels : splitting them",
        describing / splitting,
        f"{1000 * describing:.0f} ms : {1000 * splitting:.0f} ms",
        0.2,
    )


def _describe_and_split(bitcode: bytes) -> tuple[float, float]:
    """Processor time to find out and write down what images require, and to make their code."""
    module = Module.parse(Context(), bitcode, "kernels")
    linked = link_modules([DeviceModule(module, facts_of(module))])
    clock = time.process_time
    start = clock()
    program = PostLinked.of(linked, SplitMode.KERNEL)
    describing, splitting = clock() - start, 0.0
    describer = Describer(linked, Wanted())
    with _folder() as folder:
        for number, plan in enumerate(program.plans):
            start = clock()
            part = module.extract(program.calls.needed(plan.symbols), (), plan.symbols)
            write_atomically(folder / f"{number}.bc", part.to_bitcode())
            written = clock()
            format_property_sets(describer.properties(plan, part, describer.kernels(plan)))
            splitting += written - start
            describing += clock() - written
    return describing, splitting


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder in memory if there is room, so that no disk is measured."""
    in_memory = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free >= _ENOUGH
    with tempfile.TemporaryDirectory(dir=_MEMORY if in_memory else None) as name:
        yield Path(name)
