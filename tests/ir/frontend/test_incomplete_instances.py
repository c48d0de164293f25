"""Class template instances that are only named by pointers or references."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Read

TEMPLATES = """
template <class T> struct Holds { T value; };
template <class T> struct Points { Holds<T> *value; };
template <class T> struct Inner { struct Part { T value; }; };
template <class T> struct Chosen { int i; };
template <> struct Chosen<double> { double d; };
template <class T> struct Chain { Chain<Chain<T>> *next; };
template <class T> struct Faulty { static_assert(sizeof(T) == 1, "small"); T value; };
template <class T> struct NestedFault { Faulty<T> faulty; T value; };
template <class T> struct Unknown;
template <class T> struct USES_AMX Marked { T value; };
"""

CASES = {
    "pointer": "Holds<double> *@fp64@p",
    "reference": "Holds<double> &@fp64@p",
    "without": "Holds<float> *p",
    "pointer to a pointer": "Holds<double> **@fp64@p",
    "through another": "Points<double> *@fp64@p",
    "class of a class": "Inner<double>::Part *@fp64@p",
    "specialisation": "Chosen<double> *@fp64@p",
    "primary template": "Chosen<float> *p",
    "marked": "Marked<int> *@amx@p",
    "ever more instances": "Chain<int> *p",
    "instance with an error": "Faulty<double> *p",
    "instance with an error inside": "NestedFault<double> *p",
    "never defined": "Unknown<double> *p",
}


@pytest.mark.parametrize("parameter", CASES.values(), ids=list(CASES))
def test_parameter(read_marked: "Read", parameter: str) -> None:
    """Reading fails on any message, so completing an instance must not cause one."""
    reading = read_marked(f"{TEMPLATES.strip()}\nEXTERNAL void f({parameter}) {{}}")
    assert reading.uses() == reading.marked


def test_an_error_that_the_code_has_is_reported(read_marked: "Read") -> None:
    with pytest.raises(Exception, match="small"):
        read_marked(f"{TEMPLATES.strip()}\nEXTERNAL void f(Faulty<double> *p) {{ p->value = 1; }}")
