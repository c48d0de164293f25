// Classes with properties for a kernel's parameter, of this file's own, in kernel objects: the
// kernels find their memory, through arguments that change from launch to launch.
#include <cstdio>
#include <sycl/sycl.hpp>

#ifdef __SYCL_DEVICE_ONLY__
#define PARAMETER(...) [[__sycl_detail__::add_ir_attributes_kernel_parameter(__VA_ARGS__)]]
#else
#define PARAMETER(...)
#endif

template <typename T> class PARAMETER("my-height", "my-flag", 32, "") decorated {
  T *memory = nullptr;

public:
  decorated(T *memory) : memory(memory) {}
  T &operator[](int i) const { return memory[i]; }
};

struct nested {
  int n;
  decorated<int> inner[2];
};

template <typename Accessor> struct PARAMETER("my-depth", true) around {
  Accessor accessor;
};

using accessor = sycl::accessor<int, 1, sycl::access_mode::read_write>;

void with_local_memory(sycl::queue &q, sycl::buffer<int> &content, decorated<int> added) {
  q.submit([&](sycl::handler &h) {
    around<accessor> all{accessor(content, h)};
    sycl::local_accessor<int> shared(4, h);
    h.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> item) {
      int i = item.get_local_id(0);
      shared[i] = all.accessor[i];
      sycl::group_barrier(item.get_group());
      all.accessor[i] = shared[3 - i] + added[3];
    });
  });
}

int main() {
  sycl::queue q;
  int *a = sycl::malloc_shared<int>(4, q), *b = sycl::malloc_shared<int>(4, q);
  for (int i = 0; i < 4; ++i)
    a[i] = b[i] = i;
  for (int round = 0; round < 4; ++round) {
    decorated<int> to = round % 2 ? b : a, from = round % 2 ? a : b;
    nested n{3, {a + 1, b + 2}};
    q.single_task([=] {
       to[0] += from[1] + n.n;
       n.inner[0][0] += 1;
       n.inner[1][0] += 2;
     }).wait();
  }
  int data[4] = {1, 2, 3, 4};
  {
    sycl::buffer<int> content(data, 4);
    with_local_memory(q, content, b);
  }
  std::printf("%d %d %d %d\n", a[0], a[1], b[0], b[2]);
  std::printf("%d %d %d %d\n", data[0], data[1], data[2], data[3]);
  sycl::free(a, q);
  sycl::free(b, q);
}
