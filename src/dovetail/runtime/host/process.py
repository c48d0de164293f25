"""Running a program's `main` in this process, and ending the process.

`main` is called in the main thread, and the process ends by C's `exit` while Python is still alive,
since the program's static destructors may call the table. Handlers of `exit` run in reverse order
of their registration, so drivers are loaded first, then our handler is registered, then the program
is loaded: its destructors run first, then we wait for the remaining work, then drivers clean up.
"""

import ctypes
import locale
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from ctypes import CFUNCTYPE, POINTER, addressof, c_char_p, c_int, c_void_p
from functools import cache
from pathlib import Path
from typing import NoReturn

from dovetail.errors import DovetailError, InputError
from dovetail.runtime.device import Device, devices
from dovetail.runtime.host.ending import wait_for_other_threads
from dovetail.runtime.host.functions import Functions
from dovetail.runtime.host.guard import guarded
from dovetail.runtime.host.process_record import process_record
from dovetail.runtime.host.process_state import import_numpy
from dovetail.runtime.host.table import ApiTable, has_result, make_table, parameter_count
from dovetail.runtime.program import Program
from dovetail.targets import Target

API_VARIABLE = "DOVETAIL_HOST_API"
"""The table's address for programs of older versions: `PID:ADDRESS`, in hexadecimal."""

# Python handles or ignores the first three, and drivers install handlers for the others that print
# reports of their own bugs; in a C++ program all of them end the process.
_RESET_SIGNALS = (
    signal.SIGINT,
    signal.SIGPIPE,
    signal.SIGXFSZ,
    signal.SIGABRT,
    signal.SIGSEGV,
    signal.SIGBUS,
    signal.SIGFPE,
    signal.SIGILL,
    signal.SIGTRAP,
    signal.SIGQUIT,
    signal.SIGSYS,
)

_ExitHandler = CFUNCTYPE(None, c_void_p)
_alive: list[object] = []
"""Objects that C may use until the process ends."""


def run(
    program: Program, library: Path, arguments: Sequence[str], stands_for: Target | None = None
) -> NoReturn:
    """Call `main` with `arguments`, of which the first is the program's name, and end the process.

    The exit status is the program's. Errors before the call of `main` are raised. The library's
    file may be deleted once `main` runs. With `stands_for`, the program's devices emulate that
    target.
    """
    import_numpy()
    functions, table = _start_runtime(program, stands_for)
    has_begun = is_leaving = False

    def leave() -> None:
        nonlocal is_leaving
        is_leaving = True
        functions.wait_for_everything()
        if has_begun:
            # Drivers are about to clean up, and other threads must not use them.
            table.block_calls()
            finish(functions)

    leave_now = at_exit(leave)
    try:
        _reset_process_state()
        main = _main_of(_load(library), arguments)
    except BaseException:
        leave_now()
        raise
    _flush()
    has_begun = True
    status = main(*_main_arguments(arguments))
    if is_leaving:
        # Another thread has called `exit`, which must not be called twice.
        _libc().pause()
    _libc().exit(status)
    raise AssertionError("exit has returned")


def call_main(program: Program, library: Path, arguments: Sequence[str]) -> int:
    """Call `main` as `run` does, and return its result after its work is done.

    Static destructors run before this returns, since Python may be finalized before the process
    ends.
    """
    functions, _ = _start_runtime(program)
    code = _load(library)
    main = _main_of(code, arguments)
    _flush()
    try:
        return int(main(*_main_arguments(arguments)))
    finally:
        _unload(code)
        functions.wait_for_everything()
        _libc().fflush(None)


def finish(functions: Functions) -> None:
    """Wait until neither other threads nor devices use a driver."""
    wait_for_other_threads()
    functions.wait_for_devices()


def _start_runtime(
    program: Program, stands_for: Target | None = None
) -> tuple[Functions, ApiTable]:
    functions, table = shared_runtime(stands_for)
    functions.kernels.add(program)
    process_record().table = addressof(table)
    return functions, table


