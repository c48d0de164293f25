"""Planning: which actions a request needs, and the commands they become."""

from pathlib import Path

from dovetail.driver import (
    Action,
    BuildRequest,
    PassRequest,
    Phase,
    RunRequest,
    bind,
    plan_build,
    plan_passes,
    plan_run,
)
from dovetail.driver.actions import Headers
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


def phases(root: Action) -> list[Phase]:
    return [action.phase for action in root.in_order()]


def test_header_is_made_once_and_first() -> None:
    request = BuildRequest((WITH_SYCL, WITH_SYCL))
    root = plan_build(request, headers(current=False))
    each = [Phase.COMPILE, Phase.PASSES]
    rest = [Phase.POST_LINK, Phase.GENERATE, Phase.PACKAGE]
    assert phases(root) == [Phase.PRECOMPILE, *each, *each, *rest]


def test_header_that_is_there_is_not_made() -> None:
    root = plan_build(BuildRequest((WITH_SYCL,)), headers(current=True))
    assert Phase.PRECOMPILE not in phases(root)


def test_source_that_does_not_include_sycl_needs_no_header() -> None:
    root = plan_build(BuildRequest((WITHOUT_SYCL,)), headers(current=False))
    assert Phase.PRECOMPILE not in phases(root)


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
    jobs = bind(plan_build(request, made), request, Path("folder"))
    first, second = (job for job in jobs if job.action.phase is Phase.COMPILE)
    for word in ("-std=c++20", "-O3", "-DN=4", "-Iinc", "-Wall", "a/k.cpp", "device.pch"):
        assert word in first.command
    assert "device.pch" not in second.command
    assert set(first.outputs).isdisjoint(second.outputs), "two sources of the same name"
    passes = next(job for job in jobs if job.action.phase is Phase.PASSES)
    assert str(passes).startswith("# in process: passes")
    assert "optimize{level=3}" in str(passes)
    assert "out.syclbin" in str(jobs[-1])


def test_commands_are_safe_to_paste() -> None:
    request = BuildRequest((Source("my file.cpp", ""),))
    made = headers(current=True)
    jobs = bind(plan_build(request, made), request, Path("folder"))
    assert "'my file.cpp'" in str(jobs[0])


def test_passes_over_a_file() -> None:
    request = PassRequest("in.ll", "optimize", "facts.json")
    jobs = bind(plan_passes(request), request, Path("folder"))
    assert [str(job) for job in jobs] == [
        "# in process: read in.ll facts.json",
        "# in process: passes optimize",
    ]


def test_both_sides_of_a_program() -> None:
    request = RunRequest((WITH_SYCL, WITHOUT_SYCL), arguments=("--size", "7"))
    jobs = bind(plan_run(request, headers(current=False)), request, Path("folder"))
    assert [job.action.phase for job in jobs].count(Phase.PRECOMPILE) == 2
    hosts = [job for job in jobs if job.action.phase is Phase.COMPILE_HOST]
    assert ["host.pch" in job.command for job in hosts] == [True, False]
    link = next(job for job in jobs if job.action.phase is Phase.LINK_HOST)
    assert all(str(job.outputs[0]) in link.command for job in hosts)
    (bodies,) = (job for job in jobs if job.action.phase is Phase.BODIES)
    assert str(bodies.outputs[0]) in link.command, "of the header that one source took"
    assert jobs.index(bodies) < jobs.index(link)
    assert str(jobs[-1]) == "# in process: start a/k.cpp --size 7"


def test_whole_program_ends_with_its_file() -> None:
    request = RunRequest((WITHOUT_SYCL,), output=Path("app"))
    jobs = bind(plan_run(request, headers(current=True)), request, Path("folder"))
    assert [job.action.phase for job in jobs[-3:]] == [
        Phase.COMPILE_HOST,
        Phase.LINK_HOST,
        Phase.EXECUTABLE,
    ]
    assert str(jobs[-1]) == "# in process: executable app"


def test_bodies_that_are_there_are_linked() -> None:
    request = RunRequest((WITH_SYCL,), output=Path("app"))
    jobs = bind(plan_run(request, headers(current=True)), request, Path("folder"))
    assert Phase.BODIES not in [job.action.phase for job in jobs]
    link = next(job for job in jobs if job.action.phase is Phase.LINK_HOST)
    assert "host.o" in link.command


def test_program_that_took_no_header_needs_no_bodies() -> None:
    request = RunRequest((WITHOUT_SYCL,))
    jobs = bind(plan_run(request, headers(current=False)), request, Path("folder"))
    assert Phase.BODIES not in [job.action.phase for job in jobs]
    link = next(job for job in jobs if job.action.phase is Phase.LINK_HOST)
    assert "host.o" not in link.command
