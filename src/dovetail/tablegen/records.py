"""The records of a TableGen file, as `llvm-tblgen` dumps them."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from dovetail.errors import CompileError, InputError
from dovetail.processes.pool import current_pool
from dovetail.processes.running_tools import time_limit
from dovetail.resources import LLVM_TBLGEN, tool_path

INCLUDE_DIRECTORY = Path(__file__).parent / "include"
"""The include folder with `llvm/TableGen/DynamicTable.td`."""

FieldValue: TypeAlias = "int | str | list[FieldValue] | dict[str, FieldValue] | None"
"""A value in llvm-tblgen's JSON; None for a value that is not set."""


@dataclass(frozen=True)
class Record:
    """One `def`."""

    name: str
    place: str
    """The place of the definition, as `file:line`."""
    fields: dict[str, FieldValue]

    def error(self, message: str, *, hint: str = "") -> CompileError:
        """Return an error that names the place of this record."""
        return CompileError(f"{self.place}: error: {message}", hint=hint)


class Records:
    """All records of a file and the files that it includes."""

    def __init__(self, dump: dict[str, Any], types: dict[str, dict[str, str]]) -> None:
        self._dump = dump
        self._classes: dict[str, list[str]] = dump["!instanceof"]
        self._types = types

    def classes(self) -> list[str]:
        """Return the names of all classes."""
        return list(self._classes)

    def of_class(self, name: str) -> list[Record]:
        """Return the records that derive from a class, in source order."""
        return sorted(map(self.record, self._classes[name]), key=_order)

    def fields_of(self, class_name: str) -> dict[str, str]:
        """Return the fields of a class with their types, such as `list<int>`."""
        return self._types.get(class_name, {})

    def record(self, name: str) -> Record:
        """Return the record with a name."""
        fields = self._dump[name]
        values = {key: value for key, value in fields.items() if not key.startswith("!")}
        return Record(name, fields["!locs"][-1], values)


def read_records(source: Path, include_folders: Sequence[Path] = ()) -> Records:
    """Return the records of `source`; raise `CompileError` with llvm-tblgen's message on errors.

    Included files are searched for in `include_folders`, then beside the source.
    """
    if not source.is_file():
        raise InputError(f"there is no file '{source}'")
    folders = [*include_folders, source.parent, INCLUDE_DIRECTORY]
    words = [*(f"-I{folder}" for folder in folders), os.path.relpath(source)]
    dump = json.loads(_run_tblgen("--dump-json", words))
    # The JSON does not distinguish bits from lists of numbers, and lacks the fields of classes.
    return Records(dump, _field_types(_run_tblgen("--print-records", words)))


def _run_tblgen(action: str, words: Sequence[str]) -> str:
    command = [tool_path(LLVM_TBLGEN), action, *words]
    finished = current_pool().run(command, seconds=time_limit(), response_file=True)
    if finished.status:
        raise CompileError(
            finished.messages or f"{words[-1]}: error: llvm-tblgen failed without a message"
        )
    return finished.output.decode(errors="replace")


def _field_types(text: str) -> dict[str, dict[str, str]]:
    """Return the fields of each class, from the output of `--print-records`."""
    classes, _, _ = text.partition("------------- Defs")
    found: dict[str, dict[str, str]] = {}
    fields: dict[str, str] = {}
    for line in classes.splitlines():
        if head := re.match(r"class (\S+?)(?:<.*)? \{", line):
            fields = found.setdefault(head[1], {})
        elif field := re.match(r"  (?:field )?(\S.*?) (\w+) = ", line):
            fields[field[2]] = "".join(field[1].split())
    return found


def _order(record: Record) -> tuple[str, int, list[tuple[int, str]]]:
    file, _, line = record.place.rpartition(":")
    return (file, int(line), list(_natural(record.name)))


def _natural(name: str) -> Iterator[tuple[int, str]]:
    """Sort numbers in names by value: records without a name are `anonymous_0` and so on."""
    for digits, text in re.findall(r"(\d+)|(\D+)", name):
        yield (int(digits), "") if digits else (-1, text)
