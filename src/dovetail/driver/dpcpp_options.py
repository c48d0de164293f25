"""The options of DPC++ (`clang++ -fsycl`, `icpx -fsycl`) that neither Dovetail nor clang has.

Makefiles that were written for DPC++ pass them. Each row of the table says how
Dovetail handles an option; `-fsycl-help` prints the table.
"""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from dovetail.driver.options import Form, Option


class Treatment(Enum):
    """How an option is handled."""

    ACCEPTED = "accepted: already the behavior, or without effect"
    REPLACED = "replaced by options of Dovetail or clang"
    UNUSED = "ignored with a warning: not supported, but programs work without it"
    REFUSED = "errors"


class DpcppOption(NamedTuple):
    """A row of the table: options that are treated alike."""

    usage: str
    """The options, as help texts show them. `[no-]` means both forms, `-name*` all options that
    begin with `-name`, and words in capitals are values."""
    treatment: Treatment
    note: str
    """The reason; for `REPLACED` the other options, where `{}` is the value."""
    hint: str = ""
    """For `REFUSED`: what to do."""

    def options(self) -> Iterator[Option]:
        """Yield the options of the row."""
        for usage in self.usage.split(", "):
            for prefix in ("", "no-") if "[no-]" in usage else ("",):
                yield _option(usage.replace("[no-]", prefix), self.note)

    def replacement(self, value: str) -> list[str]:
        """Return the words that replace an option with this value."""
        return [word.replace("{}", value) for word in self.note.split(" ")]


_A, _R, _U, _X = Treatment.ACCEPTED, Treatment.REPLACED, Treatment.UNUSED, Treatment.REFUSED

