// Matrices chosen on the command line: stages and matrices derived from them by names, layers,
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

// Returns the chosen layers of `of` as indices, each once, in the order of the text. `name`: "head"
// of the flag --head, for errors. Precondition: there are layers, which as_layers() makes of heads.
Result<std::vector<std::size_t>> chosen_numbers(const std::string& name, const std::string& text,
                                                const AttentionShape& of);

// Returns the receiver that puts the texts of an option of plots into the request.
Flag::Keep kept_in(const std::shared_ptr<FigureRequest>& request, std::string_view option);

// Adds --stage, --layer, --head and --sample.
void add_matrix_flags(Flags& options, const std::shared_ptr<FigureRequest>& request);

// The meaning of the rows or columns of a matrix.
// Effects are later heads, then the next token of an atlas.
enum class MatrixAxis {
  Queries,
  Keys,
  Features,
  Distances,
  Measures,
  Vocabulary,
  One,
  Heads,
  Effects
};
// True for axes of neither tokens nor features, which are named.
bool has_names(MatrixAxis axis);
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
  CellRange part{};  // the part that has the `extents`; without rows: the whole matrix
  std::optional<std::size_t> place{};  // of an atlas's next token; nothing: the usual one
  ResultPtr other{};  // of the text whose heads an atlas puts in; null: heads are taken out
  std::shared_ptr<const Subtracted> less{};  // null: nothing

  bool is_stage() const {
    return is_computed(id) && rows != MatrixAxis::One && columns != MatrixAxis::Vocabulary &&
           rows != MatrixAxis::Heads;
  }
  Shape shape() const {
    return {samples.size(), layers.size(), heads.size(), extents.rows, extents.cols};
  }
  std::vector<HeadAddress> addresses() const;  // sample by sample, layer by layer
};

// Matrices that are subtracted from as many others or compared with them.
struct Subtracted {
  std::shared_ptr<const Computed> of;
  ChosenMatrices chosen;
};

// An axis along which numbers choose: those of --sample, --layer and --head, in this order.
struct NumberedAxis {
  std::string_view name;  // "layer"
  std::size_t AttentionShape::*count;
  std::size_t HeadAddress::*at;
  std::vector<std::size_t> ChosenMatrices::*chosen;
};
std::span<const NumberedAxis> numbered_axes();

// True if one matrix is for all layers or heads of the axis.
bool is_joined(const ChosenMatrices& chosen, const NumberedAxis& axis);

// Returns the shape with the extent of the axis in place of its layers; layers keep their numbers.
AttentionShape as_layers(const NumberedAxis& axis, const AttentionShape& shape);
// Returns the number at this index of the axis.
std::uint64_t number_at(const NumberedAxis& axis, const AttentionShape& shape, std::size_t index);

// Returns the numbers of an address with their names: of axes with several chosen ones, or `all`.
std::vector<std::pair<std::string_view, std::uint64_t>> numbers_of(const ChosenMatrices& chosen,
                                                                   const AttentionShape& shape,
                                                                   const HeadAddress& at,
                                                                   bool all = false);

// Returns the matrices of a problem that a request chooses by "stage", "layer", "head" and
// "sample"; those named `usual` ("weights"; "": all stages) if it names none, and all samples,
// layers and heads without a number. Usage error for names and numbers that do not exist, and for
// numbers of axes that all of the matrices join.
Result<std::vector<ChosenMatrices>> chosen_matrices(const FigureRequest& request,
                                                    const AttentionProblem& problem,
                                                    std::string_view usual);

// Subtracts the matrices of the same names and numbers of another document from each. Usage error
// for names that are not there, and for other shapes; `file` is that document.
Status subtract(std::vector<ChosenMatrices>& all, FigureRequest request,
                const std::shared_ptr<const Computed>& other, const std::string& file);

// Returns one of the matrices. Errors of derive(), OverMemoryLimit, and Usage for flows of hours.
Result<MatrixPtr> matrix_at(const Computed& of, const ChosenMatrices& chosen, const HeadAddress& at,
                            Context& context);

// Returns the name of a row or column: a token, also of a vocabulary, a measure, a distance, or a
// number.
std::string name_on_axis(const Computed& of, MatrixAxis axis, const HeadAddress& at,
                         std::size_t index);

}  // namespace attn::cli
