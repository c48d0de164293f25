"""The time of reading a device configuration file, compared with parsing its YAML only."""

import tempfile
from pathlib import Path

import yaml

from benchmarks.figure import Figure, fastest
from dovetail.targets import aspect_names, default_table
from dovetail.targets.user_file import read_user_files

TARGETS = 10_000


def measure() -> list[Figure]:
    """Measure a file with many targets."""
    return [_user_file()]


def _user_file() -> Figure:
    text = "".join(map(_entry, range(TARGETS)))
    table = default_table()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "targets.yaml"
        file.write_text(text)
        ours, bare = fastest(
            [
                lambda: read_user_files([file], table),
                lambda: yaml.load(file.read_bytes(), yaml.CSafeLoader),
            ],
            rounds=5,
        )
    measured = f"{1000 * ours:.0f} ms : {1000 * bare:.0f} ms"
    return Figure(
        f"a user file of {TARGETS} targets : PyYAML's C loader alone", ours / bare, measured, 1.5
    )


def _entry(number: int) -> str:
    """Return an entry with aspects by name and by number, some of them different in each entry."""
    names = aspect_names()
    some = ", ".join(names[(number + step) % len(names)] for step in range(0, 24, 4))
    return (
        f"intel_gpu_new_{number}:\n"
        f"  aspects: [gpu, 5, {some}]\n"
        "  may_support_other_aspects: false\n"
        "  sub-group-sizes: [8, 16, 32]\n"
        "  aot-toolchain: ocloc\n"
        f"  aot-toolchain-options: -device new_{number}\n"
    )