def shared_runtime(stands_for: Target | None = None) -> tuple[Functions, ApiTable]:
    """Return the process's runtime, with its drivers loaded."""
    functions, table = _runtime(stands_for)
    os.environ[API_VARIABLE] = f"{os.getpid()}:{addressof(table):x}"
    return functions, table


@cache
def _runtime(stands_for: Target | None) -> tuple[Functions, ApiTable]:
    """Return new functions for host code, and the table with them; load the drivers."""
    found = devices()
    if stands_for is not None:
        found = [device.as_target(stands_for) for device in found]
    _open_drivers(found)
    functions = Functions(found)
    table = make_table(
        lambda name: guarded(
            getattr(functions, name),
            functions.messages,
            parameters=parameter_count(name),
            has_result=has_result(name),
        ),
        functions.kernels.libraries.list,
    )
    return functions, table


def forget_runtime() -> None:
    """Make the next run of a program create a new runtime, with the devices at that time."""
    _runtime.cache_clear()


def _open_drivers(found: list[Device]) -> None:
    """Open one device of each driver, since drivers load their libraries only then."""
    for device in {device.platform: device for device in reversed(found)}.values():
        # The first use of the device reports the error.
        with suppress(DovetailError):
            device.native.open_queue()


def at_exit(act: Callable[[], None]) -> Callable[[], None]:
    """Call `act` when the process ends; return a function that calls it now instead."""

    def call(_: object) -> None:
        # Ending the process must not fail, and errors cannot be reported any more.
        with suppress(BaseException):
            act()
            _flush()

    handler = _ExitHandler(call)
    _alive.append(handler)
    # `atexit` is not a dynamic symbol of the C library, and cannot be undone. `__cxa_atexit`
    # registers for an owner, identified by any address, whose handlers can be called early.
    owner = c_void_p(id(handler))
    getattr(_libc(), "__cxa_atexit")(handler, None, owner)
    return lambda: getattr(_libc(), "__cxa_finalize")(owner)


def _reset_process_state() -> None:
    """Reset the locale and signal handlers to what a C++ program expects."""
    _libc().setlocale(locale.LC_ALL, b"C")
    if threading.current_thread() is not threading.main_thread():
        return
    for number in _RESET_SIGNALS:
        # The parent process may have set interrupts to be ignored, which Python respects.
        if number != signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def _load(library: Path) -> ctypes.CDLL:
    path = str(library.absolute())
    try:
        return ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL)
    except OSError as error:
        # The linker's message, without the internal path.
        reason = str(error).removeprefix(f"{path}: ")
        raise InputError(f"cannot load the program's host code: {reason}") from None


def _main_of(code: ctypes.CDLL, arguments: Sequence[str]) -> Callable[..., int]:
    """Return the program's `main`; unload the library and raise `InputError` if it has none."""
    try:
        main = code.main
    except AttributeError:
        _unload(code)
        raise InputError(
            f"'{next(iter(arguments), 'the program')}' has no `main`",
            hint="a program needs `int main()` or `int main(int, char **)`, outside of namespaces",
        ) from None
    main.argtypes = (c_int, c_void_p, c_void_p)
    main.restype = c_int
    return main


def _main_arguments(arguments: Sequence[str]) -> tuple[int, object, object]:
    """Return `argc`, `argv` and the environment, a third parameter on some systems."""
    # C++ may write to its arguments, so they need their own memory.
    texts = [ctypes.create_string_buffer(os.fsencode(text)) for text in arguments]
    argv = (c_void_p * (len(texts) + 1))(*map(addressof, texts), None)
    _alive.append((texts, argv))
    return len(texts), argv, POINTER(c_char_p).in_dll(_libc(), "environ")


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()


def _unload(code: ctypes.CDLL) -> None:
    _libc().dlclose(c_void_p(code._handle))  # pyright: ignore[reportPrivateUsage]


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)
