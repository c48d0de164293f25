"""Targets in DPC++'s spelling, and `--offload-arch=`."""

import pytest

from dovetail.driver import TargetChoice, choose_targets, target_spellings as spellings
from dovetail.driver.backend_option import BackendOption
from dovetail.errors import UsageError

NVIDIA, AMD = "nvptx64-nvidia-cuda", "amdgcn-amd-amdhsa"


def choose(names: str, *options: BackendOption, arch: str = "") -> TargetChoice:
    architectures = [arch] if arch else []
    return choose_targets(names or (), backend_options=options, architectures=architectures)


def names_of(choice: TargetChoice) -> list[str]:
    assert choice.warnings == ()
    return [target.name for target in choice.targets]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("spir64-unknown-unknown", "spir64"),
        ("spir64-unknown-unknown-sycldevice", "spir64"),
        ("spirv64-unknown-unknown", "spir64"),
        ("spir64_x86_64-unknown-unknown", "spir64_x86_64"),
        ("x86_64-unknown-unknown", "x86_64"),
        ("native_cpu", "x86_64"),
        (NVIDIA, "nvidia_gpu_sm_75"),
        ("nvptx64-nvidia-cuda-sycldevice", "nvidia_gpu_sm_75"),
    ],
)
def test_triples(given: str, name: str) -> None:
    assert names_of(choose(given)) == [name]


@pytest.mark.parametrize("option", ["--offload-arch=", "--cuda-gpu-arch="])
@pytest.mark.parametrize("target", ["", NVIDIA, None])
def test_architecture_of_the_only_target(option: str, target: str | None) -> None:
    choice = choose(NVIDIA, BackendOption(f"{option}sm_80", target))
    assert names_of(choice) == ["nvidia_gpu_sm_80"]
    assert choice.options == {}


def test_several_triples_with_several_architectures() -> None:
    choice = choose(
        f"{AMD},spir64,{NVIDIA}",
        BackendOption("--offload-arch=gfx90a", AMD),
        BackendOption("--offload-arch=sm_80,sm_90", NVIDIA),
        BackendOption("-Xcuda-ptxas", NVIDIA),
        BackendOption("--maxrregcount=64", NVIDIA),
    )
    cuda = ["nvidia_gpu_sm_80", "nvidia_gpu_sm_90"]
    assert names_of(choice) == ["amd_gpu_gfx90a", "spir64", *cuda]
    assert choice.options == dict.fromkeys(cuda, ("--maxrregcount=64",))


def test_architectures_for_all_targets() -> None:
    option = BackendOption("--offload-arch=gfx90a --offload-arch=sm_86", None)
    choice = choose(f"{NVIDIA},{AMD}", option)
    assert names_of(choice) == ["nvidia_gpu_sm_86", "amd_gpu_gfx90a"]


@pytest.mark.parametrize("names", [AMD, f"spir64,{AMD}"])
def test_missing_architecture(names: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose(names)
    assert caught.value.message == f"missing architecture for the target '{AMD}'"
    assert f"-Xsycl-target-backend={AMD} --offload-arch=gfx" in caught.value.hint


def test_wrong_architecture() -> None:
    with pytest.raises(UsageError, match="unknown target 'amd_gpu_sm_80'"):
        choose(AMD, BackendOption("--offload-arch=sm_80", AMD))


def test_ambiguous_option() -> None:
    with pytest.raises(UsageError, match="is ambiguous: the build has 2 targets"):
        choose(f"spir64,{NVIDIA}", BackendOption("--cuda-gpu-arch=sm_80"))


def test_architectures_without_targets() -> None:
    choice = choose("", arch="sm_80,gfx906,pvc,acm-g10,spir64")
    assert names_of(choice) == [
        "nvidia_gpu_sm_80",
        "amd_gpu_gfx906",
        "intel_gpu_pvc",
        "intel_gpu_acm_g10",
        "spir64",
    ]
    assert names_of(choose(f"spir64,{NVIDIA}", arch="sm_80,gfx906")) == [
        "spir64",
        "nvidia_gpu_sm_80",
        "amd_gpu_gfx906",
    ]


def test_other_triples_are_unknown() -> None:
    with pytest.raises(UsageError, match="unknown target 'nvptx64-nvidia-cuda-syclmlir'"):
        choose("nvptx64-nvidia-cuda-syclmlir")


def test_native_means_what_the_devices_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spellings, "native_targets", lambda: ["intel_gpu_pvc", "x86_64"])
    assert names_of(choose("native")) == ["intel_gpu_pvc", "x86_64"]
    assert names_of(choose("", arch="native")) == ["intel_gpu_pvc", "x86_64"]
