"""What a program is built for: `-fsycl-targets` and `-fsycl-device-config-file`."""

import re
from pathlib import Path

import pytest

import dovetail
from dovetail.cli.main import main
from dovetail.codegen.generator import GENERATORS
from dovetail.driver import BuildRequest, CompileWarning, choose_targets, plan_build
from dovetail.driver.backend_option import BackendOption
from dovetail.driver.requests import Headers
from dovetail.errors import InputError, UsageError
from dovetail.frontend import Flags, Side, Source
from dovetail.targets import default_table
from dovetail.targets.inference import TOOLCHAINS

KERNEL = """\
#include <sycl/sycl.hpp>
static_assert(sycl::any_device_has_v<sycl::aspect::fp64>);
static_assert(sycl::all_devices_have_v<sycl::aspect::fp64> == ALL_HAVE_FP64);
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))
void k(int *p) { *p = 1; }
int main() {}
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "k.cpp"
    path.write_text(KERNEL)
    return path


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A file that says more of what is built for by default, and adds a target."""
    path = tmp_path / "targets.yaml"
    path.write_text("spir64: {aspects: [fp64]}\nintel_gpu_new: {aspects: [gpu]}\n")
    return path


def test_nothing_said_needs_no_table() -> None:
    choice = choose_targets((), ())
    assert (choice.targets, choice.warnings) == ((), ())


@pytest.mark.parametrize("names", ["spir64,intel_gpu_9_0_9", ["spir64", "intel_gpu_skl"]])
def test_names_and_aliases(names: str | list[str]) -> None:
    assert [target.name for target in choose_targets(names).targets] == ["spir64", "intel_gpu_skl"]


def test_every_target_that_takes_spirv_can_be_built_for_if_its_compiler_knows_it() -> None:
    refused = [
        target.name
        for target in default_table()
        if target.family not in ("nvidia_gpu", "amd_gpu") and not can_be_planned(target.name)
    ]
    assert "intel_gpu_pvc" not in refused
    assert "intel_cpu_spr" not in refused
    # There is no device that it stands for.
    assert "spir64_gen" in refused


def can_be_planned(name: str) -> bool:
    """Whether nothing but the release of a compiler keeps a build from being planned."""
    choice = choose_targets([name])
    assert [target.name for target in choice.targets] == [name]
    request = BuildRequest((Source("k.cpp", KERNEL),), Flags(targets=choice.targets))
    try:
        plan_build(request, Headers())
    except UsageError as error:
        message = error.message
    else:
        return True
    assert re.search(rf"'{name}': (\S+ \S+ does not know|no device is named)", message)
    return False


def test_every_toolchain_has_a_generator() -> None:
    named = {target.toolchain for target in default_table()} | set(TOOLCHAINS)
    assert named == GENERATORS.keys()


def test_what_is_not_native_is_said() -> None:
    assert choose_targets("intel_gpu_pvc,spir64,x86_64").warnings == ()
    assert choose_targets("spir64_fpga,x86_64").warnings == (
        "dovetail: warning: no native code for 'spir64_fpga': this version does not support"
        " its ahead-of-time compiler, aoc; drivers compile its SPIR-V at run time",
    )


def test_default_is_what_the_users_file_says_of_it(config: Path) -> None:
    (target,) = choose_targets((), [config]).targets
    assert target.verdict("fp64") == "yes"


def test_target_that_is_listed_twice_counts_once() -> None:
    choice = choose_targets("spir64,spir64", ())
    assert [target.name for target in choice.targets] == ["spir64"]
    assert choice.warnings == ("dovetail: warning: target 'spir64' is already listed",)


