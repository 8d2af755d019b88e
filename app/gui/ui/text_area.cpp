// Multi-line text field: rows, caret, drawing; text_edit.h has the editing operations.
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "base/utf8.h"
#include "figure/letters.h"
#include "figure/text.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/style.h"
#include "gui/ui/text_edit.h"
#include "gui/ui/text_input.h"

namespace attn::gui {
namespace {

const FontStyle kAreaFont{kLabelSize, false, false};

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Cached widths of ASCII letters: a text of a million letters is laid out at every keystroke.
class LetterWidths {
 public:
  LetterWidths() {
    for (std::size_t c = 0x20; c < ascii_.size(); ++c) {
      ascii_[c] = measured(std::string(1, static_cast<char>(c)));
    }
  }
  double operator()(std::string_view letters) const {
    if (!std::ranges::all_of(letters, is_ascii)) return measured(letters);
    double width = 0.0;
    for (const char c : letters) width += ascii_[static_cast<unsigned char>(c)];
    return width;
  }

 private:
  static double measured(std::string_view letters) {
    return pango_metrics().measure(letters, kAreaFont).width;
  }
  std::array<double, 0x80> ascii_{};
};

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

class RowMaker {
 public:
  explicit RowMaker(double width) : width_(width) {}

  // `first` is the position of the line in the text.
  void add_line(std::string_view line, std::size_t first) {
    rows_.push_back({first, first});
    used_ = 0.0;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = chunk_end(line, at);
      add_chunk(line.substr(at, end - at), first + at);
      at = end;
    }
  }
  std::vector<TextSpan> take() { return std::move(rows_); }

 private:
  void add_chunk(std::string_view chunk, std::size_t first) {
    const double wide = widths_(chunk);
    const bool blank = letter_kind(code_point_at(chunk, 0).value) == LetterKind::Blank;
    if (used_ + wide > width_ && used_ > 0.0 && !blank) begin_row(first);
    if (wide > width_ && !blank) return add_letters(chunk, first);
    used_ += wide;
    rows_.back().end = first + chunk.size();
  }
  // Breaks a word that is longer than a row.
  void add_letters(std::string_view chunk, std::size_t first) {
    const std::vector<std::size_t> borders = letter_borders(chunk);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      const double wide = widths_(chunk.substr(borders[i], borders[i + 1] - borders[i]));
      if (used_ + wide > width_ && used_ > 0.0) begin_row(first + borders[i]);
      used_ += wide;
      rows_.back().end = first + borders[i + 1];
    }
  }
  void begin_row(std::size_t first) {
    rows_.push_back({first, first});
    used_ = 0.0;
  }

  double width_, used_ = 0.0;
  std::vector<TextSpan> rows_;
  LetterWidths widths_;
};

struct Area {
  Ui& ui;
  TextEdit& edit;
  std::string& text;
  TextAreaView& view;
  ImVec2 min, max;  // outer rectangle

  ImVec2 padding() const { return ImGui::GetStyle().FramePadding; }
  float row_height() const { return ui.labels.line_size("Ag", kAreaFont, ui.scale).y + ui.px(2); }
  float height() const { return max.y - min.y - 2 * padding().y; }
  float most_scroll() const {
    return std::max(0.0F, row_height() * static_cast<float>(view.rows.size()) - height());
  }
  std::size_t row_of(std::size_t caret) const;
  bool goes_on(std::size_t row) const;
  std::size_t last_caret(std::size_t row) const;
  TextLine line(std::size_t row) const;
  float caret_x(std::size_t caret) const;
  std::size_t caret_near(std::size_t row, float x_px) const;
  std::size_t caret_at(ImVec2 pixel) const;
  void lay_out();
  void read_mouse(bool hovered, bool fresh);
  void read_keys();
  void read_arrows(std::size_t row);
  std::size_t beside(std::size_t row, bool left) const;
  void read_wheel(bool hovered);
  void show_caret();
  void draw(bool active, const char* hint) const;
  void draw_row(std::size_t row, bool active) const;
  void draw_scroll() const;
};

std::size_t Area::row_of(std::size_t caret) const {
  const auto after =
      std::ranges::upper_bound(view.rows, caret, std::ranges::less{}, &TextSpan::first);
  return static_cast<std::size_t>(after - view.rows.begin()) - 1;
}

bool Area::goes_on(std::size_t row) const {
  return row + 1 < view.rows.size() && view.rows[row + 1].first == view.rows[row].end;
}

