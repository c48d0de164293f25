//===----------------------------------------------------------------------===//
// The default table of targets.
//
// To add a device, add a TargetInfo here, an Architecture with the next free number
// in architectures.td and, if needed, a TargetAlias; see docs/targets.md.
// 'dovetail targets probe' checks an entry against the real compilers.
//
// Sources, which each group names:
//   published  the table in DPC++, Intel's SYCL compiler
//   compiler   what ocloc, ptxas or LLVM's AMDGPU back-end accepts and rejects,
//              as found by 'dovetail targets probe'
//   runtime    what Intel's OpenCL CPU runtime reports
//===----------------------------------------------------------------------===//

include "llvm/TableGen/DynamicTable.td"
include "aspects.td"
include "architectures.td"

class TargetInfo<string tgtName, list<Aspect> aspectList, bit otherAspects,
                 list<int> listSubGroupSizes, string toolchain, string options,
                 list<Aspect> absentList = []> {
  // The name in -fsycl-targets.
  string TargetName = tgtName;

  // Aspects of every such device.
  list<Aspect> aspects = aspectList;

  // Whether a device may have unlisted aspects: 1 unless the list is known to be
  // complete.
  bits<1> maySupportOtherAspects = otherAspects;

  // Aspects of no such device, even if it may have unlisted ones.
  list<Aspect> absentAspects = absentList;

  // Empty if unknown.
  list<int> subGroupSizes = listSubGroupSizes;

  // The ahead-of-time compiler and its options for this target.
  string aotToolchain = toolchain;
  string aotToolchainOptions = options;
}

// Another name of a target.
class TargetAlias<string alias, string target> {
  string Alias = alias;
  string TargetName = target;
}

// A name for several targets, in lists of targets.
class TargetGroup<string group, list<string> targets> {
  string Group = group;
  list<string> Targets = targets;
}

def TargetTable : DynamicTable {
  let FilterClass = "TargetInfo";
  let Fields = ["TargetName", "aspects", "maySupportOtherAspects",
                "subGroupSizes", "aotToolchain", "aotToolchainOptions"];
  string TypeOf_aspects = "list<Aspect>";
  string TypeOf_maySupportOtherAspects = "bits<1>";
  string TypeOf_subGroupSizes = "list<int>";
}

def AbsentAspectTable : DynamicTable {
  let FilterClass = "TargetInfo";
  let CppTypeName = "AbsentAspects";
  let Fields = ["TargetName", "absentAspects"];
  string TypeOf_absentAspects = "list<Aspect>";
}

def AliasTable : DynamicTable {
  let FilterClass = "TargetAlias";
  let Fields = ["Alias", "TargetName"];
}

def GroupTable : DynamicTable {
  let FilterClass = "TargetGroup";
  let Fields = ["Group", "Targets"];
  string TypeOf_Targets = "list<string>";
}

// A device of one type is not of another.
defvar NotCpu = [AspectCpu, AspectAccelerator, AspectCustom, AspectEmulated];
defvar NotGpu = [AspectGpu, AspectAccelerator, AspectCustom, AspectEmulated];

//===----------------------------------------------------------------------===//
// CPUs. Source: runtime (2026.2, on a processor without half-precision
// arithmetic of its own) for the aspects, compiler (the same runtime's) for the
// sub-group sizes. Newer processors may have more.
//===----------------------------------------------------------------------===//

defvar Cpu = [AspectCpu, AspectFp16, AspectFp64, AspectAtomic64,
              AspectOnline_compiler, AspectOnline_linker, AspectQueue_profiling,
              AspectUsm_device_allocations, AspectUsm_host_allocations,
              AspectUsm_shared_allocations, AspectUsm_system_allocations,
              AspectUsm_atomic_host_allocations, AspectUsm_atomic_shared_allocations,
              AspectExt_intel_device_info_uuid];

def : TargetInfo<"x86_64", Cpu, 1, [4, 8, 16, 32, 64],
                 "opencl-aot", "", NotGpu>;
def : TargetInfo<"spir64_x86_64", Cpu, 1, [4, 8, 16, 32, 64],
                 "opencl-aot", "", NotGpu>;
