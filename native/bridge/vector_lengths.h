// Vectors that SPIR-V drivers compile wrongly.
#pragma once

#include <string>
#include <vector>

namespace dovetail {

class ModuleHandle;

/// Splits all vectors into their elements in functions with a vector of a length that is not in
/// `Lengths`.
void splitVectors(ModuleHandle &Handle, const std::vector<unsigned> &Lengths);

/// Replaces variable indices into vectors by selections among all elements.
void expandVariableIndices(ModuleHandle &Handle);

/// Replaces the scalar conditions of vector selections by vectors of conditions.
void splatConditions(ModuleHandle &Handle);

/// Changes parameters and results of the named functions from vectors of three elements to four.
void widenVectorParameters(ModuleHandle &Handle, const std::vector<std::string> &Functions);

} // namespace dovetail
