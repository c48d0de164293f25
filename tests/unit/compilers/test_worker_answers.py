"""What compilers in child processes answer, if something is wrong with them."""

import pytest

from dovetail.compilers.ocloc_library import read_answer
from dovetail.compilers.opencl_cpu import unpacked
from dovetail.errors import FormatError
from dovetail.packing import packed


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
