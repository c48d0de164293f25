#include "attribute_table.h"
#include "attributes.h"
#include "llvm/ADT/StringSwitch.h"
#include <limits>

using llvm::StringRef;
using llvm::StringSwitch;

namespace dovetail {

namespace {

constexpr AttributeSpelling Ignored{Handling::Ignored, "", ""};
constexpr AttributeSpelling Unsupported{Handling::Unsupported, "", ""};

AttributeSpelling checked(StringRef Name) { return {Handling::Checked, Name, ""}; }

AttributeSpelling deprecated(StringRef Name, StringRef Replacement) {
  return {Handling::Checked, Name, Replacement};
}

AttributeSpelling findStandard(StringRef Name) {
  return StringSwitch<AttributeSpelling>(Name)
      .Cases({"device_has", "requires"}, checked(Name))
      .Cases({"reqd_work_group_size", "reqd_sub_group_size", "work_group_size_hint"}, checked(Name))
      .Case("vec_type_hint", Ignored)
      .Default({});
}

/// The attributes of SYCL 1.2.1, in OpenCL's namespace.
AttributeSpelling findOpenCL(StringRef Name) {
  return StringSwitch<AttributeSpelling>(Name)
      .Case("reqd_work_group_size",
            deprecated("reqd_work_group_size", "sycl::reqd_work_group_size"))
      .Case("work_group_size_hint",
            deprecated("work_group_size_hint", "sycl::work_group_size_hint"))
      .Case("intel_reqd_sub_group_size",
            deprecated("reqd_sub_group_size", "sycl::reqd_sub_group_size"))
      .Case("vec_type_hint", Ignored)
      .Default({});
}

/// Hints about loops and memory. They have no meaning for processors and GPUs.
bool isHardwareHint(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"ivdep", "ii", "initiation_interval", "max_concurrency", "loop_coalesce"}, true)
      .Cases({"disable_loop_pipelining", "enable_loop_pipelining", "fpga_pipeline"}, true)
      .Cases({"loop_count", "loop_count_min", "loop_count_max", "loop_count_avg"}, true)
      .Cases({"max_interleaving", "speculated_iterations", "max_reinvocation_delay"}, true)
      .Cases({"nofusion", "loop_fuse", "loop_fuse_independent", "unroll"}, true)
      .Cases({"doublepump", "singlepump", "fpga_memory", "fpga_register"}, true)
      .Cases({"memory", "register", "bankwidth", "numbanks", "bank_bits"}, true)
      .Cases({"private_copies", "merge", "max_replicates", "simple_dual_port"}, true)
      .Cases({"force_pow2_depth", "prefer_dsp", "propagate_dsp_preference"}, true)
      .Cases({"use_stall_enable_clusters", "kernel_args_restrict"}, true)
      .Case("device_indirectly_callable", true)
      .Default(false);
}

AttributeSpelling findIntel(StringRef Name) {
  if (isHardwareHint(Name))
    return Ignored;
  return StringSwitch<AttributeSpelling>(Name)
      .Case("reqd_sub_group_size", deprecated(Name, "sycl::reqd_sub_group_size"))
      .Case("sub_group_size", deprecated("reqd_sub_group_size", "sycl::reqd_sub_group_size"))
      .Case("reqd_work_group_size", deprecated(Name, "sycl::reqd_work_group_size"))
      .Cases({"max_work_group_size", "max_global_work_dim", "num_simd_work_items"}, checked(Name))
      .Cases({"no_global_work_offset", "scheduler_target_fmax_mhz"}, checked(Name))
      .Cases({"min_work_groups_per_cu", "max_work_groups_per_mp"}, checked(Name))
      .Case("named_sub_group_size", checked(Name))
      .Cases({"sycl_explicit_simd", "sycl_esimd_vectorize"}, Unsupported)
      .Default({});
}

AttributeSpelling findInternal(StringRef Name) {
  StringRef Current = currentName(Name);
  if (Name == "uses_aspects" || Name == "kernel_argument" || isPropertyList(Current))
    return checked(Current);
  // Allows device code to use a variable. Whether it can is checked in any case.
  return Name == "global_variable_allowed" ? Ignored : AttributeSpelling();
}

bool isIntelScope(StringRef Scope) {
  return StringSwitch<bool>(Scope).Cases({"intel", "INTEL", "intelfpga"}, true).Default(false);
}

} // namespace

bool isSYCLScope(StringRef Scope) {
  return Scope == "sycl" || Scope == "sycl_detail" || Scope == "cl" || isIntelScope(Scope);
}

AttributeSpelling findAttribute(StringRef Scope, StringRef Name) {
  if (Scope == "sycl")
    return findStandard(Name);
  if (Scope == "cl")
    return findOpenCL(Name);
  if (Scope == "sycl_detail")
    return findInternal(Name);
  return isIntelScope(Scope) ? findIntel(Name) : AttributeSpelling();
}

AttributeSpelling findGNUAttribute(StringRef Name) {
  if (Name == "sycl_explicit_simd" || Name == "register_num")
    return Unsupported;
  // Clang knows the hint. Its SYCL_EXTERNAL has no spelling of this kind.
  if (Name == "vec_type_hint")
    return {};
  return Name == ExternalFunction ? checked(Name) : findOpenCL(Name);
}

IntegerArguments integerArguments(StringRef Name, StringRef Spelling) {
  constexpr uint64_t Max = std::numeric_limits<uint64_t>::max();
  constexpr uint64_t Max32 = std::numeric_limits<uint32_t>::max();
  // SYCL has size_t for work-groups and uint32_t for sub-groups. OpenCL's attributes need all
  // sizes.
  unsigned MinSizes = Spelling.starts_with("sycl::") || Spelling.starts_with("intel") ||
                              Spelling.starts_with("INTEL")
                          ? 1
                          : 3;
  return StringSwitch<IntegerArguments>(Name)
      .Cases({"reqd_work_group_size", "work_group_size_hint"},
             IntegerArguments{MinSizes, 3, 1, Max})
      .Case("reqd_sub_group_size", {1, 1, 1, Max32})
      .Case("max_work_group_size", {3, 3, 1, Max})
      .Cases({"num_simd_work_items", "min_work_groups_per_cu", "max_work_groups_per_mp"},
             IntegerArguments{1, 1, 1, Max32})
      .Case("max_global_work_dim", {1, 1, 0, 3})
      .Case("no_global_work_offset", {0, 1, 0, 1})
      .Case("scheduler_target_fmax_mhz", {1, 1, 0, 1048576})
      .Default({});
}

} // namespace dovetail
