"""Images whose code is for several devices: who runs what, with what is split as the measure."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from struct import pack
from typing import Any

import pytest
from conditional_programs import FIRST, Conditional, calling, unless
from hypothesis import given, strategies as st
from image_sets import properties_of
from mock_programs import Image, device, program

from dovetail import (
    DovetailError,
    FormatError,
    KernelNotSupported,
    MissingImport,
    NoImageForDevice,
    Program,
)
from dovetail.conditions import AND, ARCHITECTURE, ASPECT, Condition, read_condition
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
from dovetail.runtime.image_choice import ImageChoice, choose_image, values_for
from dovetail.runtime.program_image import ProgramImage
from dovetail.targets import aspect_number, default_table

FP16, FP64, GPU = map(aspect_number, ("fp16", "fp64", "gpu"))
NOTHING = Requirements()
HAS_FP16, HAS_FP64, IS_CPU, IS_PVC = map(
    read_condition,
    (
        (ASPECT, FP16),
        (ASPECT, FP64),
        (ARCHITECTURE, default_table().architecture("x86_64") or 0),
        (ARCHITECTURE, default_table().architecture("intel_gpu_pvc") or 0),
    ),
)


def images_of(loaded: Program) -> tuple[ProgramImage, ...]:
    return loaded._images.images  # pyright: ignore[reportPrivateUsage]


def image(conditional: Conditional, **others: Any) -> Image:
    """An image with these kernels, and all that it says of them."""
    more: PropertySets = {**others.pop("more", {}), **conditional.sets}
    return Image(tuple(conditional.kernels), more=more, **others)


def refusal(loaded: Program, kernel: str = "k", on: Device | None = None) -> KernelNotSupported:
    error = loaded[kernel].fit(on or device())
    assert isinstance(error, KernelNotSupported), error
    return error


def test_each_kernel_is_judged_by_what_it_requires_itself() -> None:
    needs = {
        "k": NOTHING,
        "l": Requirements((FP16, FP64), 16),
        "m": Requirements((FP64,), 8, (4, 4)),
        "n": Requirements(sub_group_size=32),
        "o": Requirements(work_group_size=(65,)),
    }
    loaded = program(image(Conditional(needs)))
    split = program(*(Image((name,), requires=each) for name, each in needs.items()))
    assert {name: str(error) for name, error in loaded.fit(device()).items()} == {
        name: str(error) for name, error in split.fit(device()).items()
    }
    assert refusal(loaded, "l").aspects == ("fp16",)
    assert refusal(loaded, "n").sub_group_size == 32
    assert refusal(loaded, "o").work_group_size == (65,)


def test_work_group_size_is_the_kernels_own() -> None:
    needs = {"k": Requirements(work_group_size=(4, 4)), "l": NOTHING}
    contents = images_of(program(image(Conditional(needs))))[0].contents
    assert contents.work_group_size("k") == (4, 4)
    assert contents.work_group_size("l") == ()


def test_what_the_image_says_of_all_counts_for_those_it_says_nothing_of() -> None:
    one = image(Conditional({"k": NOTHING}), requires=Requirements((FP16,)))
    loaded = program(replace(one, kernels=("k", "l")))
    assert loaded["k"].fit(device()) is None
    assert refusal(loaded, "l").aspects == ("fp16",)


def test_imported_functions_are_judged_one_by_one() -> None:
    functions = {"f": NOTHING, "g": Requirements((FP16,)), "h": Requirements((GPU,))}
    other = program(image(Conditional(functions=functions), exports=("f", "g", "h")), name="other")
    assert program(Image(("k",), imports=("f",)))["k"].fit(device()) is None
    error = refusal(program(Image(("k",), imports=("f", "g"))))
    assert error.message == (
        "kernel 'k' cannot run on 'a device': 'g', which it calls, needs aspect 'fp16', which the"
        " device does not have"
    )
    assert refusal(program(Image(("k",), imports=("h", "g")))).aspects == ("gpu",)
    del other


def test_inline_function_of_the_own_image_is_judged_if_another_image_calls_it() -> None:
    own = Conditional({"k": NOTHING}, {"i": Requirements((FP16,))})
    loaded = program(
        image(own, imports=("f",), exports=("i",), inline=("i",)),
        Image(exports=("f",), imports=("i",)),
        Image(exports=("i",), inline=("i",)),
    )
    assert refusal(loaded).message == (
        "kernel 'k' cannot run on 'a device': 'i', which it calls through 'f', needs aspect"
        " 'fp16', which the device does not have"
    )


def test_refusal_tells_the_condition_and_the_place() -> None:
    use = AspectUse(
        "object of type 'half'",
        Place("a.cpp", 3, 7),
        (CallOnPath("a lambda", "g", Place("a.cpp", 8, 5)),),
    )
    uses: PropertySets = {
        "Dovetail/aspect uses": {**properties_of(aspect_uses={"a": {"fp16": use}})}
    }
    condition = read_condition((AND, *HAS_FP64, *unless(IS_PVC)))
    actions = {"_Z1fv": NOTHING, "a": Requirements((FP16,))}
    loaded = program(
        Image(("k",), imports=("_Z1fv",)),
        image(
            Conditional(functions=actions, calls={"_Z1fv": [(condition, "a")]}),
            exports=("_Z1fv",),
            more=uses,
        ),
    )
    error = refusal(loaded)
    assert error.message == (
        "kernel 'k' cannot run on 'a device': the code under the condition 'fp64 and not"
        " intel_gpu_pvc', which it calls through 'f()', needs aspect 'fp16', which the device does"
        " not have\n"
        "  a.cpp:3:7: aspect 'fp16' is needed here: object of type 'half'\n"
        "  a.cpp:8:5: 'g' is called here by 'a lambda'"
    )
    assert error.uses == {"fp16": use}


def test_one_kernels_conditional_aspects_never_refuse_another() -> None:
    own = Conditional(
        {"k": NOTHING, "l": NOTHING},
        {"a": Requirements((FP16,))},
        {"k": [(HAS_FP64, "a")]},
    )
    loaded = program(image(own))
    assert refusal(loaded).aspects == ("fp16",)
    assert loaded["l"].fit(device()) is None
    assert loaded["k"].fit(device(aspects=frozenset())) is None


def test_actions_that_call_each_other() -> None:
    calls = {"k": [(HAS_FP64, "a")], "a": [(HAS_FP64, "b"), (HAS_FP64, "a")], "b": [(IS_CPU, "a")]}
    own = Conditional({"k": NOTHING}, {"a": NOTHING, "b": Requirements((FP16,))}, calls)
    assert refusal(program(image(own))).message == (
        "kernel 'k' cannot run on 'a device': the code under the condition 'fp64', which it calls"
        " through the code under the condition 'fp64', needs aspect 'fp16', which the device does"
        " not have"
    )


def test_long_chains_are_no_problem() -> None:
    names = [f"a{number}" for number in range(2000)]
    calls = {caller: [(HAS_FP64, name)] for caller, name in zip(("k", *names), names, strict=False)}
    functions = {**dict.fromkeys(names, NOTHING), names[-1]: Requirements((FP16,))}
    error = refusal(program(image(Conditional({"k": NOTHING}, functions, calls))))
    assert error.message.count("the code under the condition 'fp64'") == len(names)


def test_pairs_in_the_requirements_of_another_toolchain() -> None:
    pairs = properties_of(conditional_aspects={HAS_FP64: (FP16, FP64), unless(HAS_FP64): (GPU,)})
    more: PropertySets = {"SYCL/device requirements": pairs}
    loaded = program(Image(("k",), more=more))
    assert refusal(loaded).message == (
        "kernel 'k' cannot run on 'a device': the code under the condition 'fp64', which it calls,"
        " needs aspect 'fp16', which the device does not have"
    )
    assert refusal(loaded, on=device(aspects=frozenset())).aspects == ("gpu",)
    assert loaded["k"].fit(device(aspects=frozenset({"fp16", "fp64"}))) is None


def test_pairs_do_not_count_beside_calls() -> None:
    more: PropertySets = {
        "SYCL/device requirements": properties_of(conditional_aspects={HAS_FP64: (FP16,)})
    }
    own = Conditional(
        {"k": NOTHING, "l": NOTHING}, {"a": Requirements((FP16,))}, {"l": [(HAS_FP64, "a")]}
    )
    assert program(image(own, more=more))["k"].fit(device()) is None


def test_imports_of_actions_count_where_they_are_called() -> None:
    own = Conditional(
        {"k": NOTHING}, {"a": NOTHING}, {"k": [(HAS_FP64, "a")]}, imports={"a": ["f"]}
    )
    loaded = program(image(own, imports=("f", "g")), Image(exports=("g",)))
    assert loaded["k"].fit(device(aspects=frozenset())) is None
    assert isinstance(loaded["k"].fit(device()), MissingImport)
    other = program(
        image(Conditional(functions={"f": Requirements((GPU,))}), exports=("f",)), name="other"
    )
    assert refusal(loaded).message == (
        "kernel 'k' cannot run on 'a device': 'f', which it calls through the code under the"
        " condition 'fp64', needs aspect 'gpu', which the device does not have"
    )
    del other


def test_imports_of_actions_are_looked_for_anew_when_a_program_goes() -> None:
    own = Conditional(
        {"k": NOTHING}, {"a": NOTHING}, {"k": [(HAS_FP64, "a")]}, imports={"a": ["f"]}
    )
    loaded = program(image(own, imports=("f",)))
    other = program(Image(exports=("f",)), name="other")
    here = device()
    loaded["k"]._code_for(here)  # pyright: ignore[reportPrivateUsage]
    del other
    assert loaded["k"].fit(here) is None, "what was chosen stays chosen"
    loaded["k"].forget_imports()
    assert isinstance(loaded["k"].fit(here), MissingImport)


# The values of constants.


SIZED = Requirements((FP16, FP64, GPU), 16, (64,))
ASKS = read_condition((AND, *HAS_FP16, AND, *HAS_FP64, AND, *IS_CPU, *IS_PVC))
WORDS: dict[Requirements | Condition, str] = {
    Requirements((FP16,)): "needs fp16",
    Requirements((FP64,)): "needs fp64",
    Requirements((GPU,)): "needs gpu",
    Requirements(work_group_size=(64,)): "needs 64",
    Requirements(sub_group_size=16): "needs 16",
    HAS_FP16: "has fp16",
    HAS_FP64: "has fp64",
    IS_CPU: "is cpu",
    IS_PVC: "is pvc",
}


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        (device(), {"needs fp64", "needs 64", "needs 16", "has fp64", "is cpu"}),
        (
            device(aspects=frozenset({"fp16"}), sub_group_sizes=(8,)),
            {"needs fp16", "needs 64", "has fp16", "is cpu"},
        ),
        # A requirement is for both to meet, and what something is, is for the target to say.
        (
            device().as_target("intel_gpu_pvc"),
            {"needs fp64", "needs gpu", "needs 64", "needs 16", "has fp16", "has fp64", "is pvc"},
        ),
        (
            device().as_target("intel_gpu_acm_g10"),
            {"needs gpu", "needs 64", "needs 16", "has fp16"},
        ),
    ],
)
def test_values_are_what_the_device_has_and_is(on: Device, expected: set[str]) -> None:
    own = Conditional({"k": SIZED}, {"a": NOTHING}, {"k": [(ASKS, "a")]})
    (only,) = images_of(program(image(own)))
    values = values_for(only, only.contents.forms[0], on)
    assert [spec_id for spec_id, _ in values] == [FIRST + number for number in range(len(WORDS))]
    by_id = dict(values)
    constants = own.constants
    told = {**constants.required, **constants.asked}
    assert {WORDS[what] for spec_id, what in told.items() if by_id[spec_id]} == expected


def test_other_code_is_told_nothing() -> None:
    (plain,) = images_of(program(Image(("k",), requires=SIZED)))
    assert values_for(plain, plain.contents.forms[0], device()) == ()
    (only,) = images_of(program(image(Conditional({"k": SIZED}), code=("x86_64", "SPIR-V"))))
    native, spirv = only.contents.forms
    assert values_for(only, native, device()) == ()
    assert values_for(only, spirv, device())


# Native code.


def chosen_of(loaded: Program, on: Device) -> ImageChoice:
    chosen = choose_image("k", "k", images_of(loaded), on).chosen
    assert chosen
    return chosen


@pytest.mark.parametrize("code", [("SPIR-V", "x86_64"), ("x86_64", "SPIR-V")])
def test_native_code_that_is_without_the_kernel_is_rejected(code: tuple[str, ...]) -> None:
    own = Conditional(
        {"k": Requirements((FP64,)), "l": NOTHING},
        filtered={"x86_64": {"k": ["aspect 'fp64'"]}, "intel_gpu_pvc": {"l": ["aspect 'fp16'"]}},
    )
    loaded = program(image(own, code=code))
    chosen = chosen_of(loaded, device())
    assert [form.kind for form in chosen.forms] == [CodeKind.SPIRV]
    assert [*chosen.rejected] == [
        "it does not contain the kernel, since the target lacks aspect 'fp64'"
    ]
    other = choose_image("l", "l", images_of(loaded), device()).chosen
    assert other
    assert other.forms[0].kind is CodeKind.NATIVE


def test_kernel_that_all_code_is_without() -> None:
    own = Conditional(
        {"k": Requirements((FP16,)), "l": Requirements((FP64,))},
        filtered={"x86_64": {"k": ["aspect 'fp16'"], "l": ["aspect 'fp64'"]}},
    )
    loaded = program(image(own, code=("x86_64",)))
    split = program(Image(("l",), code=()))
    assert refusal(loaded).aspects == ("fp16",)
    error = loaded["l"].fit(device())
    assert isinstance(error, NoImageForDevice)
    assert error.message == str(split["l"].fit(device())).splitlines()[0]


ASKING = Conditional({"k": NOTHING}, {"a": NOTHING}, {"k": [(HAS_FP64, "a")]})


def test_native_code_has_its_conditions_decided() -> None:
    loaded = program(image(ASKING, code=("SPIR-V", "x86_64")))
    assert chosen_of(loaded, device()).forms[0].kind is CodeKind.NATIVE
    chosen = chosen_of(loaded, device().as_target("intel_gpu_pvc"))
    assert chosen.forms[0].kind is CodeKind.SPIRV
    assert [*chosen.rejected] == ["its conditions were resolved for other targets"]
    plain = program(image(Conditional({"k": NOTHING}), code=("SPIR-V", "x86_64")))
    on = device().as_target("intel_gpu_pvc")
    assert chosen_of(plain, on).forms[0].kind is CodeKind.NATIVE


def test_native_code_alone_is_as_an_image_with_decided_conditions() -> None:
    on = device().as_target("intel_gpu_pvc")
    error = program(image(ASKING, code=("x86_64",)))["k"].fit(on)
    split = program(Image(("k",), code=("x86_64",), resolved=("x86_64",)))["k"].fit(on)
    assert isinstance(error, NoImageForDevice)
    assert str(error) == str(split)
    assert program(image(ASKING, code=("x86_64",)))["k"].fit(device()) is None


# What is told, and what is damaged.


def test_trace_tells_what_is_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOVETAIL_TRACE", "images")
    own = Conditional({"k": NOTHING, "l": SIZED}, {"a": NOTHING}, {"k": [(ASKS, "a")]})
    loaded = program(image(own))
    loaded["k"]._code_for(device())  # pyright: ignore[reportPrivateUsage]
    loaded["k"]._code_for(device(aspects=frozenset(), sub_group_sizes=(1,), target=""))  # pyright: ignore[reportPrivateUsage]
    assert capsys.readouterr().err == (
        "dovetail: kernel 'k' on 'a device':\n"
        "  image 0 of a.syclbin is used: SPIR-V, 4 bytes\n"
        "  image 0 of a.syclbin is specialized: requirements met: aspect 'fp64', work-groups of"
        " 64, sub-groups of 16; conditions that hold: 'fp64', 'x86_64'\n"
        "dovetail: kernel 'k' on 'a device':\n"
        "  image 0 of a.syclbin is used: SPIR-V, 4 bytes\n"
        "  image 0 of a.syclbin is specialized: requirements met: work-groups of 64;"
        " conditions that hold: none\n"
    )


@pytest.mark.parametrize(
    "name",
    [
        "SYCL/kernel reqs",
        "SYCL/special specialization constants",
        "Dovetail/conditional calls",
        "Dovetail/conditional imports",
        "Dovetail/filtered kernels",
        "SYCL/device requirements",
    ],
)
def test_damaged_sets_are_an_error_of_the_image_that_has_them(name: str) -> None:
    key = {
        "SYCL/special specialization constants": "aspects",
        "SYCL/device requirements": "condition-1",
    }.get(name, "k")
    bad: PropertySets = {name: {key: 7 if name != "SYCL/kernel reqs" else pack("<I", 2)}}
    more = {**Conditional({"k": NOTHING}).sets, **bad}
    loaded = program(Image(("k",), code=("x86_64", "SPIR-V"), more=more), Image(("l",)))
    error = loaded["k"].fit(device())
    assert isinstance(error, FormatError)
    assert error.message.startswith("image 0 of a.syclbin is damaged: property")
    assert loaded["l"].fit(device()) is None


def test_damaged_sets_of_an_imported_image() -> None:
    other = program(Image(exports=("f",), more={"SYCL/kernel reqs": {"x": 1}}), name="other")
    error = program(Image(("k",), imports=("f",)))["k"].fit(device())
    assert isinstance(error, FormatError)
    assert error.message.startswith("image 0 of other is damaged: property 'x' of set")
    del other


# Any program: one image for all kernels gives the same verdicts, word for word, as one for each.


@dataclass(frozen=True)
class Function:
    requires: Requirements
    calls: tuple[tuple[Condition, int], ...]
    """Conditions, with the number of an action."""


@dataclass(frozen=True)
class Model:
    """A program whose kernels import the same functions, and another one that has these."""

    kernels: tuple[Function, ...]
    actions: tuple[Function, ...]
    """Each with its own condition, which is that of the first call of it."""
    imports: tuple[str, ...]
    action_imports: tuple[tuple[str, ...], ...]
    exports: tuple[Function, ...]
    """`f`, `g` and so on, as many as there are."""

    def condition(self, action: int) -> Condition:
        return CONDITIONS[action]


CONDITIONS = (HAS_FP16, unless(HAS_FP64), HAS_FP64, read_condition((AND, *HAS_FP64, *IS_PVC)))
NAMES = "fgh"
REQUIREMENTS = st.sampled_from(
    [NOTHING] * 4
    + [
        Requirements((FP16,)),
        Requirements((FP16, GPU)),
        Requirements((FP64,), 16),
        Requirements(sub_group_size=32, work_group_size=(65,)),
    ]
)
IMPORTS = st.lists(st.sampled_from(NAMES), unique=True, max_size=2).map(tuple)


def functions(least: int) -> st.SearchStrategy[Function]:
    """Those that call actions from a number on."""
    numbers = st.sets(st.integers(least, len(CONDITIONS) - 1), max_size=2)
    calls = st.just(()) if least == len(CONDITIONS) else numbers.map(_calls)
    return st.builds(Function, REQUIREMENTS, calls)


def _calls(numbers: set[int]) -> tuple[tuple[Condition, int], ...]:
    return tuple((CONDITIONS[number], number) for number in sorted(numbers))


MODELS = st.builds(
    Model,
    st.lists(functions(0), min_size=1, max_size=3).map(tuple),
    st.tuples(*(functions(number + 1) for number in range(len(CONDITIONS)))),
    IMPORTS,
    st.tuples(*(IMPORTS for _ in CONDITIONS)),
    st.lists(functions(2), max_size=3).map(tuple),
)


def device_with(aspects: set[str], target: str) -> Device:
    return device(aspects=frozenset({"cpu", *aspects}), target=target)


DEVICES = st.builds(
    device_with,
    st.sets(st.sampled_from(["fp16", "fp64", "gpu"])),
    st.sampled_from(["x86_64", "intel_gpu_pvc", ""]),
)
ANY_DEVICES = st.one_of(
    DEVICES,
    st.builds(Device.as_target, DEVICES, st.sampled_from(["intel_gpu_pvc", "intel_gpu_acm_g10"])),
)


def split(model: Model, *, telling: bool = False) -> tuple[Program, Program]:
    """With an image for each kernel and function, and add-ons; telling who calls what of them."""

    def one(prefix: str, function: Function, **others: Any) -> Image:
        add_ons = {str(number): condition for condition, number in function.calls}
        made = [(condition, f"{prefix}{number}") for condition, number in function.calls]
        (caller,) = others.get("kernels", ()) or others["exports"]
        more = calling({caller: made}) if telling else {}
        return Image(requires=function.requires, add_ons=add_ons, more=more, **others)

    def add_ons(prefix: str, *, imports: bool) -> list[Image]:
        made: list[Image] = []
        for number, action in enumerate(model.actions):
            name = f"{prefix}{number}"
            own = model.action_imports[number] if imports else ()
            made += [
                one(prefix, action, exports=(name,), imports=own, add_on=AddOn(str(number), True)),
                Image(exports=(name,), add_on=AddOn(str(number), False)),
            ]
        return made

    kernels = [
        one("a", kernel, kernels=(f"k{number}",), imports=model.imports)
        for number, kernel in enumerate(model.kernels)
    ]
    exports = [
        one("b", function, exports=(name,))
        for name, function in zip(NAMES, model.exports, strict=False)
    ]
    return (
        program(*kernels, *add_ons("a", imports=True), name="one"),
        program(*exports, *add_ons("b", imports=False), name="two"),
    )


def conditional(model: Model) -> tuple[Program, Program]:
    """With one image in each program."""

    def described(prefix: str, roots: dict[str, Function], *, are_kernels: bool) -> Conditional:
        actions = {f"{prefix}{number}": action for number, action in enumerate(model.actions)}
        calls = {
            name: [(condition, f"{prefix}{number}") for condition, number in function.calls]
            for name, function in {**roots, **actions}.items()
        }
        needs = {name: function.requires for name, function in roots.items()}
        of_actions = {name: action.requires for name, action in actions.items()}
        if not are_kernels:
            return Conditional({}, {**needs, **of_actions}, calls)
        own = [[i for i in each if i not in model.imports] for each in model.action_imports]
        return Conditional(needs, of_actions, calls, dict(zip(actions, own, strict=True)))

    kernels = {f"k{number}": kernel for number, kernel in enumerate(model.kernels)}
    exports = dict(zip(NAMES, model.exports, strict=False))
    imports = dict.fromkeys((*model.imports, *(i for each in model.action_imports for i in each)))
    return (
        program(
            image(described("a", kernels, are_kernels=True), imports=tuple(imports)), name="one"
        ),
        program(
            image(described("b", exports, are_kernels=False), exports=tuple(exports)), name="two"
        ),
    )


def said(make: Callable[[Model], tuple[Program, Program]], model: Model, on: Device) -> list[Any]:
    """What the kernels' launches would raise, but for the numbers of images."""
    one, two = make(model)
    errors = list(one.fit(on).values())
    del two
    return [_in_full(error) for error in errors]


def _in_full(error: DovetailError | None) -> tuple[Any, ...]:
    if not isinstance(error, KernelNotSupported):
        return type(error), re.sub(r"image \d+", "image", str(error))
    lack = error.aspects, error.sub_group_size, error.work_group_size
    return type(error), str(error), *lack, error.refused_by


@given(MODELS, ANY_DEVICES)
def test_one_image_is_judged_as_many_are(model: Model, on: Device) -> None:
    expected = said(split, model, on)
    assert said(conditional, model, on) == expected
    assert said(partial(split, telling=True), model, on) == expected
