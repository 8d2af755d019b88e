// Token lists: rows, editing, and padding toggles.
#include "gui/panels/tokens.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/edit/sentence.h"
#include "gui/panels/rules/rules.h"
#include "gui/platform/imgui_compat.h"
#include "plot/kit/names.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr int kRenameKey = keys::kF1 + 1;
constexpr float kRowPadding = 2.5F;  // units, above and below the text of a row
constexpr float kToggleColumn = 24.0F, kTightColumn = 15.0F;
constexpr float kTightPanel = 150.0F;
constexpr float kMinRows = 2.5F;
constexpr float kEnoughRows = 4.0F;          // of each list; with fewer, both share one foot
constexpr std::size_t kMaxCutAtOnce = 4096;  // bytes that may be split into words in every frame
constexpr const char* kDragKind = "attn-token";

// Words for the list of one side; the second title is for too little space.
struct SideWords {
  const char *prefix, *title, *brief, *token, *hint;
};
constexpr SideWords kBothSides{"tokens/", "Tokens", "Tokens", "Token ", "New token"};
constexpr SideWords kQuerySide{"tokens/query/", "Query tokens", "Queries", "Query ", "New query"};
constexpr SideWords kKeySide{"tokens/key/", "Key tokens", "Keys", "Key ", "New key"};

// One list, with everything that its rows and buttons need.
struct TokenListing {
  Ui& ui;
  const AppState& state;
  TokensView& panel;
  TokenListView& view;
  TokenList tokens;
  Side side;
  std::size_t sample;
  const SideWords& words;
  float height_px;   // of the rows
  bool tight;        // too narrow for anything but names and toggles
  bool shares_foot;  // its field and buttons are below both lists

  // Padding masks with a toggle per row: both for self-attention, which of several does not apply
  // to the other list.
  std::span<const Side> paddings() const {
    static constexpr Side kSides[] = {Side::Key, Side::Query};
    const HeadAddress& at = focused_view(state).options.at;
    if (keys_are_queries(state)) {
      return std::span(kSides).first(listed_side(state.document, at, side) == side ? 2 : 0);
    }
    return std::span(kSides).subspan(side == Side::Key ? 0 : 1, 1);
  }
  float column_px() const { return ui.px(tight ? kTightColumn : kToggleColumn); }
  float toggles_px() const { return column_px() * static_cast<float>(paddings().size()); }
  float gap_px() const { return ImGui::GetStyle().ItemSpacing.x; }

  std::string name(std::string_view what) const { return words.prefix + std::string(what); }

  TokenHit hit(std::size_t index) const { return {side, sample, index}; }
  bool is_marked(std::size_t index) const { return state.marked_token == hit(index); }
  // Token that buttons and keys apply to.
  std::optional<std::size_t> selected() const {
    const std::optional<TokenHit>& marked = state.marked_token;
    const bool here = marked && marked->side == side && marked->sample == sample;
    return here ? std::optional(marked->index) : std::nullopt;
  }
  void select(std::size_t index) const {
    if (!is_marked(index)) ui.send(command::MarkToken{hit(index)});
  }
};

float row_px(const Ui& ui) {
  return std::floor(ImGui::GetTextLineHeight() + 2 * ui.px(kRowPadding));
}

// Height of that many rows.
float rows_px(const Ui& ui, std::size_t count) { return row_px(ui) * static_cast<float>(count); }

// Scrolls as little as shows the selected row, once after it changed.
void reveal_selected(TokenListing& list) {
  const std::optional<std::size_t> selected = list.selected();
  if (std::exchange(list.view.revealed, selected) == selected || !selected) return;
  const float top = rows_px(list.ui, *selected);
  const float above = top + row_px(list.ui) - list.height_px;
  ImGui::SetScrollY(std::clamp(ImGui::GetScrollY(), std::max(0.0F, above), std::max(top, 0.0F)));
}

void start_rename(TokenListing& list, std::size_t index) {
  list.select(index);
  list.view.renaming = index;
  list.view.rename_appeared = true;
  list.view.rename = {};
}

