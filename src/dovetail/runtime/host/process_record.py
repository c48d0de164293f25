"""The record through which host code and the runtime of a process find each other.

It mirrors `process_record` in `include/sycl/detail/host/api.hpp`. Whoever comes first makes it: a
program, a library or the runtime.
"""

from ctypes import CDLL, Structure, addressof, c_char_p, c_uint32, c_uint64, c_ulong, c_void_p

from dovetail.runtime.host.structures import API_VERSION, LibraryList

VARIABLE = "DOVETAIL_HOST_PROCESS"
"""The record's address: `KEY:ADDRESS`, both in hexadecimal."""

_AT_RANDOM = 25
"""The address of 16 random bytes that the kernel gives each program that it starts."""


class StaticObjects(Structure):
    """`static_objects`: of a program or library, to be destroyed."""

    _fields_ = (("next", c_void_p), ("owner", c_void_p))


class ProcessRecord(Structure):
    """`process_record`."""

    _fields_ = (
        ("version", c_uint32),
        ("is_starting", c_uint32),
        ("owns_python", c_uint32),
        ("reserved", c_uint32),
        ("table", c_void_p),
        ("libraries", LibraryList),
        ("objects", c_void_p),
    )


_made: list[ProcessRecord] = []
"""Records that the runtime made; host code may use them until the process ends."""


def process_record() -> ProcessRecord:
    """Return the record of this process; a new one if there is none of this version."""
    found = _found()
    if found is None or found.version != API_VERSION:
        found = ProcessRecord(version=API_VERSION)
        _made.append(found)
        announce(addressof(found))
    return found


def announce(address: int) -> None:
    """Let host code find the record at an address."""
    # Not through `os.environ`: host code changes the variable without Python's knowledge.
    _libc().setenv(VARIABLE.encode(), f"{_process_key():x}:{address:x}".encode(), 1)


def _found() -> ProcessRecord | None:
    getenv = _libc().getenv
    getenv.restype = c_char_p
    key, _, address = (getenv(VARIABLE.encode()) or b"").decode().partition(":")
    if key != f"{_process_key():x}" or not address:
        return None
    return ProcessRecord.from_address(int(address, 16))


def _process_key() -> int:
    """Return the number that tells this process from its parent."""
    getauxval = _libc().getauxval
    getauxval.restype = c_ulong
    getauxval.argtypes = (c_ulong,)
    return c_uint64.from_address(getauxval(_AT_RANDOM)).value


def _libc() -> CDLL:
    return CDLL(None)
