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
void translateException(const std::exception_ptr &exception, void *payload) {
  try {
    std::rethrow_exception(exception);
  } catch (const IRError &error) {
    std::string_view text = error.what();
    // Messages quote the input, which can be anything.
    PyObject *message = PyUnicode_DecodeUTF8(text.data(), text.size(), "replace");
    PyErr_SetObject(static_cast<PyObject *>(payload), message);
    Py_XDECREF(message);
  }
}

Bytes toBytes(const std::vector<int32_t> &numbers) {
  return {std::string(reinterpret_cast<const char *>(numbers.data()),
                      numbers.size() * sizeof(int32_t))};
}

/// Calls with their arguments as tuples, which nanobind has no C++ type of any length for.
nb::list listCalls(ModuleHandle &module, const std::string &callee) {
  std::vector<CallRecord> records;
  {
    nb::gil_scoped_release released;
    records = callsTo(module, callee);
  }
  nb::list calls;
  for (const auto &[caller, arguments] : records)
    calls.append(nb::make_tuple(caller, nb::tuple(nb::cast(arguments))));
  return calls;
}

ModulePtr parseBytes(std::shared_ptr<ContextHandle> context, nb::bytes data,
                     const std::string &name) {
  nb::gil_scoped_release released;
  return parseModule(std::move(context), {data.c_str(), data.size()}, name);
}

/// Symbols as C++ spells them; what is no mangled name stays as it is.
std::vector<std::string> demangleAll(const std::vector<std::string> &symbols) {
  std::vector<std::string> names;
  for (const std::string &symbol : symbols)
    names.push_back(llvm::demangle(symbol));
  return names;
}

void bindContext(nb::module_ &native) {
  nb::class_<ContextHandle>(
      native, "Context",
      "Where modules live. Those of one context can be linked; threads need one each.")
      .def(nb::init<>())
      .def_prop_ro("is_poisoned", &ContextHandle::isPoisoned,
                   "Whether LLVM crashed or gave up in this context, which ends its use.")
      .def("take_warnings", &ContextHandle::takeWarnings, WithoutGil(),
           "LLVM's warnings since the last call.");
}

void bindRecords(nb::module_ &native) {
  nb::class_<FunctionRecord>(native, "Function", "A function of a module when it was listed.")
      .def_ro("name", &FunctionRecord::name)
      .def_ro("is_declaration", &FunctionRecord::isDeclaration)
      .def_ro("linkage", &FunctionRecord::linkage)
      .def_ro("calling_convention", &FunctionRecord::callingConvention)
      .def_ro("return_type", &FunctionRecord::returnType)
      .def_ro("parameter_types", &FunctionRecord::parameterTypes)
      .def("__repr__",
           [](const FunctionRecord &record) { return "<Function " + record.name + ">"; });
  nb::class_<GlobalVariableRecord>(native, "GlobalVariable",
                                   "A global variable of a module when it was listed.")
      .def_ro("name", &GlobalVariableRecord::name)
      .def_ro("is_declaration", &GlobalVariableRecord::isDeclaration)
      .def_ro("linkage", &GlobalVariableRecord::linkage)
      .def_ro("address_space", &GlobalVariableRecord::addressSpace)
      .def_ro("value_type", &GlobalVariableRecord::valueType)
      .def_ro("size", &GlobalVariableRecord::size, "In bytes; 0 for an opaque type.")
      .def_ro("alignment", &GlobalVariableRecord::alignment, "In bytes.")
      .def_ro("is_constant", &GlobalVariableRecord::isConstant)
      .def("__repr__", [](const GlobalVariableRecord &record) {
        return "<GlobalVariable " + record.name + ">";
      });
}

void bindShape(nb::module_ &native) {
  nb::class_<FunctionShape>(native, "FunctionShape",
                            "What must not change when code is generated for a function.")
      .def_ro("name", &FunctionShape::name)
      .def_ro("variables", &FunctionShape::variables,
              "The sizes of its local variables in bytes, in order.")
      .def_ro("blocks", &FunctionShape::blocks,
              "For each basic block, in order, its divisions and remainders of integers, and its\n"
              "loads.");
}

