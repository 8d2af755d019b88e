// Matrices of stages and of given cells, and shared functions.
#include "engine/matrix/matrix.h"

#include <algorithm>
#include <utility>

#include "base/quotient_up.h"
#include "engine/kernels/row_kernels.h"

namespace attn {
namespace {

// A stage of one head, read from the result.
class StageMatrix final : public Matrix {
 public:
  StageMatrix(ResultPtr result, const MatrixId& id) : result_(std::move(result)), id_(id) {}

  const MatrixId& id() const override { return id_; }
  StageShape extents() const override { return result_->stage_shape(id_.stage, id_.head); }
  void read(const CellRange& range, float* out) const override {
    result_->read(id_.stage, id_.head, range, out);
  }
  bool pool_maxima(const CellRange& range, Progress* progress, PooledCells& out) const override {
    return result_->pool_maxima(id_.stage, id_.head, range, progress, out);
  }
  std::optional<Summary> summary() const override {
    const auto range = result_->range(id_.stage, id_.head);
    if (!range) return std::nullopt;
    return Summary{range->low, range->high,
                   result_->non_finite_count(id_.stage, id_.head).value_or(0)};
  }
  const Mask* mask() const override {
    const bool is_masked = id_.stage == Stage::Masked || id_.stage == Stage::Weights;
    return is_masked ? &mask_of(result_->problem(), id_.head) : nullptr;
  }
  std::string formula() const override { return formula_of(result_->problem(), id_.stage); }

 private:
  ResultPtr result_;
  MatrixId id_;
};

class StoredMatrix final : public Matrix {
 public:
  StoredMatrix(const MatrixId& id, MadeCells cells) : id_(id), cells_(std::move(cells)) {
    summary_ = summarised(*this);
  }

  const MatrixId& id() const override { return id_; }
  StageShape extents() const override { return {cells_.rows, cells_.cols}; }
  void read(const CellRange& range, float* out) const override {
    copy_range({cells_.values.data(), cells_.rows, cells_.cols, cells_.cols}, range, out);
  }
  std::optional<Summary> summary() const override { return summary_; }
  const Mask* mask() const override { return cells_.mask ? &*cells_.mask : nullptr; }
  std::string formula() const override { return cells_.formula; }
  std::uint64_t bytes() const override { return cells_.values.size() * sizeof(float); }

 private:
  MatrixId id_;
  MadeCells cells_;
  Summary summary_;
};

// A matrix under another id or another mask (null: its own).
class DressedMatrix final : public Matrix {
 public:
  DressedMatrix(MatrixPtr matrix, const MatrixId& id, const Mask* mask, std::uint64_t bytes = 0,
                std::string formula = "")
      : matrix_(std::move(matrix)),
        id_(id),
        mask_(mask),
        bytes_(bytes),
        formula_(formula.empty() ? matrix_->formula() : std::move(formula)) {}

  const MatrixId& id() const override { return id_; }
  StageShape extents() const override { return matrix_->extents(); }
  void read(const CellRange& range, float* out) const override { matrix_->read(range, out); }
  bool pool_maxima(const CellRange& range, Progress* progress, PooledCells& out) const override {
    return mask_ == nullptr && matrix_->pool_maxima(range, progress, out);
  }
  std::optional<Summary> summary() const override { return matrix_->summary(); }
  const Mask* mask() const override { return mask_; }
  bool is_masked() const override { return mask_ != nullptr || matrix_->is_masked(); }
  HiddenRules rules() const override {
    return mask_ != nullptr ? Matrix::rules() : matrix_->rules();
  }
  void hidden_row(std::size_t row, std::span<HiddenRules> out,
                  std::size_t first_col) const override {
    if (mask_ != nullptr) return Matrix::hidden_row(row, out, first_col);
    matrix_->hidden_row(row, out, first_col);
  }
  std::string formula() const override { return formula_; }
  std::uint64_t bytes() const override { return bytes_; }

