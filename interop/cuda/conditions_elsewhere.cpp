// Called from another source; the template is in both.
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
using exp_::architecture;
using sycl::aspect;

template <aspect A, aspect B> inline void both(int *p, int with, int without) {
  exp_::if_device_has<A, B>([=] { *p += with; }).otherwise([=] { *p += without; });
}
SYCL_EXTERNAL void elsewhere(int *p) {
  exp_::if_architecture_is<architecture::intel_gpu_pvc>([=] { p[0] = 71; }).otherwise([=] {
    p[0] = 72;
  });
  both<aspect::fp64, aspect::gpu>(p + 1, 1, 2);
}
