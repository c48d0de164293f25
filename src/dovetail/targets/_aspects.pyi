# Generated from devices.td when the package is built; each table by its first field.

AspectTable: dict[str, tuple[int]]
"""Name; number."""
DeprecatedAspectTable: dict[str, tuple[int, str]]
"""Name; number, the aspect to use instead."""
RetiredAspectTable: dict[str, tuple[str]]
"""Name; description."""
