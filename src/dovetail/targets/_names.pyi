# Generated from devices.td when the package is built; each table by its first field.

AliasTable: dict[str, tuple[str]]
"""Alias; target."""
GroupTable: dict[str, tuple[tuple[str, ...]]]
"""Name of a group; its targets."""
ArchitectureTable: dict[str, tuple[int, int]]
"""Target; number, DPC++'s identifier."""
