"""The default configuration: names, numbers and macros that are an ABI."""

import pytest

from dovetail.errors import UsageError
from dovetail.targets import (
    Target,
    _names,
    architecture_names,
    default_table,
    groups_of,
    target_of_identifier,
)

TABLE = default_table()

# Compiled conditions hold these numbers: append, never change.
# ruff: noqa: SIM905 -- lists of names are easier to read this way
ARCHITECTURES = """
x86_64 intel_gpu_bdw intel_gpu_skl intel_gpu_kbl intel_gpu_cfl intel_gpu_apl intel_gpu_glk
intel_gpu_whl intel_gpu_aml intel_gpu_cml intel_gpu_icllp intel_gpu_tgllp intel_gpu_rkl
intel_gpu_adl_s intel_gpu_adl_p intel_gpu_adl_n intel_gpu_dg1 intel_gpu_acm_g10 intel_gpu_acm_g11
intel_gpu_acm_g12 intel_gpu_pvc
nvidia_gpu_sm_50 nvidia_gpu_sm_52 nvidia_gpu_sm_53 nvidia_gpu_sm_60 nvidia_gpu_sm_61
nvidia_gpu_sm_62 nvidia_gpu_sm_70 nvidia_gpu_sm_72 nvidia_gpu_sm_75 nvidia_gpu_sm_80
nvidia_gpu_sm_86 nvidia_gpu_sm_87 nvidia_gpu_sm_89 nvidia_gpu_sm_90
amd_gpu_gfx700 amd_gpu_gfx701 amd_gpu_gfx702 amd_gpu_gfx801 amd_gpu_gfx802 amd_gpu_gfx803
amd_gpu_gfx805 amd_gpu_gfx810 amd_gpu_gfx900 amd_gpu_gfx902 amd_gpu_gfx904 amd_gpu_gfx906
amd_gpu_gfx908 amd_gpu_gfx90a amd_gpu_gfx1010 amd_gpu_gfx1011 amd_gpu_gfx1012 amd_gpu_gfx1013
amd_gpu_gfx1030 amd_gpu_gfx1031 amd_gpu_gfx1032 amd_gpu_gfx1034
intel_cpu_spr intel_cpu_gnr intel_cpu_dmr intel_gpu_ehl intel_gpu_pvc_vg intel_gpu_mtl_u
intel_gpu_mtl_h intel_gpu_arl_h intel_gpu_bmg_g21 intel_gpu_bmg_g31 intel_gpu_lnl_m
intel_gpu_ptl_h intel_gpu_ptl_u intel_gpu_wcl intel_gpu_nvl_s intel_gpu_nvl_u intel_gpu_nvl_p
intel_gpu_cri nvidia_gpu_sm_90a amd_gpu_gfx703 amd_gpu_gfx704 amd_gpu_gfx705 amd_gpu_gfx909
amd_gpu_gfx90c amd_gpu_gfx940 amd_gpu_gfx941 amd_gpu_gfx942 amd_gpu_gfx1033 amd_gpu_gfx1035
amd_gpu_gfx1036 amd_gpu_gfx1100 amd_gpu_gfx1101 amd_gpu_gfx1102 amd_gpu_gfx1103 amd_gpu_gfx1150
amd_gpu_gfx1151 amd_gpu_gfx1200 amd_gpu_gfx1201
""".split()

