// Hierarchical kernels: what is at work-group scope happens once for each group, and its variables
// are shared.
#include <sycl/sycl.hpp>

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdio>
#include <vector>

int errors = 0;
void expect(bool holds, int line) {
  if (!holds) {
    ++errors;
    std::printf("line %d\n", line);
  }
}
#define EXPECT(...) expect((__VA_ARGS__), __LINE__)

constexpr std::size_t groups = 5, size = 8, total = groups * size;

using counter = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>;

// A loop whose variables only the leader has, so that optimisers could skip its guards.
void alternates(sycl::queue &q) {
  constexpr int steps = 7;
  int *out = sycl::malloc_shared<int>(groups, q);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(size), [=](sycl::group<1> g) {
       std::array<int, size> rows[3] = {};
       for (int step = 1; step <= steps; ++step) {
         auto &now = rows[step % 3];
         const auto &before = rows[(step + 2) % 3];
         const auto count = static_cast<std::size_t>(sycl::min(step, 4));
         g.parallel_for_work_item(sycl::range<1>(count), [&](sycl::h_item<1> it) {
           const std::size_t i = it.get_logical_local_id(0);
           now[i] = before[i] + step;
         });
       }
       out[g.get_group_id(0)] = rows[steps % 3][0] * 100 + rows[steps % 3][3];
     });
   }).wait();
  // The last element is there from the fourth step on.
  for (std::size_t g = 0; g < groups; ++g)
    EXPECT(out[g] == (1 + 2 + 3 + 4 + 5 + 6 + 7) * 100 + 4 + 5 + 6 + 7);
  sycl::free(out, q);
}

// Local variables across a loop that contains barriers, and side effects at work-group scope.
void reduces(sycl::queue &q) {
  std::vector<int> in(total), out(groups), count(2);
  for (std::size_t i = 0; i < total; ++i)
    in[i] = static_cast<int>(i * 7 % 13);
  {
    sycl::buffer<int> a(in), b(out), c(count);
    q.submit([&](sycl::handler &h) {
      sycl::accessor x(a, h, sycl::read_only);
      sycl::accessor y(b, h, sycl::write_only);
      sycl::accessor n(c, h, sycl::read_write);
      h.parallel_for_work_group<class reduces_kernel>(
          sycl::range<1>(groups), sycl::range<1>(size), [=](sycl::group<1> g) {
            int tile[size];
            g.parallel_for_work_item(
                [&](sycl::h_item<1> it) { tile[it.get_local_id(0)] = x[it.get_global_id()]; });
            for (std::size_t half = size / 2; half > 0; half /= 2) {
              g.parallel_for_work_item([&](sycl::h_item<1> it) {
                std::size_t l = it.get_local_id(0);
                if (l < half)
                  tile[l] += tile[l + half];
              });
              counter(n[1]).fetch_add(1);
            }
            y[g.get_group_id(0)] = tile[0];
            counter(n[0]).fetch_add(1);
          });
    });
  }
  for (std::size_t g = 0; g < groups; ++g) {
    int sum = 0;
    for (std::size_t i = 0; i < size; ++i)
      sum += in[g * size + i];
    EXPECT(out[g] == sum);
  }
  EXPECT(count[0] == static_cast<int>(groups) && count[1] == 3 * static_cast<int>(groups));
}

// A function that is called at work-group scope, and makes parallel calls itself.
int count_odd(const sycl::group<1> &g, const int *values, int *shared) {
  *shared = 0;
  g.parallel_for_work_item([=](sycl::h_item<1> it) {
    using local =
        sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>;
    if (values[it.get_local_id(0)] % 2)
      local(*shared).fetch_add(1);
  });
  return *shared;
}

// Branches that only the leader can decide, loops of other lengths in each group, early ends.
void branches(sycl::queue &q) {
  int *out = sycl::malloc_shared<int>(total, q);
  int *odd = sycl::malloc_shared<int>(groups, q);
  for (std::size_t i = 0; i < total; ++i)
    out[i] = -1;
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(size), [=](auto &g) {
       std::size_t group = g.get_group_id(0);
       odd[group] = -1;
       if (group == 4)
         return;
       int rounds = 0, squares = 0;
       for (std::size_t i = 0; i <= group; ++i) {
         squares += static_cast<int>(i * i); // without work-items
         if (i == 2)
           continue;
         g.parallel_for_work_item([&](auto &it) { out[it.get_global_id(0)] = rounds + squares; });
         ++rounds;
       }
       int values[size];
       switch (group) {
       case 0:
         g.parallel_for_work_item([&](sycl::h_item<1> it) {
           values[it.get_local_id(0)] = static_cast<int>(it.get_local_id(0));
         });
         break;
       case 1:
         for (int &value : values)
           value = 1;
         break;
       default:
         g.parallel_for_work_item([&](sycl::h_item<1> it) { values[it.get_local_id(0)] = 2; });
       }
       int found;
       odd[group] = count_odd(g, values, &found);
     });
   }).wait();
  const int expected[] = {0, 1 + 1, 1 + 1, 2 + 14};
  for (std::size_t i = 0; i < total; ++i)
    EXPECT(out[i] == (i / size == 4 ? -1 : expected[i / size]));
  EXPECT(odd[0] == 4 && odd[1] == 8 && odd[2] == 0 && odd[3] == 0 && odd[4] == -1);
  sycl::free(out, q);
  sycl::free(odd, q);
}

struct pair_of_sums {
  long first, second;
  double more[4];
};
[[gnu::noinline]] pair_of_sums make_sums(std::size_t group) {
  return {static_cast<long>(group) * 3, 4, {0.5, 1.5, 2.5, static_cast<double>(group)}};
}

