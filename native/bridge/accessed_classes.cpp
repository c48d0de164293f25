#include "accessed_classes.h"

#include "module.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <set>

namespace dovetail {

using namespace llvm;

namespace {

bool isOfParameterByValue(const Instruction &instruction) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  const auto *parameter = pointer ? dyn_cast<Argument>(getUnderlyingObject(pointer)) : nullptr;
  return parameter && parameter->hasByValAttr();
}

/// The class of the object whose member a load or store accesses; empty if there is none.
StringRef accessedClass(const Instruction &instruction) {
  // The type of the object, that of the member, and where the member is.
  const MDNode *tag = instruction.getMetadata(LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 3 || tag->getOperand(0) == tag->getOperand(1) ||
      isOfParameterByValue(instruction))
    return "";
  const auto *type = dyn_cast_or_null<MDNode>(tag->getOperand(0));
  const auto *name =
      type && type->getNumOperands() ? dyn_cast_or_null<MDString>(type->getOperand(0)) : nullptr;
  return name ? name->getString() : "";
}

} // namespace

std::map<std::string, std::vector<std::string>> listAccessedClasses(ModuleHandle &module) {
  return module.use("listing the classes that functions access", [](const llvm::Module &ir) {
    std::map<std::string, std::vector<std::string>> found;
    for (const Function &function : ir) {
      std::set<StringRef> classes;
      for (const Instruction &instruction : instructions(function))
        if (StringRef name = accessedClass(instruction); !name.empty())
          classes.insert(name);
      if (!classes.empty())
        found[function.getName().str()].assign(classes.begin(), classes.end());
    }
    return found;
  });
}

} // namespace dovetail
