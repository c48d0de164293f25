"""Every example program runs from start to end and says what it should."""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from signal import SIGABRT

import pytest
from designs import Design
from patience import PATIENCE
from variants import variant

pytestmark = pytest.mark.device

PROGRAMS = Path(__file__).parents[3] / "examples" / "programs"


@dataclass(frozen=True)
class Run:
    """One run of a program, and what has to come of it."""

    program: str
    stdout: str
    arguments: tuple[str, ...] = ()
    stdin: str = ""
    status: int = 0
    stderr: str = ""
    """A pattern for all of it."""

    def __str__(self) -> str:
        return "-".join((self.program, *self.arguments))


MANDELBROT = """\
...................+............
..................++++..........
..............+#+++++#++++......
.......+....++###########+......
.......++###+#############......
########################++......
.......++###+#############......
.......+....++###########+......
..............+#+++++#++++......
..................++++..........
...................+............
"""

PRINTF_TRACE = """\
host   step 0: [ 0, 31], at 15 is  225
host   step 1: [16, 31], at 23 is  529
host   step 2: [16, 22], at 19 is  361
host   step 3: [20, 22], at 21 is  441
host   step 4: [20, 20], at 20 is  400
device step 0: [ 0, 31], at 15 is  225
device step 1: [16, 31], at 23 is  529
device step 2: [16, 22], at 19 is  361
device step 3: [20, 22], at 21 is  441
device step 4: [20, 20], at 20 is  400
printf trace: ok
"""

PRINTF_GROUPS = """\
group 0 of 4: sum   124.00, mean 3.875000e+00, even
group 1 of 4: sum   380.00, mean 1.187500e+01, odd
group 2 of 4: sum   636.00, mean 1.987500e+01, even
group 3 of 4: sum   892.00, mean 2.787500e+01, odd
printf groups: 0 errors
"""

STREAM_TABLE = """\
step |     guess |   change | bit
   0 |  3.000000 | -1.2e+00 | 0x1
   1 |  1.833333 | -3.7e-01 | 0x2
   2 |  1.462121 | -4.7e-02 | 0x4
   3 |  1.414998 | -7.8e-04 | 0x8
   4 |  1.414214 | -2.4e-07 |0x10
   5 |  1.414214 |  0.0e+00 |0x20
stream table: ok
"""

STREAM_DEBUGGING = """\
at {70}: expected 140, got -1
in group(id: {1}, global_range: {256}, local_range: {64}, group_range: {4}): 1 wrong
stream debugging: ok
"""

