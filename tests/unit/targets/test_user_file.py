"""User files: what they can say, what is wrong with them, and that none of them does harm."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, cast

import pytest
import yaml
from hypothesis import given, strategies as st

from dovetail.errors import FormatError, InputError
from dovetail.targets import Table, Target, aspect_names, default_table
from dovetail.targets.user_file import read_user_files


class Known(NamedTuple):
    """What tests look at."""

    table: Table
    warnings: tuple[str, ...]


Read = Callable[..., Known]
TABLE = default_table()
SIXTEEN_MB = 16 << 20


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Writes its arguments into 1.yaml, 2.yaml, ... and reads these on top of the default table."""
    monkeypatch.chdir(tmp_path)

    def write_and_read(*contents: str | bytes) -> Known:
        files = [Path(f"{number}.yaml") for number in range(1, len(contents) + 1)]
        for file, content in zip(files, contents, strict=True):
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        loaded = read_user_files(files, TABLE)
        assert all(loaded.table[target.name] is target for target in loaded.configured)
        return Known(loaded.table, loaded.warnings)

    return write_and_read


def facts(target: Target) -> tuple[object, ...]:
    """All that an entry can say."""
    return (
        target.aspects,
        target.may_support_other_aspects,
        target.sub_group_sizes,
        target.toolchain,
        target.options,
    )


def error(read: Read, *contents: str | bytes) -> FormatError:
    """What is wrong with the files."""
    with pytest.raises(FormatError) as caught:
        read(*contents)
    return caught.value


# What files say


def test_form_with_names_and_toolchain(read: Read) -> None:
    table, warnings = read("""\
intel_gpu_new:
    aspects: [fp16, fp64, fp16]
    may_support_other_aspects: true
    sub-group-sizes: [16, 8, 16]
    aot-toolchain: ocloc
    aot-toolchain-options: -device newer
""")
    expected = (("fp16", "fp64"), True, (8, 16), "ocloc", "-device newer")
    assert facts(table["intel_gpu_new"]) == expected
    assert warnings == ()
    assert len(table) == len(TABLE) + 1
    assert "intel_gpu_new" not in TABLE


def test_form_with_numbers_and_compiler_id(read: Read) -> None:
    table, warnings = read("""\
gen11_1:
  aspects: [1, 2, 3]
  sub-group-sizes: [8, 16]
  aot-compiler-id: gen-spir64
x86_64_avx512:
  aspects: [1, "2", 3, 9, 11]
  sub-group-sizes: [8, 32]
  aot-compiler-id: x86-spir64
""")
    expected = (("cpu", "gpu", "accelerator"), False, (8, 16), "ocloc", "-device 11.1.0")
    assert facts(table["gen11_1"]) == expected
    assert table["x86_64_avx512"].toolchain == "opencl-aot"
    assert table["x86_64_avx512"].options == ""
    assert table["x86_64_avx512"].has("online_linker")
    assert warnings == ()


def test_keys_given_replace_those_of_a_known_target_and_others_stay(read: Read) -> None:
    known = TABLE["intel_gpu_pvc"]
    table, _ = read("intel_gpu_pvc: {sub-group-sizes: [64]}")
    changed = table["intel_gpu_pvc"]
    assert changed.sub_group_sizes == (64,)
    assert changed.aspects == known.aspects
    assert changed.absent_aspects == known.absent_aspects
    assert facts(changed)[3:] == facts(known)[3:]
    assert len(table) == len(TABLE)


def test_new_aspects_of_a_known_target_leave_its_flag(read: Read) -> None:
    known = TABLE["intel_gpu_icllp"]
    assert known.may_support_other_aspects
    assert known.verdict("fp64") == "no"
    changed = read("intel_gpu_icllp: {aspects: [fp64]}").table["intel_gpu_icllp"]
    assert changed.aspects == ("fp64",)
    assert changed.may_support_other_aspects
    assert changed.verdict("fp64") == "yes"
    assert "fp64" not in changed.absent_aspects


@pytest.mark.parametrize(
    ("entry", "may"),
    [
        ("{aspects: [gpu]}", False),
        ("{aspects: []}", False),
        ("{sub-group-sizes: [8]}", True),
        ("", True),
        ("{aspects: [gpu], may_support_other_aspects: true}", True),
        ("{may-support-other-aspects: no}", False),
    ],
)
def test_whether_a_new_target_may_support_other_aspects(read: Read, entry: str, may: bool) -> None:
    assert read(f"new: {entry}").table["new"].may_support_other_aspects is may


