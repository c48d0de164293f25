"""Generates sources from kernels: for the device, for the reference, and standalone programs.

There are three forms of device code, to test every interface of the toolchain:

- free functions, which Python builds and launches;
- lambda expressions in a program with `main`, which prints results;
- a program with one kernel that compares its results with a reference in the same source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from differential.model import COUNTERS, INPUT_LENGTH, Kernel, Phase, UniformLoop
from differential.printing import (
    body_lines,
    declaration_text,
    declared,
    expression_text,
    function_text,
    struct_text,
)
from differential.scalars import zero

PRELUDE = (Path(__file__).parent / "prelude.hpp").read_text()
COUNTER_START = 0x5A5A5A5A
"""The initial value of counters. Not zero, which an 'and' or a minimum could not change."""

_DEVICE_HEAD = """\
#include <sycl/sycl.hpp>
#pragma clang diagnostic ignored "-Weverything"
#pragma clang fp contract(off)
namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;
"""
_REFERENCE_HEAD = """\
#define DIFFERENTIAL_REFERENCE
#include <cstdio>
#include <cstring>
"""
_PROGRAM_HEAD = """\
#include <sycl/sycl.hpp>
#include <cstdio>
#include <cstring>
#pragma clang diagnostic ignored "-Weverything"
#pragma clang fp contract(off)
"""


def device_source(kernels: Iterable[Kernel], *, clang_vectors: bool = False) -> str:
    """Return a source with the kernels as free functions."""
    parts = [_head(_DEVICE_HEAD, clang_vectors)]
    for kernel in kernels:
        parts += [_definitions(kernel), _free_function(kernel)]
    return "\n".join(parts)


def reference_source(kernels: Sequence[Kernel]) -> str:
    """Return a host program that computes the expected results of kernels.

    It prints a line for each: its number, then input, output and counters in hexadecimal.
    """
    parts = [_REFERENCE_HEAD, PRELUDE]
    for kernel in kernels:
        parts += [_definitions(kernel), _reference(kernel)]
    return "\n".join([*parts, _PRINT_BYTES, _reference_main(kernels)])


def program_source(kernels: Sequence[Kernel], *, clang_vectors: bool = False) -> str:
    """Return a program that launches all kernels as lambda expressions.

    It prints a line before it launches a kernel, and one with output and counters after it.
    """
    parts = [_head(_PROGRAM_HEAD, clang_vectors)]
    for kernel in kernels:
        parts += [_definitions(kernel), _launcher(kernel)]
    return "\n".join([*parts, _PRINT_BYTES, _program_main(kernels)])


def standalone_source(kernel: Kernel, *, comment: str = "", clang_vectors: bool = False) -> str:
    """Return a program that runs one kernel and exits with status 1 if its results are wrong."""
    head = "".join(f"// {line}\n" for line in comment.splitlines())
    parts = [head + _head(_PROGRAM_HEAD, clang_vectors), _definitions(kernel)]
    return "\n".join([*parts, _launcher(kernel), _reference(kernel), _standalone_main(kernel)])


def kernel_text(kernel: Kernel) -> str:
    """Return the text of a kernel without shared parts, to measure and to search."""
    return _definitions(kernel) + _item_body(kernel)


def _head(head: str, clang_vectors: bool) -> str:
    return head + ("#define DIFFERENTIAL_CLANG_VECTORS\n" if clang_vectors else "") + PRELUDE


def _definitions(kernel: Kernel) -> str:
    """Return the kernel's structures and functions, in its own namespace."""
    parts = [*map(struct_text, kernel.structs), *map(function_text, kernel.functions)]
    return f"namespace n{kernel.number} {{\n{''.join(parts)}}}\n" if parts else ""


def _using(kernel: Kernel) -> list[str]:
    return [f"using namespace n{kernel.number};"] if kernel.structs or kernel.functions else []


def _parameters(kernel: Kernel) -> list[str]:
    buffers = [
        f"const {kernel.input.name} *in",
        f"{kernel.output.name} *out",
        "u32 *counter_values",
    ]
    values = [declared(each.variable.name, each.variable.type) for each in kernel.arguments]
    return buffers + values


def _free_function(kernel: Kernel) -> str:
    local = ""
    if kernel.local:
        element = kernel.local.element.name
        type_ = f"{element}[{kernel.local.length}]"
        made = f"syclext::group_local_memory_for_overwrite<{type_}>(item.get_group())"
        local = f"  {element} *local = *{made};\n"
    return (
        "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))\n"
        f"void kernel_{kernel.number}({', '.join(_parameters(kernel))}) {{\n"
        "  auto item = syclext::this_work_item::get_nd_item<1>();\n"
        f"{local}{_item_body(kernel)}}}\n"
    )


