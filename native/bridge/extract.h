// Taking part of a module out into a new one, at a cost that grows with the part, not the module.
#pragma once

#include "module.h"

#include <optional>
#include <string>
#include <vector>

namespace dovetail {

/// A new module with the roots and everything they refer to, under unchanged names.
/// `namedMetadata` are the lists to carry over besides the module's flags; a node that names a
/// global outside of the part is left out.
/// Linkage and comdats stay, unless `publicNames` are given: then the definitions of these names
/// become external and all others internal, and none is in a comdat. Names that the part does not
/// have are no matter.
/// Functions that carry the attribute `apart` are declarations in the part, unless they are roots;
/// none is, if it is empty.
ModulePtr extractModule(ModuleHandle &Handle, const std::vector<std::string> &Roots,
                        const std::vector<std::string> &NamedMetadata,
                        const std::optional<std::vector<std::string>> &PublicNames,
                        const std::string &Apart);

/// LLVM's copy of the whole module, in which all but the named definitions are declarations.
ModulePtr cloneModuleWith(ModuleHandle &Handle, const std::vector<std::string> &Names);

} // namespace dovetail
