"""LLVM's pass pipelines."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from dovetail.errors import IRError
from dovetail.ir import Context, Module

Parse = Callable[[str], Module]


def test_a_pipeline_runs(parse: Parse) -> None:
    module = parse("""
        define i32 @f() { %r = call i32 @one() \n ret i32 %r }
        define internal i32 @one() { ret i32 1 }
        """)
    module.run_passes("default<O2>")
    assert [function.name for function in module.functions()] == ["f"]
    assert "ret i32 1" in module.to_text()


GENERIC_ACCESS = """
    define void @f(ptr addrspace(1) %p) {
      %g = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
      store i32 1, ptr addrspace(4) %g
      ret void
    }
    """


def test_passes_know_the_target(parse: Parse) -> None:
    module = parse('target triple = "spirv64-unknown-unknown"\n' + GENERIC_ACCESS)
    module.run_passes("function(infer-address-spaces)")
    assert "store i32 1, ptr addrspace(1) %p" in module.to_text()


def test_an_unknown_target_does_not_prevent_passes(parse: Parse) -> None:
    module = parse('target triple = "spir64-unknown-unknown"\n' + GENERIC_ACCESS)
    module.run_passes("function(infer-address-spaces)")
    assert "store i32 1, ptr addrspace(4) %g" in module.to_text()


@pytest.mark.parametrize("pipeline", ["no-such-pass", "function(", "default<O9>"])
def test_a_bad_pipeline_is_refused(parse: Parse, pipeline: str) -> None:
    module = parse("declare void @f()")
    with pytest.raises(IRError):
        module.run_passes(pipeline)
    module.verify()


def test_threads_run_passes_at_the_same_time() -> None:
    source = 'target triple = "spirv64-unknown-unknown"\n' + GENERIC_ACCESS

    def optimise(index: int) -> str:
        module = Module.parse(Context(), source.encode(), "thread")
        for _ in range(5):
            module.run_passes("default<O2>")
        return module.to_text()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(optimise, range(8)))) == 1


def test_long_chains_do_not_exhaust_the_stack(parse: Parse) -> None:
    """LLVM looks through chains of instructions by calling itself.

    It takes time with the square of the length, so the chain is short and the thread's own stack
    small: passes have one of their own.
    """
    count = 5_000
    operations = ("add", "xor", "mul", "or")
    lines = [f"%v{i + 1} = {operations[i % 4]} i64 %v{i}, 3" for i in range(count)]
    body = "\n".join(lines)
    module = parse(
        f"define i8 @f(i64 %v0) {{\n{body}\n%t = trunc i64 %v{count} to i8\nret i8 %t\n}}"
    )
    usual = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(
            target=module.run_passes, args=["function(instcombine<no-verify-fixpoint>)"]
        )
        thread.start()
    finally:
        threading.stack_size(usual)
    thread.join()
    module.verify()
