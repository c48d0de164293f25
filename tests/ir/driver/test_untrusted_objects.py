"""Object files that nobody vouches for, and what they ask of compilers when they are linked."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from fuzz.objects import elf

from dovetail.cli.main import main
from dovetail.frontend import header_options
from dovetail.frontend.header_options import are_allowed, filter_options
from dovetail.image.device_section import (
    DeviceCode,
    DeviceSection,
    read_device_section,
    write_device_section,
)
from dovetail.image.elf import SECTION
from dovetail.ir import Context, Module
from dovetail.resources import CLANG, LLVM_OBJCOPY, tool_path

Capture = pytest.CaptureFixture[str]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
SOURCE = f"#include <sycl/sycl.hpp>\n{TASK} void k(int *p) {{ *p = 1; }}\nint main() {{}}\n"

USUAL = ("-std=c++17", "-O2")

# What build systems and their users commonly say.
COMMON = (
    "-O3 -g -std=gnu++20 -DNDEBUG -D_GNU_SOURCE -D_GLIBCXX_ASSERTIONS -DSYCL_LANGUAGE_VERSION_=1"
    " -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -DUSER='a b' -Iinclude -isystem include -iquote include"
    " -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -fdiagnostics-color=always"
    " -ffunction-sections -fdata-sections -fno-omit-frame-pointer -fstack-protector-strong"
    " -fno-math-errno -ffast-math -fno-rtti -ftemplate-depth=2048 -march=x86-64-v3 -mtune=native"
    " -mavx2 -mno-avx512f --gcc-toolchain= -pthread -pedantic -Wall -Wextra -Werror=return-type"
    " -gdwarf-5"
)

READING_OR_WRITING = [
    ("-fproc-stat-report=made",),
    ("-fproc-stat-report={}/made",),
    ("-fplugin={}/plugin.so",),
    ("-fpass-plugin={}/plugin.so",),
    ("-module-dependency-dir", "{}/made"),
    ("-ftime-trace={}/made",),
    ("-fcrash-diagnostics-dir={}/made",),
    ("-fsave-optimization-record", "-foptimization-record-file={}/made"),
    ("-fdump-record-layouts",),
    ("-save-temps={}",),
    ("-MF", "{}/made"),
    ("-MJ{}/made",),
    ("-dumpdir", "{}/made"),
    ("-o", "{}/made"),
    ("-Xclang", "-stats-file={}/made"),
    ("-mllvm", "-stats"),
    ("-serialize-diagnostics", "{}/made"),
    ("-include", "{}/evil.h"),
    ("-imacros{}/evil.h",),
    ("-fsanitize-ignorelist={}/evil.h",),
    ("-fprofile-instr-use={}/evil.h",),
    ("--config={}/evil.cfg",),
    ("-B{}",),
    ("-resource-dir={}",),
    ("--sysroot={}",),
    ("-fno-integrated-as",),
    ("-wrapper", "{}/evil"),
    ("@{}/response",),
    ("{}/evil.cpp",),
    ('-D_X=_Pragma("clang __debug crash")',),
    ("-Dmain=evil",),
    ("-std=c++17 -fplugin=x",),
    ("-g\x1b[2J",),
]
FORMS_AT_ONCE = 8


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.cpp").write_text(SOURCE)
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "empty.h").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def crafted(words: Sequence[str]) -> None:
    """Make `a.o`, whose header was compiled with these words, as it says."""
    assert main(["c++", "-fsycl", "-c", "a.cpp", "-o", "a.o"]) == 0
    section = read_device_section(Path("a.o").read_bytes())
    assert section.bodies == (USUAL,)
    changed = DeviceSection(section.code, ((*USUAL, *words),))
    Path("section").write_bytes(write_device_section(changed))
    update = f"--update-section={SECTION}=section"
    subprocess.run([tool_path(LLVM_OBJCOPY), update, "a.o"], check=True)
    Path("section").unlink()


@pytest.mark.parametrize("begin", range(0, len(READING_OR_WRITING), FORMS_AT_ONCE))
def test_options_that_are_not_on_the_list(folder: Path, capsys: Capture, begin: int) -> None:
    outside = folder / "outside"
    outside.mkdir()
    forms = READING_OR_WRITING[begin : begin + FORMS_AT_ONCE]
    words = [word.format(outside) for form in forms for word in form]
    crafted(words)
    before = set(folder.rglob("*"))
    assert main(["c++", "-fsycl", "a.o", "-o", "app"]) == 0
    said = capsys.readouterr().err
    for word in words:
        shown = word.replace("\x1b", "\\x1b")
        assert (
            f"dovetail: warning: 'a.o' requests '{shown}', which object files may not set" in said
        )
    assert len(said.splitlines()) == len(words)
    assert "\x1b" not in said
    assert set(folder.rglob("*")) - before == {folder / "app"}


def test_nothing_of_it_reaches_a_command(folder: Path, capsys: Capture) -> None:
    crafted(["-fproc-stat-report=made", "-fno-rtti"])
    assert main(["c++", "-fsycl", "a.o", "-o", "app", "-###"]) == 0
    said = capsys.readouterr().err
    assert said.count("proc-stat") == 1, "in the warning"
    assert "-fno-rtti" in said


def test_members_of_archives_are_named(folder: Path, capsys: Capture) -> None:
    crafted(["-fplugin=evil.so"])
    subprocess.run(["ar", "rcs", "libevil.a", "a.o"], check=True)
    assert main(["c++", "-fsycl", "-shared", "libevil.a", "-o", "lib.so"]) == 0
    assert "'libevil.a(a.o)' requests '-fplugin=evil.so'" in capsys.readouterr().err


def test_directories_of_standard_libraries(folder: Path) -> None:
    """Those are allowed into which only this user or root can have put headers."""
    own, anyones, link = folder / "own", folder / "anyones", folder / "link"
    own.mkdir(mode=0o755)
    anyones.mkdir()
    anyones.chmod(0o777)
    link.symlink_to(anyones)
    (own / "a.h").touch()
    option = "--gcc-toolchain="
    kept = (option, f"{option}{own}", f"--gcc-install-dir={own}")
    refused = (f"{option}{anyones}", f"{option}{link}", f"{option}own", f"{option}{own / 'a.h'}")
    others = (f"-I{own}", "-nostdinc++")
    assert filter_options((*kept, *refused, *others)) == (kept, (*refused, *others))
    assert filter_options([f"{option}{folder / 'missing'}"]) == ((), ()), "it changes nothing"


def test_a_triple_is_no_path(folder: Path) -> None:
    """Files of -save-temps are named after the family that the bitcode says it is for."""
    text = 'target triple = "/../../escaped-x"\ndefine void @f() {\n  ret void\n}\n'
    bitcode = Module.parse(Context(), text.encode(), "module").to_bitcode()
    section = DeviceSection((DeviceCode("spirv64-unknown-unknown", bitcode),))
    Path("b.o").write_bytes(elf((SECTION.encode(), write_device_section(section))))
    words = ["-fsyclbin", "a.cpp", "b.o", "-o", "app", "-save-temps=kept"]
    # Such a directory would lead out of the one that was named.
    (folder / "kept" / "app.gathered_0.").mkdir(parents=True)
    main(["c++", "-fsycl", *words])
    assert (folder / "kept" / "app.gathered_0._.._.._escaped.bc").is_file()
    assert not list(folder.glob("escaped*"))


def test_common_options_are_kept(folder: Path, capsys: Capture) -> None:
    """Objects of our own ask for nothing that they are denied, and take the header."""
    words = subprocess.run(
        ["sh", "-c", f"printf '%s\\n' {COMMON}"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert main(["c++", "-fsycl", *words, "-c", "a.cpp", "-o", "a.o"]) == 0
    (bodies,) = read_device_section(Path("a.o").read_bytes()).bodies
    assert {"-march=x86-64-v3", "-D_FORTIFY_SOURCE=2", "--gcc-toolchain="} < set(bodies)
    assert not any("include" in word for word in bodies)
    assert filter_options(bodies) == (bodies, ())
    capsys.readouterr()
    assert main(["c++", "-fsycl", "a.o", "-o", "app"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "word",
    [
        pytest.param("-fproc-stat-report=x", marks=pytest.mark.thorough),
        "-D_MACRO=a b",
        pytest.param("-ftime-trace", marks=pytest.mark.thorough),
    ],
)
def test_sources_with_other_options_go_without_the_header(folder: Path, word: str) -> None:
    assert main(["c++", "-fsycl", word, "-c", "a.cpp", "-o", "a.o"]) == 0
    assert read_device_section(Path("a.o").read_bytes()).bodies == ()


def test_listed_options_write_nothing(tmp_path: Path) -> None:
    """With each switch of the list, and its opposite, clang leaves its output and nothing else."""
    names = header_options._SWITCHES  # pyright: ignore[reportPrivateUsage]
    sets = header_options._PROCESSOR_SWITCHES  # pyright: ignore[reportPrivateUsage]
    others = header_options._OTHER_SWITCHES  # pyright: ignore[reportPrivateUsage]
    switches = [f"-f{no}{name}" for no in ("no-", "") for name in sorted(names)]
    switches += [f"-m{no}{name}" for no in ("no-", "") for name in sorted(sets)]
    switches += sorted(others)
    assert are_allowed(switches)
    for start in range(0, len(switches), 60):
        words = [*switches[start : start + 60], "-c", "-x", "c++", "-", "-o", "out.o"]
        # Some contradict each other, or are not for this processor, of which clang complains.
        subprocess.run(
            [tool_path(CLANG), *words], input=b"int f() { return 1; }", cwd=tmp_path, stderr=-3
        )
        assert {path.name for path in tmp_path.iterdir()} <= {"out.o"}
