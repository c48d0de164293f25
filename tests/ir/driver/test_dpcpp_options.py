"""The options of DPC++ and icpx: each is accepted with its meaning, or named as unsupported."""

import re
from pathlib import Path

import pytest

from dovetail.cli.command_line import CommandLine
from dovetail.cli.command_line_warnings import command_line_warnings
from dovetail.cli.cxx_sycl import OPTIONS
from dovetail.cli.main import main
from dovetail.driver.clang_options import UNKNOWN
from dovetail.driver.dpcpp_options import DPCPP_OPTIONS, DpcppOption, Treatment
from dovetail.driver.options import SEPARATE_FORMS, Form, Option
from dovetail.errors import UsageError
from dovetail.postlink import SplitMode

Capture = pytest.CaptureFixture[str]

DOCUMENTATION = Path(__file__).parents[3] / "docs" / "driver.md"

EVERY_OPTION = [
    pytest.param(row, option, id=option.spelling)
    for row in DPCPP_OPTIONS
    for option in row.options()
]


def read(*words: str) -> CommandLine:
    return CommandLine.read(words, OPTIONS, UNKNOWN)


def as_given(option: Option) -> list[str]:
    """The words of an option on a command line."""
    value = "1" if option.spelling.startswith(("-fsycl-max", "-qopt")) else "X"
    if option.form is Form.JOINED:
        return [option.spelling + value]
    if option.form is Form.JOINED_AND_SEPARATE:
        return [f"{option.spelling}spir64", value]
    return [option.spelling, value] if option.form in SEPARATE_FORMS else [option.spelling]


@pytest.mark.parametrize(("row", "option"), EVERY_OPTION)
def test_each_option_is_treated_as_its_row_says(row: DpcppOption, option: Option) -> None:
    words = as_given(option)
    if row.treatment is Treatment.REFUSED:
        with pytest.raises(UsageError) as caught:
            read(*words)
        assert f"'{' '.join(words)}' is not supported: {row.note}" in caught.value.message
        assert caught.value.hint == row.hint != ""
        return
    line = read(*words)
    warnings = [*command_line_warnings(line)]
    assert len(warnings) == (row.treatment is Treatment.UNUSED)
    assert all(f"'{' '.join(words)}' has no effect: {row.note}" in each for each in warnings)
    if row.treatment is Treatment.ACCEPTED:
        assert vars(line) == vars(read())


def test_warnings_can_be_disabled() -> None:
    quiet = ("-Wno-unused-command-line-argument", "-Qunused-arguments", "-w")
    for word in quiet:
        assert not [*command_line_warnings(read("-fsycl-embed-ir", word))]


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("-fsycl-max-parallel-link-jobs=3", "-j3"),
        ("-fsycl-dump-device-code=out", "-save-temps=out"),
        ("-foffload-whole-static-lib=l.a", "-Wl,--whole-archive l.a -Wl,--no-whole-archive"),
        ("-qopenmp", "-fopenmp"),
        ("-fp-model fast", "-ffp-model=fast"),
        ("-xHost", "-march=native"),
        ("-fast", "-O3 -ffast-math -march=native"),
        ("-fsyclbin=executable", "-fsyclbin"),
        ("--offload-targets=spir64", "-fsycl-targets=spir64"),
        ("-fno-gpu-rdc", "-fno-sycl-rdc"),
        ("-Xclang -fsycl-unnamed-lambda -Xclang -fx", "-Xclang -fx"),
        ("-fsycl-host-compiler-options=-DX=1", "-Xarch_host -DX=1"),
        ("-Xsycl-target-frontend -DX", "-Xarch_device -DX"),
        ("-Xsycl-target-frontend=spir64-unknown-unknown -DX", "-Xarch_device -DX"),
    ],
)
def test_options_that_mean_others(words: str, same: str) -> None:
    ours, theirs = read(*words.split()), read(*same.split())
    assert ours.flags()._replace(targets=()) == theirs.flags()._replace(targets=())
    assert (ours.linked, ours.values) == (theirs.linked, theirs.values)


def test_warnings_of_dpcpp_are_accepted() -> None:
    for form in ("-W", "-Wno-", "-Werror=", "-Wno-error="):
        line = read(f"{form}sycl-strict")
        assert (line.warnings, line.for_clang) == ([], [])
    with pytest.raises(UsageError, match="unknown warning 'sycl-other'"):
        read("-Wsycl-other")


