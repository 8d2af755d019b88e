// Files of NumPy as tests make them, by hand.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace attn::test {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Writes a header as NumPy does: it ends in a line break and is long enough to align the numbers.
inline std::string npy_with_header(std::string header, std::string_view numbers, int version = 1) {
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t before = 8 + length_bytes;
  while ((before + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) {
    bytes += static_cast<char>(header.size() >> (8 * i) & 255U);
  }
  return bytes + header + std::string(numbers);
}

inline std::string npy(const std::string& descr, const std::string& shape, std::string_view numbers,
                       bool fortran_order = false, int version = 1) {
  return npy_with_header("{'descr': '" + descr + "', 'fortran_order': " +
                             (fortran_order ? "True" : "False") + ", 'shape': " + shape + ", }",
                         numbers, version);
}

inline std::string float_npy(const std::string& shape, const std::vector<float>& values) {
  return npy("<f4", shape, bytes_of(values));
}

}  // namespace attn::test
