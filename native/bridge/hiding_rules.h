// What drivers would fold wrongly unless it is hidden.
#pragma once

#include "llvm/IR/Instruction.h"

namespace dovetail {

/// Returns the constant operand by which an instruction changes the sign of its other operand or of
/// some of its elements, or null for other instructions.
llvm::Use *negatingConstant(llvm::Instruction &I);

/// Returns the number whose sign bit an instruction changes, or null for other instructions.
llvm::Value *negatedBy(llvm::Instruction &I);

/// Whether an instruction changes the sign of a number, or of some of its elements.
bool isNegation(llvm::Instruction &I);

/// Whether an instruction is a quotient that may be zero divided by zero and must then be correct.
bool mayBeZeroByZero(const llvm::Instruction &I);

/// Whether the operand of an instruction must be hidden, in any function.
bool isOperandHidden(const llvm::Instruction &I);

/// Whether an instruction extends the sign of a number that may have wrapped.
bool extendsWrapped(const llvm::Instruction &I);

/// Whether an instruction computes a minimum or a maximum of integers of a width.
bool isExtremum(llvm::Instruction &I, unsigned Width);

/// Returns the constant by which an instruction complements a 32-bit integer, or null.
llvm::Use *complementingConstant(llvm::Instruction &I);

} // namespace dovetail
