"""The TableGen back-end: tables in C++ and Python from llvm-tblgen's records."""

import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from dovetail.cli.main import main
from dovetail.errors import CompileError
from dovetail.resources import CLANG, tool_path
from dovetail.tablegen import cpp_tables, dynamic_tables, python_tables, read_records
from dovetail.targets import _aspects, _names, _targets

DEVICES = Path(_targets.__file__).with_name("devices.td")

SEED = """\
include "llvm/TableGen/DynamicTable.td"

class Aspect<string name> {
  string Name = name;
}
def AspectCpu : Aspect<"cpu">;
def AspectGpu : Aspect<"gpu">;
def AspectFp16 : Aspect<"fp16">;
def AspectImage : Aspect<"image">;
def AspectAtomic64 : Aspect<"atomic64">;
def AspectEmulated : Aspect<"emulated">;

def TargetTable : DynamicTable {
  let FilterClass = "TargetInfo";
  let Fields = ["TargetName", "aspects", "maySupportOtherAspects",
                "subGroupSizes", "aotToolchain", "aotToolchainOptions"];
  string TypeOf_aspects = "list<Aspect>";
  string TypeOf_subGroupSizes = "list<int>";
}

class TargetInfo<string tgtName, list<Aspect> aspectList, bit otherAspects,
                 list<int> listSubGroupSizes, string toolchain, string options> {
  string TargetName = tgtName;
  list<Aspect> aspects = aspectList;
  bits<1> maySupportOtherAspects = otherAspects;
  list<int> subGroupSizes = listSubGroupSizes;
  string aotToolchain = toolchain;
  string aotToolchainOptions = options;
}

def : TargetInfo<"TargetA", [AspectCpu, AspectAtomic64],
                 0, [8, 16], "ocloc", "-device tgtA">;
def : TargetInfo<"TargetB", [AspectGpu, AspectFp16],
                 0, [8, 16], "ocloc", "-device tgtB">;
def : TargetInfo<"TargetC", [AspectEmulated, AspectImage],
                 0, [8, 32], "ocloc", "-device tgtC, -option2 val">;
"""

SEED_TABLE = """\
std::map<std::string, TargetInfo> TargetTable = {
    {"TargetA",
     {{"cpu", "atomic64"}, 0, {8, 16}, "ocloc", "-device tgtA"}},
    {"TargetB",
     {{"gpu", "fp16"}, 0, {8, 16}, "ocloc", "-device tgtB"}},
    {"TargetC",
     {{"emulated", "image"}, 0, {8, 32}, "ocloc", "-device tgtC, -option2 val"}}};
"""


def _tables(
    folder: Path, text: str, *, head: str = 'include "llvm/TableGen/DynamicTable.td"\n'
) -> str:
    source = folder / "input.td"
    source.write_text(head + dedent(text))
    return python_tables(dynamic_tables(read_records(source)), source.name)


def test_the_documented_example(tmp_path: Path) -> None:
    (tmp_path / "input.td").write_text(SEED)
    output = tmp_path / "output.inc"
    words = ["-gen-dynamic-tables", "-I", str(tmp_path), str(tmp_path / "input.td")]
    assert main(["tblgen", *words, "-o", str(output)]) == 0
    text = output.read_text()
    assert SEED_TABLE in text
    assert text.index("#ifdef GET_TargetTable_IMPL") < text.index("std::map")


def test_generated_cpp_compiles_and_can_be_queried(tmp_path: Path) -> None:
    include = tmp_path / "devices.inc"
    assert main(["tblgen", "--gen-dynamic-tables", str(DEVICES), "-o", str(include)]) == 0
    source = tmp_path / "look_up.cpp"
    source.write_text(
        dedent("""\
        #include <cstdio>
        #include <map>
        #include <string>
        #include <vector>
        namespace DeviceConfigFile {
        struct TargetInfo {
          std::vector<std::string> aspects;
          bool maySupportOtherAspects;
          std::vector<unsigned> subGroupSizes;
          std::string aotToolchain;
          std::string aotToolchainOptions;
        };
        struct TargetAlias { std::string target; };
        struct Aspect { int number; };
        #define GET_TargetTable_IMPL
        #define GET_AliasTable_IMPL
        #define GET_AspectTable_IMPL
        #include "devices.inc"
        }
        int main() {
          using namespace DeviceConfigFile;
          if (TargetTable.find("no_such_target") != TargetTable.end())
            return 1;
          TargetTable["mine"] = {{"gpu"}, false, {7}, "tool", "-x"};
          const TargetInfo &info = TargetTable.at(AliasTable.at("intel_gpu_12_60_7").target);
          for (const std::string &aspect : info.aspects)
            std::printf("%s=%d ", aspect.c_str(), AspectTable.at(aspect).number);
          for (unsigned size : info.subGroupSizes)
            std::printf("%u ", size);
          std::printf("%s %s|%u|%zu\\n", info.aotToolchain.c_str(),
                      info.aotToolchainOptions.c_str(), TargetTable["mine"].subGroupSizes[0],
                      TargetTable.size());
        }
        """)
    )
    program = tmp_path / "look_up"
    subprocess.run([tool_path(CLANG), source, "-o", program, "-Wall", "-Werror"], check=True)
    answer = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    assert answer == (
        "gpu=2 fp16=5 atomic64=27 ext_intel_esimd=49 fp64=6 16 32 ocloc -device pvc|7|101\n"
    )


