// The functions and global variables of a module, as plain records.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

struct FunctionRecord {
  std::string Name;
  bool IsDeclaration;
  std::string Linkage;
  std::string CallingConvention;
  std::string ReturnType;
  std::vector<std::string> ParameterTypes;
};

struct GlobalVariableRecord {
  std::string Name;
  bool IsDeclaration;
  std::string Linkage;
  unsigned AddressSpace;
  std::string ValueType;
  uint64_t Size;
  uint64_t Alignment;
  bool IsConstant;
};

/// Both are in module order.
std::vector<FunctionRecord> listFunctions(ModuleHandle &Handle);
std::vector<GlobalVariableRecord> listGlobalVariables(ModuleHandle &Handle);

} // namespace dovetail
