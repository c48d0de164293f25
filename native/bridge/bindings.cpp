// The Python module. Functions that work on IR release the GIL meanwhile. nanobind converts
// arguments before and results afterwards.

#include "attributes.h"
#include "by_value.h"
#include "call_graph.h"
#include "calls.h"
#include "casters.h"
#include "class_addresses.h"
#include "conditional_callers.h"
#include "conditional_calls.h"
#include "constant_arguments.h"
#include "constant_reads.h"
#include "context.h"
#include "emit.h"
#include "errors.h"
#include "extract.h"
#include "field_copies.h"
#include "function_shapes.h"
#include "group_scope.h"
#include "hidden_values.h"
#include "id_terms.h"
#include "initial_values.h"
#include "integer_widths.h"
#include "inventory.h"
#include "library_calls.h"
#include "loop_conditions.h"
#include "metadata.h"
#include "module.h"
#include "passes.h"
#include "properties.h"
#include "rewriting.h"
#include "scalar_types.h"
#include "selected_offsets.h"
#include "signature.h"
#include "symbols.h"
#include "variable_types.h"
#include "variable_users.h"
#include "vector_lengths.h"
#include "wide_integers.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Demangle/Demangle.h"

#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace dovetail {

namespace {

using WithoutGil = nb::call_guard<nb::gil_scoped_release>;
using ModuleClass = nb::class_<ModuleHandle>;

/// Raises dovetail.errors.IRError, whose class is the payload.
void translateException(const std::exception_ptr &Exception, void *Payload) {
  try {
    std::rethrow_exception(Exception);
  } catch (const IRError &Err) {
    std::string_view Text = Err.what();
    // Messages quote the input, which need not be UTF-8.
    PyObject *Message =
        PyUnicode_DecodeUTF8(Text.data(), static_cast<Py_ssize_t>(Text.size()), "replace");
    PyErr_SetObject(static_cast<PyObject *>(Payload), Message);
    Py_XDECREF(Message);
  }
}

Bytes toBytes(const std::vector<int32_t> &Numbers) {
  return {std::string(reinterpret_cast<const char *>(Numbers.data()),
                      Numbers.size() * sizeof(int32_t))};
}

/// Returns calls with their arguments as tuples, for which nanobind has no C++ type of variable
/// length.
nb::list listCalls(ModuleHandle &Handle, const std::string &Callee) {
  std::vector<CallRecord> Records;
  {
    nb::gil_scoped_release NoGil;
    Records = callsTo(Handle, Callee);
  }
  nb::list Calls;
  for (const auto &[Caller, Args] : Records)
    Calls.append(nb::make_tuple(Caller, nb::tuple(nb::cast(Args))));
  return Calls;
}

ModulePtr parseBytes(std::shared_ptr<ContextHandle> Context, const nb::bytes &Data,
                     const std::string &Name) {
  nb::gil_scoped_release NoGil;
  return parseModule(std::move(Context), {Data.c_str(), Data.size()}, Name);
}

/// Demangles C++ symbols. Names that are not mangled are returned unchanged.
std::vector<std::string> demangleAll(const std::vector<std::string> &Symbols) {
  std::vector<std::string> Names;
  for (const std::string &Symbol : Symbols)
    Names.push_back(llvm::demangle(Symbol));
  return Names;
}

void bindContext(nb::module_ &Native) {
  nb::class_<ContextHandle>(
      Native, "Context",
      "Owns modules. Modules of one context can be linked. Each thread needs its own.")
      .def(nb::init<>())
      .def_prop_ro("is_poisoned", &ContextHandle::isPoisoned,
                   "Whether the context is unusable after a crash or fatal error.")
      .def("take_warnings", &ContextHandle::takeWarnings, WithoutGil(),
           "Returns LLVM's warnings since the last call.");
}

void bindRecords(nb::module_ &Native) {
  nb::class_<FunctionRecord>(Native, "Function",
                             "A function of a module, as of when it was listed.")
      .def_ro("name", &FunctionRecord::Name)
      .def_ro("is_declaration", &FunctionRecord::IsDeclaration)
      .def_ro("linkage", &FunctionRecord::Linkage)
      .def_ro("calling_convention", &FunctionRecord::CallingConvention)
      .def_ro("return_type", &FunctionRecord::ReturnType)
      .def_ro("parameter_types", &FunctionRecord::ParameterTypes)
      .def("__repr__",
           [](const FunctionRecord &Record) { return "<Function " + Record.Name + ">"; });
  nb::class_<GlobalVariableRecord>(Native, "GlobalVariable",
                                   "A global variable of a module, as of when it was listed.")
      .def_ro("name", &GlobalVariableRecord::Name)
      .def_ro("is_declaration", &GlobalVariableRecord::IsDeclaration)
      .def_ro("linkage", &GlobalVariableRecord::Linkage)
      .def_ro("address_space", &GlobalVariableRecord::AddressSpace)
      .def_ro("value_type", &GlobalVariableRecord::ValueType)
      .def_ro("size", &GlobalVariableRecord::Size, "In bytes; 0 for an opaque type.")
      .def_ro("alignment", &GlobalVariableRecord::Alignment, "In bytes.")
      .def_ro("is_constant", &GlobalVariableRecord::IsConstant)
      .def("__repr__", [](const GlobalVariableRecord &Record) {
        return "<GlobalVariable " + Record.Name + ">";
      });
}

void bindShape(nb::module_ &Native) {
  nb::class_<FunctionShape>(Native, "FunctionShape",
                            "The properties of a function that code generation must preserve.")
      .def_ro("name", &FunctionShape::Name)
      .def_ro("variables", &FunctionShape::Variables,
              "The sizes of its local variables in bytes, in order.")
      .def_ro(
          "blocks", &FunctionShape::Blocks,
          "For each basic block, in order, the numbers of its integer divisions and remainders,\n"
          "and of its loads.");
}

void bindConditionalRecords(nb::module_ &Native) {
  nb::class_<ConditionalCallerRecord>(
      Native, "ConditionalCaller",
      "A function that calls another function, its action, if a condition holds.")
      .def_ro("name", &ConditionalCallerRecord::Name)
      .def_ro("action", &ConditionalCallerRecord::Action,
              "None unless the function only makes one direct call.")
      .def_ro("call_count", &ConditionalCallerRecord::CallCount, "The number of calls in its body.")
      .def_ro("is_referenced", &ConditionalCallerRecord::IsReferenced,
              "Whether anything except a call refers to it.")
      .def_ro("calls", &ConditionalCallerRecord::Calls,
              "Callers and their conditions, with None for integers that are not constant.")
      .def("__repr__", [](const ConditionalCallerRecord &Record) {
        return "<ConditionalCaller " + Record.Name + ">";
      });
  nb::class_<ConditionalCallRecord>(Native, "ConditionalCall",
                                    "A call of an action that is made if a condition holds.")
      .def_ro("caller", &ConditionalCallRecord::Caller)
      .def_ro("callee", &ConditionalCallRecord::Callee)
      .def_ro("action", &ConditionalCallRecord::Action)
      .def_ro("condition", &ConditionalCallRecord::Cond,
              "With None for integers that are not constant.")
      .def("__repr__", [](const ConditionalCallRecord &Record) {
        return "<ConditionalCall of " + Record.Action + " in " + Record.Caller + ">";
      });
}

/// Rejects widths that the conversion to metadata does not support.
MetadataInteger makeInteger(int64_t Value, unsigned Bits) {
  if (Bits < 1 || Bits > 64)
    throw IRError("a metadata integer has 1 to 64 bits, not " + std::to_string(Bits));
  return {Value, Bits};
}

void bindInteger(nb::module_ &Native) {
  nb::class_<MetadataInteger>(Native, "Integer",
                              "A metadata integer whose type is not i32. Can be used as an int.")
      .def(
          "__init__",
          [](MetadataInteger *Self, int64_t Value, unsigned Bits) {
            new (Self) MetadataInteger(makeInteger(Value, Bits));
          },
          "value"_a, "bits"_a)
      .def_ro("value", &MetadataInteger::Value)
      .def_ro("bits", &MetadataInteger::Bits)
      .def("__int__", [](const MetadataInteger &Self) { return Self.Value; })
      .def("__index__", [](const MetadataInteger &Self) { return Self.Value; })
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__hash__", [](const MetadataInteger &Self) { return std::hash<int64_t>()(Self.Value); })
      .def("__repr__", [](const MetadataInteger &Self) {
        return "Integer(" + std::to_string(Self.Value) + ", " + std::to_string(Self.Bits) + ")";
      });
}

void bindWholeModule(ModuleClass &Class) {
  Class
      .def_static("parse", &parseBytes, "context"_a, "data"_a, "name"_a,
                  "Reads textual IR or bitcode.")
      .def_prop_ro("name", &moduleName, WithoutGil())
      .def_prop_ro(
          "triple", [](ModuleHandle &Self) { return targetTriple(Self).str(); }, WithoutGil())
      .def_prop_ro("context", &ModuleHandle::context)
      .def("functions", &listFunctions, WithoutGil(), "In the order of the module.")
      .def("global_variables", &listGlobalVariables, WithoutGil(), "In the order of the module.")
      .def("scalar_types", &listScalarTypes, WithoutGil(),
           "The optional types that each function uses: half, double and atomic i64.")
      .def("class_addresses", &listClassAddresses, WithoutGil(),
           "The functions that address members of classes with a double, in objects that are not\n"
           "their own variables.")
      .def("verify", &ModuleHandle::verify, WithoutGil(),
           "Raises IRError with LLVM's report if the module is invalid.")
      .def("to_text", &printModule, WithoutGil())
      .def(
          "to_bitcode", [](ModuleHandle &Self) { return Bytes{writeBitcode(Self)}; }, WithoutGil())
      .def("link", &linkModules, "other"_a, WithoutGil(),
           "Moves everything in `other` to this module. `other` cannot be used afterwards.")
      .def("extract", &extractModule, "roots"_a, "named_metadata"_a = nb::tuple(),
           "public"_a = nb::none(), "apart"_a = "", WithoutGil(),
           "Returns a new module with the roots, everything they refer to, flags, and the named\n"
           "metadata. If `public` is given, definitions of these names become external and all\n"
           "others internal; names that are not in the part are ignored. Functions with the\n"
           "attribute `apart` are only declared, unless they are roots.")
      .def("clone_with", &cloneModuleWith, "names"_a, WithoutGil(),
           "Returns a copy of the module in which all other definitions are declarations. Modules\n"
           "are usually split in this way; benchmarks compare `extract` with it.");
}

void bindMetadata(ModuleClass &Class) {
  Class
      .def("function_metadata", &functionMetadata, "kind"_a, WithoutGil(),
           "The nodes of functions, by name.")
      .def("set_function_metadata", &setFunctionMetadata, "kind"_a, "nodes"_a, WithoutGil(),
           "None removes a function's node. An int becomes an i32.")
      .def("mark_functions", &markFunctions, "kind"_a, "groups"_a, WithoutGil(),
           "Attaches each node to all functions that are listed with it.")
      .def("named_metadata_names", &namedMetadataNames, WithoutGil(), "In the order of the module.")
      .def("named_metadata", &namedMetadata, "name"_a, WithoutGil(),
           "The nodes of named metadata; empty if there is none of that name.")
      .def("set_named_metadata", &setNamedMetadata, "name"_a, "nodes"_a, WithoutGil(),
           "Replaces named metadata. An empty list removes it.");
}

void bindAttributes(ModuleClass &Class) {
  Class
      .def(
          "function_attributes", &functionAttributes, "key"_a, WithoutGil(),
          "The values of an attribute, by function; '' for LLVM's attributes without values, such\n"
          "as alwaysinline.")
      .def("set_function_attributes", &setFunctionAttributes, "changes"_a, WithoutGil(),
           "By function and key. None removes the attribute.")
      .def("global_variable_attributes", &globalVariableAttributes, "key"_a, WithoutGil())
      .def("set_global_variable_attributes", &setGlobalVariableAttributes, "changes"_a,
           WithoutGil())
      .def("parameter_attributes", &parameterAttributes, "key"_a, WithoutGil(),
           "By function and parameter index.")
      .def(
          "string_attribute_keys",
          [](ModuleHandle &Self) {
            std::set<std::string> Keys = stringAttributeKeys(Self);
            return std::vector<std::string>(Keys.begin(), Keys.end());
          },
          WithoutGil(), "The keys of functions, parameters and variables, each once, in order.")
      .def("set_parameter_attributes", &setParameterAttributes, "changes"_a, WithoutGil())
      .def("set_byte_references", &setByteReferences, "functions"_a, WithoutGil(),
           "Adds byref(i8) to pointer parameters, except where another attribute defines how the\n"
           "pointee is passed.");
}

void bindProperties(ModuleClass &Class) {
  Class
      .def("global_variable_metadata", &globalVariableMetadata, "kind"_a, WithoutGil(),
           "The nodes of global variables, by name.")
      .def("set_global_variable_metadata", &setGlobalVariableMetadata, "kind"_a, "nodes"_a,
           WithoutGil(), "None removes a variable's node. An int becomes an i32.")
      .def("execution_modes", &executionModes, WithoutGil(),
           "The entries of !spirv.ExecutionMode: a function, and a mode with its operands.")
      .def("set_execution_modes", &setExecutionModes, "modes"_a, WithoutGil(),
           "Replaces all execution modes.")
      .def("pointer_annotations", &pointerAnnotations, WithoutGil(),
           "The texts in calls of llvm.ptr.annotation, each once.")
      .def("set_pointer_annotations", &setPointerAnnotations, "texts"_a, WithoutGil(),
           "Replaces texts. None replaces the calls with that text by their pointers.");
}

void bindSymbols(ModuleClass &Class) {
  Class
      .def("set_linkage", &setLinkage, "linkages"_a, WithoutGil(),
           "By name of a function, variable or alias.")
      .def("set_calling_convention", &setCallingConvention, "conventions"_a, WithoutGil(),
           "Also changes direct calls of the functions.")
      .def("rename", &renameSymbols, "names"_a, WithoutGil(),
           "Maps old names to new names. Two symbols may exchange theirs.")
      .def("keep_variables", &keepVariables, "names"_a, WithoutGil(),
           "Prevents LLVM from removing or changing global variables.")
      .def("make_zero", &makeZero, "names"_a, WithoutGil(),
           "Sets the initial values of global variables to zero.")
      .def(
          "initial_bytes",
          [](ModuleHandle &Self, const std::string &Name) {
            return Bytes{initialBytes(Self, Name)};
          },
          "name"_a, WithoutGil(), "The initial value of a global variable; empty if it is zero.")
      .def("make_bytes", &makeBytes, "names"_a, WithoutGil(),
           "Converts global variables to byte arrays of the same size and value.")
      .def(
          "split_constant_reads",
          [](ModuleHandle &Self, const std::string &Reader, const std::string &Prefix,
             const std::string &Attribute, const std::map<std::string, std::string> &Names) {
            splitConstantReads(Self, {Reader, Prefix, Attribute, Names});
          },
          "reader"_a, "prefix"_a, "attribute"_a, "names"_a, WithoutGil(),
          nb::sig("def split_constant_reads(self, reader: str, prefix: str, attribute: str, names: "
                  "Mapping[str, str]) -> None"),
          "Replaces calls of `reader`, which has a destination and a variable as arguments, by\n"
          "stores of the results of functions, one for each scalar in the variable. Their names\n"
          "are `prefix`, the variable's name, which `names` can replace, a dot, and the offset.\n"
          "Their `attribute` has the offset, the variable's size, LLVM's type, and the initial\n"
          "value in hexadecimal.")
      .def("make_empty", &makeEmpty, "names"_a, WithoutGil(),
           "Replaces the bodies of functions by one that does nothing and returns zero.");
}

void bindFunctions(ModuleClass &Class) {
  Class.def("clone_function", &cloneFunction, "name"_a, "new_name"_a, WithoutGil())
      .def("wrap_function", &wrapFunction, "callee"_a, "name"_a, "calling_convention"_a,
           "parameter_types"_a, WithoutGil(),
           "Defines `name`, which calls `callee`. Parameters listed by index have these types.")
      .def("add_parameters", &addParameters, "name"_a, "parameters"_a, WithoutGil(),
           "Appends parameters, given by type and name, to a function that nothing calls.")
      .def(
          "store_parameters",
          [](ModuleHandle &Self, const std::string &Name,
             const std::vector<std::tuple<unsigned, unsigned, uint64_t>> &Stores,
             const std::string &Array, const std::string &TypeName) {
            std::vector<ParameterStore> Wanted;
            for (auto [Value, Object, Offset] : Stores)
              Wanted.push_back({Value, Object, Offset});
            storeParameters(Self, Name, Wanted, Array, TypeName);
          },
          "name"_a, "stores"_a, "array"_a = "", "type"_a = "", WithoutGil(),
          "Each of `stores` is the index of a parameter, the index of a pointer, and an offset.\n"
          "The parameter is stored there at the beginning of the function or, if `array` is "
          "given,\n"
          "its address in that array. The value is converted to `type`, if given.")
      .def("declare_array", &declareArray, "name"_a, "address_space"_a, "alignment"_a, WithoutGil(),
           "Declares an array of bytes whose size is only known at run time.");
}

void bindCalls(ModuleClass &Class) {
  Class
      .def(
          "call_graph",
          [](ModuleHandle &Self, const std::string &Conditional) {
            CallGraphData Graph = callGraph(Self, Conditional);
            return std::make_tuple(std::move(Graph.Names), toBytes(Graph.Sources),
                                   toBytes(Graph.Targets), toBytes(Graph.Kinds),
                                   toBytes(Graph.Types), toBytes(Graph.IndirectCallers),
                                   toBytes(Graph.IndirectTypes));
          },
          "conditional"_a = "", WithoutGil(),
          "Returns names, and int32 arrays of sources, targets, kinds, types, indirect callers "
          "and\n"
          "indirect types; see ir.CallGraph. Declarations with the attribute `conditional` make\n"
          "conditional calls.")
      .def("variable_users", &variableUsers, "names"_a, WithoutGil(),
           "Returns, for each global variable, the functions that refer to it in their code or\n"
           "through constants, aliases and initial values of other variables, in module order.")
      .def("calls_to", &listCalls, "callee"_a,
           nb::sig("def calls_to(self, callee: str) -> list[tuple[str, tuple[int | str | None, "
                   "...]]]"),
           "Callers and arguments: integers, names of functions, None for other values.")
      .def("replace_calls_with_globals", &replaceCallsWithGlobals, "callee"_a, "address_space"_a,
           WithoutGil(), "Replaces each call `callee(size, align)` by the address of a new array.")
      .def(
          "lower_group_scope",
          [](ModuleHandle &Handle, const std::vector<std::string> &Functions,
             const std::vector<std::string> &Collective, const std::string &Allocate,
             const std::string &Frame, const std::string &Barrier, unsigned LocalSpace,
             unsigned GenericSpace) {
            lowerGroupScope(Handle, Functions, {Collective, Allocate, Frame, Barrier},
                            {LocalSpace, GenericSpace});
          },
          "functions"_a, nb::kw_only(), "collective"_a, "allocate"_a, "frame"_a, "barrier"_a,
          "local_space"_a, "generic_space"_a, WithoutGil(),
          "Has only the leader of a work-group, for which `is_leader()` returns true, run the "
          "code\n"
          "of the functions, except calls of collective functions. Each `allocate(size, align)`\n"
          "becomes an offset in the memory that `frame()` returns, one for each work-item.")
      .def("return_behind_calls", &returnBehindCalls, "callee"_a, WithoutGil(),
           "Makes callers of a noreturn function return after the call, with zero as the value.");
}

void bindConditionalCalls(ModuleClass &Class) {
  Class
      .def("conditional_callers", &conditionalCallers, "attribute"_a, WithoutGil(),
           "The definitions with the attribute.")
      .def("expand_conditional_callers", &expandConditionalCallers, "attribute"_a, "expansions"_a,
           WithoutGil(),
           nb::sig("def expand_conditional_callers(self, attribute: str, expansions: "
                   "Mapping[tuple[str, tuple[int, ...]], bool | tuple[str, tuple[int, ...]]]) -> "
                   "None"),
           "Inlines and removes these functions. Their calls of the action are replaced, for each\n"
           "function and condition, by conditional calls of a function with another condition, by\n"
           "plain calls (True), or by nothing (False).")
      .def("conditional_calls", &conditionalCalls, "attribute"_a, WithoutGil(),
           "The calls of declarations with the attribute.")
      .def(
          "rewrite_conditional_calls", &rewriteConditionalCalls, "attribute"_a, "targets"_a,
          WithoutGil(),
          nb::sig("def rewrite_conditional_calls(self, attribute: str, targets: "
                  "Mapping[tuple[str, tuple[int, ...]], str | None]) -> None"),
          "Replaces these calls, by action and condition, by direct calls of the given functions,\n"
          "or removes them (None). Calls that are not listed do not change. A function that is "
          "not\n"
          "in the module is declared like the action.");
}

/// Rewrites code that LLVM's SPIR-V back-end or drivers compile wrongly.
void bindForms(ModuleClass &Class) {
  Class
      .def("promote_integers", &promoteIntegers, WithoutGil(),
           "Rewrites integers to widths of 1, 8, 16, 32 or 64 bits, and casts between vectors of\n"
           "booleans and integers.")
      .def("mask_widened_parts", &maskWidenedParts, WithoutGil(),
           "Replaces truncations that are extended again by masks.")
      .def("split_wide_integers", &splitWideIntegers, WithoutGil(),
           "Splits integers of more than 64 bits into several of 64 bits.")
      .def("inline_functions", &inlineFunctions, "names"_a, WithoutGil(),
           "Inlines all calls of these functions, but no others, and removes those functions that\n"
           "are internal.")
      .def("collect_id_terms", &collectIdTerms, "queries"_a, WithoutGil(),
           "Collects the terms of sums in which the result of one of these functions occurs more\n"
           "than once.")
      .def("copy_by_fields", &copyByFields, WithoutGil(),
           "Replaces copies of small classes as integers by copies of their fields.")
      .def("hide_values", &hideValues, "barriers"_a, "query"_a, WithoutGil(),
           "Hides values that drivers would fold wrongly with a mask that no optimiser can\n"
           "compute, some of them only in functions that may become part of one that waits. A\n"
           "function waits if it calls a function whose name contains one of `barriers`. The mask\n"
           "depends on the result of `query(0)`.")
      .def("hide_loop_conditions", &hideLoopConditions, "uniform_queries"_a, "query"_a,
           WithoutGil(),
           "Hides that conditions in loops do not change, if they may differ between work-items.")
      .def("select_offsets", &selectOffsets, WithoutGil(),
           "Selects between offsets into local variables instead of between addresses.")
      .def(
          "move_first_arguments", &moveFirstArguments, "names"_a, "address_space"_a, WithoutGil(),
          "Replaces calls of functions by calls of those with the mapped names, which take a copy\n"
          "of the constant variable that the first argument points to, in another address space.\n"
          "Returns the functions with calls that have other arguments.")
      .def(
          "call_for_operations", &callForOperations, "functions"_a, WithoutGil(),
          "Replaces divisions and remainders by calls. `functions` has a function `T f(T, T)` for\n"
          "each operation and scalar type in LLVM's syntax, such as `frem float`.")
      .def("split_vectors", &splitVectors, "lengths"_a, WithoutGil(),
           "Splits all vectors into their elements in functions with a vector of another length\n"
           "than these.")
      .def("expand_variable_indices", &expandVariableIndices, WithoutGil(),
           "Replaces variable indices into vectors by selections among all elements.")
      .def("splat_conditions", &splatConditions, WithoutGil(),
           "Replaces the scalar conditions of vector selections by vectors of conditions.")
      .def("widen_vector_parameters", &widenVectorParameters, "functions"_a, WithoutGil(),
           "Changes parameters and results from vectors of three elements to four.")
      .def("pin_variable_types", &pinVariableTypes, WithoutGil(),
           "Converts local variables to byte arrays, unless they are only accessed as their\n"
           "declared type.")
      .def("mark_lifetimes", &markLifetimes, WithoutGil(),
           "Adds lifetime markers that cover the whole function to local variables without\n"
           "markers.")
      .def("pin_pointer_types", &pinPointerTypes, WithoutGil(),
           "Replaces pointers that are not computed from others by pointers to bytes.")
      .def(
          "pass_by_reference", [](ModuleHandle &Self) { passByReference(Self); }, WithoutGil(),
          "Replaces `byval` parameters of functions, but not of kernels, by plain pointers.")
      .def("function_shapes", &functionShapes, WithoutGil(),
           "The shapes of functions with a body.");
}

void bindLowering(ModuleClass &Class) {
  Class
      .def("run_passes", &runPasses, "pipeline"_a, "cpu"_a = "", WithoutGil(),
           "Runs LLVM's passes, as opt -passes= does.")
      .def(
          "emit",
          [](ModuleHandle &Self, const std::string &TripleName, const std::string &CPU,
             const std::string &Features, unsigned OptLevel, bool IsAssembly,
             const std::vector<std::string> &Extensions, const FunctionAttributeChanges &Attrs,
             const std::vector<Bytes> &Libraries, const std::string &Visibility,
             const std::string &Passes) {
            Preparation Prep{Attrs, {}, Visibility, Passes};
            for (const Bytes &Library : Libraries)
              Prep.Libraries.push_back(Library.Data);
            return Bytes{emitCode(Self, TripleName, {CPU, Features, OptLevel, Extensions}, Prep,
                                  IsAssembly)};
          },
          nb::kw_only(), "triple"_a = "", "cpu"_a = "", "features"_a = "", "opt_level"_a = 2,
          "assembly"_a = false, "extensions"_a = nb::tuple(), "attributes"_a = nb::dict(),
          "libraries"_a = nb::tuple(), "visibility"_a = "", "passes"_a = "", WithoutGil(),
          "Returns an object file or SPIR-V, in the version that the triple specifies, such as\n"
          "spirv64v1.4-unknown-unknown. Before code generation, in this order: `attributes` are "
          "set\n"
          "on functions, called functions are linked from `libraries` (bitcode or text),\n"
          "`visibility` is set on definitions, and `passes` run. The module does not change.");
}

} // namespace

} // namespace dovetail

