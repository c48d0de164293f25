"""Options that are added to host compilations and links for options of the user."""

from pathlib import Path

import pytest

from dovetail.frontend import host_link_command
from dovetail.frontend.files_beside import files_beside_options
from dovetail.frontend.host_link import fat_object_options

OUTPUT = Path("folder/app-prog.o")
NAMES = ("-split-dwarf-file", "folder/app-prog.dwo", "-split-dwarf-output", "folder/app-prog.dwo")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["-g"], ()),
        (["-gsplit-dwarf"], NAMES),
        (["-gsplit-dwarf=split", "-O1"], NAMES),
        (["-gsplit-dwarf", "-gno-split-dwarf"], ()),
        (["-gsplit-dwarf=single"], ("-split-dwarf-file", "folder/app-prog.o")),
    ],
)
def test_split_debug_information(options: list[str], expected: tuple[str, ...]) -> None:
    words = files_beside_options(options, OUTPUT)
    assert words[::2] == ("-Xclang",) * len(expected)
    assert words[1::2] == expected


def test_coverage() -> None:
    notes = OUTPUT.absolute().with_suffix(".gcno")
    assert f"-coverage-notes-file={notes}" in files_beside_options(["--coverage"], OUTPUT)


@pytest.mark.parametrize(
    ("options", "is_optimised"),
    [
        ((), False),
        (("-flto",), True),
        (("-flto=thin", "-fuse-ld=lld"), True),
        (("-flto", "-fno-lto"), False),
        (("-flto-jobs=2",), False),
    ],
)
def test_link_time_optimisation(options: tuple[str, ...], is_optimised: bool) -> None:
    assert bool(fat_object_options(options)) == is_optimised
    command = host_link_command(options, OUTPUT, dependencies=Path("d"))
    assert ("-ffat-lto-objects" in command) == is_optimised
