"""Every kind of kernel, built for every target: what is in the program, and what was filtered."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from dovetail.cli.main import main
from dovetail.codegen import BuildTarget, check_targets
from dovetail.errors import ToolMissing, UsageError
from dovetail.image import (
    AbstractModule,
    read_program,
)
from dovetail.targets import Target, default_table
from dovetail.targets.ir_family import IRFamily, by_ir_family

Capture = pytest.CaptureFixture[str]

KINDS = Path(__file__).parents[2] / "support" / "kinds_of_kernels.cpp"
TARGETS = [target.name for target in default_table()]


def refusal(target: Target) -> UsageError | None:
    """Why nothing can be built for a target; skips what nobody has installed a compiler for."""
    try:
        check_targets([BuildTarget(target)])
    except ToolMissing as error:
        pytest.skip(error.message)
    except UsageError as error:
        return error
    return None


@cache
def verdicts(capsys: Capture) -> dict[str, dict[str, tuple[str, ...]]]:
    """What `dovetail check` says that each target lacks, by kernel and target."""
    assert main(["check", str(KINDS), "--json", "--targets", ",".join(TARGETS)]) == 0
    kernels = json.loads(capsys.readouterr().out)["kernels"]
    return {
        kernel["name"]: {name: tuple(fit["missing"]) for name, fit in kernel["fits"].items()}
        for kernel in kernels
    }


def code_for(target: Target, image: AbstractModule) -> Iterator[str]:
    """The forms of code that an image has for a target."""
    for ir in image.ir_modules:
        if not ir.targets or target.name in ir.targets:
            yield ir.ir_type.name
    for native in image.native_images:
        if target.name in native.targets:
            yield "native"


@pytest.mark.parametrize("name", TARGETS)
def test_every_kind_of_kernel(name: str, tmp_path: Path, capsys: Capture) -> None:
    target = default_table()[name]
    refused = refusal(target)
    program = tmp_path / "kinds.syclbin"
    words = ["c++", "-fsycl", "-fsyclbin", f"-fsycl-targets={name}", str(KINDS), "-o", str(program)]
    if refused:
        assert main(words) == refused.exit_status
        assert refused.message in capsys.readouterr().err
        return
    assert main(words) == 0, capsys.readouterr().err
    expected = verdicts(capsys)
    seen: set[str] = set()
    for image in read_program(program.read_bytes()).abstract_modules:
        forms = list(code_for(target, image))
        lacking = image.info.filtered_targets.get(name, ())
        for kernel in image.info.kernels:
            seen.add(kernel.name)
            assert lacking == expected[kernel.name][name]
            assert bool(forms) == (not lacking)
            assert ("native" in forms) == bool(forms and target.toolchain not in ("", "aoc"))
    assert seen == expected.keys()


def lacking_differently(capsys: Capture) -> list[Target]:
    """Of targets whose code is made of SPIR-V ahead of time, one for each set of what they lack.

    Those that no compiler here knows are left out, and those that are several kinds of processors.
    """
    expected = verdicts(capsys)
    found: dict[tuple[object, ...], Target] = {}
    for target in by_ir_family(list(default_table()))[IRFamily.SPIRV64]:
        lacking = (each[target.name] for each in expected.values())
        if target.options and not refusal(target):
            found.setdefault((target.toolchain, *lacking), target)
    return [*found.values()]


def test_every_kind_of_kernel_in_one_image_for_all(tmp_path: Path, capsys: Capture) -> None:
    """Compilers get the kernels alone that their targets can run, and take all of these."""
    program = tmp_path / "kinds.syclbin"
    targets = lacking_differently(capsys)
    assert {target.toolchain for target in targets} == {"ocloc", "opencl-aot"}
    words = ["c++", "-fsycl", "-fsyclbin", "-fsycl-optional-features=conditional"]
    names = ",".join(target.name for target in targets)
    assert main([*words, f"-fsycl-targets={names}", str(KINDS), "-o", str(program)]) == 0, (
        capsys.readouterr().err
    )
    (image,) = read_program(program.read_bytes()).abstract_modules
    symbols = {kernel.name: kernel.symbol for kernel in image.info.kernels}
    expected = verdicts(capsys)
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
