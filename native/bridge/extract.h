// Extraction: copies a part of a module to a new one, in time proportional to the part's size.
#pragma once

#include "module.h"

#include <optional>
#include <string>
#include <vector>

namespace dovetail {

/// Returns a new module with the roots and everything they refer to, under unchanged names.
/// `NamedMetadata` are the lists to copy besides the module's flags, without nodes that name a
/// global outside the part. If `PublicNames` are given, definitions of these names become external
/// and all others internal, without comdats; names that the part does not have are ignored.
/// Otherwise linkage and comdats do not change. Functions with the attribute `Apart` become
/// declarations, unless they are roots. If `Apart` is empty, there are none.
ModulePtr extractModule(ModuleHandle &Handle, const std::vector<std::string> &Roots,
                        const std::vector<std::string> &NamedMetadata,
                        const std::optional<std::vector<std::string>> &PublicNames,
                        const std::string &Apart);

/// Returns LLVM's copy of the whole module, in which all other definitions are declarations.
ModulePtr cloneModuleWith(ModuleHandle &Handle, const std::vector<std::string> &Names);

} // namespace dovetail
