"""LLVM for dovetail.ir, which is the only importer."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

# ruff: noqa: PYI021 -- editors show these docstrings; there is no source to take them from
MetadataOperand: TypeAlias = int | Integer | str | Sequence[MetadataOperand] | None

def demangle(symbols: Sequence[str]) -> list[str]:
    """Symbols as C++ spells them; what is no mangled name stays as it is."""

def known_processors(triple: str) -> list[str]:
    """
    All names of processors that LLVM knows of a target; it ignores others silently.
    """

def llvm_version() -> str:
    """Such as 22.1.8."""

class Context:
    """
    Where modules live. Those of one context can be linked; threads need one each.
    """

    def __init__(self) -> None: ...
    @property
    def is_poisoned(self) -> bool:
        """Whether LLVM crashed or gave up in this context, which ends its use."""

    def take_warnings(self) -> list[str]:
        """LLVM's warnings since the last call."""

class Function:
    """A function of a module when it was listed."""

    @property
    def name(self) -> str: ...
    @property
    def is_declaration(self) -> bool: ...
    @property
    def linkage(self) -> str: ...
    @property
    def calling_convention(self) -> str: ...
    @property
    def return_type(self) -> str: ...
    @property
    def parameter_types(self) -> list[str]: ...

class GlobalVariable:
    """A global variable of a module when it was listed."""

    @property
    def name(self) -> str: ...
    @property
    def is_declaration(self) -> bool: ...
    @property
    def linkage(self) -> str: ...
    @property
    def address_space(self) -> int: ...
    @property
    def value_type(self) -> str: ...
    @property
    def size(self) -> int:
        """In bytes; 0 for an opaque type."""

    @property
    def alignment(self) -> int:
        """In bytes."""

    @property
    def is_constant(self) -> bool: ...

class FunctionShape:
    """What must not change when code is generated for a function."""

    @property
    def name(self) -> str: ...
    @property
    def variables(self) -> list[int]:
        """The sizes of its local variables in bytes, in order."""

    @property
    def blocks(self) -> list[tuple[int, int]]:
        """
        For each basic block, in order, its divisions and remainders of integers, and its
        loads.
        """

class ConditionalCaller:
    """A function that calls another one, its action, if a condition holds."""

    @property
    def name(self) -> str: ...
    @property
    def action(self) -> str | None:
        """None, unless all that it does is one direct call."""

    @property
    def call_count(self) -> int:
        """In its body."""

    @property
    def is_referenced(self) -> bool:
        """Whether anything but a call refers to it."""

    @property
    def calls(self) -> list[tuple[str, tuple[int | None, ...]]]:
        """Who calls it with which condition; None for what is not constant."""

class ConditionalCall:
    """A call of an action that is made if a condition holds."""

    @property
    def caller(self) -> str: ...
    @property
    def callee(self) -> str: ...
    @property
    def action(self) -> str: ...
    @property
    def condition(self) -> tuple[int | None, ...]:
        """None for what is not constant."""