def test_the_tables_of_the_package_are_up_to_date() -> None:
    space: dict[str, object] = {}
    exec(python_tables(dynamic_tables(read_records(DEVICES)), DEVICES.name), space)
    own = {**vars(_targets), **vars(_aspects), **vars(_names)}
    tables = {name: table for name, table in space.items() if name.endswith("Table")}
    assert tables.keys() == {name for name in own if name.endswith("Table")}
    assert all(own[name] == table for name, table in tables.items()), "run 'make setup'"


def test_chosen_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tblgen", "-gen-python-tables", str(DEVICES)]
    assert main([*words, "-tables=AliasTable"]) == 0
    assert capsys.readouterr().out.count("Table = {") == 1
    assert main([*words, "-tables=AliasTabel"]) == 2
    assert "did you mean 'AliasTable'?" in capsys.readouterr().err


def test_every_kind_of_field(tmp_path: Path) -> None:
    text = _tables(
        tmp_path,
        r"""
        class Colour<int v> { int value = v; }
        def Red : Colour<1>;
        class Row<int k, list<list<int>> n> {
          int key = k;
          Colour colour = Red;
          list<string> words = ["a\"b\\", "c"];
          list<list<int>> nested = n;
          bits<4> four = 5;
          bit one = 1;
          code text = [{x}];
        }
        def : Row<2, [[1], [2, 3]]>;
        def : Row<1, []>;
        def Odd : DynamicTable {
          let FilterClass = "Row";
          let Fields = ["key", "colour", "words", "nested", "four", "one", "text"];
        }
        """,
    )
    space: dict[str, object] = {}
    exec(text, space)
    words = ('a"b\\', "c")
    assert space["Odd"] == {
        2: ("Red", words, ((1,), (2, 3)), 5, 1, "x"),
        1: ("Red", words, (), 5, 1, "x"),
    }


def test_bits_are_numbers_and_lists_are_lists(tmp_path: Path) -> None:
    text = _tables(
        tmp_path,
        """
        class Row<string k, list<int> v> {
          string key = k; list<int> values = v; bits<2> bitty = {1, 0};
        }
        def : Row<"a", [0, 1]>;
        def : Row<"b", [1, 1]>;
        def T : DynamicTable {
          let FilterClass = "Row"; let Fields = ["key", "values", "bitty"];
        }
        """,
    )
    assert "'a': ((0, 1), 2)" in text


def test_the_smallest_number_compiles(tmp_path: Path) -> None:
    source = tmp_path / "input.td"
    source.write_text(
        'include "llvm/TableGen/DynamicTable.td"\n'
        'class Row<string k> { string key = k; int n = -9223372036854775808; } def : Row<"a">;'
        'def T : DynamicTable { let FilterClass = "Row"; let Fields = ["key", "n"]; }'
    )
    text = cpp_tables(dynamic_tables(read_records(source)), "input.td")
    assert '{"a",\n     {(-9223372036854775807 - 1)}}' in text


def test_rows_are_in_file_order(tmp_path: Path) -> None:
    rows = "\n".join(f'def : Row<"{name}">;' for name in "zyxwvutsrqponm")
    text = _tables(
        tmp_path,
        f"""
class Row<string k> {{ string key = k; }}
{rows}
def T : DynamicTable {{ let FilterClass = "Row"; let Fields = ["key"]; }}
""",
    )
    space: dict[str, dict[str, object]] = {}
    exec(text, space)
    assert "".join(space["T"]) == "zyxwvutsrqponm"


