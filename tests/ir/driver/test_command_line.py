"""The `dovetail` command as a user meets it: results, messages, exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dovetail.cli.main import COMMANDS, main
from dovetail.cli.output import print_table
from dovetail.image import read_program
from dovetail.settings import SETTINGS
from dovetail.targets import aspect_number

KERNEL = """\
#include <sycl/sycl.hpp>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<2>))
void scale(float by, float *data) { data[0] *= by; }
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "k.cpp"
    path.write_text(KERNEL)
    return path


def build(*words: str | Path) -> int:
    return main(["c++", "-fsycl", "-fsyclbin", *map(str, words)])


def test_build_and_inspect(source: Path, tmp_path: Path, capsys: Capture) -> None:
    program = tmp_path / "k.syclbin"
    assert build(source, "-o", program) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")
    (module,) = read_program(program.read_bytes()).abstract_modules
    assert [kernel.signature for kernel in module.info.kernels] == ["scale(float, float *)"]

    assert main(["inspect", str(program), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    (image,) = shown["images"]
    assert shown["state"] == "input"
    assert image["code"][0]["kind"] == "SPIR-V"
    assert image["kernel_names"] == ["__sycl_kernel__Z5scalefPf"]
    assert image["kernels"][0]["name"] == "scale"
    assert image["kernels"][0]["dimensions"] == 2

    assert main(["inspect", str(program)]) == 0
    table = capsys.readouterr().out
    assert "scale(float, float *)" in table
    assert "nd_range<2>" in table


def test_two_builds_give_the_same_bytes(source: Path, tmp_path: Path) -> None:
    programs = [tmp_path / "a", tmp_path / "b"]
    for program in programs:
        assert build(source, "-o", program) == 0
    assert programs[0].read_bytes() == programs[1].read_bytes()


def test_dry_run_does_nothing(source: Path, tmp_path: Path, capsys: Capture) -> None:
    program = tmp_path / "k.syclbin"
    assert build(source, "-o", program, "-###", "-DX=1", "-O1") == 0
    lines = capsys.readouterr().err.splitlines()
    compilation = next(line for line in lines if str(source) in line)
    assert "clang++" in compilation
    assert "-DX=1" in compilation
    assert lines[0].startswith("mkdir -p ")
    steps = [line.split()[3] for line in lines if line.startswith("# in process:")]
    assert steps == ["passes", "post-link", "generate", "package"]
    assert not program.exists()


def test_verbose_shows_the_same_steps(source: Path, tmp_path: Path, capsys: Capture) -> None:
    assert build(source, "-o", tmp_path / "k.syclbin", "-v") == 0
    assert "# in process: package" in capsys.readouterr().err


def test_warnings_are_shown(tmp_path: Path, capsys: Capture) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(KERNEL + "static int unused;\n")
    assert build(source, "-Wall", "-o", tmp_path / "k.syclbin") == 0
    assert "warning: unused variable 'unused'" in capsys.readouterr().err
    assert build(source, "-Wall", "-Werror", "-o", tmp_path / "w.syclbin") == 1
    assert not (tmp_path / "w.syclbin").exists()


def test_compile_error_is_clangs_own_and_comes_once(tmp_path: Path, capsys: Capture) -> None:
    source = tmp_path / "bad.cpp"
    source.write_text("#include <sycl/sycl.hpp>\nint f() { return nothing; }\n")
    assert build(source, "-o", tmp_path / "k.syclbin") == 1
    message = capsys.readouterr().err
    assert message.startswith(f"{source}:2:18: error: use of undeclared identifier 'nothing'")
    assert message.count("error:") == 1
    assert "Traceback" not in message
    assert not (tmp_path / "k.syclbin").exists()


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (
            ["c++", "-fsycl", "-fsyclbin", "none.cpp", "-o", "k"],
            1,
            "cannot read 'none.cpp': No such",
        ),
        (["c++", "-fsycl", "-fsyclbin", "-o", "k"], 2, "no input files"),
        (["c++", "-fsyclbin", "k.cpp", "-o", "k"], 2, "'-fsyclbin' requires -fsycl"),
        (
            ["c++", "-fsycl", "-fno-sycl", "-fsycl-targets=spir64"],
            2,
            "'-fsycl-targets=spir64' requires -fsycl",
        ),
        (["c++", "-fsycl", "-fsyclbim", "k.cpp"], 2, "did you mean '-fsyclbin'?"),
        (["c++", "-fsycl", "none.o"], 1, "cannot read 'none.o': No such"),
        (["c++", "-fsycl", "-static", "k.cpp"], 2, "-static is not supported with -fsycl"),
        (["c++", "-fsycl", "-c", "-fsyclbin", "k.cpp"], 2, "-c and -fsyclbin cannot be combined"),
        (["c++", "-fsycl", "-shared", "-fsyclbin", "k.cpp"], 2, "-fsyclbin and -shared cannot"),
        (["c++", "-fsycl", "-c", "-"], 2, "unknown language of standard input"),
        (["inspekt", "k"], 2, "did you mean 'inspect'?"),
        (["inspect", "--jsn", "k"], 2, "did you mean '--json'?"),
        (["inspect"], 2, "the following arguments are required: file"),
        (["inspect", "none"], 1, "cannot read 'none': No such"),
        (["opt", "in.ll"], 2, "required: -p"),
        (["devices", "extra"], 2, "unrecognized arguments: extra"),
    ],
)
def test_bad_input(
    words: list[str],
    status: int,
    message: str,
    capsys: Capture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == status
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.startswith("dovetail: error: ")
    assert "Traceback" not in captured.err
    assert captured.out == ""
    assert list(tmp_path.iterdir()) == []


def test_not_a_program(source: Path, capsys: Capture) -> None:
    assert main(["inspect", str(source)]) == 1
    message = capsys.readouterr().err
    assert (
        f"'{source}' is not a SYCL program file, or is damaged: byte 0: expected the magic"
        in message
    )
    assert "programs are made by" in message


def test_unwritable_output(source: Path, tmp_path: Path, capsys: Capture) -> None:
    assert build(source, "-o", tmp_path / "none" / "k.syclbin") == 1
    assert "cannot write" in capsys.readouterr().err


def test_source_without_kernels(tmp_path: Path, capsys: Capture) -> None:
    source = tmp_path / "k.cpp"
    source.write_text("void f() {}\n")
    assert build(source, "-o", tmp_path / "k") == 1
    assert "the program has no kernels" in capsys.readouterr().err


TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "TASK void k(int *p) { if (*p) throw 1; }",
            "error: kernel 'k' throws an exception, which is not allowed in device code",
            "dovetail: Return an error value, and throw on the host.",
        ),
        (
            "TASK void k(int **p) { *p = new int; }",
            "error: kernel 'k' allocates memory, which is not allowed in device code",
            "dovetail: Pass memory to the kernel as an argument",
        ),
        (
            'extern "C" void *malloc(unsigned long);\nTASK void k(void **p) { *p = malloc(8); }',
            "error: kernel 'k' calls 'malloc', which is not allowed in device code",
            "dovetail: Pass memory to the kernel as an argument",
        ),
        (
            'extern "C" int scanf(const char *, ...);\nTASK void k() { scanf("x"); }',
            "error: kernel 'k' calls variadic function 'scanf', which is not allowed",
            "dovetail: Use a parameter pack",
        ),
        (
            "int counter;\nTASK void k(int *p) { *p = counter++; }",
            "error: kernel 'k' uses non-constant variable 'counter', which is not allowed",
            "dovetail: Make it constexpr",
        ),
        (
            "int f(int);\nconst int g = f(3);\nTASK void k(int *p) { *p = g; }",
            "error: kernel 'k' uses non-constant variable 'g', which is not allowed",
            "dovetail: Make it constexpr",
        ),
        (
            "int counter;\nint *const it = &counter;\nTASK void k(int *p) {\n  *p = *it; }",
            "k.cpp:6:9: error: variable 'counter', to which 'it' refers here, is not a constant",
            "dovetail: make it constexpr",
        ),
        (
            "int counter;\nconstexpr int *it = &counter;\n"
            "int get() {\n  constexpr int *same = it;\n  return *same; }\n"
            "TASK void k(int *p) { *p = get(); }",
            "k.cpp:6:11: error: variable 'counter', to which 'same' refers here, is not a constant",
            "dovetail: make it constexpr",
        ),
        (
            "struct S { int v; constexpr S(int v) : v(v) {} ~S() {} };\nconst S s = 1;\n"
            "TASK void k(int *p) { *p = s.v; }",
            "error: kernel 'k' uses non-constant variable 's', which is not allowed",
            "dovetail: Make it constexpr",
        ),
        (
            "extern const int e;\nTASK void k(int *p) { *p = e; }",
            "error: kernel 'k' uses non-constant variable 'e', which is not allowed",
            "dovetail: Make it constexpr",
        ),
        (
            "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))"
            "\nTASK void k(int *p) { *p = 1; }",
            "k.cpp:4: error: kernel 'k' cannot be both an nd-range kernel and a single task",
            "",
        ),
        (
            "TASK void k(" + ", ".join(f"int p{n}" for n in range(300)) + ") {}",
            "error: kernel 'k' has 300 parameters; at most 255 are allowed",
            "",
        ),
    ],
)
def test_code_that_no_device_can_run(
    tmp_path: Path, capsys: Capture, text: str, message: str, hint: str
) -> None:
    source = tmp_path / "k.cpp"
    source.write_text("#include <sycl/sycl.hpp>\n" + text.replace("TASK", "\n" + TASK, 1))
    assert build(source, "-o", tmp_path / "k.syclbin") == 1
    printed = capsys.readouterr().err
    assert printed.startswith(str(source)), "the place comes first, as clang has it"
    assert message in printed
    assert hint in printed
    assert not (tmp_path / "k.syclbin").exists()


