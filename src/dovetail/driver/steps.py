"""Steps of earlier builds, kept in the cache.

For each step that was done there is a note under its key: what it said, and the digest of what it
made. Contents lie beside the notes, by digest. Reading notes alone tells what everything comes to,
and what comes out the same is there once.

What a compiler or linker reads is known only once it has run. So under the key of such a step lie
several notes, each with the list of what was read; the one whose list still holds counts.
"""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from dovetail.cache import STEPS, get_parsed, is_on, key_of, put
from dovetail.driver.actions import Action, Phase, Request
from dovetail.driver.binding import Job
from dovetail.driver.step_keys import FORMAT, StepKeys
from dovetail.errors import FormatError
from dovetail.frontend.reads import Reads
from dovetail.json_shape import check_shape, parse_json

_GENERATIONS = 8
"""How many notes lie under one key: a header that changes to and fro is found again."""

_BY_KEY_ALONE = (Phase.FILTER,)
"""Steps that say nothing, and follow from their inputs at once."""

_STEP_SHAPE = (re.compile("[0-9a-f]*"), str, [str], bool)

Made = TypeVar("Made")


class Step(NamedTuple):
    """What is known of a step that was done."""

    identity: str
    """Of what it made: a digest of that, or the step's key; empty if it cannot be told."""
    messages: str = ""
    llvm_warnings: tuple[str, ...] = ()
    has_content: bool = False
    """Whether what it made was kept."""


class Steps:
    """What earlier builds have done of one request."""

    def __init__(self, request: Request, jobs: Mapping[Action, Job], *, use: bool) -> None:
        self.are_kept = use and is_on()
        self._keys = StepKeys(request, jobs)

    def key(self, job: Job, made: Mapping[Action, str]) -> str | None:
        """Where the step is kept; None if it is not, or only once its inputs are known."""
        return self._keys.key(job, made) if self.are_kept else None

    def find(self, job: Job, key: str) -> Step | None:
        """What came of it before, if it would come to the same now."""
        if job.action.phase in _BY_KEY_ALONE:
            return Step(key)
        for reads, step in _notes(key):
            if reads is None or reads.hold():
                return step
        return None

    def restored(self, step: Step, deserialize: Callable[[bytes], Made]) -> Made | None:
        """Return what it made, or None if that is not there any more, or damaged."""
        if not step.has_content:
            return None
        return get_parsed(STEPS, _content_key(step.identity), deserialize)

    def keep(self, key: str, step: Step, content: bytes | None, reads: Reads | None) -> None:
        """Remember a step that was just done."""
        if content is not None:
            put(STEPS, _content_key(step.identity), content)
        earlier = [note for note in _notes(key) if note[0] is not None] if reads else []
        notes = [(reads, step), *earlier][:_GENERATIONS]
        fields = [[reads.fields() if reads else None, step] for reads, step in notes]
        put(STEPS, key, json.dumps(fields).encode())


def digest_of(content: bytes) -> str:
    """The identity of what a step made."""
    return sha256(content).hexdigest()


def _notes(key: str) -> list[tuple[Reads | None, Step]]:
    return get_parsed(STEPS, key, parse_notes) or []


def parse_notes(data: bytes) -> list[tuple[Reads | None, Step]]:
    """Return the notes in an entry: what each step read, if that counts, and what came of it."""
    return [_note(fields) for fields in parse_json(data, [list])]


def _note(fields: list[Any]) -> tuple[Reads | None, Step]:
    if len(fields) != 2:
        raise FormatError(f"a note of {len(fields)} parts instead of two")
    reads, step = fields
    check_shape(step, _STEP_SHAPE)
    identity, messages, warnings, has_content = step
    step = Step(identity, messages, tuple(warnings), has_content)
    return (None if reads is None else Reads.of_fields(reads)), step


def _content_key(digest: str) -> str:
    return key_of(("format", FORMAT), ("content", digest))
