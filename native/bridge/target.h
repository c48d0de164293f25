// LLVM's target machines, and the one setting of the SPIR-V back-end that they do not carry.
#pragma once

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
  /// SPIR-V extensions that the back-end may use, as "SPV_KHR_linkonce_odr".
  std::vector<std::string> Extensions;
};

/// Throws IRError if LLVM has no such target. The caller holds lockBackEnd(), or has the process to
/// itself.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const llvm::Triple &TT,
                                                         const TargetRequest &Request);

/// Makes all of LLVM's targets known; done once, and by everything here that needs it.
void registerTargets();

bool isKnownTarget(const llvm::Triple &TT);

/// The names of all processors that LLVM knows of a target; it ignores others silently.
std::vector<std::string> knownProcessors(const std::string &TripleName);

/// The SPIR-V back-end has global state: one thread at a time may make a machine, in whatever
/// context. Empty for other targets, which need no lock. Taken outside of a guard, since a crash
/// inside would leave it locked.
std::unique_lock<std::mutex> lockBackEnd(const llvm::Triple &TT);

} // namespace dovetail
