"""Advice for SYCL sources that are compiled without -fsycl."""

from pathlib import Path

import pytest

from dovetail.cli.cxx import sycl_source


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("plain.cpp").write_text("int main() {}  // #include <sycl/sycl.hpp>\n")
    Path("sycl.cpp").write_text("#include <vector>\n  # include <sycl/sycl.hpp>\n")
    Path("old.cc").write_text('#include "CL/sycl.hpp"\n')
    Path("headers/sycl").mkdir(parents=True)
    Path("headers/sycl/sycl.hpp").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("plain.cpp -o app", ""),
        ("plain.cpp sycl.cpp -o app", "sycl.cpp"),
        ("-c old.cc", "old.cc"),
        ("missing.cpp", ""),
        ("-E - -x c++", ""),
        ("-Iheaders sycl.cpp", ""),
        ("-isystem headers sycl.cpp", ""),
        ("sycl.cpp -I", "sycl.cpp"),
        ("-Iothers sycl.cpp", "sycl.cpp"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_sources(words: str, expected: str) -> None:
    assert sycl_source(words.split()) == expected
