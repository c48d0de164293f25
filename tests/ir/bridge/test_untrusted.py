"""Untrusted files."""

import random
from collections.abc import Callable

import pytest

from dovetail.errors import IRError
from dovetail.ir import Context, Module, ParseLimits, parse_untrusted

Parse = Callable[[str], Module]

SOURCE = """
    %pair = type { i32, float }
    @v = global [4 x i32] zeroinitializer
    declare float @helper(ptr, i32)
    define spir_kernel void @k(ptr %p) !note !0 {
      %a = load i32, ptr @v
      %c = icmp eq i32 %a, 0
      br i1 %c, label %yes, label %no
    yes:
      %h = call float @helper(ptr %p, i32 %a)
      store float %h, ptr %p
      br label %no
    no:
      ret void
    }
    !0 = !{i32 1, !"text"}
    """


def test_good_files_are_parsed(context: Context) -> None:
    module = parse_untrusted(SOURCE.encode(), "good.ll", context)
    assert module.context is context
    assert module.name == "good.ll"
    assert parse_untrusted(module.to_bitcode(), "good.bc").context is not context


def test_an_empty_file_is_an_empty_module() -> None:
    assert parse_untrusted(b"", "empty.ll").functions() == []


@pytest.mark.parametrize("data", [b"BC\xc0\xde", b"\x7fELF", bytes(range(256)) * 8])
def test_garbage_is_refused(data: bytes) -> None:
    with pytest.raises(IRError, match="junk"):
        parse_untrusted(data, "junk")


def test_invalid_modules_are_refused() -> None:
    with pytest.raises(IRError, match="does not permit calls"):
        parse_untrusted(
            b"declare spir_kernel void @k()\n"
            b"define void @f() { call spir_kernel void @k() \n ret void }",
            "broken.ll",
        )


def test_truncated_bitcode_is_refused(parse: Parse) -> None:
    whole = parse(SOURCE).to_bitcode()
    with pytest.raises(IRError):
        parse_untrusted(whole[: len(whole) // 2], "half.bc")


def test_mutated_bitcode_never_ends_this_process(parse: Parse) -> None:
    whole = parse(SOURCE).to_bitcode()
    chance = random.Random(22)
    refused = 0
    for _ in range(8):
        mutant = bytearray(whole)
        for _ in range(6):
            mutant[chance.randrange(8, len(mutant))] = chance.randrange(256)
        try:
            parse_untrusted(bytes(mutant), "mutant.bc")
        except IRError:
            refused += 1
    assert refused


def test_a_crash_of_the_parser_is_reported() -> None:
    """Deeply nested brackets overflow the parser's stack, which only a child can survive."""
    with pytest.raises(IRError, match=r"deep\.ll: malformed: it crashed LLVM's parser"):
        parse_untrusted(b"@v = global " + b"{" * 2_000_000, "deep.ll")


def test_memory_is_limited() -> None:
    many = "".join(f"declare void @function_{i}()\n" for i in range(50_000))
    assert len(parse_untrusted(many.encode(), "many.ll").functions()) == 50_000
    with pytest.raises(IRError, match="more than 1 MiB"):
        parse_untrusted(many.encode(), "many.ll", limits=ParseLimits(memory=1 << 20))


def test_a_child_that_takes_too_long_is_reported() -> None:
    with pytest.raises(IRError, match=r"still reading it after 0\.001 s"):
        parse_untrusted(SOURCE.encode(), "slow.ll", limits=ParseLimits(seconds=0.001))
