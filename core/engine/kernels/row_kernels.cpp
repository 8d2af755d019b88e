// Scaling, softcap, mask and exponentials of a row of scores, sixteen cells at a time.
#include "engine/kernels/row_kernels.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/row_kernels.cpp"
#include <hwy/foreach_target.h>  // includes this file once per instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
// Lanes of sums and extremes, in one to four registers, so that the order does not depend on the
// instruction set.
constexpr std::size_t kCells = 16;
constexpr std::size_t kBlockCells = 512;
using Tag = hn::CappedTag<float, kCells>;
using IntTag = hn::RebindToSigned<Tag>;
using Vector = hn::Vec<Tag>;
using Selection = hn::Mask<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
constexpr std::size_t kParts = kCells / kLanes;
constexpr float kInf = __builtin_huge_valf();

HWY_INLINE Vector all(float value) { return hn::Set(Tag(), value); }

struct Cells {
  Vector part[kParts];
};

HWY_INLINE Cells cells_of(float value) {
  Cells cells;
  for (std::size_t i = 0; i < kParts; ++i) cells.part[i] = all(value);
  return cells;
}

HWY_INLINE Cells load(const float* from) {
  Cells cells;
  for (std::size_t i = 0; i < kParts; ++i) cells.part[i] = hn::LoadU(Tag(), from + i * kLanes);
  return cells;
}

HWY_INLINE void store(const Cells& cells, float* to) {
  for (std::size_t i = 0; i < kParts; ++i) hn::StoreU(cells.part[i], Tag(), to + i * kLanes);
}

// Loads the first `count` cells, padded with `rest`.
Cells load_some(const float* from, std::size_t count, float rest) {
  HWY_ALIGN float padded[kCells];
  for (std::size_t i = 0; i < kCells; ++i) padded[i] = i < count ? from[i] : rest;
  return load(padded);
}

void store_some(const Cells& cells, float* to, std::size_t count) {
  HWY_ALIGN float padded[kCells];
  store(cells, padded);
  for (std::size_t i = 0; i < count; ++i) to[i] = padded[i];
}

// out = f(in), cell by cell.
template <class Function>
HWY_INLINE void map_cells(const float* in, std::size_t size, float* out, const Function& f) {
  std::size_t at = 0;
  for (; at + kCells <= size; at += kCells) {
    Cells cells = load(in + at);
    for (std::size_t i = 0; i < kParts; ++i) cells.part[i] = f(cells.part[i]);
    store(cells, out + at);
  }
  if (at == size) return;
  Cells cells = load_some(in + at, size - at, 0.0F);
  for (std::size_t i = 0; i < kParts; ++i) cells.part[i] = f(cells.part[i]);
  store_some(cells, out + at, size - at);
}

struct Times {
  Vector factor;
  HWY_INLINE Vector operator()(Vector x) const { return hn::Mul(x, factor); }
};

void scale(const float* in, std::size_t size, float factor, float* out) {
  map_cells(in, size, out, Times{all(factor)});
}

struct Over {
  Vector divisor;
  HWY_INLINE Vector operator()(Vector x) const { return hn::Div(x, divisor); }
};

void divide(const float* in, std::size_t size, float divisor, float* out) {
  map_cells(in, size, out, Over{all(divisor)});
}

// e^x for x <= 0. x = n·ln 2 + r, |r| <= ln 2 / 2, and a minimax polynomial for e^r with a relative
// error of 4e-9. 2^n is split into 2^(n + 64) and 2^-64, because it may be subnormal.
HWY_INLINE Vector exp_of(Vector x) {
  // 1.5 · 2²³ + 64 + 127: adding it rounds to whole numbers and leaves the exponent bits of 2^(n +
  // 64) at the end.
  constexpr float kRoundingShift = 12583103.0F;
  constexpr float kUnderflow = -104.0F;
  const Tag tag;
  const Vector shifted = hn::MulAdd(x, all(1.44269504F), all(kRoundingShift));
  const Vector n = hn::Sub(shifted, all(kRoundingShift));
  const Vector high = hn::NegMulAdd(n, all(0.693359375F), x);  // exact: few bits
  const Vector r = hn::NegMulAdd(n, all(-2.12194440e-4F), high);
  Vector sum = hn::MulAdd(r, all(1.3839390e-3F), all(8.3687342e-3F));
  sum = hn::MulAdd(sum, r, all(4.1667974e-2F));
  sum = hn::MulAdd(sum, r, all(1.6666521e-1F));
  sum = hn::MulAdd(sum, r, all(0.49999995F));
  sum = hn::MulAdd(sum, r, all(1.0F));
  sum = hn::MulAdd(sum, r, all(1.0F));
  const Vector power = hn::BitCast(tag, hn::ShiftLeft<23>(hn::BitCast(IntTag(), shifted)));
  const Vector e = hn::Mul(hn::Mul(sum, power), all(5.42101086e-20F));
  return hn::IfThenZeroElse(hn::Lt(x, all(kUnderflow)), e);  // whatever the polynomial gives
}

