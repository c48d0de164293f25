"""What all tests share: a cache of their own, a check, `.ll` files with RUN lines as tests."""

import gc
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from designs import DESIGNS, Design
from hypothesis import HealthCheck, settings
from patience import PATIENCE
from precompiled_headers import keep_headers, seed_cache
from quick import quick_tests

from dovetail.compilers.ocloc import Ocloc, find_ocloc
from dovetail.compilers.opencl_cpu import OpenCLCpu, find_opencl_cpu, host_cpu_kind
from dovetail.compilers.ptxas import find_ptxas
from dovetail.errors import ToolMissing
from dovetail.resources import CLANG, tool_path
from dovetail.runtime.host_processor import processor_features
from dovetail.settings import CACHE, CACHE_DIR
from dovetail.spirv import SpirvModule

LLVM_BIN = Path("/usr/lib/llvm-22/bin")
EXAMPLES = {"change": 25, "fuzz": 500}
"""How many inputs a property is tested with, by Hypothesis profile; `make fuzz` has the second."""
for _profile, _examples in EXAMPLES.items():
    # No verdict may depend on how fast the machine is. What tests take from fixtures, mostly a
    # folder, is good for many examples.
    settings.register_profile(
        _profile,
        max_examples=_examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
settings.load_profile("change")

_Make = Callable[..., Any]  # what pytest declares as (...) -> partly unknown


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="only the tests of `make quick`")
    parser.addoption("--thorough", action="store_true", help="also the tests marked as thorough")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen = [*items]
    if not config.getoption("thorough"):
        chosen = [item for item in chosen if not item.get_closest_marker("thorough")]
    if config.getoption("quick"):
        chosen = [*quick_tests(chosen)]
    config.hook.pytest_deselected(items=[*{*items} - {*chosen}])
    items[:] = chosen


def pytest_report_header() -> list[str]:
    """What a verdict may depend on: the CPU, the driver of the default device, the compilers."""
    with pytest.MonkeyPatch.context() as patch:
        # Tests have a cache of their own, which is not there yet.
        patch.setenv(CACHE.variable, "off")
        host = processor_features()
        named = re.search(r"model name\s*: (.*)", host)
        driver = _name_of(find_opencl_cpu)
        compilers = [_name_of(find_ocloc), *(f"ptxas {each.version}" for each in find_ptxas())]
        kind = host_cpu_kind(host) or "unknown"
    clang = subprocess.run([tool_path(CLANG), "--version"], capture_output=True, text=True).stdout
    return [
        f"CPU: {named[1] if named else 'unknown'}, which the driver takes for {kind}",
        f"driver: {driver}",
        f"compilers: {clang.splitlines()[0]}, {', '.join(compilers)}",
    ]


def pytest_collection_finish() -> None:
    """Spare garbage collections the thousands of collected tests, which all stay to the end."""
    gc.collect()
    gc.freeze()


def _name_of(find: Callable[[], OpenCLCpu | Ocloc]) -> str:
    try:
        return find().name
    except ToolMissing as error:
        return error.message


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache of all processes of this run, which has nothing but the headers of earlier ones.

    The user's must neither help nor suffer.
    """
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "cache"
    seed_cache(cache)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_DIR.variable, str(cache))
        yield cache
    keep_headers(cache)


@pytest.fixture(scope="session", autouse=True)
def spirv_is_written_as_read() -> Iterator[None]:
    """Whatever SPIR-V a test makes or takes, writing it gives the same bytes."""
    read = SpirvModule.read

    def checked(data: bytes | bytearray | memoryview) -> SpirvModule:
        module = read(data)
        assert module.to_bytes() == bytes(data)
        return module

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SpirvModule, "read", checked)
        yield


@pytest.fixture(scope="module", params=DESIGNS)
def design(request: pytest.FixtureRequest) -> Design:
    """Every test that builds programs with this runs once for each design.

    Worth it where kernels require something or ask what a device has; a program in which none does
    is the same in both.
    """
    return Design(request.param)


@pytest.fixture(scope="module")
def own_cpu_kind() -> Iterator[None]:
    """Have builds for x86_64 compile for this machine's kind of CPU only.

    Compiling for all ten kinds takes ten times as long, and few tests are about that.
    """
    kind = host_cpu_kind(processor_features())
    with pytest.MonkeyPatch.context() as patch:
        if kind:
            patch.setattr("dovetail.codegen.opencl_cpu.arguments.CPU_KINDS", (kind,))
        yield


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A `.ll` file with RUN lines is a test."""
    if file_path.suffix == ".ll" and "; RUN:" in file_path.read_text():
        return cast(_Make, RunLineFile.from_parent)(parent, path=file_path)
    return None


class RunLineFile(pytest.File):
    """One file with RUN lines, as LLVM's own tests have them."""

    def collect(self) -> Iterator[pytest.Item]:
        yield cast(_Make, RunLineTest.from_parent)(self, name=self.path.name)


class RunLineTest(pytest.Item):
    """Each RUN line is run by the shell, with `%s` as the file and `%p` as its folder.

    All of a file's lines run in one folder, which is empty before and gone after.
    """

    def runtest(self) -> None:
        text = self.path.read_text()
        commands = [
            line.partition("; RUN:")[2].strip() for line in text.splitlines() if "; RUN:" in line
        ]
        with tempfile.TemporaryDirectory() as folder:
            for command in commands:
                command = command.replace("%s", str(self.path)).replace("%p", str(self.path.parent))
                self._run(command, folder)

    def _run(self, command: str, folder: str) -> None:
        folders = [Path(sys.executable).parent, LLVM_BIN]
        path = os.pathsep.join([*map(str, folders), os.environ["PATH"]])
        finished = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        if finished.returncode:
            raise AssertionError(f"{command}\n{finished.stdout}{finished.stderr}")

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"RUN lines of {self.path.name}"