@pytest.mark.parametrize(
    ("names", "message", "hint"),
    [
        ("intel_gpu_skll", "unknown target 'intel_gpu_skll'", "did you mean 'intel_gpu_skl'?"),
        (
            "spir64,,x86_64",
            "empty name in the list of targets 'spir64,,x86_64'",
            "single commas",
        ),
        ("spir64,", "empty name in the list of targets 'spir64,'", "single commas"),
        ("", "empty name in the list of targets ''", "single commas"),
        ("spir64_gen,intel_gpu_bxt", "'spir64_gen' and the device 'intel_gpu_apl' cannot", "every"),
        ("nvidia_gpu_sm_50,spir64_gen", "'spir64_gen' and the device 'nvidia_gpu_sm_50'", ""),
        ("intel_gpu_new", "unknown target 'intel_gpu_new'", ""),
        ("x86_46,spir64,spri64", "unknown targets 'x86_46', 'spri64'", "for 'spri64': did"),
    ],
)
def test_lists_that_cannot_be_built(names: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose_targets(names, ())
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_target_of_a_users_file_is_known(config: Path) -> None:
    (target,) = choose_targets("intel_gpu_new", [config]).targets
    assert target.verdict("fp64") == "no"
    with pytest.raises(UsageError, match="'spir64_gen' and the device 'intel_gpu_new'"):
        choose_targets(["intel_gpu_new", "spir64_gen"], [config])


def test_a_choice_knows_all_that_users_files_speak_of(config: Path) -> None:
    choice = choose_targets("x86_64", [config])
    assert [target.name for target in choice.configured] == ["spir64", "intel_gpu_new"]
    assert choose_targets("spir64").configured == ()


XS = BackendOption("-device skl", None)


def test_options_reach_the_targets_that_they_are_for() -> None:
    given = [XS, BackendOption("-a 'b c'", "x86_64"), BackendOption("-d", "spir64")]
    choice = choose_targets("spir64_gen,x86_64,spir64", backend_options=given)
    assert {each.name: each.options for each in choice.to_build} == {
        "intel_gpu_skl": (),
        "x86_64": ("-device", "skl", "-a", "b c"),
        "spir64": ("-device", "skl", "-d"),
    }
    unused = "dovetail: warning: argument unused during compilation: "
    assert choice.warnings == (f"{unused}'-Xsycl-target-backend=spir64 -d'",)


def test_option_for_the_only_target_need_not_name_it() -> None:
    choice = choose_targets("spir64_gen", backend_options=[BackendOption("-device gen9")])
    assert choice.options == {"spir64_gen": ("-device", "gen9")}
    with pytest.raises(UsageError, match="is ambiguous: the build has 2 targets"):
        choose_targets("spir64_gen,x86_64", backend_options=[BackendOption("-g")])


@pytest.mark.parametrize(
    ("words", "names", "options"),
    [
        ("-device pvc", ["intel_gpu_pvc"], ()),
        ("-device skl,pvc", ["intel_gpu_skl", "intel_gpu_pvc"], ()),
        ("-device 12.60.7,pvc", ["intel_gpu_pvc"], ()),
        ("-a -device skl -b -device acm-g10 c", ["intel_gpu_acm_g10"], ("-a", "-b", "c")),
        ("-device adl-s", ["intel_gpu_adl_s"], ()),
        ("-device rpl_s", ["intel_gpu_rpl_s"], ()),
        ("-device new_one", ["gpu_by_file"], ()),
        ("-device gen9", ["spir64_gen"], ("-device", "gen9")),
        ("-device skl,gen12lp", ["spir64_gen"], ("-device", "skl,gen12lp")),
        ("-device skl:pvc", ["spir64_gen"], ("-device", "skl:pvc")),
        ("-q", ["spir64_gen"], ("-q",)),
    ],
)
def test_devices_that_the_table_knows_are_targets(
    words: str, names: list[str], options: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "c.yaml"
    file.write_text("gpu_by_file: {aot-toolchain: ocloc, ocloc-device: new-one}\n")
    choice = choose_targets(
        "spir64_gen,x86_64", [file], backend_options=[BackendOption(words, "spir64_gen")]
    )
    assert [target.name for target in choice.targets] == [*names, "x86_64"]
    assert [choice.options.get(name, ()) for name in names] == [options] * len(names)
    assert "x86_64" not in choice.options


def test_option_for_a_target_that_is_not_listed_is_an_error() -> None:
    with pytest.raises(UsageError, match="=x86_64 -g' names a target that is not") as caught:
        choose_targets("spir64", backend_options=[BackendOption("-g", "x86_64")])
    assert "are spir64" in caught.value.hint
    with pytest.raises(UsageError, match="unknown target 'x86'"):
        choose_targets("spir64", backend_options=[BackendOption("-g", "x86")])


@pytest.mark.parametrize(
    "option", [XS, BackendOption("-g -device skl"), BackendOption("-device skl", "intel_gpu_9_0_9")]
)
def test_device_is_not_named_twice(option: BackendOption) -> None:
    with pytest.raises(UsageError, match="conflicts with the target 'intel_gpu_skl'"):
        choose_targets("intel_gpu_skl", backend_options=[option])


def test_words_that_cannot_be_split() -> None:
    with pytest.raises(UsageError, match=r"cannot split the value of -Xs: \[-a 'b\] has an unbal"):
        choose_targets("spir64_gen", backend_options=[BackendOption("-a 'b", None)])


def test_groups_are_built_for_member_by_member() -> None:
    choice = choose_targets("igca_20ca,xe-pvc", fixed="xe-ptl")
    assert [target.name for target in choice.targets] == ["intel_gpu_pvc", "intel_gpu_pvc_vg"]
    assert [target.name for target in choice.fixed] == ["intel_gpu_ptl_h", "intel_gpu_ptl_u"]
    assert choice.warnings == (
        "dovetail: warning: target 'xe-pvc' is already listed as 'intel_gpu_pvc'",
    )
    with pytest.raises(UsageError, match="expected one target, got the group 'igca_20ca'"):
        choose_targets("igca_20ca", backend_options=[BackendOption("-g", "igca_20ca")])


def test_fixed_targets_leave_the_list_alone() -> None:
    choice = choose_targets((), fixed="intel_gpu_icl,intel_gpu_pvc,intel_gpu_icllp")
    assert choice.targets == ()
    assert [target.name for target in choice.fixed] == ["intel_gpu_icllp", "intel_gpu_pvc"]
    assert choice.warnings == (
        "dovetail: warning: target 'intel_gpu_icllp' is already listed as 'intel_gpu_icl'",
    )
    with pytest.raises(UsageError, match="unknown target 'intel_gpu_pvcc'"):
        choose_targets((), fixed="intel_gpu_pvcc")


def about_targets(*names: str) -> dict[Side, list[str]]:
    flags = Flags(targets=tuple(default_table()[name] for name in names))
    return {
        side: [w.partition("=")[0] for w in flags.options(side) if w.startswith("-D__SYCL")]
        for side in Side
    }


def test_host_sees_the_macros_of_all_targets_and_device_code_that_of_its_only_one() -> None:
    traits = ["-D__SYCL_ALL_DEVICES_HAVE__", "-D__SYCL_NO_DEVICE_HAS__"]
    first, second = (f"-D__SYCL_TARGET_INTEL_GPU_ACM_{name}__" for name in ("G10", "G11"))
    assert about_targets("intel_gpu_acm_g10") == {side: [*traits, first] for side in Side}
    assert about_targets("intel_gpu_acm_g10", "intel_gpu_acm_g11") == {
        Side.DEVICE: traits,
        Side.HOST: [*traits, first, second],
    }


def test_compiler_takes_the_options(source: Path, config: Path, capsys: Capture) -> None:
    words = ["c++", "-fsycl", "-fsyclbin", str(source), "-o", str(source.with_suffix(".bin"))]
    assert main([*words, "-fsycl-targets=spir64", "-DALL_HAVE_FP64=0"]) == 0
    more = f"-fsycl-device-config-file={config}"
    assert main([*words, more, "-DALL_HAVE_FP64=1"]) == 0
    assert capsys.readouterr().err == ""
    # The last list counts, as everywhere; files add up, and what the last one says counts.
    less = config.with_name("less.yaml")
    less.write_text("spir64: {aspects: [], may_support_other_aspects: true}\n")
    again = [more, f"-fsycl-device-config-file={less}", "-fsycl-targets=x86_64"]
    assert main([*words, *again, "-fsycl-targets=spir64,spir64", "-DALL_HAVE_FP64=0"]) == 0
    printed = capsys.readouterr().err
    assert f"{less}:1:1: warning: target 'spir64' is already defined" in printed
    assert "dovetail: warning: target 'spir64' is already listed" in printed


def test_run_takes_the_options(source: Path, config: Path, capsys: Capture) -> None:
    words = ["run", "-fsycl-targets=spir64", f"-fsycl-device-config-file={config}", "-###"]
    assert main([*words, str(source)]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if str(source) in line]
    told = ["-D__SYCL_ALL_DEVICES_HAVE__=6" in line for line in lines if "clang" in line]
    assert told == [True, True]


@pytest.mark.parametrize("command", [["c++", "-fsycl", "-fsyclbin", "-o", "k"], ["run"]])
def test_wrong_use(
    command: list[str], source: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(source.parent)
    assert main([*command, "k.cpp", "-fsycl-targets=spir64,intel_gpu_pvcc"]) == 2
    printed = capsys.readouterr().err
    assert "dovetail: error: unknown target 'intel_gpu_pvcc'" in printed
    assert "did you mean 'intel_gpu_pvc'?" in printed
    assert main([*command, "k.cpp", "-fsycl-device-config-file=none.yaml"]) == 1
    assert "cannot read 'none.yaml'" in capsys.readouterr().err
    assert main([*command, "k.cpp", "-fsycl-target=spir64"]) == 2
    assert "did you mean '-fsycl-targets='?" in capsys.readouterr().err
    assert list(source.parent.iterdir()) == [source]


def test_python_takes_them_as_well(config: Path) -> None:
    dovetail.build(KERNEL, macros={"ALL_HAVE_FP64": 0}, targets=["spir64"])
    dovetail.build(KERNEL, macros={"ALL_HAVE_FP64": 1}, device_config_files=[config])
    with pytest.warns(CompileWarning, match="'spir64' is already listed"):
        dovetail.build(KERNEL, macros={"ALL_HAVE_FP64": 0}, targets="spir64,spir64")
    with pytest.raises(UsageError, match="'amd_gpu_gfx940'"):
        dovetail.build(KERNEL, targets=["amd_gpu_gfx940"])
    with pytest.raises(InputError, match=r"cannot read 'none\.yaml'"):
        dovetail.build(KERNEL, device_config_files=["none.yaml"])


def sycl(source: Path, *words: str) -> int:
    output = str(source.with_suffix(".bin"))
    return main(["c++", "-fsycl", "-fsyclbin", str(source), "-o", output, *words])


def test_several_targets_are_filtered_and_generated_for(source: Path, capsys: Capture) -> None:
    assert sycl(source, "-###", "-fsycl-targets=intel_gpu_9_0_9,spir64") == 0
    lines = capsys.readouterr().err.splitlines()
    steps = [line.removeprefix("# in process: ") for line in lines if "in process" in line]
    assert steps[-4:-1] == [
        "aspect-filter --arch intel_gpu_skl",
        "aspect-filter --arch spir64",
        "generate SPIR-V,ocloc intel_gpu_skl spir64",
    ]


def test_words_for_compilers_of_targets(source: Path, capsys: Capture) -> None:
    words = ("-DALL_HAVE_FP64=1", "-fsycl-targets=spir64_gen")
    assert sycl(source, *words, "-Xs", "-device skl", "-Xsycl-target-backend=spir64_gen", "-q") == 0
    assert capsys.readouterr().err == ""
    assert main(["inspect", str(source.with_suffix(".bin"))]) == 0
    assert "native for intel_gpu_skl" in capsys.readouterr().out
    assert sycl(source, *words) == 2
    assert "no device is named" in capsys.readouterr().err
    assert sycl(source, "-fsycl-targets=intel_gpu_pvc", "-Xs", "-device pvc") == 2
    assert "conflicts with the target 'intel_gpu_pvc'" in capsys.readouterr().err
    assert sycl(source, "-Xsycl-target-backend=spir64_gen") == 2
    assert "'-Xsycl-target-backend=' needs a value" in capsys.readouterr().err


def test_fixed_targets_on_the_command_line(source: Path, capsys: Capture) -> None:
    source.write_text(KERNEL.replace("int *p", "double *p"))
    words = ("-DALL_HAVE_FP64=0", "-fsycl-fixed-targets=intel_gpu_acm_g10,intel_gpu_pvc")
    assert sycl(source, *words) == 0
    warning = "warning: kernel 'k' does not fit target 'intel_gpu_acm_g10', which lacks fp64"
    assert f"{source}:5:6: {warning} [-Wsycl-fixed-targets]" in capsys.readouterr().err
    assert main(["inspect", str(source.with_suffix(".bin"))]) == 0
    assert "  fixed to intel_gpu_acm_g10, intel_gpu_pvc\n" in capsys.readouterr().out
    assert sycl(source, *words, "-Wno-sycl-fixed-targets") == 0
    assert capsys.readouterr().err == ""
    assert sycl(source, *words, "-Werror=sycl-fixed-targets") == 1
    assert "[-Werror,-Wsycl-fixed-targets]" in capsys.readouterr().err
    assert main(["check", str(source), *words]) == 1
    assert capsys.readouterr().err.count(warning) == 1


def test_linking_of_device_code_can_be_left_out(source: Path, capsys: Capture) -> None:
    def links(*words: str) -> int:
        assert sycl(source, str(source), "-###", *words) == 0
        return capsys.readouterr().err.count("# in process: post-link")

    assert links() == links("-fno-sycl-rdc", "-fsycl-rdc") == 1
    assert links("-fno-sycl-rdc") == 2


def test_prefix_is_for_one_source(source: Path, capsys: Capture) -> None:
    assert sycl(source, "-DALL_HAVE_FP64=0", "-fsycl-unique-prefix=mine") == 0
    assert sycl(source, "-fsycl-unique-prefix=m-n") == 2
    assert "invalid unique prefix 'm-n'" in capsys.readouterr().err
    assert sycl(source, str(source), "-fsycl-unique-prefix=mine") == 2
    assert "-fsycl-unique-prefix applies to one source" in capsys.readouterr().err


def test_objects_for_some_targets_are_not_linked_for_others(source: Path, capsys: Capture) -> None:
    compiled = source.with_suffix(".o")
    words = ["c++", "-fsycl", "-DALL_HAVE_FP64=1", str(source), "-c", "-o", str(compiled)]
    assert main([*words, "-fsycl-targets=intel_gpu_pvc,intel_gpu_skl"]) == 0
    assert sycl(compiled, "-fsycl-targets=intel_gpu_skl") == 0
    capsys.readouterr()
    assert sycl(compiled) == 1
    assert (
        f"error: '{compiled}' has no device code for 'spir64', only for intel_gpu_pvc,"
        " intel_gpu_skl" in capsys.readouterr().err
    )
    assert sycl(compiled, "-fsycl-targets=intel_gpu_skl,intel_gpu_kbl") == 1
    assert "no device code for 'intel_gpu_kbl'" in capsys.readouterr().err


def test_objects_for_any_device_are_linked_for_all_targets(source: Path, capsys: Capture) -> None:
    compiled = source.with_suffix(".o")
    words = ["c++", "-fsycl", "-DALL_HAVE_FP64=0", str(source), "-c", "-o", str(compiled)]
    for targets in ([], ["-fsycl-targets=spir64,intel_gpu_pvc"]):
        assert main([*words, *targets]) == 0
        assert sycl(compiled) == 0
        assert sycl(compiled, "-fsycl-targets=intel_gpu_kbl") == 0
