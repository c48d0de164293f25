"""The source that embeds a packaged program in an executable or library."""

from pathlib import Path

import pytest

from dovetail.interpreter import Interpreter
from dovetail.package import embedding_source


@pytest.mark.parametrize(
    ("path", "literal"),
    [
        ("/usr/bin/python3", '"/usr/bin/python3"'),
        ('/a "b"\\c/python', r'"/a \042b\042\134c/python"'),
        ("/ü/??/python", r'"/\303\274/\077\077/python"'),
        ("/\udcff\n1", r'"/\377\0121"'),
    ],
)
def test_paths_as_literals(path: str, literal: str) -> None:
    python = Interpreter(path, "", "3.11", ("/one", "/two"))
    source = embedding_source(Path("a/1.syclbin"), python, can_be_unloaded=False).decode()
    assert f'dovetail_recorded_python{{{literal}, "", "3.11", "/one:/two"}};' in source
    assert "&__dso_handle, false);" in source


def test_path_of_the_program() -> None:
    python = Interpreter("/usr/bin/python3", "", "3.11", ())
    source = embedding_source(Path('/a\n"b"/1.syclbin'), python, can_be_unloaded=False).decode()
    # A literal of the assembler within one of C++, which both escape in octal.
    assert r".incbin \042/a\134012\134042b\134042/1.syclbin\042\012" in source
