"""The null pointer as an argument, which must be given explicitly: `None` is often a mistake."""


class NullPointer:
    """The type of `NULL`."""

    __slots__ = ()

    __name__ = "NULL"

    def __repr__(self) -> str:
        return "NULL"

    def __reduce__(self) -> str:
        return "NULL"


NULL = NullPointer()
"""A null pointer for a pointer parameter of a kernel."""
