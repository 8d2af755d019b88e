// Two stacks of parts, before and after the current one.
#include "view/trail.h"

#include <cstdlib>
#include <utility>

namespace attn {

ShownPart part_of(const ViewOptions& options, const PartsOf& of) {
  if (of.tokens) return FirstTokens{options.first_query, options.first_key};
  return options.window;
}

void leave_part(Trail& trail, const ShownPart& left, const PartsOf& of, std::uint64_t gesture) {
  if (trail.of != of) trail = {of, {}, {}, 0};
  trail.future.clear();
  const bool same_gesture = std::exchange(trail.gesture, gesture) == gesture && gesture != 0;
  if (same_gesture) return;
  trail.past.push_back(left);
  if (trail.past.size() > kPartsKept) trail.past.erase(trail.past.begin());
}

ShownPart stepped(Trail& trail, ShownPart shown, int by) {
  std::vector<ShownPart>& from = by < 0 ? trail.past : trail.future;
  std::vector<ShownPart>& to = by < 0 ? trail.future : trail.past;
  for (int steps = std::abs(by); steps > 0 && !from.empty(); --steps) {
    to.push_back(std::exchange(shown, from.back()));
    from.pop_back();
  }
  trail.gesture = 0;
  return shown;
}

}  // namespace attn
