// Scales, caps, masks and exponentiates a row of scores, several lanes at a time.
#include "engine/kernels/row_kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/special_numbers.h"
#include "engine/kernels/lanes.h"

namespace attn {
namespace {

// Below it eˣ rounds to 0, subnormals included.
constexpr float kExpUnderflow = -104.0F;

Lanes power_of_two(IntLanes exponent) { return std::bit_cast<Lanes>((exponent + 127) << 23); }

// eˣ for x <= 0, within 1 unit in the last place; NaN stays. x = n·ln 2 + r, |r| <= ln 2 / 2, and a
// Taylor polynomial for eʳ. 2ⁿ goes in by halves because it may be subnormal.
Lanes exp_of(Lanes x) {
  constexpr float kRoundingShift = 12582912.0F;  // 1.5 · 2²³: adding it rounds to whole numbers
  constexpr float kLn2High = 0.693359375F;       // few bits, so that n · kLn2High is exact
  constexpr float kLn2Low = -2.12194440e-4F;
  const IntLanes vanishes = x < all_lanes(kExpUnderflow);
  const Lanes within = vanishes ? all_lanes(kExpUnderflow) : x;
  const Lanes shifted = within * 1.44269504F + kRoundingShift;
  const Lanes n = shifted - kRoundingShift;
  const Lanes r = (within - n * kLn2High) - n * kLn2Low;
  Lanes sum = all_lanes(1.0F / 5040.0F);
  for (const float coefficient : {1.0F / 720.0F, 1.0F / 120.0F, 1.0F / 24.0F, 1.0F / 6.0F, 0.5F}) {
    sum = sum * r + coefficient;
  }
  sum = sum * (r * r) + r + 1.0F;
  sum = vanishes ? Lanes{} : sum;
  const IntLanes exponent =
      std::bit_cast<IntLanes>(shifted) - std::bit_cast<IntLanes>(all_lanes(kRoundingShift));
  const IntLanes half = exponent >> 1;
  return sum * power_of_two(half) * power_of_two(exponent - half);
}

// The first cells of a row's end that does not fill all lanes; `rest` fills up.
Lanes partial_lanes(std::span<const float> cells, float rest) {
  std::array<float, kLanes> padded;
  std::fill(std::copy(cells.begin(), cells.end(), padded.begin()), padded.end(), rest);
  return lanes_at(padded.data());
}

// Calls each(lanes, position, count) for all cells, `rest` filling up the last lanes.
template <class Each>
void for_lanes(std::span<const float> cells, float rest, Each each) {
  std::size_t at = 0;
  for (; at + kLanes <= cells.size(); at += kLanes) each(lanes_at(&cells[at]), at, kLanes);
  if (at < cells.size()) each(partial_lanes(cells.subspan(at), rest), at, cells.size() - at);
}

void put_first(Lanes lanes, float* to, std::size_t count) {
  if (count == kLanes) return put_lanes(lanes, to);
  for (std::size_t lane = 0; lane < count; ++lane) to[lane] = lanes[lane];
}

}  // namespace

void scale_row(std::span<const float> in, float scale, std::span<float> out) {
  for (std::size_t k = 0; k < in.size(); ++k) out[k] = in[k] * scale;
}

void softcap_row(std::span<const float> in, float cap, std::span<float> out) {
  for (std::size_t k = 0; k < in.size(); ++k) out[k] = cap * std::tanh(in[k] / cap);
}

void mask_row(std::span<const float> in, std::span<const float> bias,
              std::span<const HiddenRules> rules, std::span<float> out) {
  if (bias.empty()) {
    std::ranges::copy(in, out.begin());
  } else {
    for (std::size_t k = 0; k < in.size(); ++k) out[k] = in[k] + bias[k];
  }
  for (std::size_t k = 0; k < in.size(); ++k) out[k] = rules[k] == kVisible ? out[k] : -kInfinity;
}

float largest_of(std::span<const float> cells) {
  Lanes most = all_lanes(-kInfinity);
  for_lanes(cells, -kInfinity,
            [&](Lanes x, std::size_t, std::size_t) { most = x > most ? x : most; });
  return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

double exponentials(std::span<const float> in, float shift, std::span<float> out) {
  double total = 0.0;
  for (std::size_t begin = 0; begin < in.size(); begin += kExponentialBlock) {
    const auto block = in.subspan(begin, std::min(kExponentialBlock, in.size() - begin));
    Lanes sums{};
    for_lanes(block, -kInfinity, [&](Lanes x, std::size_t at, std::size_t count) {
      const Lanes e = exp_of(x - shift);
      sums += e;
      put_first(e, &out[begin + at], count);
    });
    total += static_cast<double>((sums[0] + sums[1]) + (sums[2] + sums[3]));
  }
  return total;
}

void exponential_shares(std::span<const float> in, float shift, float divisor,
                        std::span<float> out) {
  for_lanes(in, -kInfinity, [&](Lanes x, std::size_t at, std::size_t count) {
    put_first(exp_of(x - shift) / divisor, &out[at], count);
  });
}

void CellSummary::merge(const CellSummary& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
  non_finite += other.non_finite;
}

CellSummary summary_of(std::span<const float> cells) {
  Lanes low = all_lanes(kInfinity);
  Lanes high = all_lanes(-kInfinity);
  IntLanes finite{};  // -1 for each finite cell
  for_lanes(cells, kNaN, [&](Lanes x, std::size_t, std::size_t) {
    const IntLanes is_finite = finite_lanes(x);
    finite += is_finite;
    const Lanes for_low = is_finite ? x : all_lanes(kInfinity);
    const Lanes for_high = is_finite ? x : all_lanes(-kInfinity);
    low = for_low < low ? for_low : low;
    high = for_high > high ? for_high : high;
  });
  CellSummary summary;
  summary.non_finite = cells.size();
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto count = static_cast<std::uint64_t>(-static_cast<std::int64_t>(finite[lane]));
    summary.merge({low[lane], high[lane], std::uint64_t{0} - count});
  }
  return summary;
}

CellSummary summary_of_matrix(const MatrixView& cells) {
  CellSummary summary;
  for (std::size_t r = 0; r < cells.rows; ++r) summary.merge(summary_of(cells.row(r)));
  return summary;
}

CellSummary summary_of_visible(std::span<const float> cells, std::span<const HiddenRules> rules) {
  CellSummary summary;
  summary.non_finite = summary_of(cells).non_finite;
  for (std::size_t begin = 0; begin < cells.size();) {
    if (rules[begin] != kVisible) {
      ++begin;
      continue;
    }
    std::size_t end = begin + 1;
    while (end < cells.size() && rules[end] == kVisible) ++end;
    const CellSummary run = summary_of(cells.subspan(begin, end - begin));
    summary.merge({run.low, run.high, 0});
    begin = end;
  }
  return summary;
}

}  // namespace attn
