"""Atomic instructions of every order and scope.

LLVM's back-end for AMD's GPUs implements all of LLVM's orders and scopes. That for NVIDIA's GPUs
ignores the order of read-modify-write instructions, and does not support ordered loads and stores
before sm_70. So for NVIDIA, all instructions are relaxed, with fences before and after, following
the mapping of C++'s orders in the PTX manual. That back-end also uses device scope for all
read-modify-write instructions; for system scope, inline PTX is used where the processor has it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dovetail.ir import Function
from dovetail.passes.device_functions.definition import DeviceFunction
from dovetail.passes.device_functions.memory_order import (
    ACQUIRE_PART,
    RELEASE_PART,
    by_scope_and_order,
    fence,
    sync_scope,
)
from dovetail.processor_functions import GENERATION, declaration
from dovetail.targets.ir_family import IRFamily

_PRIVATE = "!0"
HELPERS = {
    IRFamily.NVPTX64: declaration(GENERATION),
    IRFamily.AMDGCN: f"{_PRIVATE} = !{{i32 5, i32 6}}\n",
}
"""For AMD's GPUs, the private address space, which contains no atomic objects."""

_WITHOUT_RELEASE = {"release": "monotonic", "acq_rel": "acquire"}
_WITHOUT_ACQUIRE = {"acquire": "monotonic", "acq_rel": "release"}


@dataclass(frozen=True)
class _Atomic:
    """The operands and modifiers of an atomic instruction."""

    family: IRFamily
    pointer: str
    kind: str
    """The type of the value."""
    scope: str
    order: str
    result: str

    @property
    def ending(self) -> str:
        """The text after its operands."""
        return f"{sync_scope(self.scope)} {self.order}{self.place}"

    @property
    def place(self) -> str:
        size = 8 if self.kind in ("i64", "double") else 4
        # Otherwise the back-end tests at run time whether a generic pointer is private.
        known = self.family is IRFamily.AMDGCN and self.pointer == "ptr"
        return f", align {size}" + (f", !noalias.addrspace {_PRIVATE}" if known else "")


def _body(
    instruction: Callable[[_Atomic], str], weaker: Mapping[str, str]
) -> Callable[[IRFamily, Function], str]:
    """Return a body for an instruction; `weaker` replaces orders that it cannot have."""

    def body(family: IRFamily, declaration: Function) -> str:
        pointer, *_, last = declaration.parameter_types
        returns = declaration.return_type
        kind = last if returns == "void" else returns

        def block(scope: str, order: str) -> str:
            result = f"%{scope}.{order}.result"
            order = weaker.get(order, order)
            if family is IRFamily.NVPTX64:
                relaxed = _Atomic(family, pointer, kind, scope, "monotonic", result)
                text = _fenced(scope, order, instruction(relaxed), acquires=returns != "void")
            else:
                text = instruction(_Atomic(family, pointer, kind, scope, order, result))
            return f"{text}\nret {returns}" + ("" if returns == "void" else f" {result}")

        return by_scope_and_order(family, block)

    return body


def _fenced(scope: str, order: str, relaxed: str, *, acquires: bool) -> str:
    # After the instruction, an acquire fence is enough, even for sequential consistency.
    acquire = "acquire" if acquires and order in ACQUIRE_PART else None
    return f"{fence(scope, RELEASE_PART.get(order))}\n{relaxed}\n{fence(scope, acquire)}"


def _load(atomic: _Atomic) -> str:
    return f"{atomic.result} = load atomic {atomic.kind}, {atomic.pointer} %at {atomic.ending}"


def _store(atomic: _Atomic) -> str:
    return f"store atomic {atomic.kind} %operand, {atomic.pointer} %at {atomic.ending}"


def _compare_exchange(atomic: _Atomic) -> str:
    failure = _WITHOUT_RELEASE.get(atomic.order, atomic.order)
    scope = f"{sync_scope(atomic.scope)} {atomic.order} {failure}{atomic.place}"
    operands = f"{atomic.kind} %expected, {atomic.kind} %desired"
    return f"""
{atomic.result}.both = cmpxchg {atomic.pointer} %at, {operands} {scope}
{atomic.result} = extractvalue {{ {atomic.kind}, i1 }} {atomic.result}.both, 0"""