void rename_field(TokenListing& list, std::size_t index) {
  const bool appeared = std::exchange(list.view.rename_appeared, false);
  const std::string* const name = list.tokens.name_of(index);
  const auto text = text_field(
      list.ui, list.name("edit"), name != nullptr ? *name : "", list.view.rename,
      {.tooltip = "Text of the token; Enter keeps the change, Esc discards it", .focus = appeared});
  if (text) list.ui.send(command::RenameToken{list.side, list.sample, index, *text});
  if (!appeared && !list.view.rename.editing) list.view.renaming.reset();
}

// Marks the place of the dragged token: after the last item, or before it.
void insertion_line(const TokenListing& list, bool after) {
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const float y = after ? max.y : min.y, half = list.ui.px(1);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(min.x, y - half), ImVec2(max.x, y + half),
                                            to_imgui(list.ui.colors().accent));
}

void drag_and_drop(TokenListing& list, std::size_t index) {
  if (ImGui::BeginDragDropSource()) {
    const TokenHit dragged = list.hit(index);
    ImGui::SetDragDropPayload(kDragKind, &dragged, sizeof dragged);
    elided_text(list.ui, visible_token(list.tokens.spoken(index)), list.ui.px(120),
                list.ui.colors().ink);
    ImGui::EndDragDropSource();
  }
  if (!ImGui::BeginDragDropTarget()) return;
  constexpr ImGuiDragDropFlags kFlags =
      ImGuiDragDropFlags_AcceptBeforeDelivery | ImGuiDragDropFlags_AcceptNoDrawDefaultRect;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDragKind, kFlags)) {
    const auto dragged = *static_cast<const TokenHit*>(payload->Data);
    const bool moves = dragged.side == list.side && dragged.index != index;
    if (moves) insertion_line(list, dragged.index < index);
    if (moves && payload->IsDelivery()) {
      list.ui.send(command::MoveToken{list.side, dragged.index, index});
      list.ui.send(command::MarkToken{list.hit(index)});
    }
  }
  ImGui::EndDragDropTarget();
}

void toggles(TokenListing& list, std::size_t index, ImVec2 at) {
  const float column = list.column_px();
  for (const Side side : list.paddings()) {
    ImGui::SetCursorScreenPos(at);
    padding_toggle(list.ui, list.state, side, index, ImVec2(column, row_px(list.ui)));
    at.x += column;
  }
}

// Title and count on the left, headings of the toggle columns on the right.
void list_title(TokenListing& list) {
  const bool scrolls = rows_px(list.ui, list.tokens.size()) > list.height_px + 1.0F;
  float x = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x -
            (scrolls ? ImGui::GetStyle().ScrollbarSize : 0.0F) - list.toggles_px();
  const float space = x - ImGui::GetCursorScreenPos().x - list.ui.px(8);
  const std::string count = grouped_text(list.tokens.size());
  const std::string_view words = list.ui.text(Wording::Label, list.words.title);
  ImGui::PushFont(list.ui.fonts.bold);
  const float whole = text_size(words).x;
  ImGui::PopFont();
  section_header(list.ui, whole <= space ? list.words.title : list.words.brief);
  const float counted = whole + ImGui::GetStyle().ItemSpacing.x + text_size(count).x;
  if (!list.tight && counted <= space) {
    ImGui::SameLine();
    ImGui::TextDisabled("%s", count.c_str());
  }
  for (const Side side : list.paddings()) {
    const bool key = side == Side::Key;
    const char* letter = key ? "K" : "Q";
    ImGui::SameLine();
    const float offset = (list.column_px() - ImGui::CalcTextSize(letter).x) / 2;
    ImGui::SetCursorScreenPos(ImVec2(x + offset, ImGui::GetCursorScreenPos().y));
    ImGui::TextDisabled("%s", letter);
    tooltip(list.ui, key ? "K: ticked keys are real tokens, the others padding"
                         : "Q: ticked queries are real tokens, the others padding");
    x += list.column_px();
  }
}

// Width of the last number.
float number_width(const TokenListing& list) {
  if (list.tokens.size() <= 99) return list.ui.px(24);
  const std::string last = std::to_string(list.tokens.size());
  return std::max(list.ui.px(34), ImGui::CalcTextSize(last.c_str()).x + list.ui.px(11));
}

