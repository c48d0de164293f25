//===----------------------------------------------------------------------===//
// Architectures: the number of each in Dovetail's 'enum class architecture', which
// compiled conditions contain (an ABI: append new ones and never change one), and
// DPC++'s 64-bit identifier (for Intel's GPUs the IP version that drivers report,
// shifted left by 8). include/sycl/detail/architectures.inc has the same numbers for
// device code; docs/targets.md#adding-a-device lists what a new device needs.
//===----------------------------------------------------------------------===//

class Architecture<string target, int number, int identifier> {
  string TargetName = target;
  int Number = number;
  int Identifier = identifier;
}

def ArchitectureTable : DynamicTable {
  let FilterClass = "Architecture";
  let Fields = ["TargetName", "Number", "Identifier"];
}

def : Architecture<"x86_64", 0, 0x0300000000000000>;
def : Architecture<"spir64_x86_64", 0, 0x0300000000000000>;
def : Architecture<"intel_gpu_bdw", 1, 0x0000000200000000>;
def : Architecture<"intel_gpu_skl", 2, 0x0000000240000900>;
def : Architecture<"intel_gpu_kbl", 3, 0x0000000240400900>;
def : Architecture<"intel_gpu_cfl", 4, 0x0000000240800900>;
def : Architecture<"intel_gpu_apl", 5, 0x0000000240c00000>;
def : Architecture<"intel_gpu_glk", 6, 0x0000000241000000>;
def : Architecture<"intel_gpu_whl", 7, 0x0000000241400000>;
def : Architecture<"intel_gpu_aml", 8, 0x0000000241800000>;
def : Architecture<"intel_gpu_cml", 9, 0x0000000241c00000>;
def : Architecture<"intel_gpu_icllp", 10, 0x00000002c0000000>;
def : Architecture<"intel_gpu_tgllp", 11, 0x0000000300000000>;
def : Architecture<"intel_gpu_rkl", 12, 0x0000000300400000>;
def : Architecture<"intel_gpu_adl_s", 13, 0x0000000300800000>;
def : Architecture<"intel_gpu_rpl_s", 13, 0x0000000300800000>;
def : Architecture<"intel_gpu_adl_p", 14, 0x0000000300c00000>;
def : Architecture<"intel_gpu_adl_n", 15, 0x0000000301000000>;
def : Architecture<"intel_gpu_dg1", 16, 0x0000000302800000>;
def : Architecture<"intel_gpu_acm_g10", 17, 0x000000030dc00800>;
def : Architecture<"intel_gpu_acm_g11", 18, 0x000000030e000500>;
def : Architecture<"intel_gpu_acm_g12", 19, 0x000000030e400000>;
def : Architecture<"intel_gpu_pvc", 20, 0x000000030f000700>;
def : Architecture<"nvidia_gpu_sm_50", 21, 0x0100000000005000>;
def : Architecture<"nvidia_gpu_sm_52", 22, 0x0100000000005200>;
def : Architecture<"nvidia_gpu_sm_53", 23, 0x0100000000005300>;
def : Architecture<"nvidia_gpu_sm_60", 24, 0x0100000000006000>;
def : Architecture<"nvidia_gpu_sm_61", 25, 0x0100000000006100>;
def : Architecture<"nvidia_gpu_sm_62", 26, 0x0100000000006200>;
def : Architecture<"nvidia_gpu_sm_70", 27, 0x0100000000007000>;
def : Architecture<"nvidia_gpu_sm_72", 28, 0x0100000000007200>;
def : Architecture<"nvidia_gpu_sm_75", 29, 0x0100000000007500>;
def : Architecture<"nvidia_gpu_sm_80", 30, 0x0100000000008000>;
def : Architecture<"nvidia_gpu_sm_86", 31, 0x0100000000008600>;
def : Architecture<"nvidia_gpu_sm_87", 32, 0x0100000000008700>;
def : Architecture<"nvidia_gpu_sm_89", 33, 0x0100000000008900>;
def : Architecture<"nvidia_gpu_sm_90", 34, 0x0100000000009000>;
def : Architecture<"amd_gpu_gfx700", 35, 0x0200000000070000>;
def : Architecture<"amd_gpu_gfx701", 36, 0x0200000000070100>;
def : Architecture<"amd_gpu_gfx702", 37, 0x0200000000070200>;
def : Architecture<"amd_gpu_gfx801", 38, 0x0200000000080100>;
def : Architecture<"amd_gpu_gfx802", 39, 0x0200000000080200>;
def : Architecture<"amd_gpu_gfx803", 40, 0x0200000000080300>;
def : Architecture<"amd_gpu_gfx805", 41, 0x0200000000080500>;
def : Architecture<"amd_gpu_gfx810", 42, 0x0200000000081000>;
def : Architecture<"amd_gpu_gfx900", 43, 0x0200000000090000>;
def : Architecture<"amd_gpu_gfx902", 44, 0x0200000000090200>;
def : Architecture<"amd_gpu_gfx904", 45, 0x0200000000090400>;
def : Architecture<"amd_gpu_gfx906", 46, 0x0200000000090600>;
def : Architecture<"amd_gpu_gfx908", 47, 0x0200000000090800>;
def : Architecture<"amd_gpu_gfx90a", 48, 0x0200000000090a00>;
def : Architecture<"amd_gpu_gfx1010", 49, 0x0200000000101000>;
def : Architecture<"amd_gpu_gfx1011", 50, 0x0200000000101100>;
def : Architecture<"amd_gpu_gfx1012", 51, 0x0200000000101200>;
def : Architecture<"amd_gpu_gfx1013", 52, 0x0200000000101300>;
def : Architecture<"amd_gpu_gfx1030", 53, 0x0200000000103000>;
def : Architecture<"amd_gpu_gfx1031", 54, 0x0200000000103100>;
def : Architecture<"amd_gpu_gfx1032", 55, 0x0200000000103200>;
def : Architecture<"amd_gpu_gfx1034", 56, 0x0200000000103400>;
def : Architecture<"intel_cpu_spr", 57, 0x0300000000000800>;
def : Architecture<"intel_cpu_gnr", 58, 0x0300000000000900>;
def : Architecture<"intel_cpu_dmr", 59, 0x0300000000001000>;
def : Architecture<"intel_gpu_ehl", 60, 0x00000002c0800000>;
def : Architecture<"intel_gpu_pvc_vg", 61, 0x000000030f400700>;
def : Architecture<"intel_gpu_mtl_u", 62, 0x0000000311800400>;
def : Architecture<"intel_gpu_mtl_h", 63, 0x0000000311c00400>;
def : Architecture<"intel_gpu_arl_h", 64, 0x0000000312800400>;
def : Architecture<"intel_gpu_bmg_g21", 65, 0x0000000500400400>;
def : Architecture<"intel_gpu_bmg_g31", 66, 0x0000000500800000>;
def : Architecture<"intel_gpu_lnl_m", 67, 0x0000000501000400>;
def : Architecture<"intel_gpu_ptl_h", 68, 0x0000000780000400>;
def : Architecture<"intel_gpu_ptl_u", 69, 0x0000000780400100>;
def : Architecture<"intel_gpu_wcl", 70, 0x0000000780c00000>;
def : Architecture<"intel_gpu_nvl_s", 71, 0x0000000781000400>;
def : Architecture<"intel_gpu_nvl_u", 72, 0x0000000781400400>;
def : Architecture<"intel_gpu_nvl_p", 73, 0x00000008c2800000>;
def : Architecture<"intel_gpu_cri", 74, 0x00000008c2c00000>;
def : Architecture<"nvidia_gpu_sm_90a", 75, 0x01000000000090a0>;
def : Architecture<"amd_gpu_gfx703", 76, 0x0200000000070300>;
def : Architecture<"amd_gpu_gfx704", 77, 0x0200000000070400>;
def : Architecture<"amd_gpu_gfx705", 78, 0x0200000000070500>;
def : Architecture<"amd_gpu_gfx909", 79, 0x0200000000090900>;
def : Architecture<"amd_gpu_gfx90c", 80, 0x0200000000090c00>;
def : Architecture<"amd_gpu_gfx940", 81, 0x0200000000094000>;
def : Architecture<"amd_gpu_gfx941", 82, 0x0200000000094100>;
def : Architecture<"amd_gpu_gfx942", 83, 0x0200000000094200>;
def : Architecture<"amd_gpu_gfx1033", 84, 0x0200000000103300>;
def : Architecture<"amd_gpu_gfx1035", 85, 0x0200000000103500>;
def : Architecture<"amd_gpu_gfx1036", 86, 0x0200000000103600>;
def : Architecture<"amd_gpu_gfx1100", 87, 0x0200000000110000>;
def : Architecture<"amd_gpu_gfx1101", 88, 0x0200000000110100>;
def : Architecture<"amd_gpu_gfx1102", 89, 0x0200000000110200>;
def : Architecture<"amd_gpu_gfx1103", 90, 0x0200000000110300>;
def : Architecture<"amd_gpu_gfx1150", 91, 0x0200000000115000>;
def : Architecture<"amd_gpu_gfx1151", 92, 0x0200000000115100>;
def : Architecture<"amd_gpu_gfx1200", 93, 0x0200000000120000>;
def : Architecture<"amd_gpu_gfx1201", 94, 0x0200000000120100>;
