"""What a kernel for SPIR-V devices leaves behind when an assertion fails, and how it is read.

The code of the first work-item that fails writes a record into a variable of the image. A kernel
beside it, which the runtime starts when others have ended, copies the record out and clears it.
"""

from struct import Struct
from typing import NamedTuple

VARIABLE = "__dovetail_assertion"
TEXT_SIZE = 256
"""Bytes of each text in a record, the zero at the end included; longer ones are cut."""

LLVM_TYPE = f"{{ i32, i32, [3 x i64], [3 x i64], {', '.join([f'[{TEXT_SIZE} x i8]'] * 3)} }}"
"""Whether there is one, line, global and local id, expression, file, function."""

_LAYOUT = Struct(f"<2I6Q{TEXT_SIZE}s{TEXT_SIZE}s{TEXT_SIZE}s")
RECORD_SIZE = _LAYOUT.size


def reader_symbol(kernel: str) -> str:
    """The kernel that reads the record of an image, by the first kernel there that can fail.

    Images may be linked with each other, so each has a name of its own for it.
    """
    return f"__dovetail_assertion_of_{kernel}"


class FailedAssertion(NamedTuple):
    """One assertion that failed."""

    file: str
    line: int
    function: str
    expression: str
    global_id: tuple[int, ...]
    local_id: tuple[int, ...]

    @classmethod
    def read(cls, record: bytes) -> "FailedAssertion | None":
        """What the record tells; None if no assertion failed."""
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
