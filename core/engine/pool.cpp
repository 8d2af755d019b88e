#include "engine/pool.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace attn {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::size_t step_for(std::size_t cells, std::size_t most) {
  most = std::max<std::size_t>(most, 1);
  return std::max<std::size_t>((cells + most - 1) / most, 1);
}

std::size_t steps(std::size_t cells, std::size_t step) { return (cells + step - 1) / step; }

// The cells seen so far under each output cell of one output row.
class PoolRow {
 public:
  explicit PoolRow(std::size_t cols)
      : most_(cols), sum_(cols), count_(cols), common_(cols), any_(cols), visible_(cols) {
    clear();
  }

  void clear() {
    std::ranges::fill(most_, kNaN);
    std::ranges::fill(sum_, 0.0);
    std::ranges::fill(count_, 0);
    std::ranges::fill(common_, static_cast<HiddenRules>(0xFF));
    std::ranges::fill(any_, HiddenRules{kVisible});
    std::ranges::fill(visible_, std::uint8_t{0});
  }

  void add(std::size_t col, float value, HiddenRules rules) {
    common_[col] &= rules;
    any_[col] |= rules;
    if (rules != kVisible) return;
    visible_[col] = 1;
    if (std::isnan(value)) return;
    if (!(value <= most_[col])) most_[col] = value;
    sum_[col] += static_cast<double>(value);
    ++count_[col];
  }

  float value(std::size_t col, Pooling pooling) const {
    if (count_[col] == 0 || pooling == Pooling::Maximum) return most_[col];
    const double mean = sum_[col] / static_cast<double>(count_[col]);
    // Infinities of both signs have no mean, and NaN would say that nothing is there.
    return std::isnan(mean) ? std::numeric_limits<float>::infinity() : static_cast<float>(mean);
  }

  HiddenRules hidden(std::size_t col) const {
    if (visible_[col] != 0) return kVisible;
    return common_[col] != kVisible ? common_[col] : any_[col];
  }

 private:
  std::vector<float> most_;
  std::vector<double> sum_;
  std::vector<std::size_t> count_;
  std::vector<HiddenRules> common_;
  std::vector<HiddenRules> any_;
  std::vector<std::uint8_t> visible_;
};

// Reads the rows of a block one at a time, with the rules that hide their cells.
class BlockRows {
 public:
  BlockRows(const AttentionResult& result, Stage stage, const HeadAddress& head, const Block& block)
      : result_(result),
        stage_(stage),
        head_(head),
        block_(block),
        masked_(stage_info(stage).token_by_token),
        cells_(block.cols),
        rules_(masked_ ? result.shape().n_k : block.cols, HiddenRules{kVisible}) {}

  void read(std::size_t row) {
    result_.read(stage_, head_, {block_.row + row, block_.col, 1, block_.cols}, cells_.data());
    if (masked_) hidden_row(result_.problem().mask, head_, block_.row + row, rules_);
  }

  std::span<const float> cells() const { return cells_; }
  std::span<const HiddenRules> rules() const {
    return std::span(rules_).subspan(masked_ ? block_.col : 0, block_.cols);
  }

 private:
  const AttentionResult& result_;
  Stage stage_;
  HeadAddress head_;
  Block block_;
  bool masked_;
  std::vector<float> cells_;
  std::vector<HiddenRules> rules_;  // of the whole row of the matrix
};

void copy_rows(BlockRows& rows, const Block& block, PooledBlock& out) {
  for (std::size_t row = 0; row < block.rows; ++row) {
    rows.read(row);
    std::ranges::copy(rows.cells(),
                      out.values.begin() + static_cast<std::ptrdiff_t>(row * out.cols));
    std::ranges::copy(rows.rules(),
                      out.hidden.begin() + static_cast<std::ptrdiff_t>(row * out.cols));
  }
}

void pool_rows(BlockRows& rows, const Block& block, Pooling pooling, PooledBlock& out) {
  PoolRow pool(out.cols);
  for (std::size_t out_row = 0; out_row < out.rows; ++out_row) {
    pool.clear();
    const std::size_t end = std::min((out_row + 1) * out.row_step, block.rows);
    for (std::size_t row = out_row * out.row_step; row < end; ++row) {
      rows.read(row);
      for (std::size_t col = 0; col < block.cols; ++col) {
        pool.add(col / out.col_step, rows.cells()[col], rows.rules()[col]);
      }
    }
    for (std::size_t col = 0; col < out.cols; ++col) {
      out.values[out_row * out.cols + col] = pool.value(col, pooling);
      out.hidden[out_row * out.cols + col] = pool.hidden(col);
    }
  }
}

}  // namespace

PooledBlock read_pooled(const AttentionResult& result, Stage stage, const HeadAddress& head,
                        const Block& block, std::size_t max_rows, std::size_t max_cols,
                        Pooling pooling) {
  PooledBlock out;
  out.row_step = step_for(block.rows, max_rows);
  out.col_step = step_for(block.cols, max_cols);
  out.rows = steps(block.rows, out.row_step);
  out.cols = steps(block.cols, out.col_step);
  out.values.resize(out.rows * out.cols);
  out.hidden.resize(out.rows * out.cols);
  BlockRows rows(result, stage, head, block);
  if (out.row_step == 1 && out.col_step == 1) {
    copy_rows(rows, block, out);
  } else {
    pool_rows(rows, block, pooling, out);
  }
  return out;
}

}  // namespace attn
