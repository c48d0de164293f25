"""Used and declared aspects and required sizes, as metadata that survives optimization."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import FACTS, facts_of
from dovetail.errors import FormatError, UsageError
from dovetail.facts import Facts
from dovetail.facts_json import facts_text, parse_facts
from dovetail.frontend import Flags, Source, compile_command, run_clang
from dovetail.ir import Context, Module
from dovetail.passes import PassContext, device_pipeline, parse_pipeline, run_pipeline

FP16, FP64, ATOMIC64 = 5, 6, 27
USED, DECLARED = "sycl_used_aspects", "sycl_declared_aspects"

SOURCE = """\
namespace sycl { enum class aspect { fp16 = 5, fp64 = 6, atomic64 = 27 }; }
template <class Name, class Kernel>
[[clang::sycl_kernel_entry_point(Name)]] void run(Kernel kernel) { kernel(); }

static float twice(float x) { return x * 2.0; }
[[clang::sycl_external]] [[sycl::device_has(sycl::aspect::fp16)]] float elsewhere(float x);
[[clang::sycl_external]] [[sycl::device_has()]] float quiet(float x) { return x + 1; }

void start(float *p, long *q) {
  run<class plain>([=] { *p = 1; });
  run<class through_call>([=] { *p = twice(*p); });
  run<class sized>([=] [[sycl::reqd_work_group_size(2, 3, 5)]] [[sycl::reqd_sub_group_size(8)]] {
    *p = elsewhere(*p);
  });
  run<class one_size>([=] [[sycl::reqd_work_group_size(8)]] [[sycl::device_has(
      sycl::aspect::atomic64)]] { *p = 2; });
  run<class two_sizes>([=] [[sycl::work_group_size_hint(4, 6)]] { *p = quiet(3); });
  run<class unused_double>([=] { double d = *p; (void)d; });
  run<class atomic>([=] { __atomic_fetch_add(q, 1, __ATOMIC_RELAXED); });
}
"""

PREFIX = "_ZTS"
Compile = Callable[[str], DeviceModule]


@pytest.fixture
def compile_text(tmp_path: Path) -> Compile:
    def compile_it(text: str) -> DeviceModule:
        source = Source.from_text(text)
        bitcode, facts = tmp_path / "k.bc", tmp_path / "k.json"
        command = compile_command(source, Flags(), header=None, bitcode=bitcode, facts=facts)
        run_clang(command, source.text.encode())
        return DeviceModule.load(Context(), source.path, bitcode, facts)

    return compile_it


def _run(device: DeviceModule, *, aspects: str = "written") -> Module:
    pipeline = ",".join(device_pipeline("2", aspects))
    run_pipeline(parse_pipeline(pipeline), PassContext(device.facts), device.module)
    return device.module


def _of(module: Module, kind: str) -> dict[str, list[object]]:
    """Return the metadata by kernel name or function symbol."""
    nodes = module.function_metadata(kind)
    kernels = {"plain", "through_call", "sized", "one_size", "two_sizes", "unused_double", "atomic"}
    found: dict[str, list[object]] = {}
    for symbol, node in nodes.items():
        names = [name for name in kernels if symbol.endswith(f"{len(name)}{name}")]
        found[names[0] if names else symbol] = list(node)
    return found


def test_written_uses_survive_optimisation(compile_text: Compile) -> None:
    module = _run(compile_text(SOURCE))
    used = _of(module, USED)
    assert used["through_call"] == [FP64]
    assert used["sized"] == [FP16]
    assert used["one_size"] == [ATOMIC64]
    assert used["unused_double"] == [FP64]
    assert "plain" not in used
    assert "two_sizes" not in used
    assert "twice" not in "".join(module.function_metadata(USED)), "it should be inlined by now"


def test_declared_aspects(compile_text: Compile) -> None:
    declared = _of(_run(compile_text(SOURCE)), DECLARED)
    assert declared["one_size"] == [ATOMIC64]
    assert declared["_Z5quietf"] == []
    assert "sized" not in declared


def test_sizes_are_in_device_order(compile_text: Compile) -> None:
    module = _run(compile_text(SOURCE))
    assert _of(module, "reqd_work_group_size") == {"sized": [5, 3, 2], "one_size": [8, 1, 1]}
    assert _of(module, "work_group_num_dim") == {"sized": [3], "one_size": [1]}
    assert _of(module, "work_group_size_hint") == {"two_sizes": [6, 4, 1]}
    assert _of(module, "intel_reqd_sub_group_size") == {"sized": [8]}


def test_optimised_reading(compile_text: Compile) -> None:
    used = _of(_run(compile_text(SOURCE), aspects="optimized"), USED)
    assert "unused_double" not in used, "nothing is left of it"
    assert used["atomic"] == [ATOMIC64]
    assert used["one_size"] == [ATOMIC64], "what is declared still counts"
    # x * 2.0 with a float in and out is computed in float by the optimizer.
    assert "through_call" not in used


MARKS = """\
namespace sycl { enum class aspect { fp16 = 5, fp64 = 6, atomic64 = 27 }; }
template <class Name, class Kernel>
[[clang::sycl_kernel_entry_point(Name)]] void run(Kernel kernel) { kernel(); }