NB_MODULE(_native, native) {
  using namespace dovetail;
  native.doc() = "LLVM for dovetail.ir, which is the only importer.";
  nb::object IRErrorClass = nb::module_::import_("dovetail.errors").attr("IRError");
  // Never released, because exceptions can be translated until the process ends.
  nb::register_exception_translator(translateException, IRErrorClass.release().ptr());

  native.def("demangle", &demangleAll, "symbols"_a,
             "Demangles C++ symbols. Names that are not mangled are returned unchanged.");
  native.def(
      "known_processors", &knownProcessors, "triple"_a,
      "The names of all processors that LLVM knows for a target. It silently ignores others.");
  native.def("llvm_version", [] { return LLVM_VERSION_STRING; }, "LLVM's version, such as 22.1.8.");
  bindContext(native);
  bindRecords(native);
  bindShape(native);
  bindConditionalRecords(native);
  bindInteger(native);
  ModuleClass Class(native, "Module", "A module of LLVM IR.");
  bindWholeModule(Class);
  bindMetadata(Class);
  bindAttributes(Class);
  bindProperties(Class);
  bindSymbols(Class);
  bindFunctions(Class);
  bindCalls(Class);
  bindConditionalCalls(Class);
  bindForms(Class);
  bindLowering(Class);
}
