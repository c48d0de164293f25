"""Writing bundles: whole ones, which replace only bundles."""

import marshal
import subprocess
import sys
import tarfile
from pathlib import Path, PurePosixPath

import pytest

from dovetail.bundling import BundledFile, require_replaceable, write_bundle
from dovetail.bundling.contents import MANIFEST
from dovetail.errors import InputError, UsageError

MODULE = "def place():\n    return place.__code__.co_filename\n"


def entries(folder: Path, text: bytes = b"text") -> list[BundledFile]:
    (folder / "source").write_bytes(b"content")
    return [
        BundledFile(PurePosixPath("app"), folder / "source", "program", is_executable=True),
        BundledFile(PurePosixPath("lib/libx.so.1"), b"library", "libraries"),
        BundledFile(PurePosixPath("lib/libx.so"), b"", "libraries", link_to="libx.so.1"),
        BundledFile(PurePosixPath("lib/module.pyc"), MODULE.encode(), "modules"),
        BundledFile(MANIFEST, text, "program"),
    ]


def quiet(done: int, total: int) -> None:
    assert 0 <= done <= total


def check(bundle: Path) -> None:
    assert (bundle / "app").read_bytes() == b"content"
    assert (bundle / "app").stat().st_mode & 0o111
    assert (bundle / "lib" / "libx.so").readlink() == Path("libx.so.1")
    code = "import module; print(module.place())"
    found = subprocess.check_output([sys.executable, "-c", code], cwd=bundle / "lib", text=True)
    # Not a path of the machine that made it.
    assert found == "lib/module.py\n"


def test_a_directory(tmp_path: Path) -> None:
    output = tmp_path / "made"
    written = write_bundle(entries(tmp_path), output, quiet)
    check(output)
    assert list(written.sizes) == ["modules", "program", "libraries"]
    assert (written.files, written.packed) == (5, None)
    assert written.size == sum(
        path.stat().st_size
        for path in output.rglob("*")
        if path.is_file() and path.name != "libx.so"
    )


def test_an_archive(tmp_path: Path) -> None:
    output = tmp_path / "made.tar.gz"
    large = BundledFile(PurePosixPath("large"), bytes(9 << 20), "data")
    written = write_bundle([*entries(tmp_path), large], output, quiet)
    assert written.packed == output.stat().st_size < 100_000
    with tarfile.open(output) as archive:
        archive.extractall(tmp_path, filter="data")
    check(tmp_path / "made")
    assert (tmp_path / "made" / "large").stat().st_size == 9 << 20
    again = output.read_bytes()
    write_bundle([*entries(tmp_path), large], output, quiet)
    assert output.read_bytes() == again


def test_only_bundles_are_replaced(tmp_path: Path) -> None:
    output = tmp_path / "made"
    write_bundle(entries(tmp_path, b"first"), output, quiet)
    require_replaceable(output)
    write_bundle(entries(tmp_path, b"second"), output, quiet)
    assert (output / MANIFEST).read_bytes() == b"second"
    assert {path.name for path in tmp_path.iterdir()} == {"made", "source"}
    (tmp_path / "link").symlink_to("made")
    write_bundle(entries(tmp_path, b"third"), tmp_path / "link", quiet)
    assert (output / MANIFEST).read_bytes() == b"third"
    assert (tmp_path / "link").is_symlink()
    (tmp_path / "archive.tar.gz").mkdir()
    for name in (".", "archive.tar.gz", "source"):
        with pytest.raises(UsageError, match=r"is not a bundle|is a directory"):
            require_replaceable(tmp_path / name)


@pytest.mark.parametrize("name", ["made", "made.tar.gz"])
def test_nothing_is_left_of_a_failure(tmp_path: Path, name: str) -> None:
    files = [*entries(tmp_path), BundledFile(PurePosixPath("z"), tmp_path / "nowhere", "data")]

    def fail_late(done: int, total: int) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match=r"cannot write '.*made.*': No such file"):
        write_bundle(files, tmp_path / name, quiet)
    with pytest.raises(InputError, match=r"No space left on device"):
        write_bundle(entries(tmp_path), tmp_path / name, fail_late)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_cached_bytecode_is_used_only_if_it_is_current(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text("value = 1\n")
    subprocess.run([sys.executable, "-m", "compileall", "-q", source], check=True)
    for value in (1, 23):
        source.write_text(f"value = {value}\n")
        entry = BundledFile(PurePosixPath("source.pyc"), source, "modules")
        write_bundle([entry, *entries(tmp_path)], tmp_path / "made", quiet)
        names: dict[str, object] = {}
        exec(marshal.loads((tmp_path / "made" / "source.pyc").read_bytes()[16:]), names)
        assert names["value"] == value
