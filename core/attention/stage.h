// The stages of attention in the order in which they are computed, and how each is named and
// shaped.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace attn {

enum class Stage {
  Query,       // q  (n_q, d_k) per head
  Key,         // k  (n_k, d_k) per key-value head, shown under each query head that uses it
  Value,       // v  (n_k, d_v) likewise
  Scores,      // q kᵀ            (n_q, n_k)
  Scaled,      // × scale         (n_q, n_k)
  Softcapped,  // c·tanh(x / c)   (n_q, n_k), only with a softcap
  Masked,      // + bias, hidden cells -inf: what goes into the softmax  (n_q, n_k)
  Weights,     // softmax of each row  (n_q, n_k)
  Output,      // weights × v     (n_q, d_v)
  Concat,      // heads side by side  (n_q, heads · d_v), one per sample
  Projected,   // concat × w_o + b_o  (n_q, d_out), one per sample
};

struct StageInfo {
  Stage stage;
  std::string_view name;      // "scores": in JSON, on the command line
  std::string_view label;     // "Scores": for people
  std::string_view formula;   // "QKᵀ"
  std::string_view sentence;  // what it is, one line
  bool token_by_token;        // true when rows are queries and columns are keys
  bool per_head;              // false for Concat and Projected
};

// Every stage, in order of computation.
std::span<const StageInfo> all_stages();
const StageInfo& stage_info(Stage stage);
std::optional<Stage> stage_named(std::string_view name);

// Which matrix of a result: head is ignored where a stage is not per head.
struct HeadAddress {
  std::size_t layer = 0;
  std::size_t sample = 0;
  std::size_t head = 0;
  friend bool operator==(const HeadAddress&, const HeadAddress&) = default;
};

}  // namespace attn
