"""Crashes and fatal errors of LLVM, which the process and other contexts survive."""

import faulthandler
import gc
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dovetail.errors import IRError
from dovetail.ir import Context, Module

Parse = Callable[[str], Module]

# The back-end takes every operand of a decoration for an integer.
CRASHING = """
    target triple = "spirv64-unknown-unknown"
    define spir_kernel void @k(ptr addrspace(1) %p) !spirv.ParameterDecorations !0 { ret void }
    !0 = !{!1}
    !1 = !{!2}
    !2 = !{i32 5635, !"text"}
    """
# Float atomics need an extension; without it the back-end calls report_fatal_error.
FATAL = """
    target triple = "spirv64-unknown-unknown"
    define spir_kernel void @k(ptr addrspace(1) %p) {
      %old = atomicrmw fadd ptr addrspace(1) %p, float 1.0 seq_cst
      ret void
    }
    """
GOOD = 'target triple = "spirv64-unknown-unknown"\ndefine spir_kernel void @k() { ret void }'


# A call that breaks a rule which only the verifier knows.
BROKEN = "define void @f() { call void @g() \n ret void }\ndeclare void @g()"


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        ("trigger-crash-module", "LLVM crashed while running passes"),
        ("verify", "LLVM gave up while running passes: Broken module"),
    ],
)
def test_a_failure_poisons_its_context(
    context: Context, parse: Parse, pipeline: str, message: str
) -> None:
    bystander = parse(GOOD)
    module = parse(BROKEN)
    module.set_calling_convention({"g": "spir_kernel"})
    assert not context.is_poisoned
    with pytest.raises(IRError, match=message):
        module.run_passes(pipeline)
    assert context.is_poisoned
    for use in (module.to_text, bystander.verify, bystander.emit):
        with pytest.raises(IRError, match="failed in this context before"):
            use()
    with pytest.raises(IRError, match="failed in this context before"):
        parse(GOOD)
    del module, bystander
    gc.collect()  # the poisoned objects are left alone rather than destroyed


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (CRASHING, r"LLVM crashed while generating code \(Segmentation fault\)"),
        (FATAL, "LLVM gave up while generating code: .*SPV_EXT_shader_atomic_float_add"),
    ],
)
def test_a_back_end_fails_in_its_own_process(
    context: Context, parse: Parse, source: str, message: str
) -> None:
    survivor, failing = parse(GOOD), parse(source)
    before = survivor.emit()
    for _ in range(2):
        with pytest.raises(IRError, match=message):
            failing.emit()
    assert not context.is_poisoned
    failing.verify()
    assert survivor.emit() == before


def test_other_contexts_continue(parse: Parse) -> None:
    survivor = parse(GOOD)
    before = survivor.emit()
    with pytest.raises(IRError):
        Module.parse(Context(), GOOD.encode(), "bad").run_passes("trigger-crash-module")
    assert survivor.emit() == before


def test_ignored_sigchld() -> None:
    """Emission works if the program ignores SIGCHLD, so that children are reaped automatically."""
    script = f"""
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
from dovetail.ir import Context, Module
assert Module.parse(Context(), {GOOD.encode()!r}, "good").emit()
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_ordinary_error_poisons_nothing(context: Context, parse: Parse) -> None:
    module = parse(GOOD)
    with pytest.raises(IRError):
        module.run_passes("no-such-pass")
    with pytest.raises(IRError):
        parse("garbage")
    assert not context.is_poisoned
    assert module.emit()


def test_threads_fail_independently() -> None:
    def emit(source: str) -> bool:
        module = Module.parse(Context(), source.encode(), "thread")
        try:
            return bool(module.emit())
        except IRError:
            return False

    sources = [CRASHING, GOOD, FATAL, GOOD] * 4
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(emit, sources)) == [source is GOOD for source in sources]


def test_signal_handlers_are_restored() -> None:
    """After a caught crash, another crash must end the process."""
    script = f"""
import os, signal
from dovetail.errors import IRError
from dovetail.ir import Context, Module
try:
    Module.parse(Context(), {GOOD.encode()!r}, "bad").run_passes("trigger-crash-module")
except IRError:
    os.kill(os.getpid(), signal.SIGSEGV)
"""
    source_root = Path(sys.modules["dovetail"].__path__[0]).parent
    result = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": str(source_root)}, check=False
    )
    assert result.returncode == -signal.SIGSEGV


def test_faulthandler_is_not_disturbed(parse: Parse) -> None:
    was_enabled = faulthandler.is_enabled()
    with pytest.raises(IRError):
        parse(GOOD).run_passes("trigger-crash-module")
    assert faulthandler.is_enabled() == was_enabled


def test_lack_of_memory_is_a_memory_error() -> None:
    """By default, LLVM ends the process."""
    script = f"""
import resource
from dovetail.ir import Context, Module
module = Module.parse(Context(), {GOOD.encode()!r}, "good")
# Passes want a stack of a gigabyte.
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    module.run_passes("default<O2>")
except MemoryError:
    print("caught", module.context.is_poisoned)
"""
    source_root = Path(sys.modules["dovetail"].__path__[0]).parent
    result = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(source_root)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert result.stdout == "caught True\n"
