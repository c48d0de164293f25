"""The process that a program runs in: this one.

`main` is called in the main thread, and the process ends by C's `exit` while Python is still alive:
the program's static destructors may call the table. Handlers of `exit` run in the reverse of the
order in which they were registered, so drivers come first, then ours, then the program: its
destructors find everything working, then we wait for what is left, then drivers clean up.
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
from dovetail.runtime.host.table import ApiTable, has_result, make_table, parameter_count
from dovetail.runtime.program import Program
from dovetail.targets import Target

API_VARIABLE = "DOVETAIL_HOST_API"
"""Tells host code where the table is: `PID:ADDRESS`, the address in hexadecimal."""

# Python handles or ignores the first three, and drivers have handlers for the others that speak of
# bugs of theirs; in a C++ program all of them end the process.
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
"""What C may use until the process ends."""


def run(
    program: Program, library: Path, arguments: Sequence[str], stands_for: Target | None = None
) -> NoReturn:
    """Call `main` with `arguments`, the first of them the program's name, and end the process.

    The process ends as the program wants it to. What keeps `main` from being called is raised. The
    library's file may be gone as soon as `main` runs. The program's devices stand for a target, if
    one is given.
    """
    functions, table = _start_runtime(program, stands_for)
    has_begun = is_leaving = False

    def leave() -> None:
        nonlocal is_leaving
        is_leaving = True
        functions.wait_for_everything()
        if has_begun:
            # Drivers are about to clean up, and threads that are left must not use them.
            table.put_to_sleep()
            wait_for_other_threads()
            functions.wait_for_devices()

    forget = _at_exit(leave)
    try:
        _reset_process_state()
        main = _main_of(_load(library), arguments)
    except BaseException:
        forget()
        raise
    _flush()
    has_begun = True
    status = main(*_main_arguments(arguments))
    if is_leaving:
        # Another thread has called `exit`, and whoever calls it again gets in its way.
        _libc().pause()
    _libc().exit(status)
    raise AssertionError("exit has returned")


def call_main(program: Program, library: Path, arguments: Sequence[str]) -> int:
    """Call `main` as `run` does, and return its value when the work it gave is done.

    Static destructors run before this returns, since Python may be gone when the process ends.
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


def _start_runtime(
    program: Program, stands_for: Target | None = None
) -> tuple[Functions, ApiTable]:
    functions, table = _runtime(stands_for)
    functions.kernels.add(program)
    os.environ[API_VARIABLE] = f"{os.getpid()}:{addressof(table):x}"
    return functions, table


@cache
def _runtime(stands_for: Target | None) -> tuple[Functions, ApiTable]:
    """The process's runtime; its drivers are loaded."""
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
    """Start anew, with the devices of then, when a program is next run."""
    _runtime.cache_clear()


def _open_drivers(found: list[Device]) -> None:
    """Open one device of each driver: drivers load parts of themselves only then."""
    for device in {device.platform: device for device in reversed(found)}.values():
        # Whoever uses the device will be told; others need not care.
        with suppress(DovetailError):
            device.native.open_queue()


def _at_exit(act: Callable[[], None]) -> Callable[[], None]:
    """Have `act` called when the process ends; a function that has it called now instead."""

    def call(_: object) -> None:
        # Ending the process must not fail, and nobody is left to tell.
        with suppress(BaseException):
            act()
            _flush()

    handler = _ExitHandler(call)
    _alive.append(handler)
    # `atexit` is no symbol of the C library that could be looked up, and cannot take back. A
    # handler belongs to a library, known by any address, whose handlers can be called early.
    owner = c_void_p(id(handler))
    getattr(_libc(), "__cxa_atexit")(handler, None, owner)
    return lambda: getattr(_libc(), "__cxa_finalize")(owner)


def _reset_process_state() -> None:
    """Undo what Python and drivers do to a process and a C++ program does not expect."""
    _libc().setlocale(locale.LC_ALL, b"C")
    if threading.current_thread() is not threading.main_thread():
        return
    for number in _RESET_SIGNALS:
        # Who started us may want an interrupt ignored, which Python leaves as it is.
        if number != signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def _load(library: Path) -> ctypes.CDLL:
    path = str(library.absolute())
    try:
        return ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL)
    except OSError as error:
        # The linker's words, without a path that is ours and tells the user nothing.
        reason = str(error).removeprefix(f"{path}: ")
        raise InputError(f"the program's host code cannot be loaded: {reason}") from None


def _main_of(code: ctypes.CDLL, arguments: Sequence[str]) -> Callable[..., int]:
    try:
        main = code.main
    except AttributeError:
        _unload(code)
        raise InputError(
            f"there is no `main` in '{next(iter(arguments), 'the program')}'",
            hint="a program needs `int main()` or `int main(int, char **)`, outside of namespaces",
        ) from None
    main.argtypes = (c_int, c_void_p, c_void_p)
    main.restype = c_int
    return main


def _main_arguments(arguments: Sequence[str]) -> tuple[int, object, object]:
    """`argc`, `argv` and the environment, which some systems' programs take too."""
    # C++ may write to its arguments, so they are memory of their own.
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
