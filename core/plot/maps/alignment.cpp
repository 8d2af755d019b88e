// Drawing of alignments.
#include <algorithm>
#include <cmath>
#include <span>

#include "base/number_text.h"
#include "base/special_numbers.h"
#include "engine/terms.h"
#include "plot/kit/bar_table.h"
#include "plot/kit/names.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

// Row of the last step that is drawn.
std::size_t last_row(const Drawing& drawing) {
  return shown_steps(drawing.result, drawing.options) - 1;
}

float largest_of(const Drawing& drawing, Stage stage) {
  const auto range = drawing.result.range(stage, drawing.options.at);
  return range ? std::max(range->high, 0.0F) : 0.0F;
}

// Draws a frame in the accent colour about the row of the last step.
void mark_step(Figure& figure, const Drawing& drawing) {
  const MatrixItem* matrix = find_matrix(figure);
  if (matrix == nullptr || drawing.options.step == 0) return;
  const Rect cell = cell_rect(*matrix, last_row(drawing), matrix->first_col);
  if (cell.width <= 0.0) return;
  figure.add(RectItem{.rect = {matrix->clip.x, cell.y, matrix->clip.width, cell.height},
                      .stroke = drawing.theme.accent,
                      .stroke_width = 1.5});
}

Panel panel_of(const Drawing& drawing, Stage stage, const std::string& title,
               const ColorScale& scale, const std::optional<ColorBar>& own_bar = {}) {
  const MatrixPtr matrix = matrix_in(drawing, {stage, drawing.options.at});
  Panel panel = map_panel(drawing, {.title = title,
                                    .subtitle = matrix->formula(),
                                    .matrix = matrix.get(),
                                    .scale = scale,
                                    .shown_rows = last_row(drawing) + 1,
                                    .opens = StageHit{stage},
                                    .bar = own_bar});
  panel.draw = [&drawing, matrix, draw = panel.draw](const PanelRoom& room) {
    Figure figure = draw(room);
    mark_step(figure, drawing);
    return figure;
  };
  return panel;
}

constexpr double kThinnestBar = 0.5;  // units

// One bar per source token; where bars would be too thin to see, one per group of tokens, as long
// as the longest of them.
struct SurvivalBars : Drawing {
  const PanelRoom room;
  const std::vector<float> values =
      cells_of_stage(result, Stage::Survival, options.at, {0, 0, shape().n_k, 1});
  const PanelTitles titles = panel_titles(
      *this, "What survives in one fixed vector",
      std::string(stage_info(Stage::Survival).formula) + ", c the encoder's last state",
      room.width);
  const double top = std::max(titles.height + 0.6 * font(), room.top);
  const double pitch = std::min((options.pane_height > 0.0 ? 2.4 : 1.7) * font(),
                                std::max(room.height - top - 0.4 * font(), 4.0 * font()) /
                                    static_cast<double>(values.size()));
  const std::size_t step = static_cast<std::size_t>(std::max(1.0, std::ceil(kThinnestBar / pitch)));
  const double largest = std::max(static_cast<double>(largest_of(*this, Stage::Survival)), 1e-30);
  const double labels = widest_label(document, axis(), 1, small(), metrics, 0.4 * room.width);

  FontStyle small() const { return {font()}; }
  MatrixAxis axis() const { return {"", values.size(), true, Side::Key, options.at}; }

  Rect cells() const {
    return {labels, top, room.width - labels, pitch * static_cast<double>(values.size())};
  }

  Figure drawn() const {
    Figure figure{.width = room.width, .height = cells().bottom() + 0.4 * font()};
    add_titles(figure, *this, titles, theme.ink);
    const std::size_t stride = label_stride(1.2 * small().size, pitch);
    for (std::size_t j = 0; j < values.size(); j += step) add_bar(figure, j, stride);
    return figure;
  }

