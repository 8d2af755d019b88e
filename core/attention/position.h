// How a model knows where a token stands: what is added to embeddings, or turned in queries and
// keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/tensor.h"

namespace attn {

enum class PositionKind {
  None,
  Sinusoidal,  // added to embeddings (Vaswani et al. 2017)
  Learned,     // a given table, added to embeddings
  Rope,        // pairs of columns of queries and keys turned by their position (Su et al. 2021)
};
inline constexpr std::size_t kPositionKinds = 4;  // rows of every table of them

enum class PositionLayout {
  Interleaved,  // sinusoidal: sin, cos, sin, cos …; rope: columns 2i and 2i + 1 make a pair
  Halves,       // sinusoidal: all sines, then all cosines; rope: columns i and i + width / 2
};

enum class RopeScaling {
  None,
  Linear,  // positions divided by `factor` (Chen et al. 2023)
  Ntk,     // base times factor^(d / (d − 2)), which slows the slow columns most
};

// A value.
struct Position {
  PositionKind kind = PositionKind::None;
  PositionLayout layout = PositionLayout::Interleaved;
  float base = 10000.0F;  // > 0: the longest wavelength is 2π · base
  Tensor table;           // Learned: (n or more, width)
  RopeScaling scaling = RopeScaling::None;
  float factor = 1.0F;         // of the scaling, > 0
  std::size_t rotary_dim = 0;  // first columns that Rope turns, even; 0: all
  friend bool operator==(const Position&, const Position&) = default;
};

struct PositionKindInfo {
  PositionKind kind;
  std::string_view name;  // "rope": in JSON
  std::string_view label;
  std::string_view formula;
  std::string_view sentence;
  // What is added to an embedding, in double; null for kinds that add nothing.
  double (*value)(const Position&, std::int64_t position, std::size_t col, std::size_t width);
  bool turns;                   // queries and keys: rotary_dim, scaling and factor matter
  bool waves;                   // layout and base matter
  bool has_table;               // what is added was learned
  PositionLayout usual_layout;  // of most models of today, or of the paper

  bool acts() const { return value != nullptr || turns; }
};

std::span<const PositionKindInfo> all_position_kinds();
const PositionKindInfo& position_info(PositionKind kind);

// Of `position`'s kind: whether it is added to embeddings, turns queries and keys, does either.
bool is_added(const Position& position);
bool is_turned(const Position& position);
bool is_there(const Position& position);

// Where row `row` stands when row 0 stands at `first`. Beyond the largest number it stays there.
std::int64_t position_of_row(std::int64_t first, std::size_t row);

// What is added to the embedding at `position` in column `col` of `width`, computed in double.
// Precondition: is_added; a table that has the row.
double position_value(const Position& encoding, std::int64_t position, std::size_t col,
                      std::size_t width);

// rotary_dim, or `width` when it is 0.
std::size_t rotary_width(const Position& encoding, std::size_t width);

// The angle in radians by which pair number `pair` of `width` rotary columns turns at `position`.
double rope_angle(const Position& encoding, std::int64_t position, std::size_t pair,
                  std::size_t width);

// The columns of a pair.
struct RopePair {
  std::size_t first = 0;
  std::size_t second = 0;
};
RopePair rope_pair(PositionLayout layout, std::size_t pair, std::size_t width);

}  // namespace attn
