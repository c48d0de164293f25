"""A small program that is built again and again, whose output tells which sources it is made of."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from dovetail.settings import CACHE_DIR

PATIENCE_S = 300.0
"""Whatever takes longer hangs."""

# Before any header of the project's own, so that sources take the precompiled one, which is then
# among what is damaged.
_MAIN = """\
#include <cstdio>
#include <sycl/sycl.hpp>

#include "numbers.hpp"
SYCL_EXTERNAL int combined(int);
int main() {
  sycl::queue queue;
  int *result = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *result = combined(IN_HEADER); }).wait();
  std::printf("%d %d\\n", IN_HEADER, *result);
}
"""
_OTHER = """\
#include <sycl/sycl.hpp>

#include "numbers.hpp"
SYCL_EXTERNAL int combined(int number) {{ return number * 1000 + {number}; }}
"""
_HEADER = "constexpr int IN_HEADER = {number};\n"


class Wrong(Exception):
    """A build or a program that did not do what it has to."""


class Project:
    """Two sources and a header, with a cache and a folder for temporary files of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.cache = folder / "cache"
        self.temporary = folder / "temporary"
        for each in (self.folder, self.cache, self.temporary):
            each.mkdir(mode=0o700)
        (self.folder / "main.cpp").write_text(_MAIN)

    def write(self, number: int) -> None:
        """Change the header and one of the sources, so that every number is another program."""
        self.write_header(number)
        (self.folder / "other.cpp").write_text(_OTHER.format(number=number % 1000))

    def write_header(self, number: int) -> None:
        """Change the header only."""
        (self.folder / "numbers.hpp").write_text(_HEADER.format(number=number))

    def start(
        self, *, output: str = "program", before: Sequence[str] = ()
    ) -> subprocess.Popen[bytes]:
        """Begin to build, in a process group of its own; `before` is put before the command."""
        words = ["c++", "-fsycl", "main.cpp", "other.cpp", "-o", output]
        command = [*before, sys.executable, "-P", "-m", "dovetail", *words]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,
        )

    def finish(self, build: subprocess.Popen[bytes]) -> int:
        """Wait for a build that may fail, but only with a clear message; return its status."""
        try:
            said, _ = build.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(build.pid, signal.SIGKILL)
            raise Wrong(f"a build takes longer than {PATIENCE_S:.0f} s") from None
        status = build.returncode
        if status == 70 or b"Traceback" in said:
            raise Wrong(f"a build ended with status {status}:\n{said.decode(errors='replace')}")
        if status == 1 and not re.search(rb"error|interrupted|failed|was ended by", said):
            raise Wrong(f"a build failed and does not say why:\n{said.decode(errors='replace')}")
        return status

    def build(self, number: int) -> None:
        """Build a program with that number, which has to succeed and to be right."""
        self.write(number)
        there = {*self.temporary.iterdir()}
        build = self.start()
        said, _ = build.communicate(timeout=PATIENCE_S)
        if build.returncode:
            text = said.decode(errors="replace")
            raise Wrong(f"a build without faults ended with status {build.returncode}:\n{text}")
        self.check("program", (number,))
        left = {*self.temporary.iterdir()} - there
        if left:
            raise Wrong(f"a build left temporary files: {sorted(map(str, left))}")

    def check(self, output: str, header: Sequence[int], source: int | None = None) -> None:
        """Run a program; it must be of the source's number and of one of the header's."""
        command = [str(self.folder / output)]
        ran = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, timeout=PATIENCE_S
        )
        other = header[0] if source is None else source
        expected = [f"{each} {each * 1000 + other % 1000}\n" for each in header]
        if ran.returncode or ran.stdout not in expected:
            raise Wrong(f"expected one of {expected}, got {ran.stdout!r}, and {ran.stderr!r}")

    @property
    def _environment(self) -> dict[str, str]:
        own = {CACHE_DIR.variable: str(self.cache), "TMPDIR": str(self.temporary)}
        return {**os.environ, **own}