struct [[__sycl_detail__::__uses_aspects__(sycl::aspect::atomic64)]] Marked { int i; };
[[__sycl_detail__::__uses_aspects__(sycl::aspect::fp16)]] static void marked() {}
[[sycl::device_has(sycl::aspect::fp64)]] static void declares(float *p) { *p += 1; }
struct Mixed { float f; double d; };

void start(float *p, Mixed *m) {
  run<class plain>([=] { Mixed unused{*p, 2}; *p = unused.f; });
  run<class through_call>([=] { declares(p); });
  run<class sized>([=] { if (false) marked(); *p = 1; });
  run<class one_size>([=] { marked(); });
  run<class two_sizes>([=] { Marked m{3}; *p = m.i; });
  run<class atomic>([=] { m->f = 1; });
}
"""


def test_uses_that_optimisation_preserves(compile_text: Compile) -> None:
    used = _of(_run(compile_text(MARKS), aspects="optimized"), USED)
    assert used["through_call"] == [FP64], "what a callee declares"
    assert used["one_size"] == [FP16], "the mark of a function"
    assert used["two_sizes"] == [ATOMIC64], "the mark of an object's class"
    assert used["atomic"] == [FP64], "a member beside a double"
    assert "plain" not in used, "nothing is left of the object"
    assert "sized" not in used, "clang generates no code for the call"


def test_facts_are_in_the_module(compile_text: Compile) -> None:
    device = compile_text(SOURCE)
    module = Module.parse(Context(), _run(device).to_bitcode(), "again")
    ((text, reading),) = module.named_metadata(FACTS)
    assert reading == "written"
    assert isinstance(text, str)
    facts = parse_facts(text.encode())
    assert facts == device.facts
    (twice,) = (f for f in facts.functions if "twice" in f.symbol)
    assert (twice.uses[0].aspect, twice.uses[0].place.line) == (FP64, 5)
    (quiet,) = (f for f in facts.functions if f.symbol == "_Z5quietf")
    assert quiet.declared
    assert quiet.declared.aspects == ()
    assert len(facts.kernels) == 7


def test_the_reading_is_in_the_module(compile_text: Compile) -> None:
    device = compile_text(SOURCE)
    ((text, reading),) = _run(device, aspects="optimized").named_metadata(FACTS)
    assert (text, reading) == (facts_text(device.facts), "optimized")


def test_facts_of_several_sources_are_separate(compile_text: Compile) -> None:
    other = "[[clang::sycl_external]] double other(double x) { return x; }"
    context = Context()
    devices = [compile_text(text) for text in (SOURCE, other)]
    texts = [_run(device).to_bitcode() for device in devices]
    modules = [Module.parse(context, text, "m") for text in texts]
    modules[0].link(modules[1])
    assert len(modules[0].named_metadata(FACTS)) == 2
    functions = [f.symbol for device in devices for f in device.facts.functions]
    assert [f.symbol for f in facts_of(modules[0]).functions] == functions


def test_entry_points_and_external_functions_know_their_source(compile_text: Compile) -> None:
    module = _run(compile_text(SOURCE))
    sources = module.function_attributes("sycl-module-id")
    kernels = {f.name for f in module.functions() if f.calling_convention == "spir_kernel"}
    assert set(sources) == kernels | {"_Z9elsewheref", "_Z5quietf"}
    assert set(sources.values()) == {"<stdin>"}
    assert module.function_attributes("sycl-optlevel") == dict.fromkeys(sources, "2")


def test_an_unknown_reading() -> None:
    module = Module.parse(Context(), b"", "empty")
    with pytest.raises(UsageError, match="expected written or optimized, got 'sideways'"):
        run_pipeline(parse_pipeline("attach-aspects{reading=sideways}"), PassContext(), module)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"files": [], "kernels": [], "functions": [{}]}',
        '{"files": [], "kernels": [], "functions": 3}',
    ],
)
def test_wrong_facts(text: str) -> None:
    module = Module.parse(Context(), b"", "empty")
    module.set_named_metadata(FACTS, [[text, "written"]])
    with pytest.raises(FormatError, match="invalid facts file"):
        facts_of(module)


@pytest.mark.parametrize("node", [[], ["{}"], [1, "written"], ["{}", "written", "more"]])
def test_metadata_without_facts(node: list[str | int]) -> None:
    module = Module.parse(Context(), b"", "a.bc")
    module.set_named_metadata(FACTS, [node])
    with pytest.raises(FormatError, match=r"a\.bc: in !dovetail\.facts: a node does not"):
        facts_of(module)


def test_no_facts() -> None:
    assert facts_of(Module.parse(Context(), b"", "a.bc")) == Facts()
