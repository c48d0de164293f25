// The Python module. Whatever works on IR gives up Python's lock while it does; nanobind converts
// the arguments before and the result after that.

#include "attributes.h"
#include "by_value.h"
#include "call_graph.h"
#include "calls.h"
#include "casters.h"
#include "class_addresses.h"
#include "conditional_callers.h"
#include "conditional_calls.h"
#include "context.h"
#include "emit.h"
#include "errors.h"
#include "extract.h"
#include "field_copies.h"
#include "function_shapes.h"
#include "half_fences.h"
#include "hidden_values.h"
#include "id_terms.h"
#include "initial_values.h"
#include "integer_widths.h"
#include "inventory.h"
#include "metadata.h"
#include "module.h"
#include "passes.h"
#include "properties.h"
#include "rewriting.h"
#include "scalar_types.h"
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
    // Messages quote the input, which can be anything.
    PyObject *Message = PyUnicode_DecodeUTF8(Text.data(), Text.size(), "replace");
    PyErr_SetObject(static_cast<PyObject *>(Payload), Message);
    Py_XDECREF(Message);
  }
}

Bytes toBytes(const std::vector<int32_t> &Numbers) {
  return {std::string(reinterpret_cast<const char *>(Numbers.data()),
                      Numbers.size() * sizeof(int32_t))};
}

/// Calls with their arguments as tuples, which nanobind has no C++ type of any length for.
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

ModulePtr parseBytes(std::shared_ptr<ContextHandle> Context, nb::bytes Data,
                     const std::string &Name) {
  nb::gil_scoped_release NoGil;
  return parseModule(std::move(Context), {Data.c_str(), Data.size()}, Name);
}

/// Symbols as C++ spells them; what is no mangled name stays as it is.
std::vector<std::string> demangleAll(const std::vector<std::string> &Symbols) {
  std::vector<std::string> Names;
  for (const std::string &Symbol : Symbols)
    Names.push_back(llvm::demangle(Symbol));
  return Names;
}

void bindContext(nb::module_ &Native) {
  nb::class_<ContextHandle>(
      Native, "Context",
      "Where modules live. Those of one context can be linked; threads need one each.")
      .def(nb::init<>())
      .def_prop_ro("is_poisoned", &ContextHandle::isPoisoned,
                   "Whether LLVM crashed or gave up in this context, which ends its use.")
      .def("take_warnings", &ContextHandle::takeWarnings, WithoutGil(),
           "LLVM's warnings since the last call.");
}

void bindRecords(nb::module_ &Native) {
  nb::class_<FunctionRecord>(Native, "Function", "A function of a module when it was listed.")
      .def_ro("name", &FunctionRecord::Name)
      .def_ro("is_declaration", &FunctionRecord::IsDeclaration)
      .def_ro("linkage", &FunctionRecord::Linkage)
      .def_ro("calling_convention", &FunctionRecord::CallingConvention)
      .def_ro("return_type", &FunctionRecord::ReturnType)
      .def_ro("parameter_types", &FunctionRecord::ParameterTypes)
      .def("__repr__",
           [](const FunctionRecord &Record) { return "<Function " + Record.Name + ">"; });
  nb::class_<GlobalVariableRecord>(Native, "GlobalVariable",
                                   "A global variable of a module when it was listed.")
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
                            "What must not change when code is generated for a function.")
      .def_ro("name", &FunctionShape::Name)
      .def_ro("variables", &FunctionShape::Variables,
              "The sizes of its local variables in bytes, in order.")
      .def_ro("blocks", &FunctionShape::Blocks,
              "For each basic block, in order, its divisions and remainders of integers, and its\n"
              "loads.");
}

