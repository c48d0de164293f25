"""Compiling a text for the device, up to and with the plugin's facts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.artifacts import DeviceModule
from dovetail.frontend import Flags, Source, compile_command, load_device_module, run_clang
from dovetail.ir import Context

Compile = Callable[..., DeviceModule]

# A kernel mark without our headers, so that a test is about the plugin alone.
MARK = '[[__sycl_detail__::__add_ir_attributes_function__("sycl-nd-range-kernel", 1)]]'


@pytest.fixture
def compile_text(tmp_path: Path) -> Compile:
    """A function that compiles a text and fails on any warning."""

    def compile_it(text: str, standard: str = "c++17") -> DeviceModule:
        source = Source.from_text(text.replace("KERNEL", MARK))
        bitcode, facts = tmp_path / "k.bc", tmp_path / "k.json"
        flags = Flags(standard=standard, warnings=("-Wall", "-Wno-unused-function"))
        command = compile_command(source, flags, header=None, bitcode=bitcode, facts=facts)
        assert run_clang(command, source.text.encode()) == ""
        return load_device_module(Context(), source.path, bitcode, facts)

    return compile_it
