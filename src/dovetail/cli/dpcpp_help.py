"""The output of `dovetail c++ -fsycl-help`: DPC++'s options, and the compilers of targets."""

from collections.abc import Iterator

from dovetail.cli.arguments import help_rows
from dovetail.driver.dpcpp_options import DPCPP_OPTIONS, DpcppOption, Treatment

_COMPILERS = (
    ("intel_gpu_…, spir64_gen", "ocloc, whose options 'ocloc compile --help' lists"),
    (
        "x86_64, intel_cpu_…",
        "Intel's OpenCL CPU runtime: -march=sse42|avx|avx2|avx512, --bo=OPTION for its OpenCL"
        " compiler",
    ),
    ("nvidia_gpu_sm_…", "ptxas, whose options 'ptxas --help' lists"),
    ("amd_gpu_gfx…", "LLVM's back-end, without options"),
    ("spir64", "the device's driver, when the program runs, without options"),
)


def help_text() -> str:
    """Return the text."""
    parts = [
        "Options of DPC++ (clang++ -fsycl, icpx -fsycl) that 'dovetail c++ --help' does not list.",
        *(f"{treatment.value}:\n{_rows(treatment)}" for treatment in Treatment),
        "compilers that -Xs and -Xsycl-target-backend pass options to, by target:\n"
        + help_rows(_COMPILERS),
    ]
    return "\n\n".join(parts)


def _rows(treatment: Treatment) -> str:
    rows = [row for row in DPCPP_OPTIONS if row.treatment is treatment]
    return help_rows(each for row in rows for each in _lines(row))


def _lines(row: DpcppOption) -> Iterator[tuple[str, str]]:
    """Yield each option, the last one with the note."""
    *others, last = row.usage.split(", ")
    for usage in others:
        yield usage, ""
    hint = f"; {row.hint}" if row.hint else ""
    note = row.note if row.treatment is not Treatment.REPLACED else _words(row.note, last)
    yield last, note + hint


def _words(replacement: str, usage: str) -> str:
    value = usage.replace(" ", "=").rpartition("=")[2]
    return replacement.replace("{}", value)
