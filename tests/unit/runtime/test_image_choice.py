"""Which images are chosen and linked, compared with a slow and obvious way to do it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st
from image_sets import properties_of
from mock_programs import Image, device, program

from dovetail import (
    DuplicateDefinition,
    FormatError,
    KernelNotSupported,
    MissingImport,
    NoImageForDevice,
    Program,
)
from dovetail.image import (
    BundleState,
    IRModule,
    IRType,
    PropertySets,
    Requirements,
    SyclBin,
    write_program,
)
from dovetail.runtime.backend import CodeKind
from dovetail.runtime.image_choice import ImageChoice, choose_image
from dovetail.runtime.linking import LinkSet, link_set
from dovetail.runtime.program_image import ProgramImage
from dovetail.targets import aspect_number

FP16 = aspect_number("fp16")


def images_of(loaded: Program) -> tuple[ProgramImage, ...]:
    return loaded._images.images  # pyright: ignore[reportPrivateUsage]


def links_of(image: ProgramImage) -> LinkSet:
    return link_set(image, "k", "k", device())


def chosen_of(*arguments: Any) -> ImageChoice:
    chosen = choose_image(*arguments).chosen
    assert chosen
    return chosen


def test_image_with_the_function_is_linked_and_what_it_needs_too() -> None:
    one = program(Image(("k",), imports=("f",)), name="one")
    two = program(Image(exports=("f",), imports=("g",)), Image(exports=("h",)), name="two")
    three = program(Image(exports=("g",)), name="three")
    links = links_of(images_of(one)[0])
    assert links.images == (images_of(one)[0], images_of(two)[0], images_of(three)[0])
    assert not links.missing


def test_programs_that_are_gone_export_nothing() -> None:
    one = program(Image(("k",), imports=("f",)))
    two = program(Image(exports=("f",)))
    assert one["k"].fit(device()) is None
    del two
    error = one["k"].fit(device())
    assert isinstance(error, MissingImport)
    assert error.message == (
        "kernel 'k' needs the function 'f', which no loaded program defines; it is imported by"
        " image 0 of a.syclbin"
    )


def test_own_program_comes_first() -> None:
    one = program(Image(("k",), imports=("f",)), Image(exports=("f",)))
    two = program(Image(exports=("f",)), name="two")
    assert links_of(images_of(one)[0]).images == images_of(one)
    del two


def test_two_definitions_name_both() -> None:
    one = program(Image(("k",), imports=("_Z1fv",)))
    two = program(Image(exports=("_Z1fv",)), name="two.syclbin")
    three = program(Image(exports=("_Z1fv", "g")), name="three.syclbin")
    error = one["k"].fit(device())
    assert isinstance(error, DuplicateDefinition)
    assert error.message == (
        "kernel 'k' cannot be linked: image 0 of two.syclbin and image 0 of three.syclbin both"
        " define 'f()'"
    )
    del two, three


def test_images_of_other_families_are_not_linked() -> None:
    ptx: PropertySets = {"Dovetail/family": {**properties_of(family="nvptx64")}}
    mine = Image(("k",), imports=("f",))
    loaded = program(
        mine,
        Image(exports=("f",)),
        replace(mine, more=ptx, code=("PTX",)),
        Image(exports=("f",), more=ptx, code=()),
    )
    first, second, third, fourth = images_of(loaded)
    assert links_of(first).images == (first, second)
    assert links_of(third).images == (third, fourth)
    assert chosen_of("k", "k", [third, first], device()).links.root == first
    others = program(Image(("k",), imports=("f",), more=ptx), name="other")
    assert links_of(images_of(others)[0]).images == (*images_of(others), fourth)


def test_two_definitions_that_nobody_asked_for() -> None:
    one = program(Image(("k",), imports=("f", "g")))
    two = program(Image(exports=("f", "h")), name="two")
    three = program(Image(exports=("g", "h")), name="three")
    assert isinstance(one["k"].fit(device()), DuplicateDefinition)
    del two, three


def test_inline_functions_may_be_in_several_images() -> None:
    one = program(Image(("k",), exports=("h",), inline=("h",), imports=("f", "i")))
    two = program(Image(exports=("f", "h"), inline=("h",)), name="two")
    three = [program(Image(exports=("i", s), inline=("i",)), name=s) for s in "xy"]
    assert one["k"].fit(device()) is None
    four = program(Image(exports=("i",)), name="four")
    assert isinstance(one["k"].fit(device()), DuplicateDefinition), "this one is not inline"
    del two, three, four


def test_program_that_is_loaded_twice_is_no_conflict() -> None:
    one = program(Image(("k",), imports=("f",)))
    two = [program(Image(exports=("f",))) for _ in range(2)]
    assert one["k"].fit(device()) is None
    del two


def test_native_code_of_the_very_architecture_comes_first() -> None:
    kernel = program(Image(("k",), code=("SPIR-V", "other", "x86_64")))["k"]
    (image,) = kernel._images  # pyright: ignore[reportPrivateUsage]
    chosen = chosen_of("k", "k", [image], device())
    assert [form.target for form in chosen.forms] == ["x86_64"]


def test_native_image_is_preferred_to_an_earlier_one_without() -> None:
    loaded = program(Image(("k",)), Image(("k",), code=("x86_64",)))
    chosen = chosen_of("k", "k", images_of(loaded), device())
    assert chosen.links.root == images_of(loaded)[1]


def test_native_code_cannot_be_linked() -> None:
    loaded = program(
        Image(("k",), imports=("f",), code=("SPIR-V", "x86_64")), Image(exports=("f",))
    )
    chosen = chosen_of("k", "k", images_of(loaded)[:1], device())
    assert [form.kind for form in chosen.forms] == [CodeKind.SPIRV, CodeKind.SPIRV]


def test_device_that_stands_for_another_takes_its_own_code() -> None:
    loaded = program(Image(("k",), code=("intel_gpu_pvc", "x86_64")))
    chosen = chosen_of("k", "k", images_of(loaded), device().as_target("intel_gpu_pvc"))
    assert [form.target for form in chosen.forms] == ["x86_64"]


def test_no_image_tells_what_there_is() -> None:
    error = program(Image(("k",), code=("intel_gpu_pvc", "PTX")))["k"].fit(device())
    assert isinstance(error, NoImageForDevice)
    assert error.message == (
        "there is no code of kernel 'k' for 'a device' (target 'x86_64'):"
        " image 0 of a.syclbin has native for intel_gpu_pvc, PTX"
    )


def test_kernel_whose_code_was_filtered_out_is_refused_with_the_reason() -> None:
    loaded = program(Image(("k",), requires=Requirements((FP16,)), code=()))
    assert isinstance(loaded["k"].fit(device()), KernelNotSupported)
    fits_but_has_no_code = program(Image(("k",), code=()))["k"].fit(device())
    assert isinstance(fits_but_has_no_code, NoImageForDevice)


def test_kernel_whose_compiler_failed_says_so() -> None:
    failed: PropertySets = {
        "Dovetail/failed targets": {**properties_of(fixed_targets=["spir64_x86_64"])}
    }
    error = program(Image(("k",), code=("intel_gpu_pvc",), more=failed))["k"].fit(device())
    assert isinstance(error, NoImageForDevice)
    assert error.message == (
        "there is no code of kernel 'k' for 'a device' (target 'x86_64'): the compiler for"
        " spir64_x86_64 failed on it when the program was built"
    )


def test_image_that_does_not_fit_is_no_reason_if_another_does() -> None:
    needy = Image(("k",), requires=Requirements((FP16,)))
    loaded = program(needy, Image(("k",)))
    assert loaded["k"].fit(device()) is None
    assert isinstance(
        program(needy, replace(needy, code=()))["k"].fit(device()), KernelNotSupported
    )


def test_trace_tells_what_is_taken_and_why_others_are_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOVETAIL_TRACE", "images")
    loaded = program(
        Image(("k",), requires=Requirements((FP16,))),
        Image(("k",), imports=("f",)),
        Image(exports=("f",)),
        Image(("l",)),
    )
    loaded["k"]._code_for(device())  # pyright: ignore[reportPrivateUsage]
    assert capsys.readouterr().err == (
        "dovetail: kernel 'k' on 'a device':\n"
        "  image 1 of a.syclbin is used: SPIR-V, 4 bytes\n"
        "  image 2 of a.syclbin is used: SPIR-V, 4 bytes, for 'f', which image 1 of a.syclbin"
        " imports\n"
        "  image 0 of a.syclbin is not used: kernel 'k' cannot run on 'a device': it needs aspect"
        " 'fp16', which the device does not have\n"
        "  1 other images of a.syclbin do not have the kernel\n"
    )


SYMBOLS = st.lists(st.sampled_from("abcd"), unique=True, max_size=3).map(tuple)
REQUIREMENTS = st.builds(
    Requirements,
    st.sets(st.sampled_from([1, 5, 6])).map(tuple),
    st.sampled_from([None, 8, 32]),
    st.sampled_from([(), (64,), (65,), (2, 2)]),
)
CODE = st.sampled_from([("SPIR-V",), ("x86_64",), ("x86_64", "SPIR-V"), ("intel_gpu_pvc",), ()])
IMAGES = st.builds(Image, exports=SYMBOLS, imports=SYMBOLS, requires=REQUIREMENTS, code=CODE)
PROGRAMS = st.lists(st.lists(IMAGES, max_size=3), min_size=1, max_size=3)
Place = tuple[int, int]
"""The number of a program, and of an image in it."""


@given(PROGRAMS, IMAGES)
def test_like_the_slow_way(others: list[list[Image]], root: Image) -> None:
    texts = [[replace(root, kernels=("k",)), *others[0]], *others[1:]]
    loaded = [program(*images, name=str(number)) for number, images in enumerate(texts)]
    expected = slow_verdict(texts)
    error = loaded[0]["k"].fit(device())
    if isinstance(expected, type):
        assert type(error) is expected
        return
    assert error is None
    chosen = chosen_of("k", "k", images_of(loaded[0])[:1], device())
    assert {(int(i.program.name), i.number) for i in chosen.links.images} == expected


def slow_verdict(texts: list[list[Image]]) -> type[Exception] | set[Place]:
    """The images to link, or the error that a launch of the first image's kernel raises."""
    at = {(p, i): image for p, images in enumerate(texts) for i, image in enumerate(images)}
    linked: list[Place] = [(0, 0)]
    missing: set[tuple[Place, str]] = set()
    done: set[tuple[Place, str]] = set()
    while True:
        defined = [symbol for place in linked for symbol in at[place].exports]
        if len(set(defined)) < len(defined):
            return DuplicateDefinition
        unmet = [(p, s) for p in linked for s in at[p].imports if (p, s) not in done]
        if not unmet:
            break
        importer, symbol = unmet[0]
        found = [p for p, image in at.items() if symbol in image.exports]
        found = [p for p in found if p[0] == importer[0]] or _different(found, texts)
        if len(found) > 1:
            return DuplicateDefinition
        done.add((importer, symbol))
        if not found:
            missing.add((importer, symbol))
        elif found[0] not in linked:
            linked.append(found[0])
    if not all(slow_fit(at[place].requires) for place in linked):
        return KernelNotSupported
    if missing:
        return MissingImport
    if linked == [(0, 0)] and "x86_64" in at[0, 0].code:
        return set(linked)
    return set(linked) if all("SPIR-V" in at[p].code for p in linked) else NoImageForDevice


