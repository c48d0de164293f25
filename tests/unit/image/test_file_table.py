"""File tables: parsing, errors and operations."""

import pytest
from effort import effort
from hypothesis import given, strategies as st

from dovetail.errors import DovetailError, FormatError, UsageError
from dovetail.image import (
    FileTable,
    cell_of,
    column_of,
    concatenate,
    extract_columns,
    format_file_table,
    parse_file_table,
    rename_column,
    replace_cell,
    replace_column,
)
from dovetail.image.file_table import MAX_SIZE

TEXT = b"[Code|Properties|Symbols]\na_0.bc|a_0.prop|a_0.sym\na_1.bc|a_1.prop|a_1.sym\n"
TABLE = FileTable(
    ("Code", "Properties", "Symbols"),
    (("a_0.bc", "a_0.prop", "a_0.sym"), ("a_1.bc", "a_1.prop", "a_1.sym")),
)

NAMES = st.text("ab|]é. [", min_size=1, max_size=5).map(lambda text: text.replace("|", "0"))


@st.composite
def tables(draw: st.DrawFn) -> FileTable:
    titles = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    cells = NAMES if len(titles) == 1 else NAMES | st.just("")
    rows = st.lists(cells, min_size=len(titles), max_size=len(titles)).map(tuple)
    return FileTable(tuple(titles), tuple(draw(st.lists(rows, max_size=4))))


def test_golden_table() -> None:
    assert parse_file_table(TEXT) == TABLE
    assert format_file_table(TABLE) == TEXT
    assert format_file_table(TABLE, titled=False) == TEXT.partition(b"\n")[2]


def test_optional_parts_of_the_grammar() -> None:
    assert parse_file_table(b"\n[a|b]\n\n1|") == FileTable(("a", "b"), (("1", ""),))
    assert parse_file_table(b"[a]") == FileTable(("a",))
    assert parse_file_table(b"[[a]|b]]\n[1|2]") == FileTable(("[a]", "b]"), (("[1", "2]"),))


