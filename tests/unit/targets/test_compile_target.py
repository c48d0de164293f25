"""How images name the one target that they are built for."""

import pytest

from dovetail.targets import Target, default_table
from dovetail.targets.compile_target import compile_target


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
def test_names(targets: str, name: str) -> None:
    table = default_table()
    assert compile_target(table[target] for target in targets.split()) == name


def test_targets_of_a_users_own_have_no_name_that_a_runtime_knows() -> None:
    assert compile_target([Target("my_gpu", toolchain="ocloc")]) == ""
