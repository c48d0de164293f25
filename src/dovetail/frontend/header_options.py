"""The clang options that precompiled headers and their bodies may be compiled with.

An object file records the options of its precompiled header, so that the bodies can be compiled
again at link time. Object files are untrusted, and clang has options that write files, load code or
read arbitrary files. So this module lists all allowed options with their values; others in an
object file are ignored. A source with other options is compiled without the header, so objects made
by Dovetail contain only allowed options.
"""

import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

_NUMBER = r"\d{1,9}"
_PROCESSOR = r"[a-z0-9][a-z0-9_.-]{0,40}"

# Names that Dovetail's or the standard library's headers may test, with at most one token as value.
RELEVANT_MACRO = r"(?:_|SYCL|DOVETAIL|NDEBUG)"
_MACRO_OPTION = rf"-D{RELEVANT_MACRO}\w*(?:=\w*)?|-U{RELEVANT_MACRO}\w*"

_YEARS = "17|1z|20|2a|23|2b|26|2c"

_SANITIZERS = (
    "address|alignment|bool|bounds|builtin|enum|float-cast-overflow|float-divide-by-zero|function"
    "|implicit-conversion|integer|integer-divide-by-zero|leak|memory|nonnull-attribute|null"
    "|nullability|object-size|pointer-overflow|return|returns-nonnull-attribute|safe-stack|shift"
    "|signed-integer-overflow|thread|undefined|unreachable|unsigned-integer-overflow|vla-bound|vptr"
)

# `-fNAME` and `-fno-NAME`.
_SWITCHES_TEXT = """
    access-control addrsig aligned-allocation aligned-new ansi-escape-codes approx-func
    asm-blocks associative-math assume-sane-operator-new asynchronous-unwind-tables blocks
    borland-extensions builtin caret-diagnostics cf-protection char8_t check-new
    color-diagnostics common complete-member-pointers coroutines cxx-exceptions data-sections
    debug-info-for-profiling debug-macro debug-types-section declspec delayed-template-parsing
    delete-null-pointer-checks diagnostics-absolute-paths diagnostics-color
    diagnostics-fixit-info diagnostics-print-source-range-info diagnostics-show-line-numbers
    diagnostics-show-note-include-stack diagnostics-show-option diagnostics-show-template-tree
    digraphs direct-access-external-data discard-value-names dollars-in-identifiers
    double-square-bracket-attributes elide-constructors elide-type exceptions
    experimental-library fast-math finite-loops finite-math-only fixed-point force-emit-vtables
    freestanding function-sections gnu-inline-asm gnu-keywords gnu89-inline honor-infinities
    honor-nans hosted implicit-constexpr-templates inline inline-functions inline-hint-functions
    jump-tables keep-static-consts lax-vector-conversions limit-debug-info long-long math-errno
    merge-all-constants ms-compatibility ms-extensions new-infallible non-call-exceptions
    omit-frame-pointer openmp openmp-simd operator-names optimize-sibling-calls permissive plt
    preserve-as-comments protect-parens reciprocal-math reg-struct-return
    register-global-dtors-with-atexit relaxed-template-template-args reroll-loops rounding-math
    rtti rtti-data semantic-interposition separate-named-sections short-enums short-wchar
    show-column show-source-location signaling-math signed-char signed-zeros sized-deallocation
    skip-odr-check-in-gmf slp-vectorize spell-checking split-stack stack-clash-protection
    stack-protector stack-protector-all stack-protector-strong stack-size-section
    standalone-debug strict-aliasing strict-enums strict-float-cast-overflow strict-overflow
    strict-return strict-vtable-pointers struct-path-tbaa threadsafe-statics trapping-math trapv
    tree-slp-vectorize tree-vectorize trigraphs unique-basic-block-section-names
    unique-internal-linkage-names unique-section-names unroll-loops unsafe-math-optimizations
    unsigned-char unwind-tables vectorize verbose-asm visibility-global-new-delete-hidden
    visibility-inlines-hidden visibility-inlines-hidden-static-local-var wrapv wrapv-pointer
    zero-initialized-in-bss
"""
_SWITCHES = frozenset(_SWITCHES_TEXT.split())