RUNS = [
    Run("access_modes", "access modes: ok\n"),
    Run("arguments", "sum 42\n", arguments=("40", "-1", "3")),
    Run("arguments", "", status=2, stderr="usage: arguments NUMBER...\n"),
    Run("async_handler", "asynchronous handler: ok, 0 calls\n"),
    Run("atomic_64_bits", "64-bit atomics: ok\n"),
    Run("atomic_float", "sum 130944.00, from 0.00 to 255.75\n"),
    Run("atomic_sum", "sum 500500, largest 1000\n"),
    Run("bilateral_filter", "bilateral filter: 0 errors\n"),
    Run("black_scholes", "492 options, 0 errors\n"),
    Run("buffer_sources", "6 10 30 18 20 5 42 7\n"),
    Run("chain_of_buffers", "chain of buffers: 0 errors\n"),
    Run("ballots", "1751 of 4096 numbers kept: right\n"),
    Run("bfloat16_dot_product", "bfloat16 dot product: within the bound\n"),
    Run("cholesky", "Cholesky's decomposition: 0 errors\n"),
    Run("colour_conversion", "colours: 0 errors\n"),
    Run("edit_distance", "edit distances of 16 words: ok\n"),
    Run("host_results", "results: right\n"),
    Run("marray_polynomial", "polynomial: 0 errors\n"),
    Run("quaternion_rotation", "quaternions: ok\n"),
    Run("triangles", "triangles: 0 errors\n"),
    Run("common_subsequence", "common subsequence of 49 letters: ok\n"),
    Run("conjugate_gradient", "conjugate gradients: 0 errors\n"),
    Run("coo_to_csr", "sparse matrix of 3000 elements: ok\n"),
    Run("crc_of_blocks", "CRC-32 of 12288 bytes is EE0FF5B1: ok\n"),
    Run("device_report", "device report: 0 inconsistencies\n"),
    Run("devices", "devices: ok\n"),
    Run("dot_product", "dot product: 44.8 degrees, ok\n"),
    Run("extreme_locations", "least -30000 at (0, 0), greatest 35536 at (76, 69): ok\n"),
    Run(
        "matrix_norms",
        "norms: Frobenius 171.755, maximum 6.250, rows 120.125, columns 192.000: ok\n",
    ),
    Run("mean_and_variance", "mean 1000000004.9949, variance 8.3335: ok\n"),
    Run("monte_carlo", "volume 4.91, error at most 0.06: ok\n"),
    Run("pi_by_integration", "pi 3.1415926544: ok\n"),
    Run("span_histogram", "histogram of 100003 samples, most in bin 0: ok\n"),
    Run("summary_statistics", "summaries: 0 errors\n"),
    Run("fourier_transform", "Fourier transform of 1024 numbers: ok\n"),
    Run("nested_members", "nested members: 0 errors\n"),
    Run("no_init_part", "9 5 1 1 1 1 5 5 \n"),
    Run("bellman_ford", "Bellman-Ford with 491 negative edges: ok\n"),
    Run("bitonic_sort", "bitonic sort: ok\n"),
    Run("breadth_first_search", "breadth-first search: 2206 vertices reached, 0 wrong\n"),
    Run("connected_components", "1005 connected components: ok\n"),
    Run("floyd_warshall", "Floyd-Warshall: 0 of 9216 distances wrong\n"),
    Run("game_of_life", "game of life: ok\n"),
    Run("heat_equation", "heat equation: 50 steps: ok\n"),
    Run("image_histogram", "image histogram: 0 wrong\n"),
    Run("knapsack", "items 13 12 9 8 6 4 3 2 0 weigh 198\n"),
    Run("merge_sort", "merge sort: ok\n"),
    Run("n_body", "n-body: 256 bodies after 5 steps: ok\n"),
    Run("odd_even_sort", "odd-even sort: 4 rounds: ok\n"),
    Run("page_rank", "page rank: most important page 0: ok\n"),
    Run("poisson_3d", "Poisson equation in three dimensions: ok\n"),
    Run("radix_sort", "radix sort of 5000 pairs: ok\n"),
    Run("spanning_forest", "minimum spanning forest of 1926 edges: ok\n"),
    Run("cell_list", "cell list: 38436 close pairs: ok\n"),
    Run("lattice_boltzmann", "lattice Boltzmann: fastest 0.00125: ok\n"),
    Run("ray_spheres", "rays and spheres: 0 errors\n"),
    Run("reaction_diffusion", "reaction and diffusion: ok\n"),
    Run("triangle_counting", "4298 triangles in 3749 edges\n"),
    Run("run_length_encoding", "5000 bytes in 668 runs: ok\n"),
    Run("string_search", "2302 places found: ok\n"),
    Run("tiled_convolution", "tiled convolution: 0 errors\n"),
    Run("transpose_in_place", "transposition in place: 0 errors\n"),
    Run("wave_equation", "wave equation: ok\n"),
    Run("acoustic_wave_3d", "acoustic wave: 30 steps: ok\n"),
    Run("cellular_automata", "cellular automata: ok\n"),
    Run("distance_transform", "distance transform: furthest at 66.57: ok\n"),
    Run("graph_colouring", "graph colouring: 10 colours for up to 40 neighbours: ok\n"),
    Run("molecular_dynamics", "molecular dynamics of 64 atoms: ok\n"),
    Run("multigrid", "multigrid on 7 grids: ok\n"),
    Run("sandpile", "sandpile: 1804 grains fell off the table: ok\n"),
    Run("sub_group_sort", "sub-group sort: ok\n"),
    Run("successive_over_relaxation", "successive over-relaxation: ok\n"),
    Run("events", "events: ok\n"),
    Run(
        "exits_with_three",
        "leaving\nfunction for the end\ndestructor of a static object\n",
        status=3,
    ),
    Run("external_function", "external function: 0 errors\n"),
    Run("function_object", "function objects: 0 errors\n"),
    Run("functions_with_aspects", "functions with aspects: 0 errors\n"),
    Run("gaussian_blur", "Gaussian blur: 0 of 6000 pixels wrong\n"),
    Run("gram_schmidt", "Gram and Schmidt: 0 errors\n"),
    Run("half_precision", "half precision: 0 errors\n"),
    Run("group_copies", "group copies: 0 of 512 sums wrong\n"),
    Run("guarded_host_memory", "guarded host memory: ok\n"),
    Run("hello_items", "hello items: 48 work-items, 0 wrong\n"),
    Run("hierarchical_reduction", "hierarchical reduction: 0 of 16 groups wrong\n"),
    Run("histogram", "e 280, o 372, z 93: ok\n"),
    Run("host_memory_in_place", "host memory in place: ok\n"),
    Run("in_order_queue", "in-order queue: ok\n"),
    Run("invalid_access", "invalid access: ok\n"),
    Run("jacobi_iteration", "Jacobi's iteration: 0 errors\n"),
    Run("k_means", "6 clusters of 4096 points: ok\n"),
    Run("kernel_properties", "work-groups of 216, 216\nsub-groups of 16, 16\n"),
    Run("kernel_templates", "templates: ok\n"),
    Run(
        "letter_positions",
        "letter positions: z at 48, x at 542: ok\n",
        stderr=r"(?s).*'local' is deprecated: use local_accessor.*",
    ),
    Run("lookup_table", "tables: 0 errors\n"),
    Run("lu_decomposition", "LU decomposition: 0 errors\n"),
    Run("mandelbrot", MANDELBROT),
    Run("math_functions", "mathematics: 0 errors\n"),
    Run("matrix_product", "matrix product: 0 errors\n"),
    Run("matrix_vector", "matrix times vector: 0 errors\n"),
    Run("median_filter", "median filter: 0 errors\n"),
    Run("memory_shortcuts", "memory shortcuts: 0 errors\n"),
    Run("named_kernels", "named kernels: 0 errors\n"),
    Run("nd_range_error", "nd_range errors caught: 2\n"),
    Run("nested_lambdas", "nested lambdas: 0 errors\n"),
    Run("no_device", "no device: ok\n"),
    Run("numerical_integration", "numerical integration: ok\n"),
    Run("object_with_accessors", "objects with accessors: 0 errors\n"),
    Run("option_price", "option price near 12.0: ok\n"),
    Run("polynomial_roots", "320 of 320 roots\n"),
    Run("power_iteration", "greatest eigenvalue -3.00, 0 errors\n"),
    Run("prefix_sum", "prefix sum: ok\n"),
    Run("printf_groups", PRINTF_GROUPS),
    Run("printf_trace", PRINTF_TRACE),
    Run("random_walk", "9701 of 16384 walks reach the goal: ok\n"),
    Run("ranges_2d", "two dimensions: 0 errors\n"),
    Run("ranges_3d", "three dimensions: 0 errors in 192 items\n"),
    Run("required_sub_group_size", "required sub-group sizes: 0 errors\n"),
    Run("restrict_arguments", "restrict arguments: 0 errors\n"),
    Run("returns_three", "", status=3),
    Run("secondary_queue", "secondary queue: 2 attempts, 0 wrong\n"),
    Run("several_queues", "several queues: ok\n"),
    Run("sobel_edges", "Sobel's operator: 0 of 12288 pixels wrong\n"),
    Run(
        "standard_input",
        "EINS\n\nZWEI 3\n",
        stdin="eins\n\nzwei 3",
        stderr="3 lines\n",
    ),
    Run("special_functions", "special functions: 0 errors\n"),
    Run("spherical_coordinates", "spherical coordinates: 0 errors\n"),
    Run("specialized_algorithm", "6 plans of a matrix product: ok\n"),
    Run("specialized_bundle", "polynomials of 7 degrees: ok\n"),
    Run("specialized_convolution", "convolution with specialized coefficients: ok\n"),
    Run("standard_input", "", stderr="0 lines\n"),
    Run("static_objects", "main after 1\ncounted 3\ncounted 3\n"),
    Run("stencil", "stencil: 0 errors\n"),
    Run("stream_compaction", "stream compaction: 2184 of 9216 elements kept, ok\n"),
    Run("stream_debugging", STREAM_DEBUGGING),
    Run("stream_hello", "stream hello: 64 lines, ok\n"),
    Run("stream_table", STREAM_TABLE),
    Run("sub_group_shuffles", "sub-group shuffles: 0 wrong\n"),
    Run("sub_groups", "sub-groups: 0 errors\n"),
    Run("sub_ranges", "sub-ranges: 0 errors\n"),
    Run(
        "tiled_matrix_product",
        "tiled matrix product: 0 elements wrong\n",
        stderr=r"(?s).*'local' is deprecated: use local_accessor.*",
    ),
    Run("threads", "4 threads: 0 errors\n"),
    Run(
        "uncaught_exception",
        "before\n",
        status=-SIGABRT,
        stderr=r"(?s)terminate called after throwing an instance of 'sycl::.*exception'.*",
    ),
    Run("unnamed_kernels", "value 325\n"),
    Run("usm_host", "host memory: ok\n"),
    Run("vector_add_buffers", "vector addition with buffers: ok\n"),
    Run("vector_add_usm_device", "vector addition in device memory: ok\n"),
    Run("vector_add_usm_shared", "vector addition in shared memory: ok\n"),
    Run("vectors", "vectors: 0 errors\n"),
    Run("work_group_attributes", "work-group attributes: 0 errors\n"),
    Run("write_back", "write-back: ok\n"),
    Run("zero_size", "nothing: ok\n"),
]


