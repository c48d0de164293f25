// The attributes that DPC++ knows, in all spellings, and how the plugin handles each of them.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace dovetail {

enum class Handling {
  Unknown,     // left to clang, which warns
  Checked,     // rewritten to an annotation, whose arguments the plugin reads
  Ignored,     // affects only how hardware is generated: removed with its arguments
  Unsupported, // would change what the program computes: an error
};

/// One spelling of an attribute.
struct AttributeSpelling {
  Handling How = Handling::Unknown;
  /// The name by which the plugin handles it.
  llvm::StringRef Name;
  /// What to write instead, if DPC++ deprecates the spelling; otherwise empty.
  llvm::StringRef Replacement;
};

/// Returns how `[[Scope::Name]]` is handled. Scope and name are without surrounding underscores.
AttributeSpelling findAttribute(llvm::StringRef Scope, llvm::StringRef Name);

/// Returns how `__attribute__((Name))` is handled.
AttributeSpelling findGNUAttribute(llvm::StringRef Name);

/// Whether a scope contains attributes that the plugin handles.
bool isSYCLScope(llvm::StringRef Scope);

/// The values that an attribute accepts: sizes, limits and switches, all integers.
struct IntegerArguments {
  unsigned MinCount = 0;
  unsigned MaxCount = 0;
  uint64_t MinValue = 0;
  uint64_t MaxValue = 0;
};

/// Returns what an attribute of integers accepts; MaxCount is 0 for other attributes. `Spelling` is
/// as in the source, without underscores: some spellings need all three sizes.
IntegerArguments integerArguments(llvm::StringRef Name, llvm::StringRef Spelling);

} // namespace dovetail
