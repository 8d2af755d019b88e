// Draws the cells, headers and selection of a spreadsheet.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "figure/text.h"
#include "gui/ui/grid/grid_layout.h"
#include "gui/ui/style.h"

namespace attn::gui {
namespace {

struct Selection {
  std::size_t top, bottom, left, right;  // inclusive
  bool has_row(std::size_t row) const { return row >= top && row <= bottom; }
  bool has_col(std::size_t col) const { return col >= left && col <= right; }
};

Selection selection_of(const GridView& view) {
  return {std::min(view.row, view.anchor_row), std::max(view.row, view.anchor_row),
          std::min(view.col, view.anchor_col), std::max(view.col, view.anchor_col)};
}

struct GridPainter {
  Ui& ui;
  const char* id;
  const GridView& view;
  const GridLayout& layout;
  UiColors colors;
  ImDrawList& list;

  void cell(std::size_t row, std::size_t col) const;
  void cells() const;
  void selection() const;
  void header(ImVec2 min, ImVec2 max, const std::string& label, bool lit, bool centred) const;
  void row_headers() const;
  void column_headers() const;
  void corner() const;
};

// The theme's ink where it reads well, else black or white.
Color ink_on(const UiColors& colors, Color ground) {
  const Color readable = readable_on(ground);
  return readable == readable_on(colors.field) ? colors.text : readable;
}

void GridPainter::cell(std::size_t row, std::size_t col) const {
  const float value = view.matrix.at(row, col);
  const std::string text = cell_text(value);
  ImVec2 min = layout.cell_min(row, col), max = layout.cell_max(row, col);
  const Color ground = number_tint(colors, view.editable ? colors.field : colors.panel, value);
  if (view.editable) {
    const float gap = std::max(1.0F, std::floor(ui.px(1)));
    list.AddRectFilled(min, ImVec2(max.x - gap, max.y - gap), to_imgui(ground), ui.px(3));
  } else {
    list.AddRectFilled(min, max, to_imgui(ground));
  }
  Color ink = ink_on(colors, ground);
  if (!view.editable) ink = mix(ground, ink, 0.78);
  if (!std::isfinite(value)) ink = colors.error;
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  list.AddText(
      ImVec2(std::floor(max.x - size.x - ui.px(5)), std::floor((min.y + max.y - size.y) / 2)),
      to_imgui(ink), text.c_str());
  if (ui.probe == nullptr) return;
  min = ImMax(min, layout.cells_min());
  ui.probe->record_rect(
      std::string(id) + "/cell/" + std::to_string(row) + "," + std::to_string(col), min,
      ImMin(max, layout.max), text, view.editable);
}

void GridPainter::cells() const {
  list.PushClipRect(layout.cells_min(), layout.max, true);
  for (std::size_t row = layout.first_row; row < layout.end_row; ++row) {
    for (std::size_t col = layout.first_col; col < layout.end_col; ++col) cell(row, col);
  }
  selection();
  list.PopClipRect();
}

void GridPainter::selection() const {
  if (view.row >= layout.rows || view.col >= layout.cols) return;
  const Selection chosen = selection_of(view);
  const float line = std::max(1.0F, std::round(ui.px(2)));
  const float gap = view.editable ? std::max(1.0F, std::floor(ui.px(1))) : 0.0F;
  const auto frame = [&](std::size_t top, std::size_t left, std::size_t bottom, std::size_t right,
                         float width, std::uint8_t fill) {
    const ImVec2 min = layout.cell_min(top, left);
    ImVec2 max = layout.cell_max(bottom, right);
    max = ImVec2(max.x - gap, max.y - gap);
    if (fill > 0) list.AddRectFilled(min, max, to_imgui(with_alpha(colors.text, fill)));
    list.AddRect(min, max, to_imgui(colors.accent), ui.px(3), 0, width);
  };
  const std::size_t bottom = std::min(chosen.bottom, layout.rows - 1);
  const std::size_t right = std::min(chosen.right, layout.cols - 1);
  const bool several = chosen.top != chosen.bottom || chosen.left != chosen.right;
  if (several) frame(chosen.top, chosen.left, bottom, right, std::max(1.0F, ui.px(1)), 26);
  frame(view.row, view.col, view.row, view.col, line, 0);
}

void GridPainter::header(ImVec2 min, ImVec2 max, const std::string& label, bool lit,
                         bool centred) const {
  const Color ground = mix(colors.panel, view.role, lit ? 0.34 : 0.12);
  const float gap = std::max(1.0F, std::floor(ui.px(1)));
  list.AddRectFilled(min, ImVec2(max.x - gap, max.y - gap), to_imgui(ground), ui.px(3));
  const FontStyle font{kLabelSize, false, false};
  const double room = static_cast<double>((max.x - min.x) / ui.scale - kHeaderPadding);
  const std::string shown = cut_in_middle(pango_metrics(), label, font, room);
  const ImVec2 size = ui.labels.line_size(shown, font, ui.scale);
  const float x = centred ? (min.x + max.x - size.x) / 2 : max.x - size.x - ui.px(5);
  ui.labels.draw_line(list, shown, ImVec2(x, (min.y + max.y - size.y) / 2), font,
                      lit ? colors.text : mix(colors.muted, colors.text, 0.35), ui.scale);
}

void GridPainter::row_headers() const {
  const Selection chosen = selection_of(view);
  list.PushClipRect(ImVec2(layout.min.x, layout.cells_min().y), layout.max, true);
  for (std::size_t row = layout.first_row; row < layout.end_row; ++row) {
    const ImVec2 cell = layout.cell_min(row, 0);
    const ImVec2 min(layout.min.x, cell.y);
    const ImVec2 max(layout.cells_min().x, cell.y + layout.cell_height);
    const std::string label = header_text(view.row_labels, row);
    header(min, max, label, chosen.has_row(row), false);
    if (ui.probe == nullptr) continue;
    ui.probe->record_rect(std::string(id) + "/row/" + std::to_string(row),
                          ImVec2(min.x, std::max(min.y, layout.cells_min().y)),
                          ImMin(max, layout.max), label);
  }
  list.PopClipRect();
}

void GridPainter::column_headers() const {
  const Selection chosen = selection_of(view);
  list.PushClipRect(ImVec2(layout.cells_min().x, layout.min.y), layout.max, true);
  for (std::size_t col = layout.first_col; col < layout.end_col; ++col) {
    const ImVec2 cell = layout.cell_min(0, col);
    const ImVec2 min(cell.x, layout.min.y);
    const ImVec2 max(cell.x + layout.cell_width, layout.cells_min().y);
    const std::string label = header_text(view.column_labels, col);
    header(min, max, label, chosen.has_col(col), true);
    if (ui.probe == nullptr) continue;
    ui.probe->record_rect(std::string(id) + "/col/" + std::to_string(col),
                          ImVec2(std::max(min.x, layout.cells_min().x), min.y),
                          ImMin(max, layout.max), label);
  }
  list.PopClipRect();
}

void GridPainter::corner() const {
  const float gap = std::max(1.0F, std::floor(ui.px(1)));
  const ImVec2 max = layout.cells_min();
  list.AddRectFilled(layout.min, ImVec2(max.x - gap, max.y - gap),
                     to_imgui(mix(colors.panel, view.role, 0.12)), ui.px(3));
}

}  // namespace

void draw_grid(Ui& ui, const char* id, const GridView& view, const GridLayout& layout,
               const GridInteraction& /*interaction*/) {
  const GridPainter painter{ui, id, view, layout, ui_colors(ui.theme), *ImGui::GetWindowDrawList()};
  painter.cells();
  painter.row_headers();
  painter.column_headers();
  painter.corner();
}

}  // namespace attn::gui
