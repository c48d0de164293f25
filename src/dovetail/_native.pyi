"""LLVM for dovetail.ir, which is the only importer."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

# ruff: noqa: PYI021 -- editors show these docstrings; there is no source to take them from
MetadataOperand: TypeAlias = int | Integer | str | Sequence[MetadataOperand] | None

def demangle(symbols: Sequence[str]) -> list[str]:
    """
    Demangles C++ symbols. Names that are not mangled are returned unchanged.
    """

def known_processors(triple: str) -> list[str]:
    """
    The names of all processors that LLVM knows for a target. It silently ignores others.
    """

def llvm_version() -> str:
    """LLVM's version, such as 22.1.8."""

class Context:
    """
    Owns modules. Modules of one context can be linked. Each thread needs its own.
    """

    def __init__(self) -> None: ...
    @property
    def is_poisoned(self) -> bool:
        """Whether the context is unusable after a crash or fatal error."""

    def take_warnings(self) -> list[str]:
        """Returns LLVM's warnings since the last call."""

class Function:
    """A function of a module, as of when it was listed."""

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
    """A global variable of a module, as of when it was listed."""

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
    """The properties of a function that code generation must preserve."""

    @property
    def name(self) -> str: ...
    @property
    def variables(self) -> list[int]:
        """The sizes of its local variables in bytes, in order."""

    @property
    def blocks(self) -> list[tuple[int, int]]:
        """
        For each basic block, in order, the numbers of its integer divisions and remainders,
        and of its loads.
        """

class ConditionalCaller:
    """
    A function that calls another function, its action, if a condition holds.
    """

    @property
    def name(self) -> str: ...
    @property
    def action(self) -> str | None:
        """None unless the function only makes one direct call."""

    @property
    def call_count(self) -> int:
        """The number of calls in its body."""

    @property
    def is_referenced(self) -> bool:
        """Whether anything except a call refers to it."""

    @property
    def calls(self) -> list[tuple[str, tuple[int | None, ...]]]:
        """
        Callers and their conditions, with None for integers that are not constant.
        """

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
        """With None for integers that are not constant."""