def : TargetInfo<"intel_cpu_spr", Cpu, 1, [4, 8, 16, 32, 64],
                 "opencl-aot", "-march=sapphirerapids", NotGpu>;
def : TargetInfo<"intel_cpu_gnr", Cpu, 1, [4, 8, 16, 32, 64],
                 "opencl-aot", "-march=graniterapids", NotGpu>;
def : TargetInfo<"intel_cpu_dmr", Cpu, 1, [4, 8, 16, 32, 64],
                 "opencl-aot", "-march=diamondrapids", NotGpu>;

//===----------------------------------------------------------------------===//
// Intel GPUs. Source: published for all but Xe2 and later; fp64 and sub-group
// sizes up to pvc also by compiler (ocloc 22.43). The published lists have little
// more than fp16, fp64 and atomic64, so none of them is complete.
//===----------------------------------------------------------------------===//

defvar IntelGpu = [AspectGpu, AspectFp16, AspectAtomic64, AspectExt_intel_esimd];
defvar IntelGpuFp64 = IntelGpu # [AspectFp64];
defvar NoFp64 = NotCpu # [AspectFp64];

def : TargetInfo<"intel_gpu_bdw", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device bdw", NotCpu>;
def : TargetInfo<"intel_gpu_skl", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device skl", NotCpu>;
def : TargetInfo<"intel_gpu_kbl", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device kbl", NotCpu>;
def : TargetInfo<"intel_gpu_cfl", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device cfl", NotCpu>;
def : TargetInfo<"intel_gpu_apl", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device apl", NotCpu>;
def : TargetInfo<"intel_gpu_glk", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device glk", NotCpu>;
def : TargetInfo<"intel_gpu_whl", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device whl", NotCpu>;
def : TargetInfo<"intel_gpu_aml", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device aml", NotCpu>;
def : TargetInfo<"intel_gpu_cml", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device cml", NotCpu>;
def : TargetInfo<"intel_gpu_icllp", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device icllp", NoFp64>;
def : TargetInfo<"intel_gpu_ehl", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device ehl", NoFp64>;
def : TargetInfo<"intel_gpu_tgllp", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device tgllp", NoFp64>;
def : TargetInfo<"intel_gpu_rkl", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device rkl", NoFp64>;
def : TargetInfo<"intel_gpu_adl_s", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device adl_s", NoFp64>;
// The same architecture as adl_s, with a name and a macro of its own.
def : TargetInfo<"intel_gpu_rpl_s", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device adl_s", NoFp64>;
def : TargetInfo<"intel_gpu_adl_p", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device adl_p", NoFp64>;
def : TargetInfo<"intel_gpu_adl_n", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device adl_n", NoFp64>;
def : TargetInfo<"intel_gpu_dg1", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device dg1", NoFp64>;
def : TargetInfo<"intel_gpu_acm_g10", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device acm_g10", NoFp64>;
def : TargetInfo<"intel_gpu_acm_g11", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device acm_g11", NoFp64>;
def : TargetInfo<"intel_gpu_acm_g12", IntelGpu, 1, [8, 16, 32],
                 "ocloc", "-device acm_g12", NoFp64>;
def : TargetInfo<"intel_gpu_pvc", IntelGpuFp64, 1, [16, 32],
                 "ocloc", "-device pvc", NotCpu>;
def : TargetInfo<"intel_gpu_pvc_vg", IntelGpuFp64, 1, [16, 32],
                 "ocloc", "-device pvc_vg", NotCpu>;
def : TargetInfo<"intel_gpu_mtl_u", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device mtl_u", NotCpu>;
def : TargetInfo<"intel_gpu_mtl_h", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device mtl_h", NotCpu>;
def : TargetInfo<"intel_gpu_arl_h", IntelGpuFp64, 1, [8, 16, 32],
                 "ocloc", "-device arl_h", NotCpu>;

// Nothing is published about the following, and ocloc 22.43 does not know them.
def : TargetInfo<"intel_gpu_bmg_g21", [AspectGpu], 1, [],
                 "ocloc", "-device bmg_g21", NotCpu>;
def : TargetInfo<"intel_gpu_bmg_g31", [AspectGpu], 1, [],
                 "ocloc", "-device bmg_g31", NotCpu>;
