// Vectors that SPIR-V's drivers cannot be trusted with.
#pragma once

#include <vector>

namespace dovetail {

class ModuleHandle;

/// Has functions in which a vector has another than one of these numbers of elements compute with
/// the elements of all their vectors.
void splitVectors(ModuleHandle &module, const std::vector<unsigned> &lengths);

} // namespace dovetail
