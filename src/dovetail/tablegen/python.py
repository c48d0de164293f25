"""Tables as Python: a dictionary each, from the key to a tuple of the other fields."""

from collections.abc import Sequence

from dovetail.tablegen.tables import DynamicTable


def python_tables(tables: Sequence[DynamicTable], source: str) -> str:
    """The text of a module."""
    head = f'"""Generated from {source} when the package is built. Do not edit."""\n'
    return "\n".join([head, *map(_table, tables)])


def _table(table: DynamicTable) -> str:
    rows = "".join(f"    {row.key!r}: {row.values!r},\n" for row in table.rows)
    return f"{table.name} = {{\n{rows}}}\n"
