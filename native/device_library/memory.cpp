// <cstring> and <cstdlib>: functions on memory and strings, and quotients with their remainders.
// Clang replaces copies by instructions before it calls functions for them.

#include "library.h"

#include <cstdlib>
#include <cstring>

using Byte = unsigned char;

DOVETAIL_LIBRARY int memcmp(const void *left, const void *right, std::size_t size) noexcept {
  const Byte *a = static_cast<const Byte *>(left), *b = static_cast<const Byte *>(right);
  for (std::size_t i = 0; i < size; ++i)
    if (a[i] != b[i])
      return a[i] - b[i];
  return 0;
}

DOVETAIL_LIBRARY int bcmp(const void *left, const void *right, std::size_t size) noexcept {
  return memcmp(left, right, size);
}

DOVETAIL_LIBRARY std::size_t strlen(const char *text) noexcept {
  std::size_t length = 0;
  while (text[length])
    ++length;
  return length;
}

DOVETAIL_LIBRARY int strncmp(const char *left, const char *right, std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) {
    Byte a = static_cast<Byte>(left[i]), b = static_cast<Byte>(right[i]);
    if (a != b || !a)
      return a - b;
  }
  return 0;
}

DOVETAIL_LIBRARY int strcmp(const char *left, const char *right) noexcept {
  return strncmp(left, right, static_cast<std::size_t>(-1));
}

DOVETAIL_LIBRARY char *strcpy(char *to, const char *from) noexcept {
  std::size_t i = 0;
  do
    to[i] = from[i];
  while (from[i++]);
  return to;
}

DOVETAIL_LIBRARY char *strncpy(char *to, const char *from, std::size_t size) noexcept {
  std::size_t i = 0;
  for (; i < size && from[i]; ++i)
    to[i] = from[i];
  for (; i < size; ++i)
    to[i] = 0;
  return to;
}

DOVETAIL_LIBRARY char *strcat(char *to, const char *from) noexcept {
  strcpy(to + strlen(to), from);
  return to;
}

// In C++, glibc declares these with two signatures and one symbol.

[[clang::sycl_external]] const void *findByte(const void *memory, int value,
                                              std::size_t size) __asm__("memchr");
const void *findByte(const void *memory, int value, std::size_t size) {
  const Byte *bytes = static_cast<const Byte *>(memory);
  for (std::size_t i = 0; i < size; ++i)
    if (bytes[i] == static_cast<Byte>(value))
      return bytes + i;
  return nullptr;
}

[[clang::sycl_external]] const char *findFirst(const char *text, int letter) __asm__("strchr");
const char *findFirst(const char *text, int letter) {
  for (;; ++text) {
    if (*text == static_cast<char>(letter))
      return text;
    if (!*text)
      return nullptr;
  }
}

[[clang::sycl_external]] const char *findLast(const char *text, int letter) __asm__("strrchr");
const char *findLast(const char *text, int letter) {
  const char *found = nullptr;
  do
    if (*text == static_cast<char>(letter))
      found = text;
  while (*text++);
  return found;
}

[[clang::sycl_external]] const char *findText(const char *text, const char *part) __asm__("strstr");
const char *findText(const char *text, const char *part) {
  std::size_t length = strlen(part);
  for (;; ++text) {
    if (!strncmp(text, part, length))
      return text;
    if (!*text)
      return nullptr;
  }
}

DOVETAIL_LIBRARY div_t div(int x, int y) noexcept { return {x / y, x % y}; }
DOVETAIL_LIBRARY ldiv_t ldiv(long x, long y) noexcept { return {x / y, x % y}; }
DOVETAIL_LIBRARY lldiv_t lldiv(long long x, long long y) noexcept { return {x / y, x % y}; }