def _different(found: list[Place], texts: list[list[Image]]) -> list[Place]:
    """Programs of the same content count once."""
    seen: list[tuple[list[Image], int]] = []
    kept: list[Place] = []
    for number, index in found:
        if (texts[number], index) not in seen:
            seen.append((texts[number], index))
            kept.append((number, index))
    return kept


def slow_fit(requires: Requirements) -> bool:
    return (
        set(requires.aspects) <= {1, 6}
        and requires.sub_group_size in (None, 8, 16)
        and requires.work_group_size != (65,)
    )


def test_verdict_does_not_depend_on_the_order_of_imports() -> None:
    two = program(Image(exports=("a", "b")), name="two")
    three = program(Image(exports=("b",)), name="three")
    for imports in (("a", "b"), ("b", "a")):
        one = program(Image(("k",), imports=imports), name="one")
        assert isinstance(one["k"].fit(device()), DuplicateDefinition)
        del one
    del two, three


def test_refused_launch_does_not_keep_a_program_loaded() -> None:
    one = program(Image(("k",), exports=("f",), imports=("g",)), name="one")
    with pytest.raises(MissingImport):
        one["k"].work_group_size(device())
    del one
    two = program(Image(("k",), imports=("f",)), name="two")
    assert isinstance(two["k"].fit(device()), MissingImport), "nothing exports it any more"


