"""From the images of a real program to the code of each target."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import dovetail
from dovetail.artifacts import CodeForm, DeviceImage
from dovetail.codegen import NO_VALUES, BuildTarget, CodeFailure, CodeGenerationError, Values
from dovetail.codegen.session import CodegenSession
from dovetail.driver import BuildRequest, CompileWarning, build_program
from dovetail.driver.inputs import check_unique_prefix, unique_prefix
from dovetail.driver.target_code import (
    CodeGroup,
    compiled_images,
    filter_images,
    generate_code,
    group_targets,
)
from dovetail.errors import CompileError, UsageError
from dovetail.frontend import Flags, Source
from dovetail.image import (
    AbstractModule,
    ImageInfo,
    NativeImage,
    Requirements,
    read_program,
)
from dovetail.ir import Context, Module
from dovetail.targets import aspect_number, default_table

KERNELS = """\
#include <sycl/sycl.hpp>
namespace exp = sycl::ext::oneapi::experimental;
#define KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp::single_task_kernel))
KERNEL void plain(int *p) { *p = 1; }
KERNEL void needs_double(double *p) { *p *= 2; }
"""

SPIRV = "spir64-unknown-unknown"
FP64 = aspect_number("fp64")
TABLE = default_table()


def target(name: str) -> BuildTarget:
    return BuildTarget(default_table()[name])


def built(*names: str) -> dict[str, AbstractModule]:
    """The images of `KERNELS`, by the only kernel of each."""
    targets = tuple(default_table()[name] for name in names)
    request = BuildRequest((Source.from_text(KERNELS),), Flags(targets=targets))
    modules = read_program(build_program(request).program).abstract_modules
    return {_only_kernel(module): module for module in modules}


def _only_kernel(module: AbstractModule) -> str:
    (name,) = module.info.kernel_names
    return next(kernel for kernel in ("plain", "needs_double") if kernel in name)


def test_what_a_target_cannot_run_stays_as_requirements_without_code() -> None:
    images = built("intel_gpu_acm_g10")
    assert [ir.targets for ir in images["plain"].ir_modules] == [("intel_gpu_acm_g10",)]
    assert images["needs_double"].ir_modules == ()
    assert images["needs_double"].info.requirements.aspects == (FP64,)


def test_targets_share_code_and_each_image_says_whose_it_is() -> None:
    images = built("intel_gpu_acm_g10", "intel_gpu_pvc")
    (plain,), (needs_double,) = (images[k].ir_modules for k in ("plain", "needs_double"))
    assert plain.targets == ("intel_gpu_acm_g10", "intel_gpu_pvc")
    assert needs_double.targets == ("intel_gpu_pvc",)
    assert plain.target == needs_double.target == SPIRV


def test_code_for_any_device_serves_named_ones_too() -> None:
    images = built("intel_gpu_acm_g10", "spir64")
    assert [ir.targets for image in images.values() for ir in image.ir_modules] == [(), ()]
    assert [bytes(i.ir_modules[0].code) for i in images.values()] == [
        bytes(i.ir_modules[0].code) for i in built().values()
    ]


def test_fixed_targets_are_kept_and_kernels_that_cannot_run_there_warned_of() -> None:
    fixed = ("intel_gpu_acm_g10", "intel_gpu_pvc")
    with pytest.warns(CompileWarning) as caught:
        program = dovetail.build(KERNELS, fixed_targets=fixed)
    text = str(caught[0].message)
    assert text.count("warning: ") == 1
    assert "kernel 'needs_double' does not fit target 'intel_gpu_acm_g10', which lacks fp64" in text
    assert "[-Wsycl-fixed-targets]" in text
    assert "<stdin>:5:" in text
    modules = read_program(program.to_bytes()).abstract_modules
    assert [module.info.fixed_targets for module in modules] == [fixed, fixed]


def test_warning_comes_once_where_only_the_whole_program_shows_it(tmp_path: Path) -> None:
    callee, caller = tmp_path / "callee.cpp", tmp_path / "caller.cpp"
    callee.write_text(
        "#include <sycl/sycl.hpp>\nSYCL_EXTERNAL void f(int *p) { *p = int(double(*p) * 2); }\n"
    )
    caller.write_text(
        "#include <sycl/sycl.hpp>\nnamespace exp = sycl::ext::oneapi::experimental;\n"
        "SYCL_EXTERNAL void f(int *);\n"
        "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp::single_task_kernel)) void k(int *p) { f(p); }\n"
    )
    with pytest.warns(CompileWarning) as caught:
        dovetail.build(caller, callee, fixed_targets="intel_gpu_acm_g10")
    text = str(caught[0].message)
    assert text.count("-Wsycl-fixed-targets") == 1
    assert "'k' calls 'f(int *)' here" in text or "'k' calls 'f' here" in text


def test_sources_that_are_not_linked_have_images_of_their_own() -> None:
    other = KERNELS.replace("plain", "other").replace("needs_double", "more")
    sources = (Source.from_text(KERNELS), Source.from_text(other))
    whole = build_program(BuildRequest(sources)).program
    apart = build_program(BuildRequest(sources, rdc=False)).program
    names = [
        [name for module in read_program(p).abstract_modules for name in module.info.kernel_names]
        for p in (whole, apart)
    ]
    assert sorted(names[0]) == sorted(names[1])


def test_functions_of_sources_that_are_not_linked_cannot_be_called() -> None:
    calls = "#include <sycl/sycl.hpp>\nSYCL_EXTERNAL void f();\n" + KERNELS.replace("*p = 1", "f()")
    defines = "#include <sycl/sycl.hpp>\nSYCL_EXTERNAL void f() {}\n"
    sources = (Source.from_text(calls), Source("f.cpp", defines, is_file=False))
    build_program(BuildRequest(sources))
    with pytest.raises(CompileError) as caught:
        build_program(BuildRequest(sources, rdc=False))
    assert "error: 'f()' is defined in 'f.cpp', but -fno-sycl-rdc" in caught.value.message
    # The call, on the line that the kernel is on.
    assert caught.value.message.startswith("<stdin>:6:")
    program = build_program(BuildRequest(sources[:1], rdc=False)).program
    modules = read_program(program).abstract_modules
    assert {name for m in modules for name in m.info.imports} == {"_Z1fv"}


def test_kernels_that_are_not_external_cannot_be_called_by_other_sources() -> None:
    calls = "#include <sycl/sycl.hpp>\nSYCL_EXTERNAL void plain(int *);\n" + KERNELS.replace(
        "void plain(int *p) { *p = 1; }", "void caller(int *p) { plain(p); }"
    )
    kernels = KERNELS.replace("needs_double", "more")
    sources = (Source.from_text(kernels), Source("calls.cpp", calls, is_file=False))
    with pytest.raises(CompileError) as caught:
        build_program(BuildRequest(sources))
    assert "<stdin>:2:20: error: kernel 'plain' is SYCL_EXTERNAL here but" in caught.value.message
    assert "<stdin>:4:13: note: defined here" in caught.value.message
    with pytest.raises(CompileError, match="is defined in '<stdin>', but -fno-sycl-rdc"):
        build_program(BuildRequest(sources, rdc=False))
    external = kernels.replace("KERNEL void plain", "KERNEL SYCL_EXTERNAL void plain")
    program = build_program(BuildRequest((Source.from_text(external), sources[1]))).program
    modules = read_program(program).abstract_modules
    assert not any(module.info.imports for module in modules)


def image(*aspects: int) -> DeviceImage:
    text = b"define spir_kernel void @k() { ret void }"
    module = Module.parse(Context(), text, "a.ll")
    return DeviceImage(module, ("k",), ImageInfo(requirements=Requirements(aspects)))


def test_filter_tells_what_is_lacking() -> None:
    images = [image(), image(FP64)]
    assert filter_images(images, target("intel_gpu_acm_g10"), TABLE).dropped == {1: ("fp64",)}
    assert filter_images(images, target("intel_gpu_pvc"), TABLE).dropped == {}
    assert filter_images(images, target("spir64"), TABLE).dropped == {}


class ByWords:
    """A compiler whose code depends on the target's options, and which refuses one of them."""

    name = "by words"
    specialises = True

    def __init__(self) -> None:
        self.begun: list[tuple[DeviceImage, str]] = []

    def check(self, target: BuildTarget) -> None:
        pass

    def key_parts(self, target: BuildTarget) -> tuple[str, ...]:
        return (target.target.options,)

    def accepts_options(self, target: BuildTarget) -> bool:
        return True

    def cost(self, targets: Sequence[BuildTarget]) -> tuple[int, ...]:
        return (len(targets[0].target.sub_group_sizes),)

    def generate(
        self,
        image: DeviceImage,
        targets: Sequence[BuildTarget],
        session: CodegenSession,
        values: Values = NO_VALUES,
    ) -> Future[tuple[CodeForm, ...]]:
        self.begun.append((image, targets[0].name))
        return session.pool.submit(self._compile, image, targets)

    def _compile(self, image: DeviceImage, targets: Sequence[BuildTarget]) -> tuple[CodeForm, ...]:
        if image.info.requirements.aspects:
            raise CodeGenerationError("the log", hint="the hint")
        return tuple(NativeImage.of(each.name, "a triple", b"code") for each in targets)


