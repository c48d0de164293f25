"""Messages between processes."""

import io
import tracemalloc

import pytest

from dovetail.processes.messages import receive, send


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (3 << 20) + 5])
def test_round_trip(size: int) -> None:
    stream = io.BytesIO()
    send(stream, b"x" * size)
    send(stream, b"next")
    stream.seek(0)
    assert receive(stream) == b"x" * size
    assert receive(stream) == b"next"


@pytest.mark.parametrize("size", [1 << 34, (1 << 64) - 1])
def test_a_wrong_size(size: int) -> None:
    """Memory is allocated only for data that arrived."""
    stream = io.BytesIO(size.to_bytes(8, "little") + b"end")
    tracemalloc.start()
    try:
        with pytest.raises(EOFError):
            receive(stream)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