def : TargetInfo<"intel_gpu_lnl_m", [AspectGpu], 1, [],
                 "ocloc", "-device lnl_m", NotCpu>;
def : TargetInfo<"intel_gpu_ptl_h", [AspectGpu], 1, [],
                 "ocloc", "-device ptl_h", NotCpu>;
def : TargetInfo<"intel_gpu_ptl_u", [AspectGpu], 1, [],
                 "ocloc", "-device ptl_u", NotCpu>;
def : TargetInfo<"intel_gpu_wcl", [AspectGpu], 1, [],
                 "ocloc", "-device wcl", NotCpu>;
def : TargetInfo<"intel_gpu_nvl_s", [AspectGpu], 1, [],
                 "ocloc", "-device nvl_s", NotCpu>;
def : TargetInfo<"intel_gpu_nvl_u", [AspectGpu], 1, [],
                 "ocloc", "-device nvl_u", NotCpu>;
def : TargetInfo<"intel_gpu_nvl_p", [AspectGpu], 1, [],
                 "ocloc", "-device nvl_p", NotCpu>;
def : TargetInfo<"intel_gpu_cri", [AspectGpu], 1, [],
                 "ocloc", "-device cri", NotCpu>;

def : TargetAlias<"intel_gpu_8_0_0", "intel_gpu_bdw">;
def : TargetAlias<"intel_gpu_9_0_9", "intel_gpu_skl">;
def : TargetAlias<"intel_gpu_9_1_9", "intel_gpu_kbl">;
def : TargetAlias<"intel_gpu_9_2_9", "intel_gpu_cfl">;
def : TargetAlias<"intel_gpu_bxt", "intel_gpu_apl">;
def : TargetAlias<"intel_gpu_9_3_0", "intel_gpu_apl">;
def : TargetAlias<"intel_gpu_9_4_0", "intel_gpu_glk">;
def : TargetAlias<"intel_gpu_9_5_0", "intel_gpu_whl">;
def : TargetAlias<"intel_gpu_9_6_0", "intel_gpu_aml">;
def : TargetAlias<"intel_gpu_9_7_0", "intel_gpu_cml">;
def : TargetAlias<"intel_gpu_icl", "intel_gpu_icllp">;
def : TargetAlias<"intel_gpu_11_0_0", "intel_gpu_icllp">;
def : TargetAlias<"intel_gpu_jsl", "intel_gpu_ehl">;
def : TargetAlias<"intel_gpu_11_2_0", "intel_gpu_ehl">;
def : TargetAlias<"intel_gpu_tgl", "intel_gpu_tgllp">;
def : TargetAlias<"intel_gpu_12_0_0", "intel_gpu_tgllp">;
def : TargetAlias<"intel_gpu_12_1_0", "intel_gpu_rkl">;
def : TargetAlias<"intel_gpu_12_2_0", "intel_gpu_adl_s">;
def : TargetAlias<"intel_gpu_12_3_0", "intel_gpu_adl_p">;
def : TargetAlias<"intel_gpu_12_4_0", "intel_gpu_adl_n">;
def : TargetAlias<"intel_gpu_12_10_0", "intel_gpu_dg1">;
def : TargetAlias<"intel_gpu_dg2_g10", "intel_gpu_acm_g10">;
def : TargetAlias<"intel_gpu_12_55_8", "intel_gpu_acm_g10">;
def : TargetAlias<"intel_gpu_dg2_g11", "intel_gpu_acm_g11">;
def : TargetAlias<"intel_gpu_12_56_5", "intel_gpu_acm_g11">;
def : TargetAlias<"intel_gpu_dg2_g12", "intel_gpu_acm_g12">;
def : TargetAlias<"intel_gpu_12_57_0", "intel_gpu_acm_g12">;
def : TargetAlias<"intel_gpu_12_60_7", "intel_gpu_pvc">;
def : TargetAlias<"intel_gpu_12_61_7", "intel_gpu_pvc_vg">;
def : TargetAlias<"intel_gpu_mtl_s", "intel_gpu_mtl_u">;
def : TargetAlias<"intel_gpu_arl_u", "intel_gpu_mtl_u">;
def : TargetAlias<"intel_gpu_arl_s", "intel_gpu_mtl_u">;
def : TargetAlias<"intel_gpu_12_70_4", "intel_gpu_mtl_u">;
def : TargetAlias<"intel_gpu_12_71_4", "intel_gpu_mtl_h">;
def : TargetAlias<"intel_gpu_12_74_4", "intel_gpu_arl_h">;
def : TargetAlias<"intel_gpu_20_1_4", "intel_gpu_bmg_g21">;
def : TargetAlias<"intel_gpu_20_2_0", "intel_gpu_bmg_g31">;
def : TargetAlias<"intel_gpu_20_4_4", "intel_gpu_lnl_m">;
def : TargetAlias<"intel_gpu_30_0_4", "intel_gpu_ptl_h">;
def : TargetAlias<"intel_gpu_30_1_1", "intel_gpu_ptl_u">;
def : TargetAlias<"intel_gpu_30_3_0", "intel_gpu_wcl">;
def : TargetAlias<"intel_gpu_nvl_hx", "intel_gpu_nvl_s">;
def : TargetAlias<"intel_gpu_nvl_ul", "intel_gpu_nvl_s">;
def : TargetAlias<"intel_gpu_30_4_0", "intel_gpu_nvl_s">;
def : TargetAlias<"intel_gpu_nvl_h", "intel_gpu_nvl_u">;
def : TargetAlias<"intel_gpu_30_5_0", "intel_gpu_nvl_u">;
def : TargetAlias<"intel_gpu_35_10_0", "intel_gpu_nvl_p">;
def : TargetAlias<"intel_gpu_35_11_0", "intel_gpu_cri">;