// The position after the last letter belongs to the next row where the line continues there.
std::size_t Area::last_caret(std::size_t row) const {
  const TextSpan& span = view.rows[row];
  if (!goes_on(row)) return span.end;
  const std::string_view letters = std::string_view(text).substr(span.first, span.end - span.first);
  return span.first + letter_before(letters, letters.size());
}

TextLine Area::line(std::size_t row) const {
  const TextSpan& span = view.rows[row];
  return {std::string_view(text).substr(span.first, span.end - span.first), kAreaFont};
}

float Area::caret_x(std::size_t caret) const {
  const std::size_t row = row_of(caret);
  return static_cast<float>(line(row).caret_x(caret - view.rows[row].first)) * ui.scale;
}

std::size_t Area::caret_near(std::size_t row, float x_px) const {
  const std::size_t near = view.rows[row].first + line(row).caret_near(x_px / ui.scale);
  return std::min(near, last_caret(row));
}

std::size_t Area::caret_at(ImVec2 pixel) const {
  const float rows = (pixel.y - min.y - padding().y + view.scroll_px) / row_height();
  const auto last = static_cast<float>(view.rows.size() - 1);
  const auto row = static_cast<std::size_t>(std::clamp(std::floor(rows), 0.0F, last));
  return caret_near(row, pixel.x - min.x - padding().x);
}

void Area::lay_out() {
  const double width = std::max(1.0F, (max.x - min.x - 2 * padding().x) / ui.scale - 10.0F);
  if (view.text == text && view.width == width && !view.rows.empty()) return;
  view.text = text;
  view.width = width;
  view.rows = rows_of_text(text, width);
}

void Area::read_mouse(bool hovered, bool fresh) {
  const ImGuiIO& io = ImGui::GetIO();
  const int clicks = hovered ? io.MouseClickedCount[ImGuiMouseButton_Left] : 0;
  if ((fresh && clicks == 0) || clicks >= 3) return select_all(edit, text);
  if (clicks == 2) return select_word(edit, text, caret_at(io.MousePos));
  if (clicks == 1) return move_caret(edit, caret_at(io.MousePos), io.KeyShift);
  if (!ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(4))) return;
  if (!ImRect(min, max).Contains(io.MouseClickedPos[ImGuiMouseButton_Left])) return;
  move_caret(edit, caret_at(io.MousePos), true);
}

// One letter to the visual left or right, and across the edge of a row to the next one.
std::size_t Area::beside(std::size_t row, bool left) const {
  const TextLine drawn = line(row);
  const std::size_t first = view.rows[row].first, at = edit.caret - first;
  const std::size_t to = left ? drawn.caret_left(at) : drawn.caret_right(at);
  if (to != at) return first + to;
  const bool back = left != drawn.right_to_left();
  if (back) return row == 0 ? edit.caret : last_caret(row - 1);
  return row + 1 == view.rows.size() ? edit.caret : view.rows[row + 1].first;
}

void Area::read_arrows(std::size_t row) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool left = key_pressed(keys::kLeft), right = key_pressed(keys::kRight);
  if (left != right) {
    const std::size_t to = !io.KeyCtrl ? beside(row, left)
                           : left      ? word_before(text, edit.caret)
                                       : word_after(text, edit.caret);
    move_caret(edit, to, io.KeyShift);
  }
  const float x = caret_x(edit.caret);
  if (key_pressed(keys::kUp)) {
    move_caret(edit, row == 0 ? 0 : caret_near(row - 1, x), io.KeyShift);
  }
  if (key_pressed(keys::kDown)) {
    const bool last = row + 1 == view.rows.size();
    move_caret(edit, last ? text.size() : caret_near(row + 1, x), io.KeyShift);
  }
}

void Area::read_keys() {
  const ImGuiIO& io = ImGui::GetIO();
  const std::size_t row = row_of(edit.caret);
  read_arrows(row);
  if (key_pressed(keys::kHome)) {
    move_caret(edit, io.KeyCtrl ? 0 : view.rows[row].first, io.KeyShift);
  }
  if (key_pressed(keys::kEnd)) {
    move_caret(edit, io.KeyCtrl ? text.size() : last_caret(row), io.KeyShift);
  }
  read_editing_keys(edit, text);
}

void Area::read_wheel(bool hovered) {
  const float notches = ImGui::GetIO().MouseWheel;
  if (hovered && notches != 0.0F) view.scroll_px -= 3 * row_height() * notches;
  view.scroll_px = std::clamp(view.scroll_px, 0.0F, most_scroll());
}

void Area::show_caret() {
  if (view.caret == edit.caret) return;
  view.caret = edit.caret;
  const float top = row_height() * static_cast<float>(row_of(edit.caret));
  const float least = std::max(0.0F, top + row_height() - height());
  view.scroll_px = std::clamp(view.scroll_px, least, std::max(top, least));
}

