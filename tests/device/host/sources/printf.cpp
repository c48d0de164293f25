// What kernels print with printf: of the extension, and of C where PLAIN is defined, which needs
// doubles. Without arguments, the host prints the expected text.
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>

namespace syclexp = sycl::ext::oneapi::experimental;

#ifdef __SYCL_DEVICE_ONLY__
#define CONSTANT __attribute__((opencl_constant))
#else
#define CONSTANT
#endif

enum colour { red, green };
enum class wide : std::uint64_t { value = 1ull << 40 };

static const CONSTANT char shared_format[] = "shared %d\n";

inline void called(int number) { syclexp::printf("called %d\n", number); }

SYCL_EXTERNAL void external(int number) { syclexp::printf(shared_format, number); }

template <typename DataT> void print(const char *format, DataT number) {
  syclexp::printf(format, number);
}

struct everything {
  float quarter;

  void operator()() const {
    static const CONSTANT char format[] = "constant %d %s %c\n";
    syclexp::printf(format, 5, "abc", 'x');
    syclexp::printf("nothing\n");
    syclexp::printf("%d %u %ld %lu %hhd %hd\n", -1, 4000000000u, -5l, 10000000000ul,
                    static_cast<signed char>(-3), static_cast<short>(-4));
    syclexp::printf("%x %o %08X|%-6d|%6d|%+d|%%\n", 255, 8, 0xabc, 42, 42, 42);
    syclexp::printf("%f %5.2f %e %g %f\n", quarter, 3.14159f, 12345.678f, quarter * 2,
                    sycl::half(0.5f));
    syclexp::printf("%s %d %d %ld %d\n", "text", true, green, wide::value, 'a');
    syclexp::printf("%d %lu %d\n", 1, 2ul, 3);
    syclexp::printf("%u %lu %d\n", 4000000000u, 2l, 3);
    called(4);
    external(5);
    print("template %d\n", 6);
    print("template %.3f\n", 0.125f);
    if (quarter > 0.5f)
      syclexp::printf("never\n");
#ifdef PLAIN
    printf("plain\n");
    printf("plain %d %s %.2f\n", 5, "text", 0.5f);
    std::printf("std %c %zu\n", 'c', sizeof(int));
    syclexp::printf("%.3f\n", 3.25);
#endif
  }
};

int main(int count, char **) {
  if (count > 1) {
    everything{0.25f}();
    return 0;
  }
  sycl::queue queue;
  queue.single_task(everything{0.25f}).wait();
  queue
      .parallel_for(sycl::nd_range<1>(64, 16),
                    [=](sycl::nd_item<1> item) {
                      syclexp::printf("item %lu of group %lu\n", item.get_local_id(0),
                                      item.get_group(0));
                    })
      .wait();
}
