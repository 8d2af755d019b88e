// Structure of a document as one value to edit: kind of model, heads, widths, layers, samples, one
// sequence or two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "document/document.h"
#include "engine/compute.h"
#include "engine/read/result.h"

namespace attn {

// Fields that the kind determines have the values that structure_of() gives.
struct Structure {
  const KindInfo* kind = &AttentionLayer::kInfo;  // never null
  std::size_t heads = 1;
  std::size_t key_value_heads = 1;  // divides the heads
  std::size_t d_k = 0;              // columns of one head of Q and K; of cells: of a state
  std::size_t d_v = 0;              // columns of one head of V
  std::size_t d_model = 0;          // columns of the embeddings
  std::size_t layers = 1;
  std::size_t samples = 1;
  bool cross = false;  // cross-attention
  friend bool operator==(const Structure&, const Structure&) = default;
};

Structure structure_of(const Document& document);

// A field of the structure other than the kind.
struct StructureField {
  std::string_view name;    // "key_value_heads"
  std::string_view label;   // label of its control: "Key-value heads"
  std::string_view noun;    // noun in sentences: "key-value heads"
  std::string_view help;    // one line
  std::size_t least, most;  // inclusive
  bool is_flag;             // 0 or 1: a check box
  std::size_t (*get)(const Structure&);
  // Setting the heads also sets the key/value heads if they were equal.
  void (*set)(Structure&, std::size_t);
  std::string_view unit;             // what is counted, such as "columns"
  bool (*applies)(const KindInfo&);  // whether documents of the kind can choose it
};
std::span<const StructureField> all_structure_fields();

// Completes `wanted`: sets fields without a choice for the kind, replaces required widths of 0 by
// the reader's defaults, and changes key/value heads that do not divide the heads, unless they are
// the field that changed: to the heads if they were equal before, else to the nearest divisor.
// Idempotent.
Structure normalised(const Document& document, Structure wanted);

// Returns the reason why the document cannot be changed to the structure, as a sentence; empty if
// it can: bounds of fields, key/value heads that do not divide the heads, predicted memory.
std::string reason_against(const Document& document, const Structure& wanted,
                           std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

struct Restructured {
  Document document;
  std::vector<std::string> remarks;  // generated, cut or dropped: "Dropped W_O, b_O"
};

// Returns the document with the wanted structure, normalised. Keeps all numbers with a place in it;
// others are generated from the seed, as by the reader. Given weights, or Q, K and V, are taken
// from `computed`, the document's result (borrowed), or computed here. A document that already has
// the structure is returned unchanged. Errors: Usage where there is a reason_against() it, those of
// computing, Interrupted when `progress` (may be null) is cancelled.
Result<Restructured> with_structure(const Document& document, const Structure& wanted,
                                    const AttentionResult* computed = nullptr,
                                    Progress* progress = nullptr,
                                    std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

// True if with_structure() needs the document's result.
bool needs_result(const Document& document, const Structure& wanted);

// Returns the label of the step of undo: "change heads", "change structure".
std::string label_of(const Structure& before, const Structure& after);

// Returns the approximate number of elements of the document's tensors; `wanted` is normalised.
std::uint64_t predicted_numbers(const Document& document, const Structure& wanted);

// Returns the approximate bytes of the document and its result; `wanted` is normalised.
std::uint64_t predicted_bytes(const Document& document, const Structure& wanted);

// Returns the next value of the field upwards or downwards without a reason against it, if one is
// near; else the neighbour, or the value at its bound.
std::size_t next_value(const Document& document, const Structure& wanted,
                       const StructureField& field, bool up,
                       std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

}  // namespace attn
