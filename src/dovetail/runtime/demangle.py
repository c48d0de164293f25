"""C++ names of symbols, and finding variables by them.

Symbols are demangled by the C++ library of this process: the runtime does not need LLVM.
"""

from collections.abc import Collection
from ctypes import CDLL, POINTER, byref, c_char_p, c_int, c_size_t, c_void_p, string_at
from functools import cache

from dovetail.errors import VariableNotFound, nearest


def demangled(symbol: str) -> str:
    """Return the C++ name; the symbol itself if it is not mangled or there is no C++ library."""
    library = _library()
    if library is None or not symbol.startswith("_Z"):
        return symbol
    status = c_int()
    text = library.__cxa_demangle(symbol.encode(), None, None, byref(status))
    if not text:
        return symbol
    try:
        return string_at(text).decode(errors="replace")
    finally:
        library.free(text)


def variable_name(identifier: str) -> str:
    """Return the qualified C++ name of the device variable with an identifier."""
    # After `$` comes a suffix that distinguishes variables with internal linkage.
    return demangled(identifier.partition("$")[0])


def find_variable(name: str, identifiers: Collection[str], owner: str, kind: str) -> str:
    """Return the only identifier that `name` matches: itself, its C++ name, or the end of that.

    `VariableNotFound` says what the `owner` has: the program, say, and its device globals.
    """
    if name in identifiers:
        return name
    named = {identifier: variable_name(identifier) for identifier in identifiers}
    tail = f"::{name}"
    found = [identifier for identifier, it in named.items() if it == name]
    found = found or [identifier for identifier, it in named.items() if it.endswith(tail)]
    if len(found) == 1:
        return found[0]
    if found:
        raise VariableNotFound(
            f"{kind} '{name}' is ambiguous; candidates: {', '.join(found)}",
            hint="use one of these identifiers",
        )
    listed = ", ".join(sorted(named.values())) or "none"
    raise VariableNotFound(
        f"{owner} has no {kind} '{name}'; it has: {listed}", hint=nearest(name, named.values())
    )


@cache
def _library() -> CDLL | None:
    try:
        library = CDLL("libstdc++.so.6")
        library.__cxa_demangle.restype = c_void_p
        library.__cxa_demangle.argtypes = [c_char_p, c_char_p, POINTER(c_size_t), POINTER(c_int)]
        library.free.argtypes = [c_void_p]
    except (OSError, AttributeError):
        return None
    return library
