"""What the host's processor can do, as far as code that was compiled for it depends on it."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

_LIST = Path("/proc/cpuinfo")
_FIRST_BYTES = 8192
"""Enough for one processor; the list of all of them is long where there are many."""

# As x86 and ARM have them.
_TELLING = {
    *("vendor_id", "cpu family", "model", "model name", "stepping", "flags"),
    *("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision", "Features"),
}


_KINDS = (
    ("diamondrapids", "amx_fp8 avx10_2"),
    ("graniterapids", "amx_fp16"),
    ("sapphirerapids", "amx_tile amx_int8 amx_bf16 avx512_fp16 avx512_bf16"),
    ("icelake-server", "pconfig wbnoinvd avx512_vbmi2"),
    ("icelake-client", "avx512vbmi avx512_vbmi2 avx512_bitalg avx512_vpopcntdq gfni vaes"),
    ("cascadelake", "avx512_vnni"),
    ("skx", "avx512f avx512cd avx512bw avx512dq avx512vl"),
    ("core-avx2", "avx2 fma bmi1 bmi2 f16c movbe"),
    ("corei7-avx", "avx"),
    ("corei7", "sse4_2 popcnt"),
)
"""The kinds of x86-64 processors that compilers tell apart, by LLVM's names, newest first, and the
instruction sets that each has beside those of all kinds after it."""


@cache
def processor_kind() -> str:
    """The newest kind of x86-64 processor that the first processor is; empty if it is none."""
    lines = (line.partition(":") for line in processor_features().splitlines())
    flags = {name.strip(): value.split() for name, _, value in lines}
    return kind_with(flags.get("flags", ()))


def kind_with(flags: Iterable[str]) -> str:
    """The newest kind that has these instruction sets at most."""
    there, needed, found = {*flags}, set[str](), ""
    for kind, more in reversed(_KINDS):
        needed |= {*more.split()}
        if needed <= there:
            found = kind
    return found


@cache
def processor_features() -> str:
    """Model and instruction sets of the first processor; empty if the system does not tell."""
    try:
        with _LIST.open("rb") as file:
            text = file.read(_FIRST_BYTES).decode(errors="replace")
    except OSError:
        return ""
    first, _, _ = text.partition("\n\n")
    return "\n".join(line for line in first.splitlines() if line.split("\t")[0] in _TELLING)
