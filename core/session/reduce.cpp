#include "session/reduce.h"

#include <type_traits>
#include <utility>

#include "session/handlers.h"

namespace attn {
namespace {

template <class T, class... Kinds>
constexpr bool kIsOneOf = (std::is_same_v<T, Kinds> || ...);

}  // namespace

bool keeps_stroke(const Command& command) {
  using namespace command;
  return std::visit(
      []<class T>(const T&) {
        return kIsOneOf<T, SetCell, SetCausalOffset, PaintCell, SetScoring, SetMask, SetPosition,
                        Hover, HoverTensor, MoveCursor, Computed, ComputeFailed, Notify,
                        DismissNotice>;
      },
      command);
}

Step reduce(AppState state, const Command& command) {
  Step step{std::move(state), {}};
  if (!keeps_stroke(command)) step.state.history.stroke = 0;
  std::visit([&step](const auto& c) { apply(step, c); }, command);
  return step;
}

}  // namespace attn
