"""The engine's progress, in a file that both processes map."""

from __future__ import annotations

import struct
from mmap import mmap
from pathlib import Path

_COUNTS = struct.Struct("<QQ")


class Progress:
    """Counts of inputs that one process writes and another can read at any time."""

    def __init__(self, path: Path) -> None:
        """Open the counts in `path`; a new file starts at zero."""
        if not path.exists():
            path.write_bytes(bytes(_COUNTS.size))
        with path.open("r+b") as file:
            self._map = mmap(file.fileno(), _COUNTS.size)

    def set(self, executed: int, accepted: int) -> None:
        """Write both counts."""
        _COUNTS.pack_into(self._map, 0, executed, accepted)

    @property
    def executed(self) -> int:
        """The number of inputs so far."""
        return _COUNTS.unpack_from(self._map)[0]

    @property
    def accepted(self) -> int:
        """The number of inputs that the reader accepted."""
        return _COUNTS.unpack_from(self._map)[1]