def test_damaged_image_concerns_its_own_kernels_alone() -> None:
    odd: PropertySets = {"SYCL/device requirements": {"aspects": 1}}
    loaded = program(Image(("k",), more=odd), Image(("l",)))
    fits = loaded.fit(device())
    assert isinstance(fits["k()"], FormatError)
    assert "image 0 of a.syclbin is damaged" in str(fits["k()"])
    assert fits["l()"] is None


def test_program_with_damaged_exports_is_not_loaded() -> None:
    with pytest.raises(FormatError, match="exported symbols"):
        program(Image(("k",), more={"SYCL/exported symbols": {"f": b"x"}}))


def spirv_for(*targets: str) -> Program:
    code = IRModule.of(IRType.SPIRV, "a triple", b"code", targets=targets)
    module = replace(Image(("k",)).module(), ir_modules=(code,))
    return Program.from_bytes(write_program(SyclBin.of(BundleState.INPUT, [module])), "a.syclbin")


@pytest.mark.parametrize(
    "targets", [(), ("x86_64",), ("spir64_x86_64",), ("intel_gpu_pvc", "x86_64")]
)
def test_code_for_some_targets_is_taken_by_their_devices(targets: tuple[str, ...]) -> None:
    assert spirv_for(*targets)["k"].fit(device()) is None


