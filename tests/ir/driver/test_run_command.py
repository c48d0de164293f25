"""`dovetail run` up to the moment at which `main` starts."""

from pathlib import Path

import pytest

from dovetail.cli.main import main

Capture = pytest.CaptureFixture[str]

PROGRAM = """\
#include <sycl/sycl.hpp>
int main() {
  int *p = nullptr;
  sycl::queue().single_task([=] { *p = 1; });
  BODY
}
"""


def write(folder: Path, body: str) -> Path:
    source = folder / "prog.cpp"
    source.write_text(PROGRAM.replace("BODY", body))
    return source


def test_an_error_of_both_sides_comes_once(tmp_path: Path, capsys: Capture) -> None:
    source = write(tmp_path, "return nothing;")
    assert main(["run", str(source)]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"{source}:5:10: error: use of undeclared identifier 'nothing'")
    assert message.count("error:") == 1


def test_an_error_of_one_side_is_shown(tmp_path: Path, capsys: Capture) -> None:
    for side, condition in (("device", "#ifdef"), ("host", "#ifndef")):
        source = write(tmp_path, f"\n{condition} __SYCL_DEVICE_ONLY__\n#error {side}\n#endif")
        assert main(["run", str(source)]) == 1
        assert capsys.readouterr().err.count(f"error: {side}") == 1


def test_reference_capture_is_an_error_at_the_capture(tmp_path: Path, capsys: Capture) -> None:
    source = write(tmp_path, "int n = 0; sycl::queue().single_task([&] { n = 2; });")
    assert main(["run", str(source)]) == 1
    message = capsys.readouterr().err
    assert f"{source}:5:46: error: kernel captures 'n' by reference" in message
    assert message.count("error:") == 1


def test_member_that_cannot_be_copied(tmp_path: Path, capsys: Capture) -> None:
    source = write(
        tmp_path,
        "struct N { N() {} N(const N &) = delete; void operator()() const {} };\n"
        "  sycl::queue().single_task(N());",
    )
    assert main(["run", str(source)]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"{source}:6:"), message


def test_a_function_that_the_host_lacks(tmp_path: Path, capsys: Capture) -> None:
    source = tmp_path / "prog.cpp"
    source.write_text("int elsewhere();\nint main() { return elsewhere(); }\n")
    assert main(["run", str(source)]) == 1
    assert "undefined symbol: elsewhere()" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run"], "no input files"),
        (["run", "--", "x.cpp"], "no input files"),
        (["run", "x.cpp", "-o", "y"], "'-o' is not supported by 'dovetail run'"),
        (["run", "-fsyclbin", "x.cpp"], "'-fsyclbin' is not supported by 'dovetail run'"),
    ],
)
def test_wrong_use(words: list[str], message: str, capsys: Capture) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


def test_dry_run_shows_both_sides(tmp_path: Path, capsys: Capture) -> None:
    source = write(tmp_path, "return 0;")
    assert main(["run", "-###", str(source), "--", "-x"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert sum("-fsycl-host-only" in line and str(source) in line for line in lines) == 1
    assert sum("-fsycl-device-only" in line and str(source) in line for line in lines) == 1
    assert lines[-1] == f"# in process: start {source} -x"
