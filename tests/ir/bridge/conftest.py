"""Fixtures for the bridge."""

import shutil
import subprocess
from collections.abc import Callable

import pytest

from dovetail.ir import Context, Module


@pytest.fixture
def context() -> Context:
    return Context()


@pytest.fixture
def parse(context: Context) -> Callable[[str], Module]:
    """Parse textual IR; all modules of a test share a context."""
    return lambda text: Module.parse(context, text.encode(), "test.ll")


@pytest.fixture
def validate_spirv() -> Callable[[bytes], None]:
    """Validate a module for OpenCL with spirv-val."""
    tool = shutil.which("spirv-val")
    if tool is None:
        pytest.skip("spirv-val is not installed")

    def validate(code: bytes) -> None:
        command = [tool, "--target-env", "opencl2.2", "-"]
        result = subprocess.run(command, input=code, capture_output=True, check=False)
        assert result.returncode == 0, result.stdout.decode() + result.stderr.decode()

    return validate
