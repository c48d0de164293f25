"""Which words of the user's leave a step such that it can be kept.

A step is kept if all that it makes are its outputs, and all that it reads is known. Words that are
not known to leave it so may do anything: such steps are done each time.
"""

import re
from collections.abc import Iterable

from dovetail.frontend import Flags

# What changes how sources are compiled. Beside what puts files in, words that are not among them
# are those of clang's plugins, tools and other outputs.
_PLAIN_WORD = (
    r"(?s)-(D|U|I|iquote|idirafter|isystem|std=|O|g(?!split|en-)|m(?!llvm|odule)|stdlib=|pedantic"
    r"|nostdinc).*"
    r"|-pthread"
    r"|-f(?!plugin|pass-plugin|lto|profile|modul|implicit-modul|prebuilt|build|time|save|crash"
    r"|dump|record|stack-usage|auto-profile|cs-|use-|embed|syntax|integrated|test-coverage"
    r"|optimization-record|memory-profile|codegen-data|randomize-layout-seed-file)"
    r"[A-Za-z0-9+-]+(=[\w,+.-]*)?"
)
# What puts files in, of which clang tells, and what changes messages.
_PLAIN_FOR_CLANG = (
    r"(?s)-W(?![alp],).*|-w|-include|-imacros|-isysroot|--sysroot(=.*)?|--gcc-toolchain=.*|--target=.*"
    r"|-f(file|debug|macro|coverage)-prefix-map=.*|-fsanitize=.*|-nostdlib.*|-nodefaultlibs|-s"
    r"|-rdynamic|-shared-libgcc|-static-lib.*|--?(rtlib|unwindlib)=.*"
)
_READS_OR_WRITES = r"-f(proc-stat|thinlto|apinotes|sanitize-.*list|xray-.*list)"

_PLAIN_FOR_LINKER = (
    r"-([lLuzhTO]|soname|rpath).*|-[EsS]|-B(static|dynamic|symbolic.*)"
    r"|--?((no-)?as-needed|(no-)?whole-archive|(start|end)-(group|lib)|(push|pop)-state|undefined"
    r"|export-dynamic.*|version-script|dynamic-list|(no-)?gc-sections|no-undefined|exclude-libs"
    r"|build-id|hash-style|(enable|disable)-new-dtags|defsym|wrap|allow-.*|strip-.*|eh-frame-hdr"
    r"|no-allow-shlib-undefined|entry|init|fini)(=.*)?"
)
_FOR_LINKER = "-Wl,"


def are_plain_for_clang(flags: Flags) -> bool:
    """Whether compilations with these flags can be kept."""
    given = (*flags.include_directories, *flags.language, *flags.host, *flags.device)
    return all(map(_is_plain_for_clang, given))


def are_plain_for_linker(words: Iterable[str]) -> bool:
    """Whether a program that is linked with these words, and files, can be kept."""
    rest = iter(words)
    for word in rest:
        if word == "-Xlinker":
            parts = [next(rest, "")]
        elif word.startswith(_FOR_LINKER):
            parts = word.removeprefix(_FOR_LINKER).split(",")
        elif word.startswith("-") and _is_plain_for_clang(word):
            continue
        else:
            parts = [word]
        options = (part for part in parts if part.startswith(("-", "@")))
        if not all(re.fullmatch(_PLAIN_FOR_LINKER, option) for option in options):
            return False
    return True


def _is_plain_for_clang(word: str) -> bool:
    if re.match(_READS_OR_WRITES, word):
        return False
    if not word.startswith(("-", "@")):
        return True
    return any(re.fullmatch(plain, word) for plain in (_PLAIN_WORD, _PLAIN_FOR_CLANG))
