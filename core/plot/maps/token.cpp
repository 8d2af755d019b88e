// One token everywhere: its row, or its column, in every head of every layer, as one map.
#include <algorithm>
#include <vector>

#include "base/number_text.h"
#include "plot/kit/cells.h"
#include "plot/kit/legend.h"
#include "plot/kit/marks.h"
#include "plot/kit/names.h"
#include "plot/kit/token_lines.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

constexpr std::size_t kMostHeads = 2048, kMostTokenCells = 2048;
// Sizes in font sizes.
constexpr double kTallestRow = 2.0, kWidestCell = 5.0, kLowestTokenMap = 10.0, kBesideLabels = 0.4;
constexpr double kThinnestRow = 0.35;  // units

struct TokenScene : Drawing {
  TokenHit token{};
  ChosenHeads heads{};
  std::shared_ptr<const TokenLines> lines{};

  Side other() const { return token.side == Side::Query ? Side::Key : Side::Query; }
  std::size_t rows() const { return heads.shown.size(); }
  std::size_t count() const {
    const StageShape shape = result.stage_shape(Stage::Weights, options.at);
    return token.side == Side::Query ? shape.cols : shape.rows;
  }
};

LinesQuestion question_of(const FittedView& view, const std::vector<HeadAddress>& heads) {
  const TokenHit token = token_in_view(view, false);
  return {heads, token.side, token.index, 1, kMostTokenCells};
}

// --- the map

PooledCells shown_cells(const TokenScene& scene, double width) {
  const TokenLines& lines = *scene.lines;
  const PooledCells all{scene.rows(), lines.cells,  1,    lines.step,
                        lines.values, lines.hidden, false};
  const std::size_t step =
      coarsening(static_cast<double>(lines.cells), most_texels(width, scene.options));
  return step > 1 ? coarsened(all, 1, step) : all;
}

MatrixItem map_item(const TokenScene& scene, const Rect& clip, const ColorScale& scale,
                    PooledCells pooled) {
  auto gathered = std::make_shared<GatheredLines>();
  for (const HeadAddress& at : scene.heads.shown)
    gathered->matrices.push_back({Stage::Weights, at});
  gathered->line = scene.token.index;
  gathered->are_columns = scene.token.side == Side::Key;
  const DrawnCells drawn = drawn_cells(std::move(pooled));
  MatrixItem item = whole_item(clip, drawn.cells, scale, scene.theme);
  item.col_step = drawn.col_step;
  item.col_count = scene.count();
  const double cell = clip.width / static_cast<double>(scene.count());
  item.rect.width = cell * static_cast<double>(item.cells->cols * item.col_step);
  item.gathered = std::move(gathered);
  return item;
}

// --- names of rows: of every head where they fit, else of every layer

std::string layer_name(const TokenScene& scene, std::size_t layer) {
  return "Layer " + std::to_string(layer_number(scene.shape(), layer));
}

std::string row_name(const TokenScene& scene, const HeadAddress& at) {
  const AttentionShape shape = scene.shape();
  if (shape.heads == 1 && shape.layers == 1) return "";
  if (shape.heads == 1) return layer_name(scene, at.layer);
  const std::string head = std::to_string(at.head + 1);
  if (shape.layers == 1) return "Head " + head;
  return "L" + std::to_string(layer_number(shape, at.layer)) + " H" + head;
}

struct RowNames {
  bool of_layers = false;
  double width = 0.0;
};

RowNames row_names(const TokenScene& scene, double pitch) {
  const bool of_layers = pitch < kLabelPitch * scene.font() && scene.shape().layers > 1;
  const auto name_of_row = [&](const HeadAddress& at) {
    return of_layers ? layer_name(scene, at.layer) : row_name(scene, at);
  };
  const FontStyle font{scene.font()};
  return {of_layers, widest_of(scene.heads.shown, name_of_row, font, scene.metrics)};
}

