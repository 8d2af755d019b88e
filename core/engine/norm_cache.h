// What is known of the rows of each head, so that any cell of weights can be made by itself.
// Internal to the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "attention/mask.h"
#include "engine/head_tiles.h"
#include "engine/kernels/normalise.h"

namespace attn {

// Safe to use from several threads. Takes memory for a head when its first row becomes known.
class NormCache {
 public:
  NormCache(std::size_t heads, std::size_t rows) : heads_(heads), rows_(rows) {}

  // Copies what is known of the rows and returns the numbers, among these rows, of those that are
  // not.
  std::vector<RowSpan> read(std::size_t head, const HeadRows& rows, std::span<RowNorm> norms) const;

  void keep(std::size_t head, const HeadRows& rows, std::span<const RowNorm> norms);

  // Takes over what another cache knows of a head. `adjust`, where it is not empty, makes of a
  // row's norm what it became by an edit, or says that it cannot. A norm that was adjusted 64 times
  // since it was computed is forgotten: roundings add up.
  using Adjust = std::function<bool(std::size_t row, RowNorm& norm)>;
  void take_over(std::size_t head, const NormCache& before, const Adjust& adjust);
  void forget(std::size_t head, std::size_t row);
  bool is_empty(std::size_t head) const;

 private:
  struct Head {
    std::vector<RowNorm> norms;
    std::vector<std::uint8_t> age;  // 0: not known; else 1 and how often it was adjusted
  };
  mutable std::mutex mutex_;
  std::vector<Head> heads_;
  std::size_t rows_;
};

}  // namespace attn
