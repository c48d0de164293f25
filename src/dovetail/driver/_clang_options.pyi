# Written from clang's Options.inc when the package is built (native/options).

ROWS: tuple[tuple[tuple[str, ...], str, str], ...]
"""Names of `Goes`; the name of a `Form`; the options that these hold for."""
SHORT: dict[str, tuple[str, str]]
"""Long spelling; short spelling, and the name of its `Form`."""
