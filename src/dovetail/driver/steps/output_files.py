"""Collect the files that a command writes, all of them or none."""

from pathlib import Path
from typing import NamedTuple

from dovetail.driver.step import AnyStep, Results, Step
from dovetail.driver.steps.object_file import ObjectFile


class OutputFilesFields(NamedTuple):
    """What is collected."""

    objects: tuple[ObjectFile, ...]
    others: tuple[Step[None], ...] = ()
    """What has to succeed as well: checks, and the bodies of headers."""


class OutputFiles(Step[dict[Path, bytes]], OutputFilesFields):
    """The contents of files, by path."""

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
            for files in results.all_of(self.objects)
            for path, content in files.items()
        }
