"""What `-save-temps` keeps."""

import subprocess
from pathlib import Path

import pytest

from dovetail.cli.main import main
from dovetail.facts_json import parse_facts
from dovetail.image import (
    parse_file_table,
    parse_property_sets,
    read_info,
    read_program,
)
from dovetail.ir import Context, Module
from dovetail.targets import aspect_number

Capture = pytest.CaptureFixture[str]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
SOURCES = {
    "a.cpp": "#include <sycl/sycl.hpp>\n"
    f"{TASK} void plain(int *p) {{ *p = 1; }}\n"
    f"{TASK} void twice(double *p) {{ *p *= 2; }}\n"
    "int main() {}\n",
    "b.cpp": "#include <sycl/sycl.hpp>\n" + f"{TASK} void other(int *p) {{ *p = 2; }}\n",
}
OF_A = {"a.device.spirv64.bc", "a.device.spirv64.facts.json", "a.device.spirv64.passes.bc"}
IMAGE = {".bc", ".prop", ".sym", ".spv"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cxx(*words: str) -> int:
    return main(["c++", "-fsycl", *words])


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - set(SOURCES)


def test_every_step_of_a_program(folder: Path) -> None:
    targets = "-fsycl-targets=spir64,intel_gpu_acm_g10"
    assert cxx("a.cpp", "-o", "app", targets, "-save-temps=kept/here") == 0
    kept = folder / "kept" / "here"
    assert names(kept) == {
        *OF_A,
        "a.host.o",
        "app.linked.bc",
        *(f"app.image_{number}{suffix}" for number in (0, 1) for suffix in IMAGE),
        "app.image_0.intel_gpu_acm_g10.native",
        "app.images.table",
        "app.spir64.table",
        "app.intel_gpu_acm_g10.table",
        "app.device.syclbin",
        "app.embedded.o",
        "app.host",
    }
    assert names(folder) == {"app", "kept"}
    assert parse_facts((kept / "a.device.spirv64.facts.json").read_bytes()).kernels
    for file in kept.glob("*.bc"):
        Module.parse(Context(), file.read_bytes(), file.name).verify()
    rows = parse_file_table((kept / "app.images.table").read_bytes()).rows
    filtered = parse_file_table((kept / "app.intel_gpu_acm_g10.table").read_bytes()).rows
    assert len(rows) == 2
    (dropped,) = set(rows) - set(filtered)
    properties = parse_property_sets((folder / dropped[1]).read_bytes())
    assert read_info(properties).requirements.aspects == (aspect_number("fp64"),)
    program = read_program((kept / "app.device.syclbin").read_bytes())
    for number, image in enumerate(program.abstract_modules):
        code = (kept / f"app.image_{number}.spv").read_bytes()
        assert code == bytes(image.ir_modules[0].code)
    subprocess.run(["spirv-val", "--target-env", "spv1.3", kept / "app.image_0.spv"], check=True)


def test_objects_keep_what_they_are_made_of(folder: Path) -> None:
    assert cxx("-c", "a.cpp", "-save-temps") == 0
    assert names(folder) == {*OF_A, "a.host.o", "a.device.offload", "a.o"}


def test_beside_the_output(folder: Path) -> None:
    (folder / "out").mkdir()
    assert cxx("-fsyclbin", "b.cpp", "-o", "out/b.syclbin", "-save-temps=obj") == 0
    assert names(folder) == {"out"}
    assert {"b.syclbin", "b.device.syclbin", "b.linked.bc"} <= names(folder / "out")


def test_objects_and_libraries(folder: Path) -> None:
    assert cxx("-c", "b.cpp") == 0
    subprocess.run(["llvm-ar-22", "qc", "libb.a", "b.o"], check=True)
    line = ("a.cpp", "-Wl,--whole-archive", "libb.a", "-Wl,--no-whole-archive")
    assert cxx("-shared", *line, "-o", "libx.so", "-save-temps=kept") == 0
    assert {
        "libx.gathered_0.spirv64.bc",
        "libx.embedded.o",
        "libx.resolved.so",
        "libx.host.so",
    } <= names(folder / "kept")


def test_the_same_names_when_it_is_repeated(folder: Path) -> None:
    assert cxx("-fsyclbin", "b.cpp", "-save-temps=kept") == 0
    before = {file.name: file.read_bytes() for file in (folder / "kept").iterdir()}
    assert cxx("-fsyclbin", "b.cpp", "-save-temps=kept") == 0
    assert {file.name: file.read_bytes() for file in (folder / "kept").iterdir()} == before


def test_sources_of_one_name_and_programs_apart(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "b.cpp").write_text(SOURCES["b.cpp"].replace("other", "another"))
    assert cxx("-fsyclbin", "b.cpp", "sub/b.cpp", "-fno-sycl-rdc", "-save-temps=kept") == 0
    kept = names(folder / "kept")
    assert {"b.device.spirv64.bc", "b-2.device.spirv64.bc"} <= kept
    assert {"a.linked.bc", "a-2.linked.bc", "a.image_0.spv", "a-2.image_0.spv"} <= kept


def test_a_failed_build_keeps_what_was_made_until_then(folder: Path, capsys: Capture) -> None:
    (folder / "b.cpp").write_text(SOURCES["b.cpp"] + "SYCL_EXTERNAL void f(int *);\n" + "int main;")
    assert cxx("-j1", "a.cpp", "b.cpp", "-o", "app", "-save-temps=kept") == 1
    assert "redefinition" in capsys.readouterr().err or not (folder / "app").exists()
    assert names(folder / "kept") >= OF_A


def test_nothing_is_written_over_inputs_and_outputs(folder: Path, capsys: Capture) -> None:
    assert cxx("-c", "b.cpp", "-o", "b.host.o", "-save-temps") == 2
    assert "'b.host.o' is an input or an output" in capsys.readouterr().err
    assert not (folder / "b.host.o").exists()


def test_a_folder_that_cannot_be_made(folder: Path, capsys: Capture) -> None:
    assert cxx("-c", "b.cpp", "-save-temps=a.cpp/x") == 1
    assert "cannot create the folder 'a.cpp/x'" in capsys.readouterr().err
    assert not (folder / "b.o").exists()
