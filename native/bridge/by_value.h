// Classes that functions take by value.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Has functions, but not kernels, take pointers to classes that they copy themselves if they have
/// to, in the place of `byval` pointers, of which whoever generates code makes the copies.
void passByReference(ModuleHandle &module);

} // namespace dovetail