// Intel's new names. Source: LLVM's IntelGPUTargetParser.def, where names with the
// same IP version are one device. xe-pvc-sdv is missing: ocloc compiles differently
// for it than for pvc.
def : TargetAlias<"xe-cri", "intel_gpu_cri">;
def : TargetAlias<"xe-nvl-p", "intel_gpu_nvl_p">;
def : TargetAlias<"xe-nvl-u", "intel_gpu_nvl_u">;
def : TargetAlias<"xe-nvl-h", "intel_gpu_nvl_u">;
def : TargetAlias<"xe-nvl-s", "intel_gpu_nvl_s">;
def : TargetAlias<"xe-nvl-hx", "intel_gpu_nvl_s">;
def : TargetAlias<"xe-nvl-ul", "intel_gpu_nvl_s">;
def : TargetAlias<"xe-wcl", "intel_gpu_wcl">;
def : TargetAlias<"xe-ptl-u", "intel_gpu_ptl_u">;
def : TargetAlias<"xe-ptl-h", "intel_gpu_ptl_h">;
def : TargetAlias<"xe-lnl-m", "intel_gpu_lnl_m">;
def : TargetAlias<"xe-bmg-g31", "intel_gpu_bmg_g31">;
def : TargetAlias<"xe-bmg-g21", "intel_gpu_bmg_g21">;
def : TargetAlias<"xe-arl-h", "intel_gpu_arl_h">;
def : TargetAlias<"xe-mtl-h", "intel_gpu_mtl_h">;
def : TargetAlias<"xe-mtl-u", "intel_gpu_mtl_u">;
def : TargetAlias<"xe-arl-u", "intel_gpu_mtl_u">;
def : TargetAlias<"xe-arl-s", "intel_gpu_mtl_u">;
def : TargetAlias<"xe-pvc-vg", "intel_gpu_pvc_vg">;
def : TargetAlias<"xe-pvc", "intel_gpu_pvc">;
def : TargetAlias<"xe-acm-g12", "intel_gpu_acm_g12">;
def : TargetAlias<"xe-dg2-g12", "intel_gpu_acm_g12">;
def : TargetAlias<"xe-acm-g11", "intel_gpu_acm_g11">;
def : TargetAlias<"xe-dg2-g11", "intel_gpu_acm_g11">;
def : TargetAlias<"xe-ats-m75", "intel_gpu_acm_g11">;
def : TargetAlias<"xe-acm-g10", "intel_gpu_acm_g10">;
def : TargetAlias<"xe-dg2-g10", "intel_gpu_acm_g10">;
def : TargetAlias<"xe-ats-m150", "intel_gpu_acm_g10">;
def : TargetAlias<"xe-dg1", "intel_gpu_dg1">;
def : TargetAlias<"xe-adl-n", "intel_gpu_adl_n">;
def : TargetAlias<"xe-adl-p", "intel_gpu_adl_p">;
def : TargetAlias<"xe-rpl-p", "intel_gpu_adl_p">;
def : TargetAlias<"xe-adl-s", "intel_gpu_adl_s">;
def : TargetAlias<"xe-rpl-s", "intel_gpu_rpl_s">;
def : TargetAlias<"xe-rkl", "intel_gpu_rkl">;
def : TargetAlias<"xe-tgllp", "intel_gpu_tgllp">;
def : TargetAlias<"xe-tgl", "intel_gpu_tgllp">;