void bindConditionalRecords(nb::module_ &Native) {
  nb::class_<ConditionalCallerRecord>(
      Native, "ConditionalCaller",
      "A function that calls another one, its action, if a condition holds.")
      .def_ro("name", &ConditionalCallerRecord::Name)
      .def_ro("action", &ConditionalCallerRecord::Action,
              "None, unless all that it does is one direct call.")
      .def_ro("call_count", &ConditionalCallerRecord::CallCount, "In its body.")
      .def_ro("is_referenced", &ConditionalCallerRecord::IsReferenced,
              "Whether anything but a call refers to it.")
      .def_ro("calls", &ConditionalCallerRecord::Calls,
              "Who calls it with which condition; None for what is not constant.")
      .def("__repr__", [](const ConditionalCallerRecord &Record) {
        return "<ConditionalCaller " + Record.Name + ">";
      });
  nb::class_<ConditionalCallRecord>(Native, "ConditionalCall",
                                    "A call of an action that is made if a condition holds.")
      .def_ro("caller", &ConditionalCallRecord::Caller)
      .def_ro("callee", &ConditionalCallRecord::Callee)
      .def_ro("action", &ConditionalCallRecord::Action)
      .def_ro("condition", &ConditionalCallRecord::Cond, "None for what is not constant.")
      .def("__repr__", [](const ConditionalCallRecord &Record) {
        return "<ConditionalCall of " + Record.Action + " in " + Record.Caller + ">";
      });
}

/// A width that LLVM would not take is refused here rather than deep in a conversion.
MetadataInteger makeInteger(int64_t Value, unsigned Bits) {
  if (Bits < 1 || Bits > 64)
    throw IRError("a metadata integer has 1 to 64 bits, not " + std::to_string(Bits));
  return {Value, Bits};
}

void bindInteger(nb::module_ &Native) {
  nb::class_<MetadataInteger>(Native, "Integer",
                              "A metadata integer whose type is not i32; counts as an int.")
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
           "Of half, double and atomic i64, those that each function's code touches.")
      .def("class_addresses", &listClassAddresses, WithoutGil(),
           "The functions that address parts of others' objects of classes that hold a double.")
      .def("verify", &ModuleHandle::verify, WithoutGil(), "Raises IRError with LLVM's report.")
      .def("to_text", &printModule, WithoutGil())
      .def(
          "to_bitcode", [](ModuleHandle &Self) { return Bytes{writeBitcode(Self)}; }, WithoutGil())
      .def("link", &linkModules, "other"_a, WithoutGil(),
           "Moves everything in `other` here; `other` cannot be used afterwards.")
      .def("extract", &extractModule, "roots"_a, "named_metadata"_a = nb::tuple(),
           "public"_a = nb::none(), "apart"_a = "", WithoutGil(),
           "A new module: the roots, all they refer to, flags, and the named metadata. Where\n"
           "`public` is given, definitions of these names are external and all others internal;\n"
           "a name that the part does not have is no matter. Functions with the attribute `apart`\n"
           "are only declared, unless they are roots.")
      .def("clone_with", &cloneModuleWith, "names"_a, WithoutGil(),
           "A copy of the whole module, in which all but the named definitions are declarations.\n"
           "This is how modules are usually split, here for benchmarks to measure `extract` by.");
}

void bindMetadata(ModuleClass &Class) {
  Class
      .def("function_metadata", &functionMetadata, "kind"_a, WithoutGil(),
           "The nodes of the functions that have one.")
      .def("set_function_metadata", &setFunctionMetadata, "kind"_a, "nodes"_a, WithoutGil(),
           "None removes a function's node. A plain int becomes an i32.")
      .def("mark_functions", &markFunctions, "kind"_a, "groups"_a, WithoutGil(),
           "Puts each node on all functions that are named with it, where many share one.")
      .def("named_metadata_names", &namedMetadataNames, WithoutGil(), "In the order of the module.")
      .def("named_metadata", &namedMetadata, "name"_a, WithoutGil(),
           "The nodes of a named list; empty if the module has none of that name.")
      .def("set_named_metadata", &setNamedMetadata, "name"_a, "nodes"_a, WithoutGil(),
           "Replaces a named list; an empty one removes the name.");
}

