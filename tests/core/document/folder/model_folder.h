// Folders of models as tests write them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/tensor.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn::test {

struct Array {
  Shape shape = {};
  std::vector<float> numbers = {};
};
using Arrays = std::map<std::string, Array>;

inline std::string safetensors_of(const Arrays& arrays) {
  std::string header = "{", bytes;
  for (const auto& [name, array] : arrays) {
    const std::string data = bytes_of(array.numbers);
    std::string shape;
    for (const std::size_t extent : array.shape) {
      shape += (shape.empty() ? "" : ",") + std::to_string(extent);
    }
    header += (header.size() == 1 ? "\"" : ",\"") + name + "\":{\"dtype\":\"F32\",\"shape\":[" +
              shape + "],\"data_offsets\":[" + std::to_string(bytes.size()) + "," +
              std::to_string(bytes.size() + data.size()) + "]}";
    bytes += data;
  }
  return safetensors(header + "}", bytes);
}

// A folder with config.json and model.safetensors.
class ModelFolder {
 public:
  ModelFolder(const std::string& config, const Arrays& arrays) {
    write("config.json", config);
    write("model.safetensors", safetensors_of(arrays));
  }
  void write(const std::string& name, const std::string& bytes) const {
    EXPECT_TRUE(write_file_atomically(folder_.file(name), bytes, Overwrite::Replace).ok());
  }
  const std::string& path() const { return folder_.path(); }
  std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  TemporaryFolder folder_;
};

}  // namespace attn::test
