"""The step that collects the output files of a command, which are written all or none."""

from pathlib import Path
from typing import NamedTuple

from dovetail.driver.step import AnyStep, Results, Step
from dovetail.driver.steps.completed_object import CompletedObject
from dovetail.driver.steps.object_file import ObjectFile


class OutputFilesFields(NamedTuple):
    """The objects, and other steps."""

    objects: tuple[ObjectFile | CompletedObject, ...]
    others: tuple[Step[None], ...] = ()
    """Steps that have to succeed too: checks, and the bodies of headers."""


class OutputFiles(Step[dict[Path, bytes]], OutputFilesFields):
    """Return the contents of the files, by path."""

    __slots__ = ()
    title = "files"
    makes = "files"
    is_immediate = True
    can_be_cached = False

    def inputs(self) -> tuple[AnyStep, ...]:
        return (*self.objects, *self.others)

    def result_kind(self) -> str:
        return self.makes if self.objects else "none"

    def words(self) -> tuple[str, ...]:
        return (self.title, *(str(each.output) for each in self.objects))

    def combine(self, results: Results) -> dict[Path, bytes]:
        return {
            path: content
            for files in map(results.of, self.objects)
            for path, content in files.items()
        }
