// The plot of all heads: what is drawn, in which order, and the words under each.
#include "plot/maps/heads.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>

#include "base/number_text.h"
#include "document/token_ids.h"
#include "engine/compute.h"
#include "engine/matrix/head_range.h"
#include "plot/maps/heads_layout.h"
#include "plot/needs.h"
#include "plot/parts/items.h"
#include "plot/parts/page.h"
#include "plot/parts/small_map.h"
#include "plot/parts/stage_colors.h"
#include "plot/parts/tokens.h"

namespace attn {
namespace {

// What every step of drawing needs.
struct Scene {
  const PlotInput& input;
  const PlotOptions& options;
  const TextMetrics& metrics;
  const FigureTheme& theme;
  std::span<const HeadCard> cards;  // of the page
  HeadsLayout layout;
  const MeasureInfo* tint = nullptr;

  double font() const { return options.font_size; }
  const AttentionShape& shape() const { return input.result.shape(); }
};

const MeasureInfo* measure_named(std::string_view name) {
  const auto found = std::ranges::find(all_measures(), name, &MeasureInfo::name);
  return found == all_measures().end() ? nullptr : &*found;
}

std::optional<double> value_of(const HeadCard& card, const MeasureInfo& measure) {
  return card.measures ? measure.value(*card.measures) : std::nullopt;
}

// Every head of the sample, or of all samples, in the order of layers.
std::vector<HeadCard> all_heads(const AttentionShape& shape, const PlotOptions& options) {
  std::vector<HeadCard> cards;
  const std::size_t first = options.all_samples ? 0 : options.at.sample;
  const std::size_t end = options.all_samples ? shape.samples : first + 1;
  for (std::size_t sample = first; sample < end; ++sample) {
    for (std::size_t layer = 0; layer < shape.layers; ++layer) {
      for (std::size_t head = 0; head < shape.heads; ++head) {
        cards.push_back({{layer, sample, head}, {}});
      }
    }
  }
  return cards;
}

// The heads of the figure in the order of layers.
class MeasuredHeads final : public Derivation {
 public:
  explicit MeasuredHeads(std::vector<HeadCard> cards) : cards_(std::move(cards)) {}
  const std::vector<HeadCard>& cards() const { return cards_; }
  std::uint64_t bytes() const override { return cards_.size() * sizeof(HeadCard); }