def test_lists_have_numbers_for_titles() -> None:
    assert parse_file_table(b"a|b\nc|d\n", titled=False) == FileTable(
        ("0", "1"), (("a", "b"), ("c", "d"))
    )
    assert parse_file_table(TEXT, titled=False) == TABLE
    assert parse_file_table(b"", titled=False) == FileTable(())
    assert format_file_table(FileTable(())) == b""


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (b"", 1, "no line with titles"),
        (b"\n\n", 1, "no line with titles"),
        (b"a|b\n", 1, "expected a line with titles"),
        (b"[a|b\n", 1, "expected ']'"),
        (b"[]\n", 1, "empty title"),
        (b"[a||b]\n", 1, "empty title"),
        (b"[a|b|a]\n", 1, "title 'a' appears twice"),
        (b"[a]\r\n", 1, r"control character '\r'"),
        (b"[a\t]\n", 1, r"control character '\t'"),
        (b"[a]\n\xc2\x9b1m\n", 2, r"control character '\x9b'"),
        (b"[\xff]\n", 1, "expected UTF-8 text"),
        (b"[a|b]\n1|2\n1\n", 3, "expected 2 cells, got 1"),
        (b"[a]\n\n1|2\n", 3, "expected 1 cell, got 2"),
        (b"[a]\nb\x00c\n", 2, "control character"),
        (b"[a]\n\xff\n", 2, "expected UTF-8 text"),
    ],
)
def test_errors_name_the_line(text: bytes, line: int, problem: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_file_table(text)
    assert f"line {line}:" in caught.value.message
    assert problem in caught.value.message


def test_rows_of_a_list_have_equal_lengths() -> None:
    with pytest.raises(FormatError, match="line 2: expected 1 cell, got 2"):
        parse_file_table(b"a\nb|c\n", titled=False)


@pytest.mark.parametrize(
    "table",
    [
        FileTable(("",)),
        FileTable(("a|b",)),
        FileTable(("a\n",)),
        FileTable(("a", "a")),
        FileTable(("a\ud800",)),
        FileTable(("a",), (("",),)),
        FileTable(("a",), (("b", "c"),)),
        FileTable(("a", "b"), (("b",),)),
        FileTable(("a",), (("b|c",),)),
        FileTable(("a",), (("b\nc",),)),
        FileTable(("a",), (("b\udfff",),)),
    ],
)
def test_invalid_values_are_not_written(table: FileTable) -> None:
    with pytest.raises(FormatError):
        format_file_table(table)


def test_a_list_does_not_begin_like_titles() -> None:
    table = FileTable(("a",), (("[b]",),))
    assert parse_file_table(format_file_table(table)) == table
    with pytest.raises(FormatError, match="cannot be a row"):
        format_file_table(table, titled=False)


def test_size_is_bounded_and_reading_linear() -> None:
    with pytest.raises(FormatError, match="more than"):
        parse_file_table(b"[a]\n" + b"x" * MAX_SIZE)
    few, many = (b"[a|b]\n" + b"c|d\n" * count for count in (20_000, 320_000))
    assert len(parse_file_table(many).rows) == 320_000
    # 16 times the size; quadratic cost would be 256 times the time.
    assert effort(lambda: parse_file_table(many)) < 64 * effort(lambda: parse_file_table(few))


def test_extract_columns() -> None:
    extracted = extract_columns(TABLE, ["Symbols", "0"])
    assert extracted.titles == ("Symbols", "Code")
    assert extracted.rows == (("a_0.sym", "a_0.bc"), ("a_1.sym", "a_1.bc"))
    with pytest.raises(UsageError, match="no column 'Cod' in a table of Code") as caught:
        extract_columns(TABLE, ["Cod"])
    assert caught.value.hint == "did you mean 'Code'?"
    for column in ("3", "-1", "00", "²", "9" * 5000, ""):
        with pytest.raises(UsageError, match="no column"):
            extract_columns(TABLE, [column])
    with pytest.raises(UsageError, match="'Code' twice"):
        extract_columns(TABLE, ["Code", "0"])


def test_a_title_that_is_a_number_comes_before_positions() -> None:
    assert column_of(FileTable(("1", "0"), (("a", "b"),)), "0") == ("b",)


def test_rename_column() -> None:
    assert rename_column(TABLE, "Code", "IR") == FileTable(
        ("IR", "Properties", "Symbols"), TABLE.rows
    )
    assert rename_column(TABLE, "Code", "Code") == TABLE
    with pytest.raises(UsageError, match="'Symbols' twice"):
        rename_column(TABLE, "Code", "Symbols")
    with pytest.raises(FormatError, match="cannot be the title"):
        rename_column(TABLE, "Code", "a|b")


def test_replace_column() -> None:
    files = FileTable(("0",), (("x",), ("y",)))
    assert column_of(replace_column(TABLE, "Symbols", files, "0"), "Symbols") == ("x", "y")
    with pytest.raises(UsageError, match="has 2 rows, but its replacement has 1 row"):
        replace_column(TABLE, "Code", FileTable(("0",), (("x",),)), "0")
    with pytest.raises(UsageError, match="no column 'Code' in a table of 0"):
        replace_column(TABLE, "Code", files, "Code")


def test_tables_without_rows_can_be_replaced_too() -> None:
    empty = FileTable(TABLE.titles)
    assert replace_column(empty, "Code", parse_file_table(b"", titled=False), "0") == empty
    with pytest.raises(UsageError, match="no column"):
        replace_column(empty, "Cod", FileTable(()), "0")


def test_cells() -> None:
    assert cell_of(TABLE, "Properties", 1) == "a_1.prop"
    replaced = replace_cell(TABLE, "Code", 1, "b.bc")
    assert column_of(replaced, "Code") == ("a_0.bc", "b.bc")
    for row in (-1, 2):
        with pytest.raises(UsageError, match=f"no row {row}"):
            cell_of(TABLE, "Code", row)


def test_concatenate() -> None:
    assert concatenate([TABLE, FileTable(()), TABLE]).rows == TABLE.rows * 2
    assert concatenate([]) == FileTable(())
    with pytest.raises(UsageError, match="cannot be joined"):
        concatenate([TABLE, FileTable(("Code",))])


@given(tables())
def test_what_is_written_can_be_read(table: FileTable) -> None:
    text = format_file_table(table)
    assert parse_file_table(text) == table
    assert format_file_table(parse_file_table(text)) == text
    assert extract_columns(table, table.titles) == table
    for title in table.titles:
        assert replace_column(table, title, table, title) == table


@given(st.binary(max_size=40) | st.text("[]|\nab\x85", max_size=40).map(str.encode), st.booleans())
def test_any_text_is_read_or_refused(text: bytes, titled: bool) -> None:
    try:
        table = parse_file_table(text, titled=titled)
    except FormatError:
        return
    assert parse_file_table(format_file_table(table), titled=titled) == table


@given(tables(), st.text("ab01|,", max_size=3), st.integers(-1, 4))
def test_operations_return_tables_or_raise_usage_errors(
    table: FileTable, column: str, row: int
) -> None:
    for operation in (
        lambda: extract_columns(table, [column]),
        lambda: rename_column(table, "0", column),
        lambda: replace_column(table, "0", table, column),
        lambda: replace_cell(table, column, row, "x"),
    ):
        try:
            result = operation()
            text = format_file_table(result)
        except DovetailError:
            continue
        assert parse_file_table(text) == result
