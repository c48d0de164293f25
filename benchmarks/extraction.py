"""Extracting every kernel of a module into a module of its own must grow with the module alone."""

from itertools import pairwise

from benchmarks.figure import Figure, fastest
from dovetail.ir import Context, Module

SMALL, LARGE = 250, 1000


def measure() -> list[Figure]:
    """Four times the kernels may take little more than four times as long."""
    small, large = (Module.parse(Context(), _text(n), str(n)) for n in (SMALL, LARGE))
    few, many = fastest([lambda: _extract(small, SMALL), lambda: _extract(large, LARGE)], rounds=5)
    growth = many / few / (LARGE / SMALL)
    measured = f"{LARGE}: {1000 * many:.0f} ms, {SMALL}: {1000 * few:.0f} ms"
    return [Figure("extracting kernels one by one : linear growth", growth, measured, 1.3)]


def _extract(module: Module, kernels: int) -> None:
    for number in range(kernels):
        module.extract([f"kernel{number}"], [])


def _text(kernels: int) -> bytes:
    """Each kernel calls 19 functions of its own in a chain, and one that all share."""
    lines = ["define i32 @shared(i32 %x) {\n  ret i32 %x\n}"]
    for kernel in range(kernels):
        names = [f"@f{kernel}_{number}" for number in range(19)] + ["@shared"]
        lines += [
            f"define i32 {name}(i32 %x) {{\n  %y = call i32 {callee}(i32 %x)\n"
            f"  %z = add i32 %y, {kernel}\n  ret i32 %z\n}}"
            for name, callee in pairwise(names)
        ]
        lines.append(
            f"define spir_kernel void @kernel{kernel}(ptr addrspace(1) %p) {{\n"
            f"  %y = call i32 {names[0]}(i32 1)\n  store i32 %y, ptr addrspace(1) %p\n"
            "  ret void\n}"
        )
    return "\n".join(lines).encode()
