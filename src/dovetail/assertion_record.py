"""The record that a kernel on a SPIR-V device writes when an assertion fails.

The first work-item that fails writes it to a variable of the image. Another kernel of the image,
which the runtime launches after the others, copies the record to the host and clears it.
"""

from struct import Struct
from typing import NamedTuple

VARIABLE = "__dovetail_assertion"
TEXT_SIZE = 256
"""Bytes of each text in a record, including the final zero; longer texts are truncated."""

LLVM_TYPE = f"{{ i32, i32, [3 x i64], [3 x i64], {', '.join([f'[{TEXT_SIZE} x i8]'] * 3)} }}"
"""Whether an assertion failed, line, global id, local id, expression, file, function."""

_LAYOUT = Struct(f"<2I6Q{TEXT_SIZE}s{TEXT_SIZE}s{TEXT_SIZE}s")
RECORD_SIZE = _LAYOUT.size


def reader_symbol(kernel: str) -> str:
    """Return the symbol of the kernel that reads an image's record.

    `kernel` is the first kernel of the image that can fail: images may be linked with each other,
    so the symbol must be unique.
    """
    return f"__dovetail_assertion_of_{kernel}"


class FailedAssertion(NamedTuple):
    """A failed assertion."""

    file: str
    line: int
    function: str
    expression: str
    global_id: tuple[int, ...]
    local_id: tuple[int, ...]

    @classmethod
    def read(cls, record: bytes) -> "FailedAssertion | None":
        """Decode a record; None if no assertion failed."""
        failed, line, *numbers = _LAYOUT.unpack(record)
        if not failed:
            return None
        ids, texts = numbers[:6], numbers[6:]
        expression, file, function = (
            text.partition(b"\0")[0].decode(errors="replace") for text in texts
        )
        return cls(file, line, function, expression, tuple(ids[:3]), tuple(ids[3:]))

    def __str__(self) -> str:
        where = f"global id: {_list(self.global_id)}, local id: {_list(self.local_id)}"
        return (
            f"{self.file}:{self.line}: {self.function}: {where}"
            f" Assertion `{self.expression}` failed."
        )


def _list(numbers: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, numbers))}]"
