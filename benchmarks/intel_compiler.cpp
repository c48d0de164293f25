// Compiles SYCL sources with Intel's run-time compiler, to object state.
//
// Reads the names of files from standard input, a line each, and answers each with the seconds that
// the compiler took.

#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

static void compile(const sycl::context &context, const std::string &text) {
  auto source =
      syclexp::create_kernel_bundle_from_source(context, syclexp::source_language::sycl, text);
  syclexp::compile(source);
}

int main() {
  const sycl::context context{sycl::device{sycl::cpu_selector_v}};
  for (std::string path; std::getline(std::cin, path);) {
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto start = std::chrono::steady_clock::now();
    try {
      compile(context, text);
    } catch (const sycl::exception &error) {
      std::cerr << error.what() << std::endl;
      return 1;
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::cout << taken.count() << std::endl;
  }
}
