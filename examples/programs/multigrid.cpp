// A multigrid method for -u'' = f on an interval: on each of several grids, a few steps of a damped
// Jacobi iteration remove the short waves of the error; the residual goes to a grid with half as
// many points, whose solution corrects this one. The number of such cycles does not depend on the
// number of points. The host solves the same tridiagonal equations by elimination.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

using numbers = sycl::buffer<float>;

// A grid of `inside` points between two points with value zero.
struct grid {
  explicit grid(std::size_t inside)
      : inside(inside), squared_spacing(1.0f / static_cast<float>((inside + 1) * (inside + 1))),
        solution(inside + 2), scratch(inside + 2), source(inside + 2), residual(inside + 2) {}

  std::size_t inside;
  float squared_spacing;
  numbers solution, scratch, source, residual;
};

static void clear(sycl::queue &queue, numbers &values) {
  queue.submit([&](sycl::handler &handler) {
    handler.fill(sycl::accessor{values, handler, sycl::write_only, sycl::no_init}, 0.0f);
  });
}

static void smooth(sycl::queue &queue, grid &on, int times) {
  for (int i = 0; i < times; ++i) {
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor old{on.solution, handler, sycl::read_only};
      sycl::accessor source{on.source, handler, sycl::read_only};
      sycl::accessor now{on.scratch, handler, sycl::write_only};
      handler.parallel_for(on.inside, [=, square = on.squared_spacing](std::size_t point) {
        const std::size_t i = point + 1;
        const float jacobi = 0.5f * (old[i - 1] + old[i + 1] + square * source[i]);
        now[i] = old[i] + 2.0f / 3 * (jacobi - old[i]);
      });
    });
    std::swap(on.solution, on.scratch);
  }
}

static void compute_residual(sycl::queue &queue, grid &on) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor u{on.solution, handler, sycl::read_only};
    sycl::accessor source{on.source, handler, sycl::read_only};
    sycl::accessor residual{on.residual, handler, sycl::write_only};
    handler.parallel_for(on.inside, [=, square = on.squared_spacing](sycl::id<1> point) {
      const auto i = point + 1;
      residual[i] = source[i] + (u[i - 1] - 2 * u[i] + u[i + 1]) / square;
    });
  });
}

static void restrict_to(sycl::queue &queue, grid &fine, grid &coarse) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor from{fine.residual, handler, sycl::read_only};
    sycl::accessor to{coarse.source, handler, sycl::write_only};
    handler.parallel_for(coarse.inside, [=](sycl::item<1> item) {
      const std::size_t i = item + 1;
      to[i] = 0.25f * (from[2 * i - 1] + 2 * from[2 * i] + from[2 * i + 1]);
    });
  });
}

static void correct(sycl::queue &queue, grid &fine, grid &coarse) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor from{coarse.solution, handler, sycl::read_only};
    sycl::accessor to{fine.solution, handler, sycl::read_write};
    handler.parallel_for(fine.inside, [=](auto item) {
      const std::size_t i = item + 1;
      to[i] += i % 2 == 0 ? from[i / 2] : 0.5f * (from[i / 2] + from[i / 2 + 1]);
    });
  });
}

static void cycle(sycl::queue &queue, std::vector<grid> &grids, std::size_t level) {
  grid &fine = grids[level];
  if (level + 1 == grids.size()) {
    smooth(queue, fine, 40);
    return;
  }
  grid &coarse = grids[level + 1];
  smooth(queue, fine, 2);
  compute_residual(queue, fine);
  restrict_to(queue, fine, coarse);
  clear(queue, coarse.solution);
  cycle(queue, grids, level + 1);
  correct(queue, fine, coarse);
  smooth(queue, fine, 2);
}

// The algorithm of Thomas for the equations of the finest grid.
static std::vector<double> eliminate(const std::vector<float> &source, double square) {
  std::vector<double> u(source.size(), 0.0), factor(source.size(), 0.0);
  for (std::size_t i = 1; i + 1 < source.size(); ++i) {
    const double pivot = 2 - factor[i - 1];
    factor[i] = 1 / pivot;
    u[i] = (square * source[i] + u[i - 1]) / pivot;
  }
  for (std::size_t i = source.size() - 2; i > 0; --i)
    u[i] += factor[i] * u[i + 1];
  return u;
}

int main() {
  constexpr std::size_t finest = 255;
  std::vector<float> source(finest + 2);
  for (std::size_t i = 0; i < source.size(); ++i)
    source[i] = (i > 40 && i < 90 ? 30.0f : 0.0f) + 10 * std::sin(0.2f * static_cast<float>(i));

  sycl::queue queue;
  std::vector<grid> grids;
  for (std::size_t inside = finest; inside >= 3; inside /= 2)
    grids.emplace_back(inside);
  for (grid &each : grids) {
    clear(queue, each.solution);
    clear(queue, each.scratch);
  }
  queue.submit([&](sycl::handler &handler) {
    handler.copy(source.data(), sycl::accessor(grids[0].source, handler, sycl::write_only));
  });
  for (int i = 0; i < 8; ++i)
    cycle(queue, grids, 0);

  const std::vector<double> expected = eliminate(source, 1.0 / ((finest + 1.0) * (finest + 1.0)));
  sycl::host_accessor result(grids[0].solution, sycl::read_only);
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error = std::fmax(error, std::fabs(result[i] - expected[i]));
    largest = std::fmax(largest, std::fabs(expected[i]));
  }
  const bool right = grids.size() == 7 && error < 1e-3 * largest;
  std::printf("multigrid on %zu grids: %s\n", grids.size(), right ? "ok" : "wrong");
  return right ? 0 : 1;
}
