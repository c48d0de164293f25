// The facts file, which passes the plugin's findings to Python as JSON.
//
// docs/formats.md describes the keys. The file contains observations only; Python draws the
// conclusions.
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
  unsigned File = 0;
  unsigned Line = 0;
  unsigned Column = 0;
};

struct UseFact {
  int64_t Aspect;
  std::string What;
  PlaceFact Place;
};

struct CallFact {
  size_t Callee;
  PlaceFact Place;
  /// The numbers of the condition of a conditional call.
  std::vector<int64_t> Cond;
};

struct ViolationFact {
  std::string Rule;
  std::string What;
  PlaceFact Place;
};

/// The use of a constant that refers to a variable which device code may not use.
struct ReferenceFact {
  std::string Symbol;
  std::string Variable;
  std::string Constant;
  PlaceFact Place;
};

struct DeclarationFact {
  std::string Attribute;
  std::vector<int64_t> Aspects;
  PlaceFact Place;
};

/// A function that can be called in device code.
struct FunctionFact {
  std::string Symbol;
  std::string Name;
  PlaceFact Place;
  bool IsDefined = false;
  bool IsExternal = false;
  bool IsInternal = false;
  /// Whether it is declared in a system header.
  bool IsSystem = false;
  Properties Attributes;
  std::optional<DeclarationFact> Declared;
  std::vector<uint64_t> ReqdWorkGroupSize;
  std::vector<uint64_t> ReqdSubGroupSize;
  std::vector<uint64_t> WorkGroupSizeHint;
  std::vector<UseFact> Uses;
  /// The aspects whose uses remain after optimization.
  std::vector<int64_t> Retained;
  std::vector<CallFact> Calls;
  std::vector<ViolationFact> Violations;
  std::vector<ReferenceFact> References;
};

/// A scalar or an array of scalars in a class.
struct FieldFact {
  std::string Name;
  uint64_t Offset;
  std::string Encoding;
  uint64_t Count;
};

/// A part of a kernel object that becomes a kernel argument of its own.
struct MemberFact {
  std::string Kind;
  uint64_t Offset;
  uint64_t Size;
  std::string Type;
  /// The properties of the argument.
  Properties Attributes;
};

struct ParameterFact {
  std::string Name;
  std::string Type;
  std::string Kind;
  uint64_t Size = 0;
  uint64_t Align = 0;
  std::string Encoding;
  /// The size of a pointer's target; 0 for other types and for incomplete targets.
  uint64_t PointeeSize = 0;
  bool Writable = true;
  /// The fields of the class, or of the class that a pointer points to.
  std::vector<FieldFact> Fields;
  std::vector<MemberFact> Members;
  /// The properties of the parameter itself.
  Properties Attributes;
};

struct KernelFact {
  /// "function" for a plain function with a kernel property, "entry" for a kernel entry point.
  std::string Form;
  std::string Symbol;
  std::string Name;
  std::string Signature;
  std::string File;
  unsigned Line = 0;
  /// Whether another source may have a different kernel with the same symbol.
  bool Internal = false;
  Properties Attributes;
  std::vector<ParameterFact> Parameters;
  /// Indices in `Functions` of the kernel itself and of the call operator of its object.
  std::optional<size_t> Function;
  std::optional<size_t> ObjectFunction;
};

/// A global variable with properties, which it gets from its class.
struct VariableFact {
  std::string Symbol;
  std::string Name;
  PlaceFact Place;
  Properties Attributes;
};

struct Facts {
  std::vector<std::string> Files;
  std::vector<KernelFact> Kernels;
  std::vector<FunctionFact> Functions;
  std::vector<VariableFact> Variables;
};

/// Writes the facts file.
llvm::Error writeFacts(llvm::StringRef Path, const Facts &F);

} // namespace dovetail
