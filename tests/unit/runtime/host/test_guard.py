"""Errors on their way to C++."""

import threading

import pytest

from dovetail.errors import (
    ArgumentError,
    DeviceError,
    DovetailError,
    DuplicateDefinition,
    KernelNotFound,
    MissingImport,
    NoImageForDevice,
    ProgramBuildError,
)
from dovetail.runtime.backend import DeviceOutOfMemory
from dovetail.runtime.host.errc import Errc, HostError, errc_of
from dovetail.runtime.host.guard import Messages, guarded
from dovetail.runtime.host.handles import Handles
from dovetail.runtime.nd_range import RangeError
from dovetail.runtime.refusals import KernelNotSupported


@pytest.mark.parametrize(
    ("error", "errc"),
    [
        (HostError(Errc.PROFILING, ""), Errc.PROFILING),
        (RangeError(""), Errc.ND_RANGE),
        (ArgumentError(""), Errc.KERNEL_ARGUMENT),
        (ProgramBuildError(""), Errc.BUILD),
        (MissingImport(""), Errc.BUILD),
        (DuplicateDefinition(""), Errc.BUILD),
        (NoImageForDevice(""), Errc.BUILD),
        (KernelNotSupported(""), Errc.KERNEL_NOT_SUPPORTED),
        (KernelNotFound(""), Errc.KERNEL),
        (DeviceOutOfMemory(""), Errc.MEMORY_ALLOCATION),
        (MemoryError(), Errc.MEMORY_ALLOCATION),
        (DeviceError(""), Errc.RUNTIME),
        (DovetailError(""), Errc.RUNTIME),
        (ZeroDivisionError(), Errc.RUNTIME),
    ],
)
def test_errors_have_numbers(error: BaseException, errc: Errc) -> None:
    assert errc_of(error) is errc


def test_the_numbers_are_the_specifications() -> None:
    names = (
        "success runtime kernel accessor nd_range event kernel_argument build invalid"
        " memory_allocation platform profiling feature_not_supported kernel_not_supported"
        " backend_mismatch"
    )
    assert [errc.name.lower() for errc in sorted(Errc)] == names.split()
    assert list(map(int, Errc)) == list(range(15))


def test_what_a_function_returns_gets_through() -> None:
    def multiply(a: int, b: int) -> int:
        return a * b

    messages = Messages()
    assert guarded(lambda: None, messages)() == 0
    assert guarded(multiply, messages)(6, 7) == 42
    assert messages.last == ""


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), ValueError("who knows")])
def test_nothing_gets_out(error: BaseException) -> None:
    def fail() -> None:
        raise error

    messages = Messages()
    assert guarded(fail, messages)() == Errc.RUNTIME
    assert messages.last.startswith("a bug in Dovetail's runtime, please report it:\nTraceback")
    assert type(error).__name__ in messages.last


def test_messages_belong_to_threads() -> None:
    messages, seen = Messages(), list[str]()

    def other() -> None:
        seen.append(messages.last)
        messages.keep(DeviceError("theirs", hint="so there"))
        seen.append(messages.last)

    messages.keep(DeviceError("mine"))
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == ["", "theirs\nso there"]
    assert messages.last == "mine"


def test_messages_of_threads_that_are_gone_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    messages, thread = Messages(), 0
    monkeypatch.setattr("dovetail.runtime.host.guard.get_ident", lambda: thread)

    def last_of(number: int) -> str:
        nonlocal thread
        thread = number
        return messages.last

    for number in range(1000):
        last_of(number)
        messages.keep(DeviceError(f"message {number}"))
        assert messages.last == f"message {number}"
    assert 100 < sum(bool(last_of(number)) for number in range(1000)) <= 256


def test_handles_are_of_a_kind_and_used_once() -> None:
    handles = Handles()
    number = handles.add("text")
    assert number
    assert handles.get(number, str) == "text"
    with pytest.raises(HostError, match=f"there is no int with handle {number}") as raised:
        handles.get(number, int)
    assert raised.value.errc is Errc.INVALID
    assert handles.remove(number, str) == "text"
    with pytest.raises(HostError):
        handles.remove(number, str)
    with pytest.raises(HostError):
        handles.get(0, str)
    assert handles.add("other") != number
