#include "gui/panels/document_card.h"

#include <vector>

#include "document/open.h"

namespace attn::gui {
namespace {

void example_choice(Ui& ui) {
  const auto examples = all_examples();
  std::vector<std::string_view> titles;
  for (const Example& example : examples) titles.push_back(example.title);
  titles.push_back("Examples…");
  if (const auto chosen = combo(ui, "document/examples", "", titles, examples.size())) {
    if (*chosen >= examples.size()) return;
    ui.send(command::Open{std::string(kExamplePrefix) + std::string(examples[*chosen].name)});
  }
}

}  // namespace

void document_card(Ui& ui, const AppState& state, DocumentCardView& view) {
  example_choice(ui);
  if (const auto title =
          text_field(ui, "document/title", state.document.title, view.title, {.hint = "Title"})) {
    ui.send(command::SetTitle{*title});
  }
  if (state.document.description.empty()) return;
  rich_text(ui, state.document.description, kTextSize - 0.5, ui.colors().muted);
  ui.mark("document/description", state.document.description);
}

}  // namespace attn::gui
