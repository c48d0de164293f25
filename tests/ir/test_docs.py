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
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


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
    found = {
        (name, bool(call)) for page in PAGES for name, call in pattern.findall(page.read_text())
    }
    assert ("dovetail.driver.post_link", True) in found
    for name, is_called in found:
        assert callable(named(name)) or not is_called, name


EXAMPLES = {"k.py"}
"""Files that readers write."""


def test_modules_in_docs_exist() -> None:
    pattern = re.compile(r"`((?:[a-z_]+/)*[a-z_]+\.py)`")
    folders = [each for each in ROOT.iterdir() if each.name not in {".venv", "build"}]
    modules = [each.as_posix() for folder in folders for each in folder.rglob("*.py")]
    missing = {
        f"{page.name}: {name}"
        for page in PAGES
        for name in pattern.findall(page.read_text())
        if not name.rpartition("/")[2].startswith("my_") and name not in EXAMPLES
        if not any(each.endswith(f"/{name}") for each in modules)
    }
    assert not missing


def anchors(page: Path) -> set[str]:
    """The fragments by which the headings of a page can be named."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    kept = (re.sub(r"[^\w\- ]", "", title.lower()) for title in titles)
    return {title.replace(" ", "-") for title in kept}


def test_links_between_pages_lead_somewhere() -> None:
    pattern = re.compile(r"\]\(([\w./-]*\.md)?(?:#([\w-]+))?\)")
    found = 0
    for page in PAGES:
        for path, fragment in pattern.findall(page.read_text()):
            target = page.parent / path if path else page
            assert target.exists(), f"{page.name}: {path}"
            assert not fragment or fragment in anchors(target), f"{page.name}: {path}#{fragment}"
            found += 1
    assert found > 100


def test_example_of_post_link_works() -> None:
    example = dedent(str(postlink.__doc__).partition("\n\n")[2])
    text = b'define spir_kernel void @k() #0 { ret void }\nattributes #0 = { "sycl-module-id"="a" }'
    names = {name: getattr(postlink, name) for name in dir(postlink)}
    names["modules"] = [DeviceModule(Module.parse(Context(), text, "k.ll"), Facts())]
    exec(example, names)
    assert len(names["images"]) == 1
    assert names["findings"] == []


def test_every_fragment_of_the_changelog_is_gathered() -> None:
    names = {path.name for path in (ROOT / "changes").iterdir()}
    assert {name for name in names if not name.endswith(".change.md")} == {"template.md.jinja"}
