"""Names and headers that Dovetail does not have are explained."""

import re
from pathlib import Path

import pytest

from dovetail.cli.main import main
from dovetail.frontend.unavailable import FEATURES, explanation, unavailable_names

CLASSES = ("sycl::queue", "sycl::handler")


def messages(capsys: pytest.CaptureFixture[str], *lines: str) -> str:
    Path("k.cpp").write_text("\n".join(["#include <sycl/sycl.hpp>", *lines]))
    assert main(["c++", "-fsycl", "-fsyntax-only", "-ferror-limit=0", "k.cpp"]) == 1
    return capsys.readouterr().err


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_every_name_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Fails for a name that the headers have, too: remove it from the table."""
    names = unavailable_names()
    lines = [
        f"void f{i}({scope} &object) {{ object.{name}; }}"
        if scope in CLASSES
        else f"namespace n{i} {{ using {scope}::{name}; }}"
        for i, (scope, name) in enumerate(names)
    ]
    found = re.findall(r"^k\.cpp:(\d+):\d+: error: (.*)$", messages(capsys, *lines), re.M)
    explained = {int(line) - 2 for line, text in found if "is not available: " in text}
    assert [name for i, name in enumerate(names) if i not in explained] == []
    assert len(names) > 100


def test_excerpts_and_guesses(capsys: pytest.CaptureFixture[str]) -> None:
    text = messages(
        capsys,
        "using namespace sycl;",
        "sycl::sampled_image<int> *image;",
        "auto s = sampler(1);",
        "int my_own = other_name;",
    )
    advice = "use a buffer or unified shared memory, and compute the place of a pixel in the kernel"
    assert re.findall(r"^k\.cpp:\d+:\d+: error: .*\n.*\n.*\n", text, re.M) == [
        "k.cpp:3:7: error: 'sycl::sampled_image' is not available: images are not implemented; "
        f"{advice}\n"
        "    3 | sycl::sampled_image<int> *image;\n"
        "      | ~~~~~~^\n",
        "k.cpp:4:10: error: unknown name 'sampler'; if it is 'sycl::sampler', images are not"
        f" implemented; {advice}\n"
        "    4 | auto s = sampler(1);\n"
        "      |          ^~~~~~~\n",
        "k.cpp:5:14: error: use of undeclared identifier 'other_name'\n"
        "    5 | int my_own = other_name;\n"
        "      |              ^~~~~~~~~~\n",
    ]
    assert "did you mean" not in text
    assert text.endswith("\n3 errors generated.\n")


def test_header(capsys: pytest.CaptureFixture[str]) -> None:
    text = messages(capsys, "#include <sycl/ext/oneapi/bindless_images_interop.hpp>")
    assert (
        "k.cpp:2:10: fatal error: header 'sycl/ext/oneapi/bindless_images_interop.hpp' is not"
        " available: bindless images are not implemented; use memory of" in text
    )


@pytest.mark.parametrize(
    ("path", "start"),
    [
        ("sycl/ext/oneapi/experimental/graph.hpp", "header '"),
        ("CL/sycl/image.hpp", "header 'CL/sycl/image.hpp' is not available: images are not"),
        ("sycl/ext/intel/esimd.hpp", "header '"),
        ("sycl/no_such_header.hpp", "'sycl/no_such_header.hpp' file not found; include <sycl/"),
        ("oneapi/dpl/algorithm", "'oneapi/dpl/algorithm' file not found; it is part of oneDPL"),
        ("other.hpp", ""),
    ],
)
def test_headers(path: str, start: str) -> None:
    text = explanation(f"'{path}' file not found")
    assert text.startswith(start)
    assert bool(text) == bool(start)


def test_other_errors_are_kept() -> None:
    for text in (
        "no member named 'nothing' in namespace 'sycl'",
        "no member named 'image' in 'mine'",
        "use of undeclared identifier 'node'",
        "expected ';' after expression",
    ):
        assert explanation(text) == ""


def test_headers_of_features_are_absent() -> None:
    include = Path(__file__).parents[3] / "include"
    for start in (start for feature in FEATURES for start in feature.headers):
        folder, name = (include / start).parent, Path(start).name
        assert not list(folder.glob(f"{name}*")), start
