"""Different lists of parts have different keys."""

from itertools import combinations

from hypothesis import given, strategies as st

from dovetail.cache import key_of

ALIKE: list[tuple[tuple[str, str], ...]] = [
    (),
    (("", ""),),
    (("", ""), ("", "")),
    (("a", "bc"),),
    (("ab", "c"),),
    (("abc", ""),),
    (("", "abc"),),
    (("a", "b"), ("c", "d")),
    (("c", "d"), ("a", "b")),
    (("a", "bc"), ("", "d")),
    (("a", "b\0c"), ("d", "")),
]


def test_similar_lists() -> None:
    for one, other in combinations(ALIKE, 2):
        assert key_of(*one) != key_of(*other)


Parts = st.lists(st.tuples(st.text("ab\0", max_size=3), st.binary(max_size=4)), max_size=3)


@given(Parts, Parts)
def test_keys_are_equal_only_if_the_lists_are(
    one: list[tuple[str, bytes]], other: list[tuple[str, bytes]]
) -> None:
    assert (key_of(*one) == key_of(*other)) == (one == other)


def test_text_counts_by_its_bytes() -> None:
    assert key_of(("label", "ä")) == key_of(("label", "ä".encode()))
    # As `os.environ` represents bytes that are not text.
    assert key_of(("label", "\udcff")) == key_of(("label", b"\xff"))
