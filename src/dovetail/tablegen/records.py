"""The records of a TableGen file, as LLVM's own `llvm-tblgen` understands them."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dovetail.errors import CompileError, InputError
from dovetail.processes.pool import current_pool
from dovetail.processes.running import time_limit
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

    def __init__(self, dump: dict[str, Any], types: dict[str, dict[str, str]]) -> None:
        self._dump = dump
        self._classes: dict[str, list[str]] = dump["!instanceof"]
        self._types = types

    def classes(self) -> list[str]:
        """The names of all classes."""
        return list(self._classes)

    def of_class(self, name: str) -> list[Record]:
        """The records that derive from a class, in the order of their places."""
        return sorted(map(self.record, self._classes[name]), key=_order)

    def fields_of(self, class_name: str) -> dict[str, str]:
        """The fields of a class and their types, as `list<int>`."""
        return self._types.get(class_name, {})

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
    words = [*(f"-I{folder}" for folder in folders), os.path.relpath(source)]
    dump = json.loads(_run_tblgen("--dump-json", words))
    # JSON has the same form for bits and for lists of numbers, and nothing about classes.
    return Records(dump, _field_types(_run_tblgen("--print-records", words)))


def _run_tblgen(action: str, words: Sequence[str]) -> str:
    command = [tool_path(LLVM_TBLGEN), action, *words]
    finished = current_pool().run(command, seconds=time_limit(), response_file=True)
    if finished.status:
        raise CompileError(
            finished.messages or f"{words[-1]}: error: llvm-tblgen gave up without a message"
        )
    return finished.output.decode(errors="replace")


def _field_types(text: str) -> dict[str, dict[str, str]]:
    """The fields of each class, from llvm-tblgen's listing of them."""
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
    """Numbers inside a name count as such: records without a name are `anonymous_0` and so on."""
    for digits, text in re.findall(r"(\d+)|(\D+)", name):
        yield (int(digits), "") if digits else (-1, text)
