"""Post-link on files, like DPC++'s sycl-post-link: from modules to a table of images."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from os.path import split
from pathlib import Path

from dovetail.analysis import Finding
from dovetail.artifacts import DeviceImage, DeviceModule
from dovetail.codegen.spirv import valid_spirv
from dovetail.codegen.spirv.emit import SUFFIX
from dovetail.device_metadata import facts_of
from dovetail.errors import InputError, UsageError
from dovetail.files import LLVM_IR, STREAM, StagedFiles, read_input, require_utf8_name
from dovetail.image import FileTable, format_file_table
from dovetail.ir import Context, parse_untrusted
from dovetail.postlink import (
    CodeFormat,
    ImageFiles,
    LinkedProgram,
    OptionalFeatures,
    PostLinked,
    SplitMode,
    WantedProperties,
    WrittenImage,
    conditions_in,
    find_in_program,
    link_modules,
    resolve_conditions,
    unknown_conditions,
    variants_of,
    write_images,
)
from dovetail.targets import Table, Target, default_table
from dovetail.targets.coverage import compile_target
from dovetail.targets.ir_family import IRFamily, family_name


def _spirv(image: DeviceImage) -> bytes:
    return valid_spirv(image).code


SPIRV = CodeFormat(SUFFIX, _spirv, has_conditions=True)


@dataclass(frozen=True)
class TableFile:
    """The file of a table, and the target whose images it lists; all images without a target."""

    path: str
    target: Target | None = None


@dataclass(frozen=True)
class PostLinkRequest:
    """Files of device IR to link and split."""

    inputs: tuple[str, ...]
    """`-` for standard input."""
    files: ImageFiles
    tables: tuple[TableFile, ...] = ()
    split: SplitMode = SplitMode.NONE
    features: OptionalFeatures = OptionalFeatures.SPLIT
    wanted: WantedProperties = field(default_factory=WantedProperties)
    only_kernels: bool = False
    """Whether only kernels, and not exported functions, are entry points."""
    resolve: Target | None = None
    """The target to resolve conditions for; without one, they stay unresolved."""
    targets: Table = field(default_factory=default_table)
    """The known targets."""

    @property
    def table_targets(self) -> tuple[Target, ...]:
        """Return the targets that have a table, each once."""
        listed = {table.target.name: table.target for table in self.tables if table.target}
        return tuple(listed.values())


@dataclass(frozen=True)
class PostLinkResult:
    """The outcome of post-link: the written images."""

    titles: tuple[str, ...]
    images: tuple[WrittenImage, ...]
    findings: tuple[Finding, ...]
    """Of the analysis of aspects."""
    warnings: tuple[str, ...] = ()
    """Warnings of LLVM."""

    def table(self, target: Target | None = None) -> FileTable:
        """Return the table of all images or, with a target, of those that it can or may run."""
        return FileTable(
            self.titles,
            tuple(image.files for image in self.images)
            if target is None
            else tuple(i.files_for[target.name] for i in self.images if target.name in i.files_for),
        )


OnProgress = Callable[[int, int], None]
"""Receives the number of images written so far, and the number of all."""


def post_link(
    request: PostLinkRequest, on_progress: OnProgress = lambda done, total: None
) -> PostLinkResult:
    """Link the inputs, split them, and write the images and then the tables."""
    linked = read_and_link(request.inputs)
    table = request.targets
    _refuse_other_code_than_spirv(request, linked)
    split_program = partial(
        PostLinked.of,
        mode=request.split,
        features=request.features,
        only_kernels=request.only_kernels,
        table=table,
    )
    open_program = split_program(linked)
    findings = find_in_program(
        linked, open_program.used, conditional=open_program.conditional, table=table
    )
    program = open_program
    if request.resolve:
        linked, unknown = _decided(linked, request.resolve, table)
        findings += unknown
        program = split_program(linked)
    _check_outputs(request, program.image_count)
    written: list[WrittenImage] = []
    images = _images(program, request)
    with StagedFiles() as staged:
        for image in write_images(images, request.files, staged, request.table_targets):
            written.append(image)
            on_progress(len(written), program.image_count)
        warnings = tuple(linked.module.context.take_warnings())
        result = PostLinkResult(request.files.titles, tuple(written), tuple(findings), warnings)
        for file in request.tables:
            staged.add(file.path, format_file_table(result.table(file.target)))
        staged.put_in_place()
    return result


def _refuse_other_code_than_spirv(request: PostLinkRequest, linked: LinkedProgram) -> None:
    """Raise `UsageError` if an option requires SPIR-V and the code is for another IR family."""
    is_spirv = family_name(linked.module.triple) in ("", IRFamily.SPIRV64)
    wanted = {
        f"-optional-features={request.features}": request.features is OptionalFeatures.CONDITIONAL,
        "-spirv": request.files.code is SPIRV,
    }
    for option, is_given in wanted.items():
        if is_given and not is_spirv:
            raise UsageError(
                f"'{option}' requires device code for SPIR-V, but '{request.inputs[0]}' is for"
                f" {linked.module.triple}",
                hint=f"leave it out, or compile the sources for {IRFamily.SPIRV64.triple}",
            )


def _images(program: PostLinked, request: PostLinkRequest) -> Iterator[DeviceImage]:
    """Return the images; if conditions are resolved for a target, they are for that one only."""
    name = compile_target([request.resolve]) if request.resolve else ""
    for image in program.images(request.wanted):
        yield replace(image, info=replace(image.info, compile_target=name)) if name else image


def _decided(
    linked: LinkedProgram, target: Target, table: Table
) -> tuple[LinkedProgram, list[Finding]]:
    """Return the program with conditions resolved for a target, and those that stay unknown."""
    written = conditions_in(linked)
    if not written:
        return linked, []
    (variant,) = variants_of(written, [target], table)
    return resolve_conditions(linked, variant), list(
        unknown_conditions(linked, written, [target], table)
    )


def _check_outputs(request: PostLinkRequest, images: int) -> None:
    """Raise `UsageError` if a file would be written twice, or over an input."""
    request.files.check()
    names_of = _Names()
    taken = {names_of.identity(path): path for path in request.inputs if path != STREAM}
    inputs = set(taken)
    names: dict[str, None] = {}
    for number in range(images):
        for target in (None, *request.table_targets):
            names |= dict.fromkeys(request.files.names(number, target))
    for name in (*names, *(table.path for table in request.tables)):
        identity = names_of.identity(name)
        if identity in taken:
            what = "is one of the inputs" if identity in inputs else "would be written twice"
            raise UsageError(
                f"the output '{name}' {what}",
                hint="give the table another name with -o, or another folder with -out-dir",
            )
        taken[identity] = name


class _Names:
    """Computes canonical names of files, which need not exist."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def identity(self, path: str) -> tuple[str, str]:
        """Return the same value for all names of a file."""
        if Path(path).is_symlink():
            path = str(Path(path).resolve())
        folder, name = split(path)
        if folder not in self._folders:
            self._folders[folder] = str(Path(folder).resolve())
        return self._folders[folder], name


def link_only(inputs: Sequence[str], *, as_text: bool) -> tuple[bytes, PostLinkResult]:
    """Return the linked module as bitcode or text, with metadata of each function's aspects."""
    linked = read_and_link(inputs)
    program = PostLinked.of(linked, SplitMode.NONE)
    findings = tuple(find_in_program(linked, program.used, conditional=program.conditional))
    warnings = tuple(linked.module.context.take_warnings())
    module = linked.module
    content = module.to_text().encode() if as_text else module.to_bitcode()
    return content, PostLinkResult((), (), findings, warnings)


def read_and_link(inputs: Sequence[str]) -> LinkedProgram:
    """Read untrusted modules from files, and link them."""
    context = Context()
    return link_modules([_read(path, context) for path in inputs])


def _read(path: str, context: Context) -> DeviceModule:
    require_utf8_name(path)
    data = read_input(path, LLVM_IR)
    if not data:
        raise InputError(f"'{path}' is empty", hint="expected LLVM bitcode or textual IR")
    module = parse_untrusted(data, path, context)
    return DeviceModule(module, facts_of(module))