_PTX = {
    "xchg": ("exch", "b"),
    "add": ("add", "u"),
    "sub": ("add", "u"),
    "and": ("and", "b"),
    "or": ("or", "b"),
    "xor": ("xor", "b"),
    "min": ("min", "s"),
    "max": ("max", "s"),
    "umin": ("min", "u"),
    "umax": ("max", "u"),
    "fadd": ("add", "f"),
}
"""Names and type letters in PTX. LLVM implements the other operations as loops around a
compare-exchange, whose scope is correct."""
_FIRST_WITH_SYSTEM_SCOPE = 60
_PTX_WIDTHS = {"i32": (32, "r"), "i64": (64, "l"), "float": (32, "f"), "double": (64, "d")}
_PTX_SPACES = {"ptr": "", "ptr addrspace(1)": ".global"}
"""Local memory is missing: it belongs to one work-group, so any scope is wide enough."""


def _modify(operation: str) -> Callable[[_Atomic], str]:
    def instruction(atomic: _Atomic) -> str:
        is_system_scope = atomic.family is IRFamily.NVPTX64 and not atomic.scope
        if is_system_scope and operation in _PTX and atomic.pointer in _PTX_SPACES:
            return _system_scope(operation, atomic)
        return _by_llvm(operation, atomic, atomic.result)

    return instruction


def _by_llvm(operation: str, atomic: _Atomic, result: str) -> str:
    operands = f"{atomic.pointer} %at, {atomic.kind} %operand"
    return f"{result} = atomicrmw {operation} {operands} {atomic.ending}"


def _system_scope(operation: str, atomic: _Atomic) -> str:
    """Return an instruction of system scope, or of device scope before sm_60."""
    name = atomic.result.removeprefix("%")
    wide, narrow, end = (f"{name}.{part}" for part in ("wide", "narrow", "end"))
    return f"""
%{name}.generation = call i32 @{GENERATION}()
%{name}.can = icmp uge i32 %{name}.generation, {_FIRST_WITH_SYSTEM_SCOPE}
br i1 %{name}.can, label %{wide}, label %{narrow}
{wide}:
{_ptx_instruction(operation, atomic, f"%{wide}.result")}
br label %{end}
{narrow}:
{_by_llvm(operation, atomic, f"%{narrow}.result")}
br label %{end}
{end}:
%{name} = phi {atomic.kind} [ %{wide}.result, %{wide} ], [ %{narrow}.result, %{narrow} ]"""


def _ptx_instruction(operation: str, atomic: _Atomic, result: str) -> str:
    """Return inline PTX of system scope."""
    name, number = _PTX[operation]
    bits, register = _PTX_WIDTHS[atomic.kind]
    ptx = f"atom.sys{_PTX_SPACES[atomic.pointer]}.{name}.{number}{bits} $0, [$1], $2;"
    # PTX has no atomic subtraction.
    operand = f"{result}.operand"
    sign = f"{operand} = sub {atomic.kind} 0, %operand\n" if operation == "sub" else ""
    return (
        f'{sign}{result} = call {atomic.kind} asm sideeffect "{ptx}",'
        f' "={register},l,{register},~{{memory}}"'
        f"({atomic.pointer} %at, {atomic.kind} {operand if sign else '%operand'})"
    )


def _modification(operation: str) -> DeviceFunction:
    names = ("at", "scope", "semantics", "operand")
    return DeviceFunction(names, _body(_modify(operation), {}))


def _compare_exchange_body(family: IRFamily, declaration: Function) -> str:
    """Return a body that applies the combined order of success and failure to both."""
    chosen = _body(_compare_exchange, {})(family, declaration)
    return f"%semantics = or i32 %success, %failure\n{chosen}"


FUNCTIONS = {
    "__spirv_AtomicLoad": DeviceFunction(
        ("at", "scope", "semantics"), _body(_load, _WITHOUT_RELEASE)
    ),
    "__spirv_AtomicStore": DeviceFunction(
        ("at", "scope", "semantics", "operand"), _body(_store, _WITHOUT_ACQUIRE)
    ),
    "__spirv_AtomicCompareExchange": DeviceFunction(
        ("at", "scope", "success", "failure", "desired", "expected"), _compare_exchange_body
    ),
    "__spirv_AtomicExchange": _modification("xchg"),
    "__spirv_AtomicIAdd": _modification("add"),
    "__spirv_AtomicISub": _modification("sub"),
    "__spirv_AtomicAnd": _modification("and"),
    "__spirv_AtomicOr": _modification("or"),
    "__spirv_AtomicXor": _modification("xor"),
    "__spirv_AtomicSMin": _modification("min"),
    "__spirv_AtomicSMax": _modification("max"),
    "__spirv_AtomicUMin": _modification("umin"),
    "__spirv_AtomicUMax": _modification("umax"),
    "__spirv_AtomicFAddEXT": _modification("fadd"),
    "__spirv_AtomicFMinEXT": _modification("fmin"),
    "__spirv_AtomicFMaxEXT": _modification("fmax"),
}
