// Matrices chosen on the command line: stages by their names, layers, heads and samples by numbers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/flags.h"
#include "engine/matrix/matrix.h"

namespace attn::cli {

// Numbers from 0 to `count` − 1, each once, in the order of the text. `flag` and `noun` ("heads")
// are for errors. Precondition: count > 0.
Result<std::vector<std::size_t>> chosen_numbers(std::string_view flag, const std::string& text,
                                                std::size_t count, std::string_view noun);

// Texts of the command line; empty where a flag is missing.
struct MatricesAsked {
  std::vector<std::string> stages;  // "weights,scores"
  std::string layers, heads, samples;

  bool any() const;
};

// Adds --stage, --layer, --head and --sample. `asked` is borrowed.
void add_matrix_flags(Flags& options, MatricesAsked& asked);

// A stage with the addresses of its chosen matrices.
struct ChosenStage {
  Stage stage;
  std::vector<std::size_t> samples, layers, heads;

  Shape shape(const AttentionShape& of) const {
    const StageShape extents = stage_shape(of, stage);
    return {samples.size(), layers.size(), heads.size(), extents.rows, extents.cols};
  }
};

// The chosen stages, of which `usual` if none is named, with all matrices of what is not
// chosen. Usage error for names and numbers that the result does not have.
Result<std::vector<ChosenStage>> chosen_stages(const MatricesAsked& asked,
                                               const AttentionResult& result,
                                               const std::string& usual);

// Visits the chosen matrices in order, until a visit returns false.
using VisitMatrix = std::function<bool(const HeadAddress& at, const Matrix& matrix)>;
void each_matrix(const ResultPtr& result, const ChosenStage& chosen, const VisitMatrix& visit);

}  // namespace attn::cli