DPCPP_OPTIONS = (
    # The language.
    DpcppOption("-f[no-]sycl-unnamed-lambda", _A, "kernels may always be unnamed"),
    DpcppOption("-sycl-std=2020, -sycl-std=202001", _A, "the only standard"),
    DpcppOption("-sycl-std=YEAR", _X, "only SYCL 2020 is supported", "write -sycl-std=2020"),
    DpcppOption(
        "-f[no-]sycl-explicit-simd, -f[no-]sycl-esimd-force-stateless-mem,"
        " -fno-sycl-esimd-build-host-code, -f[no-]sycl-device-code-split-esimd",
        _A,
        "there are no explicit SIMD kernels",
    ),
    DpcppOption(
        "-f[no-]sycl-id-queries-fit-in-int, -fsycl-id-queries-range=KIND",
        _A,
        "ids have 64 bits; no range is assumed",
    ),
    DpcppOption("-fsycl-allow-func-ptr", _U, "calls through pointers are errors in device code"),
    DpcppOption(
        "-fsycl-default-sub-group-size=automatic", _A, "the device chooses the sub-group size"
    ),
    DpcppOption(
        "-fsycl-default-sub-group-size=SIZE, -fsycl-default-sub-group-size SIZE",
        _X,
        "there is no default size of sub-groups",
        "give the kernels the attribute [[sycl::reqd_sub_group_size(SIZE)]] or the property"
        " sub_group_size<SIZE>",
    ),
    DpcppOption("-fpreview-breaking-changes", _R, "-D__INTEL_PREVIEW_BREAKING_CHANGES"),
    DpcppOption(
        "-fsycl-cuda-compatibility",
        _X,
        "device code in CUDA is not supported",
        "compile CUDA sources separately, or port them to SYCL",
    ),
    DpcppOption("-fno-sycl-cuda-compatibility", _A, "device code is SYCL"),
    # Optimization of device code.
    DpcppOption(
        "-f[no-]sycl-early-optimizations, -f[no-]sycl-dead-args-optimization,"
        " -f[no-]sycl-decompose-functor, -f[no-]sycl-force-inline-kernel-lambda,"
        " -fsycl-optimize-non-user-code",
        _A,
        "kernels behave the same; -O determines how they are optimized",
    ),
    DpcppOption(
        "-fsycl-range-rounding=MODE, -fsycl-disable-range-rounding, -fsycl-exp-range-rounding",
        _A,
        "the runtime chooses the work-groups of a range, without rounding it",
    ),
    DpcppOption(
        "-f[no-]offload-fp32-prec-div, -f[no-]offload-fp32-prec-sqrt, -f[no-]sycl-fp32-prec-sqrt",
        _A,
        "correctly rounded on NVIDIA's and AMD's GPUs; SPIR-V is as precise as its driver",
    ),
    DpcppOption("-ffp-accuracy=LEVEL", _U, "functions have the accuracy that SYCL requires"),
    DpcppOption("-fgpu-inline-threshold=COUNT", _U, "LLVM's default threshold applies"),
    DpcppOption("-ftarget-compile-fast", _U, "compilers of devices have no such mode"),
    DpcppOption(
        "-ftarget-register-alloc-mode=LIST", _U, "the device's compiler chooses the registers"
    ),
    DpcppOption("-f[no-]target-export-symbols", _U, "native code is linked by Dovetail only"),
    DpcppOption("-fsycl-fp64-conv-emu", _U, "double precision is not emulated"),
    # Device code in objects and programs.
    DpcppOption("-fsycl-device-code-split", _R, "-fsycl-device-code-split=auto"),
    DpcppOption(
        "-fsycl-device-image-split, -fsycl-device-image-split=translation_unit",
        _R,
        "-fsycl-device-code-split=per_source",
    ),
    DpcppOption("-fsycl-device-image-split=kernel", _R, "-fsycl-device-code-split=per_kernel"),
    DpcppOption("-fsycl-device-image-split=link_unit", _R, "-fsycl-device-code-split=off"),
    DpcppOption("-fgpu-rdc", _R, "-fsycl-rdc"),
    DpcppOption("-fno-gpu-rdc", _R, "-fno-sycl-rdc"),
    DpcppOption("-fsycl-use-bitcode, -fsycl-device-obj=llvmir", _A, "objects contain bitcode"),
    DpcppOption(
        "-fno-sycl-use-bitcode, -fsycl-device-obj=KIND",
        _U,
        "objects contain bitcode; -save-temps also keeps SPIR-V",
    ),
    DpcppOption(
        "-f[no-]sycl-device-lib=LIST, -f[no-]sycl-device-lib-jit-link, -fsycl-libspirv-path=FILE,"
        " -fno-sycl-libspirv, -nolibsycl, -lsycl",
        _A,
        "there are no such libraries: device functions come with Dovetail",
    ),
    DpcppOption(
        "-f[no-]sycl-link-huge-device-code, -f[no-]link-huge-device-code,"
        " -f[no-]sycl-remove-unused-external-funcs, -f[no-]sycl-allow-device-dependencies,"
        " -f[no-]sycl-allow-device-image-dependencies, -f[no-]sycl-add-default-spec-consts-image,"
        " -fsycl-preserve-device-nonsemantic-metadata, -fsycl-use-spirv-backend-for-spirv-gen,"
        " -fno-sycl-use-header, -fno-sycl-use-footer, -fsycl-footer-path=FILE,"
        " -fno-sycl-link-spirv, --[no-]offload-new-driver",
        _A,
        "programs are linked by Dovetail",
    ),
    DpcppOption(
        "--offload-compress, --offload-compression-level=LEVEL",
        _U,
        "device code is not compressed",
    ),
    DpcppOption("--no-offload-compress", _A, "device code is not compressed"),
    DpcppOption("-fsycl-embed-ir", _U, "kernels are not fused at run time"),
    DpcppOption("-fsycl-instrument-device-code", _U, "kernels are never instrumented"),
    DpcppOption("-fno-sycl-instrument-device-code", _A, "kernels are never instrumented"),
    DpcppOption("-f[no-]sycl-rtc-mode", _U, "applies only to kernels compiled at run time"),
    DpcppOption("-fsycl-force-target=TARGET", _U, "objects record what their code is for"),
    DpcppOption("-fsycl-max-parallel-link-jobs=COUNT", _R, "-j{}"),
    DpcppOption("-fsycl-dump-device-code=DIR, -save-offload-code=DIR", _R, "-save-temps={}"),
    DpcppOption("-fsyclbin=executable", _R, "-fsyclbin"),
    DpcppOption(
        "-fsyclbin=STATE",
        _X,
        "only SYCLBIN files of executable state are written",
        "write -fsyclbin, or link objects",
    ),
    DpcppOption(
        "-fsycl-link, -fsycl-link=KIND",
        _X,
        "there is no separate link of device code",
        "link the program with -fsycl, or link objects into one with -r",
    ),
    DpcppOption(
        "-fsycl-link-targets=LIST, -fsycl-add-targets=LIST",
        _X,
        "device code is not linked separately",
        "link the program with -fsycl -fsycl-targets=LIST; -save-temps keeps its device code",
    ),
    DpcppOption("-foffload-static-lib=FILE", _R, "{}"),
    DpcppOption(
        "-foffload-whole-static-lib=FILE", _R, "-Wl,--whole-archive {} -Wl,--no-whole-archive"
    ),
    # Compilers and their paths.
    DpcppOption("--offload-targets=LIST", _R, "-fsycl-targets={}"),
    DpcppOption("-fsycl-host-compiler=clang++", _A, "clang compiles host code"),
    DpcppOption("-fsycl-host-compiler=PROGRAM", _U, "clang compiles host code"),
    DpcppOption(
        "-Xsycl-target-linker ARGS, -Xsycl-target-linker=TARGET ARGS",
        _U,
        "device code is linked by Dovetail",
    ),
    DpcppOption(
        "-Xspirv-translator ARGS, -Xspirv-translator=TARGET ARGS",
        _U,
        "LLVM's back-end writes the SPIR-V",
    ),
    DpcppOption("--ocloc-path=DIR", _U, "ocloc is looked up in PATH"),
    DpcppOption(
        "--cuda-path=DIR, --rocm-path=DIR, --hip-path=DIR, -nogpulib, -nocudalib",
        _A,
        "GPU code is built without these toolkits, except ptxas, which is looked up in PATH",
    ),
    DpcppOption(
        "-fintelfpga, -reuse-exe=FILE",
        _X,
        "there is no compiler for FPGAs",
        "remove it; without it the program runs on CPUs and GPUs",
    ),
    # Options of icpx.
    DpcppOption("-qopenmp, -fiopenmp", _R, "-fopenmp"),
    DpcppOption("-qopenmp-simd, -fiopenmp-simd", _R, "-fopenmp-simd"),
    DpcppOption("-qno-openmp", _R, "-fno-openmp"),
    DpcppOption(
        "-fopenmp-targets=LIST",
        _X,
        "OpenMP on devices cannot be combined with -fsycl",
        "compile such sources without -fsycl",
    ),
    DpcppOption("-qtbb", _R, "-ltbb"),
    DpcppOption(
        "-qmkl*",
        _X,
        "oneMKL's SYCL interface is built for DPC++'s runtime",
        "to use only its C interface, write -lmkl_rt",
    ),
    DpcppOption(
        "-qipp*, -qdaal*, -qactypes",
        _X,
        "that library of oneAPI does not come with Dovetail",
        "name its headers and libraries with -I, -L and -l",
    ),
    DpcppOption("-fp-model MODEL", _R, "-fp-model={}"),
    DpcppOption("-fp-model=fast, -fp-model=fast=1", _R, "-ffp-model=fast"),
    DpcppOption("-fp-model=fast=2", _R, "-ffp-model=aggressive"),
    DpcppOption(
        "-fp-model=precise, -fp-model=consistent, -fp-model=source", _R, "-ffp-model=precise"
    ),
    DpcppOption("-fp-model=strict", _R, "-ffp-model=strict"),
    DpcppOption("-xHost", _R, "-march=native"),
    DpcppOption("-xSSE4.2", _R, "-march=nehalem"),
    DpcppOption("-xAVX", _R, "-march=sandybridge"),
    DpcppOption("-xCORE-AVX2", _R, "-march=haswell"),
    DpcppOption("-xCORE-AVX512, -xCOMMON-AVX512", _R, "-march=skylake-avx512"),
    DpcppOption("-fast", _R, "-O3 -ffast-math -march=native"),
    DpcppOption("-ipo*", _U, "host code is not optimized at link time"),
    DpcppOption("-no-ipo", _A, "host code is not optimized at link time"),
    DpcppOption("-ax*, -qopt-*, -fimf-*", _U, "clang has no such optimization"),
    DpcppOption("-diag-*", _A, "clang's diagnostics have no numbers"),
    DpcppOption(
        "-static-intel, -shared-intel, -no-intel-lib*", _A, "no Intel libraries are linked"
    ),
)


def _option(usage: str, note: str) -> Option:
    """Return the option that a usage describes."""
    word, _, value = usage.partition(" ")
    name, equals, joined = word.partition("=")
    if word.endswith("*"):
        return Option(word.rstrip("*"), Form.JOINED, note)
    # A placeholder is in capitals: `-fp-model=MODEL` takes any value, `-fp-model=fast` is one word.
    if not joined.isupper():
        return Option(word, Form.SEPARATE if value else Form.FLAG, note, value)
    form = Form.JOINED_AND_SEPARATE if value else Form.JOINED
    return Option(name + equals, form, note, f"{joined} {value}".strip())


BY_SPELLING = {option.spelling: row for row in DPCPP_OPTIONS for option in row.options()}
OPTIONS_OF_DPCPP = (*(option for row in DPCPP_OPTIONS for option in row.options()),)
