"""The records of a TableGen file, as LLVM's own `llvm-tblgen` understands them."""

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dovetail.errors import CompileError, InputError
from dovetail.resources import LLVM_TBLGEN, tool_path

INCLUDE_DIRECTORY = Path(__file__).parent / "include"
"""Where `llvm/TableGen/DynamicTable.td` is found."""


@dataclass(frozen=True)
class Record:
    """One `def`."""

    name: str
    place: str
    """`file:line`, where the record is defined."""
    fields: dict[str, Any]
    """Values as llvm-tblgen writes them in JSON; None for one that is not set."""

    def error(self, message: str, *, hint: str = "") -> CompileError:
        """An error that names where this record is."""
        return CompileError(f"{self.place}: error: {message}", hint=hint)


class Records:
    """All records of a file and of what it includes."""

    def __init__(self, dump: dict[str, Any]) -> None:
        self._dump = dump
        self._classes: dict[str, list[str]] = dump["!instanceof"]

    def classes(self) -> list[str]:
        """The names of all classes."""
        return list(self._classes)

    def of_class(self, name: str) -> list[Record]:
        """The records that derive from a class, in the order of their places."""
        return sorted(map(self.record, self._classes[name]), key=_order)

    def record(self, name: str) -> Record:
        """The record of that name."""
        fields = self._dump[name]
        values = {key: value for key, value in fields.items() if not key.startswith("!")}
        return Record(name, fields["!locs"][-1], values)


def read_records(source: Path, include_folders: Sequence[Path] = ()) -> Records:
    """The records of `source`; `CompileError` with llvm-tblgen's message if it refuses the file.

    Included files are looked for in the folders given, then beside the source.
    """
    if not source.is_file():
        raise InputError(f"there is no file '{source}'")
    folders = [*include_folders, source.parent, INCLUDE_DIRECTORY]
    finished = subprocess.run(
        [
            tool_path(LLVM_TBLGEN),
            "--dump-json",
            *(word for folder in folders for word in ("-I", str(folder))),
            str(source.absolute() if str(source).startswith("-") else source),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if finished.returncode:
        raise CompileError(
            finished.stderr.strip() or f"{source}: error: llvm-tblgen gave up without a message"
        )
    return Records(json.loads(finished.stdout))


def _order(record: Record) -> tuple[str, int, list[tuple[int, str]]]:
    file, _, line = record.place.rpartition(":")
    return (file, int(line), list(_natural(record.name)))


def _natural(name: str) -> Iterator[tuple[int, str]]:
    """Numbers inside a name count as such: records without a name are `anonymous_0` and so on."""
    for digits, text in re.findall(r"(\d+)|(\D+)", name):
        yield (int(digits), "") if digits else (-1, text)
