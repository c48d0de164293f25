// Taking part of a module out into a new one, at a cost that grows with the part, not the module.
#pragma once

#include "module.h"

#include <string>
#include <vector>

namespace dovetail {

/// A new module with the roots and everything they refer to, under unchanged names and linkage.
/// `namedMetadata` are the lists to carry over besides the module's flags; a node that names a
/// global outside of the part is left out.
ModulePtr extractModule(ModuleHandle &module, const std::vector<std::string> &roots,
                        const std::vector<std::string> &namedMetadata);

} // namespace dovetail
