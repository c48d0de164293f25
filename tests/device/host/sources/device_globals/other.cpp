#include "shared.hpp"

// Another one than in the other source, and as little known outside.
static exp_::device_global<int> own{20};
namespace {
exp_::device_global<int> hidden{30};
}

int add_in_other(sycl::queue &q) {
  return on_device(q, [] {
    own += 1;
    hidden += 1;
    everywhere += 1;
    of_main += 1;
    numbered<7> += 1;
    return own * 10000 + hidden * 100 + numbered<7>;
  });
}

int read_in_other(sycl::queue &q) {
  int values[4];
  q.copy(own, &values[0]);
  q.copy(hidden, &values[1]);
  q.copy(everywhere, &values[2]);
  q.copy(of_main, &values[3]);
  q.wait();
  return values[0] * 1000000 + values[1] * 10000 + values[2] % 100 * 100 + values[3];
}
