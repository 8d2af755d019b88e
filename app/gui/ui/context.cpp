// Says the words of the program in the language of the window.
#include "gui/ui/context.h"

namespace attn::gui {

std::string_view Ui::say(Wording wording, std::string_view words) {
  if (words.empty()) return words;
  if (probe != nullptr) probe->say(wording, words);
  if (catalogue == nullptr) return words;
  std::optional<std::string> other = translated(*catalogue, words);
  if (!other) return words;
  if (translations_frame != ImGui::GetFrameCount()) translations.clear();
  translations_frame = ImGui::GetFrameCount();
  return translations.emplace_back(*std::move(other));
}

}  // namespace attn::gui
