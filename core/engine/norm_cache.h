// What is known of the rows of each head, so that any cell of weights can be made by itself.
// Internal to the engine.
#pragma once

#include <cstddef>
#include <cstdint>
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

 private:
  struct Head {
    std::vector<RowNorm> norms;
    std::vector<bool> known;
  };
  mutable std::mutex mutex_;
  std::vector<Head> heads_;
  std::size_t rows_;
};

}  // namespace attn
