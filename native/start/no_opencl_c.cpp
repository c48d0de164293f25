// In a bundle, this takes the place of the compiler for OpenCL C that Intel's CPU driver needs only
// for programs in source form (https://github.com/intel/opencl-clang, common_clang.h). It has 200
// MB.
static constexpr int compiler_not_available = -3; // CL_COMPILER_NOT_AVAILABLE

extern "C" {

// The driver asks this about the options of SPIR-V programs, too. The runtime passes valid ones.
[[gnu::visibility("default")]] bool CheckCompileOptions() { return true; }

[[gnu::visibility("default")]] int Compile() { return compiler_not_available; }
}