  void add_bar(Figure& figure, std::size_t first, std::size_t stride) const {
    const double left = labels + 0.5 * font();
    const double space = std::max(room.width - left - 4.0 * font(), font());
    const std::span<const float> group =
        std::span(values).subspan(first, std::min(step, values.size() - first));
    const auto value = static_cast<double>(*std::ranges::max_element(group));
    const double thickness = pitch * static_cast<double>(step);
    const bool has_bar = std::isfinite(value) && value > 0.0;
    RectItem bar{
        .rect = {left, top + pitch * static_cast<double>(first) + 0.15 * thickness,
                 has_bar ? std::max(space * value / largest, kLeastBar) : 0.0, 0.7 * thickness},
        .fill = theme.key,
        .hit = StageHit{Stage::Survival}};
    figure.add(bar);
    const std::size_t labelled = (first + stride - 1) / stride * stride;
    if (labelled < first + step) add_label(figure, labelled, left + bar.rect.width);
  }

  void add_label(Figure& figure, std::size_t j, double bar_end) const {
    const double middle = top + pitch * (static_cast<double>(j) + 0.5);
    figure.add(text_item({labels, middle}, axis_label(*this, axis(), j, small(), labels), small(),
                         theme.key, HAlign::Right, VAlign::Middle));
    if (step > 1) return;  // the bar represents several tokens
    const auto value = static_cast<double>(values[j]);
    figure.add(text_item({bar_end + 0.4 * font(), middle}, fixed_text(value, options.decimals + 1),
                         small(), theme.ink, HAlign::Left, VAlign::Middle));
  }
};

std::string heading(const Drawing& drawing) {
  std::string text = "Alignment of all steps";
  if (drawing.options.step > 0) {
    text = "Alignment after step " + std::to_string(last_row(drawing) + 1) + " of " +
           std::to_string(drawing.shape().n_q) + ", " +
           quoted_token(drawing, Side::Query, last_row(drawing));
  }
  return text + numbered("sample", drawing.options.at.sample, drawing.shape().samples);
}

std::string step_sentence(const Drawing& drawing) {
  const std::string decoder = "At step " + std::to_string(last_row(drawing) + 1) + " the decoder ";
  if (drawing.result.sees_no_key(drawing.options.at, last_row(drawing))) {
    return decoder + "sees no source token, and its context is 0.";
  }
  const std::vector<float> row =
      row_of_stage(drawing.result, Stage::Weights, drawing.options.at, last_row(drawing));
  const auto is_concealed_weight = [](float weight) {
    return number_kind(weight) == NumberKind::Concealed;
  };
  if (std::ranges::any_of(row, is_concealed_weight)) {
    return decoder + "depends on numbers that the lesson conceals.";
  }
  if (!std::ranges::all_of(row, [](float weight) { return std::isfinite(weight); })) {
    return decoder + "has weights that are not numbers.";
  }
  const auto most = std::ranges::max_element(row);
  return decoder + "reads " + percent_text(static_cast<double>(*most)) + " % from " +
         quoted_token(drawing, Side::Key, static_cast<std::size_t>(most - row.begin())) + ".";
}

// “cat” has the norm 0.3
std::string norm_words(const Drawing& drawing, std::size_t source, const std::string& verb) {
  const float norm = drawing.result.value(Stage::Survival, drawing.options.at, source, 0);
  return quoted_token(drawing, Side::Key, source) + verb + short_text(static_cast<double>(norm), 3);
}

// The tokens that the encoder reads; none when all are padding.
std::vector<std::size_t> tokens_read(const Drawing& drawing) {
  const auto* padding =
      list_of(drawing.result.problem().mask.key_padding, drawing.options.at.sample);
  std::vector<std::size_t> read;
  for (std::size_t j = 0; j < drawing.shape().n_k; ++j) {
    if (padding != nullptr && (*padding)[j] == 0) continue;
    read.push_back(j);
  }
  return read;
}

