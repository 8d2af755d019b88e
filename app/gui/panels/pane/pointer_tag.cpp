// Finds the drawn cell and writes the tag.
#include "gui/panels/pane/pointer_tag.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "figure/lettering.h"
#include "gui/panels/pane/cell_events.h"
#include "gui/panels/pane/figure_cache.h"
#include "gui/panels/pane/zoom.h"
#include "gui/ui/style.h"
#include "plot/kit/names.h"

namespace attn::gui {
namespace {

constexpr float kAside = 16.0F, kBelow = 18.0F, kTagPadding = 6.0F, kTagGap = 7.0F;  // units

// The number of what is drawn where the cell is: its own, or that of all cells under a pixel.
std::string drawn_number(const MatrixItem& matrix, const CellHit& cell, Pooling pooling) {
  const MatrixCells& cells = *matrix.cells;
  if (cell.row < matrix.first_row || cell.col < matrix.first_col) return "";
  const std::size_t row = (cell.row - matrix.first_row) / matrix.row_step;
  const std::size_t col = (cell.col - matrix.first_col) / matrix.col_step;
  if (row >= cells.rows || col >= cells.cols || cells.values.empty()) return "";
  const std::size_t index = row * cells.cols + col;
  const bool is_hidden = !cells.hidden.empty() && cells.hidden[index] != kVisible;
  const auto value = static_cast<double>(cells.values[index]);
  std::string number = is_hidden ? "hidden" : with_minus(short_text(value));
  if (matrix.row_step == 1 && matrix.col_step == 1) return number;
  if (!is_hidden && std::isnan(value)) return "";  // not read yet
  const std::size_t rows =
      std::min(matrix.row_step, matrix.row_count - matrix.first_row - row * matrix.row_step);
  const std::size_t cols =
      std::min(matrix.col_step, matrix.col_count - matrix.first_col - col * matrix.col_step);
  const std::string_view which = is_hidden                     ? "all "
                                 : pooling == Pooling::Maximum ? "largest "
                                                               : "mean ";
  return std::string(which) + number + " of " + std::to_string(rows) + " × " +
         std::to_string(cols) + " cells";
}

// Of a row: a token, or the number of a position.
std::string row_name(const PlotInput& shown, const CellHit& cell) {
  const std::optional<Side> side = row_side(cell.matrix);
  if (!side) return std::to_string(cell.row);
  return quoted_token(shown.document, *side, cell.matrix.head.sample, cell.row);
}

// A token, or the name or number of a feature.
std::string column_name(const PlotInput& shown, const CellHit& cell) {
  const std::optional<Side> side = column_side(cell.matrix);
  if (side) return quoted_token(shown.document, *side, cell.matrix.head.sample, cell.col);
  const Extent columns = stage_info(cell.matrix.stage).columns;
  return quoted_feature(shown.document, feature_columns(shown.result.shape(), columns), cell.col);
}

void draw_tag(Ui& ui, const TagWords& words, ImVec2 pointer) {
  const UiColors colors = ui_colors(ui.theme);
  const FontStyle plain{kLabelSize, false, false}, bold{kLabelSize, true, false};
  const ImVec2 names = ui.labels.line_size(words.names, plain, ui.scale);
  const ImVec2 number =
      words.number.empty() ? ImVec2(0, 0) : ui.labels.line_size(words.number, bold, ui.scale);
  const float pad = ui.px(kTagPadding), gap = words.number.empty() ? 0.0F : ui.px(kTagGap);
  const ImVec2 size(names.x + gap + number.x + 2 * pad, std::max(names.y, number.y) + pad);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImVec2 at(pointer.x + ui.px(kAside), pointer.y + ui.px(kBelow));
  if (at.x + size.x > screen.x) at.x = pointer.x - ui.px(kAside) - size.x;
  if (at.y + size.y > screen.y) at.y = pointer.y - ui.px(kBelow) - size.y;
  const ImVec2 end(at.x + size.x, at.y + size.y);
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  draw.AddRectFilled(at, end, to_imgui(colors.field), ui.px(4));
  draw.AddRect(at, end, to_imgui(colors.accent), ui.px(4), 0, std::max(1.0F, ui.px(1)));
  ui.labels.draw_line(draw, words.names, ImVec2(at.x + pad, at.y + pad / 2), plain, colors.text,
                      ui.scale);
  if (ui.probe != nullptr) {
    ui.probe->record_rect("plot/tag", at, end, words.names + " " + words.number);
  }
  if (words.number.empty()) return;
  ui.labels.draw_line(draw, words.number, ImVec2(at.x + pad + names.x + gap, at.y + pad / 2), bold,
                      colors.text, ui.scale);
}

}  // namespace

TagWords tag_words(const PaneScope& scope, const Figure& figure, const CellHit& cell) {
  const MatrixItem* matrix = item_of(figure, cell.matrix);
  const LookedAt shown = scope.looked_at(cell.matrix.attention);
  return {row_name(shown.input(), cell) + (column_side(cell.matrix) ? " → " : ", ") +
              column_name(shown.input(), cell),
          matrix == nullptr ? "" : drawn_number(*matrix, cell, scope.options().pooling)};
}

TagWords tag_words(const PaneScope& scope, const TokenHit& token) {
  const LookedAt shown = scope.looked_at(scope.options().attention);
  const Document& document = shown.input().document;
  const std::size_t count = tokens_of(document, token.side, token.sample).size();
  const bool has_name =
      tokens_of(document, token.side, token.sample).name_of(token.index) != nullptr;
  const std::string side = token.side == Side::Query ? "query " : "key ";
  return {spelled_token(document, token.side, token.sample, token.index),
          has_name ? side + std::to_string(token.index + 1) + " of " + std::to_string(count)
                   : "of " + grouped_text(count) + ", counted from 0"};
}

void pointer_tag(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  if (!events.hovered || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  if (const auto* reading = std::get_if<ReadingHit>(&events.under_pointer)) {
    draw_tag(scope.ui, {reading->what, reading->number}, ImGui::GetMousePos());
  }
  if (!scope.state.result) return;  // the figure is an older one
  if (const auto* cell = std::get_if<CellHit>(&events.under_pointer)) {
    draw_tag(scope.ui, tag_words(scope, figure, *cell), ImGui::GetMousePos());
  } else if (const auto* token = std::get_if<TokenHit>(&events.under_pointer)) {
    draw_tag(scope.ui, tag_words(scope, *token), ImGui::GetMousePos());
  }
}

}  // namespace attn::gui
