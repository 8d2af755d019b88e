// Atlas of a model's heads: what follows when each of them alone is taken out, or gives what it
// gives for another text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/read/result.h"

namespace attn {

// Consequences of a gate of 0, or of replaced outputs (attention/what_if.h), at one head.
struct HeadEffect {
  HeadAddress at;
  // Mean variation (engine/matrix/comparison.h) of the weights of all heads of the same attention,
  // (layers, heads); 0 up to its own layer.
  std::vector<float> changes;
  // Divergence of the next token in nats, Σ p ln(p / q) with its shares p before and q without the
  // head, and the change of the logit of one token. NaN without a vocabulary.
  double divergence = 0.0, logit_change = 0.0;
  // With another text: the part of the difference between both that the head carries, 0 none and 1
  // all. It is that of the logits of their likeliest next tokens, which the head moves from one
  // text's towards the other's. NaN if both texts have the same.
  double carried = 0.0;
};

struct Atlas final : Derivation {
  std::vector<HeadEffect> effects;     // of the heads of the layers, by layer and head
  std::optional<std::uint32_t> token;  // the likeliest one before, whose logit changes; nothing
                                       // without a vocabulary
  std::optional<std::uint32_t> other_token{};  // the likeliest one of the other text
  std::uint64_t bytes() const override;
};

// The attention and sample of the heads, and the place after which a token follows.
struct AtlasRequest {
  HeadAddress of;
  std::size_t row = 0;
  ResultPtr other = nullptr;  // of the same model for another text; null: heads are taken out
  std::optional<std::size_t> layer = {};  // whose heads alone change; nothing: all of them in turn
};

// Reason why the heads of one problem cannot give what those of the other give; "" if they can.
std::string why_no_patching(const AttentionProblem& problem, const AttentionProblem& other);

// Reason why there is no atlas, as a sentence; "" if there is one.
std::string why_no_atlas(const AttentionProblem& problem, const HeadAddress& at = {});

// Computes the model once for each head, as compute() does after that head's rows of W_O were set
// to 0. Interrupted when cancelled; OverMemoryLimit. Precondition: why_no_atlas() is empty.
Result<std::shared_ptr<Atlas>> atlas_of(const ResultPtr& result, const AtlasRequest& request,
                                        Progress* progress);

// Predicted nanoseconds for the heads of a layer, and bytes; both saturate.
std::uint64_t nanoseconds_of_atlas(const AttentionProblem& problem, std::size_t layer);
std::uint64_t bytes_of_atlas(const AttentionProblem& problem);

}  // namespace attn
