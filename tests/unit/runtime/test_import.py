"""What importing the runtime costs, and what it must not touch."""

import subprocess
import sys

import pytest

import dovetail.runtime


def _run(script: str) -> str:
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_importing_loads_neither_numpy_nor_a_driver() -> None:
    script = (
        "import os, sys\n"
        "before = dict(os.environ)\n"
        "import dovetail.runtime\n"
        "from dovetail.runtime import NdRange, Device, devices\n"
        "assert dict(os.environ) == before\n"
        "print([m for m in ('numpy', 'pyopencl', 'dovetail._native') if m in sys.modules])\n"
    )
    assert _run(script) == "[]"


def test_queues_and_programs_load_no_driver() -> None:
    script = (
        "import sys\n"
        "from dovetail.runtime import Queue, Program, Kernel, UsmArray, Event, load\n"
        "print('pyopencl' in sys.modules)\n"
    )
    assert _run(script) == "False"


def test_plain_programs_load_nothing_of_conditions() -> None:
    script = (
        "import sys\n"
        f"sys.path += {sys.path!r}\n"
        "from mock_programs import Image, device, program\n"
        "kernel = program(Image(('k',), imports=('f',)), Image(exports=('f',)))['k']\n"
        "kernel._code_for(device())\n"
        "print([m for m in ('image.kernel_reqs', 'image.special_constants',"
        " 'image.conditional_calls', 'conditions.words', 'spirv')"
        " if 'dovetail.' + m in sys.modules])\n"
    )
    assert _run(script) == "[]"


@pytest.mark.parametrize("name", dir(dovetail.runtime))
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(dovetail.runtime, name).__name__ == name


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Buffer'"):
        _ = getattr(dovetail.runtime, "Buffer")  # noqa: B009