def test_alias_updates_its_target(read: Read) -> None:
    table, _ = read("intel_gpu_9_0_9: {aspects: [fp16]}")
    assert table["intel_gpu_skl"].aspects == ("fp16",)
    assert table["intel_gpu_9_0_9"] is table["intel_gpu_skl"]
    assert table["intel_gpu_skl"].options == TABLE["intel_gpu_skl"].options
    assert len(table) == len(TABLE)


def test_both_spellings_of_keys(read: Read) -> None:
    table, _ = read("new: {sub_group_sizes: [8], aot_toolchain: ocloc, aot_toolchain_device: skl}")
    assert facts(table["new"])[2:] == ((8,), "ocloc", "-device skl")


def test_names_that_yaml_takes_for_numbers(read: Read) -> None:
    table, _ = read("9_0_9: {ocloc-device: 20.10}\n1:30: {aspects: [gpu]}\n")
    assert table["9_0_9"].options == "-device 20.10"
    assert "1:30" in table


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "--- ~\n...\n", "{}", "\ufeff"])
def test_nothing_said(read: Read, text: str) -> None:
    table, warnings = read(text)
    assert [target.name for target in table] == [target.name for target in TABLE]
    assert warnings == ()


def test_no_files() -> None:
    assert len(read_user_files([], TABLE).table) == len(TABLE)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings(read: Read, encoding: str) -> None:
    mark = "\ufeff" if encoding.endswith("e") else ""
    data = (mark + "new: # Gerät\n  aspects: [gpu]\n").encode(encoding)
    assert read(data).table["new"].has("gpu")


# Toolchains and their options


@pytest.mark.parametrize(
    ("text", "toolchain", "options"),
    [
        ("intel_gpu_99_1_4:", "ocloc", "-device 99.1.4"),
        ("nvidia_gpu_sm_130: {}", "ptxas", "-arch=sm_130"),
        ("amd_gpu_gfx1300: {}", "amdgpu", "-mcpu=gfx1300"),
        ("new: {}", "", ""),
        # What the user wrote wins.
        ("intel_gpu_new: {aot-toolchain: mine}", "mine", ""),
        ("intel_gpu_new: {aot-toolchain: ocloc}", "ocloc", "-device new"),
        ("intel_gpu_new: {aot-toolchain-options: -device x}", "ocloc", "-device x"),
        ("intel_gpu_new: {aot-toolchain-options: }", "ocloc", ""),
        ("intel_gpu_skl: {aot-toolchain: mine}", "mine", ""),
        # One option is set, others stay.
        ("intel_gpu_skl: {ocloc-device: kbl}", "ocloc", "-device kbl"),
        ("intel_gpu_skl: {aot-toolchain-rev_id: 3}", "ocloc", "-device skl -rev_id 3"),
        ("nvidia_gpu_sm_80: {aot-toolchain-arch: sm_86}", "ptxas", "-arch=sm_86"),
        ("intel_gpu_new: {aot-toolchain-device: x}", "ocloc", "-device x"),
        ("new: {ocloc-device: x, aot-toolchain-options: -q}", "ocloc", "-q -device x"),
        ("new: {aot-toolchain-flag: a b}", "", "-flag 'a b'"),
        ("new: {aot-toolchain--march: avx2}", "", "--march avx2"),
        # Options as a list.
        ("new: {aot-toolchain-options: [-device x, '-q', -n 1]}", "", "-device x -q -n 1"),
        ("new: {aot-toolchain-options: '-o \"a  b\"'}", "", '-o "a  b"'),
        ("new:\n  aot-toolchain-options: |\n    -a\n    -b c\n", "", "-a -b c"),
        # A compiler id is a tool and the rule for its options.
        ("intel_gpu_new: {aot-compiler-id: gen-spir64}", "ocloc", "-device new"),
        ("intel_gpu_rpl_s: {aot-compiler-id: gen-spir64}", "ocloc", "-device adl_s"),
        ("spir64: {aot-compiler-id: x86-spir64}", "opencl-aot", ""),
        ("new: {aot-compiler-id: gen-spir64, aot-toolchain: ocloc}", "ocloc", "-device new"),
        ("new: {aot-compiler-id: gen-spir64, ocloc-device: x}", "ocloc", "-device x"),
    ],
)
def test_toolchain_and_options(read: Read, text: str, toolchain: str, options: str) -> None:
    table, warnings = read(text)
    target = table[text.partition(":")[0]]
    assert (target.toolchain, target.options) == (toolchain, options)
    assert warnings == ()