def test_second_definition_names_both_sources(tmp_path: Path, capsys: Capture) -> None:
    one, two = tmp_path / "one.cpp", tmp_path / "two.cpp"
    for source in (one, two):
        source.write_text(KERNEL)
    assert build(one, two, "-o", tmp_path / "k") == 1
    expected = f"{two}: error: 'scale(float, float*)' is also defined in '{one}'"
    assert expected in capsys.readouterr().err


def test_kernels_that_several_sources_may_have(tmp_path: Path, capsys: Capture) -> None:
    """An inline kernel or an instance of a template is one; static kernels are one each."""
    text = f"""#include <sycl/sycl.hpp>
        {TASK} inline void shared(int *p) {{ *p = 1; }}
        template <class T> {TASK} void made(T *p) {{ *p = 2; }}
        template void made<int>(int *);
        {TASK} static void own(int *p) {{ *p = 3; }}
        namespace {{ {TASK} void hidden(int *p) {{ *p = 4; }} }}"""
    sources = [tmp_path / "one.cpp", tmp_path / "two.cpp"]
    for source in sources:
        source.write_text(text)
    assert build(*sources, "-o", tmp_path / "k") == 0
    images = read_program((tmp_path / "k").read_bytes()).abstract_modules
    names = sorted(kernel.name for image in images for kernel in image.info.kernels)
    assert names == ["(anonymous namespace)::hidden"] * 2 + ["made", "own", "own", "shared"]


