"""Rules of docs/layout.md that linters cannot check; `make check` runs them too."""

import ast
from collections.abc import Iterator
from pathlib import Path

import dovetail

PACKAGE = Path(dovetail.__file__).parent
VERDICTS = {"Fit", "AspectReason", "SubGroupReason", "WorkGroupReason"}
"""Code that decides whether code fits creates one of these."""
SHOW_ENTRIES = {"targets/__init__.py", "targets/user_entry.py", "cli/targets.py"}
"""Modules that read, store and print entries."""

STARTERS = {"subprocess", "multiprocessing", "pty"}
OS_STARTERS = {"fork", "forkpty", "popen", "posix_spawn", "posix_spawnp", "startfile", "system"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_bytes())


def called(node: ast.AST) -> str:
    """Return the name of the callee, if the node is a call."""
    if not isinstance(node, ast.Call):
        return ""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def test_one_module_decides_whether_code_fits() -> None:
    deciding = {
        name for name, module in modules() for node in ast.walk(module) if called(node) in VERDICTS
    }
    assert deciding == {"fit.py"}


def test_no_other_module_checks_whether_a_list_of_aspects_is_complete() -> None:
    asking = {
        name
        for name, module in modules()
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute) and node.attr == "may_support_other_aspects"
    }
    assert asking - SHOW_ENTRIES == {"capabilities.py"}


def starts_processes(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(each.name.partition(".")[0] in STARTERS for each in names)
        case ast.ImportFrom(module=str(module)):
            names = {each.name for each in node.names}
            is_os = module == "os" and not names.isdisjoint(OS_STARTERS)
            return is_os or module.partition(".")[0] in STARTERS
        case ast.Attribute(value=ast.Name(id="os"), attr=attr):
            return attr in OS_STARTERS
        case _:
            return False


def test_one_package_starts_child_processes() -> None:
    starting = {name for name, module in modules() if any(map(starts_processes, ast.walk(module)))}
    assert {name.partition("/")[0] for name in starting} == {"processes"}


def test_class_names_are_unique() -> None:
    """Those of the native module count too."""
    places: dict[str, list[str]] = {}
    stub = PACKAGE / "_native.pyi"
    for name, module in (*modules(), (stub.name, ast.parse(stub.read_bytes()))):
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}