def test_toolchain_that_looks_like_another_is_warned_of(read: Read) -> None:
    table, warnings = read("new: {aot-toolchain: oclock}")
    assert table["new"].toolchain == "oclock"
    assert warnings == (
        "1.yaml:1:22: warning: target 'new', key 'aot-toolchain': unknown toolchain 'oclock';"
        " did you mean 'ocloc'?",
    )


# A target named twice


def test_target_twice_in_a_file(read: Read) -> None:
    table, warnings = read("new: {aspects: [gpu], sub-group-sizes: [8]}\nnew: {aspects: [cpu]}\n")
    assert table["new"].aspects == ("cpu",)
    assert table["new"].sub_group_sizes == (8,)
    assert warnings == (
        "1.yaml:2:1: warning: target 'new' is already defined at 1.yaml:1:1;"
        " this entry takes precedence",
    )


def test_target_in_two_files_once_by_its_alias(read: Read) -> None:
    table, warnings = read("intel_gpu_skl: {aspects: [gpu]}", "\nintel_gpu_9_0_9: {aspects: [cpu]}")
    assert table["intel_gpu_skl"].aspects == ("cpu",)
    assert warnings == (
        "2.yaml:2:1: warning: target 'intel_gpu_9_0_9' (an alias of 'intel_gpu_skl') is already"
        " defined at 1.yaml:1:1; this entry takes precedence",
    )


def test_target_many_times_is_one_warning(read: Read) -> None:
    (warning,) = read("new:\n" * 5).warnings
    assert warning.startswith("1.yaml:2:1: ")
    assert warning.endswith(" (and 3 more like this)")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("ocloc-device: a", "ocloc-device: b", ("ocloc", "-device b")),
        ("ocloc-device: a", "aot-toolchain-options: -device b", ("ocloc", "-device b")),
        ("aot-toolchain-options: -device a", "ocloc-device: b", ("ocloc", "-device b")),
        ("ocloc-device: a", "aot-toolchain-x: y", ("ocloc", "-device a -x y")),
        ("aot-toolchain-options: '-a \"b  c\" -d'", "aot-toolchain-a: x", ("", "-a x -d")),
        ("aot-toolchain-options: '-a \"b  c\"'", "aot-toolchain-d: x", ("", '-a "b  c" -d x')),
        ("aot-compiler-id: gen-spir64", "aot-toolchain: ptxas", ("ptxas", "")),
        ("aot-toolchain: ptxas", "aot-compiler-id: gen-spir64", ("ocloc", "-device new")),
        ("aot-compiler-id: gen-spir64", "aspects: [gpu]", ("ocloc", "-device new")),
    ],
)
def test_last_entry_takes_precedence(
    read: Read, first: str, second: str, expected: tuple[str, str]
) -> None:
    target = read(f"new: {{{first}}}", f"new: {{{second}}}").table["new"]
    assert (target.toolchain, target.options) == expected


def test_completeness_depends_on_all_entries_of_a_target(read: Read) -> None:
    target = read("new: {sub-group-sizes: [8]}", "new: {aspects: [gpu]}").table["new"]
    assert not target.may_support_other_aspects


# Aspects that draw warnings


@pytest.mark.parametrize(
    ("aspect", "name", "words"),
    [
        ("int64_base_atomics", "int64_base_atomics", "is deprecated; use 'atomic64'"),
        ("8", "int64_extended_atomics", "'int64_extended_atomics' (8) is deprecated"),
        ("0", "host", "aspect 'host' (0) is deprecated"),
        ("usm_system_allocator", "usm_system_allocations", "use 'usm_system_allocations'"),
    ],
)
def test_deprecated_aspects(read: Read, aspect: str, name: str, words: str) -> None:
    table, warnings = read(f"new: {{aspects: [{aspect}]}}")
    assert table["new"].has(name)
    (warning,) = warnings
    assert warning.startswith("1.yaml:1:17: warning: target 'new', key 'aspects': ")
    assert words in warning


