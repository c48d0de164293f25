"""Probe ptxas, NVIDIA's assembler, with PTX; several releases may be installed.

ptxas checks the instructions of a kernel against the hardware in its `.target` line. Controls are
kernels for hardware that lacks the feature.
"""

import re

from dovetail.compilers.ptxas import find_ptxas
from dovetail.probe.compiler import Answer, AnswerKind, classify
from dovetail.probe.questions import IMPOSSIBLE_SIZE, Question
from dovetail.processes.pool import current_pool, work_folder
from dovetail.targets import Target

_ARCHITECTURE = re.compile(r"(?:-arch|--gpu-name)[ =](sm_\w+)")

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
    # With arithmetic, since older hardware can load, store and convert half.
    "fp16": "ld.global.b16 %half, [%address];"
    " add.f16 %half, %half, %half; st.global.b16 [%address], %half;",
    # With the widest of SYCL's memory scopes.
    "atomic64": "atom.sys.global.add.u64 %old, [%address], 1;",
}


class PtxasProbe:
    """One installed release of ptxas."""

    def __init__(self, path: str, name: str, ptx_version: str) -> None:
        self._path = path
        self._ptx_version = ptx_version
        self.name = name

    def ask(self, target: Target, question: Question) -> Answer:
        architecture = _ARCHITECTURE.search(target.options)
        if not architecture:
            return Answer(AnswerKind.NO_DEVICE)
        return self._assemble(question, architecture[1], f"-arch={architecture[1]}")

    def ask_control(self, question: Question) -> Answer:
        if question.sub_group_size:
            question = Question(sub_group_size=IMPOSSIBLE_SIZE)
        lacking = _WITHOUT_DOUBLE if question.aspect == "fp64" else _WITHOUT_HALF_OR_SCOPES
        return self._assemble(question, lacking)

    def _assemble(self, question: Question, ptx_target: str, *options: str) -> Answer:
        """Assemble the question's kernel; without -arch, ptxas assembles for an old target."""
        text = ptx(question, ptx_target, self._ptx_version)
        with work_folder() as folder:
            (folder / "probe.ptx").write_text(text)
            command = [self._path, *options, "probe.ptx", "-o", "probe.cubin"]
            finished = current_pool().run(command, folder=folder)
        return classify(finished, refusal=_REFUSED, unknown=_UNKNOWN)


def ptx(question: Question, target: str, version: str) -> str:
    """Return the question's kernel.

    A kernel cannot require a warp size, which is a fixed property of the hardware and a constant in
    PTX. So an initializer divides by zero if the constant differs.
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


def find() -> list[PtxasProbe]:
    """Return the installed releases, newest first; raise `ToolMissing` if there is none."""
    return [PtxasProbe(each.path, each.name, each.ptx_version) for each in find_ptxas()]
