"""Every kind of kernel, built for every target: what is in the program, and what was filtered."""

import json
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from variants import variant

from dovetail.cli.main import main
from dovetail.codegen import BuildTarget, check_targets
from dovetail.errors import ToolMissing, UsageError
from dovetail.image import (
    AbstractModule,
    SyclBin,
    read_program,
)
from dovetail.targets import Target, default_table
from dovetail.targets.ir_family import IRFamily, by_ir_family

Capture = pytest.CaptureFixture[str]

KINDS = Path(__file__).parents[2] / "support" / "kinds_of_kernels.cpp"
TARGETS = [target.name for target in default_table()]
NAMED = ["intel_gpu_acm_g10", "nvidia_gpu_sm_50", "amd_gpu_gfx700"]
SAMPLE = {*TARGETS[::8], *NAMED, "x86_64"}
"""The targets that `make test` builds for; `make thorough` builds for all."""
BUILD = ("c++", "-fsycl", "-fsyclbin", str(KINDS))


@cache
def refusal(target: Target) -> ToolMissing | UsageError | None:
    """Return why nothing can be built for a target here, or None."""
    try:
        check_targets([BuildTarget(target)])
    except (ToolMissing, UsageError) as error:
        return error
    return None


@cache
def verdicts() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return what `dovetail check` says that each target lacks, by kernel and target."""
    with redirect_stdout(StringIO()) as printed:
        assert main(["check", str(KINDS), "--json", "--targets", ",".join(TARGETS)]) == 0
    kernels = json.loads(printed.getvalue())["kernels"]
    return {
        kernel["name"]: {name: tuple(fit["missing"]) for name, fit in kernel["fits"].items()}
        for kernel in kernels
    }


@cache
def built(toolchain: str, names: frozenset[str]) -> SyclBin:
    """Return a program for some targets of a compiler, as far as they can be built for."""
    members = (t for t in default_table() if t.toolchain == toolchain and t.name in names)
    return build(target for target in members if not refusal(target))


@pytest.fixture
def names(request: pytest.FixtureRequest) -> frozenset[str]:
    """The targets to build for."""
    return frozenset(TARGETS if request.config.getoption("thorough") else SAMPLE)


def build(targets: Iterable[Target], *options: str) -> SyclBin:
    names = ",".join(target.name for target in targets)
    with TemporaryDirectory() as folder:
        program = Path(folder, "kinds.syclbin")
        assert main([*BUILD, *options, f"-fsycl-targets={names}", "-o", str(program)]) == 0
        return read_program(program.read_bytes())


def code_for(target: Target, image: AbstractModule) -> Iterator[str]:
    """The forms of code that an image has for a target."""
    for ir in image.ir_modules:
        if not ir.targets or target.name in ir.targets:
            yield ir.ir_type.name
    for native in image.native_images:
        if target.name in native.targets:
            yield "native"


@pytest.mark.parametrize(
    "name",
    [variant(name, is_sample=name in SAMPLE) for name in TARGETS],
)
@pytest.mark.usefixtures("own_cpu_kind")
def test_every_kind_of_kernel(
    name: str, names: frozenset[str], tmp_path: Path, capsys: Capture
) -> None:
    target = default_table()[name]
    refused = refusal(target)
    if isinstance(refused, ToolMissing):
        pytest.skip(refused.message)
    if refused:
        words = [*BUILD, f"-fsycl-targets={name}", "-o", str(tmp_path / "kinds.syclbin")]
        assert main(words) == refused.exit_status
        assert refused.message in capsys.readouterr().err
        return
    expected = verdicts()
    seen: set[str] = set()
    for image in built(target.toolchain, names).abstract_modules:
        forms = list(code_for(target, image))
        lacking = image.info.filtered_targets.get(name, ())
        for kernel in image.info.kernels:
            seen.add(kernel.name)
            assert lacking == expected[kernel.name][name]
            assert bool(forms) == (not lacking)
            assert ("native" in forms) == bool(forms and target.toolchain not in ("", "aoc"))
    assert seen == expected.keys()


@pytest.mark.parametrize("name", NAMED)
def test_one_target_gets_what_it_gets_among_others(name: str, names: frozenset[str]) -> None:
    target = default_table()[name]
    if refused := refusal(target):
        pytest.skip(refused.message)
    (one, among) = (
        {
            kernel.name: (
                sorted(code_for(target, image)),
                image.info.filtered_targets.get(name, ()),
            )
            for image in program.abstract_modules
            for kernel in image.info.kernels
        }
        for program in (build([target]), built(target.toolchain, names))
    )
    assert one == among


def lacking_differently() -> list[Target]:
    """Of targets whose code is made of SPIR-V ahead of time, one for each set of what they lack.

    Those that no compiler here knows are left out, and those that are several kinds of processors.
    """
    expected = verdicts()
    found: dict[tuple[object, ...], Target] = {}
    for target in by_ir_family(list(default_table()))[IRFamily.SPIRV64]:
        lacking = (each[target.name] for each in expected.values())
        if target.options and not refusal(target):
            found.setdefault((target.toolchain, *lacking), target)
    return [*found.values()]


def test_every_kind_of_kernel_in_one_image_for_all() -> None:
    """Compilers get the kernels alone that their targets can run, and take all of these."""
    targets = lacking_differently()
    if not targets:
        pytest.skip("no compiler of targets is installed")
    assert {target.toolchain for target in targets} == {"ocloc", "opencl-aot"}
    (image,) = build(targets, "-fsycl-optional-features=conditional").abstract_modules
    symbols = {kernel.name: kernel.symbol for kernel in image.info.kernels}
    expected = verdicts()
    assert symbols.keys() == expected.keys()
    assert image.info.filtered_targets == {}
    without = image.info.filtered_kernels
    assert any(without.values())
    native = {name: bytes(each.code) for each in image.native_images for name in each.targets}
    assert native.keys() == {target.name for target in targets}
    for name, code in native.items():
        for kernel, symbol in symbols.items():
            lacking = without.get(name, {}).get(symbol, ())
            assert lacking == expected[kernel][name]
            assert (symbol.encode() in code) == (not lacking), (kernel, name)