def _item_body(kernel: Kernel, indent: str = "  ") -> str:
    """Return the code of a work-item, after the declarations of `item` and `local`."""
    ids = "const u32 gid = item.get_global_id(0);"
    group = "const u32 lid = item.get_local_id(0);\nconst u32 group = item.get_group(0);"
    if _without_groups(kernel):
        group = "const u32 lid = gid;\nconst u32 group = 0;"
    lines = [*_using(kernel), ids, *group.splitlines(), "DeviceCounters counters{counter_values};"]
    lines += list(map(declaration_text, kernel.private))
    barrier = "sycl::group_barrier(item.get_group());"
    if kernel.local:
        length, step = kernel.local.length, kernel.group_size
        lines.append(f"for (u32 k = lid; k < {length}; k += {step})")
        lines += [f"  local[k] = {zero(kernel.local.element).text};", barrier]
    for number, phase in enumerate(kernel.phases):
        if number:
            lines.append(barrier)
        if isinstance(phase, Phase):
            lines += ["{", *_indented(body_lines(phase.body)), "}"]
            continue
        lines.append(_loop_head(phase))
        for inner in phase.phases:
            lines += ["  {", *_indented(_indented(body_lines(inner.body))), "  }", f"  {barrier}"]
        lines.append("}")
    return "".join(f"{indent}{line}\n" for line in lines)


def _without_groups(kernel: Kernel) -> bool:
    return kernel.is_range and kernel.groups == 1 and len(kernel.phases) == 1


def _loop_head(loop: UniformLoop) -> str:
    name = loop.counter.name
    return f"for (u32 {name} = 0; {name} < {loop.count}; ++{name}) {{"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _launcher(kernel: Kernel) -> str:
    """Return a function that launches the kernel as a lambda expression."""
    parameters = ", ".join(_parameters(kernel)[:3])
    values = [
        f"{declared(each.variable.name, each.variable.type)} = {expression_text(each.value)};"
        for each in kernel.arguments
    ]
    local = ""
    if kernel.local:
        element = kernel.local.element.name
        values.append(f"sycl::local_accessor<{element}> memory({kernel.local.length}, group);")
        local = f"      {element} *local = &memory[0];\n"
    range_ = f"sycl::nd_range<1>({kernel.items}, {kernel.group_size})"
    item, body = "sycl::nd_item<1>", _item_body(kernel, "      ")
    if _without_groups(kernel):
        range_, item = f"sycl::range<1>({kernel.items})", "sycl::item<1>"
        body = body.replace("item.get_global_id(0)", "item.get_id(0)", 1)
    lines = "".join(f"    {line}\n" for line in values)
    return (
        f"static void launch_{kernel.number}(sycl::queue &queue, {parameters}) {{\n"
        "  queue.submit([&](sycl::handler &group) {\n"
        f"{lines}    group.parallel_for({range_}, [=]({item} item) {{\n"
        f"{local}{body}    }});\n  }}).wait();\n}}\n"
    )


def _reference(kernel: Kernel) -> str:
    """Return a function that executes the kernel's work-items sequentially."""
    input_ = kernel.input.name
    lines = [
        *_using(kernel),
        f"for (u32 i = 0; i < {INPUT_LENGTH}; ++i)",
        f"  in[i] = input_element<{input_}>({kernel.input_seed}, i);",
        "HostCounters counters{counter_values};",
    ]
    for each in kernel.arguments:
        declaration = declared(each.variable.name, each.variable.type)
        lines.append(f"{declaration} = {expression_text(each.value)};")
    lines.append(f"for (u32 group = 0; group < {kernel.groups}; ++group) {{")
    lines += _indented(_reference_group(kernel))
    lines.append("}")
    body = "".join(f"  {line}\n" for line in lines)
    buffers = f"{input_} *in, {kernel.output.name} *out, u32 *counter_values"
    return f"static void reference_{kernel.number}({buffers}) {{\n{body}}}\n"


def _reference_group(kernel: Kernel) -> Iterator[str]:
    """Yield the code of one group: all work-items execute a phase before the next one starts."""
    if kernel.local:
        yield f"{kernel.local.element.name} local[{kernel.local.length}] = {{}};"
    yield "struct Item {"
    yield from _indented(map(declaration_text, kernel.private))
    yield f"}} items[{kernel.group_size}];"
    for phase in kernel.phases:
        if isinstance(phase, Phase):
            yield from _reference_phase(kernel, phase)
            continue
        yield _loop_head(phase)
        for inner in phase.phases:
            yield from _indented(_reference_phase(kernel, inner))
        yield "}"