// Returns the width of the number. A token without a name is displayed as its number.
float draw_number(const TokenListing& list, std::size_t index, ImVec2 at, float height) {
  if (list.tight) return list.ui.px(4);
  const float width = number_width(list);
  if (list.tokens.name_of(index) == nullptr) return width;
  const std::string number = std::to_string(index + 1);
  const ImVec2 size = ImGui::CalcTextSize(number.c_str());
  const ImVec2 place(at.x + width - list.ui.px(8) - size.x, at.y + (height - size.y) / 2);
  list.ui.draw_text(number, place, list.ui.colors().muted);
  return width;
}

// True if the hovered cell belongs to this token.
bool is_pointed_at(const TokenListing& list, std::size_t index) {
  const std::optional<CellHit>& cell = list.state.hover;
  if (!cell || cell->matrix.head.sample != list.sample) return false;
  const auto is_of = [&](std::optional<Side> side, std::size_t at) {
    return side && at == index &&
           listed_side(list.state.document, cell->matrix.head, *side) == list.side;
  };
  return is_of(row_side(cell->matrix), cell->row) || is_of(column_side(cell->matrix), cell->col);
}

// Marks the hovered row's token in the plots, and outlines the row of a token hovered elsewhere.
void follow_pointer(TokenListing& list, std::size_t index) {
  const bool hovered = ImGui::IsItemHovered(), was = list.state.token_hover == list.hit(index);
  if (hovered && !was) list.ui.send(command::HoverToken{list.hit(index)});
  if (!hovered && was && list.view.hovers) list.ui.send(command::HoverToken{});
  if (hovered != was) list.view.hovers = hovered;
  const bool lit = is_pointed_at(list, index) || (was && !list.view.hovers);
  if (!lit) return;
  const float inset = list.ui.line_px(1);  // the list cuts off what is left of its rows
  const ImVec2 min = ImGui::GetItemRectMin() + ImVec2(inset, 0), max = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddRect(min, max, to_imgui(list.ui.colors().accent), list.ui.px(3));
}

// Tooltip with its position and its spelling in the vocabulary.
void explain_row(TokenListing& list, std::size_t index) {
  std::string words = list.words.token;
  words += grouped_text(index + 1) + " of " + grouped_text(list.tokens.size()) + ": ";
  words += spelled_token(list.state.document, list.side, {.sample = list.sample}, index);
  text_tooltip(list.ui, words);
}

void token_row(TokenListing& list, std::size_t index) {
  ImGui::PushID(static_cast<int>(index));
  if (list.view.renaming == index) {
    rename_field(list, index);
    ImGui::PopID();
    return;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = row_px(list.ui);
  const float width = ImGui::GetContentRegionAvail().x - list.toggles_px();
  if (ImGui::Selectable("##token", list.is_marked(index), ImGuiSelectableFlags_AllowDoubleClick,
                        ImVec2(width - list.gap_px(), height))) {
    list.select(index);
    if (ImGui::IsMouseDoubleClicked(0)) start_rename(list, index);
  }
  list.ui.mark(list.name(std::to_string(index)), list.tokens[index]);
  tooltip(list.ui, "Click to mark its row and column, double-click to rename it, drag to move it");
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) list.select(index);
  follow_pointer(list, index);
  explain_row(list, index);
  drag_and_drop(list, index);
  const float left = draw_number(list, index, at, height);
  const std::string shown =
      fitted_token(list.ui, list.tokens.spoken(index), width - left - list.gap_px());
  const bool named = list.tokens.name_of(index) != nullptr;
  draw_in_row(list.ui, shown, ImVec2(at.x + left, at.y), height,
              named ? list.ui.colors().ink : list.ui.colors().muted);
  toggles(list, index, ImVec2(at.x + width, at.y));
  ImGui::PopID();
}