void bindAttributes(ModuleClass &Class) {
  Class
      .def("function_attributes", &functionAttributes, "key"_a, WithoutGil(),
           "The values of an attribute; '' for one of LLVM's own, such as alwaysinline.")
      .def("set_function_attributes", &setFunctionAttributes, "changes"_a, WithoutGil(),
           "Function, key, value; None removes the attribute.")
      .def("global_variable_attributes", &globalVariableAttributes, "key"_a, WithoutGil())
      .def("set_global_variable_attributes", &setGlobalVariableAttributes, "changes"_a,
           WithoutGil())
      .def("parameter_attributes", &parameterAttributes, "key"_a, WithoutGil(),
           "By function and index.")
      .def(
          "string_attribute_keys",
          [](ModuleHandle &Self) {
            std::set<std::string> Keys = stringAttributeKeys(Self);
            return std::vector<std::string>(Keys.begin(), Keys.end());
          },
          WithoutGil(), "Of functions, parameters and variables, each once, in order.")
      .def("set_parameter_attributes", &setParameterAttributes, "changes"_a, WithoutGil())
      .def("set_byte_references", &setByteReferences, "functions"_a, WithoutGil(),
           "Mark what functions take by pointer as bytes, where nothing else is said of it.");
}

void bindProperties(ModuleClass &Class) {
  Class
      .def("global_variable_metadata", &globalVariableMetadata, "kind"_a, WithoutGil(),
           "The nodes of the global variables that have one.")
      .def("set_global_variable_metadata", &setGlobalVariableMetadata, "kind"_a, "nodes"_a,
           WithoutGil(), "None removes a variable's node. A plain int becomes an i32.")
      .def("execution_modes", &executionModes, WithoutGil(),
           "Of functions, as !spirv.ExecutionMode has them: a mode's number and its operands.")
      .def("set_execution_modes", &setExecutionModes, "modes"_a, WithoutGil(), "Replaces them all.")
      .def("pointer_annotations", &pointerAnnotations, WithoutGil(),
           "The texts with which llvm.ptr.annotation is called, each once.")
      .def("set_pointer_annotations", &setPointerAnnotations, "texts"_a, WithoutGil(),
           "Calls with a text that is listed get another one, or go (None).");
}

void bindSymbols(ModuleClass &Class) {
  Class
      .def("set_linkage", &setLinkage, "linkages"_a, WithoutGil(),
           "Functions, variables or aliases by name.")
      .def("set_calling_convention", &setCallingConvention, "conventions"_a, WithoutGil(),
           "Direct calls of the functions follow.")
      .def("rename", &renameSymbols, "names"_a, WithoutGil(),
           "Old names to new ones; two symbols may exchange theirs.")
      .def("keep_variables", &keepVariables, "names"_a, WithoutGil(),
           "Global variables that LLVM is to keep and to leave alone, whoever uses them.")
      .def("make_zero", &makeZero, "names"_a, WithoutGil(),
           "Global variables whose memory is to start with zeros.")
      .def(
          "initial_bytes",
          [](ModuleHandle &Self, const std::string &Name) {
            return Bytes{initialBytes(Self, Name)};
          },
          "name"_a, WithoutGil(),
          "What a global variable holds before anything has run; nothing if that is zeros.")
      .def("make_bytes", &makeBytes, "names"_a, WithoutGil(),
           "Global variables that are to be arrays of as many bytes, with the same values.")
      .def("make_empty", &makeEmpty, "names"_a, WithoutGil(),
           "Functions that are to do nothing, and to return zero if they return anything.");
}

