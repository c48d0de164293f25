"""Which tests `make quick` runs: all of `tests/unit`, and the first one of each other file.

The first test of a file shows whether the subject of the file works at all. With new files the
selection grows by itself; one whose first test takes seconds is named here.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

_TESTS = Path(__file__).parents[1]
_UNIT = _TESTS / "unit"
_SLOW = frozenset(
    _TESTS / name
    for name in (
        "device/cuda/test_interop.py",
        "device/cuda/test_programs.py",
        "device/host/test_any_linker.py",
        "device/host/test_bundle_command.py",
        "device/host/test_bundles.py",
        "device/host/test_clang_options.py",
        "device/host/test_device_globals.py",
        "device/host/test_elf_programs.py",
        "device/host/test_not_supported.py",
        "device/host/test_objects.py",
        "device/host/test_order.py",
        "device/host/test_reductions.py",
        "device/host/test_specialization_constants.py",
        "device/host/test_stream.py",
        "device/host/test_types.py",
        "device/programs/test_conditional_native_code.py",
        "device/programs/test_same_as_host.py",
        "device/programs/test_standard_library.py",
        "device/programs/test_target_macros.py",
        "device/programs/test_targets.py",
        "device/test_chaos.py",
        "device/test_soak.py",
        "ir/driver/test_full_disks.py",
        "ir/driver/test_long_commands.py",
        "ir/driver/test_matrix.py",
        "ir/driver/test_unavailable.py",
        "ir/headers/test_deprecated.py",
        "ir/probe/test_default_table.py",
    )
)


def quick_tests(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the tests that `make quick` runs, in order."""
    seen = set(_SLOW)
    for item in items:
        if item.path.is_relative_to(_UNIT) or item.path not in seen:
            seen.add(item.path)
            yield item
