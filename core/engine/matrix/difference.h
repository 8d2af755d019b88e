// Difference A − B of two matrices of equal extents, cell by cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/matrix/matrix.h"

namespace attn {

// A cell that differs.
struct Change {
  std::size_t row = 0, col = 0;
  float before = 0.0F;  // in B
  float after = 0.0F;   // in A
  float by = 0.0F;      // after − before
};

// A − B, subtracted when read. Summary and list of changes exist only if all cells were read when
// it was made. A cell is hidden if A and B both hide it, with the rules of A. Equal cells, NaN and
// infinities included, differ by 0.
class Difference final : public Matrix {
 public:
  // Reads both once. `id` is that of the difference; `progress` may be null. Errors: Usage for
  // different extents, with both; Interrupted. Preconditions, here and below: neither is null.
  static Result<MatrixPtr> compared(MatrixPtr a, MatrixPtr b, MatrixId id, std::size_t most_changes,
                                    Progress* progress = nullptr);
  // Makes the difference without reading any cell; its summary is empty.
  static Result<MatrixPtr> unseen(MatrixPtr a, MatrixPtr b, MatrixId id);

  const MatrixId& id() const override { return id_; }
  StageShape extents() const override { return a_->extents(); }
  void read(const CellRange& range, float* out) const override;
  std::optional<Summary> summary() const override { return summary_; }
  bool is_masked() const override { return a_->is_masked() && b_->is_masked(); }
  HiddenRules rules() const override { return is_masked() ? a_->rules() : HiddenRules{kVisible}; }
  void hidden_row(std::size_t row, std::span<HiddenRules> out,
                  std::size_t first_col = 0) const override;
  std::uint64_t bytes() const override { return largest_.size() * sizeof(Change); }

  // Visible finite cells by size of the change; ties in reading order.
  const std::vector<Change>& largest() const { return largest_; }
  // Number of visible cells, and of those that differ; without those concealed in A or B.
  std::uint64_t cell_count() const { return cells_; }
  std::uint64_t changed_count() const { return changed_; }
  std::uint64_t concealed_count() const { return concealed_; }

 private:
  Difference(MatrixPtr a, MatrixPtr b, MatrixId id)
      : a_(std::move(a)), b_(std::move(b)), id_(std::move(id)) {}
  bool compare_all(std::size_t most_changes, Progress* progress);
  void add_change(const Change& change, std::size_t most_changes);

  MatrixPtr a_, b_;
  MatrixId id_;
  std::optional<Summary> summary_;
  std::vector<Change> largest_;
  std::uint64_t cells_ = 0, changed_ = 0, concealed_ = 0;
};

}  // namespace attn
