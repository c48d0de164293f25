//===- What the plugin tells Python, as JSON ---------------------------------------------*- C++
//-*-===//
//
// The shapes here are those of the facts file, docs/formats.md. Only what was seen stands in it;
// what follows from it is decided in Python.
//
//===----------------------------------------------------------------------------------------------===//
#ifndef DOVETAIL_PLUGIN_FACTS_H
#define DOVETAIL_PLUGIN_FACTS_H

#include "attributes.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

/// A scalar, or an array of them, inside a class that is passed by value.
struct FieldFact {
  std::string Name;
  uint64_t Offset;
  std::string Encoding;
  uint64_t Count;
};

/// A part of a kernel object whose class is marked to need a kernel argument of its own.
struct MemberFact {
  std::string Kind;
  uint64_t Offset;
  uint64_t Size;
  std::string Type;
};

struct ParameterFact {
  std::string Name;
  std::string Type;
  std::string Kind;
  uint64_t Size;
  uint64_t Align;
  std::string Encoding;
  bool Writable = true;
  std::vector<FieldFact> Fields;
  std::vector<MemberFact> Members;
};

struct KernelFact {
  /// "function" for a plain function with a kernel property, "entry" for a kernel entry point.
  std::string Form;
  std::string Symbol;
  std::string Name;
  std::string Signature;
  std::string File;
  unsigned Line = 0;
  Properties Attributes;
  std::vector<ParameterFact> Parameters;
};

/// Writes the facts file.
llvm::Error writeFacts(llvm::StringRef Path, const std::vector<KernelFact> &Kernels);

} // namespace dovetail

#endif
