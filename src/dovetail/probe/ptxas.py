"""NVIDIA's assembler, asked in PTX. Several releases may be installed, each with its own targets.

A kernel says in its `.target` line for which hardware it is meant, and ptxas checks instructions
against that. Controls are kernels meant for hardware that lacks the feature.
"""

import re
import shutil
from importlib.metadata import PackageNotFoundError, distribution

from dovetail.errors import ToolMissing
from dovetail.probe.child import Finished, NoAnswer, run_child, work_folder
from dovetail.probe.compiler import Answer, Said, judge
from dovetail.probe.questions import IMPOSSIBLE_SIZE, Question
from dovetail.targets import Target

_PACKAGES = ("nvidia-cuda-nvcc", "nvidia-cuda-nvcc-cu13", "nvidia-cuda-nvcc-cu12")
"""PyPI's packages that hold a ptxas."""

_TOOLKIT = "/usr/local/cuda/bin"
"""Where NVIDIA's installer puts a toolkit, on PATH or not."""

_ARCHITECTURE = re.compile(r"(?:-arch|--gpu-name)[ =](sm_\w+)")
_VERSION = re.compile(r"\bV(\d+(?:\.\d+)+)")
_NEWEST_PTX = re.compile(r"current version is '([\d.]+)'")

_UNKNOWN = re.compile(r"Value '\w+' is not defined for option 'gpu-name'")
_REFUSED = re.compile(
    r"requires \.target sm_\w+ or higher|Constant expression has division by zero"
)

_WITHOUT_DOUBLE = "sm_12"
_WITHOUT_HALF_OR_SCOPES = "sm_52"

_MODULE = """\
.version {version}
.target {target}
.address_size 64
{declaration}
.visible .entry probe(.param .u64 p) {{
  .reg .b64 %address, %old;
  .reg .b16 %half;
  .reg .f64 %double;
  ld.param.u64 %address, [p];
  {body}
  ret;
}}
"""

_BODIES = {
    "fp64": "ld.global.f64 %double, [%address];"
    " mul.f64 %double, %double, %double; st.global.f64 [%address], %double;",
    # Arithmetic: older hardware loads, stores and converts half too.
    "fp16": "ld.global.b16 %half, [%address];"
    " add.f16 %half, %half, %half; st.global.b16 [%address], %half;",
    # SYCL's atomics have scopes, of which the widest is the system.
    "atomic64": "atom.sys.global.add.u64 %old, [%address], 1;",
}


class Ptxas:
    """One installed release of ptxas."""

    def __init__(self, path: str, version: str, ptx_version: str) -> None:
        self._path = path
        self._ptx_version = ptx_version
        self.version = version
        self.name = f"ptxas {version}"

    def ask(self, target: Target, question: Question) -> Answer:
        architecture = _ARCHITECTURE.search(target.options)
        if not architecture:
            return Answer(Said.NOT_ASKED)
        return self._assemble(question, architecture[1], f"-arch={architecture[1]}")

    def ask_control(self, question: Question) -> Answer:
        if question.sub_group_size:
            question = Question(sub_group_size=IMPOSSIBLE_SIZE)
        lacking = _WITHOUT_DOUBLE if question.aspect == "fp64" else _WITHOUT_HALF_OR_SCOPES
        return self._assemble(question, lacking)

    def _assemble(self, question: Question, meant_for: str, *options: str) -> Answer:
        text = ptx(question, meant_for, self._ptx_version)
        finished = _run_on(self._path, text, *options)
        return judge(finished, refusal=_REFUSED, unknown=_UNKNOWN)


def ptx(question: Question, target: str, version: str) -> str:
    """The question's kernel.

    A kernel cannot ask for a warp size: the hardware has one, and PTX a constant that tells it. So
    the size is asked by an initialiser that divides by zero if the constant is another.
    """
    declaration = ""
    if question.sub_group_size:
        declaration = f".global .u32 size = 1 / (WARP_SZ == {question.sub_group_size});"
    return _MODULE.format(
        version=version,
        target=target,
        declaration=declaration,
        body=_BODIES.get(question.aspect, ""),
    )


def find() -> list[Ptxas]:
    """Every release that is installed, newest first; `ToolMissing` if there is none."""
    found: dict[str, Ptxas] = {}
    for path in _paths():
        ptxas = _describe(path)
        if ptxas:
            found.setdefault(ptxas.version, ptxas)
    if not found:
        raise ToolMissing(
            "'ptxas' is not installed",
            hint="install a CUDA toolkit and put it on PATH, or: pip install nvidia-cuda-nvcc-cu12",
        )
    return sorted(found.values(), key=_by_version, reverse=True)


def _by_version(ptxas: Ptxas) -> tuple[int, ...]:
    return tuple(int(part) for part in ptxas.version.split("."))


def _paths() -> list[str]:
    on_path = [shutil.which("ptxas"), shutil.which("ptxas", path=_TOOLKIT)]
    return [path for path in on_path if path] + [
        path for package in _PACKAGES for path in _in_package(package)
    ]


def _in_package(package: str) -> list[str]:
    try:
        files = distribution(package).files or []
    except PackageNotFoundError:
        return []
    return [str(file.locate()) for file in files if file.match("bin/ptxas")]


def _describe(path: str) -> Ptxas | None:
    """What a ptxas says of itself; None if it does not run or is not one."""
    try:
        version = _VERSION.search(_run_on(path, "", "--version").log)
        # Told of a version of PTX that there is not, it names the newest that it knows.
        newest = _NEWEST_PTX.search(_run_on(path, ".version 99.0\n.target sm_90\n").log)
    except NoAnswer:
        return None
    return Ptxas(path, version[1], newest[1]) if version and newest else None


def _run_on(path: str, text: str, *options: str) -> Finished:
    """Run a ptxas on a module; without an option it assembles for an old target that it knows."""
    with work_folder() as folder:
        (folder / "probe.ptx").write_text(text)
        return run_child([path, *options, "probe.ptx", "-o", "probe.cubin"], folder)
