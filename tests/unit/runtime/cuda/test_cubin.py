"""Checks of code for NVIDIA's GPUs before the driver gets it."""

import struct

import pytest
from hypothesis import given, strategies as st

from dovetail.errors import ProgramBuildError
from dovetail.runtime.cuda.cubin import check_cubin, check_ptx, cubin_architecture

_HEADER = struct.Struct("<4sBBBBB7xHHIQQQIHHHHHH")


def cubin(flags: int, abi: int = 8, *, kind: int = 2, machine: int = 190) -> bytes:
    return _HEADER.pack(
        b"\x7fELF", 2, 1, 1, 65, abi, kind, machine, 1, 0, 0, 0, flags, 64, 56, 0, 64, 0, 0
    )


@pytest.mark.parametrize(
    ("abi", "flags", "architecture"),
    [(7, 0x5A055A, 90), (7, 0x500550, 80), (8, 0x6005A04, 90), (8, 0x6007804, 120)],
)
def test_the_architecture_is_in_the_flags(abi: int, flags: int, architecture: int) -> None:
    assert cubin_architecture(cubin(flags, abi)) == architecture


@pytest.mark.parametrize(
    ("capability", "runs"),
    [((8, 6), True), ((8, 9), True), ((8, 0), False), ((9, 0), False), ((7, 5), False)],
)
def test_which_devices_run_a_cubin(capability: tuple[int, int], runs: bool) -> None:
    code = cubin(86 << 8)
    if runs:
        check_cubin(code, capability, "card")
        return
    with pytest.raises(ProgramBuildError) as raised:
        check_cubin(code, capability, "card")
    own = "".join(map(str, capability))
    assert str(raised.value) == f"the cubin is for sm_86, which 'card' (sm_{own}) does not run"


@pytest.mark.parametrize("machine", [62, 224])
def test_other_machines(machine: int) -> None:
    with pytest.raises(ProgramBuildError, match="not an executable for NVIDIA's GPUs"):
        cubin_architecture(cubin(90, machine=machine))


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for begin in (b"", cubin(90)[:16], cubin(90)):
        assert verdict(begin + data).startswith(("sm_", "the cubin is damaged"))


def verdict(data: bytes) -> str:
    try:
        return f"sm_{cubin_architecture(data)}"
    except ProgramBuildError as error:
        return error.message


PTX = b"// LLVM\n.version 7.8\n.target sm_80\n.address_size 64\n"


@pytest.mark.parametrize("capability", [(8, 0), (8, 6), (9, 0), (12, 1)])
def test_ptx_for_older_devices(capability: tuple[int, int]) -> None:
    check_ptx(PTX, capability, "card")


@pytest.mark.parametrize(
    ("text", "capability", "complaint"),
    [
        (PTX, (7, 5), "the PTX is for sm_80, which 'card' (sm_75) does not run"),
        (PTX.replace(b"80", b"90a"), (10, 0), "the PTX is for sm_90a, which 'card' (sm_100)"),
        (PTX + b"\0", (9, 0), "the PTX is damaged"),
        (b".target sm_80\n", (9, 0), "the PTX is damaged"),
        (b".version 7.8\n", (9, 0), "the PTX is damaged"),
    ],
)
def test_ptx_that_the_driver_would_refuse(
    text: bytes, capability: tuple[int, int], complaint: str
) -> None:
    with pytest.raises(ProgramBuildError) as raised:
        check_ptx(text, capability, "card")
    assert complaint in str(raised.value)


def test_ptx_for_one_architecture_only() -> None:
    check_ptx(PTX.replace(b"80", b"90a"), (9, 0), "card")
