"""Post-link on files, as DPC++'s tool does it: modules in, a table of images out."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dovetail.analysis import Finding
from dovetail.artifacts import DeviceModule
from dovetail.aspect_filter import fit_requirements
from dovetail.device_metadata import facts_of
from dovetail.files import read_bytes, require_utf8_name, write_atomically
from dovetail.image import FileTable, format_file_table
from dovetail.ir import Context, parse_untrusted
from dovetail.postlink import (
    ImageFiles,
    LinkedProgram,
    PostLinked,
    SplitMode,
    Wanted,
    WrittenImage,
    discard,
    find_in_program,
    link_modules,
    module_content,
    write_images,
)
from dovetail.targets import Target

STREAM = "-"


@dataclass(frozen=True)
class TableFile:
    """Where a table goes, and the target whose images it lists; all of them if there is none."""

    path: str
    target: Target | None = None


@dataclass(frozen=True)
class PostLinkRequest:
    """Files of device IR to be linked and split."""

    inputs: tuple[str, ...]
    """`-` for standard input."""
    files: ImageFiles
    tables: tuple[TableFile, ...] = ()
    split: SplitMode = SplitMode.NONE
    wanted: Wanted = field(default_factory=Wanted)
    only_kernels: bool = False
    """Whether exported functions are no reason to keep code."""


@dataclass(frozen=True)
class PostLinkResult:
    """What was written."""

    titles: tuple[str, ...]
    images: tuple[WrittenImage, ...]
    findings: tuple[Finding, ...]
    """What is wrong with promises about aspects."""
    warnings: tuple[str, ...] = ()
    """LLVM's."""

    def table(self, target: Target | None = None) -> FileTable:
        """The images, all or those that a target can or may be able to run."""
        return FileTable(
            self.titles,
            tuple(
                image.files
                for image in self.images
                if target is None or fit_requirements(target, image.requirements).verdict != "no"
            ),
        )


Listener = Callable[[int, int], None]
"""Told how many images are written, of how many."""


def post_link(
    request: PostLinkRequest, listener: Listener = lambda done, total: None
) -> PostLinkResult:
    """Link the inputs, split them, and write the images and then the tables."""
    linked = read_and_link(request.inputs)
    program = PostLinked.of(linked, request.split, only_kernels=request.only_kernels)
    request.files.check(len(program.plans), request.inputs)
    findings = tuple(find_in_program(linked, program.used))
    written: list[WrittenImage] = []
    for image in write_images(program.images(request.wanted), request.files):
        written.append(image)
        listener(len(written), len(program.plans))
    warnings = tuple(linked.module.context.take_warnings())
    result = PostLinkResult(request.files.titles, tuple(written), findings, warnings)
    try:
        for table in request.tables:
            write_atomically(table.path, format_file_table(result.table(table.target)))
    except BaseException:
        discard(name for image in written for name in image.files)
        raise
    return result


def link_only(inputs: Sequence[str], *, as_text: bool) -> tuple[bytes, tuple[Finding, ...]]:
    """The linked module as a file holds it, with the aspects that each function uses."""
    linked = read_and_link(inputs)
    program = PostLinked.of(linked, SplitMode.NONE)
    findings = tuple(find_in_program(linked, program.used))
    return module_content(linked.module, as_text=as_text), findings


def read_and_link(inputs: Sequence[str]) -> LinkedProgram:
    """The modules in some files, linked; nobody vouches for the files."""
    context = Context()
    return link_modules([_read(path, context) for path in inputs])


def _read(path: str, context: Context) -> DeviceModule:
    require_utf8_name(path)
    data = sys.stdin.buffer.read() if path == STREAM else read_bytes(path)
    module = parse_untrusted(data, path, context)
    return DeviceModule(module, facts_of(module))
