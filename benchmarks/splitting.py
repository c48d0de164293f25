"""The cost of splitting a program with many kernels: time, growth of time, and memory.

Times are processor times including child processes, of new processes that write files to memory.
"""

import shutil
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median, median_low

from benchmarks.figure import Figure, Usage, usage_of, used_time
from benchmarks.many_kernels import FUNCTIONS, DebugInfo, module_of_kernels
from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import facts_of
from dovetail.files import write_atomically
from dovetail.image import encode_info, format_property_sets
from dovetail.ir import parse_untrusted
from dovetail.postlink import PostLinked, SplitMode, WantedProperties, link_modules
from dovetail.postlink.properties import ImageDescriber

KERNELS = 1000
GROWTH = (300, 1000, 3000)
MOST_KERNELS = 13_000
FILES_PER_IMAGE = 3
"""Code, properties, symbols."""

_MEMORY = Path("/dev/shm")
_REQUIRED_SPACE_BYTES = 512 << 20
"""The space for the files of the largest program; containers may have less."""

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
    """Compare splitting with cloning, with linear growth, and its parts with each other."""
    with _folder() as folder:
        plain = _usages(folder, DebugInfo.NONE)
        return [
            _against_cloning(folder, plain[KERNELS]),
            _growth(DebugInfo.NONE, plain),
            _memory(_module(folder, MOST_KERNELS), MOST_KERNELS),
            _describing(_module(folder, KERNELS)),
            *_with_debug_info(folder, DebugInfo.ONE_UNIT),
            *_with_debug_info(folder, DebugInfo.UNIT_PER_KERNEL),
        ]


def _module(folder: Path, kernels: int, debug: DebugInfo = DebugInfo.NONE) -> Path:
    """Return a file with a module of a number of kernels, created on first use."""
    path = folder / f"{debug.name}-{kernels}.bc"
    if not path.exists():
        path.write_bytes(module_of_kernels(kernels, debug))
    return path


def _usages(folder: Path, debug: DebugInfo) -> dict[int, Usage]:
    """Return the usage of splitting by number of kernels; the numbers run in turns."""
    usages: dict[int, list[Usage]] = {kernels: [] for kernels in GROWTH}
    for number in range(_rounds(GROWTH[0])):
        for kernels, so_far in usages.items():
            if number < _rounds(kernels):
                so_far.append(_split(_module(folder, kernels, debug), kernels))
    return {kernels: _typical(of_all) for kernels, of_all in usages.items()}


def _rounds(kernels: int) -> int:
    """Return the number of rounds: more for short runs, in which disturbances weigh more."""
    return min(5, max(2, 3000 // kernels))


def _typical(usages: Sequence[Usage]) -> Usage:
    """Return medians: on a busy machine, minima would favor short runs."""
    return Usage(median(u.seconds for u in usages), median_low(u.peak for u in usages))


def _split(module: Path, kernels: int) -> Usage:
    with _folder() as folder:
        usage = _run(POST_LINK, module, folder)
        files = len(list(folder.glob("image_*")))
    assert files == kernels * FILES_PER_IMAGE, files
    return usage


def _run(program: str, *arguments: object) -> Usage:
    return usage_of([sys.executable, "-c", program, *map(str, arguments)])


def _against_cloning(folder: Path, ours: Usage) -> Figure:
    with _folder() as output:
        theirs = _run(CLONE, _module(folder, KERNELS), output, KERNELS)
        files = len(list(output.iterdir()))
    assert files == KERNELS, files
    return Figure(
        f"{KERNELS} kernels of {FUNCTIONS} functions each, cloning for each : splitting",
        theirs.seconds / ours.seconds,
        f"{theirs.seconds:.1f} s : {ours.seconds:.2f} s",
        at_least=12,
    )


def _growth(debug: DebugInfo, usages: dict[int, Usage]) -> Figure:
    """Return the largest growth of all steps; in the last one, start-up time is negligible."""
    seconds = {kernels: usages[kernels].seconds for kernels in GROWTH}
    growth = max(seconds[b] / seconds[a] / (b / a) for a, b in pairwise(GROWTH))
    measured = ", ".join(f"{kernels}: {seconds[kernels]:.2f} s" for kernels in GROWTH)
    return Figure(f"splitting, {debug.value} : linear growth", growth, measured, 1.3)


def _memory(module: Path, kernels: int) -> Figure:
    ours, parse = _split(module, kernels), _run(PARSE, module)
    return _memory_figure(f"{kernels} kernels", ours, parse, at_most=1.5)


def _with_debug_info(folder: Path, debug: DebugInfo) -> list[Figure]:
    usages = _usages(folder, debug)
    most = max(GROWTH)
    parse = _run(PARSE, _module(folder, most, debug))
    return [
        _growth(debug, usages),
        _memory_figure(f"{most} kernels, {debug.value}", usages[most], parse, at_most=None),
    ]


def _memory_figure(what: str, split: Usage, parse: Usage, at_most: float | None) -> Figure:
    measured = f"{split.peak >> 20} MiB : {parse.peak >> 20} MiB"
    return Figure(f"memory, splitting {what} : parsing", split.peak / parse.peak, measured, at_most)


def _describing(path: Path) -> Figure:
    rounds = [_describe_and_split(path.read_bytes()) for _ in range(5)]
    describing, splitting = map(min, zip(*rounds, strict=True))
    return Figure(
        f"propagating and describing {KERNELS} kernels : reading, extracting, writing them",
        describing / splitting,
        f"{1000 * describing:.0f} ms : {1000 * splitting:.0f} ms",
        0.2,
    )


def _describe_and_split(bitcode: bytes) -> tuple[float, float]:
    """Return the processor times of describing images and of creating their code.

    Creating code includes parsing the module as the command does, in a child process first.
    """
    start = used_time()
    module = parse_untrusted(bitcode, "kernels")
    linked = link_modules([DeviceModule(module, facts_of(module))])
    read = used_time()
    program = PostLinked.of(linked, SplitMode.KERNEL)
    describing, splitting = used_time() - read, read - start
    describer = ImageDescriber(linked, WantedProperties())
    with _folder() as folder:
        for number, plan in enumerate(program.plans):
            start = used_time()
            part = module.extract(program.calls.needed(plan.symbols), (), plan.symbols)
            write_atomically(folder / f"{number}.bc", part.to_bitcode())
            written = used_time()
            format_property_sets(encode_info(describer.info(plan, part, ())))
            splitting += written - start
            describing += used_time() - written
    return describing, splitting


@contextmanager
def _folder() -> Generator[Path]:
    """Create a folder in memory if there is enough space, so that no disk is measured."""
    in_memory = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free >= _REQUIRED_SPACE_BYTES
    with tempfile.TemporaryDirectory(dir=_MEMORY if in_memory else None) as name:
        yield Path(name)