class Integer:
    """A metadata integer whose type is not i32; counts as an int."""

    def __init__(self, value: int, bits: int) -> None: ...
    @property
    def value(self) -> int: ...
    @property
    def bits(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Module:
    """A module of LLVM IR."""

    @staticmethod
    def parse(context: Context, data: bytes, name: str) -> Module:
        """Reads textual IR or bitcode."""

    @property
    def name(self) -> str: ...
    @property
    def triple(self) -> str: ...
    @property
    def context(self) -> Context: ...
    def functions(self) -> list[Function]:
        """In the order of the module."""

    def global_variables(self) -> list[GlobalVariable]:
        """In the order of the module."""

    def scalar_types(self) -> dict[str, list[str]]:
        """
        Of half, double and atomic i64, those that each function's code touches.
        """

    def class_addresses(self) -> list[str]:
        """
        The functions that address parts of others' objects of classes that hold a double.
        """

    def verify(self) -> None:
        """Raises IRError with LLVM's report."""

    def to_text(self) -> str: ...
    def to_bitcode(self) -> bytes: ...
    def link(self, other: Module) -> None:
        """Moves everything in `other` here; `other` cannot be used afterwards."""

    def extract(
        self,
        roots: Sequence[str],
        named_metadata: Sequence[str] = (),
        public: Sequence[str] | None = None,
        apart: str = "",
    ) -> Module:
        """
        A new module: the roots, all they refer to, flags, and the named metadata. Where
        `public` is given, definitions of these names are external and all others internal;
        a name that the part does not have is no matter. Functions with the attribute `apart`
        are only declared, unless they are roots.
        """

    def clone_with(self, names: Sequence[str]) -> Module:
        """
        A copy of the whole module, in which all but the named definitions are declarations.
        This is how modules are usually split, here for benchmarks to measure `extract` by.
        """

    def function_metadata(self, kind: str) -> dict[str, list[MetadataOperand]]:
        """The nodes of the functions that have one."""

    def set_function_metadata(
        self, kind: str, nodes: Mapping[str, Sequence[MetadataOperand] | None]
    ) -> None:
        """None removes a function's node. A plain int becomes an i32."""

    def mark_functions(
        self, kind: str, groups: Sequence[tuple[Sequence[MetadataOperand], Sequence[str]]]
    ) -> None:
        """
        Puts each node on all functions that are named with it, where many share one.
        """

    def named_metadata_names(self) -> list[str]:
        """In the order of the module."""

    def named_metadata(self, name: str) -> list[list[MetadataOperand]]:
        """The nodes of a named list; empty if the module has none of that name."""

    def set_named_metadata(self, name: str, nodes: Sequence[Sequence[MetadataOperand]]) -> None:
        """Replaces a named list; an empty one removes the name."""

    def function_attributes(self, key: str) -> dict[str, str]:
        """
        The values of an attribute; '' for one of LLVM's own, such as alwaysinline.
        """

    def set_function_attributes(self, changes: Mapping[str, Mapping[str, str | None]]) -> None:
        """Function, key, value; None removes the attribute."""

    def global_variable_attributes(self, key: str) -> dict[str, str]: ...
    def set_global_variable_attributes(
        self, changes: Mapping[str, Mapping[str, str | None]]
    ) -> None: ...
    def parameter_attributes(self, key: str) -> dict[tuple[str, int], str]:
        """By function and index."""

    def string_attribute_keys(self) -> list[str]:
        """Of functions, parameters and variables, each once, in order."""

    def set_parameter_attributes(
        self, changes: Mapping[tuple[str, int], Mapping[str, str | None]]
    ) -> None: ...
    def set_byte_references(self, functions: Sequence[str]) -> None:
        """
        Mark what functions take by pointer as bytes, where nothing else is said of it.
        """

    def global_variable_metadata(self, kind: str) -> dict[str, list[MetadataOperand]]:
        """The nodes of the global variables that have one."""

    def set_global_variable_metadata(
        self, kind: str, nodes: Mapping[str, Sequence[MetadataOperand] | None]
    ) -> None:
        """None removes a variable's node. A plain int becomes an i32."""

    def execution_modes(self) -> list[tuple[str, list[MetadataOperand]]]:
        """
        Of functions, as !spirv.ExecutionMode has them: a mode's number and its operands.
        """

    def set_execution_modes(self, modes: Sequence[tuple[str, Sequence[MetadataOperand]]]) -> None:
        """Replaces them all."""

    def pointer_annotations(self) -> list[str]:
        """The texts with which llvm.ptr.annotation is called, each once."""

    def set_pointer_annotations(self, texts: Mapping[str, str | None]) -> None:
        """Calls with a text that is listed get another one, or go (None)."""

    def set_linkage(self, linkages: Mapping[str, str]) -> None:
        """Functions, variables or aliases by name."""

    def set_calling_convention(self, conventions: Mapping[str, str]) -> None:
        """Direct calls of the functions follow."""

    def rename(self, names: Mapping[str, str]) -> None:
        """Old names to new ones; two symbols may exchange theirs."""

    def keep_variables(self, names: Sequence[str]) -> None:
        """
        Global variables that LLVM is to keep and to leave alone, whoever uses them.
        """

    def make_zero(self, names: Sequence[str]) -> None:
        """Global variables whose memory is to start with zeros."""

    def initial_bytes(self, name: str) -> bytes:
        """
        What a global variable holds before anything has run; nothing if that is zeros.
        """

    def make_bytes(self, names: Sequence[str]) -> None:
        """
        Global variables that are to be arrays of as many bytes, with the same values.
        """

    def make_empty(self, names: Sequence[str]) -> None:
        """
        Functions that are to do nothing, and to return zero if they return anything.
        """

    def clone_function(self, name: str, new_name: str) -> None: ...
    def wrap_function(
        self, callee: str, name: str, calling_convention: str, parameter_types: Mapping[int, str]
    ) -> None:
        """
        Defines `name`, which calls `callee`. Parameters listed by index have that type.
        """

    def add_parameters(self, name: str, parameters: Sequence[tuple[str, str]]) -> None:
        """
        Appends parameters, each a type and a name, to a function that nothing calls.
        """

    def store_parameters(
        self, name: str, stores: Sequence[tuple[int, int, int]], array: str = "", type: str = ""
    ) -> None:
        """
        Each of `stores` is the index of a parameter, that of a pointer, and an offset: the
        parameter is stored there before anything else is done, or its address in `array`;
        as a `type`, if that is not its own.
        """

    def declare_array(self, name: str, address_space: int, alignment: int) -> None:
        """Bytes, of which nobody knows how many until the program runs."""

    def call_graph(
        self, conditional: str = ""
    ) -> tuple[list[str], bytes, bytes, bytes, bytes, bytes, bytes]:
        """
        Names, and an int32 array each of sources, targets, kinds, types, indirect callers and
        indirect types; see ir.CallGraph. Functions that are declared with the attribute
        `conditional` make conditional calls.
        """

    def variable_users(self, names: Sequence[str]) -> dict[str, list[str]]:
        """
        For each of the global variables the functions that refer to it, in their code or
        through constants, aliases and other variables' initial values; in the order of the
        module.
        """

    def calls_to(self, callee: str) -> list[tuple[str, tuple[int | str | None, ...]]]:
        """
        Callers and the arguments they pass: integers, names of functions, None for the rest.
        """

    def replace_calls_with_globals(self, callee: str, address_space: int) -> list[str]:
        """
        Puts the address of a new array in place of each call `callee(size, align)`.
        """

    def return_behind_calls(self, callee: str) -> None:
        """
        Lets callers return, a zero if anything, behind calls of what never returns.
        """

    def conditional_callers(self, attribute: str) -> list[ConditionalCaller]:
        """The functions that are defined with the attribute."""

    def expand_conditional_callers(
        self,
        attribute: str,
        expansions: Mapping[tuple[str, tuple[int, ...]], bool | tuple[str, tuple[int, ...]]],
    ) -> None:
        """
        Inlines these functions, which are gone then. For each and its conditions it is said
        what becomes of its calls of the action: conditional calls of a function with another
        condition, plain calls (True), or none (False).
        """

    def conditional_calls(self, attribute: str) -> list[ConditionalCall]:
        """The calls of functions that are declared with the attribute."""

    def rewrite_conditional_calls(
        self, attribute: str, targets: Mapping[tuple[str, tuple[int, ...]], str | None]
    ) -> None:
        """
        Makes these calls direct ones of the functions that are named for their actions and
        conditions, or removes them (None); those that are not listed stay. A function that
        is not there is declared, like the action.
        """

    def promote_integers(self) -> None:
        """
        Has all integers have 1, 8, 16, 32 or 64 bits, and no vector of booleans be taken for
        an integer or the other way round.
        """

    def mask_widened_parts(self) -> None:
        """
        Has parts of integers that are widened again be masks of these integers.
        """

    def split_wide_integers(self) -> None:
        """Has integers of more than 64 bits be several of 64."""

    def inline_functions(self, names: Sequence[str]) -> None:
        """
        Inlines all calls of these functions, and no others, and removes those that are
        internal.
        """

    def collect_id_terms(self, queries: Sequence[str]) -> None:
        """
        Collects the terms of sums in which what one of these functions returns occurs more
        than once.
        """

    def copy_by_fields(self) -> None:
        """Copies small classes field by field instead of as integers."""

    def hide_values(self, barriers: Sequence[str], query: str) -> None:
        """
        Hides values that drivers would fold wrongly behind a mask that no optimiser can
        compute, some of them only in functions that may become part of one that waits.
        Barriers are calls of functions whose names have one of these texts in them. The mask
        depends on what the function `query` returns for 0.
        """

    def add_half_fences(self) -> None:
        """
        Has optimisers take integers that become `half` for unknown: LLVM forgets that they
        may be too large.
        """

    def remove_half_fences(self) -> None:
        """Removes those fences."""

    def split_vectors(self, lengths: Sequence[int]) -> None:
        """
        Has functions in which a vector has another than one of these numbers of elements
        compute with the elements of all their vectors.
        """

    def expand_variable_indices(self) -> None:
        """
        Selects among all elements where an index into a vector is not a constant.
        """

    def splat_conditions(self) -> None:
        """
        Selects vectors by vectors of conditions, where one condition is for all elements.
        """

    def widen_vector_parameters(self, functions: Sequence[str]) -> None:
        """
        Has functions take and return vectors of four elements instead of three.
        """

    def pin_variable_types(self) -> None:
        """
        Makes local variables arrays of bytes, unless they are only used as what they are
        declared as.
        """

    def mark_lifetimes(self) -> None:
        """
        Has local variables without a lifetime live from the beginning of their function to
        its end.
        """

    def pin_pointer_types(self) -> None:
        """
        Has all pointers that are not computed from others used as pointers to bytes.
        """

    def pass_by_reference(self) -> None:
        """
        Has functions, but not kernels, copy classes themselves that they take by value.
        """

    def function_shapes(self) -> list[FunctionShape]:
        """Of functions that have a body."""

    def run_passes(self, pipeline: str, cpu: str = "") -> None:
        """Runs LLVM's passes, as in opt -passes=."""

    def emit(
        self,
        *,
        triple: str = "",
        cpu: str = "",
        features: str = "",
        opt_level: int = 2,
        assembly: bool = False,
        extensions: Sequence[str] = (),
        attributes: Mapping[str, Mapping[str, str | None]] = {},
        libraries: Sequence[bytes] = (),
        visibility: str = "",
        passes: str = "",
    ) -> bytes:
        """
        An object file or SPIR-V, whose version the triple has: spirv64v1.4-unknown-unknown.
        Before, and in this order: functions get `attributes`, of each of `libraries` (bitcode
        or text) what is called is linked, definitions get a `visibility`, `passes` run. The
        module stays as it is.
        """
