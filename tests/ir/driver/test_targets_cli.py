"""`dovetail targets` and `dovetail targets probe`."""

import json
from pathlib import Path

import pytest

from dovetail.cli.main import main


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    assert main(["targets", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["targets"]


def test_json_has_everything(capsys: pytest.CaptureFixture[str]) -> None:
    targets = {target["name"]: target for target in _json(capsys)}
    assert len(targets) == 100
    assert targets["intel_gpu_pvc"] == {
        "name": "intel_gpu_pvc",
        "aliases": ["intel_gpu_12_60_7", "xe-pvc"],
        "groups": ["igca_20ca"],
        "family": "intel_gpu",
        "aspects": ["gpu", "fp16", "atomic64", "ext_intel_esimd", "fp64"],
        "may_support_other_aspects": True,
        "absent_aspects": ["cpu", "accelerator", "custom", "emulated"],
        "sub_group_sizes": [16, 32],
        "toolchain": "ocloc",
        "options": "-device pvc",
        "architecture": 20,
        "macro": "__SYCL_TARGET_INTEL_GPU_PVC__",
    }


def test_filters(capsys: pytest.CaptureFixture[str]) -> None:
    def names(*words: str) -> set[object]:
        return {target["name"] for target in _json(capsys, *words)}

    assert names("--family", "intel_gpu", "--lacks", "fp64", "--has", "fp16") >= {"intel_gpu_dg1"}
    assert "intel_gpu_pvc" in names("--has", "fp64") - names("--lacks", "fp64")
    assert names("--has", "6") == names("--has", "fp64")
    # What nobody knows is in neither.
    assert "spir64" not in names("--has", "fp64") | names("--lacks", "fp64")
    assert names("--family", "nvidia_gpu", "--lacks", "fp16") == {
        "nvidia_gpu_sm_50",
        "nvidia_gpu_sm_52",
    }
    assert names("intel_gpu_9_0_9", "intel_gpu_skl") == {"intel_gpu_skl"}


def test_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets", "--family", "nvidia_gpu", "--has", "fp64"]) == 0
    text = capsys.readouterr().out
    assert "nvidia_gpu_sm_90" in text
    assert "ptxas" in text
    assert main(["targets", "intel_gpu_9_0_9"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("intel_gpu_skl\n")
    assert "8, 16, 32" in text
    assert "ocloc -device skl" in text
    assert main(["targets", "--has", "emulated"]) == 0
    assert capsys.readouterr().out == "no matching targets\n"
    assert main(["targets", "--aspects"]) == 0
    assert "deprecated: use atomic64" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["intel_gpu_pcv"], "unknown target 'intel_gpu_pcv'\ndovetail: did you mean"),
        (["--has", "fp46"], "unknown aspect 'fp46'"),
        (["--lacks", "4711"], "unknown aspect '4711'"),
        (["--has", "9" * 5000], "unknown aspect '999"),
        (["--has", "\u0665"], "unknown aspect"),
        (["--aspects", "--has", "fp64"], "'--aspects' cannot be combined"),
        (["--family", "intel"], "unknown family 'intel'\ndovetail: families: x86_64"),
        (["probe", "intel_gpu_pcv"], "unknown target 'intel_gpu_pcv'"),
        (["intel_gpu_pcv", "x"], "unknown targets 'intel_gpu_pcv', 'x'"),
        (["probe", "intel_gpu_pcv", "x"], "unknown targets 'intel_gpu_pcv', 'x'"),
    ],
)
def test_wrong_words(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets", *words]) == 2
    assert message in capsys.readouterr().err


def test_user_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("my_gpu:\n  aspects: [gpu, fp64]\n  sub-group-sizes: [48]\n")
    (mine,) = _json(capsys, "my_gpu", "--device-config-file", str(file))
    assert mine["aspects"] == ["gpu", "fp64"]
    assert mine["may_support_other_aspects"] is False
    file.write_text("my_gpu:\n  aspects: [gpu, fp46]\n")
    assert main(["targets", f"-fsycl-device-config-file={file}"]) == 1
    assert f"{file}:2" in capsys.readouterr().err


def test_probe_shows_every_cell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets", "probe", "amd_gpu_gfx700", "amd_gpu_gfx940", "spir64"]) == 0
    text = capsys.readouterr().out
    assert "LLVM 22.1.8 does not know it: invalid target ID 'gfx940'" in text
    assert "0 disagrees, 0 unlisted" in text
    # The value of the outcome in JSON is older.
    assert "\ninconclusive (-):\n" in text
    assert " inconclusive\n" in text
    assert "cannot be asked" not in text


def test_probe_finds_a_lie(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("amd_gpu_gfx900:\n  aspects: [gpu, fp64, atomic64]\n  sub-group-sizes: [32]\n")
    words = ["targets", "probe", "amd_gpu_gfx900", "--device-config-file", str(file), "--json"]
    assert main(words) == 1
    cells = json.loads(capsys.readouterr().out)["cells"]
    outcomes = {cell["question"]: cell["outcome"] for cell in cells}
    assert outcomes["fp16"] == "unlisted"
    assert outcomes["sub-group size 32"] == outcomes["sub-group size 64"] == "disagrees"
    assert outcomes["fp64"] == "agrees"