void add_row_name(Figure& figure, const TokenScene& scene, const std::string& name,
                  const Rect& row) {
  figure.add(text_item({row.right(), row.middle().y}, name, {scene.font()}, scene.theme.ink,
                       HAlign::Right, VAlign::Middle));
}

// Names of layers, and thin lines between them; a click next to the name of a row opens the head.
void add_row_names(Figure& figure, const TokenScene& scene, const RowNames& names,
                   const Rect& clip) {
  const double pitch = clip.height / static_cast<double>(scene.rows());
  const std::size_t stride = names.of_layers ? 1 : label_stride(kLabelPitch * scene.font(), pitch);
  std::size_t layer_begin = 0;
  double free_from = clip.y - scene.font();
  for (std::size_t r = 0; r < scene.rows(); ++r) {
    const HeadAddress& at = scene.heads.shown[r];
    const Rect row{0.0, clip.y + pitch * static_cast<double>(r), names.width, pitch};
    figure.add(RectItem{.rect = row, .hit = HeadHit{at, layer_number(scene.shape(), at.layer)}});
    const bool ends_layer = r + 1 == scene.rows() || scene.heads.shown[r + 1].layer != at.layer;
    if (ends_layer && r + 1 < scene.rows() && scene.shape().heads > 1) {
      figure.add(LineItem{{clip.x, row.bottom()},
                          {clip.right(), row.bottom()},
                          scene.theme.background,
                          std::min(1.5, 0.25 * pitch + 0.5)});
    }
    if (!names.of_layers && r % stride == 0) add_row_name(figure, scene, row_name(scene, at), row);
    if (!ends_layer) continue;
    Rect layer = row;
    layer.y = clip.y + pitch * static_cast<double>(layer_begin);
    layer.height = row.bottom() - layer.y;
    layer_begin = r + 1;
    const double top = layer.middle().y - 0.5 * scene.font();
    if (!names.of_layers || top < free_from) continue;
    free_from = top + kLabelPitch * scene.font();
    add_row_name(figure, scene, layer_name(scene, at.layer), layer);
  }
}

// --- the page

std::string heading(const TokenScene& scene) {
  const std::string name = placed_token(scene, scene.token.side, scene.token.index);
  const std::string what = scene.token.side == Side::Query
                               ? "What " + name + " takes from every key"
                               : "What every query takes from " + name;
  return what + which_attention(scene.result.problem(), scene.options.at, ", ") +
         place_words(scene.shape(), scene.options.at, false, false) +
         (scene.rows() > 1 ? ", in " + counted(scene.rows(), "head") : "");
}

Rect clip_of(const TokenScene& scene, double width, double height) {
  const double font = scene.font(), gap = kBesideLabels * font;
  const auto rows = static_cast<double>(scene.rows());
  const double most = std::max(height, kLowestTokenMap * font);
  const double pitch = std::clamp(most / rows, kThinnestRow, kTallestRow * font);
  const double left = scene.options.axes ? row_names(scene, pitch).width + gap : 0.0;
  const double across = std::min(std::max(width - left, 4.0 * font),
                                 kWidestCell * font * static_cast<double>(scene.count()));
  return {left, 0.0, across, pitch * rows};
}