class Integer:
    """A metadata integer whose type is not i32. Can be used as an int."""

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
        The optional types that each function uses: half, double and atomic i64.
        """

    def class_addresses(self) -> list[str]:
        """
        The functions that address members of classes with a double, in objects that are not
        their own variables.
        """

    def verify(self) -> None:
        """Raises IRError with LLVM's report if the module is invalid."""

    def to_text(self) -> str: ...
    def to_bitcode(self) -> bytes: ...
    def link(self, other: Module) -> None:
        """
        Moves everything in `other` to this module. `other` cannot be used afterwards.
        """

    def extract(
        self,
        roots: Sequence[str],
        named_metadata: Sequence[str] = (),
        public: Sequence[str] | None = None,
        apart: str = "",
    ) -> Module:
        """
        Returns a new module with the roots, everything they refer to, flags, and the named
        metadata. If `public` is given, definitions of these names become external and all
        others internal; names that are not in the part are ignored. Functions with the
        attribute `apart` are only declared, unless they are roots.
        """

    def clone_with(self, names: Sequence[str]) -> Module:
        """
        Returns a copy of the module in which all other definitions are declarations. Modules
        are usually split in this way; benchmarks compare `extract` with it.
        """

    def function_metadata(self, kind: str) -> dict[str, list[MetadataOperand]]:
        """The nodes of functions, by name."""

    def set_function_metadata(
        self, kind: str, nodes: Mapping[str, Sequence[MetadataOperand] | None]
    ) -> None:
        """None removes a function's node. An int becomes an i32."""

    def mark_functions(
        self, kind: str, groups: Sequence[tuple[Sequence[MetadataOperand], Sequence[str]]]
    ) -> None:
        """Attaches each node to all functions that are listed with it."""

    def named_metadata_names(self) -> list[str]:
        """In the order of the module."""

    def named_metadata(self, name: str) -> list[list[MetadataOperand]]:
        """The nodes of named metadata; empty if there is none of that name."""

    def set_named_metadata(self, name: str, nodes: Sequence[Sequence[MetadataOperand]]) -> None:
        """Replaces named metadata. An empty list removes it."""

    def function_attributes(self, key: str) -> dict[str, str]:
        """
        The values of an attribute, by function; '' for LLVM's attributes without values, such
        as alwaysinline.
        """

    def set_function_attributes(self, changes: Mapping[str, Mapping[str, str | None]]) -> None:
        """By function and key. None removes the attribute."""

    def global_variable_attributes(self, key: str) -> dict[str, str]: ...
    def set_global_variable_attributes(
        self, changes: Mapping[str, Mapping[str, str | None]]
    ) -> None: ...
    def parameter_attributes(self, key: str) -> dict[tuple[str, int], str]:
        """By function and parameter index."""

    def string_attribute_keys(self) -> list[str]:
        """The keys of functions, parameters and variables, each once, in order."""

    def set_parameter_attributes(
        self, changes: Mapping[tuple[str, int], Mapping[str, str | None]]
    ) -> None: ...
    def set_byte_references(self, functions: Sequence[str]) -> None:
        """
        Adds byref(i8) to pointer parameters, except where another attribute defines how the
        pointee is passed.
        """

    def global_variable_metadata(self, kind: str) -> dict[str, list[MetadataOperand]]:
        """The nodes of global variables, by name."""

    def set_global_variable_metadata(
        self, kind: str, nodes: Mapping[str, Sequence[MetadataOperand] | None]
    ) -> None:
        """None removes a variable's node. An int becomes an i32."""

    def execution_modes(self) -> list[tuple[str, list[MetadataOperand]]]:
        """
        The entries of !spirv.ExecutionMode: a function, and a mode with its operands.
        """

    def set_execution_modes(self, modes: Sequence[tuple[str, Sequence[MetadataOperand]]]) -> None:
        """Replaces all execution modes."""

    def pointer_annotations(self) -> list[str]:
        """The texts in calls of llvm.ptr.annotation, each once."""

    def set_pointer_annotations(self, texts: Mapping[str, str | None]) -> None:
        """
        Replaces texts. None replaces the calls with that text by their pointers.
        """

    def set_linkage(self, linkages: Mapping[str, str]) -> None:
        """By name of a function, variable or alias."""

    def set_calling_convention(self, conventions: Mapping[str, str]) -> None:
        """Also changes direct calls of the functions."""

    def rename(self, names: Mapping[str, str]) -> None:
        """Maps old names to new names. Two symbols may exchange theirs."""

    def keep_variables(self, names: Sequence[str]) -> None:
        """Prevents LLVM from removing or changing global variables."""

    def make_zero(self, names: Sequence[str]) -> None:
        """Sets the initial values of global variables to zero."""

    def initial_bytes(self, name: str) -> bytes:
        """The initial value of a global variable; empty if it is zero."""

    def make_bytes(self, names: Sequence[str]) -> None:
        """Converts global variables to byte arrays of the same size and value."""

    def split_constant_reads(
        self, reader: str, prefix: str, attribute: str, names: Mapping[str, str]
    ) -> None:
        """
        Replaces calls of `reader`, which has a destination and a variable as arguments, by
        stores of the results of functions, one for each scalar in the variable. Their names
        are `prefix`, the variable's name, which `names` can replace, a dot, and the offset.
        Their `attribute` has the offset, the variable's size, LLVM's type, and the initial
        value in hexadecimal.
        """

    def make_empty(self, names: Sequence[str]) -> None:
        """
        Replaces the bodies of functions by one that does nothing and returns zero.
        """

    def clone_function(self, name: str, new_name: str) -> None: ...
    def wrap_function(
        self, callee: str, name: str, calling_convention: str, parameter_types: Mapping[int, str]
    ) -> None:
        """
        Defines `name`, which calls `callee`. Parameters listed by index have these types.
        """

    def add_parameters(self, name: str, parameters: Sequence[tuple[str, str]]) -> None:
        """
        Appends parameters, given by type and name, to a function that nothing calls.
        """

    def store_parameters(
        self, name: str, stores: Sequence[tuple[int, int, int]], array: str = "", type: str = ""
    ) -> None:
        """
        Each of `stores` is the index of a parameter, the index of a pointer, and an offset.
        The parameter is stored there at the beginning of the function or, if `array` is given,
        its address in that array. The value is converted to `type`, if given.
        """

    def declare_array(self, name: str, address_space: int, alignment: int) -> None:
        """Declares an array of bytes whose size is only known at run time."""

    def call_graph(
        self, conditional: str = ""
    ) -> tuple[list[str], bytes, bytes, bytes, bytes, bytes, bytes]:
        """
        Returns names, and int32 arrays of sources, targets, kinds, types, indirect callers and
        indirect types; see ir.CallGraph. Declarations with the attribute `conditional` make
        conditional calls.
        """

    def variable_users(self, names: Sequence[str]) -> dict[str, list[str]]:
        """
        Returns, for each global variable, the functions that refer to it in their code or
        through constants, aliases and initial values of other variables, in module order.
        """

    def calls_to(self, callee: str) -> list[tuple[str, tuple[int | str | None, ...]]]:
        """
        Callers and arguments: integers, names of functions, None for other values.
        """

    def replace_calls_with_globals(self, callee: str, address_space: int) -> list[str]:
        """
        Replaces each call `callee(size, align)` by the address of a new array.
        """

    def lower_group_scope(
        self,
        functions: Sequence[str],
        *,
        collective: Sequence[str],
        allocate: str,
        frame: str,
        barrier: str,
        local_space: int,
        generic_space: int,
    ) -> None:
        """
        Has only the leader of a work-group, for which `is_leader()` returns true, run the code
        of the functions, except calls of collective functions. Each `allocate(size, align)`
        becomes an offset in the memory that `frame()` returns, one for each work-item.
        """

    def return_behind_calls(self, callee: str) -> None:
        """
        Makes callers of a noreturn function return after the call, with zero as the value.
        """

    def conditional_callers(self, attribute: str) -> list[ConditionalCaller]:
        """The definitions with the attribute."""

    def expand_conditional_callers(
        self,
        attribute: str,
        expansions: Mapping[tuple[str, tuple[int, ...]], bool | tuple[str, tuple[int, ...]]],
    ) -> None:
        """
        Inlines and removes these functions. Their calls of the action are replaced, for each
        function and condition, by conditional calls of a function with another condition, by
        plain calls (True), or by nothing (False).
        """

    def conditional_calls(self, attribute: str) -> list[ConditionalCall]:
        """The calls of declarations with the attribute."""

    def rewrite_conditional_calls(
        self, attribute: str, targets: Mapping[tuple[str, tuple[int, ...]], str | None]
    ) -> None:
        """
        Replaces these calls, by action and condition, by direct calls of the given functions,
        or removes them (None). Calls that are not listed do not change. A function that is not
        in the module is declared like the action.
        """

    def promote_integers(self) -> None:
        """
        Rewrites integers to widths of 1, 8, 16, 32 or 64 bits, and casts between vectors of
        booleans and integers.
        """

    def mask_widened_parts(self) -> None:
        """Replaces truncations that are extended again by masks."""

    def split_wide_integers(self) -> None:
        """Splits integers of more than 64 bits into several of 64 bits."""

    def inline_functions(self, names: Sequence[str]) -> None:
        """
        Inlines all calls of these functions, but no others, and removes those functions that
        are internal.
        """

    def collect_id_terms(self, queries: Sequence[str]) -> None:
        """
        Collects the terms of sums in which the result of one of these functions occurs more
        than once.
        """

    def copy_by_fields(self) -> None:
        """
        Replaces copies of small classes as integers by copies of their fields.
        """

    def hide_values(self, barriers: Sequence[str], query: str) -> None:
        """
        Hides values that drivers would fold wrongly with a mask that no optimiser can
        compute, some of them only in functions that may become part of one that waits. A
        function waits if it calls a function whose name contains one of `barriers`. The mask
        depends on the result of `query(0)`.
        """

    def hide_loop_conditions(self, uniform_queries: Sequence[str], query: str) -> None:
        """
        Hides that conditions in loops do not change, if they may differ between work-items.
        """

    def select_offsets(self) -> None:
        """
        Selects between offsets into local variables instead of between addresses.
        """

    def move_first_arguments(self, names: Mapping[str, str], address_space: int) -> list[str]:
        """
        Replaces calls of functions by calls of those with the mapped names, which take a copy
        of the constant variable that the first argument points to, in another address space.
        Returns the functions with calls that have other arguments.
        """

    def call_for_operations(self, functions: Mapping[str, str]) -> None:
        """
        Replaces divisions and remainders by calls. `functions` has a function `T f(T, T)` for
        each operation and scalar type in LLVM's syntax, such as `frem float`.
        """

    def split_vectors(self, lengths: Sequence[int]) -> None:
        """
        Splits all vectors into their elements in functions with a vector of another length
        than these.
        """

    def expand_variable_indices(self) -> None:
        """
        Replaces variable indices into vectors by selections among all elements.
        """

    def splat_conditions(self) -> None:
        """
        Replaces the scalar conditions of vector selections by vectors of conditions.
        """

    def widen_vector_parameters(self, functions: Sequence[str]) -> None:
        """Changes parameters and results from vectors of three elements to four."""

    def pin_variable_types(self) -> None:
        """
        Converts local variables to byte arrays, unless they are only accessed as their
        declared type.
        """

    def mark_lifetimes(self) -> None:
        """
        Adds lifetime markers that cover the whole function to local variables without
        markers.
        """

    def pin_pointer_types(self) -> None:
        """
        Replaces pointers that are not computed from others by pointers to bytes.
        """

    def pass_by_reference(self) -> None:
        """
        Replaces `byval` parameters of functions, but not of kernels, by plain pointers.
        """

    def function_shapes(self) -> list[FunctionShape]:
        """The shapes of functions with a body."""

    def run_passes(self, pipeline: str, cpu: str = "") -> None:
        """Runs LLVM's passes, as opt -passes= does."""

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
        Returns an object file or SPIR-V, in the version that the triple specifies, such as
        spirv64v1.4-unknown-unknown. Before code generation, in this order: `attributes` are set
        on functions, called functions are linked from `libraries` (bitcode or text),
        `visibility` is set on definitions, and `passes` run. The module does not change.
        """
