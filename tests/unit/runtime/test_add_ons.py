"""Which add-ons are linked on which device, compared with a slow and obvious way to choose them."""

from collections.abc import Sequence
from dataclasses import replace
from struct import pack

import pytest
from conditional_programs import calling
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
from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, OR, Condition, read_condition
from dovetail.facts import Place
from dovetail.image import (
    AddOn,
    AspectUse,
    CallOnPath,
    PropertySets,
    Requirements,
)
from dovetail.runtime import Device
from dovetail.runtime.backend import CodeKind
from dovetail.runtime.image_choice import choose_image
from dovetail.runtime.program_image import ProgramImage
from dovetail.targets import aspect_number, default_table

FP16, FP64, GPU = map(aspect_number, ("fp16", "fp64", "gpu"))
TABLE = default_table()


def architecture(name: str) -> int:
    number = TABLE.architecture(name)
    assert number is not None
    return number


HAS_FP64 = read_condition((ASPECT, FP64))
HAS_FP16 = read_condition((ASPECT, FP16))
IS_CPU = read_condition((ARCHITECTURE, architecture("x86_64")))
IS_PVC = read_condition((ARCHITECTURE, architecture("intel_gpu_pvc")))


def real(identifier: str, *exports: str) -> Image:
    return Image(exports=exports, add_on=AddOn(identifier, is_real=True))


def stub(identifier: str, *exports: str) -> Image:
    return Image(exports=exports, add_on=AddOn(identifier, is_real=False))


def images_of(loaded: Program) -> tuple[ProgramImage, ...]:
    return loaded._images.images  # pyright: ignore[reportPrivateUsage]


def linked(loaded: Program, on: Device | None = None) -> list[str]:
    """The images that are linked for kernel k, as `program:number`."""
    attempt = choose_image("k", "k", images_of(loaded)[:1], on or device())
    assert attempt.chosen, attempt.problem
    images = attempt.chosen.links.images
    return [f"{image.program.name}:{image.number}" for image in images]


MAIN = Image(("k",), add_ons={"1": HAS_FP64})


@pytest.mark.parametrize(
    ("condition", "on", "number"),
    [
        (HAS_FP64, device(), 1),
        (HAS_FP64, device(aspects=frozenset()), 2),
        (HAS_FP64, device().as_target("intel_gpu_pvc"), 1),
        (HAS_FP64, device().as_target("intel_gpu_acm_g10"), 2),
        (IS_CPU, device(), 1),
        (IS_CPU, device().as_target("intel_gpu_pvc"), 2),
        (IS_PVC, device(), 2),
        (IS_PVC, device().as_target("intel_gpu_pvc"), 1),
        (IS_PVC, device().as_target("intel_gpu_12_60_7"), 1),
        (IS_PVC, device(target=""), 2),
        (IS_CPU, device(target=""), 2),
        (IS_CPU, device(target="a target of tomorrow"), 2),
        (read_condition((ASPECT, 4711)), device(), 2),
        (read_condition((NOT, ASPECT, 4711)), device(), 1),
        (read_condition((ARCHITECTURE, 4711)), device(), 2),
        (read_condition((AND, *HAS_FP64, NOT, *IS_PVC)), device(), 1),
        (
            read_condition((AND, *HAS_FP64, NOT, *IS_PVC)),
            device().as_target("intel_gpu_pvc"),
            2,
        ),
    ],
)
def test_the_device_decides(condition: Condition, on: Device, number: int) -> None:
    loaded = program(replace(MAIN, add_ons={"1": condition}), real("1", "f"), stub("1", "f"))
    assert linked(loaded, on) == ["a.syclbin:0", f"a.syclbin:{number}"]


def test_architecture_of_a_device() -> None:
    assert device().architecture == architecture("x86_64")
    assert device().as_target("intel_gpu_dg1").architecture == architecture("intel_gpu_dg1")
    assert device().as_target("spir64").architecture is None


def test_add_ons_of_add_ons_and_of_imported_images() -> None:
    one = program(
        Image(("k",), imports=("f",), add_ons={"1": HAS_FP64}),
        replace(real("1", "a"), add_ons={"2": HAS_FP16}),
        stub("1", "a"),
        real("2", "b"),
        replace(stub("2", "b"), imports=("g",)),
        name="one",
    )
    two = program(
        Image(exports=("f",), add_ons={"1": HAS_FP16}),
        real("1", "c"),
        stub("1", "c"),
        Image(exports=("g",)),
        name="two",
    )
    assert linked(one) == ["one:0", "one:1", "two:0", "one:4", "two:2", "two:3"]
    both = device(aspects=frozenset({"fp16", "fp64"}))
    assert linked(one, both) == ["one:0", "one:1", "two:0", "one:3", "two:1"]
    neither = device(aspects=frozenset())
    assert linked(one, neither) == ["one:0", "one:2", "two:0", "two:2"]
    del two


