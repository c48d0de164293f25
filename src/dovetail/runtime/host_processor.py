"""The features of the host's processor that compiled code may depend on."""

from functools import cache
from pathlib import Path

_LIST = Path("/proc/cpuinfo")
_FIRST_BYTES = 8192
"""Enough for the first processor; the file can be long."""

# On x86 and on ARM.
_IDENTIFYING_KEYS = {
    *("vendor_id", "cpu family", "model", "model name", "stepping", "flags"),
    *("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision", "Features"),
}


@cache
def processor_features() -> str:
    """Return model and instruction sets of the first processor; empty if they are unknown."""
    try:
        with _LIST.open("rb") as file:
            text = file.read(_FIRST_BYTES).decode(errors="replace")
    except OSError:
        return ""
    first, _, _ = text.partition("\n\n")
    return "\n".join(
        line for line in first.splitlines() if line.split("\t")[0] in _IDENTIFYING_KEYS
    )
