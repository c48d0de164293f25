"""Importing the package costs nothing and needs nothing but Python."""

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


def test_what_only_unfit_or_new_code_needs_waits() -> None:
    """They would take a fifth of the time that our own modules take to load."""
    code = "import dovetail, sys; dovetail.load, dovetail.Queue; print(*sys.modules)"
    late = {"dovetail.facts", "dovetail.image.aspect_uses", "dovetail.runtime.vetting"}
    assert not (late | {"dovetail.resources"}) & set(run_python(code).split())


def test_builds_ask_targets_for_aspects_without_the_fit_check() -> None:
    code = (
        "import sys; from dovetail.targets import default_table\n"
        "assert default_table()['spir64'].verdict('fp64') == 'may'; print(*sys.modules)"
    )
    loaded = run_python(code).split()
    assert "dovetail.capabilities" in loaded
    assert "dovetail.fit" not in loaded


def test_children_that_builds_wait_for_load_little() -> None:
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


def test_every_public_name_loads() -> None:
    for name in dovetail.__all__:
        assert getattr(dovetail, name) is not None
    assert set(dovetail.__all__) <= set(dir(dovetail))


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'bild'"):
        getattr(dovetail, "bild")  # noqa: B009 - a plain attribute would not type-check


@pytest.mark.parametrize(
    "package",
    [
        "analysis",
        "codegen.spirv",
        "conditions",
        "driver",
        "frontend",
        "image",
        "passes",
        "postlink",
    ],
)
def test_packages_have_the_names_that_they_load_on_first_use(package: str) -> None:
    """What they say for type checkers and what their tables say are written apart."""
    loaded = import_module(f"dovetail.{package}")
    assert all(getattr(loaded, name) is not None for name in loaded.__all__)
