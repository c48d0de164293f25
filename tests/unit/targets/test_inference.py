"""What a target's name tells about its toolchain."""

import pytest

from dovetail.targets import default_table
from dovetail.targets.inference import COMPILER_IDS, TOOLCHAINS, compiler_id_options, infer


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("intel_gpu_skl", ("ocloc", "-device skl")),
        ("intel_gpu_acm_g10", ("ocloc", "-device acm_g10")),
        ("intel_gpu_20_1_4", ("ocloc", "-device 20.1.4")),
        ("intel_gpu_20_1", ("ocloc", "-device 20_1")),
        ("intel_gpu_20_1_x", ("ocloc", "-device 20_1_x")),
        ("nvidia_gpu_sm_90a", ("ptxas", "-arch=sm_90a")),
        ("amd_gpu_gfx90a", ("amdgpu", "-mcpu=gfx90a")),
    ],
)
def test_name_of_a_family(name: str, expected: tuple[str, str]) -> None:
    assert infer(name) == expected


@pytest.mark.parametrize(
    "name",
    [
        "",
        "spir64",
        "x86_64",
        "intel_gpu",
        "intel_gpu_",
        "my_intel_gpu_skl",
        "nvidia_gpu_sm_",
        "nvidia_gpu_90",
        "amd_gpu_gfx",
        "amd_gpu_90a",
        "arm_gpu_mali",
        "intel_cpu_spr",
    ],
)
def test_name_that_tells_nothing(name: str) -> None:
    assert infer(name) is None


def test_default_table_agrees_on_the_toolchain() -> None:
    for target in default_table():
        inferred = infer(target.name)
        if inferred is not None:
            assert inferred[0] == target.toolchain, target


@pytest.mark.parametrize(
    ("compiler_id", "name", "options"),
    [
        ("gen-spir64", "gen11_1", "-device 11.1.0"),
        ("gen-spir64", "gen_icl", "-device icllp"),
        ("gen-spir64", "gen_unheard_of", "-device unheard_of"),
        ("gen-spir64", "gen11", "-device gen11"),
        ("gen-spir64", "11_0_0", "-device icllp"),
        ("gen-spir64", "intel_gpu_new", "-device new"),
        ("gen-spir64", "nvidia_gpu_sm_90", ""),
        ("x86-spir64", "x86_64_avx512", ""),
        ("x86-spir64", "intel_gpu_new", ""),
    ],
)
def test_compiler_id(compiler_id: str, name: str, options: str) -> None:
    assert compiler_id_options(compiler_id, name, default_table()) == options


def test_compiler_ids_stand_for_toolchains() -> None:
    assert set(COMPILER_IDS.values()) <= set(TOOLCHAINS)
