"""Compile units in the debug information of extracted parts."""

from collections.abc import Callable

from effort import effort

from dovetail.ir import Context, Module

Parse = Callable[[str], Module]


class Source:
    """A module with a kernel and a variable, `k0`, `v0` and so on, for each of many units."""

    def __init__(self, units: int) -> None:
        self._globals: list[str] = []
        self._nodes: list[str] = []
        self.type = self.add('!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)')
        self.function_type = self.add("!DISubroutineType(types: !{null})")
        # Its variables do not say which unit they are in.
        self.namespace = self.add('!DINamespace(name: "n", scope: null)')
        self.units = [self._add_unit(number) for number in range(units)]

    def add(self, node: str) -> str:
        self._nodes.append(f"!{len(self._nodes)} = {node}")
        return f"!{len(self._nodes) - 1}"

    def add_global(self, text: str) -> None:
        self._globals.append(text)

    def subprogram(self, name: str, unit: str) -> str:
        return self.add(
            f'distinct !DISubprogram(name: "{name}", type: {self.function_type}, unit: {unit}, '
            "spFlags: DISPFlagDefinition)"
        )

    def _add_unit(self, number: int) -> str:
        variable = self.add(
            f'distinct !DIGlobalVariable(name: "v{number}", scope: {self.namespace}, '
            f"type: {self.type})"
        )
        listed = self.add(f"!DIGlobalVariableExpression(var: {variable}, expr: !DIExpression())")
        file = self.add(f'!DIFile(filename: "unit{number}.cpp", directory: "/")')
        variables = self.add(f"!{{{listed}}}")
        unit = self.add(
            f"distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: {file}, "
            f"emissionKind: FullDebug, globals: {variables})"
        )
        kernel = self.subprogram(f"k{number}", unit)
        place = self.add(f"!DILocation(line: 1, scope: {kernel})")
        self.add_global(f"@v{number} = global i32 0, !dbg {listed}")
        self.add_global(
            f"define void @k{number}() !dbg {kernel} {{\n"
            f"store i32 1, ptr @v{number}, !dbg {place}\nret void, !dbg {place}\n}}"
        )
        return unit

    def text(self) -> str:
        flag = self.add('!{i32 2, !"Debug Info Version", i32 3}')
        lists = [
            f"!llvm.dbg.cu = !{{{', '.join(self.units)}}}",
            f"!llvm.module.flags = !{{{flag}}}",
        ]
        return "\n".join([*self._globals, *lists, *self._nodes])


def device_compilations(part: Module) -> list[str]:
    """Return the files of a part's units, which must be exactly the listed ones."""
    part.verify()
    # Through bitcode, which drops debug information that is not well-formed.
    text = Module.parse(Context(), part.to_bitcode(), "again").to_text()
    units = [line for line in text.splitlines() if "!DICompileUnit(" in line]
    assert all("retainedTypes:" not in unit for unit in units)
    _, listed = text.split("!llvm.dbg.cu = !{")
    assert len(listed.splitlines()[0].split(",")) == len(units)
    return [part.split('"')[1] for part in text.split("filename: ")[1:]]


def test_a_part_has_only_its_own_units(parse: Parse) -> None:
    module = parse(Source(20).text())
    for number in (0, 7, 19):
        part = module.extract([f"k{number}"])
        assert device_compilations(part) == [f"unit{number}.cpp"]
        assert "globals:" in part.to_text()
        assert f'name: "v{number}"' in part.to_text()
    assert sorted(device_compilations(module.extract(["k3", "v5"]))) == ["unit3.cpp", "unit5.cpp"]


def test_a_unit_may_be_reached_through_the_scope_of_a_type(parse: Parse) -> None:
    source = Source(5)
    elsewhere = source.subprogram("elsewhere", source.units[3])
    local = source.add(
        f'!DICompositeType(tag: DW_TAG_structure_type, name: "local", scope: {elsewhere}, size: 8)'
    )
    function = source.subprogram("f", source.units[1])
    variable = source.add(f'!DILocalVariable(name: "x", scope: {function}, type: {local})')
    place = source.add(f"!DILocation(line: 1, scope: {function})")
    source.add_global(
        f"define void @f(i8 %x) !dbg {function} {{\n"
        f"#dbg_value(i8 %x, {variable}, !DIExpression(), {place})\nret void, !dbg {place}\n}}"
    )
    part = parse(source.text()).extract(["f"])
    assert sorted(device_compilations(part)) == ["unit1.cpp", "unit3.cpp"]
    assert 'name: "v' not in part.to_text()


def test_a_unit_may_be_reached_through_metadata_of_no_function(parse: Parse) -> None:
    source = Source(5)
    note = source.add(f"!{{{source.subprogram('noted', source.units[2])}}}")
    inside = source.add(f"!{{{source.subprogram('inside', source.units[4])}}}")
    source.add_global(f"define void @f() {{ ret void, !note {note} }}")
    source.add_global("declare i1 @llvm.type.test(ptr, metadata)")
    source.add_global(
        "define i1 @passed(ptr %p) {\n"
        f"%r = call i1 @llvm.type.test(ptr %p, metadata {note})\nret i1 %r\n}}"
    )
    source.add_global(f"declare !note {note} void @declared()")
    source.add_global(f"!notes = !{{{inside}}}")
    module = parse(source.text())
    assert device_compilations(module.extract(["f"])) == ["unit2.cpp"]
    assert device_compilations(module.extract(["declared"])) == ["unit2.cpp"]
    assert device_compilations(module.extract(["passed"])) == ["unit2.cpp"]
    part = module.extract(["f"], ["notes"])
    assert sorted(device_compilations(part)) == ["unit2.cpp", "unit4.cpp"]


def test_units_that_were_added_later(parse: Parse) -> None:
    module = parse(Source(2).text())
    assert device_compilations(module.extract(["v1"])) == ["unit1.cpp"]
    late = parse(Source(4).text())
    late.rename({name: f"late_{name}" for name in ("k0", "k1", "v0", "v1")})
    module.link(late)
    assert device_compilations(module.extract(["v3"])) == ["unit3.cpp"]


def test_extraction_does_not_slow_down_with_the_number_of_units(parse: Parse) -> None:
    """A placeholder for each unit of the module would make the larger one 25 times slower."""

    def extract_50(module: Module) -> None:
        for number in range(50):
            module.extract([f"k{number}"])

    small, large = parse(Source(50).text()), parse(Source(1500).text())
    assert effort(lambda: extract_50(large)) < 8 * effort(lambda: extract_50(small))