def test_number_of_a_current_aspect_with_a_deprecated_spelling(read: Read) -> None:
    table, warnings = read("new: {aspects: [17]}")
    assert table["new"].aspects == ("usm_system_allocations",)
    assert warnings == ()


def test_retired_aspects_are_left_out(read: Read) -> None:
    table, warnings = read("new: {aspects: [gpu, ext_intel_mem_channel]}")
    assert table["new"].aspects == ("gpu",)
    (warning,) = warnings
    assert (
        "aspect 'ext_intel_mem_channel' does not exist in current SYCL runtimes; ignored" in warning
    )


def test_same_warning_in_many_entries_is_given_once(read: Read) -> None:
    (warning,) = read("".join(f"new{n}: {{aspects: [host]}}\n" for n in range(9))).warnings
    assert warning.endswith("'host' is deprecated (and 8 more like this)")


def test_sub_group_size_that_no_device_has(read: Read) -> None:
    table, (warning,) = read("new: {sub-group-sizes: [24]}")
    assert table["new"].sub_group_sizes == (24,)
    assert "key 'sub-group-sizes': 24 is not a power of two" in warning


# Errors


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "a:\n  aspects: [gpu, fp46]",
            "2:18: error: target 'a', key 'aspects': unknown aspect 'fp46'",
            "did you mean 'fp64'?",
        ),
        ("a: {aspects: [1000]}", "1:15: error: target 'a', key 'aspects': unknown aspect", ""),
        ("a: {aspects: [-1]}", "unknown aspect '-1'", ""),
        ("a: {aspects: [007]}", "unknown aspect '007'", ""),
        (
            "a: {aspects: fp64}",
            "1:14: error: target 'a', key 'aspects': expected a list of aspects, got 'fp64'",
            "",
        ),
        ("a: {aspects: }", "key 'aspects': expected a list of aspects, got nothing", ""),
        ("a: {aspects: {fp64: true}}", "expected a list of aspects, got a mapping", "written []"),
        (
            "a: {aspects: [[fp64]]}",
            "1:15: error: target 'a', key 'aspects': expected text in the list of aspects, got a",
            "",
        ),
        ("a: {aspects: [~]}", "expected text in the list of aspects, got nothing", ""),
        ("a: {sub-group-sizes: [true]}", "expected an integer from 1 to 999999999, got 'true'", ""),
        ("a: {sub-group-sizes: [0]}", "expected an integer from 1 to 999999999, got '0'", ""),
        ("a: {sub-group-sizes: [-8]}", "expected an integer from 1 to 999999999, got '-8'", ""),
        ("a: {sub-group-sizes: [8.0]}", "expected an integer from 1 to 999999999, got '8.0'", ""),
        ("a: {sub-group-sizes: [010]}", "expected an integer from 1 to 999999999, got '010'", ""),
        (
            "a: {sub-group-sizes: ['8']}",
            "expected an integer from 1 to 999999999, got the text '8'",
            "",
        ),
        ("a: {sub-group-sizes: 8}", "expected a list of sub-group sizes, got '8'", ""),
        ("a: {may_support_other_aspects: 1}", "expected true or false, got '1'", ""),
        (
            "a: {may_support_other_aspects: 'true'}",
            "expected true or false, got the text 'true'",
            "",
        ),
        ("a: {may_support_other_aspects: [true]}", "expected true or false, got a list", ""),
        (
            "a: {aot-toolchain: }",
            "expected the name of a toolchain, such as ocloc, got nothing",
            "",
        ),
        (
            "a: {aot-toolchain: a b}",
            "expected the name of a toolchain, such as ocloc, got 'a b'",
            "",
        ),
        ("a: {aot-toolchain: [ocloc]}", "key 'aot-toolchain': expected text, got a list", ""),
        ("a: {aot-toolchain-options: {x: y}}", "expected text, got a mapping", ""),
        ("a: {aot-toolchain-options: '-x \"'}", "no closing quotation in the options", ""),
        ("a: {aot-toolchain-flag: }", "expected a value, got nothing", "'aot-toolchain-options'"),
        ("a: {aot-compiler-id: gen}", "unknown compiler id 'gen'", "'gen-spir64' and 'x86-s"),
        ("a: {aspcts: []}", "1:5: error: target 'a': unknown key 'aspcts'", "'aspects'?"),
        ("a: {aot-toolchain-option: x}", "unknown key 'aot-toolchain-option'", "-options'?"),
        ("a: {aot-toolchain-: x}", "unknown key 'aot-toolchain-'", "did you mean"),
        ("a: {quux: x}", "unknown key 'quux'", "the keys are aspects, sub-group-sizes,"),
        ("a: {7: x}", "unknown key '7'", ""),
        ("a: {[x]: y}", "1:5: error: target 'a': expected a key, got a list", ""),
        (
            "a: x",
            "1:4: error: target 'a': expected a mapping of keys, such as 'aspects', got 'x'",
            "",
        ),
        ("a: [x]", "expected a mapping of keys, such as 'aspects', got a list", ""),
        ("[x]: {}", "1:1: error: expected the name of a target, got a list", ""),
        ("'': {}", "expected the name of a target, got ''", ""),
        ("a b: {}", "expected the name of a target, got 'a b'", "letters, digits"),
        ("a,b: {}", "expected the name of a target, got 'a,b'", ""),
        ("-a: {}", "expected the name of a target, got '-a'", ""),
        ("ä: {}", "expected the name of a target", ""),
        ("<<: {}", "expected the name of a target, got '<<'", ""),
        ("[a]", "1:1: error: expected a mapping from target names to entries, got a list", ""),
        ("a", "expected a mapping from target names to entries, got 'a'", ""),
        ("a: {}\n---\nb: {}", "2:1: error: expected one YAML document, got several", ""),
        ("a:\n\taspects: []", "2:1: error: found character", "indent with spaces"),
        ("a: {aspects: [}", "1:15: error: ", ""),
        ("a: {}\n b: {}", "2:", ""),
        ("a: !!python/object:os.system {}", "1:4: error: the tag 'tag:yaml.org,2002:py", ""),
        ("a: {aspects: [!!python/name:os.system gpu]}", "is not allowed", ""),
        ("a: {aspects: !mine [gpu]}", "the tag '!mine' is not allowed", ""),
        ("!mine {a: {}}", "the tag '!mine' is not allowed", ""),
        ("%YAML 7.0\n---\na: {}", "found incompatible YAML document", ""),
    ],
)
def test_errors(read: Read, text: str, message: str, hint: str) -> None:
    found = error(read, text)
    assert found.message.startswith("1.yaml:")
    assert message in found.message
    assert hint in found.hint
    assert "\n" not in found.message


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            "aot-compiler-id: gen-spir64\n  aot-toolchain: ptxas",
            "2:3: error: target 'nvidia_gpu_sm_80': 'aot-compiler-id' implies ocloc, but"
            " 'aot-toolchain' is ptxas",
        ),
        ("aot-toolchain: ptxas\n  ocloc-device: skl", "3:3: error: "),
        (
            "ocloc-device: skl",
            "'ocloc-device' applies only to ocloc, and this target's toolchain is ptxas",
        ),
        (
            "aot-toolchain-options: -arch=a\n  aot-toolchain-arch: b",
            "3:3: error: target 'nvidia_gpu_sm_80': 'aot-toolchain-options' and"
            " 'aot-toolchain-arch' both set '-arch'",
        ),
        (
            "aot-toolchain: ocloc\n  ocloc-device: a\n  aot-toolchain-device: b",
            "4:3: error: target 'nvidia_gpu_sm_80': duplicate key 'aot-toolchain-device';"
            " first given in line 3",
        ),
    ],
)
def test_contradictions_in_an_entry(read: Read, entry: str, message: str) -> None:
    assert message in error(read, f"nvidia_gpu_sm_80:\n  {entry}").message


