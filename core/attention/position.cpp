// Table of position kinds, with their angles and waves.
#include "attention/position.h"

#include <array>
#include <cmath>
#include <limits>

#include "base/enum_table.h"

namespace attn {
namespace {

double power(double base, double numerator, std::size_t denominator) {
  return std::pow(base, numerator / static_cast<double>(denominator));
}

// Angle in radians of column pair `pair` at `position`.
double phase_of(double base, double position, std::size_t pair, std::size_t width) {
  return position * power(base, -2.0 * static_cast<double>(pair), width);
}

double sinusoidal_value(const Position& encoding, std::int64_t position, std::size_t col,
                        std::size_t width) {
  const std::size_t sines = (width + 1) / 2;
  const bool halves = encoding.layout == PositionLayout::Halves;
  const bool is_sine = halves ? col < sines : col % 2 == 0;
  const std::size_t pair = halves ? (is_sine ? col : col - sines) : col / 2;
  const double phase =
      phase_of(static_cast<double>(encoding.base), static_cast<double>(position), pair, width);
  return is_sine ? std::sin(phase) : std::cos(phase);
}

double learned_value(const Position& encoding, std::int64_t position, std::size_t col,
                     std::size_t /*of the table*/) {
  const std::size_t columns = encoding.table.extent(1);
  return static_cast<double>(encoding.table[static_cast<std::size_t>(position) * columns + col]);
}

constexpr std::array<PositionKindInfo, count_of<PositionKind>()> kPositionTable{{
    {PositionKind::None, "none", "None", "X", "Attention alone does not know the order of tokens",
     nullptr, false, false, false, PositionLayout::Interleaved},
    {PositionKind::Sinusoidal, "sinusoidal", "Sinusoidal", "X + sin, cos(pos / base^(2i/d))",
     "Waves of different length are added to the embeddings", sinusoidal_value, false, true, false,
     PositionLayout::Interleaved},
    {PositionKind::Learned, "learned", "Learned", "X + P",
     "A learned row for each position is added to the embeddings", learned_value, false, false,
     true, PositionLayout::Interleaved},
    {PositionKind::Rope, "rope", "Rotary (RoPE)", "R(pos) q, R(pos) k",
     "Pairs of columns of queries and keys are rotated, so that scores depend on distance", nullptr,
     true, true, false, PositionLayout::Halves},
}};
static_assert(is_indexed_by(kPositionTable, &PositionKindInfo::kind));

}  // namespace

std::span<const PositionKindInfo> all_position_kinds() { return kPositionTable; }

const PositionKindInfo& position_info(PositionKind kind) { return row_of(kPositionTable, kind); }

bool is_added(const Position& position) { return position_info(position.kind).value != nullptr; }

bool is_turned(const Position& position) { return position_info(position.kind).turns; }

bool is_there(const Position& position) { return position_info(position.kind).acts(); }

std::int64_t position_of_row(std::int64_t first, std::size_t row) {
  std::int64_t position = 0;
  const bool beyond = __builtin_add_overflow(first, static_cast<std::int64_t>(row), &position);
  return beyond ? std::numeric_limits<std::int64_t>::max() : position;
}

double position_value(const Position& encoding, std::int64_t position, std::size_t col,
                      std::size_t width) {
  return position_info(encoding.kind).value(encoding, position, col, width);
}

std::size_t rotary_width(const Position& encoding, std::size_t width) {
  return encoding.rotary_dim == 0 ? width : encoding.rotary_dim;
}

double rope_angle(const Position& encoding, std::int64_t position, std::size_t pair,
                  std::size_t width) {
  auto base = static_cast<double>(encoding.base);
  auto at = static_cast<double>(position);
  const auto factor = static_cast<double>(encoding.factor);
  if (encoding.scaling == RopeScaling::Linear) at /= factor;
  if (encoding.scaling == RopeScaling::Ntk && width > 2) {
    base *= power(factor, static_cast<double>(width), width - 2);
  }
  return phase_of(base, at, pair, width);
}

std::pair<std::size_t, std::size_t> rope_pair(PositionLayout layout, std::size_t pair,
                                              std::size_t width) {
  if (layout == PositionLayout::Interleaved) return {2 * pair, 2 * pair + 1};
  return {pair, pair + width / 2};
}

}  // namespace attn
