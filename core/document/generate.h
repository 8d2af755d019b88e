// Numbers that depend only on a seed and on names or token texts. Internal to core/document; the
// public two are in edit.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/tensor.h"
#include "document/document.h"
#include "document/edit.h"

namespace attn {

inline constexpr std::size_t kDefaultModelWidth = 16;
inline constexpr std::size_t kDefaultHeads = 2;

// (n, width) for one list of tokens, (samples, n, width) for several.
Tensor generated_embeddings(std::uint64_t seed, const TokenLists& lists, std::size_t width);

// The hidden units of a scoring function as given matrices have them, or as many as d_k.
std::size_t hidden_units_for(const Scoring& scoring, const AttentionShape& shape);

// Fills in the matrices that the function needs and lacks, except optional ones; those that are
// there stay. Returns their names.
std::vector<std::string> generate_scoring(Scoring& scoring, const AttentionShape& shape,
                                          std::uint64_t seed, std::size_t d_a);

// Fills in the tensors of the list that are needed and missing, from the seed and their names, and
// returns these. Precondition: what was listed may be changed. Numbers are the steps of `count`.
std::vector<std::string> generate_missing(const TensorList& list, std::uint64_t seed,
                                          StepCount* count = nullptr);

// Gives a recurrent model what fits the widths: tensors of another shape are dropped, missing ones
// that it cannot do without generated, and w_initial also where the model had it or its bias. Names
// of these are added to `made`. Numbers are the steps of `count`.
void complete_recurrent(Recurrent& model, const RecurrentWidths& widths, std::uint64_t seed,
                        std::vector<std::string>& made, StepCount* count = nullptr);

// A wild offset must not make a wild table: offsets beyond this count as this.
inline constexpr std::int64_t kMostExtendedPositions = 100'000;

// At least `rows` rows in every matrix of the tensor, new ones scaled as projections are.
Tensor with_rows(const Tensor& tensor, std::size_t rows, std::uint64_t seed,
                 const std::string& name);

// Rows that a table needs for every position of every sample.
std::size_t position_rows(const Document& document);

// Gives what has a row for every position the rows that it lacks, generated from the seed: a
// learned table and the matrix of location-based scores. Rows beyond the last position stay.
void extend_to_positions(Document& document);

// A row for a token in one matrix of the tensor `name`: other matrices, other numbers.
std::vector<float> generated_row(std::uint64_t seed, const std::string& name, std::size_t matrix,
                                 const std::string& token, std::size_t width);

// Positive weights that sum to 1: shares of the exponentials.
std::vector<float> as_weights(std::vector<float> numbers);

// Numbers of a token's row in matrix number `matrix` of a tensor of the model: embeddings as the
// reader generates them, finished weights positive with the sum 1.
std::vector<float> generated_row_of(const Document& document, const TensorInfo& info,
                                    std::size_t matrix, const std::string& text, std::size_t width);

}  // namespace attn
