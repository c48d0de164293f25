"""What the host's processor can do, as far as code that was compiled for it depends on it."""

from functools import cache
from pathlib import Path

_LIST = Path("/proc/cpuinfo")
_FIRST_BYTES = 8192
"""Enough for one processor; the list of all of them is long where there are many."""

# As x86 and ARM have them.
_IDENTIFYING_KEYS = {
    *("vendor_id", "cpu family", "model", "model name", "stepping", "flags"),
    *("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision", "Features"),
}


@cache
def processor_features() -> str:
    """Model and instruction sets of the first processor; empty if the system does not tell."""
    try:
        with _LIST.open("rb") as file:
            text = file.read(_FIRST_BYTES).decode(errors="replace")
    except OSError:
        return ""
    first, _, _ = text.partition("\n\n")
    return "\n".join(
        line for line in first.splitlines() if line.split("\t")[0] in _IDENTIFYING_KEYS
    )