NOT_FOR_EVERY_DEVICE = {
    "atomic_64_bits",
    "half_precision",
    "kernel_properties",
    "reaction_diffusion",
    "vector_add_usm_shared",
}
"""Those with kernels that require something; the others are the same in both designs."""


SAMPLE = {
    run
    for number, run in enumerate(RUNS)
    if number % 8 == 0 or run.arguments or run.stdin or run.status or run.stderr
}
"""Those that `make test` runs: every eighth, and all that are not only about their results."""


@pytest.mark.parametrize(
    "run",
    [variant(r, is_sample=r in SAMPLE) for r in RUNS],
    ids=str,
)
def test_program(run: Run) -> None:
    check(run)


@pytest.mark.thorough
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O3"])
@pytest.mark.parametrize("run", RUNS, ids=str)
def test_program_at_other_levels(run: Run, level: str) -> None:
    check(run, level)


@pytest.mark.parametrize("run", [r for r in RUNS if r.program in NOT_FOR_EVERY_DEVICE], ids=str)
def test_program_in_one_image(run: Run) -> None:
    check(run, Design("conditional").option)


def check(run: Run, *words: str) -> None:
    dovetail = Path(sys.executable).with_name("dovetail")
    command = [dovetail, "run", *words, PROGRAMS / f"{run.program}.cpp", "--", *run.arguments]
    finished = subprocess.run(
        command, input=run.stdin, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    everything = f"{finished.stdout}{finished.stderr}"
    assert finished.returncode == run.status, everything
    assert finished.stdout == run.stdout, everything
    assert re.fullmatch(run.stderr, finished.stderr), everything


def test_no_program_is_left_out() -> None:
    assert {run.program for run in RUNS} == {path.stem for path in PROGRAMS.glob("*.cpp")}
