// A command group with a second choice: if it cannot be submitted to a queue, because its kernel
// asks for more than the device has, submit() tries it with another one.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

// Squares the numbers, in work-groups of the size that the number of the attempt allows.
class square_in_groups {
public:
  square_in_groups(sycl::buffer<int> numbers, std::vector<std::size_t> sizes, int &attempts)
      : numbers(numbers), sizes(sizes), attempts(attempts) {}

  void operator()(sycl::handler &handler) const {
    const std::size_t size = sizes.at(static_cast<std::size_t>(attempts++));
    sycl::buffer<int> used = numbers;
    sycl::accessor number(used, handler, sycl::read_write);
    sycl::nd_range<1> range(used.size(), size);
    handler.parallel_for(range, [=](sycl::nd_item<1> item) {
      const std::size_t i = item.get_global_id(0);
      number[i] *= number[i];
    });
  }

private:
  sycl::buffer<int> numbers;
  std::vector<std::size_t> sizes;
  int &attempts;
};

int main() {
  constexpr std::size_t n = 96;
  std::vector<int> numbers(n);
  for (std::size_t i = 0; i < n; ++i)
    numbers[i] = static_cast<int>(i);

  sycl::queue first, second(first.get_context(), first.get_device());
  int attempts = 0;
  {
    sycl::buffer<int> buffer(numbers);
    // 96 work-items are not groups of 7, but they are groups of 8.
    first.submit(square_in_groups(buffer, {7, 8}, attempts), second);
  }
  second.wait_and_throw();

  int wrong = 0;
  for (std::size_t i = 0; i < n; ++i)
    wrong += numbers[i] != static_cast<int>(i * i);
  std::printf("secondary queue: %d attempts, %d wrong\n", attempts, wrong);
  return wrong != 0 || attempts != 2;
}
