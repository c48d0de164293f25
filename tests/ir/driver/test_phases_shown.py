"""The graph of actions as `-ccc-print-phases` shows it."""

import re
import subprocess
from pathlib import Path

import pytest

from dovetail.cli.main import main

Capture = pytest.CaptureFixture[str]

SYCL = "#include <sycl/sycl.hpp>\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.cpp").write_text(f"{SYCL}int main() {{}}\n")
    # Without our header, so that no precompiled one has to be made before.
    (tmp_path / "b.cpp").write_text("int b() { return 1; }\n")
    (tmp_path / "c.c").write_text("int c(void) { return 1; }\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def phases(capsys: Capture, *words: str) -> list[str]:
    assert main(["c++", "-fsycl", *words, "-ccc-print-phases"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()


def test_a_program(folder: Path, capsys: Capture) -> None:
    assert phases(capsys, "b.cpp", "-x", "c", "c.c", "-o", "app") == [
        '                  +- 0: input, "b.cpp", c++, (device, spirv64)',
        "               +- 1: front-end, {0}, bitcode and facts, (device, spirv64)",
        "            +- 2: passes, {1}, bitcode, (device, spirv64)",
        "         +- 3: post-link, {2}, images, (device, spirv64)",
        "      +- 4: code generation, {3}, code of images, (device, spirv64)",
        "   +- 5: packaging, {4}, syclbin, (device)",
        "+- 6: embedding, {5}, object, (host)",
        '|  +- 7: input, "b.cpp", c++, (host)',
        "|- 8: host compilation, {7}, object, (host)",
        '|  +- 9: input, "c.c", c, (host)',
        "|- 10: host compilation, {9}, object, (host)",
        "11: host linking, {6, 8, 10}, program, (host)",
    ]
    assert sorted(path.name for path in folder.iterdir()) == ["a.cpp", "b.cpp", "c.c"]


def test_targets_are_filtered_for_one_by_one(capsys: Capture) -> None:
    words = ("-fsyclbin", "-fsycl-targets=intel_gpu_pvc,intel_gpu_acm_g10")
    lines = [line.lstrip(" |+-") for line in phases(capsys, "b.cpp", *words)]
    assert "4: aspect filter, {3}, images, (device, spirv64, intel_gpu_pvc)" in lines
    assert "5: aspect filter, {3}, images, (device, spirv64, intel_gpu_acm_g10)" in lines
    assert "6: code generation, {3, 4, 5}, code of images, (device, spirv64)" in lines
    assert lines[-1] == "7: packaging, {6}, syclbin, (device)"


@pytest.mark.parametrize(
    ("words", "last"),
    [
        (("-c", "b.cpp"), "6: files, {5}, files"),
        (("-fsyntax-only", "b.cpp"), "4: files, {1, 3}, none"),
        (("-shared", "b.cpp", "-o", "x.so"), "9: host linking, {6, 8}, shared object, (host)"),
    ],
)
def test_other_requests_end_otherwise(words: tuple[str, ...], last: str, capsys: Capture) -> None:
    assert phases(capsys, *words)[-1] == last


def test_what_is_linked_is_an_input(capsys: Capture) -> None:
    subprocess.run(["clang-22", "-c", "c.c"], check=True)
    lines = phases(capsys, "b.cpp", "c.o", "-lm")
    (number,) = (
        re.search(r"(\d+): input, \"c\.o\", object", line) for line in lines if "c.o" in line
    )
    assert number is not None
    (linking,) = (line for line in lines if "host linking" in line)
    assert number[1] in re.findall(r"\d+", linking.partition("{")[2])


def test_archives_are_looked_at_by_both_sides(capsys: Capture) -> None:
    assert main(["c++", "-fsycl", "-c", "a.cpp"]) == 0
    subprocess.run(["llvm-ar-22", "qc", "liba.a", "a.o"], check=True)
    lines = [line.lstrip(" |+-") for line in phases(capsys, "b.cpp", "liba.a")]
    (number,) = (line.partition(":")[0] for line in lines if 'input, "liba.a", archive' in line)
    readers = [line.split(", ")[0].partition(": ")[2] for line in lines if number in taken(line)]
    assert readers == ["archive members", "device code of objects", "host linking"]


def taken(line: str) -> list[str]:
    return re.findall(r"\d+", line.partition("{")[2].partition("}")[0])


def test_every_number_is_explained_before_it_is_used(capsys: Capture) -> None:
    lines = phases(capsys, "a.cpp", "b.cpp", "-fsycl-targets=x86_64,spir64")
    lines = [line for line in lines if not line.startswith("dovetail: warning")]
    for number, line in enumerate(lines):
        printed = re.match(rf"[ |]*(?:[+|]- )?{number}: (.*)", line)
        assert printed, line
        assert all(int(each) < number for each in taken(line))


def test_headers_that_have_to_be_made_are_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(folder / "cache"))
    text = "\n".join(phases(capsys, "a.cpp"))
    assert "precompile header, {}, precompiled header, (device)" in text
    assert "precompile header, {}, precompiled header, (host)" in text


def test_checks_have_a_graph_too(capsys: Capture) -> None:
    assert main(["check", "b.cpp", "-ccc-print-phases"]) == 0
    assert "1: check, {0}, facts, (device, spirv64)" in capsys.readouterr().err
