// Reads a text, turns its letters into capitals on the device, and writes it.
#include <sycl/sycl.hpp>

#include <iostream>
#include <string>

int main() {
  sycl::queue queue;
  std::string line;
  int lines = 0;
  while (std::getline(std::cin, line)) {
    ++lines;
    if (!line.empty()) {
      sycl::buffer<char> buffer(line.data(), line.size());
      queue.submit([&](sycl::handler &handler) {
        sycl::accessor text(buffer, handler, sycl::read_write);
        handler.parallel_for(sycl::range<1>(line.size()), [=](sycl::id<1> i) {
          if (text[i] >= 'a' && text[i] <= 'z')
            text[i] = static_cast<char>(text[i] - 'a' + 'A');
        });
      });
    }
    std::cout << line << "\n";
  }
  std::cerr << lines << " lines\n";
}
