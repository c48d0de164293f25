"""Object files that carry device code, and what becomes of them when they are linked."""

import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from fuzz.objects import elf
from patience import PATIENCE, eventually, has_ended

from dovetail.cli.main import main
from dovetail.frontend.dependencies import dependency_paths
from dovetail.image import (
    read_embedded_program,
    read_program,
)
from dovetail.image.device_section import (
    DeviceCode,
    DeviceSection,
    read_device_section,
    write_device_section,
)
from dovetail.image.elf import is_elf
from dovetail.ir import Context, Module
from dovetail.settings import CACHE_DIR

Capture = pytest.CaptureFixture[str]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
SYCL = "#include <sycl/sycl.hpp>\n"
SOURCES = {
    "main.cpp": f"{SYCL}SYCL_EXTERNAL int twice(int);\n"
    f"{TASK} void k(int *p) {{ *p = twice(*p); }}\nint main() {{ sycl::queue queue; }}\n",
    "twice.cpp": f"{SYCL}SYCL_EXTERNAL int once(int);\n"
    "SYCL_EXTERNAL int twice(int x) { return once(x) + once(x); }\n",
    "once.cpp": f"{SYCL}SYCL_EXTERNAL int once(int x) {{ return x; }}\n",
    "other.cpp": f"{SYCL}{TASK} void other(int *p) {{ *p = 1; }}\n"
    "int other_host() { return 1; }\n",
    "plain.cpp": "int plain() { return 1; }\n",
    "c.c": "int in_c(void) { int class = 1; return class; }\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with sources, which tests work in."""
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cxx(*words: str) -> int:
    return main(["c++", "-fsycl", *words])


def archive(name: str, *members: str, thin: bool = False) -> None:
    subprocess.run(["llvm-ar-22", "qcT" if thin else "qc", name, *members], check=True)


def carried(path: str) -> DeviceSection:
    return read_device_section(Path(path).read_bytes())


def linked(path: str) -> tuple[set[str], set[str]]:
    """The names of a program's kernels, and the symbols of the functions that it offers."""
    data = Path(path).read_bytes()
    program = read_embedded_program(data) if is_elf(data) else read_program(data)
    modules = program.abstract_modules
    kernels = {kernel.name for module in modules for kernel in module.info.kernels}
    return kernels, {s for module in modules for s in module.info.exports}


def test_what_objects_carry(folder: Path, capsys: Capture) -> None:
    assert cxx("-c", "main.cpp", "twice.cpp", "plain.cpp", "-x", "c", "c.c") == 0
    assert sorted(path.name for path in folder.glob("*.o")) == [
        "c.o",
        "main.o",
        "plain.o",
        "twice.o",
    ]
    (code,) = carried("twice.o").code
    assert code.triple == "spirv64-unknown-unknown"
    assert (code.source, code.exports) == ("twice.cpp", ("_Z5twicei",))
    assert bytes(code.bitcode).startswith(b"BC")
    assert not carried("plain.o")
    assert not carried("c.o")
    assert capsys.readouterr().err == ""
    shown = subprocess.run(
        ["llvm-objdump-22", "--offloading", "twice.o"], capture_output=True, text=True, check=True
    )
    assert "triple          spirv64-unknown-unknown" in shown.stdout, "LLVM's own tools read it"


def test_objects_link_to_what_sources_would(folder: Path) -> None:
    assert cxx("main.cpp", "twice.cpp", "once.cpp", "-fsyclbin", "-o", "at_once") == 0
    assert cxx("-c", "main.cpp", "twice.cpp") == 0
    assert cxx("main.o", "twice.o", "once.cpp", "-fsyclbin", "-o", "linked") == 0
    assert linked("linked") == linked("at_once") == ({"k"}, {"_Z5twicei", "_Z4oncei"})


def test_members_that_are_needed(folder: Path) -> None:
    """The host's linker needs none of them; device code needs two, one because of the other."""
    assert cxx("-c", "main.cpp", "twice.cpp", "once.cpp", "other.cpp") == 0
    archive("libparts.a", "other.o", "once.o", "twice.o")
    for words in (["libparts.a"], ["-L.", "-lparts"], ["-L", str(folder), "-l", "parts"]):
        assert cxx("main.o", *words) == 0
        assert linked("a.out") == ({"k"}, {"_Z5twicei", "_Z4oncei"})
    assert cxx("main.cpp", "libparts.a", "-fsyclbin") == 0
    assert linked("a.syclbin") == ({"k"}, {"_Z5twicei", "_Z4oncei"})


def test_members_that_the_host_needs(folder: Path) -> None:
    Path("main.cpp").write_text("int other_host();\nint main() { return other_host(); }\n")
    assert cxx("-c", "other.cpp", "once.cpp") == 0
    archive("libparts.a", "other.o", "once.o")
    assert cxx("main.cpp", "libparts.a", "-o", "app") == 0
    assert linked("app") == ({"other"}, set())
    assert cxx("-shared", "main.cpp", "libparts.a", "-o", "lib.so") == 0
    assert b"__sycl_kernel__Z5otherPi" in Path("lib.so").read_bytes()
    assert cxx("main.cpp", "-Wl,--whole-archive", "libparts.a", "-Wl,--no-whole-archive") == 0
    assert linked("a.out") == ({"other"}, {"_Z4oncei"})


def test_thin_archives(folder: Path) -> None:
    assert cxx("-c", "main.cpp", "twice.cpp", "once.cpp") == 0
    (folder / "sub").mkdir()
    archive("sub/libthin.a", "twice.o", "once.o", thin=True)
    assert cxx("main.o", "sub/libthin.a", "-o", "app") == 0
    assert linked("app") == ({"k"}, {"_Z5twicei", "_Z4oncei"})


@pytest.mark.parametrize(
    "words",
    [
        ("-Wl,-L.,-ltwice",),
        ("-L.", "-Wl,-ltwice,-lm"),
        ("-Wl,--whole-archive,libtwice.a,--no-whole-archive",),
        ("-Xlinker", "libtwice.a"),
        ("-ltwice",),
    ],
)
def test_archives_that_only_the_linker_is_told_of(
    words: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBRARY_PATH", str(folder))
    assert cxx("-c", "main.cpp", "twice.cpp", "once.cpp") == 0
    archive("libtwice.a", "twice.o", "once.o")
    assert cxx("main.o", *words, "-Wl,-soname,libother.so", "-o", "app") == 0
    assert linked("app") == ({"k"}, {"_Z5twicei", "_Z4oncei"})


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("INPUT(libtwice.a)", ("sub/libscript.so",)),
        ("/* both */ GROUP ( AS_NEEDED ( libtwice.a ) -lm )", ("-Lsub", "-lscript")),
        ('INPUT ( "once.o" twice.o )', ("sub/libscript.so",)),
        ("INPUT(-ltwice)", ("-Lsub", "-Wl,-lscript")),
        ("GROUP(inner.ld)", ("sub/libscript.so",)),
        ("INPUT(FOLDER/sub/libtwice.a)", ("sub/libscript.so",)),
    ],
)
def test_files_that_a_linker_script_names(
    folder: Path, script: str, words: tuple[str, ...]
) -> None:
    assert cxx("-c", "main.cpp", "twice.cpp", "once.cpp") == 0
    (folder / "sub").mkdir()
    archive("sub/libtwice.a", "twice.o", "once.o")
    Path("sub/inner.ld").write_text("INPUT(libtwice.a)")
    Path("sub/libscript.so").write_text(script.replace("FOLDER", str(folder)))
    assert cxx("main.o", *words, "-o", "app") == 0
    assert linked("app") == ({"k"}, {"_Z5twicei", "_Z4oncei"})