 private:
  std::vector<HeadCard> cards_;
};

std::string key_of(const PlotInput& input, const PlotOptions& options) {
  const HeadAddress sample{0, options.all_samples ? 0 : options.at.sample, 0};
  return std::string("all heads of ") + (options.all_samples ? "all samples, " : "") +
         text_of({Stage::Weights, sample, input.result.problem().part});
}

// Without what is known of single queries and keys, which nobody reads here.
HeadMeasures measures_of(const AttentionResult& result, const HeadAddress& at,
                         const TokenIds& tokens) {
  HeadMeasures measures = measure_head(result, at, tokens);
  measures.row_entropy = {};
  measures.received = {};
  return measures;
}

Result<DerivationPtr> measured(const Document& document, const AttentionResult& result,
                               const PlotOptions& options, Progress* progress) {
  std::vector<HeadCard> cards = all_heads(result.shape(), options);
  TokenIds tokens;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (progress != nullptr && progress->cancelled) return stopped();
    if (progress != nullptr) {
      progress->report(static_cast<float>(i) / static_cast<float>(cards.size()));
    }
    const std::size_t sample = cards[i].at.sample;
    if (i == 0 || sample != cards[i - 1].at.sample) tokens = token_ids(document, sample);
    cards[i].measures = measures_of(result, cards[i].at, tokens);
  }
  return DerivationPtr(std::make_shared<MeasuredHeads>(std::move(cards)));
}

// --- the cells -------------------------------------------------------------------------------

struct Thumbnails {
  std::shared_ptr<MatrixCells> cells;
  float top = 1.0F;  // of the colours of all; 1 where heads have their own
  bool beyond_low = false, beyond_high = false;
};

PooledCells weights_of(const Scene& scene, const HeadAddress& at) {
  const AttentionShape& s = scene.shape();
  return read_pooled(scene.input.result, Stage::Weights, at, {0, 0, s.n_q, s.n_k},
                     scene.layout.texel_rows, scene.layout.texel_cols, scene.options.pooling);
}

float positive(float top) { return top > 0.0F ? top : 1.0F; }

// Copies a head's weights to its place, as parts of `unit`.
void put(const HeadsLayout& l, std::size_t index, const PooledCells& weights, float unit,
         Thumbnails& out) {
  const std::size_t corner =
      index / l.columns * l.tile_rows * out.cells->cols + index % l.columns * l.tile_cols;
  bool low = false, high = false;
  for (std::size_t row = 0; row < weights.rows; ++row) {
    const float* from = weights.values.data() + row * weights.cols;
    const HiddenRules* rules = weights.hidden.data() + row * weights.cols;
    float* to = out.cells->values.data() + corner + row * out.cells->cols;
    std::copy_n(rules, weights.cols, out.cells->hidden.data() + corner + row * out.cells->cols);
    for (std::size_t col = 0; col < weights.cols; ++col) {
      to[col] = from[col] / unit;
      const bool counts = (rules[col] == kVisible) & std::isfinite(to[col]);
      low |= counts & (to[col] < 0.0F);
      high |= counts & (to[col] > out.top);
    }
  }
  out.beyond_low = out.beyond_low || low;
  out.beyond_high = out.beyond_high || high;
}

float shared_top(const Scene& scene, const HeadRangeInfo& range) {
  float most = 0.0F;
  for (const HeadCard& card : scene.cards) {
    most = std::max(most, range.top(weights_of(scene, card.at)));
  }
  return positive(most);
}

// One head after the other: keeping all of them takes longer than reading some twice.
Thumbnails thumbnails(const Scene& scene) {
  const HeadsLayout& l = scene.layout;
  const HeadRangeInfo& range = head_range_info(scene.options.head_range);
  Thumbnails out;
  if (!range.per_head) out.top = shared_top(scene, range);
  out.cells = std::make_shared<MatrixCells>();
  out.cells->rows = l.rows() * l.tile_rows;
  out.cells->cols = std::min(l.columns, l.count) * l.tile_cols;
  out.cells->values.resize(out.cells->rows * out.cells->cols);
  out.cells->hidden.resize(out.cells->values.size());
  for (std::size_t i = 0; i < scene.cards.size(); ++i) {
    const PooledCells weights = weights_of(scene, scene.cards[i].at);
    put(l, i, weights, range.per_head ? positive(range.top(weights)) : 1.0F, out);
  }
  return out;
}

void add_cells(Figure& figure, const Scene& scene, const Thumbnails& thumbnails) {
  MatrixItem m;
  m.cells = thumbnails.cells;
  m.rect = m.clip = scene.layout.whole();
  m.row_count = m.cells->rows;
  m.col_count = m.cells->cols;
  m.scale = {&colormap_for(scene.options), 0.0F, thumbnails.top};
  m.hatch = scene.theme.hatch;
  m.hatch_ground = scene.theme.hatch_ground;
  figure.items.push_back(std::move(m));
}

void add_cover(Figure& figure, const Scene& scene, const Rect& rect) {
  RectItem cover;
  cover.rect = rect;
  cover.fill = scene.theme.background;
  cover.hit = ColorBarHit{};  // no cell of any head
  figure.items.push_back(cover);
}

// Paints over what lies between the thumbnails, and after the last one. At the edges of the image a
// little further, as it would shine through otherwise.
void add_gaps(Figure& figure, const Scene& scene) {
  constexpr double kBeyond = 1.0;
  const HeadsLayout& l = scene.layout;
  const Rect whole = l.whole();
  const double right = whole.x + whole.width, bottom = whole.y + whole.height;
  const std::size_t columns = std::min(l.columns, l.count);
  for (std::size_t col = 0; col < columns; ++col) {
    const Rect at = l.thumbnail(col);
    const double from = at.x + at.width;
    const double to = col + 1 == columns ? right + kBeyond : l.thumbnail(col + 1).x;
    add_cover(figure, scene, {from, whole.y - kBeyond, to - from, whole.height + 2.0 * kBeyond});
  }
  for (std::size_t row = 0; row < l.rows(); ++row) {
    const Rect at = l.thumbnail(row * l.columns);
    const double from = at.y + at.height;
    const double to = row + 1 == l.rows() ? bottom + kBeyond : l.thumbnail((row + 1) * l.columns).y;
    add_cover(figure, scene, {whole.x - kBeyond, from, whole.width + 2.0 * kBeyond, to - from});
  }
  if (l.rows() < 2 || l.count % l.columns == 0) return;
  const Rect after = l.thumbnail(l.count);
  add_cover(figure, scene, {after.x, after.y, right + kBeyond - after.x, bottom - after.y});
}

// --- around each head ------------------------------------------------------------------------

// Largest value whose number has the full tint.
double full_tint(const Scene& scene) {
  if (scene.tint->is_share) return 1.0;
  double largest = 0.0;
  for (const HeadCard& card : scene.cards) {
    largest = std::max(largest, value_of(card, *scene.tint).value_or(0.0));
  }
  return largest > 0.0 ? largest : 1.0;
}

// As large as a caption is, smaller where it would not fit, cut where it would be too small.
void add_caption(Figure& figure, const Scene& scene, const Rect& line, const std::string& text,
                 Color color) {
  FontStyle font{0.72 * scene.font(), false, false};
  const double width = scene.metrics.measure(text, font).width;
  font.size *= std::clamp(0.96 * line.width / std::max(width, 1e-9), 0.7, 1.0);
  figure.items.push_back(text_item({line.x + line.width / 2.0, line.y + line.height / 2.0},
                                   fitted(scene.metrics, text, font, line.width + 1e-6), font,
                                   color, HAlign::Center, VAlign::Middle));
}

void add_tinted_number(Figure& figure, const Scene& scene, const Rect& line, const HeadCard& card,
                       double full) {
  constexpr double kLeast = 14.0, kMost = 150.0;
  const std::optional<double> value = value_of(card, *scene.tint);
  RectItem chip;
  chip.rect = line;
  chip.fill = scene.theme.panel;
  if (value) {
    const double part = std::clamp(*value / full, 0.0, 1.0);
    chip.fill =
        with_alpha(scene.theme.query,
                   static_cast<std::uint8_t>(std::lround(kLeast + part * (kMost - kLeast))));
  }
  figure.items.push_back(chip);
  add_caption(figure, scene, line, value ? fixed_text(*value, scene.options.decimals) : "–",
              value ? scene.theme.ink : scene.theme.muted);
}

// “previous token +1”
std::string label_words(const HeadCard& card) {
  if (!card.measures) return "";
  const std::vector<const HeadLabelInfo*> labels = labels_of(*card.measures);
  if (labels.empty()) return "";
  std::string text(labels.front()->label);
  if (labels.size() > 1) text += " +" + std::to_string(labels.size() - 1);
  return text;
}

std::string short_name(const Scene& scene, const HeadAddress& at) {
  std::string text = "L" + std::to_string(at.layer + 1) + " H" + std::to_string(at.head + 1);
  if (scene.options.all_samples) text = "S" + std::to_string(at.sample + 1) + " " + text;
  return text;
}

void add_captions(Figure& figure, const Scene& scene, const Rect& head, const HeadCard& card,
                  double full) {
  const double step = 0.85 * scene.font();
  Rect line{head.x, head.y + head.height + 0.2 * scene.font(), head.width, step};
  if (!scene.layout.by_layer) {
    add_caption(figure, scene, line, short_name(scene, card.at), scene.theme.ink);
    line.y += step;
  }
  if (scene.tint != nullptr) {
    Rect chip = line;
    chip.height -= 0.05 * scene.font();
    add_tinted_number(figure, scene, chip, card, full);
    line.y += step;
  }
  const std::string words = label_words(card);
  const double beside = 0.05 * line.width;  // into the gaps
  if (words.empty()) return;
  add_caption(figure, scene, {line.x - beside, line.y, line.width + 2.0 * beside, line.height},
              words, scene.theme.muted);
}

void add_heads(Figure& figure, const Scene& scene) {
  const double full = scene.tint != nullptr ? full_tint(scene) : 1.0;
  for (std::size_t i = 0; i < scene.cards.size(); ++i) {
    const HeadCard& card = scene.cards[i];
    RectItem frame;
    frame.rect = scene.layout.thumbnail(i);
    const bool chosen = card.at == scene.options.at;
    frame.stroke = chosen ? scene.theme.accent : scene.theme.muted;
    frame.stroke_width = chosen ? 2.0 : 0.5;
    frame.hit = HeadHit{card.at};
    if (scene.layout.caption > 0.0) add_captions(figure, scene, frame.rect, card, full);
    figure.items.push_back(frame);
  }
}

// The names of rows and columns, where these are layers and heads.
void add_names(Figure& figure, const Scene& scene) {
  const HeadsLayout& l = scene.layout;
  if (!l.by_layer) return;
  const FontStyle font{0.8 * scene.font(), false, false};
  const double pitch = l.texel_width * static_cast<double>(l.tile_cols);
  const std::string widest = "Head " + std::to_string(l.columns);
  const bool in_full = scene.metrics.measure(widest, font).width < pitch - 0.3 * font.size;
  for (std::size_t col = 0; col < std::min(l.columns, l.count); ++col) {
    const Rect at = l.thumbnail(col);
    figure.items.push_back(text_item({at.x + at.width / 2.0, l.top - 0.5 * font.size},
                                     (in_full ? "Head " : "") + std::to_string(col + 1), font,
                                     scene.theme.ink, HAlign::Center));
  }
  if (!in_full) {
    figure.items.push_back(text_item({l.left - 0.6 * scene.font(), l.top - 0.5 * font.size}, "Head",
                                     font, scene.theme.muted, HAlign::Right));
  }
  for (std::size_t row = 0; row < l.rows(); ++row) {
    const Rect at = l.thumbnail(row * l.columns);
    const HeadAddress& head = scene.cards[row * l.columns].at;
    std::string name = "Layer " + std::to_string(head.layer + 1);
    if (scene.options.all_samples) {
      name = "S" + std::to_string(head.sample + 1) + " L" + std::to_string(head.layer + 1);
    }
    figure.items.push_back(text_item({l.left - 0.6 * scene.font(), at.y + at.height / 2.0}, name,
                                     font, scene.theme.ink, HAlign::Right, VAlign::Middle));
  }
}

// --- the page --------------------------------------------------------------------------------

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string heading(const Scene& scene, std::size_t heads) {
  const AttentionProblem& problem = scene.input.result.problem();
  const AttentionShape& s = problem.shape;
  std::string text = "Attention weights of " + counted(heads, "head", "heads");
  text += which_attention(problem, " of the ");
  text += ", " + counted(s.layers, "layer", "layers");
  if (scene.options.all_samples && s.samples > 1) {
    text += ", " + counted(s.samples, "sample", "samples");
  } else if (s.samples > 1) {
    text += ", sample " + std::to_string(scene.options.at.sample + 1) + " of " +
            std::to_string(s.samples);
  }
  if (const MeasureInfo* sort = measure_named(scene.options.sort)) {
    text += ", sorted by " + words_of(*sort);
  }
  if (scene.layout.pages > 1) {
    text += ", page " + std::to_string(scene.layout.page + 1) + " of " +
            std::to_string(scene.layout.pages);
  }
  return text;
}

std::string remarks(const Scene& scene) {
  std::string text = "Rows are queries, columns keys.";
  if (!scene.layout.by_layer) text += " L1 H2: layer 1, head 2.";
  const HeadRangeInfo& range = head_range_info(scene.options.head_range);
  if (range.per_head) text += " Top of the colours: " + std::string(range.basis) + ".";
  if (scene.tint != nullptr && scene.layout.caption > 0.0) {
    std::string sentence(scene.tint->sentence);
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
    text += " Number under each head: " + sentence + ".";
  }
  if (scene.layout.step > 1) {
    const std::string side = std::to_string(scene.layout.step);
    text += " A point stands for " + side + " × " + side + " weights, their " +
            (scene.options.pooling == Pooling::Maximum ? "maximum." : "mean.");
  }
  const bool measured = scene.cards.empty() || scene.cards.front().measures;
  if (!measured) text += " What the heads do is not known yet.";
  return text;
}

Figure bar_of(const Scene& scene, const Thumbnails& thumbnails) {
  const HeadRangeInfo& range = head_range_info(scene.options.head_range);
  ColorBar bar;
  bar.scale = {&colormap_for(scene.options), 0.0F, thumbnails.top};
  bar.title = range.per_head ? "Weight ÷ top" : "Attention weight";
  bar.basis = range.per_head ? "each head its own top" : std::string(range.basis);
  bar.beyond_low = thumbnails.beyond_low;
  bar.beyond_high = thumbnails.beyond_high;
  return color_bar_figure(bar, scene.options, scene.metrics, 14.0 * scene.font());
}

Figure grid_of(const Scene& scene, const Thumbnails& thumbnails) {
  Figure grid;
  const Rect whole = scene.layout.whole();
  grid.width = whole.x + whole.width;
  grid.height = whole.y + whole.height;
  add_cells(grid, scene, thumbnails);
  add_gaps(grid, scene);
  add_heads(grid, scene);
  add_names(grid, scene);
  return grid;
}

// Room for the bar, which must be known before there are any colours.
double bar_width(const Scene& scene) { return bar_of(scene, {}).width + 1.4 * scene.font(); }

}  // namespace