// tanh x: an odd polynomial near 0 (that of Cephes), by exponentials elsewhere.
HWY_INLINE Vector tanh_of(Vector x) {
  const Vector size = hn::Abs(x);
  const Vector square = hn::Mul(x, x);
  Vector near = hn::MulAdd(square, all(-5.70498872745e-3F), all(2.06390887954e-2F));
  near = hn::MulAdd(near, square, all(-5.37397155531e-2F));
  near = hn::MulAdd(near, square, all(1.33314422036e-1F));
  near = hn::MulAdd(near, square, all(-3.33332819422e-1F));
  near = hn::MulAdd(near, hn::Mul(square, size), size);
  const Vector e = exp_of(hn::Mul(size, all(-2.0F)));
  const Vector far = hn::Div(hn::Sub(all(1.0F), e), hn::Add(all(1.0F), e));
  return hn::CopySign(hn::IfThenElse(hn::Lt(size, all(0.625F)), near, far), x);
}

struct Capped {
  Vector cap;
  HWY_INLINE Vector operator()(Vector x) const { return hn::Mul(cap, tanh_of(hn::Div(x, cap))); }
};

void softcap(const float* in, std::size_t size, float cap, float* out) {
  map_cells(in, size, out, Capped{all(cap)});
}

struct Weighed {
  Vector shift, factor;
  HWY_INLINE Vector operator()(Vector x) const {
    return hn::Mul(exp_of(hn::Sub(x, shift)), factor);
  }
};

void weigh(const float* in, std::size_t size, float shift, float factor, float* out) {
  map_cells(in, size, out, Weighed{all(shift), all(factor)});
}

HWY_INLINE Selection visible_lanes(const std::uint8_t* rules) {
  const hn::Rebind<std::uint8_t, Tag> tag;
  const IntTag wide;
  return hn::RebindMask(Tag(), hn::Eq(hn::PromoteTo(wide, hn::LoadU(tag, rules)), hn::Zero(wide)));
}

void mask_cells(const float* in, const float* bias, const std::uint8_t* rules, float* out) {
  Cells cells = load(in);
  for (std::size_t i = 0; i < kParts; ++i) {
    const Vector biased = bias == nullptr
                              ? cells.part[i]
                              : hn::Add(cells.part[i], hn::LoadU(Tag(), bias + i * kLanes));
    cells.part[i] = hn::IfThenElse(visible_lanes(rules + i * kLanes), biased, all(-kInf));
  }
  store(cells, out);
}

// `bias` may be null.
void mask(const float* in, const float* bias, const std::uint8_t* rules, std::size_t size,
          float* out) {
  std::size_t at = 0;
  for (; at + kCells <= size; at += kCells) {
    mask_cells(in + at, bias == nullptr ? nullptr : bias + at, rules + at, out + at);
  }
  for (; at < size; ++at) {
    out[at] = rules[at] != kVisible ? -kInf : bias == nullptr ? in[at] : in[at] + bias[at];
  }
}

// Combines halves of the lanes until one is left.
#if HWY_TARGET == HWY_SCALAR
template <class D, class V, class Combine>
HWY_INLINE float combined_lanes(D /*tag*/, V lane, const Combine& /*one lane*/) {
  return hn::GetLane(lane);
}
#else
template <class D, class V, class Combine>
HWY_INLINE float combined_lanes(D /*tag*/, V lanes, const Combine& combine) {
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    const auto first = combine(hn::LowerHalf(half, lanes), hn::UpperHalf(half, lanes));
    return combined_lanes(half, first, combine);
  } else {
    const V two = combine(lanes, hn::Shuffle1032(lanes));
    return hn::GetLane(combine(two, hn::Shuffle2301(two)));
  }
}
#endif

// Combines halves of all cells until one is left, in an order independent of the instruction set.
template <class Combine>
HWY_INLINE float combined(Cells cells, const Combine& combine) {
  for (std::size_t half = kParts / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) {
      cells.part[i] = combine(cells.part[i], cells.part[i + half]);
    }
  }
  return combined_lanes(Tag(), cells.part[0], combine);
}

// May ignore a NaN in `x`; sums detect it.
constexpr auto kLarger = [](auto x, auto most) HWY_ATTR { return hn::Max(x, most); };
constexpr auto kSmaller = [](auto x, auto least) HWY_ATTR { return hn::Min(x, least); };
constexpr auto kPlus = [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); };