Figure map_of(const TokenScene& scene, double width, double height, const ColorBar& bar) {
  const double font = scene.font();
  CellPanel panel{{scene}};
  panel.options.pins.clear();
  panel.columns = {"", scene.count(), true, scene.other(), scene.options.at};
  panel.gap = kBesideLabels * font;
  panel.widest_column =
      widest_label(scene.document, panel.columns, 1, panel.label_font(), scene.metrics, 6.0 * font);
  panel.clip = clip_of(scene, width, height);
  const double cell = panel.clip.width / static_cast<double>(scene.count());
  panel.right = width - panel.clip.right();
  panel.column_style = column_style(
      {cell, panel.widest_column, panel.right + cell / 2.0, 6.0 * font,
       is_counted(scene.document, panel.columns), stacked_letters(scene.document, panel.columns)},
      font);
  const double top = scene.options.axes ? panel.column_style.height + panel.gap : 0.0;
  panel.clip = clip_of(scene, width, height - top);
  panel.clip.y = top;
  panel.window = {0.0, 0.0, static_cast<double>(scene.rows()), static_cast<double>(scene.count())};
  Figure figure{.width = panel.clip.right(), .height = panel.clip.bottom() + 0.2 * font};
  add_cell_panel(figure, panel,
                 map_item(scene, panel.clip, bar.range, shown_cells(scene, panel.clip.width)));
  if (scene.options.axes) {
    const double pitch = panel.clip.height / static_cast<double>(scene.rows());
    add_row_names(figure, scene, row_names(scene, pitch), panel.clip);
  }
  add_bar_beside(figure, scene, bar, panel.clip);
  return figure;
}

std::string note_of(const TokenScene& scene, const Figure& map) {
  std::string words = "Rows are heads, columns ";
  words += scene.token.side == Side::Query ? "keys." : "queries.";
  const MatrixItem* item = find_matrix(map);
  if (item != nullptr && item->col_step > 1) {
    words += " Each pixel shows the largest of " + std::to_string(item->col_step) + " weights.";
  }
  return words + words_of(scene.heads);
}

}  // namespace

std::vector<Need> token_needs(const FittedView& view) {
  const Result<ChosenHeads> heads = chosen_heads(view, kMostHeads);
  if (!heads || !view.result.has(Stage::Weights, view.options.at)) return {};
  return lines_needs(view, question_of(view, heads->shown));
}

Result<Figure> token_plot(const Drawing& drawing) {
  if (!drawing.result.has(Stage::Weights, drawing.options.at)) {
    return usage_error("There are no weights to show");
  }
  Result<ChosenHeads> heads = chosen_heads(drawing, kMostHeads);
  if (!heads) return heads.error();
  const auto lines = lines_of(drawing, question_of(drawing, heads->shown));
  if (!lines) return lines.error();
  const TokenScene scene{{drawing}, token_in_view(drawing, false), *std::move(heads), *lines};
  Page page(scene);
  page.add_heading(heading(scene), 0.5);
  const PooledCells cells = shown_cells(scene, page.width());
  const ColorBar bar = weight_bar(scene, of_cells(cells.values, cells.hidden));
  const double width = page.width() - width_of_bar(scene, bar);
  const std::string longest[] = {sentence_of_bar(scene, bar),
                                 "Rows are heads, columns queries." + words_of(scene.heads)};
  const double below = hatching_height(scene, page.width()) + 1.5 * scene.font();
  const Figure map = map_of(scene, width, page.room(longest, kPageHeight) - below, bar);
  page.add_part(map);
  page.add_words(sentence_of_bar(scene, bar));
  add_hatching_key(page, map);
  page.add_note(note_of(scene, map));
  return page.finished(heading(scene) + ", as one map.");
}

Figure token_hover(const Drawing& drawing, const Figure& drawn, const HitId& hit,
                   const Rect& /*visible*/) {
  Figure marks = overlay_of(drawn);
  const auto* cell = std::get_if<CellHit>(&hit);
  const MatrixItem* item = find_matrix(drawn);
  if (cell == nullptr || item == nullptr || !item->gathered) return marks;
  const GatheredLines& lines = *item->gathered;
  const auto found = std::ranges::find(lines.matrices, cell->matrix);
  if (found == lines.matrices.end()) return marks;
  const auto row = static_cast<std::size_t>(found - lines.matrices.begin());
  const Rect place = cell_rect(*item, row, lines.are_columns ? cell->row : cell->col);
  marks.add(
      RectItem{.rect = place.grown(0.75), .stroke = drawing.theme.accent, .stroke_width = 1.5});
  return marks;
}

}  // namespace attn
