"""The same programs in both designs: the same results, and the same refusals, word for word.

Each kernel is started on a CPU, as itself and as targets that lack this or that. What comes of it
is compared, whatever that is; other tests say what has to come of it.
"""

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from designs import DESIGNS, Design
from interop.cuda.condition_checks import SOURCES as CONDITIONS
from numpy.typing import NDArray
from variants import one_in, variant

from dovetail import Device, DovetailError, KernelNotSupported, Program, Queue
from dovetail.cli.main import main
from dovetail.runtime import devices
from dovetail.runtime.kernel import Kernel
from dovetail.targets import default_table
from dovetail.targets.user_file import read_user_files

pytestmark = [pytest.mark.device, pytest.mark.usefixtures("own_cpu_kind")]

HERE = Path(__file__).parent / "designs"
TARGETS = ("intel_gpu_pvc", "intel_gpu_acm_g10", "nvidia_gpu_sm_50")
CONFIGURATION = """\
mock_small: {aspects: [gpu, usm_shared_allocations], sub-group-sizes: [32]}
mock_wide: {aspects: [cpu, fp64, usm_shared_allocations], sub-group-sizes: [4, 8]}
"""
PLACES = ("", *TARGETS, "mock_small", "mock_wide")
"""What the CPU stands for; the first is itself."""
SPLIT, CONDITIONAL = map(Design, DESIGNS)

Options = tuple[tuple[str, Any], ...]
Hearing = Callable[[DovetailError | None], object]


def sources(*names: str) -> tuple[Path, ...]:
    return tuple(HERE / f"{name}.cpp" for name in names)


@dataclass(frozen=True)
class Case:
    """A program, and how it is built."""

    name: str
    sources: tuple[Path, ...]
    options: Options = ()

    def __str__(self) -> str:
        return "-".join((self.name, *(str(value) for _, value in self.options)))


ALONE = [
    Case("requirements", sources("requirements")),
    Case("actions", sources("actions")),
    Case("conditions", tuple(CONDITIONS)),
    Case("sources", sources("sources_main", "sources_other")),
    Case("memory", sources("memory")),
]
GROUPED = [
    Case("actions", sources("actions"), (("device_code_split", "off"),)),
    Case("sources", sources("sources_main", "sources_other"), (("device_code_split", "off"),)),
    Case("actions", sources("actions"), (("device_code_split", "per_kernel"),)),
    Case("actions", sources("actions"), (("optimization", 0),)),
    Case("actions", sources("actions"), (("aspects", "optimized"),)),
]
HELD_BACK = GROUPED[1:4]


@cache
def built(case: Case, design: Design) -> bytes:
    options = {"include_directories": [HERE], **dict(case.options)}
    return design.build(*case.sources, **options).to_bytes()


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("configuration") / "mock.yaml"
    path.write_text(CONFIGURATION)
    return path


@pytest.fixture(scope="module")
def places(configuration: Path) -> dict[str, Device]:
    """By what the CPU stands for."""
    cpu = next(device for device in devices() if device.kind == "cpu")
    table = read_user_files([configuration], default_table()).table
    return {name: cpu.as_target(table[name]) if name else cpu for name in PLACES}


def told(error: DovetailError | None) -> object:
    """All that an error says, but for the numbers of images."""
    if error is None:
        return None
    said = {name: _without_numbers(value) for name, value in vars(error).items()}
    return type(error).__name__, _without_numbers(str(error)), said


def _without_numbers(value: object) -> object:
    return re.sub(r"\bimage \d+", "image", value) if isinstance(value, str) else value


def lacking(error: DovetailError | None) -> object:
    """What an error says of devices, whatever its words and the places that it names."""
    if not isinstance(error, KernelNotSupported):
        return told(error)
    lack = error.aspects, error.sub_group_size, error.work_group_size
    return error.kernel, error.device, error.refused_by, *lack


def outcome(kernel: Kernel, device: Device, heard: Hearing) -> object:
    """What a launch leaves behind, or raises; `fit` has to know it."""
    numbers = np.arange(1, 65, dtype=np.int32)
    fit = kernel.fit(device)
    error = raised(kernel, device, numbers, (heard, told))
    if fit is not None:
        assert error[1:] == [told(fit)]
    return error[0] if error else numbers.tolist()


def raised(
    kernel: Kernel, device: Device, numbers: NDArray[np.int32], heard: Sequence[Hearing]
) -> list[object]:
    """What the launch's error says; not the error, which would keep the program loaded."""
    queue = Queue(device)
    try:
        if kernel.dimensions:
            queue.parallel_for(kernel, 64, numbers).wait()
        else:
            queue.single_task(kernel, numbers).wait()
    except DovetailError as error:
        return [hearing(error) for hearing in heard]
    return []


def outcomes(program: Program, device: Device, heard: Hearing = told) -> dict[str, object]:
    return {kernel.name: outcome(kernel, device, heard) for kernel in program.kernels}


def globals_of(program: Program, device: Device) -> dict[str, object]:
    """What the kernels have left in them."""
    queue = Queue(device)
    return {
        name: variable.read(queue, np.uint8).tolist()
        for name, variable in program.device_globals.items()
    }


