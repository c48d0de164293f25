"""What compilers in child processes answer, if something is wrong with them."""

import io
import tracemalloc

import pytest

from dovetail.compilers.messages import receive, send
from dovetail.compilers.ocloc_library import read_answer
from dovetail.compilers.opencl_cpu import unpacked
from dovetail.errors import FormatError
from dovetail.packing import packed


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (3 << 20) + 5])
def test_messages_come_whole(size: int) -> None:
    stream = io.BytesIO()
    send(stream, b"x" * size)
    send(stream, b"next")
    stream.seek(0)
    assert receive(stream) == b"x" * size
    assert receive(stream) == b"next"


@pytest.mark.parametrize("size", [1 << 34, (1 << 64) - 1])
def test_a_size_that_is_not_true(size: int) -> None:
    """Nothing is allocated for what has not come."""
    stream = io.BytesIO(size.to_bytes(8, "little") + b"end")
    tracemalloc.start()
    try:
        with pytest.raises(EOFError):
            receive(stream)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("answer", [b"", b"\0", packed([b"0"]), packed([b"x", b"log"])])
def test_ocloc_answers_something_else(answer: bytes) -> None:
    with pytest.raises(FormatError):
        read_answer(answer)


@pytest.mark.parametrize("answer", [b"", b"\0", packed([b"built", b"1"]), packed([b"a"] * 4)])
def test_the_opencl_compiler_answers_something_else(answer: bytes) -> None:
    with pytest.raises(FormatError):
        unpacked(answer)


def test_a_message_that_is_not_utf8() -> None:
    assert unpacked(packed([b"refused", b"\xff", b""])).said == "\ufffd"
