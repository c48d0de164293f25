// The first program with output in kernels: every work-item says hello. The standard output is
// directed to a file meanwhile, because the order of the lines differs from run to run: the host
// sorts them and compares them with what it expects.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

// What a function prints, in lines.
template <typename Function> std::vector<std::string> lines_of(Function function) {
  std::fflush(stdout);
  std::FILE *file = std::tmpfile();
  int terminal = dup(1);
  dup2(fileno(file), 1);
  function();
  std::fflush(stdout);
  dup2(terminal, 1);
  close(terminal);

  std::rewind(file);
  std::vector<std::string> lines(1);
  for (int character; (character = std::fgetc(file)) != EOF;) {
    if (character == '\n')
      lines.emplace_back();
    else
      lines.back() += static_cast<char>(character);
  }
  std::fclose(file);
  lines.pop_back(); // after the last newline
  return lines;
}

int main() {
  constexpr int items = 64, group_size = 16;
  sycl::queue queue;

  std::vector<std::string> lines = lines_of([&] {
    queue.submit([&](sycl::handler &handler) {
      // Memory for all lines, and for one.
      sycl::stream out(items * 64, 64, handler);
      handler.parallel_for(sycl::nd_range<1>(items, group_size), [=](sycl::nd_item<1> item) {
        out << "Hello from work-item " << item.get_local_id(0) << " of group "
            << item.get_group_linear_id();
        if (item.get_local_id(0) == 0)
          out << ", the first";
        out << sycl::endl;
      });
    });
    queue.wait();
  });

  std::vector<std::string> expected;
  for (int group = 0; group < items / group_size; ++group)
    for (int item = 0; item < group_size; ++item)
      expected.push_back("Hello from work-item " + std::to_string(item) + " of group " +
                         std::to_string(group) + (item == 0 ? ", the first" : ""));
  std::sort(lines.begin(), lines.end());
  std::sort(expected.begin(), expected.end());

  bool same = lines == expected;
  std::printf("stream hello: %zu lines, %s\n", lines.size(), same ? "ok" : "wrong");
  return !same;
}
