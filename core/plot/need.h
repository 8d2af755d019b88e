// Something that a plot needs beyond the computed stages before it can be drawn.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/progress.h"
#include "document/document.h"
#include "engine/read/derivation.h"
#include "engine/read/result.h"

namespace attn {

struct Need {
  std::string key;          // equal keys of one result have equal derivations
  std::string label;        // for those who wait: "Attention rollout"
  std::uint64_t steps = 0;  // predicted, about a nanosecond each; saturates
  // From a document and its result, on any thread. Holds nothing that it reads; `progress` may be
  // null. Interrupted when progress->cancelled becomes true.
  std::function<Result<DerivationPtr>(const Document&, const ResultPtr&, Progress*)> derive;
  // Predicted, that deriving takes at most and what it keeps, the result aside; saturates. 0: too
  // few to count.
  std::uint64_t bytes = 0;
  bool awaited = true;  // false: the plot is drawn without it and says so until it is there
  // Only files wait for it: a window says what it shows in its place, which is there much sooner.
  bool only_for_files = false;
};

}  // namespace attn
