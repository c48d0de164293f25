"""Programs whose devices stand for a target: what they are told, and that they still run."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from dovetail.cli import devices as devices_command
from dovetail.cli.main import main
from dovetail.runtime import devices
from dovetail.runtime.device import forget_devices
from dovetail.targets import Target, aspect_name, aspect_names, aspect_number, default_table
from dovetail.targets.aspects import deprecated_aspects

pytestmark = pytest.mark.device

Capture = pytest.CaptureFixture[str]

# Takes the numbers of aspects; prints those that the device has, and what else a target decides.
SOURCE = r"""
#include <sycl/sycl.hpp>

#include <cstdlib>
#include <iostream>

int main(int argc, char **argv) {
  sycl::queue queue;
  sycl::device device = queue.get_device();
  for (int i = 1; i < argc; ++i)
    if (device.has(static_cast<sycl::aspect>(std::atoi(argv[i]))))
      std::cout << argv[i] << ' ';
  std::cout << '\n';
  for (std::size_t size : device.get_info<sycl::info::device::sub_group_sizes>())
    std::cout << size << ' ';
  std::cout << '\n' << (device.is_gpu() ? "gpu" : device.is_cpu() ? "cpu" : "other") << '\n';

  int *sum = sycl::malloc_shared<int>(64, queue);
  queue.parallel_for(64, [=](sycl::id<1> i) { sum[i] = static_cast<int>(i) * 2; }).wait();
  std::cout << sum[63] << '\n';
}
"""

NAMES = tuple(dict.fromkeys(map(aspect_name, (*aspect_names(), *deprecated_aspects()))))
TARGETS = ("intel_gpu_pvc", "intel_gpu_acm_g10", "nvidia_gpu_sm_90")
CONFIGURATION = "my_gpu: {aspects: [gpu, usm_shared_allocations], sub-group-sizes: [16]}\n"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "prog.cpp"
    path.write_text(SOURCE)
    (path.parent / "mine.yaml").write_text(CONFIGURATION)
    return path


@pytest.fixture(scope="module")
def app(source: Path) -> Path:
    path = source.with_name("app")
    assert main(["c++", "-fsycl", str(source), "-o", str(path)]) == 0
    return path


def told(*words: str | Path, **options: Any) -> tuple[set[str], list[int], str]:
    """Which aspects the program sees, which sizes of sub-groups, and which kind of device."""
    command = [sys.executable, "-m", "dovetail", "run", *words, "--"]
    numbers = [str(aspect_number(name)) for name in NAMES]
    finished = subprocess.run([*command, *numbers], capture_output=True, text=True, **options)
    assert (finished.returncode, finished.stderr) == (0, "")
    aspects, sizes, kind, result = finished.stdout.splitlines()
    assert result == "126"
    found = set(map(int, aspects.split()))
    return {n for n in NAMES if aspect_number(n) in found}, list(map(int, sizes.split())), kind


def expected(target: Target) -> tuple[set[str], list[int], str]:
    """What the table says; where it says nothing, what the device itself does."""
    device = devices()[0]
    answers = {"yes": True, "no": False}
    aspects = {n for n in NAMES if answers.get(target.verdict(n), device.has(n))}
    sizes = target.sub_group_sizes or device.sub_group_sizes
    return aspects, list(sizes), "gpu" if target.has("gpu") else "cpu"


@pytest.mark.parametrize("name", TARGETS)
def test_a_program_sees_the_target(name: str, app: Path) -> None:
    target = default_table()[name]
    seen = told(app, "--as", name)
    assert seen == expected(target)
    assert ("fp64" in seen[0]) == (name != "intel_gpu_acm_g10")
    assert seen[2] == "gpu"


def test_without_a_target_a_program_sees_the_device(app: Path) -> None:
    device = devices()[0]
    seen = {name for name in NAMES if device.has(name)}
    assert told(app) == (seen, list(device.sub_group_sizes), device.kind)


def test_sources_take_the_option_anywhere(source: Path) -> None:
    wanted = expected(default_table()["intel_gpu_acm_g10"])
    assert told(source, "--as=intel_gpu_acm_g10") == wanted
    # An alias, and a file that says nothing of it.
    words = ("--as", "intel_gpu_12_55_8", "--device-config-file", "mine.yaml", "prog.cpp")
    assert told(*words, cwd=source.parent) == wanted


@pytest.mark.parametrize(
    "words",
    [
        ("--as=my_gpu", "app", "--device-config-file=mine.yaml"),
        ("-fsycl-device-config-file=mine.yaml", "app", "--as", "my_gpu"),
        ("--device-config-file", "mine.yaml", "prog.cpp", "--as", "my_gpu"),
    ],
)
def test_a_target_of_the_users_own(words: tuple[str, ...], app: Path) -> None:
    aspects, *others = told(*words, cwd=app.parent)
    # The other one is an older name for the same.
    assert aspects == {"gpu", "usm_shared_allocations", "usm_restricted_shared_allocations"}
    assert others == [[16], "gpu"]


def test_the_environment_names_a_target_and_the_option_another(
    app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Asked before the environment says what this process's own devices stand for.
    first, second = (expected(default_table()[n]) for n in ("intel_gpu_acm_g10", "intel_gpu_pvc"))
    monkeypatch.setenv("DOVETAIL_AS", "intel_gpu_acm_g10")
    assert told(app) == first
    assert told(app, "--as=intel_gpu_pvc") == second


@pytest.mark.parametrize("command", ["run app", "run prog.cpp", "devices"])
def test_unknown_targets(
    command: str, app: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(app.parent)
    assert main([*command.split(), "--as", "intel_gpu_pvcc"]) == 2
    printed = capsys.readouterr().err
    assert "unknown target 'intel_gpu_pvcc'" in printed
    assert "did you mean 'intel_gpu_pvc'?" in printed
    assert main([*command.split(), "--as=my_gpu", "--device-config-file", "none.yaml"]) == 1
    assert "cannot read 'none.yaml'" in capsys.readouterr().err


# `dovetail devices`


@pytest.fixture
def fresh_devices() -> Iterable[None]:
    """Devices as the environment of a test says."""
    forget_devices()
    yield
    forget_devices()


def described(capsys: Capture, *words: str) -> list[dict[str, Any]]:
    assert main(["devices", "--json", *words]) == 0
    return json.loads(capsys.readouterr().out)["devices"]


def test_devices_as_they_are(capsys: Capture) -> None:
    for shown, device in zip(described(capsys), devices(), strict=True):
        assert shown["stands_for"] is None
        assert shown["aspects"] == sorted(device.aspects, key=aspect_number)


def test_devices_that_stand_for_a_target(capsys: Capture) -> None:
    aspects, sizes, kind = expected(default_table()["intel_gpu_acm_g10"])
    for shown in described(capsys, "--as", "intel_gpu_acm_g10"):
        assert shown["stands_for"] == shown["target"] == "intel_gpu_acm_g10"
        assert (set(shown["aspects"]), shown["sub_group_sizes"], shown["kind"]) == (
            aspects,
            sizes,
            kind,
        )


@pytest.mark.usefixtures("fresh_devices")
def test_devices_of_the_environment(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOVETAIL_AS", "intel_gpu_pvc")
    monkeypatch.setenv("DOVETAIL_DEVICE", "opencl:*:0")
    (shown,) = described(capsys)
    assert shown["stands_for"] == "intel_gpu_pvc"


def test_the_table_has_a_column_for_each_device(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = devices()[0]
    pair = [first, first.as_target("intel_gpu_acm_g10")]
    monkeypatch.setattr(devices_command, "devices", lambda: pair)
    assert main(["devices"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [[cell.strip() for cell in line.strip("┃│").split("│")] for line in lines]
    assert ["emulates", "-", "intel_gpu_acm_g10"] in rows
    assert ["", "fp64", "-"] in rows
    assert ["", "fp16", "fp16"] in rows
    assert [row[2] for row in rows if row[0] == "sub-groups"] == ["8, 16, 32"]
