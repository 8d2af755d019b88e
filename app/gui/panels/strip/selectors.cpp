// Lists of what is counted.
#include "gui/panels/strip/selectors.h"

#include <vector>

#include "session/command.h"

namespace attn::gui {
namespace {

std::string numbered_label(const char* noun, std::size_t index) {
  return std::string(noun) + " " + std::to_string(index + 1);
}

}  // namespace

float numbered_choice_width(Ui& ui, const char* noun, std::size_t count) {
  return text_size(ui.say(Wording::Label, numbered_label(noun, count))).x +
         ImGui::GetFrameHeight() + 3 * ImGui::GetStyle().FramePadding.x;
}

std::optional<std::size_t> numbered_choice(Ui& ui, std::string_view name, const char* noun,
                                           std::size_t count, std::size_t current) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(numbered_label(noun, i));
  const std::vector<std::string_view> views(labels.begin(), labels.end());
  return combo(ui, name, "", views, current, numbered_choice_width(ui, noun, count) / ui.scale,
               std::string("Shows another ") + static_cast<char>(noun[0] - 'A' + 'a') + (noun + 1));
}

void sample_selector(Ui& ui, const AppState& state, std::string_view name) {
  const std::size_t samples = shown_shape(state).samples;
  if (samples < 2) return;
  HeadAddress head = focused_view(state).options.at;
  if (const auto chosen = numbered_choice(ui, name, "Sample", samples, head.sample)) {
    head.sample = *chosen;
    ui.send(command::SelectHead{head});
  }
}

}  // namespace attn::gui