// The neighbour of the selected token; nothing at the end of the list.
std::optional<std::size_t> beside_selected(const TokenListing& list, bool up) {
  const std::size_t at = *list.selected();
  if (up ? at == 0 : at + 1 >= list.tokens.size()) return std::nullopt;
  return up ? at - 1 : at + 1;
}

void move_selected(TokenListing& list, bool up) {
  if (const auto to = beside_selected(list, up)) {
    list.ui.send(command::MoveToken{list.side, *list.selected(), *to});
    list.ui.send(command::MarkToken{list.hit(*to)});
  }
}

void list_keys(TokenListing& list) {
  if (!ImGui::IsWindowFocused() || ImGui::GetIO().WantTextInput || !list.selected()) return;
  list.ui.take_arrow_keys();
  const bool alt = ImGui::GetIO().KeyAlt;
  if (key_pressed(kRenameKey)) start_rename(list, *list.selected());
  if (key_pressed(keys::kDelete)) list.ui.send(command::DeleteToken{list.side, *list.selected()});
  for (const bool up : {true, false}) {
    if (!key_pressed(up ? keys::kUp : keys::kDown)) continue;
    if (alt) {
      move_selected(list, up);
    } else if (const auto to = beside_selected(list, up)) {
      list.select(*to);
    }
  }
}

void token_rows(TokenListing& list) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(ImGui::GetStyle().FramePadding.x, list.ui.px(kRowPadding)));
  ImGui::BeginChild(list.name("list").c_str(), ImVec2(0, list.height_px));
  list.view.in_use = ImGui::IsWindowFocused();
  list_keys(list);
  reveal_selected(list);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(list.tokens.size()), row_px(list.ui));
  if (list.view.renaming)
    clipper.ForceDisplayRangeByIndices(static_cast<int>(*list.view.renaming),
                                       static_cast<int>(*list.view.renaming) + 1);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      token_row(list, static_cast<std::size_t>(i));
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().ItemSpacing.y);
}

// Returns the place after the selected token, or at the end.
std::size_t place_of_new(const TokenListing& list) {
  return list.selected() ? *list.selected() + 1 : list.tokens.size();
}

// Offers to add several typed words as one token each.
void add_words(TokenListing& list) {
  if (list.view.new_text.size() > kMaxCutAtOnce) return;
  const auto words = split_sentence(list.view.new_text, SplitBy::Words);
  if (!words || words->size() < 2) return;
  const std::string label = "Add as " + grouped_text(words->size()) + " tokens";
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, list.ui.px(4, 1));
  const bool pressed = button(
      list.ui, list.name("add_words"), label,
      {.kind = ButtonKind::Quiet, .tooltip = "Adds each word and punctuation mark as a token"});
  ImGui::PopStyleVar();
  if (!pressed) return;
  std::vector<std::string> tokens = list.tokens.texts();
  const auto at = tokens.begin() + static_cast<std::ptrdiff_t>(place_of_new(list));
  tokens.insert(at, words->begin(), words->end());
  list.ui.send(command::SetTokens{list.side, std::move(tokens), list.sample});
  list.view.new_text.clear();
}

void add_row(TokenListing& list) {
  const float button_px = button_width(list.ui, "Add") + ImGui::GetStyle().ItemSpacing.x;
  if (std::exchange(list.view.return_to_new, false)) ImGui::SetKeyboardFocusHere();
  const char* hint = list.shares_foot ? list.words.hint : kBothSides.hint;
  const TextInputResult typed =
      line_field(list.ui, list.name("new"), list.view.new_text, hint,
                 "Enter adds this token; several words become several tokens", -button_px);
  ImGui::SameLine();
  const bool pressed = button(list.ui, list.name("add"), "Add",
                              {.tooltip = "Adds a token after the selected one, or at the end",
                               .shortcut = "Enter",
                               .enabled = !list.view.new_text.empty(),
                               .disabled_reason = "Type the new token into the field first"});
  if (!typed.entered && !pressed) return;
  list.view.return_to_new = typed.entered;
  if (list.view.new_text.empty()) return;
  const bool after_selected = list.selected().has_value();
  const std::size_t at = place_of_new(list);
  list.ui.send(command::InsertToken{list.side, at, list.view.new_text});
  if (after_selected) list.ui.send(command::MarkToken{list.hit(at)});
  list.view.new_text.clear();
}

