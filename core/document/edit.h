// Edits of a document: each returns a new consistent document or an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "document/document.h"

namespace attn {

// One matrix of a tensor; parts of the address without an axis in the tensor are ignored.
struct MatrixRef {
  TensorPath tensor;
  HeadAddress at;  // for keys and values, `head` is the key/value head
  friend bool operator==(const MatrixRef&, const MatrixRef&) = default;
};

// Tensors of the model, scoring, positions and relative biases. Borrowed from `document`. `block`
// restricts them to one of the blocks.
TensorList tensors_of(const Document& document, std::optional<std::size_t> block = {});
// Existing tensors that can be edited; of blocks only those of one block.
TensorList editable_tensors(const Document& document, std::size_t block = 0);
// Tensor with the path; nothing if the document cannot have it.
std::optional<TensorInfo> tensor_at(const Document& document, const TensorPath& path);
// Label of a path; for unknown tensors its last part.
std::string label_of(const Document& document, const TensorPath& path);

// Visits all existing tensors of numbers, including those of blocks, rules and masks.
void each_tensor(Document& document, const std::function<void(Tensor&)>& visit);

// Borrowed from `document`; empty if the tensor is absent.
MatrixView matrix_of(const Document& document, const MatrixRef& ref);

// One number of a matrix.
struct InputCell {
  MatrixRef matrix;
  std::size_t row = 0, col = 0;
};
// The number with the JSON pointer, "/q/0/1" or "/attention/1/2/6/3"; nothing if it is not there.
std::optional<InputCell> input_cell(const Document& document, std::string_view pointer);

// Labels of rows or columns: tokens; names of features, or their numbers from 1; positions and
// buckets from 0.
TokenList row_labels(const Document& document, const MatrixRef& ref);
TokenList column_labels(const Document& document, const MatrixRef& ref);
FeatureColumns column_features(const Document& document, const MatrixRef& ref);

Result<Document> with_cell(const Document& document, const MatrixRef& ref, std::size_t row,
                           std::size_t col, float value);

// Writes rows × cols values from (row, col) on; refuses a block that exceeds the matrix.
Result<Document> with_numbers(const Document& document, const MatrixRef& ref, std::size_t row,
                              std::size_t col, std::size_t rows, std::size_t cols,
                              std::span<const float> values);

enum class Fill { RandomNormal, Zeros, Identity };
// RandomNormal draws from the document's seed and the matrix's path, and advances the seed so that
// the next call differs; given weights get positive rows that sum to 1.
Document with_fill(const Document& document, const MatrixRef& ref, Fill fill);
Result<Document> with_matrix_scaled(const Document& document, const MatrixRef& ref, float factor);

// Tokens. Rows of matrices, padding flags, visible cells and biases follow; new rows are generated
// from the seed and the token's text, and unnamed tokens are renumbered. Self-attention changes
// both sides. Given weights get a generated row of positive weights that sum to 1 for a new query,
// and 0 for a new key in other rows; deletion leaves the remaining weights unchanged. Renaming
// changes no number. Refuses to delete the last token, and invalid UTF-8.
Result<Document> with_token_inserted(const Document& document, Side side, std::size_t index,
                                     const std::string& text);
Result<Document> with_token_renamed(const Document& document, Side side, std::size_t sample,
                                    std::size_t index, const std::string& text);
Result<Document> with_token_deleted(const Document& document, Side side, std::size_t index);
Result<Document> with_token_moved(const Document& document, Side side, std::size_t from,
                                  std::size_t to);

// Renames a feature column; an empty name removes it. Refuses missing columns and invalid UTF-8.
Result<Document> with_feature_renamed(const Document& document, FeatureAxis axis,
                                      std::size_t column, const std::string& name);

// Changes choices of the model. Fitting tensors stay; missing matrices, including those of the
// scoring, are generated, unused ones dropped. Refuses what does not fit. Precondition:
// reason_against() is empty.
Result<Document> with_choice(const Document& document, const ModelChoice& choice);
// Reason why the model cannot be changed to these choices, as a sentence; empty if it can.
std::string reason_against(const Document& document, const ModelChoice& choice);
// Label of the step of undo.
std::string label_of(const ModelChoice& choice);

// Changes the scoring. Drops unused matrices and generates missing ones; those shared with the
// previous function stay. Refuses what does not fit.
Result<Document> with_scoring(const Document& document, Scoring scoring);
// Completes scoring matrices as with_scoring() does, for tensors of any `shape`. Returns the names
// of generated ones.
std::vector<std::string> complete_scoring(Scoring& scoring, AttentionShape shape,
                                          std::uint64_t seed);
// Generates a missing learned table; unpaired columns are not rotated.
Result<Document> with_position(const Document& document, Position position);

// Masks; for decoders that of the attention at `at`. Learned positions are extended if necessary.
Result<Document> with_mask(const Document& document, Mask mask, const HeadAddress& at = {});
Document with_causal(const Document& document, bool causal, const HeadAddress& at = {});
// Refuses offsets before the first of learned positions.
Result<Document> with_causal_offset(const Document& document, std::int64_t offset,
                                    const HeadAddress& at = {});
// `real` false hides the token. Makes one list per sample if the document has samples.
Document with_padding(const Document& document, Side side, std::size_t sample, std::size_t index,
                      bool real, const HeadAddress& at = {});
// Sets one cell of `visible`: for all heads and samples unless the document's mask distinguishes
// them, else for those at `head`. `alone` makes the mask distinguish all layers, samples and heads.
Document with_cell_visible(const Document& document, const HeadAddress& head, std::size_t q,
                           std::size_t k, bool visible, bool alone = false);
// Removes all rules and biases, or shows only the manually hidden cells.
Document with_mask_cleared(const Document& document, bool only_painted = false,
                           const HeadAddress& at = {});

// Drops names of feature columns that no longer exist, gates and edges of such heads, and patterns
// of other lengths.
void drop_what_is_gone(Document& document);

// Gives heads weights in place of their own; empty ones give a head its own back.
Result<Document> with_patterns(const Document& document, std::span<const HeadPattern> patterns);
// Cuts edges between heads, or restores them.
Result<Document> with_edges(const Document& document, std::span<const CutEdge> edges, bool are_cut);
// Sets gates of heads; a factor of 1 removes one.
Result<Document> with_gates(const Document& document, std::span<const HeadGate> gates);

// Depends only on the seed and the token's text, on all machines.
std::vector<float> generated_embedding(std::uint64_t seed, const std::string& token,
                                       std::size_t width);
// Normal / √rows, the usual initialisation of projections; `name` separates matrices. Each number
// is a step of `count`, which may be null; after cancellation the rest is 0.
Tensor generated_projection(std::uint64_t seed, const std::string& name, std::size_t rows,
                            std::size_t cols, StepCount* count = nullptr);

}  // namespace attn