def groups(monkeypatch: pytest.MonkeyPatch, images: list[DeviceImage]) -> list[CodeGroup]:
    compiler = ByWords()
    monkeypatch.setattr("dovetail.driver.target_code.generators_of", lambda toolchain: (compiler,))  # pyright: ignore[reportUnknownArgumentType, reportUnknownLambdaType]
    names = ("intel_gpu_adl_s", "intel_gpu_pvc", "intel_gpu_rpl_s")
    return group_targets([filter_images(images, target(name), TABLE) for name in names])


def test_targets_with_the_same_words_are_compiled_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    images = [image()]
    found = groups(monkeypatch, images)
    assert [[each.target.name for each in group.members] for group in found] == [
        ["intel_gpu_adl_s", "intel_gpu_rpl_s"],
        ["intel_gpu_pvc"],
    ]
    with ThreadPoolExecutor(1) as pool:
        made = generate_code(images, found, CodegenSession.on(pool))
    (compiled,) = compiled_images(images, made)
    assert [form.arch for form in compiled.forms if isinstance(form, NativeImage)] == [
        "intel_gpu_adl_s",
        "intel_gpu_rpl_s",
        "intel_gpu_pvc",
    ]


def test_what_takes_longest_is_begun_with(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = image(), replace(image(), entry_points=("k", "l"))
    found = groups(monkeypatch, [small, large])
    # The table lists three sub-group sizes for adl_s and two for pvc, which is put first here.
    found.reverse()
    with ThreadPoolExecutor(1) as pool:
        made = generate_code([small, large], found, CodegenSession.on(pool))
    (compiler,) = {group.generator for group in found}
    assert isinstance(compiler, ByWords)
    assert compiler.begun == [
        (large, "intel_gpu_adl_s"),
        (large, "intel_gpu_pvc"),
        (small, "intel_gpu_adl_s"),
        (small, "intel_gpu_pvc"),
    ]
    # The program has it in the order in which it was asked for.
    for number in (0, 1):
        archs = [form.arch for form in made.code[number] if isinstance(form, NativeImage)]
        assert archs == ["intel_gpu_pvc", "intel_gpu_adl_s", "intel_gpu_rpl_s"]


def test_refusal_names_image_and_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    images = [image(), image(FP64)]
    found = groups(monkeypatch, images)
    with ThreadPoolExecutor(1) as pool:
        made = generate_code(images, found, CodegenSession.on(pool))
    (failure,) = made.failures_of[1]
    assert failure == CodeFailure((), ("k",), ("intel_gpu_pvc",), "the log", "the hint")
    assert made.failures == [failure]
    assert made.code.keys() == {0}


def test_images_tell_who_does_not_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    images = [image(), image(FP64)]
    found = groups(monkeypatch, images)
    filtered = [member for group in found for member in group.members]
    with ThreadPoolExecutor(1) as pool:
        made = generate_code(images, found, CodegenSession.on(pool))
    plain, double = compiled_images(images, made, filtered, ["spir64"])
    assert plain.info.filtered_targets == {}
    assert plain.info.failed_targets == ()
    lacking = ("fp64",)
    assert double.info.filtered_targets == {
        "intel_gpu_adl_s": lacking,
        "intel_gpu_rpl_s": lacking,
    }
    assert double.info.failed_targets == ("intel_gpu_pvc",)
    assert double.info.fixed_targets == ("spir64",)
    assert double.forms == ()


def test_images_for_one_target_only_have_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    sub_groups_of_8 = ImageInfo(requirements=Requirements((), 8))
    images = [image(), replace(image(), info=sub_groups_of_8), image(FP64)]
    found = groups(monkeypatch, images)
    filtered = [member for group in found for member in group.members]
    with ThreadPoolExecutor(1) as pool:
        made = generate_code(images, found, CodegenSession.on(pool))
    compiled = compiled_images(images, made, filtered)
    # Two targets are one architecture, and of the last image no compiler makes code.
    assert [each.info.compile_target for each in compiled] == ["", "intel_gpu_adl_s", ""]
    at_run_time = compiled_images(images, made, [filter_images(images, target("spir64"), TABLE)])
    assert [each.info.compile_target for each in at_run_time] == ["", "", ""]


def test_prefix_comes_from_path_and_content(tmp_path: Path) -> None:
    one, two = tmp_path / "1.cpp", tmp_path / "2.cpp"
    one.write_text("int a;")
    two.write_text("int a;")
    prefixes = [unique_prefix(Source.from_file(path)) for path in (one, two)]
    one.write_text("int b;")
    prefixes.append(unique_prefix(Source.from_file(one)))
    assert len(set(prefixes)) == 3
    one.write_text("int a;")
    assert unique_prefix(Source.from_file(one)) == prefixes[0]
    check_unique_prefix(prefixes[0])


@pytest.mark.parametrize("prefix", ["", "a-b", "a b", "ä"])
def test_prefix_that_no_name_can_have(prefix: str) -> None:
    with pytest.raises(UsageError, match="invalid unique prefix"):
        check_unique_prefix(prefix)
