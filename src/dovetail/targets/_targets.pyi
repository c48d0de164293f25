# Generated from devices.td when the package is built; each table by its first field.

TargetTable: dict[str, tuple[tuple[str, ...], int, tuple[int, ...], str, str]]
"""Name; aspects, may support others, sub-group sizes, toolchain, options."""
AbsentAspectTable: dict[str, tuple[tuple[str, ...]]]
"""Name; aspects that it does not have."""
