"""The cache keys of steps: digests of everything that a step's result depends on.

A key covers the fields of the step, its command, and the identities of its inputs. An identity is
the digest of a result if the step serializes it, otherwise its key. So a step whose inputs have the
same content as before is a cache hit. Paths of temporary files are not part of keys.
"""

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import cast

from dovetail.cache import key_of
from dovetail.codegen import BuildTarget, code_key_parts
from dovetail.driver.inputs import LinkedObject
from dovetail.driver.step import AnyStep, Job, Step
from dovetail.driver.toolchain import environment, toolchain
from dovetail.frontend import Flags, PrecompiledHeader, Source
from dovetail.targets import Target

FORMAT = "2"
"""The version of keys and cached results; changing it invalidates all."""

Identities = Mapping[AnyStep, str]
Part = tuple[str, str | bytes]


class StepKeys:
    """The keys of the steps of one request."""

    def __init__(self, jobs: Mapping[AnyStep, Job]) -> None:
        self._jobs = jobs
        self._common: tuple[Part, ...] | None = None

    def key(self, job: Job, identities: Identities) -> str | None:
        """Return the key of a step, from the identities of its inputs; None if not cacheable."""
        step = job.step
        if not step.can_be_cached or not step.is_cacheable():
            return None
        if not all(identities[needed] for needed in step.inputs()):
            return None
        parts: list[Part] = [("step", step.title), *self._shared()]
        parts += [
            ("input", identities[each]) for each in step.inputs() if not each.identity_in_command
        ]
        parts += [("word", word) for word in self._words(job, identities)]
        parts += [("extra", each) for each in step.extra_key()]
        parts += _fields(step)
        return key_of(*parts)

    def _shared(self) -> tuple[Part, ...]:
        """Return the parts that all keys of a build have, computed once."""
        if self._common is None:
            self._common = (
                ("format", FORMAT),
                ("tools", toolchain()),
                ("environment", environment()),
            )
        return self._common

    def _words(self, job: Job, identities: Identities) -> list[str]:
        """Return the command, with paths of files replaced by identities."""
        step = job.step
        if not step.runs_command:
            return []
        names = {os.fspath(path): f"<{number}>" for number, path in enumerate(job.outputs)}
        for needed in step.inputs():
            names |= {os.fspath(path): identities[needed] for path in self._jobs[needed].outputs}
        named = step.named_files(identities)
        names |= {os.fspath(path): identity for path, identity in named.items()}
        words = [names.get(word) or _within(word, names) for word in job.command]
        if any(word.endswith("=native") for word in words):
            words.append(_processor())
        return words


def _within(word: str, names: Mapping[str, str]) -> str:
    """Replace the path in `OPTION=PATH`."""
    option, equals, value = word.partition("=")
    return f"{option}={names.get(value, value)}" if equals else word


def _fields(step: AnyStep) -> Iterable[Part]:
    """Return the fields of a step except paths: files count by content."""
    for name, value in step.fields():
        if name not in step.not_in_key and not isinstance(value, Path):
            yield name, repr(_described(value))


def _described(value: object) -> object:
    """Return a value whose `repr` has everything that the key depends on."""
    match value:
        case BuildTarget():
            return (target_parts(value.target), value.options, code_key_parts(value))
        case Target():
            return target_parts(value)
        case Step():
            return "step"
        case Flags():
            # The command contains the others.
            return _described((value.warnings, value.fixed_targets, value.configured_targets))
        case PrecompiledHeader():
            return value.options
        case Source():
            return _source(value)
        case LinkedObject():
            return _object(value)
        case _ if type(value) is tuple:
            return [_described(each) for each in cast(tuple[object, ...], value)]
        case _:
            return value


def target_parts(target: Target) -> tuple[object, ...]:
    """Return all fields of a target's entry."""
    # Private slots contain lazily computed values, which would change the key.
    names = (name for name in Target.__slots__ if not name.startswith("_"))
    return tuple(getattr(target, name) for name in names)


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
    # Imported late: only -march=native and the like need it.
    from dovetail.runtime.host_processor import processor_features

    return processor_features()
