// The window in which a sentence is typed or pasted that becomes the tokens of a side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "document/edit/sentence.h"
#include "gui/ui/text_area.h"
#include "session/state.h"

namespace attn::gui {

// What a text comes to; kept as long as nothing of it changes.
struct SentenceReading {
  std::string text;
  SplitBy by{};
  Side side{};
  std::uint64_t revision = 0;       // of the document; 0: nothing was read
  std::vector<std::string> tokens;  // none where the text is refused
  std::string problem;              // why it is
  bool are_present = false;         // the document has just these
};

struct SentenceView {
  bool was_open = false;
  bool take_keyboard = false;
  std::optional<Side> asked_side;  // where it was opened; none: as the marked token says
  Side side = Side::Query;
  SplitBy by = SplitBy::Words;
  SplitBy preferred = SplitBy::Words;  // that was chosen last
  std::string text;
  std::string start;  // the text as the window wrote it
  TextAreaView area;
  SentenceReading reading;
};

// Applying sends one SetTokens. Probe names: "sentence", "sentence/by/LABEL",
// "sentence/side/LABEL" (of two sequences), "sentence/text", "sentence/count",
// "sentence/token/0", …, "sentence/more", "sentence/reason", "sentence/apply", "sentence/close".
void sentence_window(Ui& ui, const AppState& state, SentenceView& view);

}  // namespace attn::gui
