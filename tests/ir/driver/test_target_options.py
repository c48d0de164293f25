"""What a program is built for: `-fsycl-targets` and `-fsycl-device-config-file`."""

from pathlib import Path

import pytest

import dovetail
from dovetail.cli.main import main
from dovetail.driver import CompileWarning, choose_targets
from dovetail.errors import InputError, UsageError
from dovetail.frontend import Flags, Side
from dovetail.targets import default_table

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


@pytest.mark.parametrize("names", ["spir64", ["spir64"]])
def test_only_spir64_can_be_built(names: str | list[str]) -> None:
    (target,) = choose_targets(names, ()).targets
    assert target.name == "spir64"


def test_default_is_what_the_users_file_says_of_it(config: Path) -> None:
    (target,) = choose_targets((), [config]).targets
    assert target.verdict("fp64") == "yes"


def test_target_that_is_listed_twice_counts_once() -> None:
    choice = choose_targets("spir64,spir64", ())
    assert [target.name for target in choice.targets] == ["spir64"]
    assert choice.warnings == ("dovetail: warning: target 'spir64' is listed already",)


@pytest.mark.parametrize(
    ("names", "message", "hint"),
    [
        ("intel_gpu_skll", "there is no target 'intel_gpu_skll'", "did you mean 'intel_gpu_skl'?"),
        ("spir64,,", "there is no target ''", "'dovetail targets' lists"),
        ("", "there is no target ''", "'dovetail targets' lists"),
        ("intel_gpu_skl", "code for 'intel_gpu_skl' cannot be generated yet", "builds for spir64"),
        ("intel_gpu_9_0_9", "code for 'intel_gpu_skl' cannot", "compile as the program runs"),
        ("spir64,x86_64", "code for 'x86_64' cannot be generated yet", ""),
        ("spir64_gen", "code for 'spir64_gen' cannot be generated yet", ""),
        ("spir64_gen,intel_gpu_bxt", "'spir64_gen' and the device 'intel_gpu_apl' cannot", "every"),
        ("nvidia_gpu_sm_50,spir64_gen", "'spir64_gen' and the device 'nvidia_gpu_sm_50'", ""),
        ("spir64_gen,x86_64,spir64", "code for 'spir64_gen' cannot be generated yet", ""),
        ("intel_gpu_new", "there is no target 'intel_gpu_new'", ""),
    ],
)
def test_lists_that_cannot_be_built(names: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose_targets(names, ())
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_target_of_a_users_file_is_known(config: Path) -> None:
    with pytest.raises(UsageError, match="code for 'intel_gpu_new' cannot be generated yet"):
        choose_targets("intel_gpu_new", [config])
    with pytest.raises(UsageError, match="'spir64_gen' and the device 'intel_gpu_new'"):
        choose_targets(["intel_gpu_new", "spir64_gen"], [config])


def test_both_sides_are_told_the_same() -> None:
    flags = Flags(targets=(default_table()["intel_gpu_acm_g10"],))
    device, host = (
        [word for word in flags.words(side) if word.startswith("-D__SYCL")] for side in Side
    )
    assert device == host
    assert [word.partition("=")[0] for word in host] == [
        "-D__SYCL_ALL_DEVICES_HAVE__",
        "-D__SYCL_NO_DEVICE_HAS__",
    ]


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
    assert f"{less}:1:1: warning: target 'spir64' has an entry already" in printed
    assert "dovetail: warning: target 'spir64' is listed already" in printed


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
    assert "dovetail: error: there is no target 'intel_gpu_pvcc'" in printed
    assert "did you mean 'intel_gpu_pvc'?" in printed
    assert main([*command, "k.cpp", "-fsycl-device-config-file=none.yaml"]) == 1
    assert "cannot read 'none.yaml'" in capsys.readouterr().err
    assert main([*command, "k.cpp", "-fsycl-target=spir64"]) == 2
    assert "did you mean '-fsycl-targets='?" in capsys.readouterr().err
    assert list(source.parent.iterdir()) == [source]


def test_python_takes_them_as_well(config: Path) -> None:
    dovetail.build(KERNEL, macros={"ALL_HAVE_FP64": 0}, targets=["spir64"])
    dovetail.build(KERNEL, macros={"ALL_HAVE_FP64": 1}, device_config_files=[config])
    with pytest.warns(CompileWarning, match="'spir64' is listed already"):
        dovetail.build(KERNEL, macros={"ALL_HAVE_FP64": 0}, targets="spir64,spir64")
    with pytest.raises(UsageError, match="code for 'intel_gpu_pvc' cannot be generated yet"):
        dovetail.build(KERNEL, targets=["intel_gpu_pvc"])
    with pytest.raises(InputError, match=r"cannot read 'none\.yaml'"):
        dovetail.build(KERNEL, device_config_files=["none.yaml"])