// A function object with members, more dimensions, logical ranges, private memory.
struct in_two_dimensions {
  int *out;
  int *physical;
  int factor;

  void operator()(sycl::group<2> g) const {
    sycl::private_memory<std::array<int, 3>, 2> mine(g);
    sycl::private_memory<char, 2> small(g);
    pair_of_sums sums = make_sums(g.get_group_linear_id());
    sycl::range<2> logical(5, 6);
    g.parallel_for_work_item([&](sycl::h_item<2> it) {
      mine(it) = {0, static_cast<int>(it.get_physical_local_id(1)), factor};
      small(it) = static_cast<char>(it.get_local_id(0));
    });
    g.parallel_for_work_item(logical, [&](sycl::h_item<2> it) { ++mine(it)[0]; });
    g.parallel_for_work_item(logical, [&](sycl::h_item<2> it) {
      std::size_t at = g.get_group_linear_id() * logical.size() + it.get_local().get_linear_id();
      out[at] = static_cast<int>(sums.first + sums.second) + mine(it)[2] * mine(it)[1] +
                static_cast<int>(sums.more[3]) + small(it) * 1000 +
                static_cast<int>(it.get_logical_local_range(1));
    });
    g.parallel_for_work_item([&](const sycl::h_item<2> &it) {
      std::size_t at = it.get_global().get_linear_id();
      physical[at] = mine(it)[0] * 100 + static_cast<int>(it.get_physical_local_range().size());
    });
  }
};

void two_dimensions(sycl::queue &q) {
  constexpr std::size_t rows = 2, columns = 3, logical = 30;
  int *out = sycl::malloc_shared<int>(rows * columns * logical, q);
  int *physical = sycl::malloc_shared<int>(rows * 2 * columns * 4, q);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<2>(rows, columns), sycl::range<2>(2, 4),
                               in_two_dimensions{out, physical, 10});
   }).wait();
  for (std::size_t i = 0; i < rows * columns * logical; ++i) {
    int group = static_cast<int>(i / logical), row = static_cast<int>(i % logical / 6);
    int column = static_cast<int>(i % 6);
    EXPECT(out[i] == group * 3 + 4 + 10 * (column % 4) + group + row % 2 * 1000 + 6);
  }
  for (std::size_t i = 0; i < rows * 2 * columns * 4; ++i) {
    std::size_t row = i / (columns * 4) % 2, column = i % 4;
    int own = (row == 0 ? 3 : 2) * (column < 2 ? 2 : 1);
    EXPECT(physical[i] == own * 100 + 8);
  }
  sycl::free(out, q);
  sycl::free(physical, q);
}

// Without a local range; three dimensions; a local accessor.
void any_size(sycl::queue &q) {
  constexpr std::size_t count = 2 * 3 * 4;
  int *out = sycl::malloc_shared<int>(count * 50, q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int, 1> tile(50, h);
     h.parallel_for_work_group<class any_size_kernel>(
         sycl::range<3>(2, 3, 4), [=](sycl::group<3> g) {
           sycl::range<3> logical(5, 2, 5);
           g.parallel_for_work_item(logical, [&](sycl::h_item<3> it) {
             tile[it.get_local().get_linear_id()] = static_cast<int>(it.get_local_id(2));
           });
           int last = tile[49]; // read by one work-item
           tile[0] = 7;
           g.parallel_for_work_item(logical, [&](sycl::h_item<3> it) {
             std::size_t at = it.get_local().get_linear_id();
             out[g.get_group_linear_id() * 50 + at] = tile[49 - at] * 10 + last;
           });
         });
   }).wait();
  for (std::size_t i = 0; i < count * 50; ++i)
    EXPECT(out[i] == (i % 50 == 49 ? 7 : static_cast<int>((49 - i % 50) % 5)) * 10 + 4);
  sycl::free(out, q);
}

struct point {
  point(int x, int y) : x(x), y(y) {}
  point operator+(const point &other) const { return {x + other.x, y + other.y}; }
  int x, y;
};

// Parallel calls in a lambda and in a loop without a condition, classes with constructors, pointers
// to either of two variables, assertions.
void objects(sycl::queue &q) {
  int *out = sycl::malloc_shared<int>(total, q);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(size), [=](sycl::group<1> g) {
       int values[2 * size] = {};
       auto step = [&](int k) {
         g.parallel_for_work_item([&](sycl::h_item<1> it) { values[2 * it.get_local_id(0)] += k; });
       };
       step(1);
       step(2);
       int tries = 0;
       while (true) {
         step(3);
         if (++tries > static_cast<int>(g.get_group_id(0)))
           break;
       }
       point sum(1, 2);
       const point points[] = {{1, 1}, {2, 2}, {3, 3}};
       for (const point &each : points)
         sum = sum + each;
       int all = 0;
       for (int value : values)
         all += value;
       assert(all == static_cast<int>(size) * (3 + 3 * tries));
       const int *chosen = tries > 2 ? &all : &tries;
       g.parallel_for_work_item([&](sycl::h_item<1> it) {
         assert(it.get_local_id(0) < size);
         out[it.get_global_id(0)] = *chosen * 100 + sum.x * 10 + sum.y;
       });
     });
   }).wait();
  for (std::size_t i = 0; i < total; ++i) {
    int tries = static_cast<int>(i / size) + 1, all = static_cast<int>(size) * (3 + 3 * tries);
    EXPECT(out[i] == (tries > 2 ? all : tries) * 100 + 78);
  }
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  objects(q);
  alternates(q);
  reduces(q);
  branches(q);
  two_dimensions(q);
  any_size(q);
  std::printf("hierarchical: %d errors\n", errors);
  return errors;
}