def test_code_for_other_targets_is_not_taken() -> None:
    error = spirv_for("intel_gpu_pvc", "intel_gpu_dg1")["k"].fit(device())
    assert isinstance(error, NoImageForDevice)
    assert error.message == (
        "there is no code of kernel 'k' for 'a device' (target 'x86_64'): image 0 of"
        " a.syclbin has SPIR-V for intel_gpu_pvc and intel_gpu_dg1"
    )


def test_device_takes_the_code_of_what_it_stands_for() -> None:
    kernel = spirv_for("intel_gpu_pvc")["k"]
    assert kernel.fit(device().as_target("intel_gpu_pvc")) is None
    assert isinstance(kernel.fit(device().as_target("intel_gpu_dg1")), NoImageForDevice)


def test_image_whose_conditions_were_decided_for_others_is_not_taken() -> None:
    loaded = program(
        Image(("k",), resolved=("intel_gpu_pvc",)), Image(("k",), resolved=("x86_64",))
    )
    assert chosen_of("k", "k", images_of(loaded), device()).links.root.number == 1
    as_pvc = device().as_target("intel_gpu_pvc")
    assert chosen_of("k", "k", images_of(loaded), as_pvc).links.root.number == 0
    error = loaded["k"].fit(device().as_target("intel_gpu_dg1"))
    assert isinstance(error, NoImageForDevice)
    assert error.message.splitlines()[0] == (
        "there is no code of kernel 'k' for target 'intel_gpu_dg1': the conditions in image 0"
        " of a.syclbin are resolved for intel_gpu_pvc"
    )


def test_what_a_target_lacks_is_told_though_there_is_code_for_others() -> None:
    needy = Requirements((aspect_number("fp64"),))
    loaded = program(
        Image(("k",), resolved=("x86_64",)),
        Image(("k",), resolved=("intel_gpu_acm_g10",), requires=needy),
    )
    error = loaded["k"].fit(device().as_target("intel_gpu_acm_g10"))
    assert isinstance(error, KernelNotSupported)
    assert error.aspects == ("fp64",)


def test_native_code_of_decided_conditions_is_for_what_the_device_stands_for() -> None:
    open_, decided = Image(("k",)), Image(("k",), resolved=("x86_64",), code=("x86_64",))
    loaded = program(open_, decided)
    assert chosen_of("k", "k", images_of(loaded), device()).links.root.number == 1
    as_pvc = device().as_target("intel_gpu_pvc")
    assert chosen_of("k", "k", images_of(loaded), as_pvc).links.root.number == 0


def test_what_was_decided_for_any_processor_is_for_no_model_of_them() -> None:
    loaded = program(Image(("k",)), Image(("k",), resolved=("x86_64",)))
    as_spr = device().as_target("intel_cpu_spr")
    assert chosen_of("k", "k", images_of(loaded), as_spr).links.root.number == 0
    alone = program(Image(("k",), resolved=("x86_64",)))
    error = alone["k"].fit(as_spr)
    assert isinstance(error, NoImageForDevice)
    assert "are resolved for x86_64" in error.message


def test_imports_come_from_images_of_the_same_conditions() -> None:
    kernel, function = Image(("k",), imports=("f",)), Image(exports=("f",))
    variants = [
        replace(image, resolved=resolved)
        for resolved in ((), ("x86_64",), ("intel_gpu_pvc",))
        for image in (kernel, function)
    ]
    loaded = program(*variants)
    images = images_of(loaded)
    assert links_of(images[0]).images == images[0:2]
    assert links_of(images[2]).images == images[2:4]
    elsewhere = program(kernel, replace(kernel, resolved=("intel_cpu_spr", "x86_64")), name="other")
    assert {links_of(image).images[1] for image in images_of(elsewhere)} == {images[1]}
    only_decided = program(*variants[2:], name="decided")
    del loaded, images
    assert links_of(images_of(elsewhere)[0]).images[1:] == images_of(only_decided)[1:2]


def test_two_programs_define_a_function_whatever_was_decided() -> None:
    one = program(Image(("k",), imports=("f",)))
    two = program(Image(exports=("f",)), name="two")
    three = program(Image(exports=("f",), resolved=("x86_64",)), name="three")
    assert isinstance(one["k"].fit(device()), DuplicateDefinition)
    as_pvc = device().as_target("intel_gpu_pvc")
    assert one["k"].fit(as_pvc) is None, "the third is not for it"
    del two, three
