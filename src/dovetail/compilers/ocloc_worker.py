"""The process in which Intel's compiler for its GPUs works; see `dovetail.compilers.ocloc_library`.

A build waits for several of these to come up, so they load little beside the compiler.
"""

import ctypes
import os
import sys

from dovetail.packing import packed, unpacked
from dovetail.processes.messages import answer_stream, serve

# Not typing's: loading that takes as long as much else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LOG = b"stdout.log"
"""The file in which the library says what the program would print."""

_COMPILER = "libigc.so.1"

_Bytes = ctypes.POINTER(ctypes.c_uint8)


def _answer(library: ctypes.CDLL, request: bytes) -> tuple[bytes, bool]:
    """Return an answer, and whether the library can be asked again."""
    content, name, output, *words = unpacked(request)
    status, files = _call(library, words, name, content)
    # It puts the folder before the names of what it makes.
    wanted = os.path.normpath(output)
    made = [data for path, data in files.items() if os.path.normpath(path) == wanted]
    # Whatever a failure leaves in the library is not for the modules of others.
    return packed([str(status).encode(), files.get(_LOG, b""), *made]), status == 0


def _call(
    library: ctypes.CDLL, words: "Sequence[bytes]", name: bytes, content: bytes
) -> tuple[int, dict[bytes, bytes]]:
    """Status, and the files that were made by name; see ocloc_api.h."""
    arguments = (b"ocloc", *words)
    source = (ctypes.c_uint8 * len(content)).from_buffer_copy(content)
    count = ctypes.c_uint32()
    data = ctypes.POINTER(_Bytes)()
    sizes = ctypes.POINTER(ctypes.c_uint64)()
    names = ctypes.POINTER(ctypes.c_char_p)()
    made = tuple(map(ctypes.byref, (count, data, sizes, names)))
    status: int = library.oclocInvoke(
        len(arguments),
        (ctypes.c_char_p * len(arguments))(*arguments),
        1,
        (_Bytes * 1)(ctypes.cast(source, _Bytes)),
        (ctypes.c_uint64 * 1)(len(content)),
        (ctypes.c_char_p * 1)(name),
        *(0, None, None, None),
        *made,
    )
    files = {names[n] or b"": ctypes.string_at(data[n], sizes[n]) for n in range(count.value)}
    library.oclocFreeOutput(*made)
    return status, files


def _load_compiler() -> None:
    """The library loads this one, most of it all, when it compiles for the first time."""
    try:
        ctypes.CDLL(_COMPILER)
    except OSError:
        # It will say so itself.
        return


if __name__ == "__main__":
    answers = answer_stream()
    library = ctypes.CDLL(sys.argv[1])
    _load_compiler()
    serve(answers, lambda request: _answer(library, request))
