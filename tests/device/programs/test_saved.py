"""A saved program runs in a process that has no compiler."""

import subprocess
import sys
from pathlib import Path

import pytest

import dovetail
from dovetail.settings import CACHE_DIR

pytestmark = pytest.mark.device

RUN = """
import sys
sys.modules["dovetail._native"] = None
import dovetail, numpy
data = numpy.arange(32, dtype=numpy.float32)
program = dovetail.load(sys.argv[1])
queue = dovetail.Queue()
queue.parallel_for(program["twice"], dovetail.NdRange((32,), (8,)), data).wait()
assert (data == 2 * numpy.arange(32)).all()
loaded = [name for name in sys.modules if name.startswith("dovetail.")]
stages = ("driver", "frontend", "passes", "postlink", "codegen", "package", "ir", "artifacts")
assert not [name for name in loaded if name.split(".")[1] in stages], loaded
"""


def test_run_without_compiler(tmp_path: Path) -> None:
    program = dovetail.build("""
        #include <sycl/sycl.hpp>
        namespace syclexp = sycl::ext::oneapi::experimental;
        SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
        void twice(float *p) {
          p[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0)] *= 2;
        }""")
    saved = tmp_path / "twice.syclbin"
    program.save(saved)
    # -I and no PATH: neither this folder nor any compiler is to be found.
    environment = {"PATH": "", CACHE_DIR.variable: CACHE_DIR.value()}
    subprocess.run([sys.executable, "-I", "-c", RUN, saved], check=True, env=environment)
    assert [kernel.name for kernel in dovetail.load(saved).kernels] == ["twice"]