@pytest.mark.parametrize("second", ["aspects", "sub-group-sizes", "sub_group_sizes"])
def test_key_twice_in_an_entry(read: Read, second: str) -> None:
    first = second.replace("_", "-")
    found = error(read, f"a:\n  {first}: []\n  {second}: []")
    assert found.message == (
        f"1.yaml:3:3: error: target 'a': duplicate key '{second}'; first given in line 2"
    )


def test_all_errors_of_a_file_are_reported(read: Read) -> None:
    text = "a:\n  aspcts: []\n  aspects: [fp46]\nb: 5\nc: {aspects: [gpu]}\nd: {aot-toolchain: }"
    found = error(read, text)
    lines = str(found).splitlines()
    assert [line.split(" ")[0] for line in lines if ": error: " in line] == [
        "1.yaml:2:3:",
        "1.yaml:3:13:",
        "1.yaml:4:4:",
        "1.yaml:6:20:",
    ]
    assert lines[1] == "1.yaml:2:3: note: did you mean 'aspects'?"


def test_errors_are_limited(read: Read) -> None:
    found = error(read, "".join(f"a{n}: 5\n" for n in range(1000)))
    assert found.message.count("\n") == 20
    assert found.message.endswith("too many errors, stopping now")


def test_quoted_text_is_short_and_printable(read: Read) -> None:
    found = error(read, f'a: {{"{"x" * 5000}": 1, "\\e[1m": 2}}')
    assert len(str(found)) < 700
    assert "\x1b" not in str(found)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a:\n  aspects: [\xff]", "1.yaml:2: error: expected UTF-8 text"),
        (b"\xff\xfea", "1.yaml:1: error: expected UTF-16 text"),
        (b"a:\n  \0", "1.yaml:2:3: error: YAML does not allow the character U+0000"),
        (b"a: \x1b[1m", "1.yaml:1:4: error: YAML does not allow the character U+001B"),
        (
            "a: {}".encode("utf-16-le"),
            "1.yaml:1:2: error: YAML does not allow the character U+0000",
        ),
    ],
)
def test_bytes_that_are_not_yaml(read: Read, data: bytes, message: str) -> None:
    assert error(read, data).message == message