void bindFunctions(ModuleClass &Class) {
  Class.def("clone_function", &cloneFunction, "name"_a, "new_name"_a, WithoutGil())
      .def("wrap_function", &wrapFunction, "callee"_a, "name"_a, "calling_convention"_a,
           "parameter_types"_a, WithoutGil(),
           "Defines `name`, which calls `callee`. Parameters listed by index have that type.")
      .def("add_parameters", &addParameters, "name"_a, "parameters"_a, WithoutGil(),
           "Appends parameters, each a type and a name, to a function that nothing calls.")
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
          "Each of `stores` is the index of a parameter, that of a pointer, and an offset: the\n"
          "parameter is stored there before anything else is done, or its address in `array`;\n"
          "as a `type`, if that is not its own.")
      .def("declare_array", &declareArray, "name"_a, "address_space"_a, "alignment"_a, WithoutGil(),
           "Bytes, of which nobody knows how many until the program runs.");
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
          "Names, and an int32 array each of sources, targets, kinds, types, indirect callers and\n"
          "indirect types; see ir.CallGraph. Functions that are declared with the attribute\n"
          "`conditional` make conditional calls.")
      .def("variable_users", &variableUsers, "names"_a, WithoutGil(),
           "For each of the global variables the functions that refer to it, in their code or\n"
           "through constants, aliases and other variables' initial values; in the order of the\n"
           "module.")
      .def("calls_to", &listCalls, "callee"_a,
           nb::sig("def calls_to(self, callee: str) -> list[tuple[str, tuple[int | str | None, "
                   "...]]]"),
           "Callers and the arguments they pass: integers, names of functions, None for the rest.")
      .def("replace_calls_with_globals", &replaceCallsWithGlobals, "callee"_a, "address_space"_a,
           WithoutGil(),
           "Puts the address of a new array in place of each call `callee(size, align)`.")
      .def("return_behind_calls", &returnBehindCalls, "callee"_a, WithoutGil(),
           "Lets callers return, a zero if anything, behind calls of what never returns.");
}

void bindConditionalCalls(ModuleClass &Class) {
  Class
      .def("conditional_callers", &conditionalCallers, "attribute"_a, WithoutGil(),
           "The functions that are defined with the attribute.")
      .def("expand_conditional_callers", &expandConditionalCallers, "attribute"_a, "expansions"_a,
           WithoutGil(),
           nb::sig("def expand_conditional_callers(self, attribute: str, expansions: "
                   "Mapping[tuple[str, tuple[int, ...]], bool | tuple[str, tuple[int, ...]]]) -> "
                   "None"),
           "Inlines these functions, which are gone then. For each and its conditions it is said\n"
           "what becomes of its calls of the action: conditional calls of a function with another\n"
           "condition, plain calls (True), or none (False).")
      .def("conditional_calls", &conditionalCalls, "attribute"_a, WithoutGil(),
           "The calls of functions that are declared with the attribute.")
      .def("rewrite_conditional_calls", &rewriteConditionalCalls, "attribute"_a, "targets"_a,
           WithoutGil(),
           nb::sig("def rewrite_conditional_calls(self, attribute: str, targets: "
                   "Mapping[tuple[str, tuple[int, ...]], str | None]) -> None"),
           "Makes these calls direct ones of the functions that are named for their actions and\n"
           "conditions, or removes them (None); those that are not listed stay. A function that\n"
           "is not there is declared, like the action.");
}

