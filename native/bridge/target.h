// LLVM's target machines, and the setting of the SPIR-V back-end that they do not contain.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace dovetail {

struct TargetRequest {
  std::string CPU;
  std::string Features;
  /// 0 to 3.
  unsigned OptLevel = 2;
  /// SPIR-V extensions that the back-end may use, such as "SPV_KHR_linkonce_odr".
  std::vector<std::string> Extensions;
};

/// Returns a target machine, or an error if LLVM does not support the target. The caller holds
/// lockBackEnd(), or runs in a process without other threads.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const llvm::Triple &TT, const TargetRequest &Request);

/// Registers all of LLVM's targets once. The other functions here call it when they need it.
void registerTargets();

bool isKnownTarget(const llvm::Triple &TT);

/// Returns the names of all processors that LLVM knows for a target. It silently ignores others.
std::vector<std::string> knownProcessors(const std::string &TripleName);

/// Locks the SPIR-V back-end, which has global state: only one thread at a time may create a
/// machine, in any context. Returns an empty lock for other targets. Must be called outside of
/// guarded code, because a crash in it would leave the back-end locked.
std::unique_lock<std::mutex> lockBackEnd(const llvm::Triple &TT);

} // namespace dovetail