# `-fNAME=VALUE`.
_VALUES = {
    "aligned-new": _NUMBER,
    "bracket-depth": _NUMBER,
    "cf-protection": "branch|full|none|return",
    "constexpr-backtrace-limit": _NUMBER,
    "constexpr-depth": _NUMBER,
    "constexpr-steps": _NUMBER,
    "denormal-fp-math": "ieee|positive-zero|preserve-sign",
    "diagnostics-color": "always|auto|never",
    "diagnostics-format": "clang|msvc|vi",
    "error-limit": _NUMBER,
    "exec-charset": "UTF-8|utf-8",
    "extend-variable-liveness": "all|none|this",
    "fp-contract": "fast|fast-honor-pragmas|off|on",
    "fp-eval-method": "double|extended|source",
    "fp-model": "aggressive|fast|precise|strict",
    "input-charset": "UTF-8|utf-8",
    "lax-vector-conversions": "all|integer|none",
    "macro-backtrace-limit": _NUMBER,
    "max-type-align": _NUMBER,
    "message-length": _NUMBER,
    "new-alignment": _NUMBER,
    "openmp": "libgomp|libiomp5|libomp",
    "sanitize": rf"(?:{_SANITIZERS})(?:,(?:{_SANITIZERS}))*",
    "sanitize-recover": rf"(?:all|{_SANITIZERS})(?:,(?:{_SANITIZERS}))*",
    "sanitize-trap": rf"(?:all|{_SANITIZERS})(?:,(?:{_SANITIZERS}))*",
    "spell-checking-limit": _NUMBER,
    "strict-flex-arrays": "[0-3]",
    "tabstop": _NUMBER,
    "template-backtrace-limit": _NUMBER,
    "template-depth": _NUMBER,
    "tls-model": "global-dynamic|initial-exec|local-dynamic|local-exec",
    "trivial-auto-var-init": "pattern|uninitialized|zero",
    "veclib": "AMDLIBM|libmvec|none|SVML",
    "visibility": "default|hidden|internal|protected",
    "zero-call-used-regs": "all|all-arg|all-gpr|all-gpr-arg|skip|used|used-arg|used-gpr"
    "|used-gpr-arg",
}

# `-mNAME` and `-mno-NAME`: instruction sets and code generation for x86-64.
_PROCESSOR_SWITCHES_TEXT = """
    3dnow adx aes amx-bf16 amx-complex amx-fp16 amx-int8 amx-tile apxf avx avx10.1 avx10.2 avx2
    avx512bf16 avx512bitalg avx512bw avx512cd avx512dq avx512f avx512fp16 avx512ifma avx512vbmi
    avx512vbmi2 avx512vl avx512vnni avx512vp2intersect avx512vpopcntdq avxifma avxneconvert
    avxvnni avxvnniint16 avxvnniint8 bmi bmi2 branches-within-32B-boundaries cldemote clflushopt
    clwb clzero cmpccxadd crc32 cx16 enqcmd f16c fma fma4 fsgsbase fxsr general-regs-only gfni
    invpcid kl lvi-cfi lvi-hardening lwp lzcnt mmx movbe movdir64b movdiri mwaitx
    omit-leaf-frame-pointer pclmul pconfig pku popcnt prefetchi prfchw ptwrite raoint rdpid
    rdpru rdrnd rdseed red-zone relax-all retpoline retpoline-external-thunk rtm sahf serialize
    sgx sha sha512 shstk sm3 sm4 sse sse2 sse3 sse4 sse4.1 sse4.2 sse4a ssse3 stackrealign
    stack-arg-probe tbm tls-direct-seg-refs tsxldtrk uintr usermsr vaes vpclmulqdq vzeroupper
    waitpkg wbnoinvd widekl x87 xop xsave xsavec xsaveopt xsaves
"""
_PROCESSOR_SWITCHES = frozenset(_PROCESSOR_SWITCHES_TEXT.split())

