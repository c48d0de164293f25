"""Clang's messages from both sides become one list, with the user's place first."""

import pytest

from dovetail.frontend import error_heads, join_messages
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
