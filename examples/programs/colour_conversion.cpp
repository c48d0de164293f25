// Pictures of uchar4: to grey by luma, to linear light and back, and premultiplied by alpha, with
// conversions between vectors of integers and of floats. The host computes the same with integers
// and doubles.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

using sycl::float3;
using sycl::float4;
using sycl::uchar4;

static uchar4 to_bytes(const float4 &colour) {
  return sycl::clamp(colour, 0.0f, 255.0f).convert<std::uint8_t, sycl::rounding_mode::rte>();
}

static uchar4 grey(const uchar4 &pixel) {
  sycl::uint3 rgb =
      pixel.swizzle<sycl::elem::r, sycl::elem::g, sycl::elem::b>().convert<std::uint32_t>();
  sycl::uint3 weighted = rgb * sycl::uint3(77, 150, 29); // of 256
  auto luma = static_cast<std::uint8_t>((weighted.x() + weighted.y() + weighted.z()) >> 8);
  return uchar4(luma, luma, luma, pixel.a());
}

static uchar4 premultiplied(const uchar4 &pixel) {
  float4 colour = pixel.convert<float>();
  float alpha = colour.a() / 255.0f;
  return to_bytes(float4(colour.swizzle<0, 1, 2>() * alpha, colour.a()));
}

// Half as bright, in linear light of gamma 2.
static uchar4 darkened(const uchar4 &pixel) {
  float4 colour = pixel.convert<float>() / 255.0f;
  float4 linear = colour * colour * 0.5f;
  float4 result = sycl::sqrt(linear) * 255.0f;
  result.a() = pixel.a();
  return to_bytes(result);
}

int main() {
  constexpr std::size_t n = 4096;
  std::vector<uchar4> picture(n), greys(n), products(n), darker(n);
  for (std::size_t i = 0; i < n; ++i)
    picture[i] = uchar4(i % 256, i / 16 % 256, (i * 37 + 11) % 256, (i * 91) % 256);

  sycl::queue queue;
  {
    sycl::buffer in_buffer(picture), grey_buffer(greys), product_buffer(products);
    sycl::buffer dark_buffer(darker);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor in(in_buffer, handler, sycl::read_only);
      sycl::accessor out_grey(grey_buffer, handler, sycl::write_only, sycl::no_init);
      sycl::accessor out_product(product_buffer, handler, sycl::write_only, sycl::no_init);
      sycl::accessor out_dark(dark_buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
        out_grey[i] = grey(in[i]);
        out_product[i] = premultiplied(in[i]);
        out_dark[i] = darkened(in[i]);
      });
    });
  }

  int errors = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const uchar4 p = picture[i];
    int luma = (77 * p.r() + 150 * p.g() + 29 * p.b()) / 256;
    errors += greys[i].r() != luma || greys[i].b() != luma || greys[i].a() != p.a();
    for (int c = 0; c < 3; ++c) {
      double product = p[c] * (p.a() / 255.0), dark = p[c] * std::sqrt(0.5);
      errors += std::fabs(products[i][c] - product) > 0.5001;
      errors += std::fabs(darker[i][c] - dark) > 0.5001;
    }
  }
  std::printf("colours: %d errors\n", errors);
  return errors != 0;
}
