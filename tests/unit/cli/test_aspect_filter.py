"""`dovetail aspect-filter` as a user meets it."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from image_sets import sets_of

from dovetail.cli.main import main
from dovetail.image import Requirements, format_property_sets

Capture = pytest.CaptureFixture[str]

TITLES = "[Code|Properties]\n"
FP16, FP64 = 5, 6


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    required = {
        "none": Requirements(),
        "fp16": Requirements((FP16,), 8),
        "fp64": Requirements((FP16, FP64)),
        "sg64": Requirements((), 64),
        "wide": Requirements((), None, (2**20, 2**20)),
    }
    for name, requirements in required.items():
        text = format_property_sets(sets_of(requirements=requirements))
        (tmp_path / f"{name}.prop").write_bytes(text)
    (tmp_path / "intel.prop").write_text("[SYCL/device requirements]\naspects=2|gAAAAAAAAAgBAAAA\n")
    names = [*required, "intel"]
    (tmp_path / "a.table").write_text(TITLES + "".join(f"{n}.bc|{n}.prop\n" for n in names))
    return tmp_path


def kept(*words: str) -> list[str]:
    assert main(["aspect-filter", "a.table", *words, "-o", "out"]) == 0
    titles, *rows = Path("out").read_text().splitlines(keepends=True)
    assert titles == TITLES
    return [row.partition(".")[0] for row in rows]


def test_rows_are_dropped_with_a_note(capsys: Capture) -> None:
    assert kept("--arch", "intel_gpu_dg1") == ["none", "fp16", "wide"]
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "a.table: note: row 2 (fp64.bc) is dropped: intel_gpu_dg1 lacks fp64",
        "a.table: note: row 3 (sg64.bc) is dropped: intel_gpu_dg1 lacks sub-group size 64",
        "a.table: note: row 5 (intel.bc) is dropped: intel_gpu_dg1 lacks fp64",
    ]
    assert kept("--arch", "intel_gpu_dg1", "-q") == ["none", "fp16", "wide"]
    assert not capsys.readouterr().err


def test_unknown_requirements_keep_the_row() -> None:
    assert kept("--arch", "spir64") == ["none", "fp16", "fp64", "sg64", "wide", "intel"]


def test_aliases_and_configuration_files() -> None:
    assert kept("--arch", "intel_gpu_12_60_7") == ["none", "fp64", "wide", "intel"]
    Path("mine.yaml").write_text("mine:\n  aspects: [fp64]\n  sub-group-sizes: [64]\n")
    assert kept("--arch", "mine", "--device-config-file", "mine.yaml") == [
        "none",
        "sg64",
        "wide",
        "intel",
    ]


def test_no_row_is_left() -> None:
    Path("a.table").write_text(TITLES + "fp64.bc|fp64.prop\n")
    assert kept("--arch", "intel_gpu_dg1") == []
    Path("out").rename("a.table")
    assert kept("--arch", "intel_gpu_dg1") == []


def test_a_row_without_a_properties_file_is_kept() -> None:
    Path("a.table").write_text(TITLES + "x.bc|\n")
    assert kept("--arch", "intel_gpu_dg1") == ["x"]


@pytest.mark.parametrize("text", ["[Code|Symbols]\n\na|b", "a.bc\nb.bc\n", ""])
def test_tables_without_properties_are_copied_before_anything_else(text: str) -> None:
    Path("a.table").write_text(text)
    words = ["--arch", "no_such_thing", "--device-config-file", "missing"]
    assert main(["aspect-filter", "a.table", *words, "-o", "out"]) == 0
    assert Path("out").read_text() == text


@pytest.mark.parametrize(
    ("content", "words", "status", "message"),
    [
        ("", ["--arch", "intel_gpu_dg"], 2, "did you mean 'intel_gpu_dg1'?"),
        ("x|missing.prop\n", ["--arch", "intel_gpu_dg"], 2, "unknown target 'intel_gpu_dg'"),
        ("x|missing.prop\n", ["--arch", "spir64"], 1, "cannot read 'missing.prop'"),
        ("x|missing.prop\n", ["--arch", "spir64"], 1, "'a.table' names it"),
        (
            "x|a.table\n",
            ["--arch", "spir64"],
            1,
            "'a.table', named by 'a.table', is not a valid prop",
        ),
        ("x\n", ["--arch", "spir64"], 1, "'a.table' is not a file table: file table, line 2"),
        ("", [], 2, "--arch"),
    ],
)
def test_errors(content: str, words: list[str], status: int, message: str, capsys: Capture) -> None:
    Path("a.table").write_text(TITLES + content)
    assert main(["aspect-filter", "a.table", *words, "-o", "out"]) == status
    assert message in capsys.readouterr().err
    assert not Path("out").exists()


def test_malformed_requirements_name_file_set_and_key(capsys: Capture) -> None:
    Path("fp64.prop").write_text("[SYCL/image-requirements]\naspect=1|6\n")
    assert main(["aspect-filter", "a.table", "--arch", "spir64"]) == 1
    text = capsys.readouterr().err
    assert "'fp64.prop'" in text
    assert "property 'aspect' of set 'SYCL/image-requirements'" in text


@given(st.binary(max_size=30), st.binary(max_size=40))
def test_any_bytes_give_a_table_or_a_message(table: bytes, properties: bytes) -> None:
    Path("a.table").write_bytes(table)
    assert main(["aspect-filter", "a.table", "--arch", "spir64", "-o", "out"]) in (0, 1)
    Path("a.table").write_text(TITLES + "x|p\n")
    Path("p").write_bytes(b"[SYCL/image-requirements]\n" + properties)
    assert main(["aspect-filter", "a.table", "--arch", "spir64", "-o", "out"]) in (0, 1)