def test_function_of_another_program_is_an_import(tmp_path: Path) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(
        "#include <sycl/sycl.hpp>\n"
        "SYCL_EXTERNAL [[sycl::device_has(sycl::aspect::fp64)]] int elsewhere();\n"
        f"{TASK} void k(int *p) {{ *p = elsewhere(); }}\n"
    )
    assert build(source, "-o", tmp_path / "k") == 0
    (image,) = read_program((tmp_path / "k").read_bytes()).abstract_modules
    assert image.info.imports == ("_Z9elsewherev",)
    assert image.info.requirements.aspects == (aspect_number("fp64"),)


@pytest.mark.parametrize(
    ("mode", "images"), [("auto", 2), ("per_source", 2), ("off", 1), ("per_kernel", 3)]
)
def test_how_device_code_is_split(tmp_path: Path, mode: str, images: int) -> None:
    one, two = tmp_path / "one.cpp", tmp_path / "two.cpp"
    header = "#include <sycl/sycl.hpp>\n"
    one.write_text(header + f"{TASK} void a(int *p) {{ *p = 1; }}\n{TASK} void b(int *p) {{}}\n")
    two.write_text(header + f"{TASK} void c(int *p) {{ *p = 2; }}\n")
    assert build(one, two, f"-fsycl-device-code-split={mode}", "-o", tmp_path / "k") == 0
    assert len(read_program((tmp_path / "k").read_bytes()).abstract_modules) == images


def test_unknown_way_to_split(source: Path, tmp_path: Path, capsys: Capture) -> None:
    assert build(source, "-fsycl-device-code-split=per_kernl", "-o", tmp_path / "k") == 2
    assert "per_kernel" in capsys.readouterr().err


