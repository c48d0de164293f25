"""A small program that is built repeatedly, and whose output identifies its sources."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from dovetail.settings import CACHE_DIR

TIMEOUT_S = 300.0
"""A build or program that takes longer hangs."""

# `sycl.hpp` comes first, so that sources use the precompiled header, which faults can damage.
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


class CheckFailed(Exception):
    """A build or program that did not behave as required."""


class Project:
    """Two sources and a header, with their own cache and folder for temporary files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.cache = folder / "cache"
        self.temporary = folder / "temporary"
        for each in (self.folder, self.cache, self.temporary):
            each.mkdir(mode=0o700)
        (self.folder / "main.cpp").write_text(_MAIN)

    def write(self, number: int) -> None:
        """Change the header and one source; every number is another program."""
        self.write_header(number)
        (self.folder / "other.cpp").write_text(_OTHER.format(number=number % 1000))

    def write_header(self, number: int) -> None:
        """Change the header only."""
        (self.folder / "numbers.hpp").write_text(_HEADER.format(number=number))

    def start(
        self, *, output: str = "program", before: Sequence[str] = ()
    ) -> subprocess.Popen[bytes]:
        """Start a build in its own process group; `before` is a command prefix."""
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
        """Wait for a build, which may fail with a clear message; return its status."""
        try:
            output, _ = build.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(build.pid, signal.SIGKILL)
            raise CheckFailed(f"a build takes longer than {TIMEOUT_S:.0f} s") from None
        status, text = build.returncode, output.decode(errors="replace")
        if status == 70 or "Traceback" in text:
            raise CheckFailed(f"a build ended with status {status}:\n{text}")
        if status == 1 and not re.search(r"error|interrupted|failed|was ended by", text):
            raise CheckFailed(f"a build failed without a clear message:\n{text}")
        return status

    def build(self, number: int) -> None:
        """Build the program with a number; it must succeed and be correct."""
        self.write(number)
        before = {*self.temporary.iterdir()}
        build = self.start()
        output, _ = build.communicate(timeout=TIMEOUT_S)
        if build.returncode:
            text = output.decode(errors="replace")
            raise CheckFailed(
                f"a build without faults ended with status {build.returncode}:\n{text}"
            )
        self.check("program", (number,))
        left = {*self.temporary.iterdir()} - before
        if left:
            raise CheckFailed(f"a build left temporary files: {sorted(map(str, left))}")

    def check(self, output: str, header: Sequence[int], source: int | None = None) -> None:
        """Run a program; it must be built from the source and one of the header's numbers."""
        command = [str(self.folder / output)]
        ran = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, timeout=TIMEOUT_S
        )
        other = header[0] if source is None else source
        expected = [f"{each} {each * 1000 + other % 1000}\n" for each in header]
        if ran.returncode or ran.stdout not in expected:
            raise CheckFailed(f"expected one of {expected}, got {ran.stdout!r} and {ran.stderr!r}")

    @property
    def _environment(self) -> dict[str, str]:
        own = {CACHE_DIR.variable: str(self.cache), "TMPDIR": str(self.temporary)}
        return {**os.environ, **own}
