// Two stacks of parts, before and after the one in view.
#include "view/trail.h"

#include <cstdlib>
#include <utility>

namespace attn {

void leave_part(Trail& trail, const CellWindow& left, std::size_t rows, std::size_t cols,
                std::uint64_t stroke) {
  if (trail.rows != rows || trail.cols != cols) trail = {rows, cols, {}, {}, 0};
  trail.future.clear();
  const bool same_gesture = std::exchange(trail.stroke, stroke) == stroke && stroke != 0;
  if (same_gesture) return;
  trail.past.push_back(left);
  if (trail.past.size() > kPartsKept) trail.past.erase(trail.past.begin());
}

CellWindow stepped(Trail& trail, CellWindow shown, int by) {
  std::vector<CellWindow>& from = by < 0 ? trail.past : trail.future;
  std::vector<CellWindow>& to = by < 0 ? trail.future : trail.past;
  for (int steps = std::abs(by); steps > 0 && !from.empty(); --steps) {
    to.push_back(std::exchange(shown, from.back()));
    from.pop_back();
  }
  trail.stroke = 0;
  return shown;
}

}  // namespace attn