# Anchors, aliases and merged keys


def test_aliases_and_merged_keys(read: Read) -> None:
    table, warnings = read("""\
base: &base
  aspects: &some [gpu, fp16]
  sub-group-sizes: [8]
next:
  <<: *base
  sub-group-sizes: [16]
other: {aspects: *some, aot-toolchain: &tool ocloc}
last: {<<: [{sub_group_sizes: [32]}, *base], aot-toolchain: *tool}
redefined: {aspects: &some [cpu]}
after: {aspects: *some}
*tool : {}
""")
    assert table["next"].aspects == ("gpu", "fp16")
    assert table["next"].sub_group_sizes == (16,)
    assert table["other"].aspects == ("gpu", "fp16")
    assert table["last"].sub_group_sizes == (32,)
    assert table["last"].toolchain == "ocloc"
    assert table["after"].aspects == ("cpu",)
    assert "ocloc" in table
    assert warnings == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a: {<<: [gpu]}",
            "1:10: error: target 'a': expected an entry, such as *name, or a list of",
        ),
        ("a: {<<: gpu}", "after '<<', got 'gpu'"),
        ("a: {'<<': {}}", "unknown key '<<'"),
        ("a: *b", "1:4: error: undefined anchor 'b'"),
        ("a: &a {aspects: *a}", "1:17: error: 'a' contains itself"),
        ("a: &a [*a]", "'a' contains itself"),
        ("&a {b: *a}", "'a' contains itself"),
    ],
)
def test_errors_with_aliases(read: Read, text: str, message: str) -> None:
    assert message in error(read, text).message


def test_error_that_many_entries_share_is_reported_once(read: Read) -> None:
    text = "a: {aspects: &x [fp46]}\n" + "".join(f"a{n}: {{aspects: *x}}\n" for n in range(50))
    assert "\n" not in error(read, text).message


def ninefold(line: str) -> str:
    """Each line repeats the one before nine times."""
    return "".join(
        line.format(n=n, before=", ".join([f"*a{n - 1}"] * 9)) + "\n" for n in range(1, 30)
    )


