// Kernel objects that hold accessors: as members, in a base class, in an array, in a member of a
// member.
#include <sycl/sycl.hpp>

#include <cstdio>

using input = sycl::accessor<int, 1, sycl::access_mode::read>;
using output = sycl::accessor<int, 1, sycl::access_mode::write>;

struct writes {
  char tag; // something of odd size in front
  output out;
};

struct pair_of_inputs {
  input both[2];
  int at(sycl::id<1> i) const { return both[0][i] * both[1][i]; }
};

struct weighted : writes {
  pair_of_inputs inputs;
  sycl::local_accessor<int, 1> scratch;
  short weight;

  void operator()(sycl::nd_item<1> item) const {
    auto local = item.get_local_id(0);
    scratch[local] = inputs.at(item.get_global_id());
    sycl::group_barrier(item.get_group());
    auto other = item.get_local_range(0) - 1 - local;
    out[item.get_global_id()] = weight * scratch[other] + tag;
  }
};

int main() {
  constexpr int n = 64, group = 16;
  int a[n], b[n], c[n];
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = i + 1;
  }

  sycl::queue queue;
  {
    sycl::buffer<int> a_buffer(a, n), b_buffer(b, n), c_buffer(c, n);
    queue.submit([&](sycl::handler &handler) {
      input in_a(a_buffer, handler), in_b(b_buffer, handler);
      output out(c_buffer, handler);
      sycl::local_accessor<int, 1> scratch(group, handler);
      weighted kernel{{'\x05', out}, {{in_a, in_b}}, scratch, 3};
      handler.parallel_for(sycl::nd_range<1>(n, group), kernel);
    });
  }

  int errors = 0;
  for (int i = 0; i < n; ++i) {
    int other = i / group * group + group - 1 - i % group;
    errors += c[i] != 3 * other * (other + 1) + 5;
  }
  std::printf("objects with accessors: %d errors\n", errors);
  return errors != 0;
}
