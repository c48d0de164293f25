"""Demangling with the C++ library of this process: the runtime does not need LLVM."""

from ctypes import CDLL, POINTER, byref, c_char_p, c_int, c_size_t, c_void_p, string_at
from functools import cache


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