_OTHER_SWITCHES_TEXT = """
    -O0 -O1 -O2 -O3 -Os -Oz -g -g0 -g1 -g2 -g3 -ggdb -ggdb0 -ggdb1 -ggdb2 -ggdb3 -glldb -gdwarf
    -gdwarf-2 -gdwarf-3 -gdwarf-4 -gdwarf-5 -gdwarf32 -gdwarf64 -gmlt -gline-tables-only
    -gline-directives-only -gz -gcolumn-info -gno-column-info -ginline-line-tables
    -gno-inline-line-tables -gpubnames -gno-pubnames -ggnu-pubnames -gno-gnu-pubnames
    -gsimple-template-names -gno-simple-template-names -gstrict-dwarf -gno-strict-dwarf -m64
    -pthread -pedantic -pedantic-errors -fno-lto -Wno-deprecated
"""
_OTHER_SWITCHES = frozenset(_OTHER_SWITCHES_TEXT.split())

_OTHER_VALUES = {
    "-std": rf"(?:c|gnu)\+\+(?:{_YEARS})",
    "-stdlib": r"libc\+\+|libstdc\+\+",
    "-gz": "none|zlib|zstd",
    "-fno-sanitize": f"all|{_SANITIZERS}",
    "-fno-sanitize-recover": f"all|{_SANITIZERS}",
    "-fno-sanitize-trap": f"all|{_SANITIZERS}",
    "-march": _PROCESSOR,
    "-mtune": _PROCESSOR,
    "-mcmodel": "kernel|large|medium|small",
    "-mfpmath": "387|sse",
    "-mlarge-data-threshold": _NUMBER,
    "-mprefer-vector-width": rf"none|{_NUMBER}",
    "-mstack-alignment": _NUMBER,
}

_DIRECTORY_OPTIONS = ("--gcc-toolchain=", "--gcc-install-dir=")

_WORLD_WRITABLE = stat.S_IWOTH


def are_allowed(options: Sequence[str]) -> bool:
    """Return whether all options are allowed; any directory is."""
    return all(_is_allowed(option) or _directory(option) is not None for option in options)


def with_absolute_directories(options: Iterable[str]) -> Iterator[str]:
    """Yield the options with directories as absolute paths."""
    for option in options:
        directory = _directory(option)
        if directory:
            option = option.removesuffix(directory) + os.fspath(Path(directory).absolute())
        yield option


def filter_options(options: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the allowed options of an object, and the others.

    A directory with a standard library is allowed if only this user or root can write to it,
    because headers can read any file into the program. A missing directory is dropped silently.
    """
    kept: list[str] = []
    dropped: list[str] = []
    for option in options:
        directory = _directory(option)
        if _is_allowed(option) or directory == "" or (directory and _is_trusted(Path(directory))):
            kept.append(option)
        elif directory is None or not directory.startswith("/") or Path(directory).exists():
            dropped.append(option)
    return tuple(kept), tuple(dropped)


def _is_allowed(option: str) -> bool:
    """Return whether an object may request that headers are compiled with an option."""
    if option.startswith(("-D", "-U")):
        return bool(re.fullmatch(_MACRO_OPTION, option, re.ASCII))
    name, equals, value = option.partition("=")
    if equals:
        listed = _VALUES.get(name[2:]) if name.startswith("-f") else None
        values = listed or _OTHER_VALUES.get(name)
        return values is not None and bool(re.fullmatch(values, value, re.ASCII))
    switches = {"-f": _SWITCHES, "-m": _PROCESSOR_SWITCHES}.get(option[:2], frozenset[str]())
    return option in _OTHER_SWITCHES or option[2:].removeprefix("no-") in switches


def _directory(option: str) -> str | None:
    """Return the directory in which an option has clang look for the standard library."""
    name = next((name for name in _DIRECTORY_OPTIONS if option.startswith(name)), None)
    return None if name is None else option[len(name) :]


def _is_trusted(directory: Path) -> bool:
    """Return whether a directory belongs to the user or root, and not everyone can write to it."""
    try:
        status = directory.stat()
    except (OSError, ValueError):
        return False
    is_owned = status.st_uid in (0, os.geteuid())
    is_private = is_owned and not status.st_mode & _WORLD_WRITABLE
    return directory.is_absolute() and stat.S_ISDIR(status.st_mode) and is_private