def check_alike(case: Case, device: Device, heard: Hearing = told) -> None:
    results: list[object] = []
    for design in (SPLIT, CONDITIONAL):
        program = Program.from_bytes(built(case, design))
        results.append((outcomes(program, device, heard), globals_of(program, device)))
    split, conditional = results
    assert conditional == split


@pytest.mark.parametrize("place", one_in(2, PLACES))
@pytest.mark.parametrize("case", ALONE, ids=str)
def test_alike(case: Case, place: str, places: dict[str, Device]) -> None:
    check_alike(case, places[place])


@pytest.mark.parametrize(
    "case",
    [variant(case, is_sample=case not in HELD_BACK) for case in GROUPED],
    ids=str,
)
def test_alike_however_programs_are_built(case: Case, places: dict[str, Device]) -> None:
    for place in ("", "intel_gpu_acm_g10", "mock_wide"):
        check_alike(case, places[place])


@pytest.mark.parametrize("case", ALONE, ids=str)
def test_designs_differ(case: Case) -> None:
    """Else the tests here would show little."""
    assert built(case, SPLIT) != built(case, CONDITIONAL)


PLAIN = """
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
exp_::device_global<int> counter{1};
SYCL_EXTERNAL int counted(int x) { return counter += x; }
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel)) void one(int *p) { *p = counted(*p); }
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<1>)) void two(int *p) {
  p[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0)] = counted(2);
}
"""


@pytest.mark.parametrize("split", ["auto", "per_kernel", "off"])
def test_a_program_for_every_device_is_the_same(split: str) -> None:
    """So tests of such programs need not run in both designs."""
    one, two = (
        design.build(PLAIN, device_code_split=split).to_bytes() for design in (SPLIT, CONDITIONAL)
    )
    assert one == two


@pytest.mark.parametrize("place", one_in(2, PLACES))
def test_programs_that_call_each_other(place: str, places: dict[str, Device]) -> None:
    """Each is in one design or the other."""
    results: list[dict[str, object]] = []
    for one, two in itertools.product((SPLIT, CONDITIONAL), repeat=2):
        importer = Program.from_bytes(built(Case("importer", sources("importer")), one))
        exporter = Program.from_bytes(built(Case("exporter", sources("exporter")), two))
        results.append(outcomes(importer, places[place]))
        del exporter, importer
    assert results[1] == results[2] == results[3] == results[0]


def test_a_program_whose_imports_nobody_has(places: dict[str, Device]) -> None:
    for device in places.values():
        check_alike(Case("importer", sources("importer")), device)


AHEAD = ("x86_64", "intel_gpu_pvc", "intel_gpu_acm_g10")


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        pytest.param("requirements", AHEAD, marks=pytest.mark.thorough),
        ("actions", ("spir64", *AHEAD)),
        pytest.param("actions", ("mock_small", *AHEAD[:2]), marks=pytest.mark.thorough),
    ],
)
def test_ahead_of_time(
    name: str, targets: Sequence[str], configuration: Path, places: dict[str, Device]
) -> None:
    options: Options = (("targets", targets), ("device_config_files", (configuration,)))
    case = Case(name, sources(name), options)
    for target in targets:
        if target != "spir64":
            # What was decided is no condition any more, and is not told as one.
            check_alike(case, places["" if target == "x86_64" else target], lacking)


@pytest.mark.parametrize("design", [SPLIT, CONDITIONAL], ids=lambda design: design.name)
@pytest.mark.parametrize("case", [case for case in ALONE if case.name != "memory"], ids=str)
def test_check_says_the_same(
    case: Case,
    design: Design,
    configuration: Path,
    places: dict[str, Device],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A target lacks something for the kernels that are refused because of it alone."""
    words = [f"-I{HERE}", "--device-config-file", str(configuration), "--json", "-w"]
    names = ("intel_gpu_pvc", "intel_gpu_acm_g10", "mock_small", "mock_wide")
    main(["check", *words, "--targets", ",".join(names), *map(str, case.sources)])
    checked = json.loads(capsys.readouterr().out)["kernels"]
    program = Program.from_bytes(built(case, design))
    for name in names:
        misfits = [each["name"] for each in checked if each["fits"][name]["verdict"] == "no"]
        errors = [(kernel, kernel.fit(places[name])) for kernel in program.kernels]
        by_target = [
            kernel.name.partition("<")[0]  # the report has no arguments of templates
            for kernel, error in errors
            if isinstance(error, KernelNotSupported) and error.refused_by == name
        ]
        assert sorted(by_target) == sorted(misfits), name


@pytest.fixture(scope="module")
def applications(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A host program in each design, by the same name."""
    paths = [tmp_path_factory.mktemp(design) / "host" for design in DESIGNS]
    for path, design in zip(paths, (SPLIT, CONDITIONAL), strict=True):
        source = str(HERE / "host.cpp")
        assert main(["c++", "-fsycl", design.option, source, "-o", str(path)]) == 0
    return paths


@pytest.mark.parametrize("place", one_in(3, PLACES))
def test_host_programs(place: str, applications: list[Path], configuration: Path) -> None:
    emulated = [f"--as={place}", f"--device-config-file={configuration}"] if place else []
    printed = [
        subprocess.run(
            [sys.executable, "-m", "dovetail", "run", path, *emulated],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for path in applications
    ]
    assert printed[1] == printed[0]
    assert "plain: 1 85385\n" in printed[0].replace(" \n", "\n")
