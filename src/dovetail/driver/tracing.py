"""Record what compilers and linkers read, and which folders they search.

Clang lists the headers that it enters, and lld the files that it opens. The search path comes from
`clang -###`, which compiles nothing.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from dovetail.cache import STEPS, get_parsed, key_of, put
from dovetail.driver.linker_script import is_linker_script, script_inputs
from dovetail.driver.step import Job, Session
from dovetail.driver.step_keys import FORMAT
from dovetail.driver.toolchain import environment, toolchain
from dovetail.errors import CompileError, InputError
from dovetail.files import SOURCE, map_file, read_bytes
from dovetail.frontend import Source, dependency_paths
from dovetail.frontend.read_set import (
    ReadSet,
    SearchedNames,
    depends_only_on_files,
    folder_lookups,
    searched_names,
)
from dovetail.json_shape import parse_json
from dovetail.processes.process import Finished

_SEARCH = re.compile(
    r"-(?:I|L|iquote|isystem|idirafter|internal-isystem|internal-externc-isystem)(.*)", re.DOTALL
)
_INCLUDED = ("-include", "-imacros")
_FOR_PLUGIN = "-fplugin-arg-"

# In its lists of headers, clang escapes names like C++ string literals, and a carriage return as a
# line feed: such a header is not found again, so the step is not cached.
_LIST_ESCAPE = re.compile(r'\\([n"\\])')
_UNESCAPED = {"n": "\n", '"': '"', "\\": "\\"}

# The commands in the output of -###. All arguments are quoted, and may contain line feeds.
_WORD = r'"(?:[^"\\]|\\.)*"'
_COMMAND = re.compile(rf"^ {_WORD}(?: {_WORD})*$", re.DOTALL | re.MULTILINE)
_COMMAND_WORD = re.compile(_WORD, re.DOTALL)
_COMMAND_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def run_traced(
    session: Session,
    job: Job,
    source: Source | None,
    text: bytes,
    meanwhile: Callable[[], object] | None = None,
) -> tuple[Finished, ReadSet | None]:
    """Run clang on a source or generated text; return its output, and its read set if known.

    `meanwhile` is called once clang has started.
    """
    if not session.trace:
        output = session.tools.run(job.command, text, meanwhile=meanwhile, outputs=job.outputs)
        return output, None
    listed = job.outputs[0].with_suffix(".headers") if job.outputs else _list_file(session, job)
    environ = {"CC_PRINT_HEADERS": "1", "CC_PRINT_HEADERS_FILE": str(listed)}
    if "-MMD" in job.command:
        # Listing all headers would add the system headers to the output of -MMD.
        output = session.tools.run(job.command, text, meanwhile=meanwhile, outputs=job.outputs)
        session.tools.run((*_without_outputs(job.command), "-fsyntax-only"), text, environ)
    else:
        output = session.tools.run(job.command, text, environ, meanwhile, outputs=job.outputs)
    headers = listed.read_text(errors="surrogateescape") if listed.exists() else ""
    return output, _reads_of_clang(session, job, source, text, _listed_headers(headers))


def _listed_headers(text: str) -> list[str]:
    """Return the names in a list of clang, which has one on each line."""
    lines = text.split("\n")[:-1]
    return [_LIST_ESCAPE.sub(lambda match: _UNESCAPED[match[1]], line) for line in lines]


def _without_outputs(command: Sequence[str]) -> Iterator[str]:
    """Yield the words of a command, except those about outputs and dependency files."""
    words = iter(command)
    for word in words:
        if word in ("-MF", "-MT", "-MQ", "-o"):
            next(words, None)
        elif word not in ("-MMD", "-MP", "-c", "-emit-llvm"):
            yield word


def _list_file(session: Session, job: Job) -> Path:
    """Return the file for the list of headers of a job without outputs."""
    return session.folder / f"{list(session.jobs.values()).index(job)}.headers"


def _reads_of_clang(
    session: Session, job: Job, source: Source | None, text: bytes, headers: Sequence[str]
) -> ReadSet | None:
    """Return what a run of clang read and looked up, or None if that cannot be determined."""
    files = list(dict.fromkeys(headers))
    if source and source.is_file:
        files.insert(0, source.path)
    try:
        texts = [read_bytes(path, SOURCE) for path in files]
    except InputError:
        return None
    if source and source.is_file and texts[0].decode(errors="replace") != source.text:
        return None
    words = [word for word in job.command if word not in map(str, job.outputs)]
    command = " ".join(words).encode(errors="surrogateescape")
    # What generated text embeds is part of the step's key.
    if not all(map(depends_only_on_files, [*texts, command, *([text] if source else [])])):
        return None
    search = search_folders(session, job)
    if search is None:
        return None
    sought = searched_names([*texts, text])
    included = {name for word, name in pairwise(words) if word in _INCLUDED}
    sought = sought._replace(quoted=sought.quoted | included)
    # Quoted includes of standard input, and -include, are also looked up in the working directory.
    return ReadSet.record(files, folder_lookups(sought, [*files, "./-"], search), session.started)


def reads_of_linker(
    session: Session, job: Job, dependencies: Path, bodies: Iterable[Path]
) -> ReadSet | None:
    """Return the read set of lld without files of this build; None if it is unknown."""
    try:
        text = dependencies.read_text(errors="surrogateescape")
        line = driver_arguments(session, job)
    except (OSError, CompileError):
        return None
    ours = set(map(str, bodies))
    inside = f"{session.folder}/"
    files = [p for p in dependency_paths(text) if p not in ours and not p.startswith(inside)]
    scripts = {path: inputs for path in files if (inputs := _inputs_of_script(path))}
    named = [*line, *(name for inputs in scripts.values() for name in inputs)]
    libraries = {name for word in named for name in _library_names(word)}
    named_files = {n for inputs in scripts.values() for n in inputs if not _library_names(n)}
    sought = SearchedNames(frozenset(libraries), frozenset(named_files))
    # Files that a script names are looked up in its folder and in the working directory.
    places = folder_lookups(sought, [*scripts, "./-"], list(_folders(line)))
    return ReadSet.record(dict.fromkeys(files), places, session.started)


def _inputs_of_script(path: str) -> list[str]:
    """Return the inputs of a linker script; none for other files."""
    with suppress(InputError):
        content = map_file(path)
        if is_linker_script(content):
            return list(script_inputs(content))
    return []


def _library_names(word: str) -> tuple[str, ...]:
    """Return the file names that lld looks up for a `-l` option."""
    if not word.startswith("-l"):
        return ()
    name = word.removeprefix("-l")
    return (name[1:],) if name.startswith(":") else (f"lib{name}.so", f"lib{name}.a")


def search_folders(session: Session, job: Job) -> list[str] | None:
    """Return clang's search path for headers; None if its driver fails.

    It depends on the options and on the system, not on the source, so it is cached.
    """
    outputs = {str(output) for output in job.outputs}
    paths = {*outputs, *(name for name, _ in job.step.input_files())}
    words = tuple(
        word
        for word in job.command
        if word not in paths
        and word.partition("=")[2] not in outputs
        # Among these is a digest of the source.
        and not word.startswith(_FOR_PLUGIN)
    )
    if words not in session.search_folders:
        parts = [("word", word) for word in words]
        key = key_of(
            *(("format", FORMAT), ("search path", ""), ("tools", toolchain())),
            *(("environment", environment()), *parts),
        )
        folders = get_parsed(STEPS, key, parse_folders)
        if folders is None:
            try:
                folders = list(_folders(driver_arguments(session, job)))
            except CompileError:
                return None
            put(STEPS, key, json.dumps(folders).encode())
        session.search_folders[words] = folders
    return session.search_folders[words]


def parse_folders(data: bytes) -> list[str]:
    """Return the folders in a cache entry."""
    folders: list[str] = parse_json(data, [str])
    return folders


def driver_arguments(session: Session, job: Job) -> list[str]:
    """Return the arguments that clang's driver would pass to the compiler or linker."""
    printed = session.tools.run((*job.command, "-###")).errors
    return arguments_of_commands(printed.decode(errors="surrogateescape"))


def arguments_of_commands(output: str) -> list[str]:
    """Return the arguments of all commands that `clang -###` printed, in order."""
    return [
        _COMMAND_ESCAPE.sub(r"\1", word[1:-1])
        for command in _COMMAND.findall(output)
        for word in _COMMAND_WORD.findall(command)
    ]


def _folders(words: Sequence[str]) -> Iterator[str]:
    """Yield the folders of search options, each once."""
    seen: set[str] = set()
    for number, word in enumerate(words):
        option = _SEARCH.fullmatch(word)
        if option is None:
            continue
        folder = option[1] or next(iter(words[number + 1 :]), "")
        folder = folder.rstrip("/") or "/"
        if folder not in seen:
            seen.add(folder)
            yield folder
