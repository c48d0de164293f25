"""Build the kernels of first.cpp, run each on the default device, and show what came out."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import dovetail


def run_saxpy(queue: dovetail.Queue, kernel: dovetail.Kernel) -> bool:
    """Check y = a * x + y over a million numbers."""
    x = np.arange(1 << 20, dtype=np.float32)
    y = np.ones_like(x)
    queue.parallel_for(kernel, dovetail.NdRange((x.size,), (256,)), 2.0, x, y).wait()
    return bool(np.array_equal(y, 2 * x + 1))


def run_transpose(queue: dovetail.Queue, kernel: dovetail.Kernel) -> bool:
    """Check a matrix, turned over in tiles of 16 by 16."""
    matrix = np.random.default_rng(0).random((512, 256), dtype=np.float32)
    turned = np.empty((256, 512), np.float32)
    queue.parallel_for(kernel, dovetail.NdRange(matrix.shape, (16, 16)), matrix, turned).wait()
    return bool(np.array_equal(turned, matrix.T))


def run_total(queue: dovetail.Queue, kernel: dovetail.Kernel) -> bool:
    """Check the sum of the numbers below a thousand."""
    values = np.arange(1000, dtype=np.float32)
    result = np.zeros(1, np.float32)
    queue.single_task(kernel, values, values.size, result).wait()
    return bool(result[0] == 499500)


CHECKS: dict[str, Callable[[dovetail.Queue, dovetail.Kernel], bool]] = {
    "saxpy": run_saxpy,
    "transpose": run_transpose,
    "total": run_total,
}


def main() -> int:
    """Run the demo; the exit status says whether every result was right."""
    console = Console()
    with console.status("building examples/first.cpp"):
        start = time.perf_counter()
        program = dovetail.build(Path(__file__).with_name("first.cpp"))
        seconds = time.perf_counter() - start
    console.print(f"built {len(program.kernels)} kernels in {seconds:.2f} s")

    queue = dovetail.Queue()
    table = Table("kernel", "device", "result", "first run")
    all_right = True
    for kernel in program.kernels:
        start = time.perf_counter()
        right = CHECKS[kernel.name](queue, kernel)
        milliseconds = 1000 * (time.perf_counter() - start)
        all_right &= right
        table.add_row(
            kernel.signature,
            queue.device.name,
            "right" if right else "WRONG",
            f"{milliseconds:.1f} ms",
        )
    console.print(table)
    return 0 if all_right else 1


if __name__ == "__main__":
    raise SystemExit(main())
