"""Clang's own options, one row for each whose value or whose way is not plain from the word.

Every word of clang's goes where its row says: to both compilations, to the host's alone, to the
linker. What has no row goes to the host's side and to the linker, and clang refuses what it does
not know.
"""

from dovetail.driver.options import Form, Goes, Option

_BOTH = Goes.HOST | Goes.DEVICE
_EVERYWHERE = _BOTH | Goes.LINK

# How a name begins, and whether the value may or must be another word.
_LINKED = {
    "-l": Form.EITHER,
    "-L": Form.EITHER,
    "-T": Form.EITHER,
    "-u": Form.EITHER,
    "-e": Form.SEPARATE,
    "-z": Form.SEPARATE,
    "-rpath": Form.SEPARATE,
    "-Xlinker": Form.SEPARATE,
    "-Wl,": Form.JOINED,
    "--library-directory": Form.SEPARATE,
    "--for-linker": Form.SEPARATE,
    "--force-link": Form.SEPARATE,
    "-s": Form.FLAG,
    "-nostdlib": Form.FLAG,
    "-nostdlib++": Form.FLAG,
    "-nodefaultlibs": Form.FLAG,
    "-nostartfiles": Form.FLAG,
    "-nolibc": Form.FLAG,
    "-rdynamic": Form.FLAG,
    "-static-libgcc": Form.FLAG,
    "-static-libstdc++": Form.FLAG,
    "-shared-libgcc": Form.FLAG,
}

_FOR_THE_HOST = {
    "-Xclang": Form.SEPARATE,
    "-Xassembler": Form.SEPARATE,
    "-Xanalyzer": Form.SEPARATE,
    "-Wa,": Form.JOINED,
    "-mllvm": Form.SEPARATE,
    "-include-pch": Form.SEPARATE,
    "-serialize-diagnostics": Form.SEPARATE,
    "-dumpdir": Form.SEPARATE,
    "-MJ": Form.EITHER,
    "--param": Form.SEPARATE,
    "-fdebug-compilation-dir": Form.SEPARATE,
    "-R": Form.JOINED,
}

_FOR_HOST_AND_LINKER = {
    "-pthread": Form.FLAG,
    "-mthread-model": Form.SEPARATE,
    "-m": Form.JOINED,
    "-rtlib=": Form.JOINED,
    "--rtlib": Form.LONG,
    "-unwindlib=": Form.JOINED,
}

_FOR_ALL = {
    "--sysroot": Form.LONG,
    "-isysroot": Form.EITHER,
    "--gcc-toolchain=": Form.JOINED,
    "--gcc-install-dir=": Form.JOINED,
    "-stdlib=": Form.JOINED,
    "--stdlib": Form.LONG,
    "-resource-dir": Form.SEPARATE,
    "-resource-dir=": Form.JOINED,
    "-working-directory": Form.SEPARATE,
    "-B": Form.EITHER,
    "-target": Form.SEPARATE,
    "--target=": Form.JOINED,
    "--config": Form.LONG,
    "-F": Form.EITHER,
}

_FOR_BOTH_SIDES = {
    "-iquote": Form.EITHER,
    "-idirafter": Form.EITHER,
    "-cxx-isystem": Form.EITHER,
    "-stdlib++-isystem": Form.EITHER,
    "-isystem-after": Form.EITHER,
    "-iprefix": Form.EITHER,
    "-iwithprefix": Form.EITHER,
    "-iwithprefixbefore": Form.EITHER,
    "-iwithsysroot": Form.EITHER,
    "-imacros": Form.EITHER,
    "-ivfsoverlay": Form.EITHER,
    "-Xpreprocessor": Form.SEPARATE,
    "-Wp,": Form.JOINED,
    "--system-header-prefix=": Form.JOINED,
    "-nostdinc": Form.FLAG,
    "-nostdinc++": Form.FLAG,
    "-nobuiltininc": Form.FLAG,
    "-undef": Form.FLAG,
    "-ansi": Form.FLAG,
    "-trigraphs": Form.FLAG,
    "-pedantic": Form.FLAG,
    "-pedantic-errors": Form.FLAG,
    "-gen-reproducer": Form.FLAG,
    "-gen-reproducer=": Form.JOINED,
}

