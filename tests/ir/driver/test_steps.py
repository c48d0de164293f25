"""Steps that are kept: what is done again, and what is not."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import PATIENCE, eventually

from dovetail.artifacts import DeviceImage
from dovetail.cache import STEPS
from dovetail.cache.entry import encode_entry
from dovetail.cli.main import main
from dovetail.codegen.spirv import image_spirv
from dovetail.codegen.spirv.emit import Check
from dovetail.driver import BuildRequest, ExecutionOptions, Job, JobListener, build_program, tracing
from dovetail.driver.step import Session
from dovetail.frontend import Flags, Source
from dovetail.settings import CACHE, CACHE_DIR, LLVM_BIN

Capture = pytest.CaptureFixture[str]
Ran = Callable[..., list[str]]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
SYCL = "#include <sycl/sycl.hpp>\n"
SOURCES = {
    "main.cpp": f"{SYCL}int other();\n{TASK} void k(int *p) {{ *p = 1; }}\n"
    "int main() { sycl::queue queue; return other(); }\n",
    "other.cpp": f"{SYCL}{TASK} void o(int *p) {{ *p = 2; }}\nint other() {{ return 0; }}\n",
    "plain.cpp": "int plain() { return 1; }\n",
    "user.cpp": '#include "used.h"\nint user() { return USED; }\n',
    "used.h": "#define USED 1\n",
}

_KINDS = {
    "-fsycl-device-only": "device",
    "-fsycl-host-only": "host",
    "--add-section": "object",
    "--dependency-file=": "link",
    "# in process: ": "",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with sources, which tests work in; being elsewhere, no test finds another's."""
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    settle()
    return tmp_path


@pytest.fixture
def ran(folder: Path, capsys: Capture) -> Ran:
    """Runs the compiler, and says which steps it went through."""

    def run(*words: str) -> list[str]:
        assert main(["c++", "-fsycl", "-v", *words]) == 0
        return [kind for line in capsys.readouterr().err.splitlines() if (kind := kind_of(line))]

    return run


def kind_of(line: str) -> str:
    found = next((word for word in _KINDS if word in line), None)
    if found is None or "-emit-pch" in line or "DOVETAIL_HOST_BODIES=2" in line:
        return ""
    return _KINDS[found] or line.removeprefix(found).split()[0]


def settle() -> None:
    """Files are only trusted if they were not written in this very moment."""
    time.sleep(0.02)


def change(name: str, text: str) -> None:
    Path(name).write_text(text)
    settle()


def test_nothing_is_done_twice(ran: Ran) -> None:
    words = ("main.cpp", "other.cpp", "-o", "app")
    each = ["device", "host", "passes"]
    once = ["post-link", "generate", "packaging", "link"]
    assert sorted(ran(*words)) == sorted([*each, *each, *once])
    made = Path("app").read_bytes()
    Path("app").unlink()
    assert ran(*words) == []
    assert Path("app").read_bytes() == made
    assert os.access("app", os.X_OK)
    for name in ("main.cpp", "other.cpp"):
        os.utime(name)
    assert ran(*words) == []


def test_no_program_is_started(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "bin").mkdir()
    log = folder / "started"
    for tool in ("clang++", "llvm-objcopy"):
        real = shutil.which(f"{tool}-22")
        wrapper = folder / "bin" / tool
        wrapper.write_text(f'#!/bin/sh\necho {tool} >> {log}\nexec {real} "$@"\n')
        wrapper.chmod(0o755)
    monkeypatch.setenv(LLVM_BIN.variable, str(folder / "bin"))
    settle()
    assert main(["c++", "-fsycl", "-c", "plain.cpp", "user.cpp"]) == 0
    assert log.read_text().count("clang++") >= 4
    log.unlink()
    assert main(["c++", "-fsycl", "-c", "plain.cpp", "user.cpp"]) == 0
    assert not log.exists()


