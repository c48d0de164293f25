"""Conditional calls of real sources, in each family's calling convention, through optimization."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import CONDITIONAL_CALLER, USED
from dovetail.frontend import Flags, Source, compile_command, run_clang
from dovetail.ir import Context, Module
from dovetail.passes import PassContext, parse_pipeline, run_pipeline
from dovetail.targets import Target, default_table
from dovetail.targets.ir_family import IRFamily

HEADER = """\
template <class Name, class Kernel>
[[clang::sycl_kernel_entry_point(Name)]] void run(Kernel kernel) { kernel(); }

template <typename T, typename... Condition>
[[__sycl_detail__::add_ir_attributes_function("sycl-call-if-on-device-conditionally", true)]]
void call_conditionally(T fn, Condition...) {
  fn();
}

[[clang::sycl_external]] void note(int *p, int what);
"""
FP16, FP64, FIRST, LAST = 5, 6, 100, 109

Build = Callable[..., Module]


@pytest.fixture(params=list(IRFamily), ids=str)
def family(request: pytest.FixtureRequest) -> IRFamily:
    return request.param


@pytest.fixture
def build(tmp_path: Path, family: IRFamily) -> Build:
    """Compile a source, and run passes over it."""

    def build_it(
        text: str, passes: str, target: Target | None = None, *, debug: bool = False
    ) -> Module:
        source = Source.from_text(HEADER + text)
        bitcode, facts = tmp_path / "k.bc", tmp_path / "k.json"
        command = compile_command(
            source, Flags(debug=debug), header=None, bitcode=bitcode, facts=facts, family=family
        )
        run_clang(command, source.text.encode())
        device = DeviceModule.load(Context(), source.path, bitcode, facts)
        targets = default_table().with_targets([target] if target else [])
        context = PassContext(device.facts, "12ab", targets)
        run_pipeline(parse_pipeline(f"attach-facts,{passes}"), context, device.module)
        return device.module

    return build_it


def conditions(module: Module) -> list[tuple[int | None, ...]]:
    return sorted(each.condition for each in module.conditional_calls(CONDITIONAL_CALLER))


LEVELS = ("2", "3")


@pytest.mark.parametrize("level", LEVELS)
def test_one_lambda_under_two_conditions_in_both_branches(build: Build, level: str) -> None:
    text = """
        void start(int *p, int n) {
          run<class kernel>([=] {
            auto action = [=] { *p = n; };
            if (n > 5)
              call_conditionally(action, -1, 5);
            else
              call_conditionally(action, -1, 6);
          });
        }
        """
    module = build(text, f"conditional-callers,kernel-entries,optimize{{level={level}}}")
    assert conditions(module) == [(-1, FP16), (-1, FP64)]
    actions = {each.action for each in module.conditional_calls(CONDITIONAL_CALLER)}
    assert len(actions) == 1
    (action,) = [each for each in module.functions() if each.name in actions]
    assert action.linkage == "external"


@pytest.mark.parametrize("level", LEVELS)
def test_loops_and_inlining_duplicate_calls_and_keep_conditions(build: Build, level: str) -> None:
    text = """
        inline void work(int *p, int n) {
          for (int i = 0; i < 4; ++i) {
            call_conditionally([=] { p[i] = n; }, -1, 5);
            if (i & 1)
              call_conditionally([=] { p[i] = 2; }, -4, -1, 6, -1, 5);
          }
          for (int i = 0; i < n; ++i)
            call_conditionally([=] { p[i] += n; }, -3, -1, 5);
        }
        void start(int *p, int n) {
          run<class one>([=] { work(p, n); });
          run<class two>([=] { work(p + 1, n + 1); });
        }
        """
    module = build(text, f"conditional-callers,kernel-entries,optimize{{level={level}}}")
    found = set(conditions(module))
    assert found == {(-1, FP16), (-4, -1, FP16, -1, FP64), (-3, -1, FP16)}
    kernels = Counter(each.caller for each in module.conditional_calls(CONDITIONAL_CALLER))
    assert len(kernels) in (1, 2)  # inlined into both kernels, or left in one function
    assert module.conditional_callers(CONDITIONAL_CALLER) == []


CALLABLES = """
    struct empty { void operator()() const { note(nullptr, 1); } };
    struct one_number { int value; void operator()() const { note(nullptr, value); } };
    struct large { int values[40]; void operator()() const { note(nullptr, values[39]); } };
    struct counted {
      int *p;
      explicit counted(int *p) : p(p) {}
      counted(const counted &other) : p(other.p) { note(p, 100); }
      ~counted() { note(p, 109); }
      void operator()() { note(p, 101); }
    };
    struct pair { int a, b; };
    struct returns_pair { int *p; pair operator()() { return {*p, 2}; } };
    """


def test_every_kind_of_callable(build: Build) -> None:
    text = (
        CALLABLES
        + """
        void start(int *p, int n) {
          run<class kernel>([=] {
            call_conditionally(empty(), -1, 5);
            call_conditionally(one_number{-3}, -1, 5);
            call_conditionally(large{{n}}, -1, 5);
            call_conditionally(returns_pair{p}, -1, 5);
            call_conditionally([] { note(nullptr, 3); }, -1, 5);
            counted object(p);
            call_conditionally(object, -1, 5);
          });
        }
        """
    )
    for passes in ("conditional-callers", "conditional-callers,kernel-entries,optimize"):
        module = build(text, passes)
        # A number in front of a condition that could be a part of it is none.
        assert conditions(module) == [(-1, FP16)] * 6
        module.rewrite_conditional_calls(
            CONDITIONAL_CALLER,
            {
                (each.action, (-1, FP16)): each.action
                for each in module.conditional_calls(CONDITIONAL_CALLER)
            },
        )
        module.verify()


def test_copies_are_made_and_destroyed_if_not_called_too(build: Build) -> None:
    text = (
        CALLABLES
        + """
        void start(int *p) {
          run<class kernel>([=] {
            counted object(p);
            call_conditionally(object, -1, 6);
          });
        }
        """
    )
    target = Target("mock", ("fp64",))
    with_it = build(text, "conditional-callers{resolve=mock},kernel-entries,optimize", target)
    without = build(
        text,
        "conditional-callers{resolve=mock},kernel-entries,optimize",
        Target("mock"),
    )
    assert noted(with_it) == [FIRST, FIRST + 1, LAST, LAST]
    assert noted(without) == [FIRST, LAST, LAST]
    assert with_it.conditional_calls(CONDITIONAL_CALLER) == []


def test_debug_information_stays(build: Build) -> None:
    text = """
        void start(int *p) {
          run<class kernel>([=] { call_conditionally([=] { *p = 1; }, -1, 6); });
        }
        """
    module = build(text, "conditional-callers,kernel-entries,optimize", debug=True)
    calls = module.conditional_calls(CONDITIONAL_CALLER)
    module.rewrite_conditional_calls(
        CONDITIONAL_CALLER, {(each.action, (-1, FP64)): each.action for each in calls}
    )
    module.run_passes("default<O2>")
    module.verify()
    assert "inlinedAt" in module.to_text()


def noted(module: Module) -> list[int]:
    """Return the inlined operations of the kernel, in order."""
    kernel = module.to_text().partition("define")[2].partition("\n}")[0]
    return [int(number) for number in re.findall(r"@_Z4notePii\(.*i32 noundef (\d+)\)", kernel)]


@pytest.mark.parametrize(("linkage", "suffix"), [("", ""), ("static", "$12ab")])
def test_an_action_becomes_external_with_its_aspects(
    build: Build, linkage: str, suffix: str
) -> None:
    text = f"""
        {linkage} void work(float *p) {{ call_conditionally([=] {{ *p = *p * 2.0; }}, -1, 6); }}
        void start(float *p) {{ run<class kernel>([=] {{ work(p); }}); }}
        """
    module = build(text, "conditional-callers,kernel-entries,attach-aspects")
    # By the source's prefix, so that no other source has a function of that name.
    assert "@call_if_on_device_conditionally_12ab_1(" in module.to_text()
    used = module.function_metadata(USED)
    (call,) = module.conditional_calls(CONDITIONAL_CALLER)
    assert used[call.action] == [FP64]
    assert call.action.endswith(f"clEv{suffix}")
    linkages = {each.name: each.linkage for each in module.functions()}
    assert linkages[call.action] == "external"


CHAIN = """
#include <sycl/sycl.hpp>
namespace syclex = sycl::ext::oneapi::experimental;
[[clang::sycl_external]] void use(int *p) {
  syclex::if_device_has<sycl::aspect::fp64, sycl::aspect::fp16>([=] { *p = 1; })
      .else_if_device_has<sycl::aspect::fp64>([=] { *p = 2; })
      .otherwise([=] { *p = 3; });
  syclex::if_architecture_is<syclex::architecture::intel_gpu_pvc>([=] {
    syclex::if_device_has<sycl::aspect::fp16>([=] { *p = 4; });
  });
}
"""


@pytest.mark.parametrize("level", LEVELS)
def test_the_headers_chains(build: Build, level: str) -> None:
    module = build(CHAIN, f"conditional-callers,optimize{{level={level}}}")
    calls = module.conditional_calls(CONDITIONAL_CALLER)
    pvc = default_table().architecture("intel_gpu_pvc")
    assert Counter(each.condition for each in calls) == {
        (-4, -1, FP16, -1, FP64): 1,
        (-4, -1, FP64, -3, -1, FP16): 1,
        (-3, -1, FP64): 1,
        (-2, pvc): 1,
        (-1, FP16): 1,
    }
    assert len({each.action for each in calls}) == len(calls)
    (nested,) = [each for each in calls if each.condition == (-1, FP16)]
    assert nested.caller in {each.action for each in calls if each.condition == (-2, pvc)}