HWY_INLINE void take_larger(const Cells& cells, Cells& most) {
  for (std::size_t i = 0; i < kParts; ++i) most.part[i] = hn::Max(cells.part[i], most.part[i]);
}

float largest(const float* in, std::size_t size) {
  Cells most = cells_of(-kInf);
  std::size_t at = 0;
  for (; at + kCells <= size; at += kCells) take_larger(load(in + at), most);
  if (at < size) take_larger(load_some(in + at, size - at, -kInf), most);
  return combined(most, kLarger);
}

// `in` starts `inside` cells after the start of its first bin.
void raise_bins(const float* in, std::size_t size, std::size_t inside, std::size_t width,
                float* bins) {
  for (std::size_t at = 0; at < size; ++bins) {
    const std::size_t rest = width - inside;
    const std::size_t count = size - at < rest ? size - at : rest;
    const float most = largest(in + at, count);
    if (most > *bins) *bins = most;
    at += count;
    inside = 0;
  }
}

HWY_INLINE Cells exp_cells(Cells cells, Vector shift) {
  for (std::size_t i = 0; i < kParts; ++i) cells.part[i] = exp_of(hn::Sub(cells.part[i], shift));
  return cells;
}

HWY_INLINE void add(const Cells& cells, Cells& sums) {
  for (std::size_t i = 0; i < kParts; ++i) sums.part[i] = hn::Add(sums.part[i], cells.part[i]);
}

// Returns the sum of e^(in - shift), and writes the terms unless `out` is null.
HWY_INLINE double exp_block(const float* in, std::size_t size, Vector shift, float* out) {
  Cells sums = cells_of(0.0F);
  std::size_t at = 0;
  for (; at + kCells <= size; at += kCells) {
    const Cells cells = exp_cells(load(in + at), shift);
    if (out != nullptr) store(cells, out + at);
    add(cells, sums);
  }
  if (at < size) {
    const Cells cells = exp_cells(load_some(in + at, size - at, -kInf), shift);
    if (out != nullptr) store_some(cells, out + at, size - at);
    add(cells, sums);
  }
  return static_cast<double>(combined(sums, kPlus));
}

// `first`: index in the row of the first cell.
double exp_row(const float* in, std::size_t first, std::size_t size, float shift, float* out) {
  double total = 0.0;
  for (std::size_t at = 0, block = 0; at < size; at += block) {
    const std::size_t rest_of_block = kBlockCells - (first + at) % kBlockCells;
    block = size - at < rest_of_block ? size - at : rest_of_block;
    total += exp_block(in + at, block, all(shift), out == nullptr ? nullptr : out + at);
  }
  return total;
}

// `out` may be null.
void sum_chunk(const float* in, std::size_t first, std::size_t size, float* out, RowSum* sum) {
  sum->shift = largest(in, size);
  // If all cells are -Inf the sum is 0, or NaN if a cell is NaN.
  sum->total = exp_row(in, first, size, sum->shift == -kInf ? 0.0F : sum->shift, out);
}

void exponentiate_rows(const RowPart* rows, std::size_t count, RowSum* sums) {
  for (std::size_t r = 0; r < count; ++r) {
    sum_chunk(rows[r].cells, rows[r].first, rows[r].size, rows[r].cells, sums + r);
  }
}

struct Extremes {
  Cells low, high;
  std::size_t finite = 0;
};

HWY_INLINE void add_extremes(const Cells& cells, const std::uint8_t* rules, Extremes& found) {
  for (std::size_t i = 0; i < kParts; ++i) {
    const Vector x = cells.part[i];
    const Selection is_finite = hn::Eq(hn::Sub(x, x), hn::Zero(Tag()));
    found.finite += hn::CountTrue(Tag(), is_finite);
    const Selection counts =
        rules == nullptr ? is_finite : hn::And(is_finite, visible_lanes(rules + i * kLanes));
    const Vector low = hn::IfThenElse(counts, x, all(kInf));
    const Vector high = hn::IfThenElse(counts, x, all(-kInf));
    found.low.part[i] = hn::Min(low, found.low.part[i]);
    found.high.part[i] = hn::Max(high, found.high.part[i]);
  }
}

void add_last_extremes(const float* in, const std::uint8_t* rules, std::size_t count,
                       Extremes& found) {
  std::uint8_t padded[kCells] = {};
  for (std::size_t i = 0; rules != nullptr && i < count; ++i) padded[i] = rules[i];
  add_extremes(load_some(in, count, kInf), padded, found);
}