float together_px(Ui& ui, std::initializer_list<const char*> labels) {
  float sum = 0.0F;
  for (const char* label : labels) sum += button_width(ui, label) + ui.px(1);
  return sum;
}

bool quiet_button(TokenListing& list, Flow& flow, std::string_view name, const char* label,
                  const char* help, std::string_view shortcut = {}, bool enabled = true) {
  flow.next(button_width(list.ui, label));
  return button(
      list.ui, list.name(name), label,
      {.kind = ButtonKind::Quiet, .tooltip = help, .shortcut = shortcut, .enabled = enabled});
}

// Two lists have one line of buttons each, where those with an equivalent key or mouse action are
// dropped first.
void selection_buttons(TokenListing& list, Flow& flow) {
  Ui& ui = list.ui;
  const bool one_line = list.state.document.cross;
  const float reserved = one_line ? together_px(ui, {"Sentence…"}) : 0.0F;
  const float space = ImGui::GetContentRegionAvail().x - reserved;
  const bool renames = !one_line || space >= together_px(ui, {"Rename", "Delete"});
  const bool any = list.selected().has_value();
  if (renames && quiet_button(list, flow, "rename", "Rename",
                              "Renames the selected token, as a double-click does", "F2", any)) {
    start_rename(list, *list.selected());
  }
  if (quiet_button(list, flow, "delete", "Delete", "Deletes the selected token and its rows",
                   "Delete", any && list.tokens.size() > 1)) {
    ui.send(command::DeleteToken{list.side, *list.selected()});
  }
  // Optional: dragging and keys move tokens as well.
  if (!renames || flow.space() - reserved < together_px(ui, {"▲", "▼"})) return;
  const auto mover = [&](bool up, const char* name, const char* label, const char* help,
                         const char* keys) {
    const bool can = any && beside_selected(list, up);
    if (quiet_button(list, flow, name, label, help, keys, can)) move_selected(list, up);
  };
  mover(true, "up", "▲", "Moves the selected token up, as dragging does", "Alt+Up");
  mover(false, "down", "▼", "Moves the selected token down, as dragging does", "Alt+Down");
}

// Small, as keys and the mouse have equivalent actions.
void selection_row(TokenListing& list) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, list.ui.px(4, 1));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                      ImVec2(list.ui.px(1), ImGui::GetStyle().ItemSpacing.y));
  Flow flow;
  const bool renames = list.selected() && list.ui.take_request(list.name("edit"));
  if (renames) start_rename(list, *list.selected());
  if (!list.tight) selection_buttons(list, flow);
  if (quiet_button(list, flow, "sentence", "Sentence…",
                   "Replaces all tokens with those of a typed or pasted text")) {
    list.panel.sentence_side = list.side;
    list.ui.send(command::ShowOverlay{Overlay::Sentence});
  }
  ImGui::PopStyleVar(2);
}

TokenListing listing(Ui& ui, const AppState& state, TokensView& panel, Side side, float height_px,
                     bool shares_foot) {
  const ViewOptions& options = focused_view(state).options;
  const std::size_t sample = options.at.sample;
  TokenList tokens = tokens_of(state.document, side, sample);
  if (options.tokens_as_written) tokens = tokens.as_written();
  TokenListView& view = side == Side::Query ? panel.query : panel.key;
  if (view.renaming && *view.renaming >= tokens.size()) view.renaming.reset();  // after an edit
  const SideWords& words = !state.document.cross ? kBothSides
                           : side == Side::Query ? kQuerySide
                                                 : kKeySide;
  // Ignores the scrollbar, which would come and go with the row of buttons.
  const float width = ImGui::GetWindowWidth() - 2 * ImGui::GetStyle().WindowPadding.x;
  const bool tight = width < ui.px(kTightPanel);
  return {ui,     state, panel,     view,  std::move(tokens), side,
          sample, words, height_px, tight, shares_foot};
}

