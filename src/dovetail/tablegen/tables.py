"""The tables of `DynamicTable` records. `DynamicTable.td` in the include folder documents them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dovetail.errors import nearest
from dovetail.tablegen.records import FieldValue, Record, Records

CLASS = "DynamicTable"

Scalar = str | int
Value = Scalar | tuple["Value", ...]

_SCALARS = ("int", "string", "code", "bit")


@dataclass(frozen=True)
class TableRow:
    """One entry of a table: the key and the values of the other fields, in order."""

    key: Scalar
    values: tuple[Value, ...]


@dataclass(frozen=True)
class DynamicTable:
    """A table to generate."""

    name: str
    cpp_type: str
    rows: tuple[TableRow, ...]


def dynamic_tables(records: Records) -> list[DynamicTable]:
    """Return all tables of a file; raise `CompileError` with the place of an invalid record."""
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
    columns = [list(_column(table, field, filter_class, entries, records)) for field in fields]
    rows = tuple(
        TableRow(_key(table, fields[0], key), tuple(values))
        for key, *values in zip(*columns, strict=True)
    )
    _check_unique(table, entries, rows)
    return DynamicTable(table.name, _text(table, "CppTypeName"), rows)


def _text(table: Record, field: str) -> str:
    value = table.fields.get(field)
    if not isinstance(value, str) or not value:
        raise table.error(f"table '{table.name}' has no {field}")
    return value


def _fields(table: Record) -> list[str]:
    fields = table.fields.get("Fields")
    if not isinstance(fields, list) or not fields:
        raise table.error(
            f"table '{table.name}' has no Fields", hint="the first field is the key of the table"
        )
    return [str(field) for field in fields]


def _unknown_class(table: Record, field: str, name: str, records: Records) -> Exception:
    return table.error(
        f"unknown class '{name}' in {field} of table '{table.name}'",
        hint=nearest(name, records.classes()),
    )


def _key(table: Record, field: str, value: Value) -> Scalar:
    if isinstance(value, tuple):
        raise table.error(f"the key of table '{table.name}', its first field '{field}', is a list")
    return value


def _check_unique(table: Record, entries: Sequence[Record], rows: Sequence[TableRow]) -> None:
    """Raise an error if two rows have the same key."""
    seen: dict[Scalar, Record] = {}
    for entry, row in zip(entries, rows, strict=True):
        if row.key in seen:
            raise entry.error(
                f"table '{table.name}' has two entries for '{row.key}'",
                hint=f"the first one is at {seen[row.key].place}",
            )
        seen[row.key] = entry


def _column(
    table: Record, field: str, filter_class: str, entries: Sequence[Record], records: Records
) -> Iterator[Value]:
    type_name = _type_of(table, field, filter_class, records)
    convert = _Converter(table, field, type_name, records)
    for entry in entries:
        yield convert(entry, entry.fields[field])


def _type_of(table: Record, field: str, filter_class: str, records: Records) -> str:
    """Return the type in `TypeOf_<field>`, else the type in the class."""
    declared = records.fields_of(filter_class)
    if field not in declared:
        raise table.error(
            f"unknown field '{field}' in Fields of table '{table.name}':"
            f" class '{filter_class}' does not have it",
            hint=nearest(field, declared),
        )
    override = table.fields.get(f"TypeOf_{field}")
    type_name = "".join(override.split()) if isinstance(override, str) else ""
    element = type_name
    while element.startswith("list<") and element.endswith(">"):
        element = element[len("list<") : -1]
    known = element in _SCALARS or re.fullmatch(r"bits<\d+>", element) or not element
    if not known and element not in records.classes():
        raise _unknown_class(table, f"TypeOf_{field}", element, records)
    return type_name or declared[field]


def _check_types(table: Record, fields: Sequence[str]) -> None:
    """Raise an error if a `TypeOf_` does not name a field."""
    for name in table.fields:
        field = name.removeprefix("TypeOf_")
        if field != name and field not in fields:
            raise table.error(
                f"{name} does not match a field of table '{table.name}'",
                hint=nearest(field, fields),
            )


@dataclass(frozen=True)
class _Converter:
    """Converts the values of one field from JSON."""

    table: Record
    field: str
    type_name: str
    records: Records

    def __call__(self, entry: Record, value: FieldValue) -> Value:
        if self.type_name.startswith("bits"):
            return self._number(entry, value)
        return self._converted(entry, value, self.type_name)

    def _number(self, entry: Record, value: FieldValue) -> int:
        """Return the value of bits, which are listed least significant first."""
        number = 0
        for position, bit in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(bit, int):
                raise self._not_set(entry)
            number |= bit << position
        return number

    def _converted(self, entry: Record, value: FieldValue, type_name: str) -> Value:
        if value is None:
            raise self._not_set(entry)
        is_list = isinstance(value, list)
        if type_name and is_list != type_name.startswith("list<"):
            raise self._mismatch(entry)
        if isinstance(value, list):
            inner = type_name[len("list<") : -1]
            return tuple(self._converted(entry, item, inner) for item in value)
        if isinstance(value, dict):
            return self._record(entry, value, type_name)
        is_text = isinstance(value, str)
        if type_name and is_text != (type_name in ("string", "code")):
            raise self._mismatch(entry)
        return value

    def _record(self, entry: Record, value: dict[str, FieldValue], type_name: str) -> str:
        """Return the `Name` of a record, or the name of its def."""
        name = value.get("def")
        if value.get("kind") != "def" or not isinstance(name, str):
            raise entry.error(f"'{self.field}' has a value that tables do not support")
        record = self.records.record(name)
        if type_name and record.name not in (r.name for r in self._of_class(type_name)):
            raise self._mismatch(entry)
        return str(record.fields.get("Name") or record.name)

    def _of_class(self, name: str) -> list[Record]:
        return self.records.of_class(name) if name in self.records.classes() else []

    def _not_set(self, entry: Record) -> Exception:
        return entry.error(f"'{self.field}' is not set, but table '{self.table.name}' needs it")

    def _mismatch(self, entry: Record) -> Exception:
        return entry.error(
            f"expected a value of type {self.type_name} in '{self.field}', as TypeOf_{self.field}"
            f" of table '{self.table.name}' ({self.table.place}) requires"
        )
