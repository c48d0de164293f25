// Copies of classes, field by field.
#pragma once

namespace dovetail {

class ModuleHandle;

/// Replaces integers of 2, 4 or 8 bytes that are stored to, or copied from or to, memory of a known
/// class by the fields of the class. Optimizers copy small classes as integers, and split these
/// into integers of unusual widths where a field is also accessed separately.
void copyByFields(ModuleHandle &Handle);

} // namespace dovetail
