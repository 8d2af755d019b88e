// Mouse, keys, rows and drawing of text fields; text_edit.h has the editing operations.
#include "gui/ui/text_input.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/utf8.h"
#include "figure/text.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/text_edit.h"

namespace attn::gui {
namespace {

double measured(std::string_view letters) {
  return pango_metrics().measure(letters, kLabelFont).width;
}

// Widths of ASCII letters are cached: a text of a million letters is laid out at every keystroke.
double width_of(std::string_view letters) {
  static const std::array<double, 0x80> kAscii = [] {
    std::array<double, 0x80> widths{};
    for (std::size_t c = 0x20; c < widths.size(); ++c) {
      widths[c] = measured(std::string(1, static_cast<char>(c)));
    }
    return widths;
  }();
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (!std::ranges::all_of(letters, is_ascii)) return measured(letters);
  double width = 0.0;
  for (const char c : letters) width += kAscii[static_cast<unsigned char>(c)];
  return width;
}

// End of a unit that is not broken: a word, an ideograph, either with its marks, or a space.
std::size_t chunk_end(std::string_view line, std::size_t at) {
  const CodePoint first = code_point_at(line, at);
  const LetterKind kind = letter_kind(first.value);
  std::size_t end = at + first.length;
  if (kind == LetterKind::Blank) return end;
  while (end < line.size()) {
    const CodePoint next = code_point_at(line, end);
    const LetterKind next_kind = letter_kind(next.value);
    if (next_kind == LetterKind::Blank || next_kind == LetterKind::Ideograph) break;
    if (kind == LetterKind::Ideograph && next_kind == LetterKind::Other) break;
    end += next.length;
  }
  return end;
}

// A field and the rows of its text: a single one, which scrolls sideways, or several wrapped ones.
struct EditedField {
  Ui& ui;
  TextEdit& edit;
  std::string& text;
  ImVec2 min, max;  // outer rectangle
  TextSelection select;
  bool wraps;
  TextAreaView& view;
  bool keeps_blanks = false;  // line breaks and tabs that are pasted