def test_an_empty_list_of_targets_is_the_default() -> None:
    line = read("-fsycl-targets=")
    assert line.choice.targets == ()
    (warning,) = command_line_warnings(line)
    assert "expects additional value: '-fsycl-targets='" in warning


def test_without_fsycl_they_are_unused(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr("dovetail.cli.cxx.replace_process", ran.append)
    words = ["-c", "-fsycl-unnamed-lambda", "-fsycl-device-lib=all", "a.cpp"]
    main(["c++", *words])
    assert [words[1:] for words in ran] == [["-c", "a.cpp"]]
    assert capsys.readouterr().err.count("warning: argument unused during compilation: '-f") == 2
    for word in ("-fsycl-targets=spir64", "-fsycl-link-targets=x", "-fsycl-unknown"):
        assert main(["c++", word, "a.cpp"]) == 2
        assert f"'{word}' requires -fsycl" in capsys.readouterr().err


def test_splitting() -> None:
    assert read("-fsycl-device-code-split").split() is SplitMode.AUTO
    assert read("-fsycl-device-image-split=kernel").split() is SplitMode.KERNEL
    assert read("-fsycl-device-image-split").split() is SplitMode.SOURCE


def test_floating_point_model_is_for_both_sides() -> None:
    assert read("-fp-model=strict").language == ["-ffp-model=strict"]


def test_frontend_options_are_for_one_family() -> None:
    option = ("-Xsycl-target-frontend=nvptx64-nvidia-cuda", "-DX")
    assert read("-fsycl-targets=nvptx64-nvidia-cuda", *option).flags().device == ("-DX",)
    assert read("-fsycl-targets=spir64", *option).flags().device == ()
    with pytest.raises(UsageError, match="is for one of 2 device compilations"):
        read("-fsycl-targets=spir64,nvptx64-nvidia-cuda", *option).flags()


def test_unbalanced_quotation_marks() -> None:
    with pytest.raises(UsageError, match="value of -fsycl-host-compiler-options="):
        read("-fsycl-host-compiler-options='x")
    with pytest.raises(UsageError, match="value of -Xsycl-target-frontend"):
        read("-Xsycl-target-frontend", "'x").flags()


def test_a_misspelt_option_is_an_error() -> None:
    with pytest.raises(UsageError) as caught:
        read("-fsycl-unnamed-lamda")
    assert caught.value.hint == "did you mean '-fsycl-unnamed-lambda'?"


def test_the_help_text_lists_all(capsys: Capture) -> None:
    for word in ("-fsycl-help", "-fsycl-help=all"):
        assert main(["c++", "-fsycl", word]) == 0
        text = capsys.readouterr().out
        assert all(usage in text for row in DPCPP_OPTIONS for usage in row.usage.split(", "))
        assert "ocloc compile --help" in text
        assert "{}" not in text


def test_the_documentation_lists_all() -> None:
    text = DOCUMENTATION.read_text()
    listed = set(re.findall(r"`([^`]+)`", text))
    assert [
        each for row in DPCPP_OPTIONS for each in row.usage.split(", ") if each not in listed
    ] == []


DEVICE_ONLY = """\
#include <sycl/sycl.hpp>
void run(sycl::queue q, int *p) { q.single_task([=] { *p = IN_KERNEL; }); }
"""


def test_device_code_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cpp").write_text(DEVICE_ONLY)
    ran: list[list[str]] = []

    def stop(words: list[str]) -> None:
        ran.append(words)
        raise SystemExit

    monkeypatch.setattr("dovetail.cli.cxx_sycl.replace_process", stop)
    words = ["-Xsycl-target-frontend", "-DIN_KERNEL=7", "-march=native", "-lm", "a.cpp"]
    for more in (["-o", "a.bc"], ["-S"], ["-E", "-MD", "-MF", "a.d"]):
        with pytest.raises(SystemExit):
            main(["c++", "-fsycl", "-fsycl-device-only", *words, *more])
    assert [words[-6:] for words in ran[:1]] == [["-emit-llvm", "-o", "a.bc", "-x", "c++", "a.cpp"]]
    assert all({"-DIN_KERNEL=7", "-fsycl-device-only"} <= {*words} for words in ran)
    assert not any({"-march=native", "-lm"} & {*words} for words in ran)
    assert {"-S", "-emit-llvm"} <= {*ran[1]}
    assert {"-E", "-MD", "-MF", "a.d"} <= {*ran[2]}
    assert "-emit-llvm" not in ran[2]