def test_strings_in_cpp_are_escaped(tmp_path: Path) -> None:
    source = tmp_path / "input.td"
    source.write_text(
        'include "llvm/TableGen/DynamicTable.td"\n'
        r'class Row<string k> { string key = k; } def : Row<"a\"\\\n\té">;'
        'def T : DynamicTable { let FilterClass = "Row"; let Fields = ["key"]; }'
    )
    text = cpp_tables(dynamic_tables(read_records(source)), "input.td")
    assert r'{"a\"\\\n\t\303\251",' in text


def test_a_file_without_tables_is_valid(tmp_path: Path) -> None:
    assert "=" not in _tables(tmp_path, "class A; def X : A;", head="")


HEAD = (
    "class Nobody { string key; } class Row<string k> { string key = k; string text = ?;"
    " list<int> n = [8]; bits<2> open = {?, 1}; }"
)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            'let FilterClass = "Rwo"; let Fields = ["key"];',
            "input.td:4: error: unknown class 'Rwo' in FilterClass of table 'T'\n"
            "did you mean 'Row'?",
        ),
        (
            'let FilterClass = "Row"; let Fields = ["key", "txt"];',
            "input.td:4: error: unknown field 'txt' in Fields of table 'T':"
            " class 'Row' does not have it\ndid you mean 'text'?",
        ),
        (
            'let FilterClass = "Row"; let Fields = ["key", "n"]; string TypeOf_n = "list<Rows>";',
            "input.td:4: error: unknown class 'Rows' in TypeOf_n of table 'T'\ndid you mean 'Row'?",
        ),
        (
            'let FilterClass = "Row"; let Fields = ["key", "n"]; string TypeOf_n = "list<string>";',
            "input.td:3: error: expected a value of type list<string> in 'n', as TypeOf_n of"
            " table 'T' (input.td:4) requires",
        ),
        (
            'let FilterClass = "Row"; let Fields = ["key", "text"];',
            "input.td:3: error: 'text' is not set, but table 'T' needs it",
        ),
        (
            'let FilterClass = "Row"; let Fields = ["key", "open"];',
            "input.td:3: error: 'open' is not set, but table 'T' needs it",
        ),
        (
            'let FilterClass = "Row"; let Fields = ["key"]; string TypeOf_kye = "string";',
            "input.td:4: error: TypeOf_kye does not match a field of table 'T'\n"
            "did you mean 'key'?",
        ),
        (
            'let FilterClass = "Nobody"; let Fields = ["kye"];',
            "input.td:4: error: unknown field 'kye' in Fields of table 'T':"
            " class 'Nobody' does not have it\ndid you mean 'key'?",
        ),
        ('let FilterClass = "Row"; let Fields = [];', "input.td:4: error: table 'T' has no Fields"),
        ('let Fields = ["key"];', "input.td:4:5: error: Initializer of 'CppTypeName' in 'T'"),
        (
            'let FilterClass = "Row"; let Fields = ["n"];',
            "input.td:4: error: the key of table 'T', its first field 'n', is a list",
        ),
    ],
)
def test_errors_name_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("input.td").write_text(
        f'include "llvm/TableGen/DynamicTable.td"\n{HEAD}\ndef : Row<"a">;\n'
        f"def T : DynamicTable {{ {table} }}\n"
    )
    with pytest.raises(CompileError) as raised:
        dynamic_tables(read_records(Path("input.td")))
    assert str(raised.value).startswith(message)


def test_duplicate_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("input.td").write_text(
        'include "llvm/TableGen/DynamicTable.td"\n'
        'class Row<string k> { string key = k; }\ndef : Row<"a">;\ndef : Row<"a">;\n'
        'def T : DynamicTable { let FilterClass = "Row"; let Fields = ["key"]; }\n'
    )
    with pytest.raises(CompileError) as raised:
        dynamic_tables(read_records(Path("input.td")))
    assert str(raised.value) == (
        "input.td:4: error: table 'T' has two entries for 'a'\nthe first one is at input.td:3"
    )


def test_errors_of_tblgen_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("input.td").write_text("def X : Nope;\n")
    assert main(["tblgen", "-gen-dynamic-tables", "input.td", "-o", "output.inc"]) == 1
    assert "input.td:1:9: error: Couldn't find class 'Nope'" in capsys.readouterr().err
    assert not Path("output.inc").exists()


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tblgen", "-gen-python-tables", "no-such.td"]) == 1
    assert "there is no file 'no-such.td'" in capsys.readouterr().err
