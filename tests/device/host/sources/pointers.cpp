// multi_ptr in all address spaces, from pointers and accessors. Prints the number of the first line
// that fails.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <type_traits>

using sycl::access::address_space;
using sycl::access::decorated;

#define EXPECT(...)                                                                                \
  if (!(__VA_ARGS__))                                                                              \
  return __LINE__

static_assert(std::is_same_v<sycl::global_ptr<int>,
                             sycl::multi_ptr<int, address_space::global_space, decorated::legacy>>);
static_assert(std::is_same_v<sycl::raw_local_ptr<int>,
                             sycl::multi_ptr<int, address_space::local_space, decorated::no>>);
static_assert(std::is_same_v<sycl::decorated_private_ptr<int>::value_type, int>);
static_assert(std::is_same_v<sycl::raw_generic_ptr<int>::pointer, int *>);
static_assert(
    std::is_same_v<sycl::remove_decoration_t<sycl::decorated_local_ptr<int>::pointer>, int *>);
// Const may be added, any space becomes generic, any type void; the reverse is explicit.
static_assert(std::is_convertible_v<sycl::raw_global_ptr<int>, sycl::raw_global_ptr<const int>>);
static_assert(!std::is_convertible_v<sycl::raw_global_ptr<const int>, sycl::raw_global_ptr<int>>);
static_assert(std::is_convertible_v<sycl::raw_local_ptr<int>, sycl::decorated_generic_ptr<int>>);
static_assert(!std::is_convertible_v<sycl::raw_generic_ptr<int>, sycl::raw_local_ptr<int>>);
static_assert(std::is_constructible_v<sycl::raw_local_ptr<int>, sycl::raw_generic_ptr<int>>);
static_assert(!std::is_constructible_v<sycl::raw_local_ptr<int>, sycl::raw_global_ptr<int>>);
static_assert(std::is_convertible_v<sycl::raw_local_ptr<int>, sycl::raw_local_ptr<void>>);
static_assert(!std::is_convertible_v<sycl::raw_local_ptr<void>, sycl::raw_local_ptr<int>>);
static_assert(std::is_constructible_v<sycl::raw_local_ptr<int>, sycl::raw_local_ptr<void>>);
static_assert(!std::is_constructible_v<sycl::raw_local_ptr<float>, sycl::raw_local_ptr<int>>);
static_assert(!std::is_convertible_v<int *, sycl::raw_global_ptr<int>>);
static_assert(std::is_convertible_v<int *, sycl::global_ptr<int>>);

int of_any_memory(int *memory) {
  auto p = sycl::address_space_cast<address_space::global_space, decorated::yes>(memory);
  EXPECT(*p == 0 && p[3] == 3 && *(p + 2) == 2 && *++p == 1 && p++[1] == 2 && *p == 2);
  EXPECT((p -= 2) == p - 0 && p < p + 1 && p != nullptr && nullptr < p && p + 3 - p == 3);
  sycl::raw_global_ptr<const int> constant = p;
  sycl::generic_ptr<int> generic = p;
  EXPECT(constant.get() == memory && generic.get_raw() == memory && *constant.get_decorated() == 0);
  sycl::raw_global_ptr<int> back(generic);
  back[1] = 10;
  sycl::global_ptr<void> anything = p + 1;
  EXPECT(*static_cast<sycl::global_ptr<int>>(anything) == 10);
  back[1] = 1;
  p.prefetch(4);

  int value = 5;
  sycl::private_ptr<int> mine = &value;
  sycl::raw_private_ptr<int> raw(&value);
  auto made = sycl::make_ptr<int, address_space::private_space>(&value);
  *mine += 1;
  EXPECT(value == 6 && *raw == 6 && mine == made && *made.get() == 6);
  float whole;
  EXPECT(sycl::modf(1.5f, sycl::private_ptr<float>(&whole)) == 0.5f && whole == 1);
  auto cast = sycl::ext::oneapi::experimental::static_address_cast<address_space::private_space>(
      sycl::raw_generic_ptr<int>(&value));
  EXPECT(cast == raw && *cast == 6);
  sycl::raw_private_ptr<int> none = nullptr;
  EXPECT(none == nullptr && !none.get());
  none = raw;
  EXPECT(none == raw);
  return 0;
}

struct pair {
  int first, second;
};

int main() {
  sycl::queue queue;
  int *line = sycl::malloc_shared<int>(2, queue), *memory = sycl::malloc_shared<int>(4, queue);
  for (int i = 0; i < 4; ++i)
    memory[i] = i;
  queue.single_task([=] { *line = of_any_memory(memory); }).wait();

  sycl::buffer<int> numbers(memory, 4);
  pair two[] = {{1, 2}, {3, 4}};
  sycl::buffer<pair> pairs(two, 2);
  queue
      .submit([&](sycl::handler &handler) {
        sycl::accessor in(numbers, handler, sycl::read_only);
        sycl::accessor of_pairs(pairs, handler);
        sycl::local_accessor<int> local(4, handler);
        handler.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> item) {
          std::size_t i = item.get_local_id(0);
          sycl::multi_ptr from(in);
          sycl::local_ptr<int> to(local);
          sycl::decorated_local_ptr<int> same = local;
          to[i] = from[3 - i] * 10;
          sycl::group_barrier(item.get_group());
          sycl::raw_global_ptr<pair> p = of_pairs.get_multi_ptr<decorated::no>();
          int last = local.get_pointer()[0] + (same + 1).get()[0] + p->second + (p + 1)->first;
          if (i == 0)
            line[1] = last == 30 + 20 + 2 + 3 ? 0 : __LINE__;
        });
      })
      .wait();
  std::printf("device %d, host %d\n", line[0] ? line[0] : line[1], of_any_memory(memory));
  sycl::free(line, queue);
  sycl::free(memory, queue);
}
