"""Kernels of tests of the CUDA back-end, as sources, and the targets to build them for."""

from dovetail.driver.installed_gpus import targets_to_run_here


def targets() -> list[str]:
    """Return the targets of the mock GPU, the real one if there is one, and the CPU."""
    return [*dict.fromkeys(["nvidia_gpu_sm_90", *targets_to_run_here(), "spir64"])]


_BEGIN = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;
#define KERNEL(N) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<N>))
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))

"""

STEP = (
    _BEGIN
    + """
KERNEL(1) void step(int *values, int factor, int more) {
  auto i = ext::this_work_item::get_nd_item<1>().get_global_id(0);
  values[i] = values[i] * factor + more;
}
"""
)

KERNELS = (
    STEP
    + """
KERNEL(1) void saxpy(float a, const float *x, float *y) {
  auto i = ext::this_work_item::get_nd_item<1>().get_global_id(0);
  y[i] = a * x[i] + y[i];
}
KERNEL(3) void places(long *out) {
  auto item = ext::this_work_item::get_nd_item<3>();
  out[item.get_global_linear_id()] = item.get_global_id(0) * 10000 + item.get_global_id(1) * 100
                                     + item.get_global_id(2);
}
KERNEL(1) void reversed(const float *in, float *out) {
  auto item = ext::this_work_item::get_nd_item<1>();
  auto tile = ext::group_local_memory_for_overwrite<float[64]>(item.get_group());
  (*tile)[item.get_local_id(0)] = in[item.get_global_id(0)];
  sycl::group_barrier(item.get_group());
  out[item.get_global_id(0)] = (*tile)[63 - item.get_local_id(0)];
}
struct Mixed { char tag; double real; short pair[2]; int *target; };
TASK void mixed(bool flag, Mixed object, char small, double *out) {
  out[0] = flag; out[1] = object.tag; out[2] = object.real;
  out[3] = object.pair[0]; out[4] = object.pair[1]; out[5] = small;
  *object.target = 7;
}
TASK void add_to(int *to, const int *from) { *to += *from; }
KERNEL(1) void greedy(int *out) {
  out[ext::this_work_item::get_nd_item<1>().get_global_id(0)] = 1;
}
KERNEL(1) [[sycl::reqd_work_group_size(32)]] void fixed(int *out) {
  auto item = ext::this_work_item::get_nd_item<1>();
  out[item.get_global_id(0)] = item.get_local_range(0);
}
struct Window { char letter; float sizes[2]; };
constexpr sycl::specialization_id<int> taps{3};
constexpr sycl::specialization_id<Window> window{Window{1, {2, 4}}};
struct filter {
  float *out;
  void operator()(sycl::id<1> i, sycl::kernel_handler handler) const {
    int count = handler.get_specialization_constant<taps>();
    Window values = handler.get_specialization_constant<window>();
    out[i] = count * 100 + values.letter * 10 + values.sizes[1];
  }
};
void start(sycl::queue &queue) { queue.parallel_for(8, filter{nullptr}); }
"""
)
