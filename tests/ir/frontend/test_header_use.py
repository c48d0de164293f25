"""Which sources can use the precompiled header."""

import pytest

from dovetail.frontend import Flags, Source, can_use_header


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("#include <sycl/sycl.hpp>\n", True),
        ('#include "sycl/sycl.hpp"\n', True),
        ("// a comment\n#pragma once\n#include <vector>\n#include <sycl/sycl.hpp>\n", True),
        ("  #  include <sycl/sycl.hpp>", True),
        ("#define NDEBUG\n#include <sycl/sycl.hpp>\n", False),
        ("#ifdef X\n#include <sycl/sycl.hpp>\n#endif\n", False),
        ('#include "config.h"\n#include <sycl/sycl.hpp>\n', False),
        ("#undef X\n#include <sycl/sycl.hpp>\n", False),
        ("#include <sycl/half.hpp>\n", False),
        ("void f();\n", False),
        ("", False),
    ],
)
def test_can_use_header(text: str, takes: bool) -> None:
    assert can_use_header(Source.from_text(text), Flags()) is takes
    before = Flags(include_directories=("-include", "config.h"))
    assert not can_use_header(Source.from_text(text), before)
