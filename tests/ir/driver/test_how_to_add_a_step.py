"""The step in docs/how-to-add-a-step.md is one that works."""

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from dovetail.driver import BuildRequest, ExecutionOptions, Job, JobListener, execute, plan_build
from dovetail.driver.phases_shown import phases_text
from dovetail.driver.requests import Headers
from dovetail.frontend import Source
from dovetail.settings import CACHE_DIR

GUIDE = Path(__file__).parents[3] / "docs" / "how-to-add-a-step.md"
KERNEL = Source.from_text(
    "[[clang::sycl_external]] extern int f(int x);\nint f(int x) { return x; }\n"
)


class Started(JobListener):
    """Notes which steps run."""

    def __init__(self) -> None:
        self.titles: list[str] = []

    def started(self, job: Job) -> None:
        self.titles.append(job.step.title)


def test_the_step_in_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path))
    code = re.search(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert code
    namespace: dict[str, Any] = {}
    exec(textwrap.dedent(code[1]), namespace)

    def planned() -> Any:
        program = plan_build(BuildRequest((KERNEL,)), Headers())
        return namespace["ProgramSize"](program._replace(needs_kernels=False))

    first = Started()
    step = planned()
    done = execute(step, ExecutionOptions(first))
    assert done.result == len(done.results.of(step.program)) > 0
    assert first.titles[-2:] == ["packaging", "program size"]
    assert phases_text(planned()).splitlines()[-1].startswith("6: program size, {5}, number")
    again = Started()
    assert execute(planned(), ExecutionOptions(again)).result == done.result
    assert again.titles == []
