"""The record of a failed assertion."""

from struct import pack

from dovetail.assertion_record import RECORD_SIZE, FailedAssertion


def record(failed: int, line: int, ids: tuple[int, ...], *texts: bytes) -> bytes:
    return pack("<2I6Q", failed, line, *ids) + b"".join(text.ljust(256, b"\0") for text in texts)


def test_message() -> None:
    data = record(1, 12, (0, 1, 22, 0, 1, 2), b"x > 0", b"dir/a.cpp", b"void f(int)")
    assert len(data) == RECORD_SIZE
    assert str(FailedAssertion.read(data)) == (
        "dir/a.cpp:12: void f(int): global id: [0,1,22], local id: [0,1,2]"
        " Assertion `x > 0` failed."
    )


def test_nothing_failed() -> None:
    assert FailedAssertion.read(bytes(RECORD_SIZE)) is None


def test_texts_end_at_the_first_zero() -> None:
    data = record(1, 1, (0,) * 6, b"short\0older and longer", b"f", b"\xff")
    failed = FailedAssertion.read(data)
    assert failed is not None
    assert failed.expression == "short"
    assert failed.function == "\ufffd"
