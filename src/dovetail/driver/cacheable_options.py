"""The options of clang and linkers with which a step can be cached.

A step can be cached if everything that it reads is known, and it writes nothing but its outputs.
Options that are not listed here may have other effects, so steps with them always run.
"""

import re
from collections.abc import Iterable

from dovetail.frontend import Flags

# Options that affect how sources are compiled.
_COMPILE_OPTIONS = (
    r"(?s)-(D|U|I|iquote|idirafter|isystem|std=|O|g(?!split|en-)|m(?!llvm|odule)|stdlib=|pedantic"
    r"|nostdinc).*"
    r"|-pthread"
    r"|-f(?!plugin|pass-plugin|lto|profile|modul|implicit-modul|prebuilt|build|time|save|crash"
    r"|dump|record|stack-usage|auto-profile|cs-|use-|embed|syntax|integrated|test-coverage"
    r"|optimization-record|memory-profile|codegen-data|randomize-layout-seed-file)"
    r"[A-Za-z0-9+-]+(=[\w,+.-]*)?"
)
# Options that include files, which clang lists, or that affect messages, paths or linking.
_MORE_CLANG_OPTIONS = (
    r"(?s)-W(?![alp],).*|-w|-include|-imacros|-isysroot|--sysroot(=.*)?|--gcc-toolchain=.*|--target=.*"
    r"|-f(file|debug|macro|coverage)-prefix-map=.*|-fsanitize=.*|-nostdlib.*|-nodefaultlibs|-s"
    r"|-rdynamic|-pie|-no-pie|-shared-libgcc|-static-lib.*|--?(rtlib|unwindlib)=.*"
)
_READS_OR_WRITES = r"-f(proc-stat|thinlto|apinotes|sanitize-.*list|xray-.*list)"

_LINKER_OPTIONS = (
    r"-([lLuzhTO]|soname|rpath).*|-[EsS]|-B(static|dynamic|symbolic.*)"
    r"|--?((no-)?as-needed|(no-)?whole-archive|(start|end)-(group|lib)|(push|pop)-state|undefined"
    r"|export-dynamic.*|version-script|dynamic-list|(no-)?gc-sections|no-undefined|exclude-libs"
    r"|build-id|hash-style|(enable|disable)-new-dtags|defsym|wrap|allow-.*|strip-.*|eh-frame-hdr"
    r"|no-allow-shlib-undefined|entry|init|fini)(=.*)?"
)
_LINKER_PREFIX = "-Wl,"


def can_cache_compilation(flags: Flags) -> bool:
    """Return whether compilations with these options can be cached."""
    given = (*flags.include_directories, *flags.language, *flags.host, *flags.device)
    return all(map(_can_cache_with, given))


def can_cache_linking(arguments: Iterable[str]) -> bool:
    """Return whether linking with these options and files can be cached."""
    rest = iter(arguments)
    for word in rest:
        if word == "-Xlinker":
            parts = [next(rest, "")]
        elif word.startswith(_LINKER_PREFIX):
            parts = word.removeprefix(_LINKER_PREFIX).split(",")
        elif word.startswith("-") and _can_cache_with(word):
            continue
        else:
            parts = [word]
        options = (part for part in parts if part.startswith(("-", "@")))
        if not all(re.fullmatch(_LINKER_OPTIONS, option) for option in options):
            return False
    return True


def _can_cache_with(word: str) -> bool:
    if re.match(_READS_OR_WRITES, word):
        return False
    if not word.startswith(("-", "@")):
        return True
    return any(re.fullmatch(options, word) for options in (_COMPILE_OPTIONS, _MORE_CLANG_OPTIONS))
