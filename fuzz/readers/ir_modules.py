"""Bitcode and textual IR, which a child process reads before this process does.

A new child would spend most of its time loading LLVM. So most inputs are read by children forked
from a process that has loaded it (`ir_server`), and then by this process, as in `parse_untrusted`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from random import Random
from zlib import crc32

from dovetail.device_metadata import (
    conditionally_used_aspects,
    counts_written_uses,
    declared_aspects,
    facts_of,
    required_sizes,
    used_aspects,
)
from dovetail.errors import IRError
from dovetail.ir import Context, Module, parse_untrusted
from dovetail.processes.messages import receive, send
from fuzz.edits import edited_array, edited_bytes, edited_field
from fuzz.reader import CHILD_COUNT, Reader
from fuzz.readers.text_edits import edited_lines

_TEXT = b"""\
target triple = "spir64-unknown-unknown"
@v = addrspace(1) global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
define spir_kernel void @k(ptr addrspace(1) %out, i32 %n) #0 !sycl_used_aspects !1 {
entry:
  %c = icmp slt i32 %n, 4
  br i1 %c, label %then, label %end
then:
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i32 %n
  %x = call spir_func double @f(double 1.5)
  store i32 7, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}
define spir_func double @f(double %a) !sycl_declared_aspects !2 {
  %r = fmul double %a, 2.0
  ret double %r
}
declare spir_func i64 @_Z13get_global_idj(i32)
attributes #0 = { "sycl-module-id"="a.cpp" }
!dovetail.facts = !{!0}
!0 = !{!"{\\22files\\22:[],\\22kernels\\22:[],\\22functions\\22:[]}", !"written"}
!1 = !{i32 6, !{!"fp16", i32 5}}
!2 = !{}
"""
_SMALL = b"""\
define i32 @f(<4 x i32> %v) {
  %e = extractelement <4 x i32> %v, i32 1
  ret i32 %e
}
"""
_WORDS = (
    *(b"i32", b"i1", b"ptr", b"void", b"double", b"<4 x i32>", b"[4 x i8]", b"%x", b"@f", b"!0"),
    *(b"0", b"1", b"4294967295", b"9999999999999", b"zeroinitializer", b"poison", b"null", b"{"),
    *(b"}", b"(", b")", b",", b"=", b"metadata", b"align 4", b'"', b"call", b"distinct !{!0}"),
    *(b"i8388607", b"<99999999 x i64>", b"blockaddress(@k, %end)", b'!DIFile(filename: "a")'),
)
_NUMBER = re.compile(rb"\d+")
_WRAPPER_MAGIC = b"BC\xc0\xde"


_PARSE_UNTRUSTED_EVERY = 500
"""One in this many inputs is read by `parse_untrusted` itself."""


class _Server:
    """The process that forks children; started for the first input."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def try_in_child(self, data: bytes) -> None:
        """Raise `IRError` if a child rejects the IR or crashes."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "fuzz.ir_server"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        assert self._process.stdin
        assert self._process.stdout
        send(self._process.stdin, data)
        status, _, refusal = receive(self._process.stdout).partition(b"\n")
        if int(status) or refusal:
            message = refusal.decode(errors="replace")
            raise IRError(message or f"the child ended with status {int(status)}")


_server = _Server()


def parsed(data: bytes) -> Module:
    """Return the module in `data`; `IRError` if a child rejects it or crashes."""
    if crc32(data) % _PARSE_UNTRUSTED_EVERY == 0:
        return parse_untrusted(data, "fuzz")
    _server.try_in_child(data)
    return Module.parse(Context(), data, "fuzz")


def _read(data: bytes) -> None:
    module = parsed(data)
    for read_part in (
        *(facts_of, used_aspects, declared_aspects, conditionally_used_aspects),
        *(required_sizes, counts_written_uses),
    ):
        read_part(module)


def _text_seeds() -> list[bytes]:
    return [_TEXT, _SMALL]


def _bitcode_seeds() -> list[bytes]:
    return [Module.parse(Context(), text, "seed").to_bitcode() for text in _text_seeds()]


def _edited_text(data: bytes, random: Random) -> bytes:
    numbers = list(_NUMBER.finditer(data))
    if not numbers or random.random() < 0.4:
        return edited_lines(data, random, _WORDS)
    # Modules with one number changed are mostly valid, so that their metadata is read.
    chosen = random.choice(numbers)
    other = random.choice((b"0", b"1", b"2", b"7", b"64", b"99", b"-1", b"4294967296"))
    return data[: chosen.start()] + other + data[chosen.end() :]


def _edited_bitcode(data: bytes, random: Random) -> bytes:
    """Return bitcode with changed words after the magic number."""
    body = data[len(_WRAPPER_MAGIC) :]
    match random.randrange(4):
        case 0:
            changed = edited_bytes(body, random)
        case 1:
            changed = edited_field(body, random.randrange(max(len(body), 1)), 1, random)
        case _:
            changed = edited_array(body, random)
    return _WRAPPER_MAGIC + changed


BITCODE = Reader(
    "bitcode, and the metadata in it",
    _bitcode_seeds,
    _read,
    _edited_bitcode,
    count=CHILD_COUNT,
    starts_children=True,
)
TEXT = Reader(
    "textual IR, and the metadata in it",
    _text_seeds,
    _read,
    _edited_text,
    count=CHILD_COUNT,
    starts_children=True,
)
