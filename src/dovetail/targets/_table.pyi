# Generated from devices.td when the package is built; each table by its first field.

AspectTable: dict[str, tuple[int]]
"""Name; number."""
DeprecatedAspectTable: dict[str, tuple[int, str]]
"""Name; number, the aspect to use instead."""
RetiredAspectTable: dict[str, tuple[str]]
"""Name; what it was about."""
TargetTable: dict[str, tuple[tuple[str, ...], int, tuple[int, ...], str, str]]
"""Name; aspects, may support others, sub-group sizes, toolchain, options."""
AbsentAspectTable: dict[str, tuple[tuple[str, ...]]]
"""Name; the aspects that such devices are known not to have."""
AliasTable: dict[str, tuple[str]]
"""Alias; target."""
ArchitectureTable: dict[str, tuple[int, int]]
"""Target; our number, DPC++'s identifier."""
