"""Conditional SPIR-V of real kernels, specialized for each device."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from variants import one_in

from dovetail import trust
from dovetail.artifacts import ConditionalCode, DeviceImage, DeviceModule
from dovetail.codegen import BuildTarget, InvalidCode
from dovetail.codegen.generator import CodeGenerationError
from dovetail.codegen.ocloc.compilation import compile_with_ocloc
from dovetail.codegen.session import CodegenSession
from dovetail.codegen.spirv import validate
from dovetail.codegen.spirv.emit import emit_spirv
from dovetail.codegen.spirv.forms import use_byte_pointers
from dovetail.codegen.spirv.image_spirv import specialised_spirv_of, spirv_of
from dovetail.conditions import Condition
from dovetail.device_metadata import facts_of
from dovetail.frontend import Flags, Source, compile_command, run_clang
from dovetail.image import Constants, ImageInfo, NativeImage, Requirements
from dovetail.ir import Context, Module as IRModule
from dovetail.passes import PassContext, device_pipeline, parse_pipeline, run_pipeline
from dovetail.postlink import OptionalFeatures, PostLinked, SplitMode, link_modules
from dovetail.spirv import SpirvModule, specialise
from dovetail.spirv.expressions import FIRST_SPEC_ID, Expressions
from dovetail.spirv.specialise import specialised
from dovetail.spirv_validator import validation_error
from dovetail.targets import aspect_number, default_table

INT64_ATOMICS, FLOAT16, FLOAT64, FLOAT64_ADD = 12, 9, 10, 6034
OPTIONAL = {INT64_ATOMICS, FLOAT16, FLOAT64, FLOAT64_ADD}

HEAD = """\
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
using sycl::aspect;
#define KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
template <typename T> using atomic =
    sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>;
"""
KERNELS = {
    "kernels beside each other": """
KERNEL void wide(double *p, float *q) { p[0] += q[0]; }
KERNEL void narrow(float *p, sycl::half *q) { p[0] += q[0]; }
KERNEL void plain(float *p, float *q) { p[0] += q[0]; }
""",
    "captured pointers": """
KERNEL void kernel(void *p, int *q) {
  exp_::if_device_has<aspect::fp64>([=] { auto d = static_cast<double *>(p); *d *= 2.5; })
      .otherwise([=] { *q = 1; });
  exp_::if_device_has<aspect::fp16>([=] { auto h = static_cast<sycl::half *>(p); h[1] = *h * *h; });
}
""",
    "captured references, arrays and bytes": """
struct Wide { int n; double d[4]; };
KERNEL void kernel(char *p, int *q) {
  int count = *q;
  struct { char bytes[24]; } box;
  for (int i = 0; i < 24; ++i) box.bytes[i] = p[i];
  exp_::if_device_has<aspect::fp64>([=] { *q = *reinterpret_cast<const double *>(box.bytes); });
  exp_::if_device_has<aspect::fp64>([&] {
    count += reinterpret_cast<Wide *>(p)->d[2];
    reinterpret_cast<Wide *>(box.bytes)->d[1] += 2.5;
  });
  *q += count + box.bytes[3];
}
""",
    "functions for both": """
[[gnu::noinline]] void copy(void *to, const void *from, int n) { __builtin_memcpy(to, from, n); }
[[gnu::noinline]] void keep(void **to, void *p) { *to = p; }
[[gnu::noinline]] void *same(void *p, int n) { return n == 3 ? nullptr : p; }
KERNEL void kernel(void *p, int *q, void **r) {
  copy(p, q, *q);
  keep(r, q);
  exp_::if_device_has<aspect::fp64>([=] {
    auto d = static_cast<double *>(p);
    double e = *d;
    copy(d, d + 5, 3);
    keep(r, d + 4);
    *static_cast<double *>(same(d, q[1])) = e;
  });
  *q = 5 + *static_cast<int *>(same(q + 1, *q));
}
""",
    "conditions in conditions": """
KERNEL void kernel(char *p, int *q) {
  exp_::if_device_has<aspect::fp16>([=] {
    auto h = reinterpret_cast<sycl::half *>(p);
    *h = *h + sycl::half(1);
    exp_::if_device_has<aspect::fp64>([=] { *reinterpret_cast<double *>(h) += 1; });
  });
  *q = 3;
}
""",
    "atomics": """
KERNEL void kernel(char *p, int *q, float *f) {
  exp_::if_device_has<aspect::atomic64>([=] {
    atomic<unsigned long>(*reinterpret_cast<unsigned long *>(p)) += 5;
  });
  exp_::if_device_has<aspect::fp64, aspect::atomic64>([=] {
    atomic<double>(*reinterpret_cast<double *>(p)) += 5;
  });
  atomic<int>(*q) += 5;
  atomic<float>(*f) += 5;
}
""",
    "device globals": """
struct Wide { int n; double d[2]; };
exp_::device_global<double> shared;
exp_::device_global<Wide, decltype(exp_::properties{exp_::device_image_scope})> own;
KERNEL void wide(double *p) { shared.get() += *p; own.get().d[1] += *p; }
KERNEL void kernel(float *p) {
  exp_::if_device_has<aspect::fp64>([=] { *p = float(shared.get() + own.get().d[0]); });
  *p += 1;
}
""",
    "sub-groups": """
