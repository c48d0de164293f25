# Generated from devices.td when the package is built; each table by its first field.

AliasTable: dict[str, tuple[str]]
"""Alias; target."""
ArchitectureTable: dict[str, tuple[int, int]]
"""Target; our number, DPC++'s identifier."""
