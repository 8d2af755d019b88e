// Asks Highway, which chooses when a kernel is called.
#include "engine/kernels/instruction_sets.h"

#include <hwy/highway.h>

namespace attn {
namespace {

void choose(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

bool use_instruction_set(std::string_view name) {
  choose(0);
  if (name.empty()) return true;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (name != hwy::TargetName(target)) continue;
    choose(target);
    return true;
  }
  return false;
}

}  // namespace attn
