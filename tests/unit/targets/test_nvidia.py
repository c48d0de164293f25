"""Which code of NVIDIA's architectures runs on which devices."""

import pytest

from dovetail.targets.coverage import runs_native
from dovetail.targets.nvidia import native_distance, newest_up_to, ptx_distance

SM = "nvidia_gpu_sm_"


@pytest.mark.parametrize(
    ("code", "device", "distance"),
    [
        ("90", "90", 0),
        ("80", "86", 6),
        ("86", "80", None),
        ("80", "90", None),
        ("90a", "90", 0),
        ("100", "103", 3),
        ("100a", "103", None),
        ("120", "121", 1),
    ],
)
def test_native_code(code: str, device: str, distance: int | None) -> None:
    assert native_distance(SM + code, SM + device) == distance
    assert runs_native(SM + code, SM + device) == (distance is not None)


@pytest.mark.parametrize(
    ("codes", "device", "distance"),
    [
        (["80", "86", "90", "90a"], "90", 10),
        (["80", "86", "90", "90a"], "120", 40),
        (["90", "90a"], "89", None),
        (["90a"], "100", None),
        (["90a"], "90", 0),
        ([], "90", None),
    ],
)
def test_ptx(codes: list[str], device: str, distance: int | None) -> None:
    assert ptx_distance([SM + code for code in codes], SM + device) == distance


@pytest.mark.parametrize(
    ("capability", "name"),
    [((9, 0), SM + "90"), ((8, 8), SM + "87"), ((12, 0), SM + "90"), ((3, 5), "")],
)
def test_the_newest_known_architecture(capability: tuple[int, int], name: str) -> None:
    assert newest_up_to(capability) == name


def test_other_targets() -> None:
    assert native_distance("x86_64", SM + "90") is None
    assert native_distance(SM + "90", "x86_64") is None
    assert runs_native("x86_64", "x86_64")
    assert ptx_distance(["spir64"], SM + "90") is None
