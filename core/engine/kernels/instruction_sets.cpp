// Choice of the instruction set by Highway when a kernel is called.
#include "engine/kernels/instruction_sets.h"

#include <hwy/highway.h>

namespace attn {
namespace {

// The forced target; 0: the best.
std::int64_t g_forced = 0;

void choose(std::int64_t target) {
  g_forced = target;
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

// Targets of this processor, whatever is forced.
std::vector<std::int64_t> targets_there() {
  hwy::SetSupportedTargetsForTest(0);
  std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  hwy::SetSupportedTargetsForTest(g_forced);
  return targets;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::int64_t target : targets_there()) names.emplace_back(hwy::TargetName(target));
  return names;
}

bool use_instruction_set(std::string_view name) {
  if (name.empty()) {
    choose(0);
    return true;
  }
  for (const std::int64_t target : targets_there()) {
    if (name != hwy::TargetName(target)) continue;
    choose(target);
    return true;
  }
  return false;
}

}  // namespace attn
