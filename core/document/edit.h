// Edits of a document: each returns a new consistent document or the reason why not.
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

// One matrix of a tensor: parts of the address that the tensor has no axis for are ignored.
struct MatrixRef {
  TensorPath tensor;
  HeadAddress at;  // for keys and values, `head` is the key-value head
  friend bool operator==(const MatrixRef&, const MatrixRef&) = default;
};

// The model's tensors, and those of scores, positions and relative biases. Borrowed from
// `document`. With a block: of the blocks only that one.
TensorList tensors_of(const Document& document, std::optional<std::size_t> block = {});
// Those that are there, for a person to edit; of the blocks those of one.
TensorList editable_tensors(const Document& document, std::size_t block = 0);
// The one with the path; nothing when the document has no room for it.
std::optional<TensorInfo> tensor_at(const Document& document, const TensorPath& path);
// The label of a path, also of a tensor that no document has: then its last part.
std::string label_of(const Document& document, const TensorPath& path);

// Visits every tensor of numbers that is there, those of all blocks, of rules and of masks
// included.
void each_tensor(Document& document, const std::function<void(Tensor&)>& visit);

// Borrowed from `document`; empty when the tensor is absent.
MatrixView matrix_of(const Document& document, const MatrixRef& ref);

// What a row or column of the matrix stands for: tokens where rows are tokens, features by their
// names, else "0", "1", ….
TokenList row_labels(const Document& document, const MatrixRef& ref);
TokenList column_labels(const Document& document, const MatrixRef& ref);
// By which names its columns go.
FeatureColumns column_features(const Document& document, const MatrixRef& ref);

Result<Document> with_cell(const Document& document, const MatrixRef& ref, std::size_t row,
                           std::size_t col, float value);

// Writes rows × cols values from (row, col) on; refuses a block that sticks out.
Result<Document> with_numbers(const Document& document, const MatrixRef& ref, std::size_t row,
                              std::size_t col, std::size_t rows, std::size_t cols,
                              std::span<const float> values);

enum class Fill { RandomNormal, Zeros, Identity };
// RandomNormal draws from the document's seed and the matrix's path, and moves the seed on so that
// the next press gives other numbers; given weights get positive rows that sum to 1.
Document with_fill(const Document& document, const MatrixRef& ref, Fill fill);
Result<Document> with_matrix_scaled(const Document& document, const MatrixRef& ref, float factor);

// Tokens. Rows of the matrices, padding flags, visible cells and biases follow; new rows are
// generated from the seed and the token's text, and tokens without a name are numbered anew. For
// self-attention both sides change together. Given weights get a generated row of positive weights
// that sum to 1 for the new query, and 0 for the new key in the other rows; deleting leaves the
// remaining weights as they are. Renaming changes no number. Refuses to delete the last token and
// text that is not UTF-8.
Result<Document> with_token_inserted(const Document& document, Side side, std::size_t index,
                                     const std::string& text);
Result<Document> with_token_renamed(const Document& document, Side side, std::size_t sample,
                                    std::size_t index, const std::string& text);
Result<Document> with_token_deleted(const Document& document, Side side, std::size_t index);
Result<Document> with_token_moved(const Document& document, Side side, std::size_t from,
                                  std::size_t to);

// The document with another name for a column of features; empty: none. Refuses a column that the
// document does not have, and text that is not UTF-8.
Result<Document> with_feature_renamed(const Document& document, FeatureAxis axis,
                                      std::size_t column, const std::string& name);

// The model as it is chosen to be. Tensors that fit stay; matrices that are missing, those of the
// scoring included, are generated, what has no more use is dropped. Refuses what does not fit.
// Precondition: reason_against() has none.
Result<Document> with_choice(const Document& document, const ModelChoice& choice);
// Why the document's model cannot be changed so, for a person; empty when it can.
std::string reason_against(const Document& document, const ModelChoice& choice);
// What undo says of the change.
std::string label_of(const ModelChoice& choice);

// How scores are made. Matrices that the function does not use are dropped, those that it lacks are
// generated; what it shares with the last function stays. Refuses what does not fit.
Result<Document> with_scoring(const Document& document, Scoring scoring);
// What with_scoring does to the matrices of another function, for tensors of any `shape`. Returns
// the names of those that were generated.
std::vector<std::string> complete_scoring(Scoring& scoring, const AttentionShape& shape,
                                          std::uint64_t seed);
// A learned table that is missing is generated; columns that do not pair are left unturned.
Result<Document> with_position(const Document& document, Position position);

// Masks: of a decoder that of the attention at an address. Learned positions grow with it.
Result<Document> with_mask(const Document& document, Mask mask, const HeadAddress& at = {});
Document with_causal(const Document& document, bool causal, const HeadAddress& at = {});
// Refuses one before the first of learned positions.
Result<Document> with_causal_offset(const Document& document, std::int64_t offset,
                                    const HeadAddress& at = {});
// `real` false hides the token. A list per sample is made when the document has samples.
Document with_padding(const Document& document, Side side, std::size_t sample, std::size_t index,
                      bool real, const HeadAddress& at = {});
// Paints one cell of `visible`: for all heads and samples unless the document's own mask tells them
// apart, then for the one at `head`.
Document with_cell_visible(const Document& document, const HeadAddress& head, std::size_t q,
                           std::size_t k, bool visible);
// Every cell painted by hand is shown again; other rules and the bias stay.
Document with_painted_cleared(const Document& document, const HeadAddress& at = {});
// Without any rule: causal, padding, visible and bias alike.
Document with_mask_cleared(const Document& document, const HeadAddress& at = {});

// Generated numbers depend only on the seed and the token text, on every machine.
std::vector<float> generated_embedding(std::uint64_t seed, const std::string& token,
                                       std::size_t width);
// Normal / √rows, as projections are usually initialised; `name` separates the matrices. Numbers
// are the steps of `count`, which may be null; those that nobody wants any more are 0.
Tensor generated_projection(std::uint64_t seed, const std::string& name, std::size_t rows,
                            std::size_t cols, StepCount* count = nullptr);

}  // namespace attn