def test_objects_that_stand_by_themselves(folder: Path, capsys: Capture) -> None:
    """Without relocatable device code, no object is linked with another one."""
    assert cxx("-c", "main.cpp", "twice.cpp", "once.cpp", "other.cpp") == 0
    assert cxx("-fno-sycl-rdc", "main.o", "twice.o", "once.o", "-o", "app") == 1
    printed = capsys.readouterr().err
    assert "main.cpp:3:" in printed
    assert "error: 'twice(int)' is defined in 'twice.cpp', but -fno-sycl-rdc forbids" in printed
    assert not Path("app").exists()
    # Each has its own copy of an inline function.
    for name in ("one", "two"):
        Path(f"{name}.cpp").write_text(
            f"{SYCL}inline int value() {{ return 3; }}\n"
            f"{TASK} void {name}(int *p) {{ *p = value(); }}\nint host_{name}() {{ return 1; }}\n"
        )
    Path("start.cpp").write_text("int host_one(), host_two();\nint main() { return host_one(); }\n")
    assert cxx("-c", "one.cpp", "two.cpp") == 0
    assert cxx("-fno-sycl-rdc", "start.cpp", "one.o", "two.o", "other.o", "-o", "app") == 0
    assert linked("app")[0] == {"one", "two", "other"}
    archive("libparts.a", "one.o", "two.o", "other.o")
    assert cxx("-fno-sycl-rdc", "start.cpp", "libparts.a", "-o", "app") == 0
    assert linked("app")[0] == {"one"}, "what the host's linker takes"


