// Shows and edits how the model encodes positions.
#include "gui/panels/rules/positions.h"

#include <array>
#include <cctype>
#include <string>

#include "gui/panels/controls.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// "A reason." of "a reason".
std::string sentence_of(std::string_view reason) {
  std::string sentence = std::string(reason) + ".";
  sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
  return sentence;
}

template <class Member, class Value>
void change(Ui& ui, const AppState& state, Member Position::*member, Value value) {
  Position position = state.document.position;
  position.*member = value;
  ui.send(command::SetPosition{std::move(position), ui.field_gesture});
}

void kind_rows(Ui& ui, const AppState& state) {
  const Position& position = state.document.position;
  const PositionKindInfo* chosen =
      choice_row(ui, {"positions/kind", "", "How attention knows the places of tokens"},
                 all_position_kinds(), position_info(position.kind));
  if (chosen == nullptr) return;
  ui.send(command::SetPosition{usual_position(chosen->kind)});
}

void layout_row(Ui& ui, const AppState& state) {
  constexpr std::array<std::string_view, 2> kLabels{"Interleaved", "Halves"};
  const auto current = static_cast<std::size_t>(state.document.position.layout);
  if (const auto chosen = segmented(ui, "positions/layout", kLabels, current, [](auto i) {
        return std::string(i == 0 ? "Columns 1 and 2 turn together, 3 and 4, and so on"
                                  : "Each column of the first half turns with one of the second");
      })) {
    change(ui, state, &Position::layout, static_cast<PositionLayout>(*chosen));
  }
}

void change_row(Ui& ui, const AppState& state, const RowWords& words, float Position::*member,
                PositionsView& view) {
  const float value = state.document.position.*member;
  if (const auto number = positive_row(ui, words, value, view.fields)) {
    change(ui, state, member, *number);
  }
}

void rope_rows(Ui& ui, const AppState& state, PositionsView& view) {
  constexpr std::array<std::string_view, 3> kLabels{"No scaling", "Linear", "NTK"};
  const Position& position = state.document.position;
  const auto current = static_cast<std::size_t>(position.scaling);
  if (const auto chosen = segmented(ui, "positions/scaling", kLabels, current, [](auto i) {
        constexpr std::array<const char*, 3> kWords{
            "Positions count as they are", "Positions are divided by a factor",
            "The base grows with a factor, which slows the slow columns most"};
        return std::string(kWords[i]);
      })) {
    Position changed = position;
    changed.scaling = static_cast<RopeScaling>(*chosen);
    if (changed.scaling != RopeScaling::None && changed.factor == 1.0F) changed.factor = 2.0F;
    ui.send(command::SetPosition{std::move(changed)});
  }
  if (position.scaling == RopeScaling::None) return;
  change_row(ui, state, {"positions/factor", "Factor", "How much longer than trained", "a factor"},
             &Position::factor, view);
}

}  // namespace

Position usual_position(PositionKind kind) {
  Position position;
  position.kind = kind;
  position.layout = position_info(kind).usual_layout;
  return position;
}

void positions_panel(Ui& ui, const AppState& state, PositionsView& view) {
  if (!has_scores(state.document.model)) {
    return empty_hint(ui, "This document gives finished weights: positions change nothing here.");
  }
  const std::string_view reason = info_of(state.document.model).no_positions;
  if (!reason.empty()) return empty_hint(ui, sentence_of(reason));
  kind_rows(ui, state);
  if (attentions_of(state.document).size() > 1) {
    empty_hint(ui, "Of a decoder's rows among themselves: the keys were encoded before.");
  }
  if (!position_info(state.document.position.kind).waves) return;
  layout_row(ui, state);
  change_row(ui, state, {"positions/base", "Base", "The longest wave is 2π times this", "tokens"},
             &Position::base, view);
  if (is_turned(state.document.position)) rope_rows(ui, state, view);
}

}  // namespace attn::gui
