// What the plugin tells Python, as JSON.
//
// The shapes here are those of the facts file, docs/formats.md. Only what was seen stands in it;
// what follows from it is decided in Python.
#pragma once

#include "properties.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dovetail {

struct PlaceFact {
  unsigned file = 0;
  unsigned line = 0;
  unsigned column = 0;
};

struct UseFact {
  int64_t aspect;
  std::string what;
  PlaceFact place;
};

struct CallFact {
  size_t callee;
  PlaceFact place;
  /// The numbers of the condition, of a call that is made on some devices alone.
  std::vector<int64_t> condition;
};

struct ViolationFact {
  std::string rule;
  std::string what;
  PlaceFact place;
};

/// The use of a constant that refers to a variable which device code cannot use.
struct ReferenceFact {
  std::string symbol;
  std::string variable;
  std::string constant;
  PlaceFact place;
};

struct DeclarationFact {
  std::string attribute;
  std::vector<int64_t> aspects;
  PlaceFact place;
};

/// A function that device code reaches.
struct FunctionFact {
  std::string symbol;
  std::string name;
  PlaceFact place;
  bool isDefined = false;
  bool isExternal = false;
  bool isInternal = false;
  Properties attributes;
  std::optional<DeclarationFact> declared;
  std::vector<uint64_t> reqdWorkGroupSize;
  std::vector<uint64_t> reqdSubGroupSize;
  std::vector<uint64_t> workGroupSizeHint;
  std::vector<UseFact> uses;
  /// The aspects among them that no optimisation takes away.
  std::vector<int64_t> retained;
  std::vector<CallFact> calls;
  std::vector<ViolationFact> violations;
  std::vector<ReferenceFact> references;
};

/// A scalar, or an array of them, inside a class.
struct FieldFact {
  std::string name;
  uint64_t offset;
  std::string encoding;
  uint64_t count;
};

/// A part of a kernel object whose class is marked to need a kernel argument of its own.
struct MemberFact {
  std::string kind;
  uint64_t offset;
  uint64_t size;
  std::string type;
  /// Of the argument that it needs.
  Properties attributes;
};

struct ParameterFact {
  std::string name;
  std::string type;
  std::string kind;
  uint64_t size = 0;
  uint64_t align = 0;
  std::string encoding;
  /// Of what a pointer points to; 0 if it is not a pointer, or if the size is not known.
  uint64_t pointeeSize = 0;
  bool writable = true;
  /// Of the class, or of the class that a pointer points to.
  std::vector<FieldFact> fields;
  std::vector<MemberFact> members;
  /// Of the parameter itself.
  Properties attributes;
};

struct KernelFact {
  /// "function" for a plain function with a kernel property, "entry" for a kernel entry point.
  std::string form;
  std::string symbol;
  std::string name;
  std::string signature;
  std::string file;
  unsigned line = 0;
  /// Whether another source may have another kernel with the same symbol.
  bool internal = false;
  Properties attributes;
  std::vector<ParameterFact> parameters;
  /// Among all functions: the kernel itself, and the call operator of its object.
  std::optional<size_t> function;
  std::optional<size_t> objectFunction;
};

/// A global variable whose class gives it properties.
struct VariableFact {
  std::string symbol;
  std::string name;
  PlaceFact place;
  Properties attributes;
};

struct Facts {
  std::vector<std::string> files;
  std::vector<KernelFact> kernels;
  std::vector<FunctionFact> functions;
  std::vector<VariableFact> variables;
};

/// Writes the facts file.
llvm::Error writeFacts(llvm::StringRef path, const Facts &facts);

} // namespace dovetail
