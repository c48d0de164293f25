"""The process that fuzzes one reader. Atheris mutates bytes and measures coverage; the reader's own
edits change structure.

    python -m fuzz.engine READER FOLDER COUNT SECONDS SEED

`campaign` starts it and reads its results in FOLDER: counts, and the input of a fault.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from random import Random
from typing import NoReturn, Protocol, cast

from fuzz.limits import MEMORY_ALLOWANCE, SECONDS_PER_INPUT
from fuzz.minimization import minimized
from fuzz.progress import Progress
from fuzz.reader import Reader
from fuzz.registry import load

_EDIT_SHARE = 0.5
"""The share of inputs whose structure is edited; the others have bytes mutated."""
_MAX_EDITS = 4


class _Atheris(Protocol):
    """The functions of Atheris that are used here; it has no type information."""

    def instrument_imports(self, include: list[str]) -> AbstractContextManager[None]: ...
    def Mutate(self, data: bytes, max_size: int) -> bytes: ...
    def Setup(
        self,
        words: Sequence[str],
        read_input: Callable[[bytes], None],
        *,
        custom_mutator: Callable[[bytes, int, int], bytes],
    ) -> object: ...
    def Fuzz(self) -> NoReturn: ...


def main() -> None:
    """Fuzz one reader; does not return."""
    name, folder, count, seconds, seed = sys.argv[1:]
    atheris = cast(_Atheris, import_module("atheris"))
    place = Path(folder)
    with atheris.instrument_imports(include=["dovetail"]):
        reader = load(name)
        seeds = reader.seeds()
        for each in seeds:
            # Imports modules that are loaded on first use, while imports are instrumented.
            reader.read(each)
    corpus = place / "corpus"
    corpus.mkdir()
    for number, each in enumerate(seeds):
        (corpus / f"{number:04}").write_bytes(each)
    words = [
        *("fuzz", f"-runs={count}", f"-max_total_time={seconds}", f"-seed={seed}"),
        *(f"-timeout={SECONDS_PER_INPUT}", f"-max_len={reader.max_size}", "-len_control=0"),
        *("-rss_limit_mb=0", "-reload=0", "-verbosity=0", f"-artifact_prefix={place}/"),
        str(corpus),
    ]
    mutator = _mutator(reader, seeds, atheris)
    atheris.Setup(words, _input_reader(reader, place), custom_mutator=mutator)
    if not reader.starts_children:
        _limit_memory()
    atheris.Fuzz()


def _limit_memory() -> None:
    """Make allocations far larger than any input fail with `MemoryError`."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY_ALLOWANCE
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _input_reader(reader: Reader, place: Path) -> Callable[[bytes], None]:
    """Return the function that Atheris calls with each input."""
    from dovetail.errors import DovetailError

    progress = Progress(place / "progress")
    executed = accepted = 0

    def read_input(data: bytes) -> None:
        nonlocal executed, accepted
        executed += 1
        try:
            reader.read(data)
            accepted += 1
        except DovetailError:
            pass
        except (Exception, SystemExit):
            # Save the original first: minimizing may take too long, or crash.
            (place / "fault").write_bytes(data)
            (place / "fault").write_bytes(minimized(reader.read, data))
            raise
        finally:
            progress.set(executed, accepted)

    return read_input


def _mutator(
    reader: Reader, seeds: Sequence[bytes], atheris: _Atheris
) -> Callable[[bytes, int, int], bytes]:
    """Return the function that creates the next input from one of the corpus."""
    from dovetail.errors import DovetailError

    def mutated(data: bytes, max_size: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() >= _EDIT_SHARE:
            changed = atheris.Mutate(data, max_size)
            return reader.repair(changed)[:max_size] if random.random() < 0.5 else changed
        for source in (data, random.choice(seeds)):
            try:
                changed = source
                for _ in range(random.randint(1, _MAX_EDITS)):
                    changed = reader.edit(changed, random)
            except DovetailError:
                # Inputs of the corpus may have lost their structure; seeds have one.
                continue
            if len(changed) <= max_size:
                return changed
        return atheris.Mutate(data, max_size)

    return mutated


if __name__ == "__main__":
    main()
