// Numbers that depend only on a seed and on names or token texts. Internal to core/document; two
// public ones are in edit.h.
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

// Hidden units of a scoring function: those of given matrices, else d_k.
std::size_t hidden_units_for(const Scoring& scoring, const AttentionShape& shape);

// A scoring matrix of `rank` axes for all heads, or one per head: further heads have their own
// seeds.
Tensor generated_scoring_matrix(std::uint64_t seed, const std::string& name, const Shape& shape,
                                std::size_t rank);

// Generates required matrices that are missing; existing ones stay. Returns their names.
std::vector<std::string> generate_scoring(Scoring& scoring, const AttentionShape& shape,
                                          std::uint64_t seed);

// Generates required tensors of the list that are missing, from the seed and their names, and
// returns these. Precondition: the listed tensors may be changed. Each number is a step of `count`.
std::vector<std::string> generate_missing(const TensorList& list, std::uint64_t seed,
                                          StepCount* count = nullptr);

// Gives a recurrent model tensors of these widths: drops those of another shape, generates missing
// ones that it needs, and w_initial also if the model had it or its bias. Adds their names to
// `made`. Numbers are the steps of `count`.
void complete_recurrent(Recurrent& model, const RecurrentWidths& widths, std::uint64_t seed,
                        std::vector<std::string>& made, StepCount* count = nullptr);

// Larger offsets are treated as this one, so that no table gets huge.
inline constexpr std::int64_t kMostExtendedPositions = 100'000;

// Extends every matrix of the tensor to at least `rows` rows, new ones scaled like projections.
Tensor with_rows(const Tensor& tensor, std::size_t rows, std::uint64_t seed,
                 const std::string& name);

// Rows that a table needs for all positions of all samples.
std::size_t position_rows(const Document& document);

// Extends tables with a row per position from the seed: learned positions and the matrix of
// location-based scores. Rows beyond the last position stay.
void extend_to_positions(Document& document);

// Row for a token in matrix `matrix` of the tensor `name`; matrices differ.
std::vector<float> generated_row(std::uint64_t seed, const std::string& name, std::size_t matrix,
                                 const std::string& token, std::size_t width);

// Softmax: positive weights that sum to 1.
std::vector<float> as_weights(std::vector<float> numbers);

// Row for a token in matrix `matrix` of a tensor of the model: embeddings as the reader generates
// them, given weights positive with sum 1.
std::vector<float> generated_row_of(const Document& document, const TensorInfo& info,
                                    std::size_t matrix, const std::string& text, std::size_t width);

}  // namespace attn