 private:
  MatrixPtr matrix_;
  MatrixId id_;
  const Mask* mask_;
  std::uint64_t bytes_;
  std::string formula_;
};

}  // namespace

HiddenRules Matrix::rules() const {
  return mask() != nullptr ? rules_of(*mask(), id().head.sample) : HiddenRules{kVisible};
}

void Matrix::hidden_row(std::size_t row, std::span<HiddenRules> out, std::size_t first_col) const {
  if (mask() == nullptr) {
    std::ranges::fill(out, HiddenRules{kVisible});
  } else {
    attn::hidden_row(*mask(), id().head, row, out, first_col);
  }
}

float Matrix::value(std::size_t row, std::size_t col) const {
  float cell = 0.0F;
  read({row, col, 1, 1}, &cell);
  return cell;
}

HiddenRules Matrix::hidden(std::size_t row, std::size_t col) const {
  HiddenRules rules = kVisible;
  hidden_row(row, {&rules, 1}, col);
  return rules;
}

CellRange every_row(const StageShape& extents, std::size_t step) {
  return {0, 0, quotient_up(extents.rows, step), extents.cols, step};
}

Matrix::Summary summarised(const Matrix& matrix) {
  const StageShape shape = matrix.extents();
  RowReader rows(matrix, {0, 0, shape.rows, shape.cols});
  CellSummary all;
  while (rows.next()) all.merge(summary_of_visible(rows.cells(), rows.rules()));
  if (all.low > all.high) return {0.0F, 0.0F, all.non_finite};
  return {all.low, all.high, all.non_finite};
}

StageShape extents_of(const AttentionShape& shape, const MatrixId& id) {
  if (std::holds_alternative<made::PositionEncoding>(id.making)) {
    return {std::max(shape.n_q, shape.n_k), std::max(shape.d_model, shape.d_k)};
  }
  return stage_shape(shape, id.stage);
}

ResultPtr borrowed(const AttentionResult& result) { return ResultPtr(ResultPtr(), &result); }

MatrixPtr stage_matrix(ResultPtr result, const MatrixId& id) {
  const AttentionShape& shape = result->shape();
  const bool is_there = is_computed(id) && result->has(id.stage, id.head) &&
                        id.head.layer < shape.layers && id.head.sample < shape.samples &&
                        id.head.head < shape.heads;
  return is_there ? std::make_shared<StageMatrix>(std::move(result), id) : nullptr;
}

MatrixPtr renamed(MatrixPtr matrix, const MatrixId& id) {
  if (matrix == nullptr) return nullptr;
  return std::make_shared<DressedMatrix>(std::move(matrix), id, nullptr);
}

MatrixPtr weights_of(const ResultPtr& result, const MatrixId& id, std::string formula) {
  return std::make_shared<DressedMatrix>(stage_matrix(result, {Stage::Weights, {}}), id, nullptr,
                                         materialised_bytes(result->problem()), std::move(formula));
}

MatrixPtr masked(MatrixPtr matrix, const Mask& mask) {
  const MatrixId id = matrix->id();
  return std::make_shared<DressedMatrix>(std::move(matrix), id, &mask);
}

MatrixPtr stored_matrix(const MatrixId& id, MadeCells cells) {
  return std::make_shared<StoredMatrix>(id, std::move(cells));
}

RowReader::RowReader(const Matrix& matrix, const CellRange& range)
    : matrix_(matrix),
      range_(range),
      rows_at_once_(rows_at_once(range.cols, range.rows)),
      cells_(rows_at_once_ * range.cols),
      rules_(range.cols, HiddenRules{kVisible}) {}

bool RowReader::next() {
  at_ += began_ ? 1 : 0;
  began_ = true;
  if (at_ >= range_.rows) return false;
  if (at_ >= end_) {
    begin_ = at_;
    end_ = std::min(at_ + rows_at_once_, range_.rows);
    matrix_.read(part_of(range_, begin_, end_ - begin_), cells_.data());
  }
  if (matrix_.is_masked()) matrix_.hidden_row(row(), rules_, range_.col);
  return true;
}

std::span<float> RowReader::cells() {
  return std::span(cells_).subspan((at_ - begin_) * range_.cols, range_.cols);
}

}  // namespace attn