# Headers ask for these.
MACROS = """
INTEL_GPU_BDW INTEL_GPU_SKL INTEL_GPU_KBL INTEL_GPU_CFL INTEL_GPU_APL INTEL_GPU_GLK INTEL_GPU_WHL
INTEL_GPU_AML INTEL_GPU_CML INTEL_GPU_ICLLP INTEL_GPU_TGLLP INTEL_GPU_RKL INTEL_GPU_ADL_S
INTEL_GPU_RPL_S INTEL_GPU_ADL_P INTEL_GPU_ADL_N INTEL_GPU_DG1 INTEL_GPU_ACM_G10 INTEL_GPU_ACM_G11
INTEL_GPU_ACM_G12 INTEL_GPU_PVC
NVIDIA_GPU_SM50 NVIDIA_GPU_SM52 NVIDIA_GPU_SM53 NVIDIA_GPU_SM60 NVIDIA_GPU_SM61 NVIDIA_GPU_SM62
NVIDIA_GPU_SM70 NVIDIA_GPU_SM72 NVIDIA_GPU_SM75 NVIDIA_GPU_SM80 NVIDIA_GPU_SM86 NVIDIA_GPU_SM87
NVIDIA_GPU_SM89 NVIDIA_GPU_SM90
AMD_GPU_GFX700 AMD_GPU_GFX701 AMD_GPU_GFX702 AMD_GPU_GFX801 AMD_GPU_GFX802 AMD_GPU_GFX803
AMD_GPU_GFX805 AMD_GPU_GFX810 AMD_GPU_GFX900 AMD_GPU_GFX902 AMD_GPU_GFX904 AMD_GPU_GFX906
AMD_GPU_GFX908 AMD_GPU_GFX90A AMD_GPU_GFX1010 AMD_GPU_GFX1011 AMD_GPU_GFX1012 AMD_GPU_GFX1013
AMD_GPU_GFX1030 AMD_GPU_GFX1031 AMD_GPU_GFX1032 AMD_GPU_GFX1034
""".split()

ALIASES = {
    "intel_gpu_8_0_0": "intel_gpu_bdw",
    "intel_gpu_9_0_9": "intel_gpu_skl",
    "intel_gpu_9_1_9": "intel_gpu_kbl",
    "intel_gpu_9_2_9": "intel_gpu_cfl",
    "intel_gpu_9_3_0": "intel_gpu_apl",
    "intel_gpu_bxt": "intel_gpu_apl",
    "intel_gpu_9_4_0": "intel_gpu_glk",
    "intel_gpu_9_5_0": "intel_gpu_whl",
    "intel_gpu_9_6_0": "intel_gpu_aml",
    "intel_gpu_9_7_0": "intel_gpu_cml",
    "intel_gpu_11_0_0": "intel_gpu_icllp",
    "intel_gpu_12_0_0": "intel_gpu_tgllp",
    "intel_gpu_12_2_0": "intel_gpu_adl_s",
    "intel_gpu_12_10_0": "intel_gpu_dg1",
    "intel_gpu_dg2_g10": "intel_gpu_acm_g10",
    "intel_gpu_12_60_7": "intel_gpu_pvc",
    "intel_gpu_jsl": "intel_gpu_ehl",
    "intel_gpu_20_1_4": "intel_gpu_bmg_g21",
    "xe-pvc": "intel_gpu_pvc",
    "xe-pvc-vg": "intel_gpu_pvc_vg",
    "xe-ats-m150": "intel_gpu_acm_g10",
    "xe-arl-u": "intel_gpu_mtl_u",
    "xe-nvl-hx": "intel_gpu_nvl_s",
    "xe-rpl-s": "intel_gpu_rpl_s",
    "xe-tgl": "intel_gpu_tgllp",
}

GROUPS = {
    "xe-dg2": ["intel_gpu_acm_g10", "intel_gpu_acm_g11", "intel_gpu_acm_g12"],
    "xe-ptl": ["intel_gpu_ptl_h", "intel_gpu_ptl_u"],
    "igca_20ca": ["intel_gpu_pvc", "intel_gpu_pvc_vg"],
    "igca_40r": ["intel_gpu_bmg_g21", "intel_gpu_bmg_g31", "intel_gpu_lnl_m"],
    "igca_60c": ["intel_gpu_cri"],
}


def test_architecture_numbers_never_change() -> None:
    assert len(ARCHITECTURES) == 95
    assert [TABLE.architecture(name) for name in ARCHITECTURES] == list(range(95))


def test_every_architecture_is_pinned() -> None:
    numbered = {target.name for target in TABLE if TABLE.architecture(target.name) is not None}
    assert numbered == {*ARCHITECTURES, "intel_gpu_rpl_s", "spir64_x86_64"}