KERNEL [[sycl::reqd_sub_group_size(8)]] void eight(double *p) {
  *p += sycl::reduce_over_group(sycl::ext::oneapi::this_work_item::get_sub_group(), *p,
                                sycl::plus<double>());
}
KERNEL void kernel(float *p) {
  auto group = sycl::ext::oneapi::this_work_item::get_sub_group();
  *p += sycl::reduce_over_group(group, *p, sycl::plus<float>());
  exp_::if_device_has<aspect::fp16>([=] {
    sycl::half h = *p;
    *p += float(sycl::reduce_over_group(group, h, sycl::plus<sycl::half>()));
  });
}
""",
}
NAMES = ("fp64", "fp16", "atomic64")
NEEDED = {
    FLOAT64: {"fp64"},
    FLOAT16: {"fp16"},
    INT64_ATOMICS: {"atomic64"},
    FLOAT64_ADD: {"fp64", "atomic64"},
}
"""The aspects that capabilities require."""


@pytest.fixture(scope="module")
def session() -> Iterator[CodegenSession]:
    with ThreadPoolExecutor(1) as pool:
        yield CodegenSession.on(pool)


@pytest.fixture
def image_of(tmp_path: Path) -> Callable[[str], DeviceImage]:
    """Return a function that builds one image of kernels for different devices."""

    def make(text: str) -> DeviceImage:
        (tmp_path / "k.cpp").write_text(HEAD + text)
        source = Source.from_file(str(tmp_path / "k.cpp"))
        bitcode, facts = tmp_path / "k.bc", tmp_path / "k.json"
        command = compile_command(source, Flags(), header=None, bitcode=bitcode, facts=facts)
        run_clang(command)
        device = DeviceModule.load(Context(), source.path, bitcode, facts)
        pipeline = parse_pipeline(",".join(device_pipeline("2", "written")))
        run_pipeline(pipeline, PassContext(device.facts), device.module)
        linked = link_modules([DeviceModule(device.module, facts_of(device.module))])
        (image,) = PostLinked.of(
            linked, SplitMode.OFF, features=OptionalFeatures.CONDITIONAL
        ).images()
        return image

    return make


def conditional_code(image: DeviceImage) -> ConditionalCode:
    assert image.conditional
    return image.conditional


def devices(code: ConditionalCode) -> Iterator[tuple[set[str], dict[int, bool]]]:
    """Return the values of constants on a device, by set of aspects."""
    for chosen in itertools.product((False, True), repeat=len(NAMES)):
        names = {n for n, has in zip(NAMES, chosen, strict=True) if has}
        numbers = {aspect_number(name) for name in names}

        def meets(single: Requirements, numbers: set[int] = numbers) -> bool:
            return numbers.issuperset(single.aspects)

        def satisfies(leaf: Condition, numbers: set[int] = numbers) -> bool:
            return leaf[1] in numbers

        yield names, code.constants.values(meets, satisfies)


def capabilities(code: bytes) -> set[int]:
    module = SpirvModule.read(code)
    return {module.operand(at, 1) for opcode, at, _ in module.instructions() if opcode == 17}


@pytest.mark.parametrize("kernels", one_in(2, KERNELS))
def test_each_device_gets_the_code_that_it_can_run(
    kernels: str, image_of: Callable[[str], DeviceImage], session: CodegenSession
) -> None:
    image = image_of(KERNELS[kernels])
    code = conditional_code(image)
    seen: set[int] = set()
    for aspects, values in devices(code):
        made = specialised_spirv_of(image, values, session).result()
        assert not validation_error(made)
        found = capabilities(made)
        seen |= found
        for capability, needed in NEEDED.items():
            assert capability not in found or needed <= aspects
    # Only code that lacks an aspect was removed.
    everything = spirv_of(image, session).result().code
    assert seen & OPTIONAL == all_capabilities(everything) & OPTIONAL
    assert seen & OPTIONAL


def all_capabilities(code: bytes) -> set[int]:
    module = SpirvModule.read(code)
    return capabilities(code) | {
        module.operand(at, 2) for opcode, at, _ in module.instructions() if opcode == 6250
    }


def test_a_device_without_double(
    image_of: Callable[[str], DeviceImage], session: CodegenSession
) -> None:
    """Without the kernels that use `double`, ocloc compiles the image for a GPU without fp64."""
    image = image_of(KERNELS["kernels beside each other"])
    icllp = [BuildTarget(default_table()["intel_gpu_icllp"])]
    by_aspects = {frozenset(names): values for names, values in devices(conditional_code(image))}
    everything, without = by_aspects[frozenset(NAMES)], by_aspects[frozenset({"fp16"})]
    with pytest.raises(CodeGenerationError):
        compile_with_ocloc(specialised_spirv_of(image, everything, session).result(), icllp)
    (native,) = compile_with_ocloc(specialised_spirv_of(image, without, session).result(), icllp)
    assert isinstance(native, NativeImage)
    assert b"narrow" in native.code
    assert b"wide" not in native.code


IR = """
target triple = "spirv64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) %p) { MAIN ret void }
define spir_kernel void @w(ptr addrspace(1) %p) {
  %v = load double, ptr addrspace(1) %p
  store double %v, ptr addrspace(1) %p
  call spir_func void @f()
  ret void
}
define internal spir_func void @f() { ret void }
declare spir_func double @_Z16__spirv_ocl_sqrtd(double)
"""
FIRST, SECOND = FIRST_SPEC_ID, FIRST_SPEC_ID + 1


def small_image(main: str = "", **functions: str) -> DeviceImage:
    """Return two kernels; conditions are given by the names of constants."""
    expressions = Expressions()
    constants = {"first": expressions.constant(FIRST), "second": expressions.constant(SECOND)}
    constants["both"] = expressions.conjunction(constants.values())
    required = {FIRST: Requirements((6,)), SECOND: Requirements((5,))}
    code = ConditionalCode(
        Constants(required, {}),
        expressions,
        {symbol: constants[name] for symbol, name in functions.items()},
        {},
    )
    module = IRModule.parse(Context(), IR.replace("MAIN", main).encode(), "k.ll")
    return DeviceImage(module, ("k", "w"), ImageInfo(), conditional=code)


def test_equal_values_share_one_result(session: CodegenSession) -> None:
    image = small_image(w="first")
    values = {FIRST: True, SECOND: False}
    made = specialised_spirv_of(image, values, session)
    assert specialised_spirv_of(image, dict(reversed(values.items())), session) is made
    assert specialised_spirv_of(image, values | {FIRST: False}, session) is not made
    assert FLOAT64 in capabilities(made.result())
    # Code for compilers is plain.
    assert specialised(SpirvModule.read(made.result()), {}).to_bytes() == made.result()


def test_images_without_conditions_are_unchanged(session: CodegenSession) -> None:
    image = replace(small_image(), conditional=None)
    made = specialised_spirv_of(image, {}, session).result()
    assert made == spirv_of(image, session).result().without_hints


def test_valid_conditional_code_is_trusted(session: CodegenSession) -> None:
    code = spirv_of(small_image(w="both", f="both"), session).result().code
    assert trust.is_known(code)
    for first, second in itertools.product((False, True), repeat=2):
        values = {FIRST: first, SECOND: second}
        assert not validation_error(specialised(SpirvModule.read(code), values).to_bytes())


def test_conditions_of_declarations_are_ignored(session: CodegenSession) -> None:
    """The back-end replaces calls of built-in functions by instructions."""
    image = small_image(w="first", _Z16__spirv_ocl_sqrtd="first")
    assert FLOAT64 not in capabilities(emit_spirv(image))


def test_inconsistent_conditions(session: CodegenSession) -> None:
    """A function that is off cannot be called."""
    image = small_image("call spir_func void @f()", f="second")
    with pytest.raises(InvalidCode, match="is off") as raised:
        spirv_of(image, session).result()
    assert not trust.is_known(raised.value.code)


def test_every_constant_is_off_once(
    monkeypatch: pytest.MonkeyPatch, session: CodegenSession
) -> None:
    seen: list[dict[int, bool]] = []

    def note(module: SpirvModule, values: dict[int, bool]) -> SpirvModule:
        seen.append(values)
        return specialised(module, values)

    monkeypatch.setattr(specialise, "specialised", note)
    spirv_of(small_image(w="both"), session).result()
    assert seen == [
        {FIRST: True, SECOND: True},
        {FIRST: False, SECOND: False},
        {FIRST: False, SECOND: True},
        {FIRST: True, SECOND: False},
    ]
    monkeypatch.setattr(validate, "MAX_BYTES_VALIDATED_SEPARATELY", 1)
    seen.clear()
    spirv_of(small_image(w="both"), session).result()
    assert len(seen) == 2


def test_parameters_are_pointers_to_bytes() -> None:
    """Except for kernels and typed parameters; quoted names are handled."""
    text = """
target triple = "spirv64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) %p) {
  %g = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  call spir_func void @"a (ptr %b)"(ptr addrspace(4) %g, i32 3, ptr addrspace(4) null)
  ret void
}
define internal spir_func void @"a (ptr %b)"(ptr addrspace(4) "t"="x, ptr y(" align 8 %p, i32 %n,
    ptr addrspace(4) noundef %q) {
  %v = load double, ptr addrspace(4) %p
  store double %v, ptr addrspace(4) %q
  ret void
}
define spir_func void @byval(ptr byval(i32) %p, ptr addrspace(4) %q) { ret void }
"""
    module = IRModule.parse(Context(), text.encode(), "m.ll")
    use_byte_pointers(module)
    module.verify()
    lines = module.to_text().splitlines()
    kernel, action, byval = [line for line in lines if line.startswith("define")]
    assert "byref" not in kernel
    assert action.count("byref(i8)") == 2
    assert '"t"="x, ptr y("' in action
    assert "ptr byval(i32) %p, ptr addrspace(4) byref(i8) %q" in byval
