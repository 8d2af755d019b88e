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

std::vector<std::string> names_of(const std::vector<std::int64_t>& targets) {
  std::vector<std::string> names;
  names.reserve(targets.size());
  for (const std::int64_t target : targets) names.emplace_back(hwy::TargetName(target));
  return names;
}

}  // namespace

std::vector<std::string> instruction_sets() { return names_of(targets_there()); }

std::vector<std::string> compiled_instruction_sets() {
  std::vector<std::int64_t> targets;
  for (std::int64_t rest = HWY_TARGETS; rest != 0; rest &= rest - 1) {
    targets.push_back(rest & -rest);
  }
  return names_of(targets);
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
