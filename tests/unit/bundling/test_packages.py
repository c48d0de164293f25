"""Which files of packages a bundle has."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dovetail
from dovetail.bundling.packages import distributions, dovetail_entries, package_entries
from dovetail.errors import UsageError

PACKAGE = Path(dovetail.__file__).parent


def imported_modules(source: Path) -> Iterator[Path]:
    """Yield the modules of Dovetail that a module imports, also inside functions."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
        else:
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            path = PACKAGE.parent.joinpath(*name.split("."))
            if name.startswith("dovetail."):
                yield from filter(Path.is_file, (path.with_suffix(".py"), path / "__init__.py"))


def test_the_runtime_is_complete() -> None:
    files = {entry.source for entry in dovetail_entries()}
    seen = set(PACKAGE.glob("runtime/**/*.py"))
    waiting = list(seen)
    assert waiting
    while waiting:
        found = set(imported_modules(waiting.pop())) - seen
        assert not found - files
        seen |= found
        waiting += found


def test_packages_without_tests_and_headers() -> None:
    found = {package.name: package for package in distributions(())}
    assert {"numpy", "pyopencl", "pytools"} <= found.keys()
    assert not found.keys() & {"rich", "pytest", "nanobind"}
    paths = [str(entry.path) for entry in package_entries(found["numpy"])]
    assert any(path.endswith("numpy/__init__.pyc") for path in paths)
    assert not [path for path in paths if "/tests/" in path or path.endswith((".h", ".pyi"))]


def test_a_package_that_is_not_installed() -> None:
    with pytest.raises(UsageError, match="the package 'unknown-to-all' is not installed"):
        distributions(["unknown-to-all"])
