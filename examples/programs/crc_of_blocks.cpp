// The CRC-32 of a text, computed in parallel: each work-item computes the checksum of one block
// with a table of 256 entries in local memory, and pairs of neighbours are combined in a tree. To
// append n bytes to a block is a multiplication of its checksum by x^8n, modulo the polynomial of
// the CRC. The host divides bit by bit; a known checksum shows that both are the usual CRC.
#include <sycl/sycl.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

constexpr std::uint32_t polynomial = 0xEDB88320; // the highest coefficient is bit 0
constexpr std::size_t block = 64, group_size = 32, groups = 6, n = block * group_size * groups;

constexpr std::uint32_t times_x(std::uint32_t value) {
  return value >> 1 ^ (value & 1 ? polynomial : 0);
}

constexpr std::uint32_t product(std::uint32_t left, std::uint32_t right) {
  std::uint32_t sum = 0;
  for (; left; left <<= 1, right = times_x(right))
    if (left & 0x80000000)
      sum ^= right;
  return sum;
}

// x to the power of 8 * bytes.
constexpr std::uint32_t appended(std::size_t bytes) {
  std::uint32_t result = 0x80000000, square = 0x00800000; // 1 and x^8
  for (; bytes; bytes >>= 1, square = product(square, square))
    if (bytes & 1)
      result = product(result, square);
  return result;
}

static std::uint32_t bit_by_bit(std::string_view text) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (char each : text) {
    crc ^= static_cast<std::uint8_t>(each);
    for (int bit = 0; bit < 8; ++bit)
      crc = times_x(crc);
  }
  return ~crc;
}

int main() {
  std::vector<char> text(n);
  for (std::size_t i = 0; i < n; ++i)
    text[i] = static_cast<char>(' ' + i * i / 7 % 95);

  std::uint32_t crc = 0;
  {
    sycl::queue queue;
    sycl::buffer text_buffer(text);
    sycl::buffer<std::uint32_t> crcs{sycl::range<1>(groups)};
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor letter(text_buffer, handler, sycl::read_only);
      sycl::accessor result(crcs, handler, sycl::write_only, sycl::no_init);
      sycl::local_accessor<std::uint32_t> table(256, handler), partial(group_size, handler);
      handler.parallel_for(
          sycl::nd_range<1>(groups * group_size, group_size), [=](sycl::nd_item<1> item) {
            const std::size_t local = item.get_local_id(0);
            for (std::size_t i = local; i < 256; i += group_size) {
              auto value = static_cast<std::uint32_t>(i);
              for (int bit = 0; bit < 8; ++bit)
                value = times_x(value);
              table[i] = value;
            }
            sycl::group_barrier(item.get_group());

            const std::size_t first = item.get_global_id(0) * block;
            std::uint32_t crc = 0;
            for (std::size_t i = first; i < first + block; ++i)
              crc = table[(crc ^ static_cast<std::uint8_t>(letter[i])) & 0xFF] ^ crc >> 8;
            partial[local] = crc;

            std::uint32_t shift = appended(block); // by the length of the right neighbour
            for (std::size_t step = 1; step < group_size; step *= 2) {
              sycl::group_barrier(item.get_group());
              if (local % (2 * step) == 0)
                partial[local] = product(partial[local], shift) ^ partial[local + step];
              shift = product(shift, shift);
            }
            if (local == 0)
              result[item.get_group(0)] = partial[0];
          });
    });
    queue
        .submit([&](sycl::handler &handler) {
          sycl::accessor part(crcs, handler, sycl::read_only_host_task);
          handler.host_task([=, &crc] {
            crc = 0xFFFFFFFF; // ones before the first byte, and all bits inverted at the end
            for (std::uint32_t each : part)
              crc = product(crc, appended(block * group_size)) ^ each;
            crc = ~crc;
          });
        })
        .wait();
  }

  const bool right = bit_by_bit("123456789") == 0xCBF43926 &&
                     crc == bit_by_bit(std::string_view(text.data(), text.size()));
  std::printf("CRC-32 of %zu bytes is %08X: %s\n", n, crc, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
