"""Starting the runtime in a process that did not start with it, on its first use of SYCL.

The native part of programs and libraries (`native/start`) calls `attach`, in a Python that it has
started, or in the one that the process runs.

Drivers are loaded by then, so their handlers of `exit` would run before the destructors of static
objects that are older. So the program's and libraries' static objects are destroyed first, by the
handler of ours that runs before the drivers'.
"""

import atexit
import ctypes
from collections.abc import Iterator
from ctypes import addressof, c_void_p
from threading import Lock

from dovetail.errors import InputError
from dovetail.runtime.host.functions import Functions
from dovetail.runtime.host.process import at_exit, finish, shared_runtime
from dovetail.runtime.host.process_record import ProcessRecord, StaticObjects, announce
from dovetail.runtime.host.process_state import import_numpy, restored_process_state
from dovetail.runtime.host.structures import API_VERSION
from dovetail.runtime.host.table import ApiTable

_starting = Lock()


def attach(address: int) -> None:
    """Start the runtime for the process whose record is at the address, unless it has started."""
    record = ProcessRecord.from_address(address)
    if record.version != API_VERSION:
        raise InputError(
            f"the program was compiled for version {record.version} of the runtime's functions,"
            f" and this runtime has version {API_VERSION}; build the program again"
        )
    with _starting:
        if record.table:
            return
        announce(address)
        if record.owns_python:
            import_numpy()
        with restored_process_state():
            functions, table = shared_runtime()
        if record.owns_python:
            at_exit(lambda: _leave(record, functions, table))
        else:
            # Python's own end comes before C's `exit`.
            atexit.register(_leave_python, functions, table)
        record.table = addressof(table)


def _leave(record: ProcessRecord, functions: Functions, table: ApiTable) -> None:
    """End the use of SYCL in a process that ends by C's `exit`."""
    _destroy_static_objects(record)
    functions.wait_for_everything()
    table.block_calls(except_this_thread=True)
    finish(functions)


def _leave_python(functions: Functions, table: ApiTable) -> None:
    """End the use of SYCL in a process whose Python ends before it."""
    functions.wait_for_everything()
    table.ignore_calls()
    finish(functions)


def _destroy_static_objects(record: ProcessRecord) -> None:
    """Destroy the static objects of programs and libraries with device code, newest first."""
    finalize = getattr(ctypes.CDLL(None), "__cxa_finalize")
    # From a list, since they may unload libraries. LeakSanitizer runs in this loop, too, and does
    # not see numbers that are only in variables.
    for owner in list(_owners(record)):
        finalize(owner)


def _owners(record: ProcessRecord) -> Iterator[c_void_p]:
    address = record.objects
    while address:
        element = StaticObjects.from_address(address)
        if element.owner:
            yield c_void_p(element.owner)
        address = element.next
