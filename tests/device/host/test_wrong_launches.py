"""Launches that cannot be, from C++: each error's number, who throws it, and its whole text."""

import re
from collections.abc import Callable

import pytest

from dovetail.runtime import devices

pytestmark = pytest.mark.device


def test_errors_and_their_texts(application: Callable[..., str]) -> None:
    printed = application("wrong_launches")
    device = devices()[0]
    there = "it has: fitting, known_here_alone, needy, required_2_by_32, required_32"
    function = "{lambda(sycl::_V1::handler&)#5}::operator()(sycl::_V1::handler&) const"
    *lines, image, hint = re.sub(r"image \d+ of", "an image of", printed).splitlines()
    assert lines == [
        "other size: 4 by submit kernel 'required_2_by_32' requires work-groups of 2x32, and is"
        " launched in work-groups of 4x16",
        "launch it with a local size of 2x32",
        "indivisible: 4 by submit kernel 'required_32' requires work-groups of 32: dimension 0 of"
        " the global size (100,) is not divisible by the local size (32,): 100 % 32 is 4",
        "too large: 4 by submit the work-group (1048576,) has 1048576 work-items;"
        f" '{device.name}' supports up to {device.limits.max_work_group_size}",
        f"no device code: 2 the program has no device code for kernel 'only_on_the_host'; {there}",
        "a local name: 2 the program has no device code for kernel"
        f" 'main::{function}::known_here_alone'; {there}",
        "another class names kernel 'known_here_alone': a class declared in a function is visible"
        " only there, so declare it outside",
    ]
    assert image.startswith(
        "missing import: 7 kernel 'needy' needs the function 'defined_nowhere(int, float)', which"
        " no loaded program defines; it is imported by an image of "
    )
    assert hint == (
        "load the program that defines it as SYCL_EXTERNAL, and keep it, or build both sources"
        " into one program"
    )
