"""The worker process that runs ocloc as a library; see `dovetail.compilers.ocloc_library`.

A build waits for several workers to start, so they import little besides the compiler.
"""

import ctypes
import os
import sys

from dovetail.packing import packed, unpacked
from dovetail.processes.messages import answer_stream, serve

# Not from `typing`, whose import would dominate the start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LOG = b"stdout.log"
"""The output file with what the program would print."""

_COMPILER = "libigc.so.1"

_Bytes = ctypes.POINTER(ctypes.c_uint8)


def _answer(library: ctypes.CDLL, request: bytes) -> tuple[bytes, bool]:
    """Return the answer, and whether the worker can accept another request."""
    content, name, output, *words = unpacked(request)
    status, files = _call(library, words, name, content)
    # The library prefixes the names of its outputs with the folder.
    wanted = os.path.normpath(output)
    made = [data for path, data in files.items() if os.path.normpath(path) == wanted]
    # After a failure the library's state is undefined, so the worker is not used again.
    return packed([str(status).encode(), files.get(_LOG, b""), *made]), status == 0


def _call(
    library: ctypes.CDLL, words: "Sequence[bytes]", name: bytes, content: bytes
) -> tuple[int, dict[bytes, bytes]]:
    """Return the status and the output files by name; see `ocloc_api.h`."""
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
    """Load IGC now, which the library would load on its first compilation."""
    try:
        ctypes.CDLL(_COMPILER)
    except OSError:
        # The library reports the error itself when it compiles.
        return


if __name__ == "__main__":
    answers = answer_stream()
    library = ctypes.CDLL(sys.argv[1])
    _load_compiler()
    serve(answers, lambda request: _answer(library, request))
