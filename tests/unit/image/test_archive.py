"""Archives as `ar` writes them on several systems, and damaged ones."""

import pytest
from fuzz.objects import archive, member

from dovetail.errors import FormatError
from dovetail.image.archive import is_archive, read_archive

LONG = "a_name_of_more_than_sixteen_characters.o"


def contents(data: bytes) -> list[tuple[str, bytes]]:
    return [(m.name, bytes(m.content or b"")) for m in read_archive(data)]


def test_what_gnu_writes() -> None:
    names = f"{LONG}/\nother_long_name_here.o/\n".encode()
    data = archive(
        member("/", b"\0\0\0\0"),
        member("//", names),
        member("a.o/", b"odd"),
        member("/0", b"long"),
        member(f"/{len(LONG) + 2}", b"other"),
    )
    assert is_archive(data)
    expected = [("a.o", b"odd"), (LONG, b"long"), ("other_long_name_here.o", b"other")]
    assert contents(data) == expected
    assert all(data[m.offset :].startswith(bytes(m.content or b"")) for m in read_archive(data))


def test_what_bsd_writes() -> None:
    named = LONG.encode() + b"\0\0"
    data = archive(
        member("#1/20", b"__.SYMDEF SORTED\0\0\0\0table"),
        member(f"#1/{len(named)}", named + b"code"),
    )
    assert contents(data) == [(LONG, b"code")]


def test_thin() -> None:
    data = b"!<thin>\n" + member("//", b"dir/a.o/\n") + member("/0", b"", 100) + member("b.o/", b"")
    assert [(m.name, m.content) for m in read_archive(data)] == [("dir/a.o", None), ("b.o", None)]


def test_empty_archives() -> None:
    assert read_archive(b"!<arch>\n") == []
    assert not is_archive(b"!<arc")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "the magic number of an archive"),
        (archive(b"x" * 59), "a header extends to byte 68"),
        (archive(b"x" * 60), "lacks its end mark"),
        (archive(member("a.o/", b"ab", 3)), "a member extends to byte 71"),
        (archive(member("/7", b"ab")), "there is no long name at 7"),
        (archive(member("#1/9", b"ab")), "a name of 9 bytes is longer"),
        (
            archive(member("a.o/", b"").replace(b"0         `", b"-1        `")),
            "not a decimal",
        ),
    ],
)
def test_damage(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        read_archive(data)


def test_names_cannot_cost_more_than_the_file() -> None:
    """Many members can refer to the same long name."""
    table = b"n" * 4000 + b"/\n"
    data = archive(member("//", table), *[member("/0", b"")] * 500)
    with pytest.raises(FormatError, match="the names are longer than the archive"):
        read_archive(data)