def test_a_prefix_makes_objects_reproducible(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of internal kernels come from the source's path, unless a prefix is given."""
    made: dict[str, list[bytes]] = {}
    for words in ("", "-fsycl-unique-prefix=mine"):
        for name in ("here", "there"):
            (folder / name).mkdir(exist_ok=True)
            monkeypatch.chdir(folder / name)
            Path("k.cpp").write_text(f"{SYCL}{TASK} static void hidden(int *p) {{ *p = 1; }}\n")
            assert cxx("-c", "k.cpp", *words.split()) == 0
            made.setdefault(words, []).append(Path("k.o").read_bytes())
    assert made[""][0] != made[""][1]
    assert made["-fsycl-unique-prefix=mine"][0] == made["-fsycl-unique-prefix=mine"][1]
    (code,) = carried("k.o").code
    module = Module.parse(Context(), bytes(code.bitcode), "k.o")
    symbols = [function.name for function in module.functions()]
    assert "__sycl_kernel__ZL6hiddenPi$mine" in symbols


def test_the_dependencies_do_not_replace_the_object(folder: Path, capsys: Capture) -> None:
    assert cxx("-c", "main.cpp", "-o", "same.o", "-MD", "-MF", "same.o") == 2
    assert "-o and -MF both name" in capsys.readouterr().err
    assert not Path("same.o").exists()
    assert cxx("-c", "main.cpp", "-MD", "-MF", "main.cpp") == 2
    assert Path("main.cpp").read_text() == SOURCES["main.cpp"]


def test_functions_of_shared_libraries_are_imports(folder: Path) -> None:
    assert cxx("-shared", "twice.cpp", "once.cpp", "-o", "libtwice.so") == 0
    assert cxx("main.cpp", "-L.", "-ltwice", f"-Wl,-rpath,{folder}", "-o", "app") == 0
    program = read_embedded_program(Path("app").read_bytes())
    (module,) = program.abstract_modules
    assert module.info.imports == ("_Z5twicei",)
    assert linked("app") == ({"k"}, set())


def test_objects_outlive_the_cache(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """The bodies of the headers' classes are made again, for each set of flags."""
    # Without optimization, bodies are made in half the time.
    assert cxx("-c", "-O0", "main.cpp") == 0
    assert cxx("-c", "-O0", "-fno-rtti", "other.cpp") == 0
    words = [section.bodies for section in map(carried, ("main.o", "other.o"))]
    assert [("-fno-rtti" in each) for (each,) in words] == [False, True]
    monkeypatch.setenv(CACHE_DIR.variable, str(folder / "cache"))
    command = ("-O0", "main.o", "other.o", "twice.cpp", "once.cpp", "-o", "app")
    assert cxx(*command, "-###") == 0
    shown = capsys.readouterr().err
    assert shown.count("DDOVETAIL_HOST_BODIES=2") == 2
    assert cxx(*command) == 0
    shutil.rmtree("cache")
    Path("cache").touch()
    assert cxx("main.o", "-shared", "-o", "lib.so") == 0, "without any cache"


def test_an_object_without_the_family_is_named(folder: Path, capsys: Capture) -> None:
    section = DeviceSection((DeviceCode("nvptx64-nvidia-cuda", b"BC"),))
    Path("nv.o").write_bytes(elf((b".llvm.offloading", write_device_section(section))))
    assert cxx("nv.o", "main.cpp", "-fsyclbin") == 1
    assert "'nv.o' has no device code for spirv64, only for nvptx64" in capsys.readouterr().err


def test_members_without_the_family_are_named(folder: Path, capsys: Capture) -> None:
    assert cxx("-c", "once.cpp", "-o", "nv.o", "-fsycl-targets=nvidia_gpu_sm_90") == 0
    assert cxx("-c", "once.cpp", "-o", "any.o") == 0
    archive("libnv.a", "nv.o")
    archive("libany.a", "any.o")
    words = ("main.cpp", "twice.cpp", "libnv.a", "-fsyclbin", "-o", "app")
    assert cxx(*words) == 1
    assert "'libnv.a(nv.o)' has no device code for spirv64" in capsys.readouterr().err
    assert cxx(*words, "libany.a") == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x7fELF", "'bad.o': ELF file, byte 0: the header extends to"),
        (b"!<arch>\nx", "'bad.o': archive, byte 8"),
        (elf((b".llvm.offloading", b"nothing")), "'bad.o': offload binary, byte 0"),
        (
            elf(
                (
                    b".llvm.offloading",
                    write_device_section(DeviceSection((DeviceCode("spirv64-x", b"BC\xc0\xde"),))),
                )
            ),
            "'bad.o': ",
        ),
    ],
)
def test_damaged_objects(folder: Path, capsys: Capture, content: bytes, message: str) -> None:
    Path("bad.o").write_bytes(content)
    assert cxx("bad.o", "other.cpp", "-fsyclbin", "-o", "out") == 1
    printed = capsys.readouterr().err
    assert message in printed
    assert "Traceback" not in printed
    assert not Path("out").exists()