// Groups: product lines, and levels of the Intel graphics compute architecture
// (IGCA); each device has one level.
def : TargetGroup<"xe-dg2", ["intel_gpu_acm_g10", "intel_gpu_acm_g11",
                             "intel_gpu_acm_g12"]>;
def : TargetGroup<"xe-mtl", ["intel_gpu_mtl_u", "intel_gpu_mtl_h"]>;
def : TargetGroup<"xe-bmg", ["intel_gpu_bmg_g21", "intel_gpu_bmg_g31"]>;
def : TargetGroup<"xe-ptl", ["intel_gpu_ptl_h", "intel_gpu_ptl_u"]>;
def : TargetGroup<"igca_10r", ["intel_gpu_tgllp", "intel_gpu_rkl", "intel_gpu_adl_s",
                               "intel_gpu_rpl_s", "intel_gpu_adl_p", "intel_gpu_adl_n",
                               "intel_gpu_dg1"]>;
def : TargetGroup<"igca_15ra", ["intel_gpu_acm_g10", "intel_gpu_acm_g11",
                                "intel_gpu_acm_g12"]>;
def : TargetGroup<"igca_20ca", ["intel_gpu_pvc", "intel_gpu_pvc_vg"]>;
def : TargetGroup<"igca_30r", ["intel_gpu_mtl_u", "intel_gpu_mtl_h"]>;
def : TargetGroup<"igca_35r", ["intel_gpu_arl_h"]>;
def : TargetGroup<"igca_40r", ["intel_gpu_bmg_g21", "intel_gpu_bmg_g31",
                               "intel_gpu_lnl_m"]>;
def : TargetGroup<"igca_50r", ["intel_gpu_ptl_h", "intel_gpu_ptl_u", "intel_gpu_wcl"]>;
def : TargetGroup<"igca_60r", ["intel_gpu_nvl_s", "intel_gpu_nvl_u", "intel_gpu_nvl_p"]>;
def : TargetGroup<"igca_60c", ["intel_gpu_cri"]>;

//===----------------------------------------------------------------------===//
// NVIDIA GPUs. Source: published; fp16 and atomic64 also by compiler (ptxas 12.9
// and 13.0). Warps are 32 wide on all of them.
//===----------------------------------------------------------------------===//

defvar NvidiaGpu = [AspectGpu, AspectFp64,
                    AspectOnline_compiler, AspectOnline_linker, AspectQueue_profiling,
                    AspectUsm_device_allocations, AspectUsm_host_allocations,
                    AspectUsm_shared_allocations, AspectUsm_system_allocations,
                    AspectUsm_atomic_host_allocations, AspectUsm_atomic_shared_allocations,
                    AspectExt_intel_pci_address, AspectExt_intel_max_mem_bandwidth,
                    AspectExt_intel_device_info_uuid, AspectExt_oneapi_native_assert,
                    AspectExt_intel_free_memory, AspectExt_intel_device_id,
                    AspectExt_intel_memory_clock_rate, AspectExt_intel_memory_bus_width,
                    AspectExt_oneapi_graph, AspectExt_oneapi_limited_graph];
defvar NvidiaGpuSm53 = NvidiaGpu # [AspectFp16];
defvar NvidiaGpuSm60 = NvidiaGpuSm53 # [AspectAtomic64];
defvar NvidiaGpuSm80 = NvidiaGpuSm60 # [AspectExt_oneapi_cuda_async_barrier];
defvar NvidiaGpuSm90 = NvidiaGpuSm80 # [AspectExt_oneapi_cuda_cluster_group];

