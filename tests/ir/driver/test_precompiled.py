"""The precompiled header is made once, shared by what can share it, and never stale."""

import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from precompiled_headers import copy_headers
from variants import variant

from dovetail.cache import STEPS
from dovetail.driver import BuildRequest, ExecutionOptions, Job, JobListener, build_program
from dovetail.driver.step import AnyStep
from dovetail.driver.steps.precompiled_header import PrecompileHeader
from dovetail.errors import CompileError
from dovetail.frontend import (
    Flags,
    PrecompiledHeader,
    Side,
    Source,
    Tools,
    compile_command,
    precompiled_header,
)
from dovetail.settings import CACHE_DIR
from dovetail.targets import default_table

SOURCE = Source.from_text("""#include <sycl/sycl.hpp>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))
void k(int *p) { *p = VALUE; }
""")
FLAGS = Flags(macros=("-DVALUE=1",))


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def header(own_cache: Path, empty_cache: Path) -> PrecompiledHeader:
    """The header for `FLAGS`, which is in the cache, with nothing else of a build."""
    copy_headers(own_cache, empty_cache, precompiled_header(Side.DEVICE, FLAGS).path.stem)
    if not precompiled_header(Side.DEVICE, FLAGS).current:
        phases_of_build()
        shutil.rmtree(empty_cache / STEPS.name)
    return precompiled_header(Side.DEVICE, FLAGS)


class Phases(JobListener):
    def __init__(self) -> None:
        self.started_ones: list[type[AnyStep]] = []

    def started(self, job: Job) -> None:
        self.started_ones.append(type(job.step))


def phases_of_build(flags: Flags = FLAGS) -> list[type[AnyStep]]:
    phases = Phases()
    build_program(BuildRequest((SOURCE,), flags), ExecutionOptions(phases))
    return phases.started_ones


def test_made_on_first_use_only() -> None:
    assert PrecompileHeader in phases_of_build()
    assert PrecompileHeader not in phases_of_build()


@pytest.mark.usefixtures("header")
def test_device_code_does_not_need_that_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    def only_of_the_device(side: Side, *words: Any) -> PrecompiledHeader:
        assert side is Side.DEVICE
        return precompiled_header(side, *words)

    monkeypatch.setattr("dovetail.driver.run.precompiled_header", only_of_the_device)
    assert PrecompileHeader not in phases_of_build()


@pytest.mark.usefixtures("header")
def test_other_macros_and_include_directories_share_it(tmp_path: Path) -> None:
    assert PrecompileHeader not in phases_of_build(Flags(macros=("-DVALUE=2",)))
    directories = (f"-I{tmp_path}", "-isystem", str(tmp_path))
    flags = Flags(macros=("-DVALUE=3",), include_directories=directories)
    assert PrecompileHeader not in phases_of_build(flags)


def test_lists_of_targets_share_it_and_mean_what_they_say() -> None:
    # An array of minus one elements is an error.
    size = "-DVALUE=sizeof(char[sycl::any_device_has_v<sycl::aspect::fp64> ? {} : {}])"
    acm = default_table()["intel_gpu_acm_g10"]
    any_device = Flags(macros=(size.format(1, -1),))
    without_fp64 = Flags(macros=(size.format(-1, 1),), targets=(acm,))
    assert PrecompileHeader in phases_of_build(any_device)
    assert PrecompileHeader not in phases_of_build(without_fp64)
    assert PrecompileHeader not in phases_of_build(any_device)


VARIANT = Source.from_text("""\
#ifndef NDEBUG
#define NDEBUG
#endif
#define _GLIBCXX_DEBUG 1
#define _USE_MATH_DEFINES
#define _SEEN_NOWHERE_ELSE 1
#define __STDC_FORMAT_MACROS
#include <sycl/sycl.hpp>
#include <cassert>
#include <cinttypes>
#include <cmath>
#include <vector>
constexpr double pi_if_not_debug() {
  assert(false);
  return PRIu64[0] ? M_PI : 0;
}
static_assert(pi_if_not_debug() > 3);
static_assert(sizeof(std::vector<int>) > 3 * sizeof(void *), "vectors that are checked are larger");
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))
void k(int *p) { *p = VALUE; }
""")


