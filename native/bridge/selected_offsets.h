// Selections between addresses in the same local variable.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Selects between offsets into a local variable instead of between addresses.
void selectOffsets(ModuleHandle &Handle);

} // namespace dovetail