@pytest.mark.parametrize(
    "text",
    [
        "a0: &a0 {aspects: [lol]}\n" + ninefold("a{n}: &a{n} [{before}]"),
        "a0: &a0 {aspects: [gpu]}\n" + ninefold("a{n}: &a{n} {{<<: [{before}]}}"),
        "a: {aspects: &a [" + "1, " * 9000 + "]}\n"
        "" + "".join(f"a{n}: {{aspects: *a}}\n" for n in range(9000)),
        f"a: {{aot-toolchain-x: &a {'x' * 60_000}}}\n"
        + "".join(f"a{n}: {{aot-toolchain-x: *a}}\n" for n in range(9000)),
    ],
    ids=["lists", "merged", "quadratic", "text"],
)
def test_alias_bombs_are_refused(read: Read, text: str) -> None:
    assert "anchors and aliases expand to more than 1000000 values" in error(read, text).message


def test_long_chain_of_merged_entries_is_refused(read: Read) -> None:
    text = "a0: &a0 {aspects: []}\n"
    text += "".join(f"a{n}: &a{n} {{<<: *a{n - 1}}}\n" for n in range(1, 9000))
    assert "nested more than 16 levels deep" in error(read, text).message


def test_many_aliases_in_a_large_file(read: Read) -> None:
    names = ", ".join(aspect_names())
    text = f"a: {{aspects: &a [{names}]}}\n"
    table, _ = read(text + "".join(f"a{n}: {{aspects: *a}}\n" for n in range(5000)))
    assert table["a4999"].aspects == aspect_names()


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_does_not_crash(tmp_path: Path, opening: str) -> None:
    file = tmp_path / "deep.yaml"
    lead = "a: " if opening in "[{a: " else "a:\n "
    file.write_text(lead + opening * 100_000)
    program = (
        "import sys; from dovetail.targets import default_table\n"
        "from dovetail.targets.user_file import read_user_files\n"
        "from dovetail.errors import FormatError\n"
        "try: read_user_files(sys.argv[1:], default_table())\n"
        "except FormatError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, file], capture_output=True, text=True, check=True
    )
    assert "error: nested more than 16 levels deep" in done.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: {aspects: [" + "1, " * 10_001 + "]}", "more than 10000 values in an entry"),
        ("".join(f"%TAG !a{n}! b\n" for n in range(101)) + "--- {}", "more than 100 tag"),
    ],
)
def test_other_limits(read: Read, text: str, message: str) -> None:
    assert message in error(read, text).message


# Files that cannot be read


def input_error(path: str | Path) -> InputError:
    """Why a file cannot be read."""
    with pytest.raises(InputError) as caught:
        read_user_files([path], TABLE)
    return caught.value


def test_missing_file_folder_and_impossible_name(tmp_path: Path) -> None:
    assert "No such file" in input_error(tmp_path / "none.yaml").message
    assert "Is a directory" in input_error(tmp_path).message
    assert "null byte" in input_error("a\0b").message
    assert "\\udcff" in input_error("none\udcff").message


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable to root")
def test_unreadable_file(tmp_path: Path) -> None:
    file = tmp_path / "secret.yaml"
    file.touch(mode=0o000)
    assert "Permission denied" in input_error(file).message


def test_pipes_and_devices_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "is not a regular file" in input_error(tmp_path / "pipe").message
    assert "is not a regular file" in input_error("/dev/zero").message


def test_file_over_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    with file.open("wb") as stream:
        stream.truncate(SIXTEEN_MB + 1)
    assert "is larger than 16 MiB" in input_error(file).message


def test_file_of_just_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    text = b"new: {}\n#"
    file.write_bytes(text + b"-" * (SIXTEEN_MB - len(text)))
    assert "new" in read_user_files([file], TABLE).table


# The parser


