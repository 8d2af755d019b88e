// Table of position kinds, with their angles and waves.
#include "attention/position.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/enum_table.h"

namespace attn {
namespace {

double power(double base, double numerator, std::size_t denominator) {
  return std::pow(base, numerator / static_cast<double>(denominator));
}

// Angle in radians of column pair `pair` from one position to the next.
double plain_frequency(double base, std::size_t pair, std::size_t width) {
  return power(base, -2.0 * static_cast<double>(pair), width);
}

double sinusoidal_value(const Position& encoding, std::int64_t position, std::size_t col,
                        std::size_t width) {
  const std::size_t sines = (width + 1) / 2;
  const bool halves = encoding.layout == PositionLayout::Halves;
  const bool is_sine = halves ? col < sines : col % 2 == 0;
  const std::size_t pair = halves ? (is_sine ? col : col - sines) : col / 2;
  const double phase = static_cast<double>(position) *
                       plain_frequency(static_cast<double>(encoding.base), pair, width);
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

double unscaled(const Position& p, std::size_t pair, std::size_t width) {
  return plain_frequency(static_cast<double>(p.base), pair, width);
}

double linear(const Position& p, std::size_t pair, std::size_t width) {
  return unscaled(p, pair, width) / static_cast<double>(p.factor);
}

double ntk(const Position& p, std::size_t pair, std::size_t width) {
  if (width <= 2) return unscaled(p, pair, width);
  const double raised = power(static_cast<double>(p.factor), static_cast<double>(width), width - 2);
  return plain_frequency(static_cast<double>(p.base) * raised, pair, width);
}

double low_turns(const Position& p) {
  return static_cast<double>(p.low.value_or(rope_scaling_info(p.scaling).low));
}

double high_turns(const Position& p) {
  return static_cast<double>(p.high.value_or(rope_scaling_info(p.scaling).high));
}

// The scaled frequency and the plain one, mixed by the share of the latter.
double mixed(const Position& p, double plain, double share) {
  return (1.0 - share) * plain / static_cast<double>(p.factor) + share * plain;
}

double llama3(const Position& p, std::size_t pair, std::size_t width) {
  const double plain = unscaled(p, pair, width);
  const double turns = static_cast<double>(p.original) * plain / (2.0 * std::numbers::pi);
  const double low = low_turns(p), high = high_turns(p);
  if (turns < low) return mixed(p, plain, 0.0);
  return mixed(p, plain, turns > high ? 1.0 : (turns - low) / (high - low));
}

// The pair, as a number between pairs, that turns so often within the trained length.
double pair_of_turns(const Position& p, double turns, std::size_t width) {
  const double length = static_cast<double>(p.original) / (turns * 2.0 * std::numbers::pi);
  return static_cast<double>(width) * std::log(length) /
         (2.0 * std::log(static_cast<double>(p.base)));
}

double yarn(const Position& p, std::size_t pair, std::size_t width) {
  double first = pair_of_turns(p, high_turns(p), width);
  double last = pair_of_turns(p, low_turns(p), width);
  if (p.truncate) {
    first = std::floor(first);
    last = std::ceil(last);
  }
  first = std::max(first, 0.0);
  last = std::min(last, static_cast<double>(width) - 1.0);
  if (first == last) last += 0.001;  // a step in place of the ramp
  const double ramp = (static_cast<double>(pair) - first) / (last - first);
  return mixed(p, unscaled(p, pair, width), 1.0 - std::clamp(ramp, 0.0, 1.0));
}

double longrope(const Position& p, std::size_t pair, std::size_t width) {
  return unscaled(p, pair, width) / static_cast<double>(p.factors[pair]);
}

double no_gain(const Position& /*unused*/) { return 1.0; }

double yarn_gain(const Position& p) {
  return p.factor > 1.0F ? 0.1 * std::log(static_cast<double>(p.factor)) + 1.0 : 1.0;
}

double longrope_gain(const Position& p) {
  if (p.factor <= 1.0F) return 1.0;
  return std::sqrt(1.0 + std::log(static_cast<double>(p.factor)) /
                             std::log(static_cast<double>(p.original)));
}

constexpr std::array<RopeScalingInfo, count_of<RopeScaling>()> kScalingTable{{
    {RopeScaling::None, "none", "No scaling", "Positions are not scaled", unscaled, no_gain, 0, 0,
     false, false, false},
    {RopeScaling::Linear, "linear", "Linear", "Positions are divided by a factor", linear, no_gain,
     0, 0, true, false, false},
    {RopeScaling::Ntk, "ntk", "NTK",
     "NTK-aware scaling, after the neural tangent kernel: a larger base slows the slowest columns "
     "most",
     ntk, no_gain, 0, 0, true, false, false},
    {RopeScaling::Llama3, "llama3", "Llama 3",
     "Divides the frequencies of columns that turn seldom within the trained length", llama3,
     no_gain, 1, 4, true, true, false},
    {RopeScaling::Yarn, "yarn", "YaRN",
     "Divides the frequencies of columns that turn seldom within the trained length, and enlarges "
     "the rotated columns",
     yarn, yarn_gain, 1, 32, true, true, false},
    {RopeScaling::Longrope, "longrope", "LongRoPE",
     "Divides the frequency of each pair of columns by a factor of its own", longrope,
     longrope_gain, 0, 0, true, true, true},
}};
static_assert(is_indexed_by(kScalingTable, &RopeScalingInfo::scaling));

}  // namespace

std::span<const PositionKindInfo> all_position_kinds() { return kPositionTable; }

const PositionKindInfo& position_info(PositionKind kind) { return row_of(kPositionTable, kind); }

std::span<const RopeScalingInfo> all_rope_scalings() { return kScalingTable; }

const RopeScalingInfo& rope_scaling_info(RopeScaling scaling) {
  return row_of(kScalingTable, scaling);
}

Position for_length(Position position, std::size_t tokens) {
  const bool short_ones = !position.short_factors.empty() && tokens <= position.original;
  if (short_ones) position.factors = std::move(position.short_factors);
  position.short_factors.clear();
  return position;
}

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

double rope_frequency(const Position& encoding, std::size_t pair, std::size_t width) {
  return rope_scaling_info(encoding.scaling).frequency(encoding, pair, width);
}

double rope_gain(const Position& encoding) {
  if (encoding.gain) return static_cast<double>(*encoding.gain);
  return rope_scaling_info(encoding.scaling).gain(encoding);
}

double rope_angle(const Position& encoding, std::int64_t position, std::size_t pair,
                  std::size_t width) {
  return static_cast<double>(position) * rope_frequency(encoding, pair, width);
}

std::pair<std::size_t, std::size_t> rope_pair(PositionLayout layout, std::size_t pair,
                                              std::size_t width) {
  if (layout == PositionLayout::Interleaved) return {2 * pair, 2 * pair + 1};
  return {pair, pair + width / 2};
}

const Position& unturned() {
  static const Position kUnturned = [] {
    Position position;
    position.kind = PositionKind::Rope;
    position.layout = PositionLayout::Halves;
    position.scaling = RopeScaling::Linear;
    position.factor = std::numeric_limits<float>::infinity();
    return position;
  }();
  return kUnturned;
}

}  // namespace attn