def test_pair_that_several_images_name_is_linked_once() -> None:
    loaded = program(
        Image(("k",), imports=("f",), add_ons={"1": HAS_FP64}),
        real("1", "a"),
        stub("1", "a"),
        Image(exports=("f",), add_ons={"1": HAS_FP64}),
    )
    assert linked(loaded) == ["a.syclbin:0", "a.syclbin:1", "a.syclbin:3"]


def test_add_ons_that_name_each_other() -> None:
    loaded = program(
        MAIN,
        replace(real("1", "a"), add_ons={"2": HAS_FP64, "1": HAS_FP64}),
        stub("1", "a"),
        replace(real("2", "b"), add_ons={"1": HAS_FP64}),
        stub("2", "b"),
    )
    assert linked(loaded) == ["a.syclbin:0", "a.syclbin:1", "a.syclbin:3"]


def test_long_chains_are_no_problem() -> None:
    length = 2000
    chain = [replace(real(str(n), f"f{n}"), add_ons={str(n + 1): HAS_FP64}) for n in range(length)]
    stubs = [stub(str(n), f"f{n}") for n in range(length + 1)]
    main = replace(MAIN, add_ons={"0": HAS_FP64})
    assert len(linked(program(main, *chain, real(str(length)), *stubs))) == length + 2


def test_what_add_ons_define_is_for_their_main_images_alone() -> None:
    one = program(MAIN, real("1", "f"), stub("1", "f"), name="one")
    assert linked(one) == ["one:0", "one:1"]
    for add_ons in (one, program(Image(exports=("g",)), real("1", "f"), name="two")):
        other = program(Image(("k",), imports=("f",)), name="other")
        assert isinstance(other["k"].fit(device()), MissingImport)
        del add_ons, other


def test_own_add_ons_define_what_is_imported() -> None:
    loaded = program(replace(MAIN, imports=("f",)), real("1", "f"), stub("1", "f"))
    other = program(Image(exports=("f",)), name="other")
    assert linked(loaded) == ["a.syclbin:0", "a.syclbin:1"]
    del other


def test_kernels_are_not_in_add_ons() -> None:
    loaded = program(MAIN, replace(real("1"), kernels=("k", "l")), stub("1"))
    assert [kernel.symbol for kernel in loaded] == ["k"]
    assert linked(loaded) == ["a.syclbin:0", "a.syclbin:1"]


def test_native_code_is_no_choice_with_add_ons() -> None:
    loaded = program(replace(MAIN, code=("SPIR-V", "x86_64")), real("1"), stub("1"))
    chosen = choose_image("k", "k", images_of(loaded)[:1], device()).chosen
    assert chosen
    assert [form.kind for form in chosen.forms] == [CodeKind.SPIRV, CodeKind.SPIRV]
    without = program(MAIN, replace(real("1"), code=()), stub("1"))["k"]
    assert isinstance(without.fit(device()), NoImageForDevice)
    assert without.fit(device(aspects=frozenset())) is None


@pytest.mark.parametrize(
    ("images", "found"),
    [
        ([], "got 0 and 0"),
        ([real("1")], "got 1 and 0"),
        ([stub("1")], "got 0 and 1"),
        ([real("1"), real("1"), stub("1")], "got 2 and 1"),
        ([real("1"), stub("1"), stub("1")], "got 1 and 2"),
        ([real("01"), stub("01")], "got 0 and 0"),
    ],
)
def test_pair_that_is_none_is_an_error(images: Sequence[Image], found: str) -> None:
    other = program(real("1"), stub("1"), name="other")
    loaded = program(MAIN, *images)
    for on in (device(), device(aspects=frozenset())):
        error = loaded["k"].fit(on)
        assert isinstance(error, FormatError)
        assert error.message == (
            "image 0 of a.syclbin is damaged: expected one real image and one stub of add-on '1',"
            f" {found} in a.syclbin"
        )
    del other