void bindConditionalRecords(nb::module_ &native) {
  nb::class_<ConditionalCallerRecord>(
      native, "ConditionalCaller",
      "A function that calls another one, its action, if a condition holds.")
      .def_ro("name", &ConditionalCallerRecord::name)
      .def_ro("action", &ConditionalCallerRecord::action,
              "None, unless all that it does is one direct call.")
      .def_ro("call_count", &ConditionalCallerRecord::callCount, "In its body.")
      .def_ro("is_referenced", &ConditionalCallerRecord::isReferenced,
              "Whether anything but a call refers to it.")
      .def_ro("calls", &ConditionalCallerRecord::calls,
              "Who calls it with which condition; None for what is not constant.")
      .def("__repr__", [](const ConditionalCallerRecord &record) {
        return "<ConditionalCaller " + record.name + ">";
      });
  nb::class_<ConditionalCallRecord>(native, "ConditionalCall",
                                    "A call of an action that is made if a condition holds.")
      .def_ro("caller", &ConditionalCallRecord::caller)
      .def_ro("callee", &ConditionalCallRecord::callee)
      .def_ro("action", &ConditionalCallRecord::action)
      .def_ro("condition", &ConditionalCallRecord::condition, "None for what is not constant.")
      .def("__repr__", [](const ConditionalCallRecord &record) {
        return "<ConditionalCall of " + record.action + " in " + record.caller + ">";
      });
}

/// A width that LLVM would not take is refused here rather than deep in a conversion.
MetadataInteger makeInteger(int64_t value, unsigned bits) {
  if (bits < 1 || bits > 64)
    throw IRError("a metadata integer has 1 to 64 bits, not " + std::to_string(bits));
  return {value, bits};
}

void bindInteger(nb::module_ &native) {
  nb::class_<MetadataInteger>(native, "Integer",
                              "A metadata integer whose type is not i32; counts as an int.")
      .def(
          "__init__",
          [](MetadataInteger *self, int64_t value, unsigned bits) {
            new (self) MetadataInteger(makeInteger(value, bits));
          },
          "value"_a, "bits"_a)
      .def_ro("value", &MetadataInteger::value)
      .def_ro("bits", &MetadataInteger::bits)
      .def("__int__", [](const MetadataInteger &self) { return self.value; })
      .def("__index__", [](const MetadataInteger &self) { return self.value; })
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__hash__", [](const MetadataInteger &self) { return std::hash<int64_t>()(self.value); })
      .def("__repr__", [](const MetadataInteger &self) {
        return "Integer(" + std::to_string(self.value) + ", " + std::to_string(self.bits) + ")";
      });
}

void bindWholeModule(ModuleClass &module) {
  module
      .def_static("parse", &parseBytes, "context"_a, "data"_a, "name"_a,
                  "Reads textual IR or bitcode.")
      .def_prop_ro("name", &moduleName, WithoutGil())
      .def_prop_ro(
          "triple", [](ModuleHandle &self) { return targetTriple(self).str(); }, WithoutGil())
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
          "to_bitcode", [](ModuleHandle &self) { return Bytes{writeBitcode(self)}; }, WithoutGil())
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

void bindMetadata(ModuleClass &module) {
  module
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

void bindAttributes(ModuleClass &module) {
  module
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
          [](ModuleHandle &self) {
            std::set<std::string> keys = stringAttributeKeys(self);
            return std::vector<std::string>(keys.begin(), keys.end());
          },
          WithoutGil(), "Of functions, parameters and variables, each once, in order.")
      .def("set_parameter_attributes", &setParameterAttributes, "changes"_a, WithoutGil())
      .def("set_byte_references", &setByteReferences, "functions"_a, WithoutGil(),
           "Mark what functions take by pointer as bytes, where nothing else is said of it.");
}

