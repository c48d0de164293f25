"""`DynamicTable` records, and the rows that they ask for.

`DynamicTable.td` in the include folder tells what each of their fields means.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from dovetail.errors import nearest
from dovetail.tablegen.records import Record, Records

CLASS = "DynamicTable"

Scalar = str | int
Value = Scalar | tuple["Value", ...]

_SCALARS = ("int", "string", "code", "bit")


@dataclass(frozen=True)
class TableRow:
    """One entry of a table: the key and the values of the other fields, in their order."""

    key: Scalar
    values: tuple[Value, ...]


@dataclass(frozen=True)
class DynamicTable:
    """A table to be written."""

    name: str
    cpp_type: str
    rows: tuple[TableRow, ...]


def dynamic_tables(records: Records) -> list[DynamicTable]:
    """Every table that the file defines; `CompileError` with the record's place for a wrong one."""
    if CLASS not in records.classes():
        return []
    return [_table(record, records) for record in records.of_class(CLASS)]


def _table(table: Record, records: Records) -> DynamicTable:
    filter_class = _text(table, "FilterClass")
    if filter_class not in records.classes():
        raise _unknown_class(table, "FilterClass", filter_class, records)
    fields = _fields(table)
    _check_types(table, fields)
    entries = records.of_class(filter_class)
    columns = [list(_column(table, field, entries, records)) for field in fields]
    rows = tuple(
        TableRow(cast(Scalar, key), tuple(values)) for key, *values in zip(*columns, strict=True)
    )
    _check_keys(table, fields[0], entries, rows)
    return DynamicTable(table.name, _text(table, "CppTypeName"), rows)


def _text(table: Record, field: str) -> str:
    value = table.fields.get(field)
    if not isinstance(value, str) or not value:
        raise table.error(f"table '{table.name}' has no {field}")
    return value


def _fields(table: Record) -> list[str]:
    fields = table.fields.get("Fields")
    if not fields:
        raise table.error(
            f"table '{table.name}' has no Fields", hint="the first of them is the table's key"
        )
    return cast(list[str], fields)


def _unknown_class(table: Record, field: str, name: str, records: Records) -> Exception:
    return table.error(
        f"{field} of table '{table.name}' names '{name}', and there is no such class",
        hint=nearest(name, records.classes()),
    )


def _check_keys(
    table: Record, field: str, entries: Sequence[Record], rows: Sequence[TableRow]
) -> None:
    seen: dict[Scalar, Record] = {}
    for entry, row in zip(entries, rows, strict=True):
        if isinstance(row.key, tuple):
            raise table.error(
                f"'{field}', the first field and so the key of table '{table.name}', holds a list"
            )
        if row.key in seen:
            raise entry.error(
                f"table '{table.name}' has two entries for '{row.key}'",
                hint=f"the first one is at {seen[row.key].place}",
            )
        seen[row.key] = entry


def _column(
    table: Record, field: str, entries: Sequence[Record], records: Records
) -> Iterator[Value]:
    type_name = _type_of(table, field, records)
    convert = _Converter(table, field, type_name, records)
    for entry in entries:
        value = entry.fields[field]
        if value is None or (isinstance(value, list) and None in value):
            raise entry.error(f"'{field}' is not set, and table '{table.name}' needs it")
        yield _number(value) if type_name.startswith("bits") else convert(entry, value)


def _type_of(table: Record, field: str, records: Records) -> str:
    """What `TypeOf_<field>` says, else what the class says."""
    declared = records.fields_of(table.fields["FilterClass"])
    if field not in declared:
        raise table.error(
            f"Fields of table '{table.name}' names '{field}', and class"
            f" '{table.fields['FilterClass']}' has no such field",
            hint=nearest(field, declared),
        )
    type_name = "".join(table.fields.get(f"TypeOf_{field}", "").split())
    element = type_name
    while element.startswith("list<") and element.endswith(">"):
        element = element[len("list<") : -1]
    known = element in _SCALARS or re.fullmatch(r"bits<\d+>", element) or not element
    if not known and element not in records.classes():
        raise _unknown_class(table, f"TypeOf_{field}", element, records)
    return type_name or declared[field]


def _check_types(table: Record, fields: Sequence[str]) -> None:
    for name in table.fields:
        field = name.removeprefix("TypeOf_")
        if field != name and field not in fields:
            raise table.error(
                f"'{name}' is about no field of table '{table.name}'", hint=nearest(field, fields)
            )


def _number(value: Any) -> int:
    """The number that bits are, least significant first."""
    bits = cast(list[int], value if isinstance(value, list) else [value])
    return sum(bit << position for position, bit in enumerate(bits))


@dataclass(frozen=True)
class _Converter:
    """Turns one field's values, as JSON has them, into a table's."""

    table: Record
    field: str
    type_name: str
    records: Records

    def __call__(self, entry: Record, value: Any) -> Value:
        return self._converted(entry, value, self.type_name)

    def _converted(self, entry: Record, value: Any, type_name: str) -> Value:
        is_list = isinstance(value, list)
        if type_name and is_list != type_name.startswith("list<"):
            raise self._mismatch(entry)
        if isinstance(value, list):
            inner = type_name[len("list<") : -1]
            return tuple(self._converted(entry, item, inner) for item in cast(list[Any], value))
        if isinstance(value, dict):
            return self._record(entry, cast(dict[str, Any], value), type_name)
        text = isinstance(value, str)
        if type_name and text != (type_name in ("string", "code")):
            raise self._mismatch(entry)
        return value

    def _record(self, entry: Record, value: dict[str, Any], type_name: str) -> str:
        """A record stands in a table by its `Name`, else by the name of its def."""
        if value.get("kind") != "def":
            raise entry.error(f"'{self.field}' is of a kind that no table can hold")
        record = self.records.record(value["def"])
        if type_name and record.name not in (r.name for r in self._of_class(type_name)):
            raise self._mismatch(entry)
        return str(record.fields.get("Name") or record.name)

    def _of_class(self, name: str) -> list[Record]:
        return self.records.of_class(name) if name in self.records.classes() else []

    def _mismatch(self, entry: Record) -> Exception:
        return entry.error(
            f"'{self.field}' is not of type {self.type_name}, which TypeOf_{self.field}"
            f" of table '{self.table.name}' ({self.table.place}) says it is"
        )