std::string words_of(const MeasureInfo& measure) {
  const std::string first(measure.heading[0]);
  return (first.empty() ? "" : first + " ") + std::string(measure.heading[1]);
}

std::vector<Need> heads_needs(const PlotInput& input, const PlotOptions& options) {
  constexpr std::size_t kStepsOfACell = 10;
  const std::size_t heads = all_heads(input.result.shape(), options).size();
  Need need{key_of(input, options),
            "Measures of all heads",
            element_count({kStepsOfACell, heads, cells_to_measure(input.result.shape())}),
            {}};
  need.derive = [options](const Document& document, const ResultPtr& result, Progress* progress) {
    return measured(document, *result, options, progress);
  };
  return {need};
}

std::vector<HeadCard> head_cards(const PlotInput& input, const PlotOptions& options) {
  const auto known = derived_as<MeasuredHeads>(input, key_of(input, options));
  if (known == nullptr) return all_heads(input.result.shape(), options);
  std::vector<HeadCard> cards = known->cards();
  if (const MeasureInfo* sort = measure_named(options.sort)) {
    std::ranges::stable_sort(cards, [&](const HeadCard& a, const HeadCard& b) {
      return value_of(a, *sort) > value_of(b, *sort);
    });
  }
  return cards;
}

Result<Figure> heads_plot(const PlotInput& input, const PlotOptions& wanted,
                          const TextMetrics& metrics) {
  PlotOptions options = fitted_to(wanted, input.result);
  options.stage = Stage::Weights;
  const std::vector<HeadCard> cards = head_cards(input, options);
  Scene scene{
      input, options, metrics, figure_theme(options.theme), {}, {}, measure_named(options.tint)};
  Page page(input, options, metrics);
  const double room = std::max(page.width() - bar_width(scene), 8.0 * options.font_size);
  scene.layout = lay_out_heads(input.result.shape(), options, cards.size(), room);
  const HeadsLayout& l = scene.layout;
  if (l.page >= l.pages) {
    return refused_plot("There is no page " + std::to_string(l.page + 1) + " of these heads",
                        "pages 1 to " + std::to_string(l.pages));
  }
  scene.cards = std::span(cards).subspan(l.first, l.count);
  const Thumbnails drawn = thumbnails(scene);
  page.add_heading(heading(scene, cards.size()));
  page.add_space(0.4 * options.font_size);
  page.add_beside(bar_of(scene, drawn));
  page.add_grid({grid_of(scene, drawn)}, 1, 0.0);
  page.add_space(0.6 * options.font_size);
  page.add_words(remarks(scene));
  return page.finished(heading(scene, cards.size()) + " as small heatmaps, colours from 0 to " +
                       std::string(head_range_info(options.head_range).basis));
}

}  // namespace attn
