"""What targets get of images whose kernels are for different devices."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ClassVar

import pytest

from dovetail.artifacts import CodeForm, ConditionalCode, DeviceImage
from dovetail.codegen import (
    NO_VALUES,
    BuildTarget,
    CodeGenerationError,
    CodeGenerator,
    Values,
    generators_of,
)
from dovetail.codegen.session import CodegenSession
from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, Condition, read_condition
from dovetail.driver.code_cache import CachingCodeGenerator, ModuleDigests
from dovetail.driver.fitting import values_on
from dovetail.driver.target_code import (
    CodeGroup,
    TargetImages,
    compiled_images,
    filter_images,
    generate_code,
    group_targets,
)
from dovetail.image import (
    ActionCall,
    Constants,
    ImageInfo,
    NativeImage,
    Requirements,
    numbered_reqs,
)
from dovetail.ir import Context, Module
from dovetail.kernel_info import KernelInfo
from dovetail.spirv.expressions import Expressions
from dovetail.targets import Table, Target, aspect_number, default_table

FP16, FP64, GPU = map(aspect_number, ("fp16", "fp64", "gpu"))
PLAIN, DOUBLE, SMALL = Requirements(), Requirements((FP64,)), Requirements((), 8)
IS_GPU = read_condition((ASPECT, GPU))
TABLE = default_table()
ACM, PVC, X86 = "intel_gpu_acm_g10", "intel_gpu_pvc", "x86_64"
ADL = "intel_gpu_adl_s"


def image(
    kernels: Mapping[str, Requirements],
    functions: Mapping[str, Requirements] | None = None,
    calls: Mapping[str, tuple[ActionCall, ...]] | None = None,
    asked: Sequence[Condition] = (),
) -> DeviceImage:
    """A conditional image with these kernels, actions, and calls of actions."""
    required = {1: DOUBLE, 2: SMALL}
    constants = Constants(required, dict(enumerate(asked, 3)))
    infos = tuple(KernelInfo(symbol, f"{symbol}()", symbol, 0, ()) for symbol in kernels)
    code = ConditionalCode(constants, Expressions(), {}, {})
    module = Module.parse(Context(), b"define spir_kernel void @k() { ret void }", "a.ll")
    info = ImageInfo(
        kernels=infos,
        kernel_reqs=numbered_reqs(kernels, required),
        function_reqs=numbered_reqs(functions or {}, required),
        conditional_calls=calls or {},
    )
    return DeviceImage(module, (*kernels,), info, conditional=code)


def filtered(made: DeviceImage, *names: str, table: Table = TABLE) -> list[TargetImages]:
    return [filter_images([made], BuildTarget(table[name]), table) for name in names]


def test_kernels_that_a_target_cannot_run_are_left_out_and_the_image_stays() -> None:
    mixed = image({"plain": PLAIN, "double": DOUBLE, "small": SMALL})
    acm, pvc = filtered(mixed, ACM, PVC)
    assert acm.gets(0)
    assert acm.left_out(0) == {"double": ("fp64",)}
    assert acm.values[0] == {1: False, 2: True}
    assert pvc.left_out(0) == {"small": ("sub-group size 8",)}
    assert pvc.values[0] == {1: True, 2: False}


def test_image_of_which_a_target_can_run_nothing_is_not_for_it() -> None:
    (acm,) = filtered(image({"one": DOUBLE, "two": Requirements((FP64,), 8)}), ACM)
    assert not acm.gets(0)
    assert acm.dropped == {0: ("fp64",)}
    assert acm.left_out(0) == {}


def test_what_is_called_on_a_target_is_required_there() -> None:
    not_gpu = read_condition((NOT, *IS_GPU))
    made = image(
        {"k": PLAIN, "other": PLAIN},
        {"outer": PLAIN, "inner": DOUBLE},
        {
            "k": (ActionCall(IS_GPU, "outer"),),
            "other": (ActionCall(not_gpu, "inner"),),
            "outer": (
                ActionCall(IS_GPU, "inner"),
                ActionCall(IS_GPU, "outer"),
            ),
        },
        [IS_GPU],
    )
    acm, pvc, x86 = filtered(made, ACM, PVC, X86)
    assert acm.left_out(0) == {"k": ("fp64",)}
    assert pvc.left_out(0) == x86.left_out(0) == {}


def test_what_a_target_may_have_it_can_run_but_is_not_asked_to_use() -> None:
    maybe = Target("maybe", ("gpu",), True)
    half = read_condition((ASPECT, FP16))
    constants = Constants({1: Requirements((FP16,))}, {2: half, 3: IS_GPU})
    assert values_on(maybe, constants, TABLE.with_targets([maybe])) == {1: True, 2: False, 3: True}


def test_work_group_sizes_are_for_devices_to_judge() -> None:
    huge = Requirements((), None, (2**40,))
    assert values_on(TABLE[ACM], Constants({1: huge}, {}), TABLE) == {1: True}


class Recording(CodeGenerator):
    """Makes nothing of value, and remembers of what; refuses what `refused` says."""

    name = "recording"
    specialises = True
    made: ClassVar[list[tuple[tuple[str, ...], dict[int, bool]]]] = []
    refused: ClassVar[list[str]] = []

    def check(self, target: BuildTarget) -> None:
        pass

    def key_parts(self, target: BuildTarget) -> tuple[str, ...]:
        return ()

    def accepts_options(self, target: BuildTarget) -> bool:
        return False

    def generate(
        self,
        image: DeviceImage,
        targets: Sequence[BuildTarget],
        session: CodegenSession,
        values: Values = NO_VALUES,
    ) -> Future[tuple[CodeForm, ...]]:
        return session.pool.submit(
            self._make, tuple(target.name for target in targets), dict(values)
        )

    def _make(self, names: tuple[str, ...], values: dict[int, bool]) -> tuple[CodeForm, ...]:
        self.made.append((names, values))
        if names[0] in self.refused:
            raise CodeGenerationError("the log")
        return (NativeImage.of(names[0], "triple", b"code", targets=names),)


@pytest.fixture
def recording(monkeypatch: pytest.MonkeyPatch) -> Recording:
    monkeypatch.setattr(Recording, "made", [])
    monkeypatch.setattr(Recording, "refused", [])
    return Recording()


def test_targets_on_which_the_constants_are_the_same_share_code(recording: Recording) -> None:
    is_adl = read_condition((ARCHITECTURE, TABLE.architecture(ADL) or 0))
    kernels = {"plain": PLAIN, "double": DOUBLE}
    asking = image(kernels, asked=[is_adl])
    for made, count in ((image(kernels), 1), (asking, 2)):
        group = CodeGroup(recording, tuple(filtered(made, ADL, ACM)))
        variants = group.variants(0)
        assert len(variants) == count
        assert [target.name for each in variants for target in each.targets] == [ADL, ACM]
        assert {tuple(each.left_out) for each in variants} == {("double",)}


def test_spirv_is_the_same_for_all(recording: Recording) -> None:
    (spirv,) = generators_of()
    made = image({"plain": PLAIN, "double": DOUBLE})
    (variant,) = CodeGroup(spirv, tuple(filtered(made, ACM, PVC))).variants(0)
    assert [target.name for target in variant.targets] == [ACM, PVC]
    assert not variant.values
    assert [len(group.variants(0)) for group in group_targets([])] == [1]


def test_images_tell_which_kernels_are_not_there_and_failures_which_are(
    recording: Recording,
) -> None:
    images = [image({"plain": PLAIN, "double": DOUBLE, "small": SMALL}), image({"other": DOUBLE})]
    targets = [filter_images(images, BuildTarget(TABLE[name]), TABLE) for name in (ACM, PVC)]
    recording.refused.append(PVC)
    groups = [CodeGroup(recording, (each,)) for each in targets]
    with ThreadPoolExecutor(1) as pool:
        made = generate_code(images, groups, CodegenSession.on(pool))
    assert [(each.targets, each.kernels) for each in made.failures] == [
        ((PVC,), ("plain()", "double()")),
        ((PVC,), ("other()",)),
    ]
    first, second = compiled_images(images, made, targets)
    assert first.info.filtered_kernels == {
        ACM: {"double": ("fp64",)},
        PVC: {"small": ("sub-group size 8",)},
    }
    assert first.info.filtered_targets == {}
    assert second.info.filtered_kernels == {}
    assert second.info.filtered_targets == {ACM: ("fp64",)}


def test_code_is_kept_for_its_values_and_conditions(recording: Recording) -> None:
    kept = CachingCodeGenerator(recording, ModuleDigests())
    assert kept.specialises
    target = BuildTarget(TABLE[PVC])
    one, other = image({"k": DOUBLE}), image({"k": DOUBLE}, asked=[IS_GPU])
    with ThreadPoolExecutor(1) as pool:
        session = CodegenSession.on(pool)
        for made, values in (
            (one, {1: True}),
            (one, {1: True}),
            (one, {1: False}),
            (other, {1: True}),
        ):
            (form,) = kept.generate(made, [target], session, values).result()
            assert bytes(form.code) == b"code"
    assert [values for _, values in recording.made] == [{1: True}, {1: False}, {1: True}]


def test_conditions_join_several_leaves() -> None:
    both = read_condition((AND, *IS_GPU, ASPECT, FP64))
    made = image({"k": PLAIN}, {"action": SMALL}, {"k": (ActionCall(both, "action"),)})
    acm, pvc = filtered(made, ACM, PVC)
    assert acm.left_out(0) == {}, "it does not call what needs small sub-groups"
    assert pvc.dropped == {0: ("sub-group size 8",)}
