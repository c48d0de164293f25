"""Which sources can take the precompiled header, and when it is made again."""

import pytest

from dovetail.frontend import includes_sycl_first


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("#include <sycl/sycl.hpp>\n", True),
        ('#include "sycl/sycl.hpp"\n', True),
        ("// a comment\n#pragma once\n#include <vector>\n#include <sycl/sycl.hpp>\n", True),
        ("  #  include <sycl/sycl.hpp>", True),
        ("#define NDEBUG\n#include <sycl/sycl.hpp>\n", False),
        ("#ifdef X\n#include <sycl/sycl.hpp>\n#endif\n", False),
        ("#undef X\n#include <sycl/sycl.hpp>\n", False),
        ("#include <sycl/half.hpp>\n", False),
        ("void f();\n", False),
        ("", False),
    ],
)
def test_includes_sycl_first(text: str, takes: bool) -> None:
    assert includes_sycl_first(text) is takes