def test_parser_is_not_loaded_before_a_file_is_read() -> None:
    program = "import sys, dovetail.targets.user_file; sys.exit('yaml' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_user_files_are_not_loaded_with_targets() -> None:
    program = "import sys, dovetail.targets; sys.exit('dovetail.targets.user_file' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    "text", ["a: {aspects: [gpu, 5], <<: {sub-group-sizes: [8]}}", "", "--- # none\n"]
)
def test_without_libyaml(read: Read, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    expected = [facts(target) for target in read(text).table]
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    assert [facts(target) for target in read(text).table] == expected


@pytest.mark.parametrize("text", ["a:\n\taspects: []", "a: [", "a: *b", "a: " + "[" * 10_000])
def test_errors_without_libyaml(read: Read, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    assert error(read, text).message.startswith("1.yaml:")


# Any file

KNOWN = [target.name for target in TABLE]
NAMES = st.sampled_from([*KNOWN, "intel_gpu_new", "9_0_9", "true", "null"]) | st.from_regex(
    r"[A-Za-z0-9_][A-Za-z0-9_.:+-]{0,12}", fullmatch=True
)
NUMBERS = st.integers(1, 6) | st.sampled_from(aspect_names())
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "aspects": st.lists(NUMBERS, max_size=6),
        "sub-group-sizes": st.lists(st.sampled_from([1, 2, 4, 8, 16, 32]), max_size=4),
        "may_support_other_aspects": st.booleans(),
        "aot-toolchain": st.sampled_from(["ocloc", "ptxas", "null", "7", "off"]),
        "aot-toolchain-options": st.from_regex(
            r"([-a-z0-9=:~!&*.]+( [-a-z0-9]+)?)?", fullmatch=True
        ),
    },
)


@given(configuration=st.dictionaries(NAMES, ENTRIES, max_size=4), flow=st.booleans())
def test_any_configuration_is_read_as_it_was_written(
    tmp_path: Path, configuration: dict[str, dict[str, object]], flow: bool
) -> None:
    file = tmp_path / "any.yaml"
    file.write_text(yaml.safe_dump(configuration, default_flow_style=flow, allow_unicode=True))
    table = read_user_files([file], TABLE).table
    canonical = {TABLE.canonical(name) if name in TABLE else name for name in configuration}
    if len(canonical) < len(configuration):
        return
    for name, entry in configuration.items():
        check_entry(table, name, entry)


def check_entry(table: Table, name: str, entry: dict[str, object]) -> None:
    """That the target is as the entry says."""
    target = table[name]
    if "aspects" in entry:
        given_aspects = cast("list[str | int]", entry["aspects"])
        assert all(target.has(aspect) for aspect in given_aspects)
        assert len(target.aspects) <= len(given_aspects)
    if "sub-group-sizes" in entry:
        sizes = cast("list[int]", entry["sub-group-sizes"])
        assert set(target.sub_group_sizes) == set(sizes)
    for key, value in {
        "may_support_other_aspects": target.may_support_other_aspects,
        "aot-toolchain": target.toolchain,
        "aot-toolchain-options": target.options,
    }.items():
        assert entry.get(key, value) == value


FRAGMENTS = st.sampled_from(
    [
        "a",
        "intel_gpu_skl",
        ":",
        ": ",
        "\n",
        "\n  ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "&x ",
        "*x",
        "<<: ",
        "aspects",
        "sub-group-sizes",
        "aot-toolchain-x",
        "ocloc-device",
        "fp64",
        "7",
        "~",
        "!!str ",
        "!x ",
        "---\n",
        "...\n",
        "%TAG ! x\n",
        "? ",
        "'",
        '"',
        ">\n",
        "\t",
        "#",
        "\u2028",
    ]
)
BYTES = st.binary(max_size=60) | st.lists(FRAGMENTS, max_size=30).map(lambda x: "".join(x).encode())


@given(data=BYTES)
def test_any_bytes_are_read_or_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "any.yaml"
    file.write_bytes(data)
    with suppress(FormatError):
        read_user_files([file], TABLE)


def test_may_support_other_aspects_covers_absent_ones(read: Read) -> None:
    assert TABLE["intel_gpu_icllp"].verdict("fp64") == "no"
    table, _ = read("intel_gpu_icllp: {may_support_other_aspects: true}")
    assert table["intel_gpu_icllp"].verdict("fp64") == "may"
    table, _ = read("intel_gpu_icllp: {aspects: [gpu]}")
    assert table["intel_gpu_icllp"].verdict("fp64") == "no"


def test_long_texts_are_refused(read: Read) -> None:
    text = "a: {aot-toolchain-options: '" + "a\\" * 40_000 + "'}"
    assert "more than 65536 characters" in error(read, text).message


@pytest.mark.parametrize("aspect", ["FP64", "sycl::aspect::fp64", "aspect::fp46"])
def test_the_nearest_aspect_whatever_the_spelling(read: Read, aspect: str) -> None:
    assert error(read, f"a: {{aspects: ['{aspect}']}}").hint == "did you mean 'fp64'?"
