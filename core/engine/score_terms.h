// What one score is a sum of: which dimension or hidden unit made it large.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/result.h"

namespace attn {

// left · right is one summand of the score, in double; scoring_info(…).terms has the words.
struct ScoreTerm {
  std::size_t index = 0;
  double left = 0.0;
  double right = 0.0;
  double product() const { return left * right; }
};

// The summands of the score of query q and key k before the scale, in order of their index; their
// sum is the score up to rounding. Dot products: of every column of query (turned, where positions
// are rotary) and key. General: of every column of q W and of the key. Concat and additive: of
// every hidden unit, v and tanh(…). Location: of every column of the query and row k of W. Empty
// when weights are given. Precondition: head, q and k are inside.
std::vector<ScoreTerm> score_terms(const AttentionResult& result, const HeadAddress& head,
                                   std::size_t q, std::size_t k);

}  // namespace attn
