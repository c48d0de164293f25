"""Kernels from the text of one function."""

import numpy as np
import pytest

import dovetail
from dovetail.errors import CompileError, UsageError

pytestmark = pytest.mark.device

TWICE = "static int twice(int x) { return 2 * x; }"


def test_a_single_task_with_other_functions() -> None:
    kernel = dovetail.kernel("void one(int *p) { *p = twice(*p); }", dimensions=0, preamble=TWICE)
    data = np.array([4], "i4")
    dovetail.Queue().single_task(kernel, data).wait()
    assert data[0] == 8
    assert (kernel.name, kernel.dimensions) == ("one", 0)


@pytest.mark.parametrize(
    ("function", "preamble", "message"),
    [
        (
            "void f(int *p) {\n  *p = q; }",
            "",
            "kernel:2:8: error: use of undeclared identifier 'q'",
        ),
        ("void f(int *p) {}", "\nint x = y;", "preamble:2:9: error: use of undeclared identifier"),
        ("int f(int *p) { return *p; }", "", "kernel:1:5: error: kernel 'f' must return 'void'"),
    ],
)
def test_errors_name_the_place_in_the_text(function: str, preamble: str, message: str) -> None:
    with pytest.raises(CompileError) as raised:
        dovetail.kernel(function, preamble=preamble)
    assert str(raised.value).startswith(message)


def test_the_number_of_dimensions_is_checked() -> None:
    with pytest.raises(UsageError, match="expected 0 to 3 dimensions, got 4"):
        dovetail.kernel("", dimensions=4)  # pyright: ignore[reportArgumentType]
