"""`dovetail table` as a user meets it."""

from pathlib import Path

import pytest

from dovetail.cli.main import main

Capture = pytest.CaptureFixture[str]

TABLE = "[Code|Properties]\na_0.bc|a_0.prop\na_1.bc|a_1.prop\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.table").write_text(TABLE)
    (tmp_path / "b.list").write_text("b_0.spv\nb_1.spv\n")
    (tmp_path / "a_1.prop").write_bytes(b"\xffproperties\n")
    return tmp_path


def table(*words: str) -> str:
    assert main(["table", *words, "-o", "out"]) == 0
    return Path("out").read_text()


@pytest.mark.parametrize("dash", ["-", "--"])
def test_transformations(dash: str) -> None:
    assert table("a.table") == TABLE
    assert table("a.table", f"{dash}extract=Code", f"{dash}drop_titles") == "a_0.bc\na_1.bc\n"
    assert table("a.table", f"{dash}extract=1,0").startswith("[Properties|Code]\na_0.prop|a_0.bc\n")
    assert table("a.table", f"{dash}rename=Code,IR") == TABLE.replace("Code", "IR")
    replaced = "[Code|Properties]\nb_0.spv|a_0.prop\nb_1.spv|a_1.prop\n"
    assert table("a.table", "b.list", f"{dash}replace=Code,0") == replaced
    assert table("a.table", f"{dash}replace", "Code,0", "b.list") == replaced
    assert table("a.table", "new.bc", f"{dash}replace_cell=Code,1") == TABLE.replace(
        "a_1.bc", "new.bc"
    )


def test_transformations_are_done_in_the_order_given() -> None:
    words = ("-rename=Code,IR", "-replace=IR,0", "-extract=IR", "-rename=IR,Code")
    assert table("a.table", "b.list", *words) == "[Code]\nb_0.spv\nb_1.spv\n"
    twice = table("a.table", "b.list", "c", "-replace=Code,0", "-replace_cell=Code,0")
    assert twice == "[Code|Properties]\nc|a_0.prop\nb_1.spv|a_1.prop\n"


def test_a_file_is_copied_byte_by_byte(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["table", "a.table", "-copy_single_file=Properties,1", "-o", "copy"]) == 0
    assert Path("copy").read_bytes() == b"\xffproperties\n"


def test_merge() -> None:
    Path("tables").write_text("a.table\na.table\n")
    assert table("tables", "-merge=0") == TABLE + TABLE.partition("\n")[2]
    Path("tables").write_text("a.table\nb.list\n")
    assert main(["table", "tables", "-merge=0"]) == 2


def test_merging_a_table_that_names_itself(capfd: Capture) -> None:
    Path("few").write_text("few\nfew\n")
    assert table("few", "-merge=0", "-drop_titles") == "few\n" * 4
    Path("many").write_text("many\n" * 10_000)
    assert main(["table", "many", "-merge=0"]) == 2
    assert "'-merge=0': the tables to merge have more than" in capfd.readouterr().err


def test_tables_without_rows() -> None:
    Path("empty.table").write_text("[Code|Properties]\n")
    assert table("empty.table", "-extract=Code", "-drop_titles") == ""
    Path("out").rename("empty.list")
    assert table("empty.table", "empty.list", "-replace=Code,0") == "[Code|Properties]\n"


def test_the_result_goes_to_standard_output(capfd: Capture) -> None:
    assert main(["table", "a.table"]) == 0
    assert capfd.readouterr().out == TABLE


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([], 2, "required: IN"),
        (["missing"], 1, "cannot read 'missing'"),
        (["a.table", "-extract=Cod"], 2, "'-extract=Cod': there is no column 'Cod' in a table of"),
        (["a.table", "-extract=Cod"], 2, "did you mean 'Code'?"),
        (["a.table", "-extract="], 2, "expected columns separated by commas"),
        (["a.table", "-extract=Code,Code"], 2, "'Code' twice"),
        (["a.table", "-extrakt=Code"], 2, "did you mean '-extract'?"),
        (["a.table", "-rename=Code"], 2, "'-rename=Code': expected two values"),
        (["a.table", "-rename=Code,Properties"], 2, "'Properties' twice"),
        (["a.table", "-replace=Code,0"], 2, "missing input for '-replace=Code,0'"),
        (["a.table", "b.list"], 2, "unused input 'b.list'"),
        (["a.table", "b.list", "-replace=Code,1"], 2, "no column '1' in a table of 0"),
        (["a.table", "-copy_single_file=Code,2"], 2, "the table has 2 rows"),
        (["a.table", "-copy_single_file=Code,x"], 2, "expected a row number, got 'x'"),
        (["a.table", "-copy_single_file=Code,0"], 1, "'a.table' names it"),
        (
            ["a.table", "-copy_single_file=Code,0", "-extract=Code"],
            2,
            "it must be the last transformation",
        ),
        (["a.table", "-copy_single_file=Code,0", "-drop_titles"], 2, "without -drop_titles"),
        (["a_1.prop"], 1, "'a_1.prop' is not a file table: file table, line 1"),
        (["a.table", "-o", "no/folder"], 1, "cannot write 'no/folder'"),
    ],
)
def test_errors(words: list[str], status: int, message: str, capsys: Capture) -> None:
    assert main(["table", *words, *([] if "-o" in words else ["-o", "out"])]) == status
    assert message in capsys.readouterr().err
    assert not Path("out").exists()
