"""Plan the steps of a request: a graph whose root makes the requested result."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from dovetail.codegen import BuildTarget
from dovetail.driver.device_compilations import (
    DeviceCompilation,
    device_compilations,
    features_of,
    resolved_target,
)
from dovetail.driver.inputs import LinkedObject, unique_prefix
from dovetail.driver.requests import (
    BuildRequest,
    CheckRequest,
    CompileRequest,
    Headers,
    ObjectRequest,
    PassRequest,
    RunRequest,
)
from dovetail.driver.steps.code_generation import CodeGeneration
from dovetail.driver.steps.device_compile import DeviceCompile, DeviceSourceFields
from dovetail.driver.steps.host_compile import HostCompile, HostSourceFields
from dovetail.driver.steps.host_link import ArchiveMembers, HostLink
from dovetail.driver.steps.packaging import Packaging
from dovetail.driver.steps.passes import Passes
from dovetail.driver.steps.post_link import PostLink
from dovetail.driver.steps.program_start import ProgramStart
from dovetail.errors import UsageError
from dovetail.frontend import (
    Dependencies,
    Flags,
    HostForm,
    PrecompiledHeader,
    Source,
    header_macros,
    headers_can_be_stored,
    occurs_in,
    precompiled_header,
)
from dovetail.passes import device_pipeline
from dovetail.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Imported late: most runs of programs have none of these steps.
    from dovetail.driver.steps.aspect_filter import AspectFilter
    from dovetail.driver.steps.cross_source_calls import CrossSourceCalls
    from dovetail.driver.steps.device_check import SourceAnalysis
    from dovetail.driver.steps.object_code import ObjectCode
    from dovetail.driver.steps.object_file import ObjectFile
    from dovetail.driver.steps.output_files import OutputFiles
    from dovetail.driver.steps.precompiled_header import HeaderBodies, PrecompileHeader

ProgramRequest = BuildRequest | RunRequest


def plan_build(
    request: ProgramRequest, headers: Headers, linked: HostLink | None = None
) -> Packaging:
    """Return the graph for a device program.

    `linked` determines which members of archives the host's linker uses.
    """
    if request.flags.targets:
        # Imported late: most programs are built for any device.
        from dovetail.codegen import check_targets

        check_targets(_build_targets(request, request.flags.targets))
    compilations = device_compilations(request.flags)
    code: list[CodeGeneration] = []
    for compilation, modules in zip(
        compilations, _device_modules(request, headers, compilations), strict=True
    ):
        for group, check in _groups(request, modules, linked, compilation):
            code.append(_plan_code(request, group, check, compilation))
    is_program = isinstance(request, BuildRequest)
    return Packaging(tuple(code), is_program, request.output if is_program else None)


def _build_targets(request: ProgramRequest, targets: Iterable[Target]) -> list[BuildTarget]:
    return [BuildTarget(each, request.target_options.get(each.name, ())) for each in targets]


_Group = tuple["tuple[Passes | ObjectCode, ...]", "CrossSourceCalls | None"]


def _groups(
    request: ProgramRequest,
    modules: Sequence[Passes],
    linked: HostLink | None,
    compilation: DeviceCompilation,
) -> Iterator[_Group]:
    """Return the groups of modules that are linked together, each with the check it depends on."""

    def object_code(
        objects: tuple[LinkedObject, ...], own: tuple[Passes, ...], linked: HostLink | None
    ) -> "ObjectCode":
        from dovetail.driver.steps.object_code import ObjectCode

        return ObjectCode(objects, compilation.family, compilation.targets, own, linked)

    objects, sources = request.line.objects, tuple(modules)
    if request.rdc:
        gathered = (object_code(objects, sources, linked),) if objects else ()
        yield (*sources, *gathered), None
        return
    separate = (
        *sources,
        *(object_code((each,), (), linked if each.archive else None) for each in objects),
    )
    from dovetail.driver.steps.cross_source_calls import CrossSourceCalls

    check = CrossSourceCalls(separate, compilation.family)
    yield from (((each,), check) for each in separate)


def _plan_code(
    request: ProgramRequest,
    modules: "tuple[Passes | ObjectCode, ...]",
    check: "CrossSourceCalls | None",
    compilation: DeviceCompilation,
) -> CodeGeneration:
    """Return the graph from modules that are linked together to their code for every target."""
    flags = request.flags
    linked = PostLink(
        modules,
        check,
        names=tuple(source.path for source in request.sources if source.is_cxx),
        family=compilation.family,
        warnings=flags.warnings,
        split=request.split,
        features=features_of(request.features, compilation),
        resolved_early=bool(resolved_target(flags, compilation)),
        targets=compilation.targets,
        resolved_by_macros=flags.device_if == "macros",
        fixed_targets=flags.fixed_targets,
        configured_targets=flags.configured_targets,
    )
    filters = _filters(linked, _build_targets(request, compilation.targets))
    return CodeGeneration(linked, filters, flags.fixed_targets, request.keep_going)


def _filters(linked: PostLink, targets: Sequence[BuildTarget]) -> "tuple[AspectFilter, ...]":
    if not targets:
        return ()
    from dovetail.driver.steps.aspect_filter import AspectFilter

    return tuple(AspectFilter(linked, each) for each in targets)


def _device_modules(
    request: ProgramRequest | ObjectRequest,
    headers: Headers,
    compilations: Sequence[DeviceCompilation],
) -> list[list[Passes]]:
    """Return the modules of all sources for each device compilation."""
    modules: list[list[Passes]] = []
    for compilation, sources in zip(
        compilations, _device_sources(request, headers, compilations), strict=True
    ):
        pipeline = device_pipeline(
            request.flags.optimization,
            request.flags.aspects,
            resolved_target(request.flags, compilation),
        )
        modules.append([_passes(DeviceCompile(*each), ",".join(pipeline)) for each in sources])
    return modules


def _passes(compiled: DeviceCompile, pipeline: str) -> Passes:
    return Passes(
        compiled,
        pipeline,
        compiled.family,
        compiled.source,
        compiled.unique_prefix,
        compiled.targets,
        compiled.flags.configured_targets,
    )


def plan_start(request: RunRequest, headers: Headers) -> ProgramStart:
    """Return the graph for a program, host and device side, to be started now."""
    host = _plan_host(request, headers)
    program = plan_build(request, headers, host if host.is_traced else None)
    return ProgramStart(program, host, request.sources[0].path, request.arguments)


def plan_executable(request: RunRequest, headers: Headers) -> HostLink:
    """Return the graph for a program or shared library that contains its device code."""
    from dovetail.driver.steps.embedded_program import EmbeddedProgram

    form = HostForm.LIBRARY if request.shared else HostForm.PROGRAM
    host = _plan_host(request, headers)._replace(form=form)
    # The device code is linked into it, so archive members are looked up by another link.
    members = ArchiveMembers(*host) if host.is_traced else None
    program = plan_build(request, headers, members)
    return host._replace(embedded=EmbeddedProgram(program, request.shared))


def _plan_host(request: RunRequest, headers: Headers) -> HostLink:
    objects = tuple(HostCompile(*each) for each in _host_sources(request, headers.host))
    wanted = {needed.path: needed for needed in request.line.headers}
    wanted |= {each.header.path: each.header for each in objects if each.header}
    return HostLink(
        objects,
        _bodies(wanted.values(), objects),
        headers=tuple(wanted.values()),
        line=request.line.words,
        is_traced=any(linked.archive for linked in request.line.objects),
    )


def _bodies(
    wanted: Iterable[PrecompiledHeader], compiled: Iterable[HostCompile]
) -> "tuple[HeaderBodies, ...]":
    """Return the steps that compile the bodies of headers that are not in the cache."""
    missing = [header for header in wanted if not header.current]
    if not missing:
        return ()
    from dovetail.driver.steps.precompiled_header import HeaderBodies

    making = {each.precompile.header.path: each.precompile for each in compiled if each.precompile}
    return tuple(HeaderBodies(making.get(header.path) or _precompile(header)) for header in missing)


def plan_objects(request: ObjectRequest, headers: Headers) -> "OutputFiles":
    """Return the graph for object files or, without outputs, for checking sources."""
    from dovetail.driver.steps.output_files import OutputFiles
    from dovetail.driver.steps.syntax_check import DeviceSyntaxCheck, HostSyntaxCheck

    compilations = device_compilations(request.flags)
    if not request.outputs:
        checks: list[DeviceSyntaxCheck | HostSyntaxCheck] = [
            DeviceSyntaxCheck(*each)
            for of_compilation in _device_sources(request, headers, compilations)
            for each in of_compilation
        ]
        checks += (HostSyntaxCheck(*each) for each in _host_sources(request, headers.host))
        return OutputFiles((), tuple(checks))
    outputs = dict(zip(request.sources, request.outputs, strict=True))
    if request.completed:
        return _plan_completed_objects(request, request.completed, outputs, headers)
    modules = [
        made
        for of_compilation in _device_modules(request, headers, compilations)
        for made in of_compilation
    ]
    sources = _host_sources(request, headers.host)
    compiled = [HostCompile(*each._replace(output=outputs[each.source])) for each in sources]
    objects = tuple(_plan_object(request, each, modules) for each in compiled)
    # Linking the objects needs the bodies of their headers.
    taken = {each.header.path: each.header for each in compiled if each.header}
    return OutputFiles(objects, _bodies(taken.values(), compiled))


def _plan_completed_objects(
    request: ObjectRequest, completed: RunRequest, outputs: dict[Source, Path], headers: Headers
) -> "OutputFiles":
    """Return the graph for objects that any linker can link.

    Such a linker cannot add the bodies of a precompiled header, so host code uses none.
    """
    from dovetail.driver.steps.completed_object import CompletedObject
    from dovetail.driver.steps.embedded_program import EmbeddedProgram
    from dovetail.driver.steps.output_files import OutputFiles

    objects: list[CompletedObject] = []
    for fields in _host_sources(request, None):
        source, output = fields.source, outputs[fields.source]
        host = HostCompile(*fields._replace(output=output))
        program = plan_build(completed._replace(sources=(source,)), headers)
        embedded = EmbeddedProgram(program, can_be_unloaded=True)
        objects.append(CompletedObject(host, embedded, output, request.dependencies))
    return OutputFiles(tuple(objects))


def _plan_object(
    request: ObjectRequest, compiled: HostCompile, modules: Iterable[Passes]
) -> "ObjectFile":
    from dovetail.driver.steps.object_file import ObjectFile

    own = tuple(made for made in modules if made.source == compiled.source)
    # The device compilation writes a separate dependency file.
    wants_dependencies = bool(request.dependencies.mode)
    dependency_sources = tuple(each.code for each in own if isinstance(each.code, DeviceCompile))
    return ObjectFile(
        compiled,
        own,
        dependency_sources if wants_dependencies else (),
        compiled.output or Path(),
        (compiled.header,) if compiled.header else (),
        request.dependencies,
        request.flags.targets,
    )


def plan_check(request: CheckRequest, headers: Headers) -> "SourceAnalysis":
    """Return the graph for checking sources: first each separately, then all together.

    Except for conditional preprocessing, all families see the same functions and uses, so checking
    one device compilation is enough: that of the first target.
    """
    from dovetail.driver.steps.device_check import DeviceCheck, SourceAnalysis

    (sources,) = _device_sources(request, headers, device_compilations(request.flags)[:1])
    return SourceAnalysis(tuple(DeviceCheck(*each) for each in sources))


def plan_passes(request: PassRequest) -> Passes:
    """Return the graph for running passes over one file."""
    from dovetail.driver.steps.read_ir import ReadIR

    return Passes(ReadIR(request.input, request.facts), request.pipeline)


def _device_sources(
    request: CompileRequest, headers: Headers, compilations: Sequence[DeviceCompilation]
) -> list[list[DeviceSourceFields]]:
    """Return a record for each source that can have device code, for each device compilation."""
    prefix = request.flags.unique_prefix
    if prefix and sum(source.is_cxx for source in request.sources) > 1:
        raise UsageError(
            "-fsycl-unique-prefix applies to one source, but there are several",
            hint="compile each source separately, or leave the option out",
        )
    # Device compilations of one IR family share the header.
    precompiled = {
        compilation.family: _precompiled(headers.device.get(compilation.family))
        for compilation in compilations
    }
    dependencies = request.dependencies if isinstance(request, ObjectRequest) else Dependencies()
    return [
        [
            DeviceSourceFields(
                source,
                own_flags,
                compilation.family,
                prefix or unique_prefix(source),
                header,
                precompile,
                targets=compilation.own_targets,
                dependencies=dependencies,
            )
            for source in request.sources
            if source.is_cxx
            for own_flags, header, precompile in [
                _header_for(source, request.flags, precompiled[compilation.family])
            ]
        ]
        for compilation in compilations
    ]


def _host_sources(
    request: RunRequest | ObjectRequest, header: PrecompiledHeader | None
) -> list[HostSourceFields]:
    """Return a record for each source."""
    precompiled = _precompiled(header)
    return [
        HostSourceFields(
            source,
            *_header_for(source, request.flags, precompiled),
            output=_object_name(request, source) if isinstance(request, RunRequest) else None,
            is_for_object=isinstance(request, ObjectRequest),
            dependencies=request.dependencies,
        )
        for source in request.sources
    ]


def _object_name(request: RunRequest, source: Source) -> Path | None:
    """Return clang's name for the object of a source that one command compiles and links."""
    if not request.output:
        return None
    return Path(f"{request.output}-{Path(source.path).stem}.o")


_Precompiled = tuple[PrecompiledHeader | None, "PrecompileHeader | None"]
"""A header, and the step that makes it unless it is cached."""


def _precompiled(header: PrecompiledHeader | None) -> _Precompiled:
    return header, None if header is None or header.current else _precompile(header)


def _precompile(header: PrecompiledHeader) -> "PrecompileHeader":
    from dovetail.driver.steps.precompiled_header import PrecompileHeader

    return PrecompileHeader(header)


def _header_for(
    source: Source, flags: Flags, precompiled: _Precompiled
) -> tuple[Flags, PrecompiledHeader | None, "PrecompileHeader | None"]:
    """Return the header that a source is compiled with, if it can use one, and the flags for it.

    Macros that the source defines before it includes the header may select a variant.
    """
    header, _ = precompiled
    macros = header_macros(source, flags, partial(occurs_in, header)) if header else None
    if header is None or macros is None:
        return flags, None, None
    if not macros:
        return flags, *precompiled
    own = flags._replace(macros=(*flags.macros, *macros))
    variant = precompiled_header(header.side, own, header.family)
    if not variant.current and not headers_can_be_stored():
        return flags, None, None
    return own, *_precompiled(variant)