def test_only_foreign_bitcode_is_tried_in_a_child(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def parse(data: bytes, name: str, context: Context) -> Module:
        tried.append(name)
        return Module.parse(context, data, name)

    monkeypatch.setattr("dovetail.driver.objects.parse_untrusted", parse)
    assert cxx("-c", "once.cpp", "other.cpp") == 0
    link = ("-fsyclbin", "once.o", "other.o", "-o", "k")
    assert cxx(*link) == 0
    assert tried == []
    monkeypatch.setenv(CACHE_DIR.variable, str(folder / "cache"))
    assert cxx(*link) == 0
    assert tried == ["once.cpp", "other.cpp"]
    assert cxx(*link) == 0
    assert len(tried) == 2, "what LLVM has read once is remembered"


def test_dependency_files(folder: Path) -> None:
    Path("device.h").touch()
    Path("host.h").touch()
    Path("d.cpp").write_text(
        f"{SYCL}#ifdef __SYCL_DEVICE_ONLY__\n"
        '#include "device.h"\n#else\n#include "host.h"\n#endif\n'
    )
    assert cxx("-c", "d.cpp", "-MMD", "-MP", "-o", "out.o") == 0
    text = Path("out.d").read_text()
    assert dependency_paths(text) == ["d.cpp", "host.h", "device.h"]
    assert text.startswith("out.o:")
    assert "\ndevice.h:\n" in text
    assert cxx("-c", "d.cpp", "-MD", "-MT", "x", "-MFdeps") == 0
    text = Path("deps").read_text()
    assert text.startswith("x:")
    headers = dependency_paths(text)
    assert any(path.endswith("sycl/queue.hpp") for path in headers)
    assert not any(path.endswith(".pch") for path in headers)


def test_syntax_of_both_sides(folder: Path, capsys: Capture) -> None:
    assert cxx("-fsyntax-only", "main.cpp", "plain.cpp", "-x", "c", "c.c") == 0
    for guard in ("ifdef", "ifndef"):
        Path("bad.cpp").write_text(f"#{guard} __SYCL_DEVICE_ONLY__\nint x = y;\n#endif\n")
        assert cxx("-fsyntax-only", "bad.cpp") == 1
        assert "bad.cpp:2:9: error: use of undeclared identifier 'y'" in capsys.readouterr().err
    assert not list(folder.glob("*.o"))


def test_one_output_for_several_objects(folder: Path, capsys: Capture) -> None:
    assert cxx("-c", "main.cpp", "once.cpp", "-o", "x.o") == 2
    assert "cannot specify -o when generating multiple output files" in capsys.readouterr().err


def test_an_error_in_one_source_leaves_nothing(folder: Path, capsys: Capture) -> None:
    Path("bad.cpp").write_text("int x = y;\n")
    assert cxx("-c", "plain.cpp", "bad.cpp") == 1
    assert capsys.readouterr().err.count("use of undeclared identifier") == 1
    assert not list(folder.glob("*.o"))
    assert cxx("-c", "plain.cpp", "-o", "none/plain.o") == 1
    assert "cannot write 'none/plain.o'" in capsys.readouterr().err


def test_what_clang_does_not_know(folder: Path, capsys: Capture) -> None:
    for words in (["-c", "plain.cpp"], ["main.o"]):
        Path("main.o").write_bytes(elf((b".text", b"")))
        assert cxx(*words, "-fno-such-thing", "-o", "x") == 1
        assert "unknown argument: '-fno-such-thing'" in capsys.readouterr().err
        assert not Path("x").exists()


def test_words_reach_the_right_side(folder: Path) -> None:
    Path("w.cpp").write_text(
        "#if defined(__SYCL_DEVICE_ONLY__) != defined(FOR_DEVICE)\n#error device\n#endif\n"
        "#if defined(__SYCL_DEVICE_ONLY__) == defined(FOR_HOST)\n#error host\n#endif\n"
        "#if __EXCEPTIONS\n#error both\n#endif\n"
    )
    words = ["-Xarch_host", "-DFOR_HOST", "-Xarch_device", "-DFOR_DEVICE", "-fno-exceptions"]
    assert cxx("-c", "w.cpp", *words) == 0


def test_a_file_of_words(folder: Path) -> None:
    Path("words").write_text("-c 'plain.cpp'\n-o \"my plain.o\"")
    assert cxx("@words") == 0
    assert Path("my plain.o").exists()


def start(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """The command as a process, which may become another."""
    command = [sys.executable, "-m", "dovetail", "c++", *words]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE)


def test_without_sycl_it_is_clang(folder: Path) -> None:
    assert start("plain.cpp", "-c", "-o", "ours.o").returncode == 0
    subprocess.run(["clang++-22", "plain.cpp", "-c", "-o", "clangs.o"], check=True)
    assert Path("ours.o").read_bytes() == Path("clangs.o").read_bytes()
    refused = start("-fsykl", "plain.cpp")
    assert refused.returncode == 1
    assert refused.stderr.startswith("clang")
    assert start("-fsycl", "-fno-sycl", "-c", "plain.cpp").returncode == 0


def test_version(capsys: Capture) -> None:
    """It is told without clang's help, and is true all the same."""
    ours, clangs = start("--version").stdout.splitlines()
    assert ours.startswith("dovetail ")
    real = subprocess.run(["clang++-22", "--version"], capture_output=True, text=True).stdout
    assert clangs in real
    assert main(["c++", "-fsycl", "--version"]) == 0
    assert capsys.readouterr().out.splitlines() == [ours, clangs]


def test_preprocessing_and_assembly_are_the_hosts(folder: Path) -> None:
    text = "#ifdef __SYCL_DEVICE_ONLY__\ndevice\n#else\nhost SYCL_LANGUAGE_VERSION\n#endif\n"
    shown = start("-fsycl", "-E", "-x", "c++", "-", text=text)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "\nhost 202" in shown.stdout
    assert "device" not in shown.stdout
    assert start("-fsycl", "-S", "plain.cpp", "-o", "plain.s").returncode == 0
    assert "_Z5plainv" in Path("plain.s").read_text()
    macros = start("-fsycl", "-dM", "-E", "-x", "c++", "/dev/null").stdout
    assert "#define __cplusplus 201703L" in macros


def test_objects_that_are_joined(folder: Path) -> None:
    assert cxx("-c", "main.cpp", "twice.cpp", "once.cpp") == 0
    joined = start("-fsycl", "-r", "main.o", "twice.o", "-o", "joined.o")
    assert (joined.returncode, joined.stderr) == (0, "")
    assert [code.source for code in carried("joined.o").code] == ["main.cpp", "twice.cpp"]
    assert cxx("joined.o", "once.o", "-o", "app") == 0
    assert linked("app") == ({"k"}, {"_Z5twicei", "_Z4oncei"})


def test_sources_of_one_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled each in its own folder; what is static in one is not the other's."""
    for name in ("one", "two"):
        (folder / name).mkdir()
        monkeypatch.chdir(folder / name)
        Path("same.cpp").write_text(f"{SYCL}{TASK} static void own(int *p) {{ *p = 1; }}\n")
        assert cxx("-c", "same.cpp") == 0
    monkeypatch.chdir(folder)
    assert cxx("-fsyclbin", "one/same.o", "two/same.o", "-o", "both") == 0
    modules = read_program(Path("both").read_bytes()).abstract_modules
    symbols = {kernel.symbol for module in modules for kernel in module.info.kernels}
    assert len(symbols) == 2


def test_source_on_standard_input(folder: Path) -> None:
    text = SOURCES["once.cpp"]
    made = start("-fsycl", "-c", "-x", "c++", "-", "-o", "in.o", text=text)
    assert (made.returncode, made.stderr) == (0, "")
    assert carried("in.o").code[0].exports == ("_Z4oncei",)


def _have_begun(folder: Path, child: subprocess.Popen[str]) -> bool:
    assert child.poll() is None
    return len(list(folder.glob("pid.*"))) == 2


def test_interruption_ends_everything(folder: Path) -> None:
    """A compiler that never ends, though only this process is told to."""
    fake = folder / "llvm"
    fake.mkdir()
    script = fake / "clang++"
    script.write_text(f"#!/bin/sh\necho $$ >{folder}/pid.$$\nexec sleep 600\n")
    script.chmod(0o755)
    temporary = folder / "tmp"
    temporary.mkdir()
    environment = {
        **os.environ,
        "DOVETAIL_LLVM_BIN": str(fake),
        "TMPDIR": str(temporary),
        CACHE_DIR.variable: str(folder / "cache"),
    }
    for tool in ("llvm-objcopy", "llvm-tblgen"):
        (fake / tool).symlink_to(f"/usr/bin/{tool}-22")
    for number, status in ((2, 130), (15, 143)):
        child = subprocess.Popen(
            [sys.executable, "-m", "dovetail", "c++", "-fsycl", "-c", "plain.cpp"],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert eventually(partial(_have_begun, folder, child))
        child.send_signal(number)
        _, message = child.communicate(timeout=PATIENCE)
        assert child.returncode == status
        assert "Traceback" not in message
        for file in folder.glob("pid.*"):
            process = int(file.suffix[1:])
            assert eventually(partial(has_ended, process)), "the compiler was ended"
            file.unlink()
        assert list(temporary.iterdir()) == []
        assert not Path("plain.o").exists()


def test_a_compiler_that_is_killed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = folder / "llvm"
    fake.mkdir()
    (fake / "clang++").write_text("#!/bin/sh\nkill -9 $$\n")
    (fake / "clang++").chmod(0o755)
    (fake / "llvm-objcopy").symlink_to("/usr/bin/llvm-objcopy-22")
    monkeypatch.setenv("DOVETAIL_LLVM_BIN", str(fake))
    made = start("-fsycl", "-c", "plain.cpp")
    assert made.returncode == 1
    assert "clang++ was ended by SIGKILL, which the system sends when memory" in made.stderr
    assert "run fewer jobs at a time (-j1)" in made.stderr
    assert "the command was: " in made.stderr
    assert not Path("plain.o").exists()
