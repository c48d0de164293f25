# Generated from devices.td when the package is built; each table by its first field.

AliasTable: dict[str, tuple[str]]
"""Alias; target."""
AspectTable: dict[str, tuple[int]]
"""Name; number."""
DeprecatedAspectTable: dict[str, tuple[int, str]]
"""Name; number, the aspect to use instead."""
RetiredAspectTable: dict[str, tuple[str]]
"""Name; what it was about."""
ArchitectureTable: dict[str, tuple[int, int]]
"""Target; our number, DPC++'s identifier."""
