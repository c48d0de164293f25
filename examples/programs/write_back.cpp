// Where a buffer's content goes at its end: back to where it came from, elsewhere, or nowhere.
#include <sycl/sycl.hpp>

#include <array>
#include <cstdio>
#include <memory>
#include <vector>

static void triple(sycl::queue &queue, sycl::buffer<int> &buffer) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor data(buffer, handler, sycl::read_write);
    handler.parallel_for(buffer.get_range(), [=](sycl::id<1> i) { data[i] *= 3; });
  });
}

int main() {
  sycl::queue queue;
  constexpr int n = 4;
  bool right = true;

  std::vector<int> back(n, 1);
  {
    sycl::buffer<int> buffer(back);
    triple(queue, buffer);
  }
  right = right && back == std::vector<int>(n, 3);

  std::vector<int> kept(n, 1);
  {
    sycl::buffer<int> buffer(kept);
    buffer.set_write_back(false);
    triple(queue, buffer);
  }
  right = right && kept == std::vector<int>(n, 1);

  const std::vector<int> constant(n, 1);
  std::vector<int> final_vector(n, 0);
  {
    sycl::buffer<int> buffer(constant.data(), n);
    buffer.set_final_data(final_vector.data());
    triple(queue, buffer);
  }
  right = right && final_vector == std::vector<int>(n, 3) && constant[0] == 1;

  std::shared_ptr<int[]> shared(new int[n]);
  {
    sycl::buffer<int> buffer(constant.begin(), constant.end());
    buffer.set_final_data(std::weak_ptr<int[]>(shared));
    triple(queue, buffer);
  }
  right = right && shared[n - 1] == 3;

  auto array = std::make_shared<std::array<int, n>>();
  {
    sycl::buffer<int> buffer(constant.data(), n);
    buffer.set_final_data(array);
    triple(queue, buffer);
  }
  right = right && *array == std::array<int, n>{3, 3, 3, 3};

  std::vector<int> nowhere(n, 1);
  {
    sycl::buffer<int> buffer(nowhere);
    triple(queue, buffer);
    buffer.set_final_data(nullptr);
  }
  right = right && nowhere == std::vector<int>(n, 1);

  // The last of several copies of a buffer counts.
  std::vector<int> shared_buffer(n, 2);
  {
    sycl::buffer<int> outer(shared_buffer);
    {
      sycl::buffer<int> inner = outer;
      triple(queue, inner);
      right = right && inner == outer;
    }
    triple(queue, outer);
  }
  right = right && shared_buffer == std::vector<int>(n, 18);

  std::printf("write-back: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