// `rules` may be null.
void summarize(const float* in, const std::uint8_t* rules, std::size_t size, CellSummary* summary) {
  Extremes found{cells_of(kInf), cells_of(-kInf), 0};
  std::size_t at = 0;
  for (; at + kCells <= size; at += kCells) {
    add_extremes(load(in + at), rules == nullptr ? nullptr : rules + at, found);
  }
  if (at < size) {
    add_last_extremes(in + at, rules == nullptr ? nullptr : rules + at, size - at, found);
  }
  summary->low = combined(found.low, kSmaller);
  summary->high = combined(found.high, kLarger);
  summary->non_finite = size - found.finite;
}

}  // namespace
}  // namespace attn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(scale);
HWY_EXPORT(divide);
HWY_EXPORT(softcap);
HWY_EXPORT(mask);
HWY_EXPORT(weigh);
HWY_EXPORT(exp_row);
HWY_EXPORT(sum_chunk);
HWY_EXPORT(raise_bins);
HWY_EXPORT(exponentiate_rows);
HWY_EXPORT(summarize);

}  // namespace

void scale_row(std::span<const float> in, float scale, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(scale)(in.data(), in.size(), scale, out.data());
}

void softcap_row(std::span<const float> in, float cap, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(softcap)(in.data(), in.size(), cap, out.data());
}

void mask_row(std::span<const float> in, std::span<const float> bias,
              std::span<const HiddenRules> rules, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(mask)
  (in.data(), bias.empty() ? nullptr : bias.data(), rules.data(), in.size(), out.data());
}

void divide_row(std::span<const float> in, float divisor, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(divide)(in.data(), in.size(), divisor, out.data());
}

RowSum chunk_sum(std::span<const float> masked, std::size_t first) {
  RowSum sum;
  HWY_DYNAMIC_DISPATCH(sum_chunk)(masked.data(), first, masked.size(), nullptr, &sum);
  return sum;
}

void chunk_exponentials(std::span<const RowPart> rows, std::span<RowSum> sums) {
  HWY_DYNAMIC_DISPATCH(exponentiate_rows)(rows.data(), rows.size(), sums.data());
}

void raise_bins(std::span<const float> cells, std::size_t inside, std::size_t width,
                std::span<float> bins) {
  if (cells.empty()) return;
  if (width > 1) {
    return HWY_DYNAMIC_DISPATCH(raise_bins)(cells.data(), cells.size(), inside, width, bins.data());
  }
  for (std::size_t k = 0; k < cells.size(); ++k) bins[k] = std::max(bins[k], cells[k]);
}

RowSum row_sum(std::span<const RowSum> chunks, float sink) {
  RowSum sum;
  const bool has_sink = !std::isnan(sink);
  if (has_sink) sum.shift = sink;
  for (const RowSum& chunk : chunks) sum.shift = std::max(sum.shift, chunk.shift);
  const auto share = [&](float shift) {
    return shift == sum.shift
               ? 1.0
               : std::exp(static_cast<double>(shift) - static_cast<double>(sum.shift));
  };
  for (const RowSum& chunk : chunks) sum.total += chunk.total * share(chunk.shift);
  if (has_sink) sum.total += share(sink);
  return sum;
}

double exponentials(std::span<const float> in, float shift, std::span<float> out,
                    std::size_t first) {
  return HWY_DYNAMIC_DISPATCH(exp_row)(in.data(), first, in.size(), shift, out.data());
}

void row_weights(std::span<const float> masked, const RowSum& sum, std::span<float> weights) {
  HWY_DYNAMIC_DISPATCH(weigh)
  (masked.data(), masked.size(), sum.shift, sum.factor(), weights.data());
}

void fill_visible(std::span<const HiddenRules> rules, float value, std::span<float> out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = rules[k] == kVisible ? value : 0.0F;
}

void CellSummary::merge(const CellSummary& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
  non_finite += other.non_finite;
}

CellSummary summary_of(std::span<const float> cells) {
  CellSummary summary;
  HWY_DYNAMIC_DISPATCH(summarize)(cells.data(), nullptr, cells.size(), &summary);
  return summary;
}

CellSummary summary_of_matrix(const MatrixView& cells) {
  if (cells.row_stride == cells.cols) return summary_of({cells.data, cells.rows * cells.cols});
  CellSummary summary;
  for (std::size_t r = 0; r < cells.rows; ++r) summary.merge(summary_of(cells.row(r)));
  return summary;
}

CellSummary summary_of_visible(std::span<const float> cells, std::span<const HiddenRules> rules) {
  CellSummary summary;
  HWY_DYNAMIC_DISPATCH(summarize)(cells.data(), rules.data(), cells.size(), &summary);
  return summary;
}

}  // namespace attn
#endif