void bindProperties(ModuleClass &module) {
  module
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

void bindSymbols(ModuleClass &module) {
  module
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
          [](ModuleHandle &self, const std::string &name) {
            return Bytes{initialBytes(self, name)};
          },
          "name"_a, WithoutGil(),
          "What a global variable holds before anything has run; nothing if that is zeros.")
      .def("make_bytes", &makeBytes, "names"_a, WithoutGil(),
           "Global variables that are to be arrays of as many bytes, with the same values.")
      .def("make_empty", &makeEmpty, "names"_a, WithoutGil(),
           "Functions that are to do nothing, and to return zero if they return anything.");
}

void bindFunctions(ModuleClass &module) {
  module.def("clone_function", &cloneFunction, "name"_a, "new_name"_a, WithoutGil())
      .def("wrap_function", &wrapFunction, "callee"_a, "name"_a, "calling_convention"_a,
           "parameter_types"_a, WithoutGil(),
           "Defines `name`, which calls `callee`. Parameters listed by index have that type.")
      .def("add_parameters", &addParameters, "name"_a, "parameters"_a, WithoutGil(),
           "Appends parameters, each a type and a name, to a function that nothing calls.")
      .def(
          "store_parameters",
          [](ModuleHandle &self, const std::string &name,
             const std::vector<std::tuple<unsigned, unsigned, uint64_t>> &stores,
             const std::string &array, const std::string &type) {
            std::vector<ParameterStore> wanted;
            for (auto [value, object, offset] : stores)
              wanted.push_back({value, object, offset});
            storeParameters(self, name, wanted, array, type);
          },
          "name"_a, "stores"_a, "array"_a = "", "type"_a = "", WithoutGil(),
          "Each of `stores` is the index of a parameter, that of a pointer, and an offset: the\n"
          "parameter is stored there before anything else is done, or its address in `array`;\n"
          "as a `type`, if that is not its own.")
      .def("declare_array", &declareArray, "name"_a, "address_space"_a, "alignment"_a, WithoutGil(),
           "Bytes, of which nobody knows how many until the program runs.");
}

void bindCalls(ModuleClass &module) {
  module
      .def(
          "call_graph",
          [](ModuleHandle &self, const std::string &conditional) {
            CallGraphData graph = callGraph(self, conditional);
            return std::make_tuple(std::move(graph.names), toBytes(graph.sources),
                                   toBytes(graph.targets), toBytes(graph.kinds),
                                   toBytes(graph.types), toBytes(graph.indirectCallers),
                                   toBytes(graph.indirectTypes));
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

void bindConditionalCalls(ModuleClass &module) {
  module
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
void bindForms(ModuleClass &module) {
  module
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
          "pass_by_reference", [](ModuleHandle &self) { passByReference(self); }, WithoutGil(),
          "Has functions, but not kernels, copy classes themselves that they take by value.")
      .def("function_shapes", &functionShapes, WithoutGil(), "Of functions that have a body.");
}

void bindLowering(ModuleClass &module) {
  module
      .def("run_passes", &runPasses, "pipeline"_a, "cpu"_a = "", WithoutGil(),
           "Runs LLVM's passes, as in opt -passes=.")
      .def(
          "emit",
          [](ModuleHandle &self, const std::string &triple, const std::string &cpu,
             const std::string &features, unsigned optLevel, bool assembly,
             const std::vector<std::string> &extensions, const FunctionAttributeChanges &attributes,
             const std::vector<Bytes> &libraries, const std::string &visibility,
             const std::string &passes) {
            Preparation preparation{attributes, {}, visibility, passes};
            for (const Bytes &library : libraries)
              preparation.libraries.push_back(library.data);
            return Bytes{emitCode(self, triple, {cpu, features, optLevel, extensions}, preparation,
                                  assembly)};
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
  nb::object irError = nb::module_::import_("dovetail.errors").attr("IRError");
  // Never released: exceptions can come as long as the process lives.
  nb::register_exception_translator(translateException, irError.release().ptr());

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
  ModuleClass module(native, "Module", "A module of LLVM IR.");
  bindWholeModule(module);
  bindMetadata(module);
  bindAttributes(module);
  bindProperties(module);
  bindSymbols(module);
  bindFunctions(module);
  bindCalls(module);
  bindConditionalCalls(module);
  bindForms(module);
  bindLowering(module);
}