/// What LLVM's SPIR-V back-end cannot be trusted with.
void bindForms(ModuleClass &Class) {
  Class
      .def("promote_integers", &promoteIntegers, WithoutGil(),
           "Has all integers have 1, 8, 16, 32 or 64 bits, and no vector of booleans be taken for\n"
           "an integer or the other way round.")
      .def("mask_widened_parts", &maskWidenedParts, WithoutGil(),
           "Has parts of integers that are widened again be masks of these integers.")
      .def("split_wide_integers", &splitWideIntegers, WithoutGil(),
           "Has integers of more than 64 bits be several of 64.")
      .def("inline_functions", &inlineFunctions, "names"_a, WithoutGil(),
           "Inlines all calls of these functions, and no others, and removes those that are\n"
           "internal.")
      .def("collect_id_terms", &collectIdTerms, "queries"_a, WithoutGil(),
           "Collects the terms of sums in which what one of these functions returns occurs more\n"
           "than once.")
      .def("copy_by_fields", &copyByFields, WithoutGil(),
           "Copies small classes field by field instead of as integers.")
      .def("hide_values", &hideValues, "barriers"_a, "query"_a, WithoutGil(),
           "Hides values that drivers would fold wrongly behind a mask that no optimiser can\n"
           "compute, some of them only in functions that may become part of one that waits.\n"
           "Barriers are calls of functions whose names have one of these texts in them. The mask\n"
           "depends on what the function `query` returns for 0.")
      .def("add_half_fences", &addHalfFences, WithoutGil(),
           "Has optimisers take integers that become `half` for unknown: LLVM forgets that they\n"
           "may be too large.")
      .def("remove_half_fences", &removeHalfFences, WithoutGil(), "Removes those fences.")
      .def("split_vectors", &splitVectors, "lengths"_a, WithoutGil(),
           "Has functions in which a vector has another than one of these numbers of elements\n"
           "compute with the elements of all their vectors.")
      .def("expand_variable_indices", &expandVariableIndices, WithoutGil(),
           "Selects among all elements where an index into a vector is not a constant.")
      .def("splat_conditions", &splatConditions, WithoutGil(),
           "Selects vectors by vectors of conditions, where one condition is for all elements.")
      .def("widen_vector_parameters", &widenVectorParameters, "functions"_a, WithoutGil(),
           "Has functions take and return vectors of four elements instead of three.")
      .def("pin_variable_types", &pinVariableTypes, WithoutGil(),
           "Makes local variables arrays of bytes, unless they are only used as what they are\n"
           "declared as.")
      .def("mark_lifetimes", &markLifetimes, WithoutGil(),
           "Has local variables without a lifetime live from the beginning of their function to\n"
           "its end.")
      .def("pin_pointer_types", &pinPointerTypes, WithoutGil(),
           "Has all pointers that are not computed from others used as pointers to bytes.")
      .def(
          "pass_by_reference", [](ModuleHandle &Self) { passByReference(Self); }, WithoutGil(),
          "Has functions, but not kernels, copy classes themselves that they take by value.")
      .def("function_shapes", &functionShapes, WithoutGil(), "Of functions that have a body.");
}

void bindLowering(ModuleClass &Class) {
  Class
      .def("run_passes", &runPasses, "pipeline"_a, "cpu"_a = "", WithoutGil(),
           "Runs LLVM's passes, as in opt -passes=.")
      .def(
          "emit",
          [](ModuleHandle &Self, const std::string &TripleName, const std::string &CPU,
             const std::string &Features, unsigned OptLevel, bool Assembly,
             const std::vector<std::string> &Extensions, const FunctionAttributeChanges &Attrs,
             const std::vector<Bytes> &Libraries, const std::string &Visibility,
             const std::string &Passes) {
            Preparation Prep{Attrs, {}, Visibility, Passes};
            for (const Bytes &Library : Libraries)
              Prep.Libraries.push_back(Library.Data);
            return Bytes{
                emitCode(Self, TripleName, {CPU, Features, OptLevel, Extensions}, Prep, Assembly)};
          },
          nb::kw_only(), "triple"_a = "", "cpu"_a = "", "features"_a = "", "opt_level"_a = 2,
          "assembly"_a = false, "extensions"_a = nb::tuple(), "attributes"_a = nb::dict(),
          "libraries"_a = nb::tuple(), "visibility"_a = "", "passes"_a = "", WithoutGil(),
          "An object file or SPIR-V, whose version the triple has: spirv64v1.4-unknown-unknown.\n"
          "Before, and in this order: functions get `attributes`, of each of `libraries` (bitcode\n"
          "or text) what is called is linked, definitions get a `visibility`, `passes` run. The\n"
          "module stays as it is.");
}

} // namespace

} // namespace dovetail

NB_MODULE(_native, native) {
  using namespace dovetail;
  native.doc() = "LLVM for dovetail.ir, which is the only importer.";
  nb::object IRErrorClass = nb::module_::import_("dovetail.errors").attr("IRError");
  // Never released: exceptions can come as long as the process lives.
  nb::register_exception_translator(translateException, IRErrorClass.release().ptr());

  native.def("demangle", &demangleAll, "symbols"_a,
             "Symbols as C++ spells them; what is no mangled name stays as it is.");
  native.def("known_processors", &knownProcessors, "triple"_a,
             "All names of processors that LLVM knows of a target; it ignores others silently.");
  native.def("llvm_version", [] { return LLVM_VERSION_STRING; }, "Such as 22.1.8.");
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
