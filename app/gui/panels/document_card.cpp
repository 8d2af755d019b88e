#include "gui/panels/document_card.h"

#include <algorithm>
#include <vector>

#include "document/open.h"
#include "gui/panels/plots.h"

namespace attn::gui {
namespace {

constexpr float kExamplesWidth = 120.0F;  // units
constexpr float kTallPanel = 680.0F;

void example_choice(Ui& ui) {
  const auto examples = all_examples();
  std::vector<std::string_view> titles{"Examples…"};  // selected, so that the list opens at its top
  for (const Example& example : examples) titles.push_back(example.title);
  const auto chosen = combo(ui, "document/examples", "", titles, 0, kExamplesWidth);
  if (!chosen || *chosen == 0) return;
  ui.send(command::Open{std::string(kExamplePrefix) + std::string(examples[*chosen - 1].name)});
}

}  // namespace

void document_card(Ui& ui, const AppState& state, DocumentCardView& view) {
  const float room =
      ImGui::GetContentRegionAvail().x - ui.px(kExamplesWidth) - ImGui::GetStyle().ItemSpacing.x;
  if (const auto title = text_field(ui, "document/title", state.document.title, view.title,
                                    {.hint = "Title", .width = std::max(room / ui.scale, 60.0F)})) {
    ui.send(command::SetTitle{*title});
  }
  if (button_width(state.document.title) > room) tooltip(ui, state.document.title);
  ImGui::SameLine();
  example_choice(ui);
  if (state.document.description.empty() || is_compact_panel(ui)) return;
  const bool tall = ImGui::GetWindowHeight() > ui.px(kTallPanel);
  if (tall) {
    rich_text(ui, state.document.description, kTextSize - 0.5, ui.colors().muted);
  } else {
    // The heatmap needs the room; the whole text is in the tooltip.
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string line = fitted_token(ui, state.document.description, width);
    rich_text(ui, line, kTextSize, ui.colors().muted);
    tooltip(ui, state.document.description);
  }
  ui.mark("document/description", state.document.description);
  if (tall) ImGui::Spacing();
}

}  // namespace attn::gui
