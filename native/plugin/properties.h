// Compile-time properties: lists of names and values that attributes hand to whoever reads the IR.
//
// An attribute has all names first, then as many values. What a property means is for others to
// know: here each value is turned into text, and that is all.
#pragma once

#include "attributes.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

/// Names and values, each name once, in the order of the source.
using Properties = std::vector<std::pair<std::string, std::string>>;

/// What is wrong with a list of properties, as a message says it behind the attribute's name.
struct PropertyFault {
  clang::SourceRange place;
  std::string what;
};

/// The first thing that is wrong; nothing if the list is right. Not for dependent arguments.
std::optional<PropertyFault> faultIn(const AttributeUse &list, const clang::ASTContext &context);

/// What the attributes of one kind give, as far as they are right.
Properties propertiesIn(const AttributeUses &attributes, llvm::StringRef kind,
                        const clang::ASTContext &context);

/// The same for what any declaration of the same thing carries, such as of a class.
Properties propertiesOf(const clang::Decl &declaration, llvm::StringRef kind,
                        const clang::ASTContext &context);

/// The same for a type that is a class.
Properties propertiesOf(clang::QualType type, llvm::StringRef kind,
                        const clang::ASTContext &context);

} // namespace dovetail
