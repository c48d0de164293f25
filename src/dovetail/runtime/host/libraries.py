"""Where libraries lie in this process: what tells host code of one from that of another."""

import os
from ctypes import CDLL, Structure, byref, c_char_p, c_int, c_void_p
from functools import cache
from typing import Any, NamedTuple

NO_LIBRARY = 0
"""The base of what came with no library that the runtime knows, such as the program itself."""


class Library(NamedTuple):
    """A library that is loaded."""

    base: int
    """Where it begins; no other begins there as long as it is loaded."""
    file: str


class _SymbolInfo(Structure):
    """`Dl_info`, what `dladdr` answers."""

    _fields_ = (
        ("file", c_char_p),
        ("base", c_void_p),
        ("symbol", c_char_p),
        ("symbol_address", c_void_p),
    )


def library_at(address: int) -> Library:
    """The library that has something at `address`."""
    info = _SymbolInfo()
    if not _dladdr()(address, byref(info)):
        return Library(NO_LIBRARY, "a library")
    return Library(info.base, os.fsdecode(info.file))


@cache
def _dladdr() -> Any:
    function = CDLL(None).dladdr
    function.restype = c_int
    function.argtypes = (c_void_p, c_void_p)
    return function
