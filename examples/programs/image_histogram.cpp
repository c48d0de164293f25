// Evens out the brightness of a picture. The first kernel counts each colour and the brightness in
// local memory, by atomic additions, before a work-group adds its counts to those of the picture.
// The second is one work-group that turns the counts of the brightness into a cumulative
// distribution; from this, the third scales the colours of each pixel.
#include <sycl/sycl.hpp>

#include <array>
#include <cstdio>
#include <vector>

constexpr std::size_t width = 200, height = 150, pixels = width * height;
constexpr std::size_t levels = 256, channels = 4, group_size = 256;

static unsigned char brightness(sycl::uchar4 pixel) {
  return static_cast<unsigned char>((77 * pixel.x() + 150 * pixel.y() + 29 * pixel.z()) >> 8);
}

static sycl::uchar4 brighter(sycl::uchar4 pixel, unsigned from, unsigned to) {
  if (from == 0)
    return pixel;
  const sycl::uint4 scaled = pixel.convert<unsigned>() * to / from;
  return sycl::min(scaled, sycl::uint4(255u)).convert<unsigned char>();
}

using local_count =
    sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                     sycl::access::address_space::local_space>;
using global_count =
    sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device,
                     sycl::access::address_space::global_space>;

static sycl::event count(sycl::queue &queue, const sycl::uchar4 *picture, unsigned *counts,
                         sycl::event ready) {
  return queue.submit([&](sycl::handler &handler) {
    handler.depends_on(ready);
    sycl::local_accessor<unsigned, 2> bins({channels, levels}, handler);
    const sycl::nd_range<1> launch(8 * group_size, group_size);
    handler.parallel_for(launch, [=](sycl::nd_item<1> item) {
      const std::size_t lane = item.get_local_id(0);
      for (std::size_t channel = 0; channel < channels; ++channel)
        bins[channel][lane] = 0;
      sycl::group_barrier(item.get_group());
      for (std::size_t i = item.get_global_id(0); i < pixels; i += item.get_global_range(0)) {
        const sycl::uchar4 pixel = picture[i];
        local_count(bins[0][pixel.x()]).fetch_add(1);
        local_count(bins[1][pixel.y()]).fetch_add(1);
        local_count(bins[2][pixel.z()])++;
        ++local_count(bins[3][brightness(pixel)]);
      }
      sycl::group_barrier(item.get_group());
      for (std::size_t channel = 0; channel < channels; ++channel)
        global_count(counts[channel * levels + lane]) += bins[channel][lane];
    });
  });
}

static sycl::event distribution(sycl::queue &queue, const unsigned *counts, unsigned char *table,
                                sycl::event counted) {
  return queue.parallel_for(sycl::nd_range<1>(levels, levels), counted, [=](sycl::nd_item<1> item) {
    const std::size_t level = item.get_local_linear_id();
    const unsigned up_to =
        sycl::inclusive_scan_over_group(item.get_group(), counts[level], sycl::plus<>());
    table[level] = static_cast<unsigned char>(up_to * 255 / pixels);
  });
}

int main() {
  std::vector<sycl::uchar4> picture(pixels); // dark, with a lighter disc
  for (std::size_t i = 0; i < pixels; ++i) {
    const int y = static_cast<int>(i / width) - 75, x = static_cast<int>(i % width) - 100;
    const int base = x * x + y * y < 2500 ? 90 : 20;
    picture[i] = sycl::uchar4(base + (x * 7 + y * 3) % 13 + 13, base + (x * y) % 11 + 11,
                              base + (i * 5) % 17, 255);
  }

  // On the host, pixel by pixel.
  std::array<std::array<unsigned, levels>, channels> expected_counts{};
  for (sycl::uchar4 pixel : picture) {
    for (int channel = 0; channel < 3; ++channel)
      ++expected_counts[channel][pixel[channel]];
    ++expected_counts[3][brightness(pixel)];
  }
  std::array<unsigned, levels> expected_table{};
  for (unsigned level = 0, sum = 0; level < levels; ++level)
    expected_table[level] = (sum += expected_counts[3][level]) * 255 / pixels;

  sycl::queue queue;
  auto *image = sycl::malloc_device<sycl::uchar4>(pixels, queue);
  unsigned *counts = sycl::malloc_shared<unsigned>(channels * levels, queue);
  unsigned char *table = sycl::malloc_shared<unsigned char>(levels, queue);
  sycl::event loaded = queue.copy(picture.data(), image, pixels);
  queue.memset(counts, 0, channels * levels * sizeof(unsigned)).wait();
  sycl::event counted = count(queue, image, counts, loaded);
  sycl::event known = distribution(queue, counts + 3 * levels, table, counted);
  sycl::event evened = queue.parallel_for(sycl::range(pixels), known, [=](sycl::id<1> i) {
    const unsigned char own = brightness(image[i]);
    image[i] = brighter(image[i], own, table[own]);
  });
  std::vector<sycl::uchar4> result(pixels);
  queue.copy(image, result.data(), pixels, evened).wait();

  std::size_t wrong = 0;
  for (std::size_t i = 0; i < channels * levels; ++i)
    wrong += counts[i] != expected_counts[i / levels][i % levels];
  for (std::size_t i = 0; i < pixels; ++i) {
    const unsigned from = brightness(picture[i]);
    for (int channel = 0; channel < 3; ++channel) {
      const unsigned scaled = picture[i][channel] * expected_table[from] / from;
      wrong += result[i][channel] != (scaled < 255 ? scaled : 255);
    }
  }
  sycl::free(image, queue);
  sycl::free(counts, queue);
  sycl::free(table, queue);
  std::printf("image histogram: %zu wrong\n", wrong);
  return wrong != 0;
}
