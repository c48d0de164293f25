// A queue and memory that live as long as the program: made before main, destroyed after it.
#include <sycl/sycl.hpp>

#include <cstdio>

static sycl::queue queue;

class counter {
public:
  counter() : value(sycl::malloc_shared<int>(1, queue)) { *value = 0; }
  counter(const counter &) = delete;
  counter &operator=(const counter &) = delete;

  ~counter() {
    std::printf("counted %d\n", add());
    sycl::free(value, queue);
  }

  int add() {
    int *place = value;
    queue.single_task([=] { ++*place; }).wait();
    return *place;
  }

private:
  int *value;
};

static counter everywhere;
static const int before_main = everywhere.add();

int main() {
  static counter in_a_function;
  in_a_function.add();
  in_a_function.add();
  std::printf("main after %d\n", before_main);
  return everywhere.add() == 2 ? 0 : 1;
}
