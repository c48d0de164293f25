"""What docs and docstrings say of our Python code exists."""

import re
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import dovetail
from dovetail import postlink
from dovetail.artifacts import DeviceModule
from dovetail.facts import Facts
from dovetail.ir import Context, Module

ROOT = Path(__file__).parents[2]


def named(path: str) -> object:
    """What a name with dots stands for; AttributeError or ImportError if there is none."""
    found: object = dovetail
    for number, part in enumerate(path.split(".")[1:], 2):
        if not hasattr(found, part):
            import_module(".".join(path.split(".")[:number]))
        found = getattr(found, part)
    return found


def test_names_in_docs_exist() -> None:
    pattern = re.compile(r"`(dovetail(?:\.[A-Za-z_]\w*)+)(\()?")
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    found = {
        (name, bool(call)) for page in pages for name, call in pattern.findall(page.read_text())
    }
    assert ("dovetail.driver.post_link", True) in found
    for name, is_called in found:
        assert callable(named(name)) or not is_called, name


def test_example_of_post_link_works() -> None:
    example = dedent(str(postlink.__doc__).partition("\n\n")[2])
    text = b'define spir_kernel void @k() #0 { ret void }\nattributes #0 = { "sycl-module-id"="a" }'
    names = {name: getattr(postlink, name) for name in dir(postlink)}
    names["modules"] = [DeviceModule(Module.parse(Context(), text, "k.ll"), Facts())]
    exec(example, names)
    assert len(names["images"]) == 1
    assert names["findings"] == []
