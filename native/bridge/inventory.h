// What a module holds, as plain records.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

struct FunctionRecord {
  std::string name;
  bool isDeclaration;
  std::string linkage;
  std::string callingConvention;
  std::string returnType;
  std::vector<std::string> parameterTypes;
};

struct GlobalVariableRecord {
  std::string name;
  bool isDeclaration;
  std::string linkage;
  unsigned addressSpace;
  std::string valueType;
  uint64_t size;
  uint64_t alignment;
  bool isConstant;
};

/// Both in the order of the module.
std::vector<FunctionRecord> listFunctions(ModuleHandle &module);
std::vector<GlobalVariableRecord> listGlobalVariables(ModuleHandle &module);

} // namespace dovetail
