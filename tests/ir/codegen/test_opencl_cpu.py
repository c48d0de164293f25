"""What Intel's OpenCL CPU runtime is told, and asked before a build."""

import pytest

from dovetail.codegen import BuildTarget, CodeGenerationError, check_target
from dovetail.codegen.opencl_cpu.compilation import compiled
from dovetail.codegen.opencl_cpu.words import ALL, told
from dovetail.compilers import opencl_cpu
from dovetail.errors import ToolMissing, UsageError
from dovetail.probe.kernels import spirv
from dovetail.probe.questions import Question
from dovetail.targets import Target, default_table

A_KERNEL = Question(aspect="fp64")


def target(options: str = "", *words: str) -> BuildTarget:
    return BuildTarget(Target("a_cpu", toolchain="opencl-aot", options=options), words)


@pytest.mark.parametrize(
    ("build_target", "processors", "options"),
    [
        (target(), ALL, ()),
        (target("-march=graniterapids"), ("graniterapids",), ()),
        (target("-march=graniterapids", "--march=avx512"), ("skx",), ()),
        (
            target("", "-march", "wsm", "--bo=-cl-mad-enable -g"),
            ("corei7",),
            ("-cl-mad-enable", "-g"),
        ),
    ],
)
def test_words(
    build_target: BuildTarget, processors: tuple[str, ...], options: tuple[str, ...]
) -> None:
    assert told(build_target) == (processors, options)


@pytest.mark.parametrize("words", [("-O3",), ("-march",), ("--bo=",), ("x",)])
def test_other_words_are_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match=f"the compiler for 'a_cpu' does not take '{words[0]}'"):
        told(target("", *words))


@pytest.mark.device
def test_a_processor_that_it_does_not_know_is_refused() -> None:
    with pytest.raises(UsageError, match=r"runtime [\d._]+ cannot compile for 'a_cpu': .*'z80'"):
        check_target(target("-march=z80"))
    check_target(BuildTarget(default_table()["intel_cpu_spr"]))


def test_a_missing_runtime_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCL_ICD_VENDORS", "/nowhere")
    with pytest.raises(ToolMissing) as caught:
        check_target(BuildTarget(default_table()["x86_64"]))
    assert "intel-opencl-rt" in caught.value.hint


@pytest.mark.device
def test_the_log_of_a_failure() -> None:
    with pytest.raises(CodeGenerationError, match=r"failed, for 'skx': .*INVALID_BUILD_OPTIONS"):
        compiled(["a_cpu"], "skx", ["-cl-no-such-thing"], spirv(A_KERNEL))


@pytest.mark.device
def test_a_driver_that_brings_its_process_down_is_told_of() -> None:
    good = spirv(A_KERNEL)
    broken = good[:20] + good[20:][::-1]
    built = opencl_cpu.compile_spirv(broken)
    assert built.outcome in (opencl_cpu.LOST, opencl_cpu.REFUSED)
    assert built.said
    assert not built.code