@pytest.mark.usefixtures("header")
def test_macros_that_a_source_defines_select_a_header() -> None:
    def phases(source: Source, *macros: str) -> list[type[AnyStep]]:
        shown = Phases()
        flags = Flags(macros=("-DVALUE=1", *macros))
        build_program(BuildRequest((source,), flags), ExecutionOptions(shown))
        return shown.started_ones

    assert PrecompileHeader in phases(VARIANT)
    changed = VARIANT._replace(text=f"{VARIANT.text}\n")
    assert PrecompileHeader not in phases(changed)
    # Options select the same one, and macros that the headers do not test none.
    assert PrecompileHeader not in phases(SOURCE, "-DNDEBUG=", "-D_GLIBCXX_DEBUG=1")
    others = VARIANT.text.replace("NDEBUG", "_NO_DEBUG").replace("_GLIBCXX_DEBUG", "_STL_DEBUG")
    assert others.count("#define _") == 5
    text = "\n".join(line for line in others.splitlines() if "assert" not in line)
    assert PrecompileHeader not in phases(VARIANT._replace(text=text))


@pytest.mark.parametrize(
    "flags",
    [
        Flags(macros=("-DVALUE=1", "-DNDEBUG")),
        variant(Flags(macros=("-DVALUE=1", "-D_GLIBCXX_ASSERTIONS"))),
        Flags(macros=("-DVALUE=1",), standard="c++20"),
        variant(Flags(macros=("-DVALUE=1",), optimization="1")),
        variant(Flags(macros=("-DVALUE=1",), debug=True)),
        # Without the warning, clang does not define __DEPRECATED.
        Flags(macros=("-DVALUE=1",), warnings=("-Wall", "-Wno-deprecated")),
    ],
)
@pytest.mark.usefixtures("header")
def test_flags_that_matter_need_another(flags: Flags) -> None:
    assert PrecompileHeader in phases_of_build(flags)
    assert PrecompileHeader not in phases_of_build(flags)


def test_changed_input_makes_it_anew(header: PrecompiledHeader) -> None:
    assert header.current
    inputs = header.inputs_path.read_text()
    assert "sycl/queue.hpp" in inputs
    header.inputs_path.write_text(inputs.replace("[", "[1", 1))
    assert not precompiled_header(Side.DEVICE, FLAGS).current
    assert PrecompileHeader in phases_of_build()
    assert precompiled_header(Side.DEVICE, FLAGS).current


def test_sources_read_little_of_what_they_do_not_use(
    tmp_path: Path, header: PrecompiledHeader
) -> None:
    empty = tmp_path / "empty.cpp"
    empty.write_text("#include <sycl/sycl.hpp>\n")
    command = compile_command(
        Source.from_file(empty),
        FLAGS,
        header=header.path,
        bitcode=tmp_path / "empty.bc",
        facts=tmp_path / "empty.json",
    )
    listed = Tools().run((*command, "-Xclang", "-dump-deserialized-decls")).output.decode()
    assert "__spirv_BuiltInGlobalInvocationId" in listed
    # No kernel calls it.
    assert "std::to_string" not in listed


def test_damaged_list_makes_it_anew(header: PrecompiledHeader) -> None:
    header.inputs_path.write_text("{")
    assert PrecompileHeader in phases_of_build()


def test_damaged_header_is_made_anew(header: PrecompiledHeader) -> None:
    content = header.path.read_bytes()
    header.path.unlink()
    header.path.write_bytes(content[:1000])
    assert PrecompileHeader in phases_of_build()
    assert precompiled_header(Side.DEVICE, FLAGS).current


def test_failed_header_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = Flags(standard="c++1")
    with pytest.raises(CompileError, match=r"invalid value 'c\+\+1' in '-std="):
        build_program(BuildRequest((SOURCE,), flags))
    assert not precompiled_header(Side.DEVICE, flags).path.exists()


def test_unusable_cache_does_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "file"))
    assert PrecompileHeader not in phases_of_build()


def test_it_is_private_and_its_use_is_noted(tmp_path: Path) -> None:
    phases_of_build()
    header = precompiled_header(Side.DEVICE, FLAGS)
    for path in (header.path, header.inputs_path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    os.utime(header.inputs_path, (1, 1))
    assert precompiled_header(Side.DEVICE, FLAGS).current
    assert header.inputs_path.stat().st_mtime > 1
    assert PrecompileHeader not in phases_of_build()


@pytest.mark.usefixtures("header")
def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "cache").chmod(0o777)
    assert not precompiled_header(Side.DEVICE, FLAGS).current
    assert PrecompileHeader not in phases_of_build()
    (tmp_path / "cache").chmod(0o700)
    assert precompiled_header(Side.DEVICE, FLAGS).current
