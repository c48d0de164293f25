// Compiles SYCL sources with Intel's run-time compiler, to object state.
//
// Reads lines from standard input: the name of a source and, optionally, a tab and the name of the
// SYCLBIN to write. Prints the time of each compilation in seconds.

#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;

using Object = sycl::kernel_bundle<sycl::bundle_state::object>;

static Object compile(const sycl::context &context, const std::string &text) {
  auto source =
      syclexp::create_kernel_bundle_from_source(context, syclexp::source_language::sycl, text);
  return syclexp::compile(source);
}

static void write(const Object &object, const std::string &path) {
  const std::vector<char> bytes = object.ext_oneapi_get_content();
  std::ofstream(path, std::ios::binary).write(bytes.data(), bytes.size());
}

int main() {
  const sycl::context context{sycl::device{sycl::cpu_selector_v}};
  for (std::string line; std::getline(std::cin, line);) {
    const size_t tab = line.find('\t');
    std::ifstream file(line.substr(0, tab));
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto start = std::chrono::steady_clock::now();
    try {
      const Object object = compile(context, text);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      if (tab != std::string::npos)
        write(object, line.substr(tab + 1));
      std::cout << taken.count() << std::endl;
    } catch (const sycl::exception &error) {
      std::cerr << error.what() << std::endl;
      return 1;
    }
  }
}