def test_families_have_pairs_of_their_own() -> None:
    ptx: PropertySets = {"Dovetail/family": {**properties_of(family="nvptx64")}}
    others = [replace(image, more=ptx) for image in (MAIN, real("1"), stub("1"))]
    assert linked(program(MAIN, *others, real("1"), stub("1"))) == ["a.syclbin:0", "a.syclbin:4"]


@pytest.mark.parametrize("ints", [(), (-1,), (-1, 6, 6), (-7, 1), (NOT,) * 10**6])
def test_malformed_condition_is_an_error_of_the_image_that_has_it(ints: tuple[int, ...]) -> None:
    bad: PropertySets = {"SYCL/add on images": {"2": pack(f"<{len(ints)}i", *ints)}}
    one = program(Image(("k",), imports=("f",)), Image(("l",)), name="one")
    two = program(Image(exports=("f",), more=bad), name="two")
    error = one["k"].fit(device())
    assert isinstance(error, FormatError)
    assert error.message.startswith(
        "image 0 of two is damaged: property '2' of set 'SYCL/add on images': malformed condition"
    )
    assert one["l"].fit(device()) is None
    del two


def test_program_with_damaged_add_ons_is_not_loaded() -> None:
    with pytest.raises(FormatError, match=r"'SYCL/add on image': .* got 2"):
        program(Image(more={"SYCL/add on image": {"1": 2}}))


def test_stub_does_not_stand_in_for_what_another_program_does() -> None:
    one = program(
        Image(("k",), imports=("f",), add_ons={"1": HAS_FP64}),
        replace(real("1", "a"), inline=("a",)),
        replace(stub("1", "a"), inline=("a",)),
        name="one",
    )
    pair = [replace(image, inline=("a",)) for image in (real("1", "a"), stub("1", "a"))]
    same = program(Image(exports=("f",), add_ons={"1": HAS_FP64}), *pair, name="same")
    assert linked(one) == ["one:0", "one:1", "same:0", "same:1"]
    del same
    other = program(Image(exports=("f",), add_ons={"1": HAS_FP16}), *pair, name="other")
    assert isinstance(one["k"].fit(device()), DuplicateDefinition)
    assert linked(one, device(aspects=frozenset({"fp16", "fp64"})))
    del other


def test_requirements_are_those_of_what_is_linked() -> None:
    needy = replace(real("1", "f"), requires=Requirements((GPU,)))
    loaded = program(MAIN, needy, stub("1", "f"))
    assert loaded["k"].fit(device(aspects=frozenset())) is None
    assert isinstance(loaded["k"].fit(device()), KernelNotSupported)
    needy_stub = replace(stub("1"), requires=Requirements(sub_group_size=64))
    error = program(MAIN, real("1"), needy_stub)["k"].fit(device(aspects=frozenset()))
    assert isinstance(error, KernelNotSupported)
    assert error.sub_group_size == 64


def test_refusal_tells_the_condition_and_the_place() -> None:
    use = AspectUse(
        "object of type 'half'",
        Place("a.cpp", 3, 7),
        (CallOnPath("a lambda", "g", Place("a.cpp", 8, 5)),),
    )
    uses: PropertySets = {
        "Dovetail/aspect uses": {**properties_of(aspect_uses={"a": {"fp16": use}})}
    }
    needy = replace(real("2", "b", "a"), requires=Requirements((FP16,)), more=uses)
    condition = read_condition((AND, *HAS_FP64, NOT, *IS_PVC))
    loaded = program(
        Image(("k",), imports=("_Z1fv",)),
        Image(exports=("_Z1fv",), add_ons={"2": condition}),
        needy,
        stub("2", "a"),
    )
    error = loaded["k"].fit(device())
    assert isinstance(error, KernelNotSupported)
    assert error.message == (
        "kernel 'k' cannot run on 'a device': the code under the condition 'fp64 and not"
        " intel_gpu_pvc', which it calls through 'f()', needs aspect 'fp16', which the device does"
        " not have\n"
        "  a.cpp:3:7: aspect 'fp16' is needed here: object of type 'half'\n"
        "  a.cpp:8:5: 'g' is called here by 'a lambda'"
    )
    assert error.uses == {"fp16": use}


def used_at(**lines: int) -> PropertySets:
    """Where functions use half."""
    uses = {
        name: {"fp16": AspectUse("'half'", Place("a.cpp", at, 1))} for name, at in lines.items()
    }
    return {"Dovetail/aspect uses": {**properties_of(aspect_uses=uses)}}