def test_nothing_heavy_is_loaded(folder: Path) -> None:
    assert main(["c++", "-fsycl", "main.cpp", "other.cpp", "-o", "app"]) == 0
    code = (
        "import sys; from dovetail.cli.main import main\n"
        "main(['c++', '-fsycl', 'main.cpp', 'other.cpp', '-o', 'app'])\n"
        "print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    heavy = {"_native", "ir", "artifacts", "facts", "image.syclbin", "analysis.graph", "runtime"}
    heavy |= {"driver.session", "postlink.link", "passes.base"}
    assert not {f"dovetail.{name}" for name in heavy} & set(loaded)
    assert not {"subprocess", "tempfile", "dataclasses"} & set(loaded)


def test_one_source_is_changed(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("main.cpp", "other.cpp", "-o", "app")
    ran(*words)
    change("other.cpp", SOURCES["other.cpp"].replace("return 0", "return 3"))
    again = ran(*words)
    assert (again.count("device"), again.count("host"), again.count("link")) == (1, 1, 1)
    assert again.count("passes") == 1
    partly = Path("app").read_bytes()
    monkeypatch.setenv(CACHE.variable, "off")
    assert ran(*words).count("device") == 2
    assert Path("app").read_bytes() == partly
    monkeypatch.delenv(CACHE.variable)
    change("other.cpp", SOURCES["other.cpp"])
    assert ran(*words) == [], "what was before is still known"


def test_what_comes_out_the_same_leads_to_nothing(ran: Ran) -> None:
    change("m.cpp", "int main() { return 0; }\n")
    ran("m.cpp", "-o", "app")
    change("m.cpp", "int main() { return 0; } // indeed\n")
    again = ran("m.cpp", "-o", "app")
    assert "host" in again
    assert "link" not in again


def test_only_the_image_that_changed_gets_new_code(
    ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("-fsyclbin", "main.cpp", "other.cpp", "-o", "k.syclbin")
    ran(*words)
    emitted: list[DeviceImage] = []
    emit = image_spirv.emit_spirv

    def count(image: DeviceImage, check: Check) -> bytes:
        emitted.append(image)
        return emit(image, check)

    monkeypatch.setattr(image_spirv, "emit_spirv", count)
    # No other test has this kernel: images count by content, wherever they come from.
    change("other.cpp", SOURCES["other.cpp"].replace("*p = 2", "*p = 4321"))
    assert "generate" in ran(*words)
    assert len(emitted) == 1


def test_headers(ran: Ran) -> None:
    words = ("-c", "user.cpp")
    assert "host" in ran(*words)
    assert ran(*words) == []
    change("used.h", "#define USED 2\n")
    assert {"device", "host"} <= set(ran(*words))
    change("used.h", "#define USED 1\n")
    assert ran(*words) == []
    Path("used.h").unlink()
    assert main(["c++", "-fsycl", *words]) == 1


def test_a_header_that_turns_up_earlier(ran: Ran) -> None:
    for name in ("a", "b"):
        Path(name).mkdir()
    change("b/x.h", "#define X 1\n")
    change("x.cpp", "#include <x.h>\nint x() { return X; }\n")
    words = ("-Ia", "-Ib", "-c", "x.cpp")
    ran(*words)
    change("a/unrelated.h", "")
    assert ran(*words) == []
    change("a/x.h", "#define X 2\n")
    assert {"device", "host"} <= set(ran(*words))
    Path("a/x.h").unlink()
    assert ran(*words) == []


def test_a_header_by_a_macro_that_turns_up_beside_the_source(ran: Ran) -> None:
    change("m.cpp", '#define NAME "x.h"\n#include NAME\nint x() { return X; }\n')
    Path("a").mkdir()
    change("a/x.h", "#define X 1\n")
    words = ("-Ia", "-c", "m.cpp")
    ran(*words)
    assert ran(*words) == []
    change("x.h", "#define X 2\n")
    assert {"device", "host"} <= set(ran(*words))


def test_a_header_that_was_only_asked_for(ran: Ran) -> None:
    change(
        "h.cpp",
        '#if __has_include("deep/opt.h")\n#include "deep/opt.h"\n#else\nint h();\n#endif\n',
    )
    words = ("-c", "h.cpp")
    Path("deep").mkdir()
    settle()
    ran(*words)
    change("deep/unrelated.h", "")
    assert ran(*words) == []
    change("deep/opt.h", "int other_h();\n")
    assert {"device", "host"} <= set(ran(*words))


@pytest.mark.parametrize(
    "text",
    [
        "const char *t() { return __TIME__; }\n",
        '__asm__(".data\\n.incbin \\"used.h\\"\\n");\n',
        "#define NAME <used.h>\n#if __has_include(NAME)\n#endif\nint f();\n",
        'const char e[] = {\n#embed "used.h"\n};\n',
    ],
)
def test_what_cannot_be_told_is_done_each_time(ran: Ran, text: str) -> None:
    change("t.cpp", text)
    words = ("-c", "t.cpp", "-Wno-c23-extensions")
    ran(*words)
    assert {"device", "host"} <= set(ran(*words))


def test_a_time_that_is_fixed(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    change("t.cpp", "const char *t() { return __TIME__; }\n")
    ran("-c", "t.cpp")
    assert ran("-c", "t.cpp") == []
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000001")
    assert "host" in ran("-c", "t.cpp")


@pytest.mark.parametrize("word", ["-DA", "-O1", "-Wall", "-std=c++20", "-fno-exceptions", "-g"])
def test_another_word(ran: Ran, word: str) -> None:
    ran("-c", "plain.cpp")
    assert "host" in ran("-c", "plain.cpp", word)
    assert ran("-c", "plain.cpp", word) == []
    assert ran("-c", "plain.cpp") == []


@pytest.mark.parametrize("word", ["-ftime-trace", "-foptimization-record-file=record.yaml"])
def test_words_that_may_do_anything(ran: Ran, word: str) -> None:
    words = ("-c", "plain.cpp", "-Xarch_host", word)
    ran(*words)
    assert "host" in ran(*words)


def test_the_environment(ran: Ran, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("-c", "plain.cpp")
    ran(*words)
    monkeypatch.setenv("CPATH", "/nowhere")
    assert "host" in ran(*words)
    monkeypatch.delenv("CPATH")
    (folder / "elsewhere").mkdir()
    shutil.copy("plain.cpp", "elsewhere")
    monkeypatch.chdir("elsewhere")
    settle()
    assert "host" in ran(*words)


def test_configuration_files(ran: Ran) -> None:
    def configure(sizes: str) -> None:
        change(
            "devices.yaml",
            f"my_gpu: {{aspects: [gpu], sub-group-sizes: [{sizes}]}}\n",
        )

    words = (
        *("-fsycl-device-config-file=devices.yaml", "-fsycl-fixed-targets=my_gpu"),
        *("-fsyclbin", "main.cpp", "-o", "k.syclbin"),
    )
    configure("8")
    ran(*words)
    assert ran(*words) == []
    configure("16")
    assert ran(*words) != []


def test_warnings_are_given_again(folder: Path, capsys: Capture) -> None:
    change(
        "w.cpp",
        f"{SYCL}[[sycl::device_has(sycl::aspect::fp16)]] SYCL_EXTERNAL double f(double x) "
        "{ int unused; return x * 2.0; }\n",
    )
    words = ["c++", "-fsycl", "-Wall", "-c", "w.cpp"]
    assert main(words) == 0
    first = capsys.readouterr().err
    assert "unused variable" in first
    assert "fp64" in first
    assert main(words) == 0
    assert capsys.readouterr().err == first


def test_failures_are_not_kept(folder: Path, capsys: Capture) -> None:
    change("e.cpp", "int e() { return nothing; }\n")
    assert main(["c++", "-fsycl", "-c", "e.cpp"]) == 1
    first = capsys.readouterr().err
    assert main(["c++", "-fsycl", "-c", "e.cpp"]) == 1
    assert capsys.readouterr().err == first


def test_damaged_entries_are_made_anew(
    ran: Ran, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv(CACHE_DIR.variable, str(folder / "cache"))
    ran("-c", "plain.cpp")
    made = Path("plain.o").read_bytes()
    for entry in (folder / "cache" / STEPS.name).iterdir():
        entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert "host" in ran("-c", "plain.cpp")
    assert Path("plain.o").read_bytes() == made
    assert ran("-c", "plain.cpp") == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[[null]]",
        b"[[null, [1, 2, 3, true]]]",
        b'[[[{}, [], [[5, 7, 0, 0, []]]], ["ab", "", [], true]]]',
        b'[[[{"\\u0000": ["", 1, 1, 1, 1, false]}, [], []], ["ab", "", [], true]]]',
        bytes(5),
        bytes(7) + b"\1",
        bytes(32),
    ],
    ids=range(9),
)
def test_entries_of_another_shape_are_made_anew(
    ran: Ran,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: bytes,
) -> None:
    """Their digests are right: another version may have written them."""
    monkeypatch.setenv(CACHE_DIR.variable, str(folder / "cache"))
    entries = folder / "cache" / STEPS.name
    ran("-c", "plain.cpp")
    made = Path("plain.o").read_bytes()
    for entry in list(entries.iterdir()):
        entry.write_bytes(encode_entry(entry.name, content))
        ran("-c", "plain.cpp")
        assert Path("plain.o").read_bytes() == made
    for entry in entries.iterdir():
        entry.write_bytes(encode_entry(entry.name, content))
    assert "host" in ran("-c", "plain.cpp")
    assert Path("plain.o").read_bytes() == made
    assert ran("-c", "plain.cpp") == []


def test_contents_that_are_gone_are_made_anew(
    ran: Ran, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_DIR.variable, str(folder / "cache"))
    ran("-c", "plain.cpp")
    made = Path("plain.o").read_bytes()
    entries = folder / "cache" / STEPS.name
    done: list[bool] = []
    for entry in list(entries.iterdir()):
        entry.unlink()
        done.append(bool(ran("-c", "plain.cpp")))
        assert Path("plain.o").read_bytes() == made
    assert any(done)
    assert not all(done), "what nobody wants is not missed"


def test_without_a_cache(ran: Ran, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE.variable, "off")
    ran("-c", "plain.cpp")
    assert "host" in ran("-c", "plain.cpp")
    monkeypatch.delenv(CACHE.variable)
    (folder / "file").touch()
    monkeypatch.setenv(CACHE_DIR.variable, str(folder / "file"))
    ran("-c", "plain.cpp")
    assert "host" in ran("-c", "plain.cpp")


def start(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "dovetail", "c++", "-fsycl", *words])


def test_several_at_once(ran: Ran) -> None:
    outputs = [f"{number}.o" for number in range(3)]
    builds = [start("-c", "user.cpp", "-o", output) for output in outputs]
    assert [build.wait(PATIENCE) for build in builds] == [0, 0, 0]
    assert len({Path(output).read_bytes() for output in outputs}) == 1
    assert ran("-c", "user.cpp", "-o", "3.o") == []


def test_a_build_that_is_killed(ran: Ran, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_DIR.variable, str(folder / "cache"))
    build = start("-c", "user.cpp", "plain.cpp")
    assert eventually((folder / "cache" / STEPS.name).exists)
    build.send_signal(signal.SIGKILL)
    build.wait()
    ran("-c", "user.cpp", "plain.cpp")
    assert ran("-c", "user.cpp", "plain.cpp") == []


@pytest.mark.parametrize("mode", ["-MD", "-MMD"])
def test_dependency_files(ran: Ran, mode: str) -> None:
    words = ("-c", "user.cpp", mode, "-MP", "-o", "out.o")
    ran(*words)
    made = {name: Path(name).read_bytes() for name in ("out.o", "out.d")}
    assert b"used.h" in made["out.d"]
    for name in made:
        Path(name).unlink()
    assert ran(*words) == []
    assert {name: Path(name).read_bytes() for name in made} == made
    ran("-c", "user.cpp", mode, "-MT", "target", "-o", "out.o")
    assert Path("out.d").read_text().startswith("target:")


def test_archives(ran: Ran) -> None:
    def archive() -> None:
        assert main(["c++", "-fsycl", "-c", "other.cpp"]) == 0
        Path("libother.a").unlink(missing_ok=True)
        subprocess.run(["ar", "rc", "libother.a", "other.o"], check=True)
        settle()

    archive()
    words = ("main.cpp", "-L.", "-lother", "-o", "app")
    ran(*words)
    assert ran(*words) == []
    change("other.cpp", SOURCES["other.cpp"].replace("*p = 2", "*p = 22"))
    archive()
    again = ran(*words)
    assert {"gather", "post-link", "link"} <= set(again)
    assert "host" not in again
    Path("first").mkdir()
    words = ("-Lfirst", *words)
    ran(*words)
    assert ran(*words) == []
    shutil.copy("libother.a", "first")
    settle()
    assert "link" in ran(*words)


@pytest.mark.parametrize("named", ["-lplain", "libplain.a"])
def test_what_a_linker_script_names_turns_up_earlier(ran: Ran, named: str) -> None:
    for folder in ("early", "late"):
        Path(folder).mkdir()
    ran("-c", "plain.cpp", "-o", "plain.o")
    subprocess.run(["ar", "rc", "early/libplain.a", "plain.o"], check=True)
    shutil.copy("early/libplain.a", "late")
    Path("early/libplain.a").unlink()
    Path("script").mkdir()
    change("script/libscript.so", f"INPUT({named})\n")
    words = ("main.cpp", "other.cpp", "-Lscript", "-Learly", "-Llate", "-lscript", "-o", "app")
    ran(*words)
    assert ran(*words) == []
    shutil.copy("late/libplain.a", "early")
    settle()
    assert "link" in ran(*words)


def test_shared_libraries(ran: Ran) -> None:
    words = ("-shared", "other.cpp", "-o", "libother.so")
    assert "link" in ran(*words)
    made = Path("libother.so").read_bytes()
    assert ran(*words) == []
    assert Path("libother.so").read_bytes() == made


def test_syntax_and_checks(ran: Ran, capsys: Capture) -> None:
    ran("-fsyntax-only", "user.cpp")
    assert ran("-fsyntax-only", "user.cpp") == []
    reports: list[str] = []
    for expected in (1, 0):
        assert main(["check", "-v", "main.cpp", "other.cpp"]) == 0
        captured = capsys.readouterr()
        reports.append(captured.out)
        assert bool(captured.err.count("-fsycl-device-only")) is bool(expected)
    assert reports[0] == reports[1]


def test_texts() -> None:
    source = Source.from_text(f"{SYCL}{TASK} void k(int *p) {{ *p = 7; }}\n")
    request = BuildRequest((source,), Flags(macros=("-DTEXTS",)))
    first = build_program(request).program
    started = Started()
    assert build_program(request, ExecutionOptions(started)).program == first
    assert started.jobs == []


class Started(JobListener):
    """Notes what is done."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def started(self, job: Job) -> None:
        self.jobs.append(job)


def test_what_a_source_becomes_depends_on_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE.variable, "off")
    names = ["int.cpp", "float.cpp"]
    for name in names:
        kernel = (
            f"void f(sycl::queue &q, {Path(name).stem} *p) {{ q.single_task([=] {{ *p = 1; }}); }}"
        )
        Path(name).write_text(f"{SYCL}{kernel}\n")
    objects = [Path(name).with_suffix(".o") for name in names]
    assert main(["c++", "-fsycl", "-c", *names]) == 0
    together = [each.read_bytes() for each in objects]
    for name in names:
        assert main(["c++", "-fsycl", "-c", name]) == 0
    assert [each.read_bytes() for each in objects] == together


def test_a_changed_source_does_not_need_the_search_path_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Job] = []
    ask = tracing.driver_arguments

    def counted(session: Session, job: Job) -> list[str]:
        asked.append(job)
        return ask(session, job)

    assert main(["c++", "-fsycl", "-c", "plain.cpp"]) == 0
    monkeypatch.setattr(tracing, "driver_arguments", counted)
    (folder / "plain.cpp").write_text("int plain() { return 2; }\n")
    settle()
    assert main(["c++", "-fsycl", "-c", "plain.cpp"]) == 0
    assert asked == []
    assert main(["c++", "-fsycl", "-c", "plain.cpp", "-Inew"]) == 0
    assert len(asked) == 2
