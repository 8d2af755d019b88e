// Matrices chosen on the command line: stages and what is made of them by their names, layers,
// heads and samples by numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/flags.h"
#include "cli/load.h"
#include "document/document.h"
#include "engine/matrix/matrix.h"

namespace attn::cli {

inline constexpr std::size_t kAnyCount = 100'000;  // of a document that is not read yet

// Indices of as many as `layers` has, of layers by their numbers, each once, in the order of the
// text. `flag` and `noun` ("heads") are for errors. Precondition: there are some.
Result<std::vector<std::size_t>> chosen_numbers(std::string_view flag, const std::string& text,
                                                const AttentionShape& layers,
                                                std::string_view noun);

// Texts of the command line; empty where a flag is missing.
struct MatricesAsked {
  std::string stages;  // "weights,scores,rollout"
  std::string layers, heads, samples;

  bool any() const;
};

// Adds --stage, --layer, --head and --sample. `asked` is borrowed.
void add_matrix_flags(Flags& options, MatricesAsked& asked);

// A document with its numbers.
struct Computed {
  Document document;
  ResultPtr result;
};

// What the rows or columns of a matrix stand for.
enum class MatrixAxis { Queries, Keys, Features, Distances, Measures, One };
std::string_view axis_name(MatrixAxis axis);  // "queries"

// Matrices of one name with their addresses. Measures and distances have one row.
struct ChosenMatrices {
  std::string name;  // "weights", "self_scores", "rollout", "measures"
  MatrixId id;       // of all, but for the numbers of layer, sample and head
  MatrixAxis rows, columns;
  StageShape extents{};
  std::vector<std::size_t> samples{}, layers{}, heads{};
  bool joins_heads = false, joins_layers = false;

  bool is_stage() const { return is_computed(id) && rows != MatrixAxis::One; }
  Shape shape() const {
    return {samples.size(), layers.size(), heads.size(), extents.rows, extents.cols};
  }
  std::vector<HeadAddress> addresses() const;  // sample by sample, layer by layer
};

// The chosen matrices of a problem, of which those named `usual` ("weights"; "": all stages) if
// none is named, with all addresses of what is not chosen. Usage error for names and numbers that
// there are not.
Result<std::vector<ChosenMatrices>> chosen_matrices(const MatricesAsked& asked,
                                                    const AttentionProblem& problem,
                                                    std::string_view usual);

// One of them. Errors as of derive(); OverMemoryLimit before, and Usage for flows of hours.
Result<MatrixPtr> matrix_at(const Computed& of, const ChosenMatrices& chosen, const HeadAddress& at,
                            Context& context);

// Name of a row or column: a token, a measure, a distance, or a number.
std::string name_on_axis(const Computed& of, MatrixAxis axis, const HeadAddress& at,
                         std::size_t index);

}  // namespace attn::cli
