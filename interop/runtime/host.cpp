// Launches kernels of a SYCLBIN with Intel's runtime, on the CPU.
//
//   host FILE KERNEL:TYPE:GROUP-SIZE...
//
// Prints a line for each kernel, in order: "ran", "wrong" or "refused", the number of the error
// code, and the message, separated by tabs. If the file itself is rejected, so are all kernels.

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;

using Executable = sycl::kernel_bundle<sycl::bundle_state::executable>;

struct Case {
  std::string kernel;
  std::string type;
  size_t group_size;
};

static Case parse(const std::string &word) {
  std::istringstream parts(word);
  Case wanted{};
  std::getline(parts, wanted.kernel, ':');
  std::getline(parts, wanted.type, ':');
  parts >> wanted.group_size;
  return wanted;
}

static void report(const std::string &outcome, int code = 0, std::string message = "") {
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return std::iscntrl(c); }, ' ');
  std::cout << outcome << '\t' << code << '\t' << message << std::endl;
}

static void report_refusal(const sycl::exception &error) {
  report("refused", error.code().value(), error.what());
}

static Executable load(sycl::queue &queue, const char *path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  return sycl::build(syclexp::get_kernel_bundle<sycl::bundle_state::input>(
      queue.get_context(), {queue.get_device()}, sycl::span<char>(bytes)));
}

template <typename T>
static void launch(sycl::queue &queue, Executable &program, const Case &wanted) {
  sycl::kernel kernel = program.ext_oneapi_get_kernel(wanted.kernel);
  const T start = 3;
  sycl::usm_allocator<T, sycl::usm::alloc::shared> memory(queue);
  std::vector<T, decltype(memory)> out(256, T(-1), memory);
  T *pointer = out.data();
  auto enqueue = [&](sycl::handler &group) {
    group.set_args(start, pointer);
    group.parallel_for(sycl::nd_range<1>(out.size(), wanted.group_size), kernel);
  };
  queue.submit(enqueue).wait_and_throw();
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i] != start + T(i))
      return report("wrong", 0, "element " + std::to_string(i) + " is " + std::to_string(out[i]));
  report("ran");
}

static void attempt(sycl::queue &queue, Executable &program, const Case &wanted) {
  try {
    if (wanted.type == "double")
      launch<double>(queue, program, wanted);
    else
      launch<float>(queue, program, wanted);
  } catch (const sycl::exception &error) {
    report_refusal(error);
  }
}

int main(int count, char **words) {
  std::vector<Case> cases;
  std::transform(words + std::min(count, 2), words + count, std::back_inserter(cases), parse);
  try {
    sycl::queue queue{sycl::cpu_selector_v};
    Executable program = load(queue, words[1]);
    for (const Case &wanted : cases)
      attempt(queue, program, wanted);
  } catch (const sycl::exception &error) {
    for (size_t i = 0; i < cases.size(); ++i)
      report_refusal(error);
  }
}
