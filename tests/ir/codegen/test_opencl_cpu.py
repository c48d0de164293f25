"""Intel's OpenCL CPU runtime as a compiler: arguments, and checks before a build."""

import json
from pathlib import Path

import pytest
from variants import one_in

from dovetail.cli.main import main
from dovetail.codegen import BuildTarget, CodeGenerationError, check_targets
from dovetail.codegen.opencl_cpu.arguments import parse_arguments
from dovetail.codegen.opencl_cpu.generator import compile_for_cpu
from dovetail.compilers import opencl_cpu
from dovetail.compilers.cpu_kinds import CPU_KINDS, TARGET_SETTING, kind_of_binary, minimal_kernel
from dovetail.errors import ToolMissing, UsageError
from dovetail.image import NativeImage, read_program
from dovetail.probe.questions import Question, spirv
from dovetail.processes.pool import Worker, WorkerCommand, WorkerPool
from dovetail.targets import Target, default_table

TWO_KERNELS = """
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
void once(int *p) { *p += 40; }
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
void again(int *p) { *p *= 40; }
"""

A_KERNEL = Question(aspect="fp64")


def target(options: str = "", *words: str) -> BuildTarget:
    return BuildTarget(Target("a_cpu", toolchain="opencl-aot", options=options), words)


@pytest.mark.parametrize(
    ("build_target", "processors", "options"),
    [
        (target(), CPU_KINDS, ()),
        (target("-march=graniterapids"), ("graniterapids",), ()),
        (target("-march=graniterapids", "--march=avx512"), ("skx",), ()),
        (
            target("", "-march", "wsm", "--bo=-cl-mad-enable -g"),
            ("corei7",),
            ("-cl-mad-enable", "-g"),
        ),
    ],
)
def test_arguments(
    build_target: BuildTarget, processors: tuple[str, ...], options: tuple[str, ...]
) -> None:
    assert parse_arguments(build_target) == (processors, options)


@pytest.mark.parametrize("words", [("-O3",), ("--march2=skx",), ("x",)])
def test_unknown_arguments_are_rejected(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match=f"'a_cpu': unknown option '{words[0]}' for Intel's"):
        check_targets([target("", *words)])


@pytest.mark.parametrize("word", ["-march", "--march=", "-bo", "--bo="])
def test_an_option_without_its_value_is_rejected(word: str) -> None:
    option = word.removesuffix("=")
    with pytest.raises(
        UsageError, match=rf"'a_cpu': option '{option}' for Intel's .* needs a value"
    ):
        check_targets([target("", word)])


@pytest.mark.device
def test_unknown_processors_are_rejected() -> None:
    with pytest.raises(UsageError, match=r"'a_cpu': Intel .*runtime [\d._]+ does not know .*'z80'"):
        check_targets([target("-march=z80")])
    check_targets([BuildTarget(default_table()["intel_cpu_spr"])])


def test_the_error_for_a_missing_runtime_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCL_ICD_VENDORS", "/nowhere")
    with pytest.raises(ToolMissing) as caught:
        check_targets([BuildTarget(default_table()["x86_64"])])
    assert "intel-opencl-rt" in caught.value.hint
    assert "unset OCL_ICD_VENDORS" in caught.value.hint


@pytest.mark.device
@pytest.mark.parametrize("kind", one_in(2, CPU_KINDS))
def test_the_cpu_kind_of_binaries(kind: str) -> None:
    assert kind_of_binary(opencl_cpu.compile_spirv(minimal_kernel(), kind).code) == kind


@pytest.mark.parametrize("binary", [b"", b"\x7fELF", b"\x7fELF" + bytes(60), bytes(64)])
def test_other_files_have_no_cpu_kind(binary: bytes) -> None:
    assert kind_of_binary(binary) == ""


@pytest.mark.device
def test_the_log_of_a_failure() -> None:
    with pytest.raises(CodeGenerationError, match=r"failed for 'skx': .*INVALID_BUILD_OPTIONS"):
        compile_for_cpu(["a_cpu"], "skx", ["-cl-no-such-thing"], spirv(A_KERNEL))


@pytest.mark.device
def test_a_crash_of_the_driver_is_reported() -> None:
    good = spirv(A_KERNEL)
    broken = good[:20] + good[20:][::-1]
    built = opencl_cpu.compile_spirv(broken)
    assert built.outcome in (opencl_cpu.CRASHED, opencl_cpu.REFUSED)
    assert built.message
    assert not built.code


@pytest.mark.device
def test_a_build_starts_one_process_for_each_cpu_kind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, program = tmp_path / "two.cpp", tmp_path / "two.syclbin"
    source.write_text(TWO_KERNELS)
    kinds: list[str] = []
    started: list[Worker] = []
    start = WorkerPool.new_worker

    def note(pool: WorkerPool, command: WorkerCommand) -> Worker:
        kinds.append(dict(command.environment)[TARGET_SETTING])
        started.append(start(pool, command))
        return started[-1]

    # Queries run in separate processes.
    check_targets([target()])
    monkeypatch.setattr(WorkerPool, "new_worker", note)
    words = ["-fsyclbin", "-fsycl-targets=x86_64", "-fsycl-device-code-split=per_kernel"]
    words += ["-j1", "-ftime-report=json", str(source), "-o", str(program)]
    assert main(["c++", "-fsycl", *words]) == 0
    assert sorted(kinds) == sorted(CPU_KINDS)
    assert all(worker.process.returncode is not None for worker in started)
    # Each of them takes about half a second.
    steps = json.loads(capsys.readouterr().err)["steps"]
    assert next(step["cpu"] for step in steps if step["step"] == "code generation") > 0.5
    modules = read_program(program.read_bytes()).abstract_modules
    assert [len(module.native_images) for module in modules] == [len(CPU_KINDS)] * 2
    # A process that has compiled other modules generates the same code as a new one.
    monkeypatch.undo()
    for module in modules:
        native = compile_for_cpu(["x86_64"], CPU_KINDS[0], [], bytes(module.ir_modules[0].code))
        assert isinstance(native, NativeImage)
        assert bytes(native.code) == bytes(module.native_images[0].code)


@pytest.mark.device
def test_a_rejected_module_does_not_affect_the_next_one() -> None:
    pool = WorkerPool()
    good = spirv(A_KERNEL)
    with pool.current():
        for module, outcomes in [
            (good, [opencl_cpu.BUILT]),
            (good[:20] + good[20:][::-1], [opencl_cpu.CRASHED, opencl_cpu.REFUSED]),
            (good, [opencl_cpu.BUILT]),
        ]:
            assert opencl_cpu.compile_spirv(module, "skx").outcome in outcomes
    pool.end()