def : TargetInfo<"nvidia_gpu_sm_50", NvidiaGpu, 1, [32],
                 "ptxas", "-arch=sm_50", NotCpu # [AspectFp16, AspectAtomic64]>;
def : TargetInfo<"nvidia_gpu_sm_52", NvidiaGpu, 1, [32],
                 "ptxas", "-arch=sm_52", NotCpu # [AspectFp16, AspectAtomic64]>;
def : TargetInfo<"nvidia_gpu_sm_53", NvidiaGpuSm53, 1, [32],
                 "ptxas", "-arch=sm_53", NotCpu # [AspectAtomic64]>;
def : TargetInfo<"nvidia_gpu_sm_60", NvidiaGpuSm60, 1, [32],
                 "ptxas", "-arch=sm_60", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_61", NvidiaGpuSm60, 1, [32],
                 "ptxas", "-arch=sm_61", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_62", NvidiaGpuSm60, 1, [32],
                 "ptxas", "-arch=sm_62", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_70", NvidiaGpuSm60, 1, [32],
                 "ptxas", "-arch=sm_70", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_72", NvidiaGpuSm60, 1, [32],
                 "ptxas", "-arch=sm_72", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_75", NvidiaGpuSm60, 1, [32],
                 "ptxas", "-arch=sm_75", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_80", NvidiaGpuSm80, 1, [32],
                 "ptxas", "-arch=sm_80", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_86", NvidiaGpuSm80, 1, [32],
                 "ptxas", "-arch=sm_86", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_87", NvidiaGpuSm80, 1, [32],
                 "ptxas", "-arch=sm_87", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_89", NvidiaGpuSm80, 1, [32],
                 "ptxas", "-arch=sm_89", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_90", NvidiaGpuSm90, 1, [32],
                 "ptxas", "-arch=sm_90", NotCpu>;
def : TargetInfo<"nvidia_gpu_sm_90a", NvidiaGpuSm90, 1, [32],
                 "ptxas", "-arch=sm_90a", NotCpu>;

//===----------------------------------------------------------------------===//
// AMD GPUs. Source: published, and by compiler (LLVM 22.1.8) for
// fp16, fp64, atomic64 and sub-group sizes, which the published list leaves out
// or gets wrong: half-precision arithmetic starts with gfx8, all devices have 64-bit
// atomics, and gfx7 and gfx8 have wavefronts of 64 (the 16 in the published list is
// the width of their vector units; LLVM neither confirms nor refutes it).
//===----------------------------------------------------------------------===//

defvar AmdGpuGfx7 = [AspectGpu, AspectFp64, AspectAtomic64,
                     AspectOnline_compiler, AspectOnline_linker, AspectQueue_profiling,
                     AspectExt_intel_pci_address, AspectExt_intel_max_mem_bandwidth,
                     AspectExt_intel_device_id, AspectExt_intel_memory_clock_rate,
                     AspectExt_intel_memory_bus_width];
defvar AmdGpuGfx8 = AmdGpuGfx7 # [AspectFp16];
defvar AmdGpuUsm = AmdGpuGfx8 # [AspectUsm_device_allocations, AspectUsm_host_allocations,
                                 AspectUsm_shared_allocations, AspectUsm_system_allocations,
                                 AspectUsm_atomic_host_allocations,
                                 AspectUsm_atomic_shared_allocations];
defvar AmdGpuGraph = AmdGpuUsm # [AspectExt_intel_free_memory, AspectExt_intel_device_info_uuid,
                                  AspectExt_oneapi_graph, AspectExt_oneapi_limited_graph];
defvar FreeMemory = [AspectExt_intel_free_memory];

def : TargetInfo<"amd_gpu_gfx700", AmdGpuGfx7 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx700", NotCpu # [AspectFp16]>;
def : TargetInfo<"amd_gpu_gfx701", AmdGpuGfx7 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx701", NotCpu # [AspectFp16]>;
def : TargetInfo<"amd_gpu_gfx702", AmdGpuGfx7 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx702", NotCpu # [AspectFp16]>;
def : TargetInfo<"amd_gpu_gfx703", [AspectGpu, AspectFp64, AspectAtomic64], 1, [64],
                 "amdgpu", "-mcpu=gfx703", NotCpu # [AspectFp16]>;
