// Compile-time properties: attributes with lists of names and values, which are passed on to the
// IR.
//
// An attribute has all names first, followed by as many values. The plugin converts values to text;
// the readers of the IR know what properties mean.
#pragma once

#include "attributes.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

/// Names and values, each name once, in the order of the source.
using Properties = std::vector<std::pair<std::string, std::string>>;

/// An error in a property list. The message continues the attribute's name.
class PropertyListError : public llvm::ErrorInfo<PropertyListError> {
public:
  static char ID;

  PropertyListError(clang::SourceRange Range, std::string Message)
      : Range(Range), Message(std::move(Message)) {}

  clang::SourceRange range() const { return Range; }
  std::string message() const override { return Message; }
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  clang::SourceRange Range;
  std::string Message;
};

/// Returns the first error in a property list without dependent arguments.
llvm::Error checkPropertyList(const AttributeUse &Use, const clang::ASTContext &Ctx);

/// Returns the properties in all lists of one kind, up to the first error of each.
Properties propertiesIn(const AttributeUses &Attrs, llvm::StringRef Kind,
                        const clang::ASTContext &Ctx);

/// Returns the properties of a declaration and its redeclarations.
Properties propertiesOf(const clang::Decl &D, llvm::StringRef Kind, const clang::ASTContext &Ctx);

/// Returns the properties of a class; none for other types.
Properties propertiesOf(clang::QualType T, llvm::StringRef Kind, const clang::ASTContext &Ctx);

} // namespace dovetail
