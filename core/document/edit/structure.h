// What a document is built of, as one value that a person may change: the kind of model, heads,
// widths, layers, samples, one sequence or two.
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

// A value. Fields that the kind has no choice in are as structure_of() has them.
struct Structure {
  const KindInfo* kind = &AttentionLayer::kInfo;  // never null
  std::size_t heads = 1;
  std::size_t key_value_heads = 1;  // divides the heads
  std::size_t d_k = 0;              // columns of one head of Q and K; of cells: of a state
  std::size_t d_v = 0;              // columns of one head of V
  std::size_t d_model = 0;          // columns of the embeddings
  std::size_t layers = 1;
  std::size_t samples = 1;
  bool cross = false;  // queries and keys are different sequences
  friend bool operator==(const Structure&, const Structure&) = default;
};

Structure structure_of(const Document& document);

// A field beside the kind.
struct StructureField {
  std::string_view name;    // "key_value_heads"
  std::string_view label;   // "Key-value heads": of its control
  std::string_view noun;    // "key-value heads": inside sentences
  std::string_view help;    // one line
  std::size_t least, most;  // inclusive
  bool is_flag;             // 0 or 1, for a box to tick
  std::size_t (*get)(const Structure&);
  // Setting the heads takes the key-value heads along where they were as many.
  void (*set)(Structure&, std::size_t);
  std::string_view unit;             // what is counted, such as "columns"
  bool (*applies)(const KindInfo&);  // whether documents of the kind can choose it
};
std::span<const StructureField> all_structure_fields();

// What `wanted` comes to: fields that the kind has no choice in are set, widths of 0 where the kind
// needs them get the numbers that reading takes, and key-value heads that do not divide the heads,
// unless they are what was changed, become as many as the heads where they were so before, else
// the nearest divisor. Normalising twice is normalising once.
Structure normalised(const Document& document, Structure wanted);

// Why the document cannot be changed so, for a person; empty when it can: the bounds of the fields,
// heads that the key-value heads do not divide, and memory as reading predicts it.
std::string reason_against(const Document& document, const Structure& wanted,
                           std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

struct Restructured {
  Document document;
  std::vector<std::string> remarks;  // what was generated, cut or dropped: "Dropped W_O, b_O"
};

// The document as it is wanted, normalised. What exists is kept where it has a place; the rest
// comes from the document's seed, as reading generates it. Finished weights, and Q, K and V, of a
// document that computes them are those of `computed`, its result (borrowed), or computed here
// without one. A document that is so already comes back as it is. Refuses what reason_against()
// refuses (Usage), and what computing does. Interrupted when `progress`, which may be null, is
// cancelled.
Result<Restructured> with_structure(const Document& document, const Structure& wanted,
                                    const AttentionResult* computed = nullptr,
                                    Progress* progress = nullptr,
                                    std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

// Whether with_structure() asks for a result of the document as it is.
bool needs_result(const Document& document, const Structure& wanted);

// What undo says of the change: "change heads", "change structure".
std::string label_of(const Structure& before, const Structure& after);

// How many numbers the document's tensors would have, roughly; `wanted` is normalised.
std::uint64_t predicted_numbers(const Document& document, const Structure& wanted);

// Bytes of the document's numbers and of what computing it keeps, roughly; `wanted` is normalised.
std::uint64_t predicted_bytes(const Document& document, const Structure& wanted);

// The next value of the field upwards or downwards that nothing is said against, where one is near;
// else its neighbour, or the value itself at its bound.
std::size_t next_value(const Document& document, const Structure& wanted,
                       const StructureField& field, bool up,
                       std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

}  // namespace attn
