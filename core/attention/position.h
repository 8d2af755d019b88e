// Position encodings: added to embeddings, or rotating queries and keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tensor.h"

namespace attn {

enum class PositionKind {
  None,
  Sinusoidal,  // added to embeddings (Vaswani et al. 2017)
  Learned,     // a learned table, added to embeddings
  Rope,        // rotates pairs of columns of queries and keys (Su et al. 2021)
};

enum class PositionLayout {
  Interleaved,  // sinusoidal: sin, cos, sin, cos …; rope: columns 2i and 2i + 1 form a pair
  Halves,       // sinusoidal: all sines, then all cosines; rope: columns i and i + width / 2
};

enum class RopeScaling {
  None,
  Linear,    // frequencies divided by `factor` (Chen et al. 2023)
  Ntk,       // base · factor^(d / (d − 2)), which affects slow columns most
  Llama3,    // divided where fewer than `low` turns fit into `original`, not where more than `high`
  Yarn,      // the same, mixed linearly by pair (Peng et al. 2023), with a gain
  Longrope,  // divided by a factor of each pair (Ding et al. 2024), with a gain
};

// Parameters of a position encoding.
struct Position {
  PositionKind kind = PositionKind::None;
  PositionLayout layout = PositionLayout::Interleaved;
  float base = 10000.0F;  // > 0: pair i of d columns has the wavelength 2π · base^(2i/d)
  Tensor table;           // Learned: (n or more, width)
  RopeScaling scaling = RopeScaling::None;
  float factor = 1.0F;             // of the scaling; > 0
  std::uint64_t original = 0;      // trained length; for Llama3, Yarn and Longrope, above 0
  std::optional<float> low, high;  // turns, for Llama3 and Yarn; absent: usual ones of the scaling
  bool truncate = true;            // Yarn: borders of the mixture are whole pairs
  // Longrope: one factor for each pair; short ones for at most `original` tokens, if there are any.
  std::vector<float> factors, short_factors;
  std::optional<float> gain;   // of rotated columns; absent: the usual one of the scaling
  std::size_t rotary_dim = 0;  // columns that Rope rotates, from the first; even; 0: all
  friend bool operator==(const Position&, const Position&) = default;
};

struct RopeScalingInfo {
  RopeScaling scaling;
  std::string_view name;  // name in JSON: "llama3"
  std::string_view label;
  std::string_view sentence;
  // Angle by which pair `pair` of `width` rotary columns turns from one position to the next.
  double (*frequency)(const Position&, std::size_t pair, std::size_t width);
  // Usual factor of the rotated columns.
  double (*gain)(const Position&);
  float low, high;  // usual turns; 0: has none
  bool has_factor, has_original, has_factors;
};

std::span<const RopeScalingInfo> all_rope_scalings();
const RopeScalingInfo& rope_scaling_info(RopeScaling scaling);

// The position with the factors for sequences of this many tokens.
Position for_length(Position position, std::size_t tokens);

struct PositionKindInfo {
  PositionKind kind;
  std::string_view name;  // name in JSON: "rope"
  std::string_view label;
  std::string_view formula;
  std::string_view sentence;
  // Value added to an embedding, in double; null for kinds that add nothing.
  double (*value)(const Position&, std::int64_t position, std::size_t col, std::size_t width);
  bool turns;                   // rotates queries and keys; rotary_dim, scaling and factor apply
  bool waves;                   // layout and base apply
  bool has_table;               // values are learned
  PositionLayout usual_layout;  // usual for present models, or of the paper

  bool acts() const { return value != nullptr || turns; }
};

std::span<const PositionKindInfo> all_position_kinds();
const PositionKindInfo& position_info(PositionKind kind);

// Return true if the kind is added to embeddings, rotates queries and keys, or does either.
bool is_added(const Position& position);
bool is_turned(const Position& position);
bool is_there(const Position& position);

// Rotary positions that rotate by nothing: those of a block without any among blocks that rotate.
const Position& unturned();

// Position of row `row` when row 0 has position `first`; saturates.
std::int64_t position_of_row(std::int64_t first, std::size_t row);

// Value added to the embedding at `position` in column `col` of `width`, in double. Precondition:
// is_added; a table has the row.
double position_value(const Position& encoding, std::int64_t position, std::size_t col,
                      std::size_t width);

// rotary_dim, or `width` if that is 0.
std::size_t rotary_width(const Position& encoding, std::size_t width);

// Angle in radians by which column pair `pair` of `width` rotary columns turns from one position to
// the next, and the factor of all rotary columns.
double rope_frequency(const Position& encoding, std::size_t pair, std::size_t width);
double rope_gain(const Position& encoding);

// Angle in radians by which column pair `pair` of `width` rotary columns is rotated at `position`.
double rope_angle(const Position& encoding, std::int64_t position, std::size_t pair,
                  std::size_t width);

// The two columns of a pair.
std::pair<std::size_t, std::size_t> rope_pair(PositionLayout layout, std::size_t pair,
                                              std::size_t width);

}  // namespace attn