def _reference_phase(kernel: Kernel, phase: Phase) -> Iterator[str]:
    yield f"for (u32 lid = 0; lid < {kernel.group_size}; ++lid) {{"
    yield f"  const u32 gid = group * {kernel.group_size} + lid;"
    for declaration in kernel.private:
        name = declaration.variable.name
        yield f"  auto &{name} = items[lid].{name};"
    yield from _indented(body_lines(phase.body))
    yield "}"


_BUFFERS = """\
  auto *in = sycl::malloc_shared<{input}>({input_length}, queue);
  auto *out = sycl::malloc_shared<{output}>({output_length}, queue);
  auto *counters = sycl::malloc_shared<u32>({counters}, queue);
  for (u32 i = 0; i < {input_length}; ++i)
    in[i] = input_element<{input}>({seed}, i);
  std::memset(out, 0, {output_length} * sizeof *out);
  for (u32 i = 0; i < {counters}; ++i)
    counters[i] = {start}u;
  launch_{number}(queue, in, out, counters);
"""


def _buffers(kernel: Kernel) -> str:
    return _BUFFERS.format(
        input=kernel.input.name,
        output=kernel.output.name,
        input_length=INPUT_LENGTH,
        output_length=kernel.items * kernel.outputs,
        counters=COUNTERS,
        seed=kernel.input_seed,
        start=COUNTER_START,
        number=kernel.number,
    )


def _program_main(kernels: Sequence[Kernel]) -> str:
    functions = "".join(
        f"static void run_{kernel.number}(sycl::queue &queue) {{\n{_buffers(kernel)}"
        f"{_print_results(kernel, '')}}}\n"
        for kernel in kernels
    )
    calls = "".join(
        f'  std::puts("start {kernel.number}");\n  std::fflush(stdout);\n'
        f"  run_{kernel.number}(queue);\n"
        for kernel in kernels
    )
    return f"{functions}\nint main() {{\n  sycl::queue queue;\n{calls}}}\n"


def _reference_main(kernels: Sequence[Kernel]) -> str:
    functions = "".join(
        f"static void run_{kernel.number}() {{\n"
        f"  static {kernel.input.name} in[{INPUT_LENGTH}];\n"
        f"  static {kernel.output.name} out[{kernel.items * kernel.outputs}];\n"
        f"  u32 counters[{COUNTERS}];\n"
        f"  for (u32 &each : counters)\n    each = {COUNTER_START}u;\n"
        f"  reference_{kernel.number}(in, out, counters);\n"
        f"{_print_results(kernel, '  print_bytes(in, sizeof in);')}}}\n"
        for kernel in kernels
    )
    calls = "".join(f"  run_{kernel.number}();\n" for kernel in kernels)
    return f"{functions}\nint main() {{\n{calls}}}\n"


def _print_results(kernel: Kernel, first: str) -> str:
    return (
        f'  std::printf("done {kernel.number}");\n{first}'
        f"  print_bytes(out, {kernel.items * kernel.outputs} * sizeof *out);\n"
        f"  print_bytes(counters, {COUNTERS} * sizeof *counters);\n"
        '  std::puts("");\n  std::fflush(stdout);\n'
    )


_PRINT_BYTES = """\
static void print_bytes(const void *bytes, unsigned long count) {
  std::putchar(' ');
  for (unsigned long i = 0; i < count; ++i)
    std::printf("%02x", static_cast<const u8 *>(bytes)[i]);
}
"""

_STANDALONE_MAIN = """\
int main() {{
  sycl::queue queue;
{buffers}\
  static {input} reference_in[{input_length}];
  static {output} expected[{output_length}];
  u32 expected_counters[{counters}];
  for (u32 &each : expected_counters)
    each = {start}u;
  reference_{number}(reference_in, expected, expected_counters);
  int wrong = 0;
  for (u32 i = 0; i < {output_length}; ++i)
    if (std::memcmp(&out[i], &expected[i], sizeof out[i]) && ++wrong)
      std::printf("out[%u]: expected %.17g, got %.17g\\n", i, double(expected[i]), double(out[i]));
  for (u32 i = 0; i < {counters}; ++i)
    if (counters[i] != expected_counters[i] && ++wrong)
      std::printf("counter %u: expected %u, got %u\\n", i, expected_counters[i], counters[i]);
  return wrong != 0;
}}
"""


def _standalone_main(kernel: Kernel) -> str:
    return _STANDALONE_MAIN.format(
        buffers=_buffers(kernel),
        input=kernel.input.name,
        output=kernel.output.name,
        input_length=INPUT_LENGTH,
        output_length=kernel.items * kernel.outputs,
        counters=COUNTERS,
        start=COUNTER_START,
        number=kernel.number,
    )