def needing_half(identifier: str, **lines: int) -> list[Image]:
    """A pair with functions, and where these use half."""
    whole = real(identifier, *lines)
    return [
        replace(whole, requires=Requirements((FP16,)), more=used_at(**lines)),
        stub(identifier, *lines),
    ]


def refusal(loaded: Program, kernel: str = "k") -> KernelNotSupported:
    error = loaded[kernel].fit(device())
    assert isinstance(error, KernelNotSupported), error
    return error


def place(error: KernelNotSupported) -> int:
    return error.uses["fp16"].place.line


CALLS = {"k": [(HAS_FP64, "a")], "l": [(HAS_FP64, "b")], "m": [(HAS_FP64, "c")]}


def test_kernels_that_share_an_add_on_are_refused_for_what_each_calls() -> None:
    main = Image(("k", "l", "m"), add_ons={"1": HAS_FP64}, more=calling(CALLS))
    pair = needing_half("1", c=3, b=2, a=1)
    loaded = program(main, *pair)
    assert [place(refusal(loaded, kernel)) for kernel in "klm"] == [1, 2, 3]
    earlier = program(replace(main, more={}), *pair)
    assert [place(refusal(earlier, kernel)) for kernel in "klm"] == [3, 3, 3]
    for kernel in "klm":
        assert (
            refusal(loaded, kernel).message.partition("\n")[0]
            == (refusal(earlier, kernel).message.partition("\n")[0])
        )


def test_what_is_called_first_is_told_first() -> None:
    main = Image(
        ("k", "l"),
        add_ons={"1": HAS_FP64, "2": IS_CPU},
        more=calling(
            {"k": [(IS_CPU, "b"), (HAS_FP64, "a")], "l": [(HAS_FP64, "a"), (IS_CPU, "b")]}
        ),
    )
    loaded = program(main, *needing_half("1", a=1), *needing_half("2", b=2))
    assert [place(refusal(loaded, kernel)) for kernel in "kl"] == [2, 1]
    assert "under the condition 'x86_64', which it calls, needs" in refusal(loaded, "k").message


def test_add_on_that_a_kernel_calls_through_another_is_told_so() -> None:
    """Although the image names it, for another kernel."""
    main = Image(
        ("k", "l"),
        add_ons={"1": HAS_FP64, "2": IS_CPU},
        more=calling({"k": [(IS_CPU, "b")], "l": [(HAS_FP64, "a")]}),
    )
    outer = replace(
        real("2", "b"),
        add_ons={"1": HAS_FP64},
        more=calling({"b": [(IS_CPU, "b"), (HAS_FP64, "c")]}),
    )
    loaded = program(main, *needing_half("1", a=1, c=3), outer, stub("2", "b"))
    error = refusal(loaded, "k")
    assert place(error) == 3
    assert error.message.startswith(
        "kernel 'k' cannot run on 'a device': the code under the condition 'fp64', which it calls"
        " through the code under the condition 'x86_64', needs aspect 'fp16'"
    )
    assert place(refusal(loaded, "l")) == 1


def test_what_an_imported_function_calls_is_told() -> None:
    exporter = Image(
        exports=("f", "g"),
        add_ons={"1": HAS_FP64},
        more=calling({"f": [(HAS_FP64, "a")], "g": [(HAS_FP64, "b")]}),
    )
    main = Image(("k",), imports=("g",))
    error = refusal(program(main, exporter, *needing_half("1", a=1, b=2)))
    assert place(error) == 2
    assert "which it calls through 'g', needs" in error.message


def test_add_on_that_is_not_called_is_linked_and_judged_last() -> None:
    main = Image(
        ("k",), imports=("f",), add_ons={"1": HAS_FP64}, more=calling({"l": [(HAS_FP64, "a")]})
    )
    pair = needing_half("1", a=1, b=2)
    loaded = program(main, *pair, Image(exports=("f",)))
    assert place(refusal(loaded)) == 1
    both = device(aspects=frozenset({"fp16", "fp64"}))
    assert linked(loaded, both) == ["a.syclbin:0", "a.syclbin:3", "a.syclbin:1"]
    assert linked(loaded, device(aspects=frozenset())) == [f"a.syclbin:{n}" for n in (0, 3, 2)]
    needy = Image(exports=("f",), requires=Requirements((GPU,)))
    assert refusal(program(main, *pair, needy)).aspects == ("gpu",)


