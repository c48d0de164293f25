"""Generates the source of tables.

In Python, each table is a dictionary from the key to a tuple of the other fields. In C++, it is a
`std::map` from the key to an object of the table's type, which the including program can modify and
defines itself: a struct with a member for each field except the first, in the order of `Fields`.
"""

from collections.abc import Sequence

from dovetail.tablegen.tables import DynamicTable, TableRow, Value

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def python_tables(tables: Sequence[DynamicTable], source: str) -> str:
    """Return the source of a Python module with the tables."""
    head = f'"""Generated from {source} when the package is built. Do not edit."""\n'
    return "\n".join([head, *map(_python_table, tables)])


def _python_table(table: DynamicTable) -> str:
    rows = "".join(f"    {row.key!r}: {row.values!r},\n" for row in table.rows)
    return f"{table.name} = {{\n{rows}}}\n"


def cpp_tables(tables: Sequence[DynamicTable], source: str) -> str:
    """Return the source of a `.inc` file with the tables."""
    return "\n".join([f"// Generated from {source}. Do not edit.\n", *map(_cpp_table, tables)])


def _cpp_table(table: DynamicTable) -> str:
    guard = f"GET_{table.name}_IMPL"
    key_type = "long long" if table.rows and isinstance(table.rows[0].key, int) else "std::string"
    rows = ",\n".join(map(_row, table.rows))
    return (
        f"#ifdef {guard}\n"
        f"std::map<{key_type}, {table.cpp_type}> {table.name} = {{\n{rows}}};\n"
        f"#endif // {guard}\n"
    )


def _row(row: TableRow) -> str:
    return f"    {{{_value(row.key)},\n     {_value(row.values)}}}"


def _value(value: Value) -> str:
    if isinstance(value, tuple):
        return "{" + ", ".join(map(_value, value)) + "}"
    if isinstance(value, str):
        return _string(value)
    # In C++, the literal without the sign would be too large.
    return str(value) if value > -(2**63) else f"({value + 1} - 1)"


def _string(text: str) -> str:
    return '"' + "".join(map(_character, text)) + '"'


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable() and character.isascii():
        return character
    # Octal escapes have at most three digits; hexadecimal ones would include what follows.
    return "".join(f"\\{byte:03o}" for byte in character.encode())
