"""Malformed answers of compilers in child processes."""

import pytest

from dovetail.compilers.ocloc_library import read_answer
from dovetail.compilers.opencl_cpu import unpacked
from dovetail.errors import FormatError
from dovetail.packing import packed


@pytest.mark.parametrize("answer", [b"", b"\0", packed([b"0"]), packed([b"x", b"log"])])
def test_malformed_answers_of_ocloc(answer: bytes) -> None:
    with pytest.raises(FormatError):
        read_answer(answer)


@pytest.mark.parametrize("answer", [b"", b"\0", packed([b"built", b"1"]), packed([b"a"] * 4)])
def test_malformed_answers_of_the_opencl_cpu_runtime(answer: bytes) -> None:
    with pytest.raises(FormatError):
        unpacked(answer)


def test_a_message_that_is_not_utf8() -> None:
    assert unpacked(packed([b"refused", b"\xff", b""])).message == "\ufffd"
