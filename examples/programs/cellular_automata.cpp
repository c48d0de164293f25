// The 256 elementary cellular automata: a cell is 0 or 1, and the rule, a number of eight bits,
// says what follows from a cell and its two neighbours. The rule is a specialization constant, from
// which the compiler makes logic for 64 cells at a time. A hierarchical kernel has a work-group for
// each of several starts, whose work-items hold a word each in private memory and share the
// others'. Rule 90 gives Pascal's triangle modulo 2; other rules are compared with a version cell
// by cell.
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

using word = std::uint64_t;

constexpr std::size_t words = 8, cells = 64 * words, starts = 6;
constexpr int generations = 150;

constexpr sycl::specialization_id<unsigned> rule_number(90);

inline word next_word(unsigned rule, word left, word own, word right) {
  word result = 0;
  for (unsigned pattern = 0; pattern < 8; ++pattern)
    if (rule >> pattern & 1)
      result |= (pattern & 4 ? left : ~left) & (pattern & 2 ? own : ~own) &
                (pattern & 1 ? right : ~right);
  return result;
}

static std::vector<word> evolve(sycl::queue &queue, std::vector<word> state, unsigned rule) {
  {
    sycl::buffer<word, 2> memory(state.data(), {starts, words});
    queue.submit([&](sycl::handler &cgh) {
      cgh.set_specialization_constant<rule_number>(rule);
      sycl::accessor all(memory, cgh, sycl::read_write);
      cgh.parallel_for_work_group<class automaton>(
          sycl::range<1>(starts), sycl::range<1>(words),
          [=](sycl::group<1> group, sycl::kernel_handler constants) {
            word shared[words];
            sycl::private_memory<word> own(group);
            const std::size_t row = group.get_group_id(0);
            group.parallel_for_work_item([&](sycl::h_item<1> item) {
              own(item) = shared[item.get_local_id(0)] = all[row][item.get_local_id(0)];
            });
            for (int generation = 0; generation < generations; ++generation) {
              group.parallel_for_work_item([&](sycl::h_item<1> item) {
                const std::size_t i = item.get_local_id(0);
                // Bit 0 is the leftmost cell of a word; the world is a ring.
                const word left = own(item) << 1 | shared[(i + words - 1) % words] >> 63;
                const word right = own(item) >> 1 | shared[(i + 1) % words] << 63;
                own(item) = next_word(constants.get_specialization_constant<rule_number>(), left,
                                      own(item), right);
              });
              group.parallel_for_work_item(
                  [&](sycl::h_item<1> item) { shared[item.get_local_id(0)] = own(item); });
            }
            group.parallel_for_work_item([&](sycl::h_item<1> item) {
              all[row][item.get_local_id(0)] = shared[item.get_local_id(0)];
            });
          });
    });
  }
  return state;
}

static bool cell(const std::vector<word> &state, std::size_t row, std::size_t place) {
  return state[row * words + place / 64] >> (place % 64) & 1;
}

static std::vector<bool> cell_by_cell(const std::vector<word> &state, std::size_t row,
                                      unsigned rule) {
  std::vector<bool> now(cells), next(cells);
  for (std::size_t i = 0; i < cells; ++i)
    now[i] = cell(state, row, i);
  for (int generation = 0; generation < generations; ++generation) {
    for (std::size_t i = 0; i < cells; ++i)
      next[i] = rule >> (4 * now[(i + cells - 1) % cells] + 2 * now[i] + now[(i + 1) % cells]) & 1;
    now.swap(next);
  }
  return now;
}

int main() {
  std::mt19937_64 engine(1983);
  std::vector<word> start(starts * words, 0);
  constexpr std::size_t middle = cells / 2;
  start[middle / 64] = word(1) << (middle % 64); // the first row has one cell
  for (std::size_t i = words; i < start.size(); ++i)
    start[i] = engine();

  sycl::queue queue;
  bool right = true;
  for (unsigned rule : {30u, 90u, 110u, 184u}) {
    const std::vector<word> end = evolve(queue, start, rule);
    for (std::size_t row = 0; row < starts; ++row) {
      const std::vector<bool> expected = cell_by_cell(start, row, rule);
      for (std::size_t i = 0; i < cells; ++i)
        right = right && cell(end, row, i) == expected[i];
    }
    // A binomial coefficient is odd if the bits of the lower number are among those of the upper.
    for (std::size_t k = 0; rule == 90 && k <= generations; ++k)
      right = right && cell(end, 0, middle - generations + 2 * k) == ((k & generations) == k);
  }
  std::printf("cellular automata: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
