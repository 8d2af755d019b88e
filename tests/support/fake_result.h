// A result whose stages are whatever a test says, so that plots can be tested without the engine.
#pragma once

#include <map>
#include <vector>

#include "engine/read/result.h"
#include "figure/text.h"

namespace attn::test {

class FakeResult final : public AttentionResult {
 public:
  // Plots use only `shape`, `mask` and `kind` of the problem.
  explicit FakeResult(AttentionProblem problem) : problem_(std::move(problem)) {}

  // One value per cell, for every layer, sample and head: `cell(address, row, col)`. Sets the
  // stages in order of computation whatever the order of the calls.
  template <class Cell>
  FakeResult& with(Stage stage, Cell cell);

  const AttentionProblem& problem() const override { return problem_; }
  const std::vector<Stage>& stages(const HeadAddress& /*at*/) const override { return stages_; }
  void read(Stage stage, const HeadAddress& head, const CellRange& block,
            float* out) const override;
  std::optional<std::uint64_t> non_finite_count(Stage stage, const HeadAddress& at) const override;
  std::optional<Range> range(Stage stage, const HeadAddress& head) const override;

 private:
  std::size_t matrix_index(const HeadAddress& head) const;
  void add_stage(Stage stage);

  AttentionProblem problem_;
  std::vector<Stage> stages_;
  std::map<Stage, std::vector<float>> values_;  // (layers, samples, heads, rows, cols)
};

template <class Cell>
FakeResult& FakeResult::with(Stage stage, Cell cell) {
  add_stage(stage);
  const StageShape matrix = stage_shape(stage);
  std::vector<float>& values = values_[stage];
  HeadAddress at;
  for (at.layer = 0; at.layer < shape().layers; ++at.layer) {
    for (at.sample = 0; at.sample < shape().samples; ++at.sample) {
      for (at.head = 0; at.head < shape().heads; ++at.head) {
        for (std::size_t i = 0; i < matrix.rows * matrix.cols; ++i) {
          values.push_back(cell(at, i / matrix.cols, i % matrix.cols));
        }
      }
    }
  }
  return *this;
}

// Every code point is `em` font sizes wide, so that layouts do not depend on installed fonts.
class FixedMetrics final : public TextMetrics {
 public:
  explicit FixedMetrics(double em = 0.55) : em_(em) {}
  TextExtent measure(std::string_view text, const FontStyle& font) const override;

 private:
  double em_;
};

}  // namespace attn::test
