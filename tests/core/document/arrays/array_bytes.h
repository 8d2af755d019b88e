// Archives, safetensors and GGUF as tests make them, by hand.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/document/npy_bytes.h"

namespace attn::test {

inline std::string little_endian(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 255U);
  return text;
}

inline std::uint32_t checksum_of(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

inline std::string deflated(std::string bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() + 1024, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct ZipEntry {
  std::string name, bytes;
  bool packed = false;
  std::uint64_t stated = 0;  // size that the directory states; 0: the true one
};

// `large`: with 64-bit sizes, as NumPy writes archives.
inline std::string zip_of(const std::vector<ZipEntry>& entries, bool large = false) {
  std::string file, directory;
  for (const auto& [name, bytes, packed, stated] : entries) {
    const std::string data = packed ? deflated(bytes) : bytes;
    const std::uint64_t size = stated != 0 ? stated : bytes.size(), begin = file.size();
    const std::string sum = little_endian(checksum_of(bytes), 4);
    const std::string method = little_endian(packed ? 8 : 0, 2);
    const auto small = [&](std::uint64_t value) {
      return large ? std::string(4, '\xFF') : little_endian(value, 4);
    };
    const std::string extra = large ? little_endian(1, 2) + little_endian(24, 2) +
                                          little_endian(size, 8) + little_endian(data.size(), 8) +
                                          little_endian(begin, 8)
                                    : "";
    file += "PK\x03\x04" + little_endian(20, 2) + little_endian(0, 2) + method +
            little_endian(0, 4) + sum + little_endian(data.size(), 4) + little_endian(size, 4) +
            little_endian(name.size(), 2) + little_endian(0, 2) + name + data;
    directory += "PK\x01\x02" + little_endian(20, 2) + little_endian(20, 2) + little_endian(0, 2) +
                 method + little_endian(0, 4) + sum + small(data.size()) + small(size) +
                 little_endian(name.size(), 2) + little_endian(extra.size(), 2) +
                 little_endian(0, 2) + little_endian(0, 8) + small(begin) + name + extra;
  }
  const std::uint64_t at = file.size(), count = entries.size();
  file += directory;
  if (large) {
    const std::uint64_t record = file.size();
    file += "PK\x06\x06" + little_endian(44, 8) + little_endian(45, 4) + little_endian(0, 8) +
            little_endian(count, 8) + little_endian(count, 8) + little_endian(directory.size(), 8) +
            little_endian(at, 8);
    file += "PK\x06\x07" + little_endian(0, 4) + little_endian(record, 8) + little_endian(1, 4);
  }
  return file + "PK\x05\x06" + little_endian(0, 4) + little_endian(count, 2) +
         little_endian(count, 2) + little_endian(directory.size(), 4) +
         (large ? std::string(4, '\xFF') : little_endian(at, 4)) + little_endian(0, 2);
}

inline std::string safetensors(const std::string& header, const std::string& data) {
  return little_endian(header.size(), 8) + header + data;
}

// GGUF version 3 with one value of metadata of each kind; tensors are aligned to 32 bytes.
struct GgufTensor {
  std::string name;
  std::vector<std::uint64_t> extents;  // innermost first
  std::uint32_t type;
  std::string data;
};
inline std::string gguf(const std::vector<GgufTensor>& tensors) {
  const auto text = [](const std::string& value) { return little_endian(value.size(), 8) + value; };
  std::string head =
      "GGUF" + little_endian(3, 4) + little_endian(tensors.size(), 8) + little_endian(3, 8);
  head += text("general.name") + little_endian(8, 4) + text("tiny");
  head += text("layers") + little_endian(4, 4) + little_endian(2, 4);
  head += text("tokens") + little_endian(9, 4) + little_endian(8, 4) + little_endian(2, 8) +
          text("a") + text("b");
  std::string data;
  for (const GgufTensor& tensor : tensors) {
    head += text(tensor.name) + little_endian(tensor.extents.size(), 4);
    for (const std::uint64_t extent : tensor.extents) head += little_endian(extent, 8);
    head += little_endian(tensor.type, 4) + little_endian(data.size(), 8);
    data += tensor.data;
    data.resize((data.size() + 31) / 32 * 32, '\0');
  }
  head.resize((head.size() + 31) / 32 * 32, '\0');
  return head + data;
}

}  // namespace attn::test
