// The Abelian sandpile: places with four grains or more give one to each neighbour; grains that
// fall off the table are lost. The order does not matter, so that work-items may topple their
// places at any time, with atomic operations and without waiting for each other; the host, one
// place after the other, gets the same pile. A work-group returns whether it has done anything.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

constexpr int side = 32, places = side * side;
constexpr int rounds_per_kernel = 16;

struct device_pile {
  int *grains, *lost;

  using atomic = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device,
                                  sycl::access::address_space::global_space>;

  void give(int y, int x, int number) const {
    const bool inside = y >= 0 && y < side && x >= 0 && x < side;
    atomic(inside ? grains[y * side + x] : *lost) += number;
  }

  bool topple(int y, int x) const {
    atomic own(grains[y * side + x]);
    const int each = own.load() / 4;
    if (each == 0)
      return false;
    own -= 4 * each; // others only add meanwhile
    give(y - 1, x, each);
    give(y + 1, x, each);
    give(y, x - 1, each);
    give(y, x + 1, each);
    return true;
  }
};

static int settle(sycl::queue &queue, device_pile pile) {
  bool *active = sycl::malloc_host<bool>(1, queue);
  int kernels = 0;
  do {
    *active = false;
    queue.parallel_for<class toppling>(
        sycl::nd_range<2>({side, side}, {8, 8}), [=](sycl::nd_item<2> item) {
          const int y = static_cast<int>(item.get_global_id(0));
          const int x = static_cast<int>(item.get_global_id(1));
          bool any = false;
          for (int round = 0; round < rounds_per_kernel; ++round)
            any = pile.topple(y, x) || any;
          if (sycl::any_of_group(item.get_group(), any) && item.get_local_linear_id() == 0)
            *active = true;
        });
    queue.wait_and_throw();
    ++kernels;
  } while (*active);
  sycl::free(active, queue);
  return kernels;
}

static int settle_on_the_host(std::vector<int> &grains) {
  int lost = 0;
  std::vector<int> unstable(places);
  std::iota(unstable.begin(), unstable.end(), 0);
  while (!unstable.empty()) {
    const int place = unstable.back();
    unstable.pop_back();
    if (grains[place] < 4)
      continue;
    const int each = grains[place] / 4, y = place / side, x = place % side;
    grains[place] %= 4;
    for (auto [to_y, to_x] : {std::pair(y - 1, x), {y + 1, x}, {y, x - 1}, {y, x + 1}}) {
      if (to_y < 0 || to_y >= side || to_x < 0 || to_x >= side) {
        lost += each;
        continue;
      }
      grains[to_y * side + to_x] += each;
      unstable.push_back(to_y * side + to_x);
    }
  }
  return lost;
}

int main() {
  std::vector<int> start(places, 2);
  start[places / 2 + side / 2] = 1500;
  start[5 * side + 9] = 400;

  sycl::queue queue;
  const device_pile pile{sycl::malloc_shared<int>(places, queue),
                         sycl::malloc_shared<int>(1, queue)};
  queue.memcpy(pile.grains, start.data(), sizeof(int) * start.size()).wait();
  *pile.lost = 0;
  const int kernels = settle(queue, pile);

  std::vector<int> expected = start;
  const int lost = settle_on_the_host(expected);
  const bool right = kernels > 1 && *pile.lost == lost &&
                     expected == std::vector<int>(pile.grains, pile.grains + places);
  std::printf("sandpile: %d grains fell off the table: %s\n", lost, right ? "ok" : "wrong");
  sycl::free(pile.grains, queue);
  sycl::free(pile.lost, queue);
  return right ? 0 : 1;
}
