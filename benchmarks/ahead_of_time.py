"""The time of building for several GPUs, compared with runs of bare ocloc."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figure import Figure, fastest
from dovetail.compilers.ocloc import find_ocloc
from dovetail.image import read_program
from dovetail.settings import CACHE

DEVICES = ("skl", "icllp", "tgllp", "dg1", "adl_s", "acm_g10", "acm_g11", "pvc")
KERNELS = 20
JOBS = 2
ROUNDS = 9
ROUNDS_OF_ONE_JOB = 3
"""Fewer rounds, since the result is far from its limit."""

HEADER = """\
#include <sycl/sycl.hpp>
namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;
struct Body { float x, y, z, mass; };
"""

# A step of a simulation: bodies attract each other with damping, tile by tile.
KERNEL = """\
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
void step{number}(Body *bodies, Body *speeds, int count, float time) {{
  auto item = syclext::this_work_item::get_nd_item<1>();
  auto tile = syclext::group_local_memory_for_overwrite<Body[64]>(item.get_group());
  const size_t i = item.get_global_id(0), l = item.get_local_id(0);
  const Body own = bodies[i];
  Body speed = speeds[i];
  for (int first = 0; first < count; first += 64) {{
    (*tile)[l] = bodies[first + l];
    sycl::group_barrier(item.get_group());
    for (int j = 0; j < 64; ++j) {{
      const Body other = (*tile)[j];
      const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
      const float distance = sycl::sqrt(x * x + y * y + z * z + 0.{number}1f);
      const float pull = other.mass / (distance * distance * distance) * sycl::exp(-distance);
      speed.x += pull * x * time, speed.y += pull * y * time, speed.z += pull * z * time;
    }}
    sycl::group_barrier(item.get_group());
  }}
  const float turn = sycl::atan2(speed.y, speed.x) + time;
  speed.x *= sycl::cos(turn), speed.y *= sycl::sin(turn);
  speeds[i] = speed;
  bodies[i] = {{own.x + speed.x * time, own.y + speed.y * time, own.z + speed.z * time, own.mass}};
}}
"""

NAME = f"{KERNELS} kernels for {len(DEVICES)} GPUs"


def measure() -> list[Figure]:
    """Compare whole builds, with only headers cached, with bare ocloc on the same SPIR-V."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, program, spirv = folder / "k.cpp", folder / "k.syclbin", folder / "k.spv"
        source.write_text(HEADER + "".join(KERNEL.format(number=n) for n in range(KERNELS)))
        targets = ",".join(f"intel_gpu_{device}" for device in DEVICES)
        command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", "-fsyclbin", str(source)]
        command += ["-o", str(program)]
        _run(command)
        (module,) = read_program(program.read_bytes()).abstract_modules
        spirv.write_bytes(module.ir_modules[0].code)

        def build(jobs: int) -> None:
            _run([*command, f"-fsycl-targets={targets}", f"-j{jobs}"])

        alone, beside = fastest([lambda: build(1), lambda: build(JOBS)], ROUNDS_OF_ONE_JOB)
        # Bare runs in two parts that take as long as a build each: short runs are more likely to
        # find the machine idle.
        half = len(DEVICES) // 2
        first, together, second = fastest(
            [
                lambda: _compile_bare(spirv, DEVICES[:half]),
                lambda: build(JOBS),
                lambda: _compile_bare(spirv, DEVICES[half:]),
            ],
            ROUNDS,
        )
    bare = (first + second) / JOBS
    return [
        Figure(
            f"{NAME}, one job : {JOBS} jobs",
            alone / beside,
            f"{alone:.2f} s : {beside:.2f} s",
            at_least=1.5,
        ),
        Figure(
            f"{NAME}, {JOBS} jobs : bare ocloc, one after the other, divided by {JOBS}",
            together / bare,
            f"{together:.2f} s : {bare:.2f} s",
            at_most=1.1,
        ),
    ]


def _compile_bare(spirv: Path, devices: Sequence[str]) -> None:
    for device in devices:
        words = ["-q", "-spirv_input", "-file", spirv.name, "-device", device, "-exclude_ir"]
        _run([find_ocloc().path, "compile", *words, "-output", "bare"], spirv.parent)


def _run(command: Sequence[str], folder: Path | None = None) -> None:
    environment = {**os.environ, CACHE.variable: "off"}
    subprocess.run(command, check=True, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
