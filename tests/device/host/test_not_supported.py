"""A kernel starts only where it fits: what runs where, and what a program is told otherwise."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.runtime import Device, devices

pytestmark = pytest.mark.device

NEEDS = Path(__file__).parent / "sources" / "needs.cpp"

ASPECTS = {
    "plain": "",
    "fp64": "fp64",
    "fp16": "fp16",
    "atomic64": "atomic64",
    "says_gpu": "gpu",
    "says_cpu": "cpu",
    "work_group_2x32": "",
    "plain again": "",
}
SUB_GROUPS = {"sub_group_8": 8, "sub_group_16": 16, "sub_group_32": 32}
LABELS = {*ASPECTS, *SUB_GROUPS, "work_group_1000000"}

# What each lacks, wherever the tests run.
LACKING = {
    "intel_gpu_acm_g10": {"fp64", "says_cpu"},
    "intel_gpu_pvc": {"sub_group_8", "says_cpu"},
    "nvidia_gpu_sm_90": {"sub_group_8", "sub_group_16", "says_cpu"},
}


def read(printed: str) -> dict[str, str]:
    """What came of each kernel, in one line or several."""
    results: dict[str, str] = {}
    for line in printed.splitlines():
        label, _, text = line.partition(": ")
        if label in LABELS:
            results[label] = text
        else:
            results[list(results)[-1]] += f"\n{line}"
    return results


def those_that_fit(device: Device) -> set[str]:
    """By what the device says of itself and, if it stands for another, can really do."""
    itself = device.native.description
    spared = {"cpu", "gpu"} if device.stands_for else set[str]()
    fitting = {
        label
        for label, aspect in ASPECTS.items()
        if not aspect or (device.has(aspect) and aspect in itself.aspects | spared)
    }
    sizes = {*device.sub_group_sizes} & {*itself.sub_group_sizes}
    return fitting | {label for label, size in SUB_GROUPS.items() if size in sizes}


def check(results: dict[str, str], device: Device) -> None:
    """Exactly the fitting kernels ran, and the others were refused for what they need."""
    fitting = those_that_fit(device)
    assert {label for label, text in results.items() if text == "ran"} == fitting
    refused = {label: text for label, text in results.items() if label not in fitting}
    for text in refused.values():
        assert text.startswith("13 kernel '")
        assert f"' cannot run on '{device.name}': it needs " in text
        assert "something else" not in text
    assert results.keys() == LABELS


def test_what_runs_on_the_device(application: Callable[..., str]) -> None:
    check(read(application("needs")), devices()[0])


@pytest.mark.parametrize("target", LACKING)
def test_what_runs_on_another(target: str, application: Callable[..., str]) -> None:
    device = devices()[0].as_target(target)
    assert LACKING[target].isdisjoint(those_that_fit(device))
    check(read(application("needs", DOVETAIL_AS=target)), device)


def place(text: str, part: str | None = None) -> str:
    """Where the first line with the text has `part` of it."""
    lines = NEEDS.read_text().splitlines()
    number = next(n for n, line in enumerate(lines) if text in line)
    column = lines[number].index(part or text)
    return f"{NEEDS}:{number + 1}:{column + 1}"


def test_what_a_program_is_told(application: Callable[..., str]) -> None:
    target, name = "intel_gpu_acm_g10", devices()[0].name
    if not {"says_gpu", "fp16"} <= those_that_fit(devices()[0].as_target(target)):
        pytest.skip("the device itself lacks what the target has")
    results = read(application("needs", DOVETAIL_AS=target))
    judge = f"which the emulated target '{target}' does not have"
    assert results["fp64"] == (
        f"13 kernel 'uses_fp64' cannot run on '{name}': it needs aspect 'fp64', {judge}\n"
        f"  {place('double wide', 'wide')}: aspect 'fp64' is needed here: object of type 'double'\n"
        f"  {place('void outer', 'inner')}: 'inner' is called here by 'outer'\n"
        f"  {place('      outer(data)', 'outer')}: 'outer' is called here by 'uses_fp64'"
    )
    listed = place("single_task<says_cpu>", "sycl::device_has")
    assert results["says_cpu"] == (
        f"13 kernel 'says_cpu' cannot run on '{name}': it needs aspect 'cpu', {judge}\n"
        f"  {listed}: aspect 'cpu' is needed here: listed by attribute 'device_has'"
    )
    of_pvc = read(application("needs", DOVETAIL_AS="intel_gpu_pvc"))
    assert of_pvc["sub_group_8"] == (
        f"13 kernel 'sub_groups_of_8' cannot run on '{name}': it needs sub-groups of 8, which"
        " the emulated target 'intel_gpu_pvc' does not have\n"
        "supported sub-group sizes: 16, 32"
    )