def test_names_that_share_an_architecture() -> None:
    assert TABLE.architecture("intel_gpu_rpl_s") == TABLE.architecture("intel_gpu_adl_s") == 13
    assert TABLE.architecture("spir64_x86_64") == TABLE.architecture("x86_64") == 0
    assert TABLE.architecture("intel_gpu_9_0_9") == TABLE.architecture("intel_gpu_skl") == 2
    assert TABLE.architecture("spir64") is None


def test_names_of_an_architecture() -> None:
    assert architecture_names(13) == ("intel_gpu_adl_s", "intel_gpu_rpl_s")
    assert architecture_names(0)[0] == "x86_64"
    assert architecture_names(4711) == ()


def test_every_macro() -> None:
    assert len(MACROS) == 57
    # Both lists are in the same order; rpl_s has a macro and no architecture of its own.
    names = ARCHITECTURES[1:57]
    names.insert(names.index("intel_gpu_adl_s") + 1, "intel_gpu_rpl_s")
    macros = [f"__SYCL_TARGET_{name}__" for name in MACROS]
    assert [TABLE.macro(name) for name in names] == macros
    assert TABLE.macro("intel_gpu_pvc") == "__SYCL_TARGET_INTEL_GPU_PVC__"
    assert TABLE.macro("amd_gpu_gfx1201") == "__SYCL_TARGET_AMD_GPU_GFX1201__"
    assert TABLE.macro("intel_cpu_spr") == "__SYCL_TARGET_INTEL_CPU_SPR__"
    assert TABLE.macro("intel_gpu_rpl_s") == "__SYCL_TARGET_INTEL_GPU_RPL_S__"
    assert TABLE.macro("nvidia_gpu_sm_90") == "__SYCL_TARGET_NVIDIA_GPU_SM90__"
    assert TABLE.macro("spir64_x86_64") == "__SYCL_TARGET_INTEL_X86_64__"
    assert TABLE.macro("intel_gpu_9_0_9") == "__SYCL_TARGET_INTEL_GPU_SKL__"
    assert TABLE.macro("spir64") == ""


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_aliases(alias: str, name: str) -> None:
    assert TABLE.canonical(alias) == name == TABLE.canonical(name)
    assert TABLE[alias] is TABLE[name]
    assert alias in TABLE.aliases(name)


@pytest.mark.parametrize(("group", "members"), GROUPS.items())
def test_groups_stand_for_their_members_in_lists(group: str, members: list[str]) -> None:
    assert TABLE.expand(["x86_64", group, "xe-dg1"]) == ["x86_64", *members, "xe-dg1"]
    assert group in groups_of(members[0])
    with pytest.raises(UsageError, match=f"expected one target, got the group '{group}'") as raised:
        TABLE[group]
    assert raised.value.hint == f"name one of them: {', '.join(members)}"


def test_groups_have_known_targets_and_each_device_one_level() -> None:
    groups = {group: members for group, (members,) in _names.GroupTable.items()}
    names = {target.name for target in TABLE}
    assert {member for members in groups.values() for member in members} <= names
    assert not groups.keys() & {*names, *_names.AliasTable}
    levels = [m for group, members in groups.items() if group.startswith("igca_") for m in members]
    assert len(levels) == len(set(levels))
    # Levels begin with the devices of Xe.
    renamed = {target for alias, (target,) in _names.AliasTable.items() if alias[:3] == "xe-"}
    assert set(levels) == renamed


def test_expansion_reports_all_unknown_names() -> None:
    with pytest.raises(UsageError, match="unknown targets 'xe-pvcc', 'igca_99'"):
        TABLE.expand(["xe-pvcc", "x86_64", "igca_99"])
    with pytest.raises(UsageError, match="did you mean 'igca_40r'"):
        TABLE.expand(["igca_40"])


@pytest.mark.parametrize("name", ["spir64", "spir64_gen", "spir64_x86_64", "spir64_fpga"])
def test_targets_that_are_not_one_device(name: str) -> None:
    assert TABLE[name].may_support_other_aspects


