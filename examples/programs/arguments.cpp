// Adds the numbers that it was started with, on the device.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: arguments NUMBER...\n";
    return 2;
  }
  std::vector<int> numbers;
  for (int i = 1; i < argc; ++i)
    numbers.push_back(std::stoi(argv[i]));
  if (argv[argc] != nullptr || argv[0][0] == '\0')
    return 1;

  int sum = 0;
  sycl::queue queue;
  {
    sycl::buffer in(numbers);
    sycl::buffer<int> out(&sum, 1);
    std::size_t count = numbers.size();
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor values(in, handler, sycl::read_only);
      sycl::accessor total(out, handler, sycl::write_only, sycl::no_init);
      handler.single_task([=] {
        total[0] = 0;
        for (std::size_t i = 0; i < count; ++i)
          total[0] += values[i];
      });
    });
  }
  std::cout << "sum " << sum << "\n";
}
