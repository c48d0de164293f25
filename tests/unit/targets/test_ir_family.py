"""Which device IR a target's code is made from."""

import pytest

from dovetail.targets import Target, default_table
from dovetail.targets.ir_family import IRFamily, by_ir_family, ir_family

TABLE = default_table()


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("spir64", IRFamily.SPIRV64),
        ("spir64_gen", IRFamily.SPIRV64),
        ("spir64_x86_64", IRFamily.SPIRV64),
        ("spir64_fpga", IRFamily.SPIRV64),
        ("x86_64", IRFamily.SPIRV64),
        ("intel_gpu_pvc", IRFamily.SPIRV64),
        ("intel_cpu_spr", IRFamily.SPIRV64),
        ("nvidia_gpu_sm_90", IRFamily.NVPTX64),
        ("amd_gpu_gfx90a", IRFamily.AMDGCN),
    ],
)
def test_known_targets(name: str, family: IRFamily) -> None:
    assert ir_family(TABLE[name]) is family


def test_families_of_whole_vendors() -> None:
    expected = {"nvidia_gpu": IRFamily.NVPTX64, "amd_gpu": IRFamily.AMDGCN}
    for target in TABLE:
        assert ir_family(target) is expected.get(target.family, IRFamily.SPIRV64), target


def test_compiler_decides_where_a_users_file_names_one() -> None:
    assert ir_family(Target("mine", toolchain="ptxas")) is IRFamily.NVPTX64
    assert ir_family(Target("mine")) is IRFamily.SPIRV64


def test_each_family_has_its_targets_in_order() -> None:
    names = ["intel_gpu_pvc", "nvidia_gpu_sm_90", "spir64", "nvidia_gpu_sm_80"]
    families = by_ir_family(map(TABLE.__getitem__, names))
    assert {family: [t.name for t in targets] for family, targets in families.items()} == {
        IRFamily.SPIRV64: ["intel_gpu_pvc", "spir64"],
        IRFamily.NVPTX64: ["nvidia_gpu_sm_90", "nvidia_gpu_sm_80"],
    }


def test_nothing_said_means_spirv_for_any_device() -> None:
    assert by_ir_family([]) == {IRFamily.SPIRV64: ()}
