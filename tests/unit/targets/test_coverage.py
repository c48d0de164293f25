"""Which devices the code of a target can run on."""

import pytest

from dovetail.targets import Target, default_table
from dovetail.targets.coverage import compile_target, covers, decides_for


@pytest.mark.parametrize(
    ("target", "device", "expected"),
    [
        ("spir64", "intel_gpu_pvc", True),
        ("spir64", "", True),
        ("intel_gpu_pvc", "intel_gpu_pvc", True),
        ("intel_gpu_pvc", "intel_gpu_pvc_vg", False),
        ("intel_gpu_pvc", "", False),
        ("spir64_gen", "intel_gpu_dg1", True),
        ("spir64_gen", "x86_64", False),
        ("spir64_x86_64", "x86_64", True),
        ("x86_64", "spir64_x86_64", True),
        ("x86_64", "intel_cpu_spr", True),
        ("intel_cpu_spr", "x86_64", False),
        ("spir64_x86_64", "intel_gpu_dg1", False),
    ],
)
def test_covers(target: str, device: str, expected: bool) -> None:
    assert covers(target, device) is expected


@pytest.mark.parametrize(
    ("target", "device", "expected"),
    [
        ("x86_64", "intel_cpu_spr", False),
        ("spir64_x86_64", "intel_cpu_spr", False),
        ("x86_64", "spir64_x86_64", True),
        ("intel_cpu_spr", "intel_cpu_spr", True),
        ("intel_cpu_spr", "x86_64", False),
        ("spir64_gen", "intel_gpu_dg1", True),
        ("intel_gpu_pvc", "intel_gpu_dg1", False),
    ],
)
def test_decides_for(target: str, device: str, expected: bool) -> None:
    assert decides_for(target, device) is expected


def test_every_target_covers_itself() -> None:
    assert all(covers(target.name, target.name) for target in default_table())


@pytest.mark.parametrize(
    ("targets", "name"),
    [
        ("intel_gpu_pvc", "intel_gpu_pvc"),
        ("intel_gpu_12_60_7", "intel_gpu_pvc"),
        ("amd_gpu_gfx1100", "amd_gpu_gfx1100"),
        ("nvidia_gpu_sm_90", ""),
        ("x86_64", "spir64_x86_64"),
        ("spir64_x86_64", "spir64_x86_64"),
        ("intel_cpu_spr x86_64", "spir64_x86_64"),
        ("intel_gpu_rpl_s", "intel_gpu_adl_s"),
        ("intel_gpu_rpl_s intel_gpu_adl_s", "intel_gpu_adl_s"),
        ("intel_gpu_pvc x86_64", ""),
        ("spir64", ""),
        ("spir64_gen", ""),
        ("intel_gpu_pvc spir64", ""),
        ("", ""),
    ],
)
def test_compile_target(targets: str, name: str) -> None:
    table = default_table()
    assert compile_target(table[target] for target in targets.split()) == name


def test_targets_of_a_users_own_have_no_name_that_a_runtime_knows() -> None:
    assert compile_target([Target("my_gpu", toolchain="ocloc")]) == ""
