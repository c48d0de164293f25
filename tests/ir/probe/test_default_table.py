"""Check some entries of the default table; `make probe` checks all."""

import pytest

from dovetail import probe
from dovetail.probe import ProbeOutcome
from dovetail.probe.runner import TOOLCHAINS
from dovetail.targets import default_table

# For each compiler, targets with a feature and targets without it.
ASKED = {
    "ocloc": ("intel_gpu_skl", "intel_gpu_pvc"),
    "ptxas": ("nvidia_gpu_sm_50", "nvidia_gpu_sm_60"),
    "amdgpu": ("amd_gpu_gfx700", "amd_gpu_gfx1100"),
    "opencl-aot": ("intel_cpu_spr",),
}


@pytest.mark.device
@pytest.mark.parametrize("toolchain", ASKED)
def test_the_default_table_agrees_with_the_compilers(toolchain: str) -> None:
    names, table = ASKED[toolchain], default_table()
    assert {table[name].toolchain for name in names} == {toolchain}
    report = probe.run(table, names)
    assert report.of(ProbeOutcome.DISAGREES) == []
    assert report.of(ProbeOutcome.UNLISTED) == []
    assert report.counts[ProbeOutcome.AGREES] > 3 * len(names)


def test_every_compiler_is_asked() -> None:
    assert ASKED.keys() == TOOLCHAINS.keys()
