// Array files written in order, row by row: .npy, .npz as numpy.savez stores it, and .safetensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/tensor.h"

namespace attn {

enum class ArrayFileFormat { Npy, Npz, Safetensors };

struct WrittenArray {
  std::string name;
  Shape shape;  // of float32, row-major
};

// Appends a file to `out`, which may be emptied between calls. The numbers of all arrays follow
// each other in the order of `arrays`; .npy has one of them.
class ArrayWriter {
 public:
  // `note`: JSON stored with the arrays, as array_file.h reads it; .npy files have none.
  ArrayWriter(ArrayFileFormat format, std::vector<WrittenArray> arrays, const std::string& note,
              std::string& out);

  // Appends the next numbers, which belong to one array.
  void append(std::span<const float> numbers);

  // Completes the file. Precondition: all numbers were appended.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint64_t begin = 0, size = 0;
    std::uint32_t checksum = 0;
  };

  void begin_array();
  void begin_member(const std::string& name, std::uint64_t size);
  void end_member();
  void write(std::string_view bytes);

  ArrayFileFormat format_;
  std::vector<WrittenArray> arrays_;
  std::string& out_;
  std::size_t array_ = 0, left_ = 0;  // numbers of the array that are missing
  std::uint64_t written_ = 0;         // bytes of the file
  std::vector<Member> members_;
};

}  // namespace attn