def test_whole_program_needs_a_main(source: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["c++", "-fsycl", str(source), "-o", str(tmp_path / "k")]) == 1
    message = capsys.readouterr().err
    assert "undefined symbol: main" in message
    assert "-fsyclbin builds kernels without one" in message
    assert not (tmp_path / "k").exists()


def test_dry_run_of_a_whole_program(source: Path, tmp_path: Path, capsys: Capture) -> None:
    program = tmp_path / "k"
    assert main(["c++", "-fsycl", str(source), "-o", str(program), "-###"]) == 0
    lines = capsys.readouterr().err.splitlines()
    for side in ("-fsycl-host-only", "-fsycl-device-only"):
        assert sum(side in line and str(source) in line for line in lines) == 1
    assert "clang" in lines[-1]
    assert "libdovetail.a" in lines[-1]
    assert not program.exists()


def test_output_that_is_a_source(source: Path, capsys: Capture) -> None:
    assert build(source, "-o", source) == 2
    assert "would overwrite the input" in capsys.readouterr().err
    assert source.read_text() == KERNEL


def test_program_given_as_a_source(source: Path, tmp_path: Path, capsys: Capture) -> None:
    assert build(source, "-o", tmp_path / "k.syclbin") == 0
    assert build(tmp_path / "k.syclbin", "-o", tmp_path / "again") == 1
    assert "dovetail inspect" in capsys.readouterr().err


def test_name_that_is_not_utf8(tmp_path: Path, capsys: Capture) -> None:
    name = os.fsdecode(os.fsencode(tmp_path) + b"/k\xff.cpp")
    Path(name).write_text(KERNEL)
    assert build(name, "-o", tmp_path / "k") == 1
    assert r"k\udcff.cpp' is not UTF-8" in capsys.readouterr().err


def test_facts_that_are_none(tmp_path: Path, capsys: Capture) -> None:
    facts, module = tmp_path / "facts.json", tmp_path / "m.ll"
    module.write_text("define void @f() { ret void }\n")
    for text in ("{", "[]", "{}", '{"kernels": [1]}'):
        facts.write_text(text)
        assert main(["opt", "-p", "attach-facts", "--facts", str(facts), str(module)]) == 1
        assert "invalid facts file" in capsys.readouterr().err


def test_control_characters_are_shown_not_obeyed(capsys: Capture) -> None:
    print_table(["name"], [["a\x1b[31mb"]])
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert r"a\x1b[31mb" in printed


@pytest.mark.parametrize("words", [["--help"], ["c++", "--help"], ["help", "opt"]])
def test_full_disk_on_standard_output(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        finished = subprocess.run(
            [sys.executable, "-m", "dovetail", *words], stdout=full, stderr=subprocess.PIPE
        )
    assert finished.returncode == 1
    assert finished.stderr == b"dovetail: error: No space left on device\n"


def test_names_that_the_terminal_cannot_show(tmp_path: Path) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(KERNEL.replace("scale", "skål"))
    assert build(source, "-o", tmp_path / "k") == 0
    finished = subprocess.run(
        [sys.executable, "-m", "dovetail", "inspect", tmp_path / "k", "--json"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
    )
    assert finished.returncode == 0


def test_help_about_one_command(capsys: Capture) -> None:
    assert main(["help", "c++"]) == 0
    assert "usage: dovetail c++" in capsys.readouterr().out


def test_help_teaches_everything(capsys: Capture) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for name in COMMANDS:
        assert f"  {name} " in text
    for setting in SETTINGS:
        assert setting.variable in text
    assert main([]) == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(command: str) -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "dovetail", command, "--help"],
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0
    assert f"usage: dovetail {command}" in finished.stdout


def test_version(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("dovetail ")


def test_missing_compiler_names_the_package(
    source: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("dovetail.resources._LLVM_FOLDER", tmp_path)
    assert build(source, "-o", tmp_path / "k.syclbin") == 1
    message = capsys.readouterr().err
    assert "'clang++-22' is not installed" in message
    assert "apt-get install clang-22" in message


def test_our_own_bug_says_how_to_report_it(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(words: list[str]) -> int:
        raise RuntimeError("surprise")

    monkeypatch.setattr("dovetail.cli.inspect.run", fail)
    assert main(["inspect", "k"]) == 70
    message = capsys.readouterr().err
    assert "RuntimeError: surprise" in message
    assert "please report it" in message
    assert "inspect k" in message
