// Matrices chosen on the command line: stages and what is made of them by their names, layers,
// heads and samples by numbers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/flags.h"
#include "cli/load.h"
#include "document/document.h"
#include "engine/matrix/matrix.h"
#include "session/figure_request.h"

namespace attn::cli {

inline constexpr std::size_t kAnyCount = 100'000;  // of a document that is not read yet

// Numbers of what `of` has as layers, each once, in the order of the text, as indices. `name`:
// "head" of the flag --head, for errors. Precondition: there are some.
Result<std::vector<std::size_t>> chosen_numbers(const std::string& name, const std::string& text,
                                                const AttentionShape& of);

// Receives the texts of an option of plots for the request.
Flag::Keep kept_in(const std::shared_ptr<FigureRequest>& request, std::string_view option);

// Adds --stage, --layer, --head and --sample.
void add_matrix_flags(Flags& options, const std::shared_ptr<FigureRequest>& request);

// What the rows or columns of a matrix stand for.
enum class MatrixAxis { Queries, Keys, Features, Distances, Measures, One };
std::string_view axis_name(MatrixAxis axis);  // "queries"

struct Subtracted;

// Matrices of one name with their addresses. Measures and distances have one row.
struct ChosenMatrices {
  std::string name;  // "weights", "self_scores", "rollout", "measures"
  MatrixId id;       // of all, but for the numbers of layer, sample and head
  MatrixAxis rows, columns;
  StageShape extents{};
  std::vector<std::size_t> samples{}, layers{}, heads{};
  bool joins_heads = false, joins_layers = false;
  CellRange part{};  // that `extents` are of; without rows: the whole matrix
  std::shared_ptr<const Subtracted> less{};  // null: nothing

  bool is_stage() const { return is_computed(id) && rows != MatrixAxis::One; }
  Shape shape() const {
    return {samples.size(), layers.size(), heads.size(), extents.rows, extents.cols};
  }
  std::vector<HeadAddress> addresses() const;  // sample by sample, layer by layer
};

// Matrices at as many addresses, which are subtracted of others or compared with them.
struct Subtracted {
  std::shared_ptr<const Computed> of;
  ChosenMatrices chosen;
};

// What is chosen by numbers, --sample, --layer and --head, in this order.
struct NumberedAxis {
  std::string_view name;  // "layer"
  std::size_t AttentionShape::*count;
  std::size_t HeadAddress::*at;
  std::vector<std::size_t> ChosenMatrices::*chosen;
};
std::span<const NumberedAxis> numbered_axes();

// Whether there is one matrix for all that the axis counts, layers or heads.
bool is_joined(const ChosenMatrices& chosen, const NumberedAxis& axis);

// What the axis counts, in place of the layers of a shape; layers have their numbers.
AttentionShape as_layers(const NumberedAxis& axis, const AttentionShape& shape);
// The number of what is at this index of the axis.
std::uint64_t number_at(const NumberedAxis& axis, const AttentionShape& shape, std::size_t index);

// Numbers of an address with their names: those of which several were chosen, or `all`.
std::vector<std::pair<std::string_view, std::uint64_t>> numbers_of(const ChosenMatrices& chosen,
                                                                   const AttentionShape& shape,
                                                                   const HeadAddress& at,
                                                                   bool all = false);

// The matrices of a problem that a request chooses by "stage", "layer", "head" and "sample", of
// which those named `usual` ("weights"; "": all stages) if
// none is named, with all addresses of what is not chosen. Usage error for names and numbers that
// there are not, and for numbers of what all of them join.
Result<std::vector<ChosenMatrices>> chosen_matrices(const FigureRequest& request,
                                                    const AttentionProblem& problem,
                                                    std::string_view usual);

// Subtracts the matrices of the same names and numbers of another document from each. Usage error
// for names that are not there, and for other shapes; `file` is that document.
Status subtract(std::vector<ChosenMatrices>& all, FigureRequest request,
                const std::shared_ptr<const Computed>& other, const std::string& file);

// One of them. Errors as of derive(); OverMemoryLimit before, and Usage for flows of hours.
Result<MatrixPtr> matrix_at(const Computed& of, const ChosenMatrices& chosen, const HeadAddress& at,
                            Context& context);

// Name of a row or column: a token, a measure, a distance, or a number.
std::string name_on_axis(const Computed& of, MatrixAxis axis, const HeadAddress& at,
                         std::size_t index);

}  // namespace attn::cli
