"""Planning: which steps a request needs, and the commands they become."""

from pathlib import Path

from dovetail.driver import (
    BuildRequest,
    PassRequest,
    RunRequest,
    jobs_of,
    plan_build,
    plan_executable,
    plan_passes,
    plan_start,
)
from dovetail.driver.requests import Headers
from dovetail.driver.step import AnyStep, Job
from dovetail.driver.steps.code_generation import CodeGeneration
from dovetail.driver.steps.device_compile import DeviceCompile
from dovetail.driver.steps.embedded_program import EmbeddedProgram
from dovetail.driver.steps.host_compile import HostCompile
from dovetail.driver.steps.host_link import HostLink
from dovetail.driver.steps.packaging import Packaging
from dovetail.driver.steps.passes import Passes
from dovetail.driver.steps.post_link import PostLink
from dovetail.driver.steps.precompiled_header import HeaderBodies, PrecompileHeader
from dovetail.frontend import Flags, PrecompiledHeader, Side, Source
from dovetail.targets.ir_family import IRFamily

WITH_SYCL = Source("a/k.cpp", "#include <sycl/sycl.hpp>\n")
WITHOUT_SYCL = Source("b/k.cpp", "void f();\n")


def headers(current: bool) -> Headers:
    host = PrecompiledHeader(Side.HOST, (), Path("host.pch"), current)
    device = {
        family: PrecompiledHeader(Side.DEVICE, (), Path(name), current, family)
        for family, name in ((IRFamily.SPIRV64, "device.pch"), (IRFamily.NVPTX64, "nvptx64.pch"))
    }
    return Headers(host, device)


def planned(root: AnyStep) -> list[Job]:
    return list(jobs_of(root, Path("folder")).values())


def kinds(root: AnyStep) -> list[type[AnyStep]]:
    return [type(step) for step in root.in_order()]


def test_header_is_made_once_and_first() -> None:
    request = BuildRequest((WITH_SYCL, WITH_SYCL))
    root = plan_build(request, headers(current=False))
    each = [DeviceCompile, Passes]
    rest = [PostLink, CodeGeneration, Packaging]
    assert kinds(root) == [PrecompileHeader, *each, *each, *rest]


def test_header_that_is_there_is_not_made() -> None:
    root = plan_build(BuildRequest((WITH_SYCL,)), headers(current=True))
    assert PrecompileHeader not in kinds(root)


def test_source_that_does_not_include_sycl_needs_no_header() -> None:
    root = plan_build(BuildRequest((WITHOUT_SYCL,)), headers(current=False))
    assert PrecompileHeader not in kinds(root)


def test_commands_say_what_the_user_said() -> None:
    flags = Flags(
        standard="c++20",
        optimization="3",
        macros=("-DN=4",),
        include_directories=("-Iinc",),
        warnings=("-Wall",),
    )
    request = BuildRequest((WITH_SYCL, WITHOUT_SYCL), flags, Path("out.syclbin"))
    made = headers(current=True)
    jobs = planned(plan_build(request, made))
    first, second = (job for job in jobs if isinstance(job.step, DeviceCompile))
    for word in ("-std=c++20", "-O3", "-DN=4", "-Iinc", "-Wall", "a/k.cpp", "device.pch"):
        assert word in first.command
    assert "device.pch" not in second.command
    assert set(first.outputs).isdisjoint(second.outputs), "two sources of the same name"
    passes = next(job for job in jobs if isinstance(job.step, Passes))
    assert str(passes).startswith("# in process: passes")
    assert "optimize{level=3}" in str(passes)
    assert "out.syclbin" in str(jobs[-1])


def test_commands_are_safe_to_paste() -> None:
    request = BuildRequest((Source("my file.cpp", ""),))
    made = headers(current=True)
    jobs = planned(plan_build(request, made))
    assert "'my file.cpp'" in str(jobs[0])


def test_passes_over_a_file() -> None:
    request = PassRequest("in.ll", "optimize", "facts.json")
    jobs = planned(plan_passes(request))
    assert [str(job) for job in jobs] == [
        "# in process: read in.ll facts.json",
        "# in process: passes optimize",
    ]


def test_both_sides_of_a_program() -> None:
    request = RunRequest((WITH_SYCL, WITHOUT_SYCL), arguments=("--size", "7"))
    jobs = planned(plan_start(request, headers(current=False)))
    assert [type(job.step) for job in jobs].count(PrecompileHeader) == 2
    hosts = [job for job in jobs if isinstance(job.step, HostCompile)]
    assert ["host.pch" in job.command for job in hosts] == [True, False]
    link = next(job for job in jobs if isinstance(job.step, HostLink))
    assert all(str(job.outputs[0]) in link.command for job in hosts)
    (bodies,) = (job for job in jobs if isinstance(job.step, HeaderBodies))
    assert str(bodies.outputs[0]) in link.command, "of the header that one source took"
    assert jobs.index(bodies) < jobs.index(link)
    assert str(jobs[-1]) == "# in process: start a/k.cpp --size 7"


def test_whole_program_ends_with_its_file() -> None:
    request = RunRequest((WITHOUT_SYCL,), output=Path("app"))
    jobs = planned(plan_executable(request, headers(current=True)))
    assert [type(job.step) for job in jobs[-3:]] == [
        EmbeddedProgram,
        HostCompile,
        HostLink,
    ]
    assert "-shared" not in jobs[-1].command


def test_bodies_that_are_there_are_linked() -> None:
    request = RunRequest((WITH_SYCL,), output=Path("app"))
    jobs = planned(plan_executable(request, headers(current=True)))
    assert HeaderBodies not in [type(job.step) for job in jobs]
    link = next(job for job in jobs if isinstance(job.step, HostLink))
    assert "host.o" in link.command


def test_program_that_took_no_header_needs_no_bodies() -> None:
    request = RunRequest((WITHOUT_SYCL,))
    jobs = planned(plan_start(request, headers(current=False)))
    assert HeaderBodies not in [type(job.step) for job in jobs]
    link = next(job for job in jobs if isinstance(job.step, HostLink))
    assert "host.o" not in link.command
