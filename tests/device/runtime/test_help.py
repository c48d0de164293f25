"""What `help(dovetail)` and the help of public names show is what happens."""

import doctest
from inspect import getdoc

import pytest

import dovetail

WITH_EXAMPLES = ("Queue", "NdRange", "from_dlpack", "kernel")
"""Names with examples, which use those of the package."""

pytestmark = pytest.mark.device


def test_examples_in_the_help() -> None:
    names: dict[str, object] = {name: getattr(dovetail, name) for name in WITH_EXAMPLES}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    for place in (dovetail, *(getattr(dovetail, name) for name in WITH_EXAMPLES)):
        text = getdoc(place)
        assert text
        found = doctest.DocTestParser().get_doctest(text, names, str(place), None, 0)
        assert found.examples
        report: list[str] = []
        runner.run(found, out=report.append, clear_globs=False)
        names |= found.globs
        assert not report, "".join(report)


def test_public_objects_show_public_names() -> None:
    queue = dovetail.Queue()
    memory = queue.alloc(1, "i4")
    shown = {
        queue: "alloc device parallel_for profiling single_task wait",
        memory: "address copy_from device dtype free kind nbytes numpy shape size to_numpy",
        dovetail.NdRange(1): "dimensions global_size local_size",
    }
    for thing, names in shown.items():
        assert dir(thing) == names.split()
    for thing in (*shown, queue.device):
        assert all(hasattr(thing, name) for name in dir(thing))