def test_toolchains_and_options() -> None:
    assert (TABLE["intel_gpu_9_0_9"].toolchain, TABLE["intel_gpu_9_0_9"].options) == (
        "ocloc",
        "-device skl",
    )
    assert TABLE["intel_gpu_rpl_s"].options == "-device adl_s"
    assert TABLE["nvidia_gpu_sm_90"].options == "-arch=sm_90"
    assert TABLE["amd_gpu_gfx90a"].options == "-mcpu=gfx90a"
    assert TABLE["x86_64"].toolchain == "opencl-aot"


def test_common_queries() -> None:
    assert TABLE["intel_gpu_pvc"].sub_group_sizes == (16, 32)
    assert TABLE["intel_gpu_pvc"].verdict("fp64") == "yes"
    assert TABLE["intel_gpu_acm_g10"].verdict("fp64") == "no"
    assert TABLE["intel_gpu_acm_g10"].verdict("image") == "may"
    assert TABLE["intel_gpu_acm_g10"].verdict("cpu") == "no"
    assert TABLE["spir64"].verdict("fp64") == "may"
    assert TABLE["nvidia_gpu_sm_52"].verdict("fp16") == "no"
    assert TABLE["amd_gpu_gfx803"].sub_group_sizes == (64,)


def test_every_entry_is_consistent() -> None:
    for target in TABLE:
        assert not set(target.aspects) & set(target.absent_aspects), target
        assert len(set(target.aspects)) == len(target.aspects), target
        assert list(target.sub_group_sizes) == sorted(target.sub_group_sizes), target


def test_aliases_and_architectures_are_of_targets() -> None:
    names = {target.name for target in TABLE}
    assert {name for (name,) in _names.AliasTable.values()} <= names
    assert _names.ArchitectureTable.keys() <= names
    assert not _names.AliasTable.keys() & names


def test_which_targets_have_an_aspect() -> None:
    names = ["intel_gpu_9_0_9", "intel_gpu_acm_g10", "spir64"]
    assert [target.name for target in TABLE.having("fp64", names)] == ["intel_gpu_skl"]
    assert TABLE["intel_gpu_pvc"] in TABLE.having("fp64")
    assert TABLE["intel_gpu_dg1"] not in TABLE.having("fp64")


def test_an_unknown_name_names_the_nearest() -> None:
    with pytest.raises(UsageError) as raised:
        TABLE["intel_gpu_pcv"]
    assert str(raised.value) == "unknown target 'intel_gpu_pcv'\ndid you mean 'intel_gpu_pvc'?"
    with pytest.raises(UsageError, match="device configuration file"):
        TABLE["xyz"]
    TABLE.expand(["intel_gpu_pvc", "intel_gpu_9_0_9"])
    with pytest.raises(UsageError) as raised:
        TABLE.expand(["intel_gpu_pcv", "spir64", "xyz", "intel_gpu_pcv", "spri64"])
    assert str(raised.value).startswith(
        "unknown targets 'intel_gpu_pcv', 'xyz', 'spri64'\n"
        "for 'intel_gpu_pcv': did you mean 'intel_gpu_pvc'?\n"
        "for 'spri64': did you mean 'spir64'?\n'dovetail targets' lists"
    )
    assert "xyz" not in TABLE
    assert "intel_gpu_9_0_9" in TABLE


def test_with_targets_does_not_change_the_table() -> None:
    more = TABLE.with_targets([Target("intel_gpu_skl", ("gpu",)), Target("intel_gpu_new")])
    assert len(more) == len(TABLE) + 1
    assert more["intel_gpu_9_0_9"].aspects == ("gpu",)
    assert TABLE["intel_gpu_skl"].has("fp64")
    assert more.architecture("intel_gpu_new") is None
    assert more.macro("intel_gpu_new") == ""


def test_target_of_identifier() -> None:
    # An IP version has 10 bits of major, 8 of minor number, 8 reserved, 6 of revision.
    assert target_of_identifier(((12 << 22) | (60 << 14) | 7) << 8) == "intel_gpu_pvc"
    assert target_of_identifier(((9 << 22) | 9) << 8) == "intel_gpu_skl"
    assert target_of_identifier(1) == ""
