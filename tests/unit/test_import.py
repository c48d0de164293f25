"""Importing the package is fast and needs only Python."""

import ast
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import dovetail


def run_python(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout


def test_import_loads_nothing_heavy() -> None:
    loaded = run_python("import dovetail, sys; print(*sys.modules)").split()
    assert not {"numpy", "pyopencl", "rich", "dovetail._native", "dovetail.driver"} & set(loaded)


def test_runtime_needs_no_compiler() -> None:
    code = (
        "import sys; sys.modules['dovetail._native'] = None\n"
        "import dovetail; dovetail.load, dovetail.Queue, dovetail.devices, dovetail.NdRange\n"
        "print(*sys.modules)"
    )
    stages = {"dovetail.driver", "dovetail.frontend", "dovetail.ir", "dovetail.passes"}
    assert not stages & set(run_python(code).split())


def test_modules_for_new_or_unfit_code_are_not_loaded() -> None:
    """They would add a fifth to the load time of Dovetail's modules."""
    code = "import dovetail, sys; dovetail.load, dovetail.Queue; print(*sys.modules)"
    late = {"dovetail.facts", "dovetail.image.aspect_uses", "dovetail.runtime.code_validation"}
    assert not (late | {"dovetail.resources"}) & set(run_python(code).split())


def test_builds_ask_targets_for_aspects_without_the_fit_check() -> None:
    code = (
        "import sys; from dovetail.targets import default_table\n"
        "assert default_table()['spir64'].verdict('fp64') == 'may'; print(*sys.modules)"
    )
    loaded = run_python(code).split()
    assert "dovetail.capabilities" in loaded
    assert "dovetail.fit" not in loaded


def test_child_processes_of_builds_load_few_modules() -> None:
    code = "import dovetail.compilers.ocloc_worker, sys; print(*sys.modules)"
    # Without site-packages, which may have files that load more.
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": os.fspath(Path(dovetail.__file__).parents[1])},
    ).stdout.split()
    assert not {"json", "pathlib", "re", "subprocess", "threading", "typing"} & set(loaded)


LAZY_PACKAGES = [
    "dovetail",
    "dovetail.analysis",
    "dovetail.bundling",
    "dovetail.codegen",
    "dovetail.codegen.spirv",
    "dovetail.conditions",
    "dovetail.driver",
    "dovetail.frontend",
    "dovetail.image",
    "dovetail.package",
    "dovetail.passes",
    "dovetail.postlink",
    "dovetail.runtime",
    "dovetail.spirv",
]


def test_lazy_packages_are_known() -> None:
    root = Path(dovetail.__file__).parent
    lazy = [path for path in root.rglob("__init__.py") if "on_demand" in path.read_text()]
    assert {".".join(path.parent.relative_to(root.parent).parts) for path in lazy} == set(
        LAZY_PACKAGES
    )


@pytest.mark.parametrize("name", LAZY_PACKAGES)
def test_lazy_packages_export_what_type_checkers_see(name: str) -> None:
    package = import_module(name)
    source = ast.parse(Path(str(package.__file__)).read_text())
    (block,) = (node for node in source.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    assert len(imports) == len(block.body)
    listed = {alias.asname: node.module for node in imports for alias in node.names}
    assert dir(package) == package.__all__ == sorted(filter(None, listed))
    for export, module in listed.items():
        assert module
        assert getattr(package, str(export)) is getattr(import_module(module), str(export))
    # Python puts a module into its package under its own name, in place of an export.
    assert not set(listed) & {str(module).removeprefix(f"{name}.") for module in listed.values()}


def test_all_names_can_be_imported_at_once() -> None:
    loaded = run_python("from dovetail import *; print(Queue.__name__, build.__name__)")
    assert loaded.split() == ["Queue", "build"]


@pytest.mark.parametrize("name", LAZY_PACKAGES)
def test_unknown_name(name: str) -> None:
    with pytest.raises(AttributeError, match=f"^module '{name}' has no attribute 'bild'$"):
        getattr(import_module(name), "bild")  # noqa: B009 - a plain attribute would not type-check
