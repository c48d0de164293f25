"""The keys of steps: everything that what a step makes depends on.

A key is made of what the step is told and of the identities of what it takes: digests of what other
steps made, wherever that is known, so that a step whose inputs came out the same is not done again.
Where files lie while a request is carried out counts for nothing.
"""

import os
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import cast

from dovetail.cache import key_of
from dovetail.codegen import BuildTarget, words_for
from dovetail.driver.actions import Action, CompileRequest, Phase, Request, RunRequest
from dovetail.driver.binding import Job
from dovetail.driver.inputs import LinkedObject
from dovetail.driver.step_words import are_plain_for_clang, are_plain_for_linker
from dovetail.driver.toolchain import environment, toolchain
from dovetail.frontend import Source
from dovetail.targets import Target

FORMAT = "1"
"""Of what is kept, and of the keys; another one makes everything anew."""

_COMPILATIONS = (
    Phase.COMPILE,
    Phase.CHECK,
    Phase.SYNTAX,
    Phase.COMPILE_HOST,
    Phase.SYNTAX_HOST,
)
_LINKING = (Phase.LINK_HOST, Phase.RESOLVE)
_HEADER_PHASES = (Phase.PRECOMPILE, Phase.BODIES)
_KEYLESS = (
    *_HEADER_PHASES,  # kept apart, as headers
    *(Phase.FILES, Phase.START, Phase.ANALYZE),  # put together in no time
    Phase.READ,
)

# Others may read files that nobody tells of.
_LANGUAGES = ("c++", "c++-cpp-output", "c", "cpp-output")

_TOLD_OTHERWISE = ("phase", "inputs", "source", "header", "bodies", "objects", "output")
"""Fields of actions that say something of files, which are known by their contents."""

Identities = Mapping[Action, str]
Part = tuple[str, str | bytes]


class StepKeys:
    """The keys of the steps that one request comes to."""

    def __init__(self, request: Request, jobs: Mapping[Action, Job]) -> None:
        self._request = request
        self._jobs = jobs
        self._common: tuple[Part, ...] | None = None

    def key(self, job: Job, made: Identities) -> str | None:
        """Where the step is kept, once it is known what its inputs are; None if it is not kept."""
        action = job.action
        if action.phase in _KEYLESS or not self._can_be_kept(job):
            return None
        if not all(made[needed] for needed in action.inputs):
            return None
        identities = [made[each] for each in action.inputs if each.phase not in _HEADER_PHASES]
        parts: list[Part] = [("phase", action.phase), *self._shared()]
        parts += [("input", identity) for identity in identities]
        parts += [("word", word) for word in self._words(job, made)]
        parts += _parameters(action)
        return key_of(*parts)

    def _shared(self) -> tuple[Part, ...]:
        if self._common is None:
            self._common = (
                ("format", FORMAT),
                ("tools", toolchain()),
                ("environment", environment()),
            )
        return self._common

    def _can_be_kept(self, job: Job) -> bool:
        action, request = job.action, self._request
        if action.source and action.source.language not in _LANGUAGES:
            return False
        if action.phase in _COMPILATIONS:
            assert isinstance(request, CompileRequest)
            writes_elsewhere = isinstance(request, RunRequest) and bool(request.dependencies.mode)
            return are_plain_for_clang(request.flags) and not writes_elsewhere
        if action.phase in _LINKING and isinstance(request, RunRequest):
            words = [word for word in request.line.words if isinstance(word, str)]
            return are_plain_for_linker(words)
        return True

    def _words(self, job: Job, made: Identities) -> list[str]:
        """What is started, without places that are others each time."""
        if job.in_process:
            return []
        stands_for = {os.fspath(path): f"<{number}>" for number, path in enumerate(job.outputs)}
        identities: dict[Path, str] = {}
        for needed in job.action.inputs:
            stands_for |= {os.fspath(path): made[needed] for path in self._jobs[needed].outputs}
            if needed.phase is Phase.PRECOMPILE and needed.header:
                identities[needed.header.path] = made[needed]
        header = job.action.header
        if header:
            known = sha256(header.identity.encode()).hexdigest()
            identity = identities.get(header.path, known)
            stands_for[os.fspath(header.path)] = f"{header.path.name} {identity}"
        for header in job.action.bodies:
            if header.current:
                stands_for[os.fspath(header.bodies_path)] = header.bodies_digest
        words = [stands_for.get(word) or _within(word, stands_for) for word in job.command]
        if any(word.endswith("=native") for word in words):
            words.append(_processor())
        return words


def _within(word: str, stands_for: Mapping[str, str]) -> str:
    """An option may name an output in one word with itself."""
    option, equals, value = word.partition("=")
    return f"{option}={stands_for.get(value, value)}" if equals else word


def _parameters(action: Action) -> list[Part]:
    """What the step is told beside its words."""
    told = zip(action._fields, action, strict=True)
    parts: list[Part] = [
        (name, repr(_described(value))) for name, value in told if name not in _TOLD_OTHERWISE
    ]
    parts.append(("bodies", repr([header.words for header in action.bodies])))
    if action.source and action.phase in (*_COMPILATIONS, Phase.PASSES):
        parts.append(("source", _source(action.source)))
    if action.phase is Phase.GATHER:
        parts += [("object", _object(each)) for each in action.objects]
    if action.phase is Phase.EXECUTABLE:
        parts.append(("python", sys.executable))
    return parts


def _described(value: object) -> object:
    """As something whose `repr` says all of it."""
    if isinstance(value, BuildTarget):
        return (target_parts(value.target), value.options, words_for(value))
    if isinstance(value, Target):
        return target_parts(value)
    if type(value) is tuple:
        return [_described(each) for each in cast(tuple[object, ...], value)]
    return value


def target_parts(target: Target) -> tuple[object, ...]:
    """All that is known of a target, from whichever configuration file."""
    # What is computed from the entry, and not before it is asked for, would change the key.
    said = (name for name in Target.__slots__ if not name.startswith("_"))
    return tuple(getattr(target, name) for name in said)


def _source(source: Source) -> str:
    digest = sha256(source.text.encode(errors="surrogateescape")).hexdigest()
    return repr((source.path, source.is_file, source.language, digest))


def _object(linked: LinkedObject) -> str:
    codes = [
        (code.triple, code.source, code.exports, code.targets, sha256(code.bitcode).hexdigest())
        for code in linked.section.code
    ]
    return repr((str(linked), codes, linked.section.bodies))


def _processor() -> str:
    # Only who compiles for this very processor pays for it.
    from dovetail.runtime.host_processor import processor_features

    return processor_features()