  ImVec2 padding() const { return ImGui::GetStyle().FramePadding; }
  float line_height() const { return ui.line_size("Ag", kLabelFont).y; }
  float row_height() const { return line_height() + (wraps ? ui.px(2) : 0.0F); }
  float height() const { return max.y - min.y - 2 * padding().y; }
  float most_scroll() const {
    return std::max(0.0F, row_height() * static_cast<float>(view.rows.size()) - height());
  }
  std::size_t row_of(std::size_t caret) const {
    const auto after =
        std::ranges::upper_bound(view.rows, caret, std::ranges::less{}, &TextSpan::first);
    return static_cast<std::size_t>(after - view.rows.begin()) - 1;
  }
  // The position after the last letter belongs to the next row where the line continues there.
  std::size_t last_caret(std::size_t row) const {
    const TextSpan& span = view.rows[row];
    const bool goes_on = row + 1 < view.rows.size() && view.rows[row + 1].first == span.end;
    return goes_on ? span.first + letter_before(letters(row), span.end - span.first) : span.end;
  }
  std::string_view letters(std::size_t row) const {
    return std::string_view(text).substr(view.rows[row].first,
                                         view.rows[row].end - view.rows[row].first);
  }
  TextLine line(std::size_t row) const { return {letters(row), kLabelFont}; }
  double x_in(std::size_t row, std::size_t caret) const {
    return line(row).caret_x(caret - view.rows[row].first);
  }
  std::size_t caret_near(std::size_t row, float x_px) const {
    return std::min(view.rows[row].first + line(row).caret_near(x_px / ui.scale), last_caret(row));
  }
  std::size_t caret_at(ImVec2 pixel) const {
    const float rows = (pixel.y - min.y - padding().y + view.scroll_px) / row_height();
    const auto last = static_cast<float>(view.rows.size() - 1);
    const auto row = static_cast<std::size_t>(std::clamp(std::floor(rows), 0.0F, last));
    return caret_near(row, pixel.x - min.x - padding().x + edit.scroll_px);
  }
  void lay_out() {
    const double width = std::max(1.0F, (max.x - min.x - 2 * padding().x) / ui.scale - 10.0F);
    if (view.text == text && view.width == width && !view.rows.empty()) return;
    view.text = text;
    view.width = width;
    view.rows = wraps ? rows_of_text(text, width) : std::vector<TextSpan>{{0, text.size()}};
  }
  void read_keys() {
    lay_out();
    const ImGuiIO& io = ImGui::GetIO();
    const std::size_t row = row_of(edit.caret);
    read_arrows(row);
    if (key_pressed(keys::kHome)) {
      move_caret(edit, io.KeyCtrl ? 0 : view.rows[row].first, io.KeyShift);
    }
    if (key_pressed(keys::kEnd)) {
      move_caret(edit, io.KeyCtrl ? text.size() : last_caret(row), io.KeyShift);
    }
  }
  // Left and Right move visually; word steps follow the direction of the line.
  void read_arrows(std::size_t row) {
    const bool shift = ImGui::GetIO().KeyShift;
    const bool left = key_pressed(keys::kLeft), right = key_pressed(keys::kRight);
    if (left != right) move_caret(edit, beside(row, left), shift);
    if (!wraps) return;
    const float x = static_cast<float>(x_in(row_of(edit.caret), edit.caret)) * ui.scale;
    if (key_pressed(keys::kUp)) move_caret(edit, row == 0 ? 0 : caret_near(row - 1, x), shift);
    if (key_pressed(keys::kDown)) {
      const bool last = row + 1 == view.rows.size();
      move_caret(edit, last ? text.size() : caret_near(row + 1, x), shift);
    }
  }
  // One letter to the visual left or right, and across the edge of a row to the next one; with Ctrl
  // a word. A selection is left at its end on that side.
  std::size_t beside(std::size_t row, bool left) const {
    const ImGuiIO& io = ImGui::GetIO();
    const TextLine drawn = line(row);
    const bool back = left != drawn.right_to_left();
    if (io.KeyCtrl) return back ? word_before(text, edit.caret) : word_after(text, edit.caret);
    if (edit.has_selection() && !io.KeyShift) {
      if (row_of(edit.anchor) != row) return back ? edit.first() : edit.last();
      const bool caret_is_left = x_in(row, edit.caret) < x_in(row, edit.anchor);
      return caret_is_left == left ? edit.caret : edit.anchor;
    }
    const std::size_t first = view.rows[row].first, at = edit.caret - first;
    const std::size_t to = left ? drawn.caret_left(at) : drawn.caret_right(at);
    if (to != at) return first + to;
    if (back) return row == 0 ? edit.caret : last_caret(row - 1);
    return row + 1 == view.rows.size() ? edit.caret : view.rows[row + 1].first;
  }
  void read_wheel(bool hovered) {
    const float notches = ImGui::GetIO().MouseWheel;
    if (hovered && notches != 0.0F) view.scroll_px -= 3 * row_height() * notches;
    view.scroll_px = std::clamp(view.scroll_px, 0.0F, most_scroll());
  }
  // Scrolls the line sideways.
  void keep_caret_in_view() {
    const float space = std::max(1.0F, max.x - min.x - 2 * padding().x);
    const float caret = static_cast<float>(x_in(0, edit.caret)) * ui.scale;
    const float width = static_cast<float>(line(0).width()) * ui.scale;
    edit.scroll_px = std::clamp(edit.scroll_px, std::max(0.0F, caret - space), caret);
    edit.scroll_px = std::min(edit.scroll_px, std::max(0.0F, width + ui.px(2) - space));
  }
  // Scrolls the rows, once after the caret moved.
  void show_caret() {
    if (view.caret == edit.caret) return;
    view.caret = edit.caret;
    const float top = row_height() * static_cast<float>(row_of(edit.caret));
    const float least = std::max(0.0F, top + row_height() - height());
    view.scroll_px = std::clamp(view.scroll_px, least, std::max(top, least));
  }
  void draw(bool active, const char* hint) const {
    const float inset = wraps ? ui.px(2) : 0.0F;
    ImGui::RenderFrame(min, max, ImGui::GetColorU32(ImGuiCol_FrameBg), true,
                       ImGui::GetStyle().FrameRounding);
    ImGui::PushClipRect(ImVec2(min.x + padding().x / 2, min.y + inset),
                        ImVec2(max.x - padding().x / 2, max.y - inset), true);
    const auto first = static_cast<std::size_t>(view.scroll_px / row_height());
    const auto shown = static_cast<std::size_t>(height() / row_height()) + 2;
    for (std::size_t row = first; row < std::min(view.rows.size(), first + shown); ++row) {
      draw_row(row, active);
    }
    if (text.empty()) draw_text(hint, place_of(0, active), ui.colors().muted);
    ImGui::PopClipRect();
    if (wraps) draw_scroll();
  }
  ImVec2 place_of(std::size_t row, bool active) const {
    const float left = min.x + padding().x;
    if (wraps) {
      const float top = min.y + padding().y - view.scroll_px;
      return ImVec2(left, std::floor(top + row_height() * static_cast<float>(row)));
    }
    return ImVec2(left - (active ? edit.scroll_px : 0.0F),
                  std::floor((min.y + max.y - line_height()) / 2));
  }
  // Draws a row of the text, with the selected part and the caret if they are in it.
  void draw_row(std::size_t row, bool active) const {
    const auto [first, end] = view.rows[row];
    const ImVec2 at = place_of(row, active);
    if (!active) return draw_letters(row, letters(row), at);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float bottom = at.y + row_height();
    const auto x_px = [&](double x) { return at.x + static_cast<float>(x) * ui.scale; };
    const std::size_t begin = std::max(edit.first(), first) - first;
    const std::size_t stop = std::max(std::min(edit.last(), end), first) - first;
    if (begin < stop) {
      for (const XRange& range : line(row).ranges(begin, stop)) {
        list.AddRectFilled(ImVec2(x_px(range.left), at.y), ImVec2(x_px(range.right), bottom),
                           ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
      }
    }
    draw_letters(row, same_length_utf8(letters(row)), at);  // they match the caret positions
    if (row_of(edit.caret) != row) return;
    const float x = std::round(x_px(x_in(row, edit.caret)));
    list.AddRectFilled(ImVec2(x, at.y), ImVec2(x + std::max(1.0F, std::floor(ui.px(1))), bottom),
                       to_imgui(ui.colors().text));
  }
  // Draws a row, of a long one the letters in view: a picture of all would be too wide.
  void draw_letters(std::size_t row, std::string_view shown, ImVec2 at) const {
    constexpr double kLong = 3000.0, kBeyond = 100.0;  // units
    const TextLine all = line(row);
    if (all.width() <= kLong) return draw_text(shown, at, ui.colors().text);
    const double left = static_cast<double>(min.x - at.x) / ui.scale;
    const double right = static_cast<double>(max.x - at.x) / ui.scale;
    const auto [first, end] =
        std::minmax({all.caret_near(left - kBeyond), all.caret_near(right + kBeyond)});
    const double x = std::min(all.caret_x(first), all.caret_x(end));
    draw_text(shown.substr(first, end - first), at + ImVec2(static_cast<float>(x) * ui.scale, 0),
              ui.colors().text);
  }
  void draw_text(std::string_view shown, ImVec2 at, Color color) const {
    const auto alpha = static_cast<std::uint8_t>(std::lround(255.0F * ImGui::GetStyle().Alpha));
    ui.draw_line(shown, at, kLabelFont, with_alpha(color, alpha));
  }
  // Scroll bar, for display only.
  void draw_scroll() const {
    const float most = most_scroll();
    if (most <= 0.0F) return;
    const float space = max.y - min.y - ui.px(6);
    const float length = std::max(ui.px(16), space * height() / (height() + most));
    const float top = min.y + ui.px(3) + (space - length) * view.scroll_px / most;
    const float right = max.x - ui.px(4);
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(right - ui.px(5), top), ImVec2(right, top + length),
        ImGui::GetColorU32(ImGuiCol_ScrollbarGrab), ui.px(2.5F));
  }
};

void read_mouse(EditedField& field, bool hovered, bool fresh) {
  const ImGuiIO& io = ImGui::GetIO();
  TextEdit& edit = field.edit;
  const int clicks = hovered ? io.MouseClickedCount[ImGuiMouseButton_Left] : 0;
  const bool all = field.select == TextSelection::All;
  if (fresh && (clicks == 0 || (all && !edit.keeps_lines))) {
    select_all(edit, field.text);
    if (!all) edit.anchor = edit.caret;
    return;
  }
  if (clicks >= 3) return select_all(edit, field.text);
  if (clicks == 2) return select_word(edit, field.text, field.caret_at(io.MousePos));
  if (clicks == 1) return move_caret(edit, field.caret_at(io.MousePos), io.KeyShift);
  const ImVec2 start = io.MouseClickedPos[ImGuiMouseButton_Left];
  const bool drags = ImGui::IsMouseDragging(ImGuiMouseButton_Left, field.ui.px(4));
  if (!drags || !ImRect(field.min, field.max).Contains(start)) return;
  // The press that took the keyboard may have selected all; a drag from there selects a part.
  if (!edit.keeps_lines) edit.anchor = field.caret_at(start);
  move_caret(edit, field.caret_at(io.MousePos), true);
}

void read_clipboard_keys(TextEdit& edit, std::string& text) {
  const bool cut = key_pressed('X', false);
  if ((cut || key_pressed('C', false)) && edit.has_selection()) {
    ImGui::SetClipboardText(text.substr(edit.first(), edit.last() - edit.first()).c_str());
    if (cut) insert_text(edit, text, "");
  }
  const char* pasted = key_pressed('V') ? ImGui::GetClipboardText() : nullptr;
  if (pasted != nullptr) insert_text(edit, text, pasted);
}

// Backspace and Delete; with Ctrl, clipboard, undo and select all.
void read_editing_keys(TextEdit& edit, std::string& text) {
  const ImGuiIO& io = ImGui::GetIO();
  if (key_pressed(keys::kBackspace)) erase_before(edit, text, io.KeyCtrl);
  if (key_pressed(keys::kDelete)) erase_after(edit, text, io.KeyCtrl);
  if (!io.KeyCtrl || io.KeyAlt) return;
  if (key_pressed('A', false)) select_all(edit, text);
  read_clipboard_keys(edit, text);
  if (key_pressed('Z') && !io.KeyShift) {
    undo_text(edit, text);
  } else if (key_pressed('Y') || (key_pressed('Z') && io.KeyShift)) {
    redo_text(edit, text);
  }
}

// Handles the input of the field with the keyboard. Returns true if the field keeps it.
bool read_input(EditedField& field, bool hovered, bool fresh, TextInputResult& result) {
  TextEdit& edit = field.edit;
  std::string& text = field.text;
  const std::string before = text;
  fit_to_text(edit, text);
  read_mouse(field, hovered, fresh);
  const std::string typed = take_typed_text();
  if (!typed.empty()) insert_text(edit, text, typed);
  field.read_keys();
  read_editing_keys(edit, text);
  const bool enter = enter_pressed(true);
  const bool breaks = enter && edit.keeps_lines && ImGui::GetIO().KeyShift;
  if (breaks) insert_text(edit, text, "\n");
  result.entered = enter && !breaks;
  result.cancelled = key_pressed(keys::kEscape, false);
  if (result.cancelled) text = edit.initial;
  result.changed = text != before;
  const bool turned_away = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !hovered;
  return !result.cancelled && !turned_away && (!result.entered || edit.keeps_lines);
}

// Holds the press. Returns whether it was released without dragging the number.
bool is_clicked(const TextFieldItem& item, const ScalarDrag& drag) {
  if (item.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    ImGui::SetActiveID(item.id, window);
    ImGui::FocusWindow(window);
    return false;
  }
  if (!item.active || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return false;
  ImGui::ClearActiveID();
  return item.hovered && drag.gesture == 0;
}

void begin_editing(ImGuiID id, TextEdit& edit, const std::string& text, bool keeps_lines) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  ImGui::SetActiveID(id, window);
  ImGui::SetFocusID(id, window);
  ImGui::FocusWindow(window);
  edit = {};
  edit.field = id;
  edit.initial = text;
  edit.keeps_lines = keeps_lines;
}

// Gives the item the keyboard on a press or Tab, like ImGui's own fields, and reads the input.
TextInputResult run(EditedField& field, const TextFieldItem& item, const ScalarDrag* drag) {
  TextEdit& edit = field.edit;
  const bool had = edit.field == item.id, has = had && item.active;
  // Releases the item, which was held and has no number any more.
  if (drag == nullptr && item.active && !had) ImGui::ClearActiveID();
  const bool drags = drag != nullptr && !has;
  const bool chosen = drags ? is_clicked(item, *drag)
                            : item.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  const bool begins = !has && (chosen || item.focus_requested);
  const bool resizes = drags && !begins;
  if (resizes && (item.hovered || item.active)) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!resizes && item.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (begins) {
    begin_editing(item.id, edit, field.text, field.wraps);
    edit.keeps_blanks = field.keeps_blanks;
  }
  TextInputResult result;
  field.lay_out();
  if (has || begins) {
    result.active = read_input(field, item.hovered, begins, result);
    result.active ? keep_text_input() : ImGui::ClearActiveID();
  }
  result.left = had && !result.active;
  if (!result.active && edit.field == item.id) edit = {};
  field.lay_out();
  return result;
}

}  // namespace

std::vector<TextSpan> rows_of_text(std::string_view text, double width) {
  std::vector<TextSpan> rows;
  double used = 0.0;
  const auto begin_row = [&](std::size_t first) {
    rows.push_back({first, first});
    used = 0.0;
  };
  const auto add = [&](std::size_t first, std::size_t end, bool may_overhang) {
    const double wide = width_of(text.substr(first, end - first));
    if (used + wide > width && used > 0.0 && !may_overhang) begin_row(first);
    used += wide;
    rows.back().end = end;
  };
  const auto add_chunk = [&](std::size_t first, std::size_t end) {
    const std::string_view chunk = text.substr(first, end - first);
    const bool blank = letter_kind(code_point_at(chunk, 0).value) == LetterKind::Blank;
    if (blank || width_of(chunk) <= width) return add(first, end, blank);
    if (used > 0.0) begin_row(first);
    const std::vector<std::size_t> borders = letter_borders(chunk);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      add(first + borders[i], first + borders[i + 1], false);
    }
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    begin_row(at);
    while (at < end) {
      const std::size_t next = at + chunk_end(text.substr(at, end - at), 0);
      add_chunk(at, next);
      at = next;
    }
    at = end + 1;
  }
  return rows;
}

TextInputResult text_input(Ui& ui, const char* id, std::string& text, const char* hint,
                           TextSelection select, const ScalarDrag* drag, bool keeps_blanks) {
  if (ui.take_request(std::string_view(id).substr(2))) ImGui::SetKeyboardFocusHere();  // "##NAME"
  const TextFieldItem item = text_field_item(id);
  TextAreaView one_row;
  EditedField field{ui,     ui.text_edit, text,    item.min,    item.max,
                    select, false,        one_row, keeps_blanks};
  const TextInputResult result = run(field, item, drag);
  if (result.active) field.keep_caret_in_view();
  field.draw(result.active, hint);
  return result;
}

TextInputResult text_area(Ui& ui, const char* id, std::string& text, const char* hint,
                          ImVec2 size_px, TextAreaView& view) {
  ImGui::SetNextItemWidth(size_px.x);
  const TextFieldItem item = text_field_item(id, size_px.y);
  EditedField area{ui, ui.text_edit, text, item.min, item.max, TextSelection::All, true, view};
  const TextInputResult result = run(area, item, nullptr);
  if (result.active) area.show_caret();
  area.read_wheel(item.hovered);
  area.draw(result.active, hint);
  return result;
}

}  // namespace attn::gui
