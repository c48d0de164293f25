"""Clang's messages from both sides become one list, with the user's place first."""

import json

import pytest

from dovetail.frontend import error_heads, join_messages, summary
from dovetail.resources import include_directory

OURS = f"{include_directory()}/sycl/handler.hpp"

UNDECLARED = "k.cpp:2:5: error: use of undeclared identifier 'x'\n    2 |     x;\n      |     ^"
UNUSED = "k.cpp:1:5: warning: unused variable 'y' [-Wunused]\n    1 | int y;\n      |     ^"


def test_equal_messages_are_shown_once() -> None:
    host = f"{UNUSED}\n{UNDECLARED}\n1 warning and 1 error generated."
    device = f"{UNDECLARED}\n1 error generated."
    assert join_messages([device, host]) == f"{UNDECLARED}\n{UNUSED}"


def test_messages_with_different_notes_are_equal() -> None:
    noted = UNDECLARED + "\nk.cpp:9:1: note: in instantiation of 'f<int>' requested here"
    assert join_messages([noted, UNDECLARED]) == noted


def test_messages_about_included_files_are_not_split() -> None:
    included = f"In file included from a.cpp:1:\n{UNDECLARED}"
    assert join_messages([f"{UNUSED}\n{included}"]) == f"{UNUSED}\n{included}"


def test_users_place_heads_a_message_about_our_headers() -> None:
    inside = (
        f"In file included from k.cpp:1:\n{OURS}:7:3: error: static assertion failed: no\n"
        "k.cpp:12:9: note: in instantiation of member function requested here"
    )
    joined = join_messages([inside])
    assert joined.splitlines() == [
        "k.cpp:12:9: error: static assertion failed: no",
        "In file included from k.cpp:1:",
        f"{OURS}:7:3: note: in this header",
        "k.cpp:12:9: note: in instantiation of member function requested here",
    ]
    assert [(error.file, error.line) for error in error_heads(joined)] == [("k.cpp", 12)]


@pytest.mark.parametrize("text", ["", "1 warning generated.", "clang++: error: no input files"])
def test_odd_outputs(text: str) -> None:
    assert join_messages([text]) == ("" if "generated" in text else text)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("k.cpp:2:5: error: no", "k.cpp:3:5: error: no"),
        ("k.cpp:2: error: no", "k.cpp:3: error: no"),
        ("k.cpp(2,5): error: no", "k.cpp(3,5): error: no"),
        ("k.cpp(2): error: no", "k.cpp(3): error: no"),
        ("k.cpp +2:5: error: no", "k.cpp +3:5: error: no"),
        ("k.cpp:2:5:{2:5-2:8}{2:9-2:10}: error: no", "k.cpp:3:5:{2:5-2:8}: error: no"),
        ("error: no\n    2 | first", "error: no\n    3 | other"),
        ("\x1b[1mk.cpp:2:5: \x1b[0merror: no", "\x1b[1mk.cpp:3:5: \x1b[0merror: no"),
    ],
)
def test_formats(first: str, other: str) -> None:
    joined = join_messages([f"{first}\n{other}", f"{other}\n{first}"])
    assert joined == f"{first}\n{other}"
    assert summary(joined) == "2 errors generated."
    if not first.startswith("error"):
        heads = [(error.file, error.line, error.message) for error in error_heads(joined)]
        assert [head[:2] for head in heads] in ([("k.cpp", 2), ("k.cpp", 3)], [])


def test_summary_is_clangs() -> None:
    fatal = "k.cpp:1:10: fatal error: 'x.hpp' file not found"
    assert summary(UNUSED) == "1 warning generated."
    assert summary(f"{UNUSED}\n{UNUSED}") == "2 warnings generated."
    assert summary(f"{UNUSED}\n{fatal}") == "1 warning and 1 error generated."
    assert summary("ld.lld: something else") == ""


def test_text_of_the_precompiled_header_is_not_shown() -> None:
    shown = f"In file included from k.cpp:1:\n{UNDECLARED}"
    text = shown.replace("k.cpp:1:\n", "k.cpp:1:\nIn file included from /w/<stdin>:1:\n", 1)
    assert join_messages([text]) == shown
    from_input = f"In file included from <stdin>:1:\n{UNDECLARED}"
    assert join_messages([from_input]) == from_input


def test_context_that_clang_does_not_repeat() -> None:
    first = f"{OURS}:7:3: error: one\nk.cpp:12:9: note: in instantiation of 'f' requested here"
    second = f"{OURS}:8:3: error: two"
    heads = [error.message for error in error_heads(join_messages([f"{first}\n{second}"]))]
    assert heads == ["one", "two"]
    assert f"k.cpp:12:9: error: two\n{OURS}:8:3: note: in this header" in join_messages(
        [f"{first}\n{second}"]
    )
    assert join_messages([second]) == second


def test_colors_end_with_their_message() -> None:
    """Clang resets the color of the marks on the line after them."""
    marks = "k.cpp:1:1: error: a\n      | \x1b[0;1;32m^"
    joined = join_messages([f"{marks}\n\x1b[0mk.cpp:2:1: error: b"])
    assert joined == f"{marks}\x1b[0m\n\x1b[0mk.cpp:2:1: error: b"


def test_sarif() -> None:
    def document(*results: tuple[str, int]) -> str:
        place = {"artifactLocation": {"index": 1, "uri": "file:///k.cpp"}}
        listed = [
            {
                "message": {"text": text},
                "locations": [{"physicalLocation": {**place, "region": {"startLine": line}}}],
            }
            for text, line in results
        ]
        return json.dumps({"$schema": "s", "runs": [{"results": listed}]}).replace(": ", ":")

    device = f"{document(('a', 1), ('b', 2))}\n2 errors generated."
    host = f"1 warning and 1 error generated.\n{document(('b', 2), ('a', 3))}"
    joined = json.loads(join_messages([device, host]))
    found = [[result["message"]["text"] for result in run["results"]] for run in joined["runs"]]
    assert found == [["a", "b"], ["a"]]
    incomplete = device[:40]
    assert join_messages([incomplete]) == incomplete


def test_deprecated_templates_are_reported_once() -> None:
    template = "k.cpp:1:2: warning: 'f' is deprecated: use g [-Wdeprecated-declarations]"
    instance = template.replace("'f'", "'f<int, (lambda at k.cpp:1:9)>'")
    other = instance.replace("k.cpp:1:2", "k.cpp:3:2")
    assert join_messages([f"{template}\n{instance}\n{other}"]) == f"{template}\n{other}"


def test_message_about_an_included_header() -> None:
    block = (
        "In file included from k.cpp:1:\nIn file included from mine.hpp:4:\n"
        f"{OURS}:8:2: warning: old [-W#warnings]"
    )
    assert join_messages([f"{UNUSED}\n{block}"]).startswith(
        f"{UNUSED}\nmine.hpp:4:1: warning: old [-W#warnings]\nIn file included from k.cpp:1:"
    )
