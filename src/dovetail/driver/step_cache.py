"""The cached outcomes of steps.

The cache maps the key of a step to a record of its outcome: its messages, and the digest of its
result. Results are stored by digest, so equal ones are stored once, and records are enough to
determine which steps have to run.

What a compiler or linker reads is known only after it has run. So the key of such a step can have
several records, each with a read set; the record whose read set is current is used.
"""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from dovetail.cache import STEPS, get_parsed, is_on, key_of, put
from dovetail.driver.step import AnyStep, Job
from dovetail.driver.step_keys import FORMAT, StepKeys
from dovetail.errors import FormatError
from dovetail.frontend.read_set import ReadSet
from dovetail.json_shape import check_shape, parse_json

MAX_RECORDS = 8
"""Records for each key: if a header is changed back, the older record is used again."""

_RECORD_SHAPE = (re.compile("[0-9a-f]*"), str, [str], bool)

Made = TypeVar("Made")


class StepRecord(NamedTuple):
    """The outcome of a step."""

    identity: str
    """The digest of its result, or else its key; empty if it has neither."""
    messages: str = ""
    llvm_warnings: tuple[str, ...] = ()
    has_content: bool = False
    """Whether the result is in the cache."""


class StepCache:
    """The cached outcomes of the steps of one plan."""

    def __init__(self, jobs: Mapping[AnyStep, Job], *, use: bool) -> None:
        self.is_used = use and is_on()
        self._keys = StepKeys(jobs)

    def key(self, job: Job, identities: Mapping[AnyStep, str]) -> str | None:
        """Return the key of a step, from the identities of its inputs; None if not cacheable."""
        return self._keys.key(job, identities) if self.is_used else None

    def find(self, job: Job, key: str) -> StepRecord | None:
        """Return the cached outcome of a step; None if there is no current one."""
        if job.step.follows_from_inputs:
            return StepRecord(key)
        for reads, record in _records(key):
            if reads is None or reads.is_current():
                return record
        return None

    def result(self, record: StepRecord, deserialize: Callable[[bytes], Made]) -> Made | None:
        """Return the cached result of a step; None if it is missing or damaged."""
        if not record.has_content:
            return None
        return get_parsed(STEPS, _content_key(record.identity), deserialize)

    def add(
        self, key: str, record: StepRecord, content: bytes | None, reads: ReadSet | None
    ) -> None:
        """Cache the outcome of a step that ran."""
        if content is not None:
            put(STEPS, _content_key(record.identity), content)
        earlier = [each for each in _records(key) if each[0] is not None] if reads else []
        records = [(reads, record), *earlier][:MAX_RECORDS]
        fields = [[reads.fields() if reads else None, record] for reads, record in records]
        put(STEPS, key, json.dumps(fields).encode())


def digest_of(content: bytes) -> str:
    """Return the identity of a serialized result."""
    return sha256(content).hexdigest()


def _records(key: str) -> list[tuple[ReadSet | None, StepRecord]]:
    return get_parsed(STEPS, key, parse_records) or []


def parse_records(data: bytes) -> list[tuple[ReadSet | None, StepRecord]]:
    """Return the records in a cache entry, each with its read set, or None if it has none."""
    return [_record(fields) for fields in parse_json(data, [list])]


def _record(fields: list[Any]) -> tuple[ReadSet | None, StepRecord]:
    """Return a cached read set and record; raise an error if the fields are invalid."""
    if len(fields) != 2:
        raise FormatError(f"expected a record of 2 parts, got {len(fields)}")
    reads, outcome = fields
    check_shape(outcome, _RECORD_SHAPE)
    identity, messages, warnings, has_content = outcome
    record = StepRecord(identity, messages, tuple(warnings), has_content)
    return (None if reads is None else ReadSet.from_fields(reads)), record


def _content_key(digest: str) -> str:
    return key_of(("format", FORMAT), ("content", digest))