# `-fNAME`, `-fno-NAME` and `-fNAME=VALUE` that change the language or how clang talks.
_LANGUAGE = [
    "access-control",
    "aligned-allocation",
    "aligned-new",
    "asm-blocks",
    "blocks",
    "borland-extensions",
    "bracket-depth",
    "builtin",
    "caret-diagnostics",
    "char8_t",
    "color-diagnostics",
    "complete-member-pointers",
    "concepts",
    "constant-string-class",
    "constexpr-backtrace-limit",
    "constexpr-depth",
    "constexpr-steps",
    "coroutines",
    "crash-diagnostics",
    "crash-diagnostics-dir",
    "cxx-exceptions",
    "cxx-modules",
    "declspec",
    "delayed-template-parsing",
    "diagnostics-absolute-paths",
    "diagnostics-color",
    "diagnostics-format",
    "diagnostics-show-category",
    "diagnostics-show-option",
    "diagnostics-show-template-tree",
    "diagnostics-print-source-range-info",
    "dollars-in-identifiers",
    "elide-constructors",
    "elide-type",
    "enforce-eh-nothrow",
    "error-limit",
    "exceptions",
    "fast-math",
    "file-prefix-map",
    "finite-math-only",
    "fixed-point",
    "for-scope",
    "fp-contract",
    "freestanding",
    "gnu-keywords",
    "gnu-inline-asm",
    "hosted",
    "inline",
    "input-charset",
    "lax-vector-conversions",
    "long-long",
    "macro-backtrace-limit",
    "macro-prefix-map",
    "matrix",
    "math-errno",
    "max-errors",
    "message-length",
    "ms-compatibility",
    "ms-extensions",
    "new-alignment",
    "new-infallible",
    "non-call-exceptions",
    "operator-names",
    "permissive",
    "reciprocal-math",
    "relaxed-template-template-args",
    "rounding-math",
    "rtti",
    "rtti-data",
    "short-enums",
    "short-wchar",
    "show-column",
    "show-source-location",
    "signed-char",
    "signed-zeros",
    "sized-deallocation",
    "spell-checking",
    "spell-checking-limit",
    "strict-aliasing",
    "strict-enums",
    "strict-float-cast-overflow",
    "strict-overflow",
    "tabstop",
    "template-backtrace-limit",
    "template-depth",
    "threadsafe-statics",
    "trigraphs",
    "unsafe-math-optimizations",
    "unsigned-char",
    "visibility-inlines-hidden",
    "wrapv",
]

# All host code can be loaded anywhere, and is linked by one linker into a library.
_DROPPED = (
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-fno-PIC",
    "-fno-pic",
    "-fno-PIE",
    "-fno-pie",
    "-pie",
    "-no-pie",
    "-nopie",
    "-fsycl",
)


def _rows(goes: Goes, forms: dict[str, Form]) -> list[Option]:
    return [Option(spelling, form, goes=goes) for spelling, form in forms.items()]


def _language_rows() -> list[Option]:
    forms: dict[str, Form] = {}
    for name in _LANGUAGE:
        forms |= {f"-f{name}": Form.FLAG, f"-fno-{name}": Form.FLAG, f"-f{name}=": Form.JOINED}
    return _rows(_BOTH, forms)


CLANG_OPTIONS = (
    *_rows(Goes.LINK, _LINKED),
    *_rows(Goes.HOST, _FOR_THE_HOST),
    *_rows(Goes.HOST | Goes.LINK, _FOR_HOST_AND_LINKER),
    *_rows(_EVERYWHERE, _FOR_ALL),
    *_rows(_BOTH, _FOR_BOTH_SIDES),
    *_language_rows(),
    *_rows(Goes.NOWHERE, dict.fromkeys(_DROPPED, Form.FLAG)),
    *_rows(Goes.NOWHERE, {"-fuse-ld=": Form.JOINED, "--ld-path=": Form.JOINED}),
)

UNKNOWN = Option("", Form.JOINED, goes=Goes.HOST | Goes.LINK)
"""The row of every word that has none."""