def test_image_with_add_ons_is_not_conditional() -> None:
    loaded = program(replace(MAIN, more=calling(CALLS)), real("1", "a"), stub("1", "a"))
    contents = images_of(loaded)[0].contents
    assert contents.info.conditional_calls
    assert not contents.info.has_conditions
    assert contents.constants is None


def test_damaged_calls_are_an_error_of_the_image_that_has_them() -> None:
    bad: PropertySets = {"Dovetail/conditional calls": {"a": b"no call"}}
    loaded = program(MAIN, replace(real("1", "a"), more=bad), stub("1", "a"))
    assert loaded["k"].fit(device(aspects=frozenset())) is None
    error = loaded["k"].fit(device())
    assert isinstance(error, FormatError)
    assert error.message.startswith("image 1 of a.syclbin is damaged: property 'a' of set")


def test_calls_of_what_no_add_on_has_change_nothing() -> None:
    main = replace(MAIN, more=calling({"k": [(HAS_FP64, "a"), (HAS_FP64, "nowhere")]}))
    loaded = program(main, real("1", "a"), stub("1", "a"))
    assert linked(loaded) == ["a.syclbin:0", "a.syclbin:1"]


def test_device_refuses_what_the_target_has() -> None:
    needy = replace(real("1"), requires=Requirements((FP64,)))
    kernel = program(MAIN, needy, stub("1"))["k"]
    without = device(aspects=frozenset({"cpu"}))
    assert kernel.fit(without) is None
    error = kernel.fit(without.as_target("intel_gpu_pvc"))
    assert isinstance(error, KernelNotSupported)
    assert error.refused_by == "a device"


