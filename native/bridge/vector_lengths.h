// Vectors that SPIR-V's drivers cannot be trusted with.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Has functions in which a vector has another than one of these numbers of elements compute with
/// the elements of all their vectors.
void splitVectors(ModuleHandle &Handle, const std::vector<unsigned> &Lengths);

/// Selects among all elements where an index into a vector is not a constant.
void expandVariableIndices(ModuleHandle &Handle);

/// Selects vectors by vectors of conditions, where one condition is for all elements.
void splatConditions(ModuleHandle &Handle);

/// Has the named functions take and return vectors of four elements instead of three.
void widenVectorParameters(ModuleHandle &Handle, const std::vector<std::string> &Functions);

} // namespace dovetail