std::string survival_sentence(const Drawing& drawing) {
  const std::size_t numbers = drawing.shape().d_k;
  const std::string text = "Without attention the whole source must pass through one vector of " +
                           std::to_string(numbers) + (numbers == 1 ? " number. " : " numbers. ");
  const std::vector<std::size_t> read = tokens_read(drawing);
  if (read.empty()) return text + "Every source token is padding, so that it is 0.";
  std::string norms = "Its derivative by " + norm_words(drawing, read.front(), " has the norm ");
  if (read.size() > 1) norms += ", by " + norm_words(drawing, read.back(), " ");
  return text + norms + ": the larger, the more of the token remains in it.";
}

ColorBar influence_bar(const Drawing& drawing) {
  const float ends[] = {0.0F, std::max(largest_of(drawing, Stage::Influence),
                                       largest_of(drawing, Stage::FixedInfluence))};
  PlotOptions options = with_map_of_weights(drawing.options);
  options.stage = Stage::Influence;
  ColorRange range = color_range({Quantity::Other}, of_cells(ends, {}), options);
  range.basis += ", both maps";
  return {.range = range, .title = "Influence"};
}

void add_alignment(Page& page, const Drawing& drawing, double height) {
  const ColorBar bar = weight_bar(drawing);
  // On a screen, where bars have no titles, the bar stands at its map.
  const std::optional<ColorBar> own = drawing.options.on_screen ? std::optional(bar) : std::nullopt;
  std::vector<Panel> panels{panel_of(drawing, Stage::Weights, "With attention", bar.range, own)};
  if (drawing.result.has(Stage::Survival)) {
    const auto bars = [&](const PanelRoom& room) { return SurvivalBars{{drawing}, room}; };
    panels.push_back({"", [bars](const PanelRoom& room) { return bars(room).cells(); },
                      [bars](const PanelRoom& room) { return bars(room).drawn(); }});
  }
  add_panels(page, {.panels = std::move(panels),
                    .shared = own ? std::nullopt : std::optional(bar),
                    .notes = {step_sentence(drawing)},
                    .height = height});
}

void add_influence(Page& page, const Drawing& drawing, double height) {
  const ColorBar bar = influence_bar(drawing);
  page.add_heading(std::string("Influence of each source token on each ") +
                       (drawing.shape().d_out > 0 ? "output" : "state of the decoder") +
                       ", the norm of the derivative",
                   0.4);
  add_panels(
      page,
      {.panels = {panel_of(drawing, Stage::Influence, "With attention", bar.range),
                  panel_of(drawing, Stage::FixedInfluence, "With one fixed vector", bar.range)},
       .shared = bar,
       .height = height});
}

}  // namespace

std::size_t shown_steps(const AttentionResult& result, const PlotOptions& options) {
  const std::size_t n_q = result.shape().n_q;
  return options.step == 0 ? n_q : std::min(options.step, n_q);
}

std::string nothing_to_follow(const AttentionProblem& problem, const HeadAddress& /*at*/) {
  if (goes_row_by_row(problem)) return "";
  return "There are no steps to follow: this document has no recurrent encoder–decoder";
}

Result<Figure> alignment_plot(const Drawing& drawing) {
  Page page(drawing);
  page.add_heading(heading(drawing), 0.4);
  const bool has_influence = drawing.result.has(Stage::Influence);
  const std::string last =
      has_influence
          ? survival_sentence(drawing)
          : "The influence of source tokens is left out: these sizes would take too long.";
  const std::string words[] = {
      step_sentence(drawing), last, sentence_of_bar(drawing, weight_bar(drawing)),
      has_influence ? sentence_of_bar(drawing, influence_bar(drawing)) : ""};
  constexpr double kBetween = 4.0;  // font sizes, for the second heading
  const double room = page.room(words, kPageHeight);
  const double height = has_influence ? (room - kBetween * drawing.font()) / 2.0 : room;
  add_alignment(page, drawing, height);
  if (has_influence) add_influence(page, drawing, height);
  page.add_note(last);
  return page.finished(heading(drawing) +
                       ": weights, and influence of source tokens with attention "
                       "and with one fixed vector");
}

}  // namespace attn