@pytest.mark.parametrize("calls", [{}, {"k": [(HAS_FP64, "1"), (HAS_FP16, "2")]}])
def test_trace_tells_which_add_on_is_taken_and_why(
    calls: dict[str, list[tuple[Condition, str]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DOVETAIL_TRACE", "images")
    main = replace(MAIN, add_ons={"1": HAS_FP64, "2": HAS_FP16}, more=calling(calls))
    loaded = program(main, *(make(n, n) for n in "12" for make in (real, stub)))
    loaded["k"]._code_for(device())  # pyright: ignore[reportPrivateUsage]
    assert capsys.readouterr().err == (
        "dovetail: kernel 'k' on 'a device':\n"
        "  image 0 of a.syclbin is used: SPIR-V, 4 bytes\n"
        "  image 1 of a.syclbin is used: SPIR-V, 4 bytes, the real add-on 1 of image 0 of"
        " a.syclbin, since 'fp64' holds\n"
        "  image 4 of a.syclbin is used: SPIR-V, 4 bytes, the stub add-on 2 of image 0 of"
        " a.syclbin, since 'fp16' does not hold\n"
        "  2 other images of a.syclbin do not have the kernel\n"
    )


def test_imports_of_add_ons_are_looked_for_anew_when_a_program_goes() -> None:
    one = program(MAIN, replace(real("1", "a"), imports=("g",)), stub("1", "a"), name="one")
    two = program(Image(exports=("g",)), name="two")
    kernel = one["k"]
    kernel._code_for(device())  # pyright: ignore[reportPrivateUsage]
    here = device()
    kernel._code_for(here)  # pyright: ignore[reportPrivateUsage]
    del two
    assert kernel.fit(here) is None, "what was chosen stays chosen"
    kernel.forget_imports()
    assert isinstance(kernel.fit(here), MissingImport)


# Devices, and programs whose add-ons are chosen for them, at random.

LEAVES = st.sampled_from([HAS_FP16, HAS_FP64, IS_CPU, IS_PVC]).map(tuple[int, ...])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: (
        st.tuples(st.sampled_from([AND, OR]), inner, inner).map(lambda t: (t[0], *t[1], *t[2]))
        | inner.map(lambda ints: (NOT, *ints))
    ),
    max_leaves=6,
)
NAMES = st.sampled_from("123")
PAIRS = st.dictionaries(NAMES, EXPRESSIONS.map(read_condition), max_size=3)
SYMBOLS = st.lists(st.sampled_from("fg"), unique=True, max_size=1).map(tuple)
REQUIREMENTS = st.sampled_from([(), (), (), (), (FP16,), (GPU,)]).map(Requirements)
IMAGES = st.builds(Image, exports=SYMBOLS, imports=SYMBOLS, add_ons=PAIRS, requires=REQUIREMENTS)


def device_with(aspects: set[str], target: str) -> Device:
    return device(aspects=frozenset({"cpu", *aspects}), target=target)


DEVICES = st.builds(
    device_with,
    st.sets(st.sampled_from(["fp16", "fp64", "gpu"])),
    st.sampled_from(["x86_64", "intel_gpu_pvc", ""]),
)
ANY_DEVICES = st.one_of(
    DEVICES,
    st.builds(
        Device.as_target,
        DEVICES,
        st.sampled_from(["intel_gpu_pvc", "intel_gpu_acm_g10", "nvidia_gpu_sm_90"]),
    ),
)


@st.composite
def programs(draw: st.DrawFn) -> list[list[Image]]:
    """Two programs with an image or more, and a real add-on and a stub for every identifier."""
    return [
        [
            *draw(st.lists(IMAGES, min_size=1, max_size=2)),
            *(
                replace(draw(IMAGES), add_on=AddOn(n, is_real=True), exports=(p + n,))
                for n in "123"
            ),
            *(stub(n, p + n) for n in "123"),
        ]
        for p in "ab"
    ]


@given(programs(), ANY_DEVICES)
def test_like_the_slow_way(texts: list[list[Image]], on: Device) -> None:
    texts[0][0] = replace(texts[0][0], kernels=("k",))
    loaded = [program(*images, name=str(number)) for number, images in enumerate(texts)]
    expected = slow_verdict(texts, on)
    error = loaded[0]["k"].fit(on)
    if isinstance(expected, type):
        assert type(error) is expected
    else:
        assert error is None
        assert set(linked(loaded[0], on)) == {f"{p}:{i}" for p, i in expected}


def slow_verdict(texts: list[list[Image]], on: Device) -> type[Exception] | set[tuple[int, int]]:
    """What is linked for the first image's kernel, found by going round until nothing is added."""
    found = {(0, 0)}
    while True:
        added = {place for one in found for place in needed_by(texts, one, on)} - found
        if not added:
            break
        found |= added
    return judged(texts, found, on)


def needed_by(texts: list[list[Image]], place: tuple[int, int], on: Device) -> set[tuple[int, int]]:
    number, index = place
    image = texts[number][index]
    needed: set[tuple[int, int]] = set()
    for identifier, condition in image.add_ons.items():
        wanted = AddOn(identifier, is_real=truth(list(condition), on))
        needed |= {(number, i) for i, each in enumerate(texts[number]) if each.add_on == wanted}
    for symbol in image.imports:
        needed |= set(definitions(texts, number, symbol))
    return needed


def definitions(texts: list[list[Image]], importer: int, symbol: str) -> list[tuple[int, int]]:
    every = [
        (n, i)
        for n, images in enumerate(texts)
        for i, image in enumerate(images)
        if symbol in image.exports and image.add_on is None
    ]
    return [place for place in every if place[0] == importer] or every


def judged(
    texts: list[list[Image]], found: set[tuple[int, int]], on: Device
) -> type[Exception] | set[tuple[int, int]]:
    images = [texts[number][index] for number, index in found]
    exports = [symbol for image in images for symbol in image.exports]
    asked = {(n, s) for n, i in found for s in texts[n][i].imports}
    if len(exports) != len(set(exports)) or any(len(definitions(texts, *a)) > 1 for a in asked):
        return DuplicateDefinition
    aspects = {aspect for image in images for aspect in image.requires.aspects}
    if not all(has(on, aspect) for aspect in aspects):
        return KernelNotSupported
    return MissingImport if any(not definitions(texts, *a) for a in asked) else found


def has(on: Device, aspect: int) -> bool:
    """As the device and as what it stands for; being a GPU is for the latter to say."""
    name = {FP16: "fp16", FP64: "fp64", GPU: "gpu"}[aspect]
    itself = aspect == GPU or name in on.native.description.aspects
    return name in on.aspects and (itself or not on.stands_for)


def truth(ints: list[int], on: Device) -> bool:
    """By recursion, taking integers from the front."""
    node = ints.pop(0)
    if node == NOT:
        return not truth(ints, on)
    if node in (AND, OR):
        both = (truth(ints, on), truth(ints, on))
        return all(both) if node == AND else any(both)
    number = ints.pop(0)
    if node == ASPECT:
        return {FP16: "fp16", FP64: "fp64"}[number] in on.aspects
    return on.target != "" and number == architecture(on.target)