// Field and buttons of a list; records their height.
void list_foot(TokenListing& list) {
  const float begin = ImGui::GetCursorPosY();
  if (list.state.document.source_model) {
    empty_hint(list.ui, "The tokens are those of the text above the plots.", list.name("of_text"));
    list.panel.foot_px = ImGui::GetCursorPosY() - begin;
    return;
  }
  add_row(list);
  const float added = ImGui::GetCursorPosY();
  add_words(list);
  const float words = ImGui::GetCursorPosY() - added;
  selection_row(list);
  list.panel.words_px += words;
  list.panel.foot_px = ImGui::GetCursorPosY() - begin - words;
}

// Title and rows of one side, with its foot unless shared.
void token_list(TokenListing list) {
  list_title(list);
  token_rows(list);
  if (list.view.in_use) list.panel.in_use = list.side;
  if (!list.shares_foot) list_foot(list);
}

// Height of one side's rows: half of the space, and the part of the other half that the other side
// does not need.
float rows_height(const Ui& ui, float natural, float other, float space) {
  const float share = std::min(natural, std::max(space / 2, space - other));
  return std::max(std::floor(share), std::min(natural, kMinRows * row_px(ui)));
}

void sample_selector(Ui& ui, const AppState& state) {
  const std::size_t samples = shown_shape(state).samples;
  if (samples < 2) return;
  const std::size_t current = focused_view(state).options.at.sample;
  if (const auto chosen =
          numbered_choice(ui, "tokens/sample", "Sample", {.layers = samples}, current)) {
    ui.send(command::SetOption{"sample", std::to_string(*chosen)});
  }
}

std::size_t token_count(const AppState& state, Side side) {
  return tokens_of(state.document, side, focused_view(state).options.at.sample).size();
}

}  // namespace

float tokens_height(const Ui& ui, const AppState& state, const TokensView& view) {
  float height = view.other_px + view.words_px + rows_px(ui, token_count(state, Side::Query));
  if (state.document.cross) height += rows_px(ui, token_count(state, Side::Key));
  return height;
}

void tokens_panel(Ui& ui, const AppState& state, TokensView& view) {
  if (view.first_revision != state.first_revision) {
    view.first_revision = state.first_revision;
    view.query = view.key = {};
    view.in_use = Side::Query;
  }
  const float begin = ImGui::GetCursorPosY();
  if (state.document.query_tokens.size() > 1) sample_selector(ui, state);
  const bool cross = state.document.cross;
  const float queries = rows_px(ui, token_count(state, Side::Query));
  const float keys = cross ? rows_px(ui, token_count(state, Side::Key)) : 0.0F;
  // Two lists share one foot where they would have too few rows with a foot each.
  const float enough = kEnoughRows * row_px(ui);
  const bool shares_foot = cross && ImGui::GetWindowHeight() - view.other_px + 1.0F <
                                        std::min(queries, enough) + std::min(keys, enough);
  // Titles, fields and buttons have fixed heights; the rows share the rest.
  const float saved = shares_foot ? view.foot_px : 0.0F;
  const float space = ImGui::GetWindowHeight() - view.other_px - view.words_px + saved;
  view.words_px = 0.0F;
  float shown = rows_height(ui, queries, keys, space);
  token_list(listing(ui, state, view, Side::Query, shown, shares_foot));
  if (cross) {
    ImGui::Spacing();
    const float of_keys = rows_height(ui, keys, queries, space);
    token_list(listing(ui, state, view, Side::Key, of_keys, shares_foot));
    shown += of_keys;
  }
  if (shares_foot) {
    // Applies to the list with the marked token, or else the last pressed one.
    const std::optional<TokenHit>& marked = state.marked_token;
    if (marked && marked->sample == focused_view(state).options.at.sample) {
      view.in_use = marked->side;
    }
    TokenListing list = listing(ui, state, view, view.in_use, 0.0F, true);
    list_foot(list);
  }
  const float padding = ImGui::GetStyle().WindowPadding.y;
  view.other_px = ImGui::GetCursorPosY() - begin - shown - view.words_px + 2 * padding +
                  (shares_foot ? view.foot_px : 0.0F);
}

}  // namespace attn::gui
