// Packed weights of linear maps, which computations of one model share. Internal to the engine.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "base/tensor.h"
#include "engine/kernels/packed_product.h"

namespace attn {

// Packs the matrix of a linear map, from the numbers that it is made from if there are such, and
// gives back the memory of mapped ones.
void pack_map(const Tensor& w, PackedPanels& panels, unsigned threads = 1);

// Keeps the packed matrices of maps, up to a number of bytes; those that the last two passes did
// not use make room for others. Thread-safe.
class PanelStore {
 public:
  explicit PanelStore(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  // Begins a computation, which uses some of the matrices.
  void begin_pass();

  // The matrix packed (pack_map), kept if there is room. It shares memory with the store, which
  // keeps the tensor alive meanwhile. Throws std::bad_alloc.
  std::shared_ptr<const PackedPanels> panels_of(const Tensor& w, unsigned threads = 1);

  std::uint64_t bytes() const;  // of all matrices that are kept

 private:
  struct Entry {
    Tensor w;  // keeps its address from being used by another
    std::shared_ptr<const PackedPanels> panels;
    std::uint64_t pass;  // that used it last
  };
  using Key = std::tuple<const float*, std::size_t, std::size_t>;  // first number, rows, columns

  void make_room(std::uint64_t bytes);

  mutable std::mutex mutex_;
  std::map<Key, Entry> entries_;
  std::uint64_t most_bytes_, bytes_ = 0, pass_ = 0;
};

}  // namespace attn
