// Conway's Game of Life on a torus, 32 cells a number: a work-item computes 32 cells at once by
// adding the bits of the eight neighbours with the logic of a full adder. A glider moves by one
// cell down and right every four generations; a field of random cells is compared with a version on
// the host that looks at one cell at a time.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

using word = std::uint32_t;

constexpr std::size_t rows = 48, words = 3, columns = 32 * words;

using grid = std::vector<word>;

// Numbers of two bits for each of 32 cells.
struct pair_of_bits {
  word ones, twos;
};

inline pair_of_bits add(word a, word b, word c) { return {a ^ b ^ c, (a & b) | (c & (a ^ b))}; }

template <typename Accessor> word next_generation(const Accessor &cells, sycl::item<2> item) {
  const std::size_t y = item[0], x = item[1];
  const std::size_t up = (y + rows - 1) % rows, down = (y + 1) % rows;
  const std::size_t left = (x + words - 1) % words, right = (x + 1) % words;
  // Bit i is the cell of column i: neighbours on the left come by a shift to higher bits.
  const auto west = [&](std::size_t row) { return cells[row][x] << 1 | cells[row][left] >> 31; };
  const auto east = [&](std::size_t row) { return cells[row][x] >> 1 | cells[row][right] << 31; };

  const pair_of_bits above = add(west(up), cells[up][x], east(up));
  const pair_of_bits below = add(west(down), cells[down][x], east(down));
  const word beside_ones = west(y) ^ east(y), beside_twos = west(y) & east(y);
  const pair_of_bits ones = add(above.ones, below.ones, beside_ones);
  const pair_of_bits twos = add(above.twos, below.twos, beside_twos);
  const word two_or_three = (twos.ones ^ ones.twos) & ~(twos.twos | (twos.ones & ones.twos));
  return two_or_three & (ones.ones | cells[y][x]);
}

static grid play(sycl::queue &queue, grid start, int generations) {
  sycl::buffer<word, 2> now(start.data(), sycl::range<2>(rows, words));
  sycl::buffer<word, 2> next(sycl::range<2>(rows, words));
  now.set_final_data(); // The start is a copy: nothing is to be written back.
  for (int generation = 0; generation < generations; ++generation) {
    queue.submit([&](sycl::handler &cgh) {
      auto cells = now.get_access<sycl::access::mode::read>(cgh);
      auto result = next.get_access<sycl::access::mode::discard_write>(cgh);
      cgh.parallel_for<class life>(next.get_range(), [=](sycl::item<2> item) {
        result[item] = next_generation(cells, item);
      });
    });
    std::swap(now, next);
  }
  sycl::host_accessor cells(now, sycl::read_only);
  return {cells.begin(), cells.end()};
}

static bool alive(const grid &cells, std::size_t y, std::size_t x) {
  return cells[y % rows * words + x % columns / 32] >> (x % 32) & 1;
}

static void set(grid &cells, std::size_t y, std::size_t x) {
  cells[y % rows * words + x % columns / 32] |= word(1) << (x % 32);
}

static grid one_cell_at_a_time(grid now, int generations) {
  for (int generation = 0; generation < generations; ++generation) {
    grid next(now.size());
    for (std::size_t y = 0; y < rows; ++y)
      for (std::size_t x = 0; x < columns; ++x) {
        int neighbours = -int(alive(now, y, x));
        for (std::size_t place = 0; place < 9; ++place)
          neighbours += alive(now, y + rows - 1 + place / 3, x + columns - 1 + place % 3);
        if (neighbours == 3 || (neighbours == 2 && alive(now, y, x)))
          set(next, y, x);
      }
    now = next;
  }
  return now;
}

static grid glider(std::size_t y, std::size_t x) {
  grid cells(rows * words);
  for (auto [down, across] : {std::pair{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}})
    set(cells, y + down, x + across);
  return cells;
}

int main() {
  sycl::queue queue;
  bool right = play(queue, glider(1, 30), 4 * 70) == glider(1 + 70, 30 + 70);

  std::mt19937 engine(1970);
  grid random(rows * words);
  for (word &each : random)
    each = static_cast<word>(engine() & engine());
  right = right && play(queue, random, 25) == one_cell_at_a_time(random, 25);
  std::printf("game of life: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