void Area::draw_row(std::size_t row, bool active) const {
  const TextSpan& span = view.rows[row];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at(min.x + padding().x, std::floor(min.y + padding().y - view.scroll_px +
                                                  row_height() * static_cast<float>(row)));
  const float bottom = at.y + row_height();
  if (active && edit.has_selection() && edit.first() < span.end && edit.last() > span.first) {
    const std::size_t from = std::max(edit.first(), span.first) - span.first;
    const std::size_t to = std::min(edit.last(), span.end) - span.first;
    for (const XRange& range : line(row).ranges(from, to)) {
      list.AddRectFilled(ImVec2(at.x + static_cast<float>(range.left) * ui.scale, at.y),
                         ImVec2(at.x + static_cast<float>(range.right) * ui.scale, bottom),
                         ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
    }
  }
  const std::string shown =
      same_length_utf8(std::string_view(text).substr(span.first, span.end - span.first));
  ui.labels.draw_line(list, shown, at, kAreaFont, ui_colors(ui.theme).text, ui.scale);
  if (!active || row_of(edit.caret) != row) return;
  const float x = std::round(at.x + caret_x(edit.caret));
  list.AddRectFilled(ImVec2(x, at.y), ImVec2(x + std::max(1.0F, std::floor(ui.px(1))), bottom),
                     to_imgui(ui_colors(ui.theme).text));
}

// Scroll bar, for display only.
void Area::draw_scroll() const {
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

void Area::draw(bool active, const char* hint) const {
  ImGui::RenderFrame(min, max, ImGui::GetColorU32(ImGuiCol_FrameBg), true,
                     ImGui::GetStyle().FrameRounding);
  ImGui::PushClipRect(ImVec2(min.x + padding().x / 2, min.y + ui.px(2)),
                      ImVec2(max.x - padding().x / 2, max.y - ui.px(2)), true);
  const auto first = static_cast<std::size_t>(view.scroll_px / row_height());
  const auto shown = static_cast<std::size_t>(height() / row_height()) + 2;
  for (std::size_t row = first; row < std::min(view.rows.size(), first + shown); ++row) {
    draw_row(row, active);
  }
  if (text.empty()) {
    ui.labels.draw_line(*ImGui::GetWindowDrawList(), hint,
                        ImVec2(min.x + padding().x, min.y + padding().y), kAreaFont,
                        ui_colors(ui.theme).muted, ui.scale);
  }
  ImGui::PopClipRect();
  draw_scroll();
}

void run_area(Area& area, bool hovered, bool fresh, TextInputResult& result) {
  const std::string before = area.text;
  fit_to_text(area.edit, area.text);
  area.read_mouse(hovered, fresh);
  read_typed_text(area.edit, area.text);
  area.lay_out();
  area.read_keys();
  const bool enter = key_pressed(keys::kEnter) || key_pressed(keys::kKeypadEnter);
  const bool breaks = enter && ImGui::GetIO().KeyShift;
  if (breaks) insert_text(area.edit, area.text, "\n");
  result.entered = enter && !breaks;
  result.cancelled = key_pressed(keys::kEscape, false);
  if (result.cancelled) area.text = area.edit.initial;
  result.changed = area.text != before;
}

}  // namespace

std::vector<TextSpan> rows_of_text(std::string_view text, double width) {
  RowMaker rows(width);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    rows.add_line(text.substr(at, end - at), at);
    at = end + 1;
  }
  return rows.take();
}

TextInputResult text_area(Ui& ui, const char* id, std::string& text, const char* hint,
                          ImVec2 size_px, TextAreaView& view) {
  TextInputResult result;
  ImGui::SetNextItemWidth(size_px.x);
  const TextFieldItem item = text_field_item(id, size_px.y);
  Area area{ui, ui.text_edit, text, view, item.min, item.max};
  area.lay_out();
  const FieldTurn turn = field_turn(item, ui.text_edit, text);
  bool active = turn.has;
  if (turn.begins) ui.text_edit.keeps_lines = true;
  if (active) {
    run_area(area, item.hovered, turn.begins, result);
    active = !result.cancelled && !turn.turned_away;
    active ? keep_text_input() : ImGui::ClearActiveID();
  }
  result.active = active;
  result.left = turn.had && !active;
  if (!active && ui.text_edit.field == item.id) ui.text_edit = {};
  area.lay_out();
  if (active) area.show_caret();
  area.read_wheel(item.hovered);
  area.draw(active, hint);
  return result;
}

}  // namespace attn::gui
