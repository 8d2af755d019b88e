#include "plot/alignment.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/utf8.h"
#include "plot/head_problem.h"
#include "plot/items.h"
#include "plot/page.h"
#include "plot/small_map.h"
#include "plot/stage_colors.h"

namespace attn {
namespace {

// What all parts of the page are made from.
struct Scene {
  const PlotInput& input;
  const PlotOptions& options;
  const TextMetrics& metrics;
  HeadAddress at;
  std::size_t steps = 0;

  double font() const { return options.font_size; }
  const FigureTheme& theme() const { return figure_theme(options.theme); }
  const AttentionShape& shape() const { return input.result.shape(); }
  const TokenList& tokens(Side side) const { return tokens_of(input.document, side, at.sample); }
};

std::vector<float> cells_of(const Scene& scene, Stage stage) {
  const StageShape shape = scene.input.result.stage_shape(stage);
  std::vector<float> cells(shape.rows * shape.cols);
  scene.input.result.read(stage, scene.at, {0, 0, shape.rows, shape.cols}, cells.data());
  return cells;
}

float largest_of(const std::vector<float>& cells) {
  float largest = 0.0F;
  for (const float value : cells) {
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

// The row of the last step in the accent colour.
void mark_step(Figure& figure, const Scene& scene) {
  const MatrixItem* matrix = find_matrix(figure);
  if (matrix == nullptr || scene.options.step == 0) return;
  const double height = matrix->rect.height / static_cast<double>(scene.shape().n_q);
  RectItem mark;
  mark.rect = {matrix->rect.x, matrix->rect.y + height * static_cast<double>(scene.steps - 1),
               matrix->rect.width, height};
  mark.stroke = scene.theme().accent;
  mark.stroke_width = 1.5;
  figure.items.push_back(mark);
}

Figure map_of(const Scene& scene, Stage stage, const std::string& title, const ColorScale& scale,
              double width) {
  const AttentionShape& shape = scene.shape();
  auto cells = std::make_shared<MatrixCells>();
  cells->rows = shape.n_q;
  cells->cols = shape.n_k;
  cells->values = cells_of(scene, stage);
  if (stage == Stage::Weights) cells->hidden = hidden_cells(scene.input.result, scene.at);
  SmallMap map;
  map.title = title;
  map.subtitle = formula_of(scene.input.result.problem(), stage);
  map.cells = cells;
  map.scale = scale;
  map.rows = {"", shape.n_q, true, Side::Query, scene.at.sample};
  map.columns = {"", shape.n_k, true, Side::Key, scene.at.sample};
  map.shown_rows = scene.steps;
  map.most_height = 30.0 * scene.font();
  map.hit = StageHit{stage};
  Figure figure = small_map(scene.input.document, map, scene.options, scene.metrics, width);
  mark_step(figure, scene);
  return figure;
}

Figure bar_of(const Scene& scene, const ColorScale& scale, const std::string& title,
              const std::string& basis) {
  ColorBar words;
  words.scale = scale;
  words.title = title;
  words.basis = basis;
  return color_bar_figure(words, scene.options, scene.metrics, 12.0 * scene.font());
}

// One bar for each source token, thinner where there are many.
class SurvivalBars {
 public:
  SurvivalBars(const Scene& scene, double width)
      : scene_(scene), width_(width), values_(cells_of(scene, Stage::Survival)) {
    const double most = 26.0 * scene.font();
    pitch_ = std::min(1.7 * scene.font(), most / static_cast<double>(values_.size()));
    const MatrixAxis axis{"", values_.size(), true, Side::Key, scene.at.sample};
    labels_ = widest_label(scene.input.document, axis, 1, small(), scene.metrics, 0.3 * width);
  }

  Figure drawn() const {
    Figure figure;
    figure.width = width_;
    figure.height = top() + pitch_ * static_cast<double>(values_.size()) + 0.4 * scene_.font();
    const FontStyle bold{0.95 * scene_.font(), true, false};
    add_text(figure, {0.0, scene_.font()}, "What survives in one fixed vector", bold,
             scene_.theme().ink);
    add_text(figure, {0.0, 2.3 * scene_.font()},
             std::string(stage_info(Stage::Survival).formula) + ", c the encoder's last state",
             {0.85 * scene_.font(), false, false}, scene_.theme().muted);
    const std::size_t stride = label_stride(1.2 * small().size, pitch_);
    for (std::size_t j = 0; j < values_.size(); ++j) add_bar(figure, j, j % stride == 0);
    return figure;
  }

 private:
  FontStyle small() const { return {0.8 * scene_.font(), false, false}; }
  double top() const { return 3.2 * scene_.font(); }

  void add_text(Figure& figure, Point at, const std::string& text, const FontStyle& style,
                Color color) const {
    figure.items.push_back(
        text_item(at, fitted(scene_.metrics, text, style, width_ - at.x), style, color));
  }

  void add_bar(Figure& figure, std::size_t j, bool labelled) const {
    const FigureTheme& theme = scene_.theme();
    const double y = top() + pitch_ * static_cast<double>(j);
    const double left = labels_ + 0.5 * scene_.font();
    const double room = std::max(width_ - left - 4.0 * scene_.font(), scene_.font());
    const double largest = std::max(static_cast<double>(largest_of(values_)), 1e-30);
    const auto value = static_cast<double>(values_[j]);
    RectItem bar;
    bar.rect = {left, y + 0.15 * pitch_, std::isfinite(value) ? room * value / largest : 0.0,
                0.7 * pitch_};
    bar.fill = theme.key;
    bar.hit = StageHit{Stage::Survival};
    figure.items.push_back(bar);
    if (!labelled) return;
    const double middle = y + 0.5 * pitch_;
    const std::string label = tokens_of(scene_.input.document, Side::Key, scene_.at.sample)[j];
    figure.items.push_back(text_item(
        {labels_, middle}, fitted(scene_.metrics, visible_token(label), small(), labels_ + 1e-6),
        small(), theme.key, HAlign::Right, VAlign::Middle));
    figure.items.push_back(text_item({left + bar.rect.width + 0.4 * scene_.font(), middle},
                                     fixed_text(value, scene_.options.decimals + 1), small(),
                                     theme.ink, HAlign::Left, VAlign::Middle));
  }

  const Scene& scene_;
  double width_;
  std::vector<float> values_;
  double pitch_ = 0.0;
  double labels_ = 0.0;
};

std::string quoted(const std::string& token) { return "“" + token + "”"; }

std::string heading(const Scene& scene) {
  std::string text = "Alignment";
  if (scene.shape().samples > 1) {
    text += ", sample " + std::to_string(scene.at.sample + 1);
  }
  if (scene.options.step == 0) return text + " of all steps";
  return text + " after step " + std::to_string(scene.steps) + " of " +
         std::to_string(scene.shape().n_q) + ", " +
         quoted(visible_token(scene.tokens(Side::Query)[scene.steps - 1]));
}

// The last step that is drawn, in words and numbers.
std::string step_sentence(const Scene& scene) {
  const std::vector<float> weights = cells_of(scene, Stage::Weights);
  const std::size_t n_k = scene.shape().n_k;
  const auto row = weights.begin() + static_cast<std::ptrdiff_t>((scene.steps - 1) * n_k);
  const auto most = std::max_element(row, row + static_cast<std::ptrdiff_t>(n_k));
  const auto source = static_cast<std::size_t>(most - row);
  return "At step " + std::to_string(scene.steps) + " the decoder reads " +
         fixed_text(100.0 * static_cast<double>(*most), 1) + " % from " +
         quoted(visible_token(scene.tokens(Side::Key)[source])) + ".";
}

std::string survival_sentence(const Scene& scene) {
  const std::vector<float> survival = cells_of(scene, Stage::Survival);
  const TokenList& tokens = scene.tokens(Side::Key);
  const std::string numbers = std::to_string(scene.shape().d_k);
  return "Without attention the whole source must pass through one vector of " + numbers +
         " numbers. Its derivative by " + quoted(visible_token(tokens.front())) + " has the norm " +
         short_text(static_cast<double>(survival.front()), 3) + ", by " +
         quoted(visible_token(tokens.back())) + " " +
         short_text(static_cast<double>(survival.back()), 3) +
         ": the larger, the more of a token is left in it.";
}

void add_alignment(Page& page, const Scene& scene, double width, std::size_t columns, double gap) {
  const float most = largest_of(cells_of(scene, Stage::Weights));
  const bool own = scene.options.view.own_range && most > 0.0F;
  const ColorScale scale{&colormap_for(scene.options), 0.0F, own ? most : 1.0F};
  std::vector<Figure> parts{map_of(scene, Stage::Weights, "With attention", scale, width)};
  if (scene.input.result.has(Stage::Survival)) {
    parts.push_back(SurvivalBars(scene, width).drawn());
  }
  page.add_beside(
      bar_of(scene, scale, "Attention weight", own ? "range 0 to the largest" : "range 0 to 1"));
  page.add_grid(parts, columns, gap);
  page.add_words(step_sentence(scene));
}

void add_influence(Page& page, const Scene& scene, double width, std::size_t columns, double gap) {
  const float most = std::max(largest_of(cells_of(scene, Stage::Influence)),
                              largest_of(cells_of(scene, Stage::FixedInfluence)));
  const ColorScale scale{&colormap_for(scene.options), 0.0F, most > 0.0F ? most : 1.0F};
  page.add_heading("Influence of each source token on each output");
  page.add_space(0.4 * scene.font());
  page.add_beside(bar_of(scene, scale, "Influence", "range: both maps"));
  page.add_grid({map_of(scene, Stage::Influence, "With attention", scale, width),
                 map_of(scene, Stage::FixedInfluence, "With one fixed vector", scale, width)},
                columns, gap);
  page.add_words(survival_sentence(scene));
}

}  // namespace

std::size_t shown_steps(const AttentionResult& result, const PlotOptions& options) {
  const std::size_t n_q = result.shape().n_q;
  return options.step == 0 ? n_q : std::min(options.step, n_q);
}

Figure alignment_plot(const PlotInput& input, const PlotOptions& wanted,
                      const TextMetrics& metrics) {
  PlotOptions options = fitted_to(wanted, input.result);
  options.view.stage = Stage::Weights;
  if (input.result.problem().source != AttentionProblem::Source::Recurrent) {
    return page_of_words(input, options, metrics,
                         "There are no steps to follow: this document has no recurrent "
                         "encoder–decoder. Open the example “Encoder–decoder”, or add "
                         "\"recurrent\": {} to a document with query_tokens and key_tokens");
  }
  const Scene scene{input,
                    options,
                    metrics,
                    {0, options.view.head.sample, 0},
                    shown_steps(input.result, options)};
  Page page(input, options, metrics);
  const double gap = 1.6 * options.font_size;
  const ColorScale widest{&colormap_for(options), 0.0F, 1.0F};
  const double bar = bar_of(scene, widest, "Attention weight", "range 0 to the largest").width;
  const double room = std::max(page.width() - bar - gap, 4.0 * options.font_size);
  const std::size_t columns = columns_in(room + gap, 16.0 * options.font_size + gap,
                                         input.result.has(Stage::Survival) ? 2 : 1);
  const double width =
      (room - gap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  page.add_heading(heading(scene));
  page.add_space(0.4 * options.font_size);
  add_alignment(page, scene, width, columns, gap);
  if (input.result.has(Stage::Influence)) {
    add_influence(page, scene, width, columns, gap);
  } else {
    page.add_words("The influence of source tokens is left out: these sizes would take too long.");
  }
  return page.finished(heading(scene) +
                       ": weights, and influence of source tokens with attention "
                       "and with one fixed vector");
}

}  // namespace attn
