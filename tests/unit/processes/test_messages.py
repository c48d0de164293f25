"""Messages between processes come whole, or not at all."""

import io
import tracemalloc

import pytest

from dovetail.processes.messages import receive, send


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