def : TargetInfo<"amd_gpu_gfx704", [AspectGpu, AspectFp64, AspectAtomic64], 1, [64],
                 "amdgpu", "-mcpu=gfx704", NotCpu # [AspectFp16]>;
def : TargetInfo<"amd_gpu_gfx705", [AspectGpu, AspectFp64, AspectAtomic64], 1, [64],
                 "amdgpu", "-mcpu=gfx705", NotCpu # [AspectFp16]>;
def : TargetInfo<"amd_gpu_gfx801", AmdGpuGfx8 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx801", NotCpu>;
def : TargetInfo<"amd_gpu_gfx802", AmdGpuGfx8 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx802", NotCpu>;
def : TargetInfo<"amd_gpu_gfx803", AmdGpuGfx8 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx803", NotCpu>;
def : TargetInfo<"amd_gpu_gfx805", AmdGpuGfx8 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx805", NotCpu>;
def : TargetInfo<"amd_gpu_gfx810", AmdGpuGfx8 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx810", NotCpu>;
def : TargetInfo<"amd_gpu_gfx900", AmdGpuGfx8 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx900", NotCpu>;
def : TargetInfo<"amd_gpu_gfx902", AmdGpuGfx8 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx902", NotCpu>;
def : TargetInfo<"amd_gpu_gfx904", AmdGpuGfx8 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx904", NotCpu>;
def : TargetInfo<"amd_gpu_gfx906", AmdGpuUsm # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx906", NotCpu>;
def : TargetInfo<"amd_gpu_gfx908", AmdGpuGraph, 1, [64],
                 "amdgpu", "-mcpu=gfx908", NotCpu>;
def : TargetInfo<"amd_gpu_gfx909", AmdGpuGfx8 # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx909", NotCpu>;
def : TargetInfo<"amd_gpu_gfx90a", AmdGpuGraph # [AspectExt_oneapi_native_assert], 1, [64],
                 "amdgpu", "-mcpu=gfx90a", NotCpu>;
def : TargetInfo<"amd_gpu_gfx90c", AmdGpuUsm # FreeMemory, 1, [64],
                 "amdgpu", "-mcpu=gfx90c", NotCpu>;
def : TargetInfo<"amd_gpu_gfx940", AmdGpuGraph, 1, [64],
                 "amdgpu", "-mcpu=gfx940", NotCpu>;
def : TargetInfo<"amd_gpu_gfx941", [AspectGpu, AspectFp16, AspectFp64, AspectAtomic64], 1, [64],
                 "amdgpu", "-mcpu=gfx941", NotCpu>;
def : TargetInfo<"amd_gpu_gfx942", [AspectGpu, AspectFp16, AspectFp64, AspectAtomic64], 1, [64],
                 "amdgpu", "-mcpu=gfx942", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1010", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1010", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1011", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1011", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1012", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1012", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1013", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1013", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1030", AmdGpuGraph, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1030", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1031", AmdGpuUsm, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1031", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1032", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1032", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1033", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1033", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1034", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1034", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1035", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1035", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1036", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1036", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1100", AmdGpuGraph, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1100", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1101", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1101", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1102", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1102", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1103", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1103", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1150", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1150", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1151", AmdGpuUsm # FreeMemory, 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1151", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1200", [AspectGpu, AspectFp16, AspectFp64, AspectAtomic64], 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1200", NotCpu>;
def : TargetInfo<"amd_gpu_gfx1201", [AspectGpu, AspectFp16, AspectFp64, AspectAtomic64], 1, [32, 64],
                 "amdgpu", "-mcpu=gfx1201", NotCpu>;

//===----------------------------------------------------------------------===//
// Targets that are not one device: SPIR-V that a driver compiles at run time, and
// Intel's GPUs and FPGAs named only by compiler options.
//===----------------------------------------------------------------------===//

def : TargetInfo<"spir64", [], 1, [], "", "">;
def : TargetInfo<"spir64_gen", [AspectGpu], 1, [], "ocloc", "", NotCpu>;
def : TargetInfo<"spir64_fpga", [AspectAccelerator], 1, [], "aoc", "",
                 [AspectCpu, AspectGpu, AspectCustom]>;
