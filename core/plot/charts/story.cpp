// Draws the steps to one weight as a table, whose columns are terms of the score above and keys
// below, and whose rows are in the order of the computation. A step has the same place in all
// frames.
#include "plot/charts/story.h"

#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#include "base/number_text.h"
#include "plot/kit/bar_table.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

using F = AccountStep;

constexpr double kBetween = 0.55;      // space between steps, in rows of the table
constexpr double kEarlier = 0.6;       // strength of the steps before the current one
constexpr double kWidestColumn = 8.0;  // font sizes

Pen pen_of(const StoryScene& scene, std::size_t index) {
  if (scene.shows_all()) return {1.0};
  if (index > scene.current) return {};
  const bool is_current = index == scene.current;
  return {is_current ? 1.0 : kEarlier, is_current ? scene.glide : 1.0, is_current};
}

// Returns the hit whose click goes to the step, counted from 1.
HitId step_hit(std::size_t step) {
  return OptionHit{"step", std::to_string(step), "Step " + std::to_string(step)};
}

// Adds the mark left of a step, and moves scene.y to the next step.
void add_mark(StoryScene& scene, std::size_t index, double top) {
  const bool is_current = index == scene.current;
  scene.body.add(RectItem{.rect = {0.0, top, kStoryMark, scene.y - top},
                          .fill = is_current ? scene.theme.accent : scene.theme.grid,
                          .radius = kStoryMark / 2.0,
                          .hit = step_hit(index + 1)});
  scene.y += kBetween * scene.row;
}

// Adds the name of the column that sums the others: "97 more", or "+99,988" where that is too wide.
void add_rest_name(StoryScene& scene, const Pen& pen, std::size_t shown, std::size_t all) {
  if (shown >= all) return;
  const std::string count = grouped_text(all - shown), words = count + " more";
  const bool fits = scene.metrics.measure(words, scene.number_font()).width <= scene.column - 2.0;
  add_word(scene, pen, scene.place(shown), fits ? words : "+" + count, scene.theme.muted);
}

// --- Terms of the score

void add_factor_row(StoryScene& scene, const Pen& pen, Side side) {
  const AttentionProblem& problem = scene.result.problem();
  const HeadAddress& at = scene.options.at;
  const ScoringFunctionInfo& info = scene.function();
  const bool left = side == Side::Query, plain = info.plain;
  const MatrixId matrix{left ? query_stage(problem, at) : key_stage(problem, at), at};
  StoryRow row{.label = std::string(left ? info.left : info.right),
               .from = left ? -0.7 : 1.6,
               .goes_on = scene.more_terms()};
  if (plain) row.label = left ? "q" : "k";
  for (std::size_t i = 0; i < scene.terms; ++i) {
    const ScoreTerm& term = scene.account.terms[i];
    const CellHit& cell = scene.account.cell;
    const CellHit hit{matrix, left ? cell.row : cell.col, term.index};
    row.cells.push_back({left ? term.left : term.right, left ? scene.theme.query : scene.theme.key,
                         plain ? HitId(hit) : HitId()});
  }
  add_row(scene, pen, row);
}

void add_meeting(StoryScene& scene, const Pen& pen) {
  const std::size_t shown = scene.terms;
  add_label(scene, pen, std::string(word_for_terms(scene.result.problem())));
  for (std::size_t i = 0; i < shown; ++i) {
    add_word(scene, pen, scene.place(i), name_of_term(scene, scene.account.terms[i].index),
             scene.theme.muted);
  }
  add_rest_name(scene, pen, shown, scene.account.terms.size());
  scene.y += scene.row;
  add_factor_row(scene, pen, Side::Query);
  add_factor_row(scene, pen, Side::Key);
}

// Adds the products, and below each the sum up to it; the last sum is the score.
void add_products(StoryScene& scene, const Pen& pen) {
  const std::vector<ScoreTerm>& terms = scene.account.terms;
  const std::size_t own = scene.account.cell.col;
  const bool plain = scene.function().plain;
  StoryRow products{.label = plain ? "q · k" : "product", .from = -1.0, .in_turn = true};
  StoryRow sums{.label = "sum so far", .from = -0.5, .in_turn = true};
  double sum = 0.0;
  for (std::size_t i = 0; i < scene.terms; ++i) {
    sum += terms[i].product();
    products.cells.push_back({terms[i].product(), scene.theme.ink});
    sums.cells.push_back({sum, scene.theme.grid});
  }
  if (scene.more_terms()) {
    double rest = 0.0;
    for (std::size_t i = scene.terms; i < terms.size(); ++i) rest += terms[i].product();
    products.cells.push_back({rest, scene.theme.ink});
    sums.cells.push_back({sum + rest, scene.theme.grid});
  }
  add_row(scene, pen, products);
  Rect above = scene.place(sums.cells.size());
  above.y -= scene.row;
  add_word(scene, pen, above, "= score", scene.theme.muted);
  sums.cells.push_back({scene.account.number(Stage::Scores, own), scene.theme.accent,
                        scene.hit_of(Stage::Scores, own), true});
  add_row(scene, pen, sums);
}

// --- Rows of keys

void add_key_names(StoryScene& scene, const Pen& pen) {
  scene.names = scene.y;
  add_label(scene, pen, "key");
  for (std::size_t i = 0; i < scene.keys.size(); ++i) {
    const std::size_t key = scene.keys[i];
    add_word(scene, pen, scene.place(i),
             token_label(scene.document, Side::Key, scene.options.at, key) +
                 number_if_repeated(scene.document, Side::Key, scene.options.at, key),
             key == scene.account.cell.col ? scene.theme.key : scene.theme.ink,
             TokenHit{Side::Key, scene.options.at.sample, key});
  }
  add_rest_name(scene, pen, scene.keys.size(), scene.account.weights.size());
  scene.y += scene.row;
}

// Returns a row with a number for each shown key.
template <class CellOf>
StoryRow row_of_keys(const StoryScene& scene, const std::string& label, double from,
                     const CellOf& cell_of) {
  StoryRow row{.label = label, .from = from, .goes_on = scene.more_keys()};
  for (const std::size_t key : scene.keys) row.cells.push_back(cell_of(key));
  return row;
}

// Adds the numbers of a stage, which glide from the row above.
void add_stage(StoryScene& scene, const Pen& pen, const std::string& label, Stage stage) {
  add_row(scene, pen, row_of_keys(scene, label, -1.0, [&](std::size_t key) {
            const bool own = key == scene.account.cell.col;
            return StoryCell{scene.account.number(stage, key),
                             own ? scene.theme.accent : scene.theme.grid, scene.hit_of(stage, key),
                             own, stage == Stage::Masked && !scene.account.sees(key)};
          }));
}

void add_scores(StoryScene& scene, const Pen& pen, const std::string& label) {
  add_products(scene, pen);
  scene.y += kBetween * scene.row;
  Pen after = pen;  // the row of scores appears after the sum
  after.glide = std::clamp(4.0 * pen.glide - 3.0, 0.0, 1.0);
  if (pen.is_current) after.strength = after.glide;
  add_key_names(scene, after);
  add_stage(scene, after, label, Stage::Scores);
}

// Adds the biases, which are no stage, and without a frame of the mask their sum with the scores.
void add_biases(StoryScene& scene, const Pen& pen, const std::string& label) {
  add_row(scene, pen, row_of_keys(scene, label, 0.0, [&](std::size_t key) {
            return StoryCell{bias_of(scene.result.problem(), scene.account, key), scene.theme.grid};
          }));
  if (!scene.has(F::Masked)) add_stage(scene, pen, "x + b", Stage::Masked);
}

// --- Bars

// Returns the numbers of the shown keys, and the sum of the others.
std::vector<double> bar_numbers(const StoryScene& scene, bool weights) {
  const Account& row = scene.account;
  std::vector<double> numbers;
  double rest = weights ? row.weights_sum : row.softmax.sum - row.softmax.sink;
  for (const std::size_t key : scene.keys) {
    numbers.push_back(weights ? row.number(Stage::Weights, key) : row.exponential(key));
    rest -= numbers.back();
  }
  if (scene.more_keys()) numbers.push_back(std::abs(rest) < 1e-12 ? 0.0 : rest);
  return numbers;
}

// Returns the shares of the room that bars fill. Weights are drawn in proportion to 1, unless all
// are small. The bar of the others is cut where it would dwarf those of the keys.
std::vector<double> bar_heights(const StoryScene& scene, bool weights) {
  std::vector<double> numbers = bar_numbers(scene, weights);
  constexpr double kSmall = 0.3;
  double most = largest_number(std::span(numbers).first(scene.keys.size()));
  if (weights) most = most < kSmall ? 2.0 * most : std::max(most, 1.0);
  for (double& number : numbers) {
    number = std::isfinite(number) ? std::clamp(number / most, 0.0, 1.0) : 0.0;
  }
  return numbers;
}

// Adds bars; those of weights shrink from the exponentials, if there are any.
void add_bars(StoryScene& scene, const Pen& pen, bool weights) {
  const bool squeezed = weights && scene.has(F::Exponentials);
  const std::vector<double> numbers = bar_numbers(scene, weights);
  const std::vector<double> heights = bar_heights(scene, weights);
  const std::vector<double> before =
      squeezed ? bar_heights(scene, false) : std::vector<double>(numbers.size());
  const double glide = eased(pen.glide), room = (scene.bars - 1.0) * scene.row;
  const double foot = scene.y + scene.bars * scene.row;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool is_key = i < scene.keys.size();
    const bool own = is_key && scene.keys[i] == scene.account.cell.col;
    const HitId hit =
        is_key && weights ? HitId(scene.hit_of(Stage::Weights, scene.keys[i])) : HitId();
    const Rect place = scene.place(i, scene.bars);
    const double part = std::lerp(before[i], heights[i], glide);
    const double height = part > 0.0 ? std::max(room * part, kLeastBar) : 0.0;
    const double width = std::min(0.55 * place.width, 3.0 * scene.font());
    const Color color = is_key ? mix(scene.theme.background, scene.theme.accent, own ? 1.0 : 0.45)
                               : scene.theme.grid;
    scene.body.add(RectItem{.rect = place, .hit = hit});
    if (part > 0.0) {
      scene.body.add(
          RectItem{.rect = {place.middle().x - width / 2.0, foot - height, width, height},
                   .fill = faded(scene, color, pen.strength),
                   .hit = hit});
    }
    add_text(scene, {place.x, foot - height - scene.row, place.width, scene.row},
             scene.number(numbers[i]), scene.number_font(own),
             faded(scene, scene.theme.ink, pen.strength * glide), hit);
  }
  scene.body.add(LineItem{.from = {scene.gutter, foot},
                          .to = {scene.x_of(numbers.size()), foot},
                          .color = faded(scene, scene.theme.grid, pen.strength)});
  const double sum = weights ? scene.account.weights_sum : scene.account.softmax.sum;
  add_word(scene, pen, {scene.x_of(numbers.size()), foot - scene.row, scene.column, scene.row},
           "Σ " + scene.number(sum), scene.theme.muted);
}

void add_bar_rows(StoryScene& scene, const Pen& pen, bool weights, const std::string& label) {
  if (scene.names == 0.0) add_key_names(scene, pen);
  add_label(scene, pen, label, scene.bars);
  if (pen.strength > 0.0) add_bars(scene, pen, weights);
  scene.y += scene.bars * scene.row;
}

// --- Values and output

// Adds the rows of V or, if `scaled`, their products with the weights, which glide from these.
void add_value_rows(StoryScene& scene, const Pen& pen, bool scaled) {
  const FeatureColumns columns = feature_columns(scene.shape(), Extent::ValueWidth);
  const auto rows = static_cast<double>(scene.dims.size()) + 1.0;
  for (const std::size_t column : scene.dims) {
    double rest = static_cast<double>(scene.account.output[column]);
    StoryRow row = row_of_keys(
        scene, (scaled ? "w · V, " : "V, ") + feature_label(scene.document, columns, column),
        scaled ? -rows : 0.0, [&](std::size_t key) {
          const CellHit hit{{Stage::Value, scene.options.at}, key, column};
          const auto value =
              static_cast<double>(scene.result.value(Stage::Value, scene.options.at, key, column));
          if (!scaled) return StoryCell{value, scene.theme.value, hit};
          const double part = scene.account.number(Stage::Weights, key) * value;
          rest -= part;
          return StoryCell{part, scene.theme.value};
        });
    if (scaled && row.goes_on) row.cells.push_back({rest, scene.theme.grid});
    row.goes_on = row.goes_on && !scaled;
    add_row(scene, pen, row);
  }
}

void add_weighing(StoryScene& scene, const Pen& pen) {
  Pen products = pen;
  products.glide = std::clamp(1.5 * pen.glide - 0.5, 0.0, 1.0);
  add_value_rows(scene, pen, false);
  add_label(scene, pen, "× weight w");
  for (std::size_t i = 0; i < scene.keys.size(); ++i) {
    const std::size_t key = scene.keys[i];
    add_word(scene, pen, scene.place(i),
             "× " + scene.number(scene.account.number(Stage::Weights, key)),
             key == scene.account.cell.col ? scene.theme.accent : scene.theme.ink);
  }
  scene.y += scene.row;
  add_value_rows(scene, products, true);
}

// Adds the output right of the rows that were added last, which glide into it as their sum.
void add_output(StoryScene& scene, const Pen& pen) {
  constexpr std::uint8_t kShade = 40;
  const double bottom = scene.y;
  const std::size_t total = scene.columns_of_keys();
  scene.y -= (static_cast<double>(scene.dims.size()) + 1.0) * scene.row;
  add_word(scene, pen, scene.place(total), "= output", scene.theme.muted);
  scene.y += scene.row;
  for (const std::size_t column : scene.dims) {
    for (std::size_t i = 0; i < total && pen.is_current && pen.glide < 1.0; ++i) {
      Rect rect = scene.place(i);
      rect.x += eased(pen.glide) * (scene.x_of(total) - rect.x);
      scene.body.add(RectItem{
          .rect = rect.grown(-1.0), .fill = with_alpha(scene.theme.value, kShade), .radius = 2.0});
    }
    add_row(scene, pen,
            {.cells = {{static_cast<double>(scene.account.output[column]), scene.theme.output,
                        scene.hit_of(Stage::Output, column), true}},
             .first = total});
  }
  scene.y = bottom;
}

// --- The whole

// Adds a frame around the column of the cell's key, from its name to the last step that is drawn.
void add_column_frame(StoryScene& scene, double end) {
  const auto own = std::ranges::find(scene.keys, scene.account.cell.col);
  const auto column = static_cast<std::size_t>(own - scene.keys.begin());
  if (end <= scene.names) return;
  scene.body.add(
      RectItem{.rect = {scene.x_of(column), scene.names, scene.column, end - scene.names},
               .stroke = faded(scene, scene.theme.key, 0.7),
               .stroke_width = 1.2,
               .radius = 3.0});
}

void add_step(StoryScene& scene, F frame, const Pen& pen) {
  const std::string label = words_of(scene, scene.account, frame).row;
  switch (frame) {
    case F::Meet:
      return add_meeting(scene, pen);
    case F::Products:
      return add_scores(scene, pen, label);
    case F::Scaled:
      return add_stage(scene, pen, label, Stage::Scaled);
    case F::Softcapped:
      return add_stage(scene, pen, label, Stage::Softcapped);
    case F::Bias:
      return add_biases(scene, pen, label);
    case F::Masked:
      return add_stage(scene, pen, label, Stage::Masked);
    case F::Exponentials:
      return add_bar_rows(scene, pen, false, label);
    case F::Weights:
      return add_bar_rows(scene, pen, true, "weight w");
    case F::Values:
      return add_weighing(scene, pen);
    case F::Output:
      return add_output(scene, pen);
  }
}

void add_steps(StoryScene& scene) {
  double end = 0.0;
  for (std::size_t i = 0; i < scene.frames.size(); ++i) {
    const F frame = scene.frames[i];
    const Pen pen = pen_of(scene, i);
    double top = scene.y;
    if (frame == F::Output) {  // right of the rows before it
      scene.y -= kBetween * scene.row;
      top = scene.y - static_cast<double>(scene.dims.size()) * scene.row;
    }
    add_step(scene, frame, pen);
    if (frame != F::Output && pen.strength > 0.0 && pen.glide > 0.8) end = scene.y;
    add_mark(scene, i, top);
  }
  add_column_frame(scene, end);
  scene.body.height = scene.y;
}

// Returns the cell's key, then those of the largest weights.
std::vector<std::size_t> keys_of(const Account& account) {
  std::vector<std::size_t> keys{account.cell.col};
  for (const std::size_t key : account.largest) {
    if (key != account.cell.col) keys.push_back(key);
  }
  return keys;
}

std::vector<std::size_t> dims_of(const Account& account, std::size_t most = kStoryDims) {
  std::vector<std::size_t> dims = places_of_largest(account.output, most);
  std::ranges::sort(dims);
  return dims;
}

// Sets the number of columns and their width.
void set_columns(StoryScene& scene, double width) {
  const Account& account = scene.account;
  std::vector<std::size_t> keys = keys_of(account);
  const auto measured = [&](const std::string& text) {
    return scene.metrics.measure(text, scene.number_font(true)).width;
  };
  const ScoringFunctionInfo& info = scene.function();
  const FeatureColumns columns = feature_columns(scene.shape(), Extent::ValueWidth);
  std::vector<std::string> labels{std::string(info.left), std::string(info.right), "× weight w",
                                  "sum so far"};
  for (const std::size_t d : dims_of(account)) {
    labels.push_back("w · V, " + feature_label(scene.document, columns, d));
  }
  const double widest = widest_of(labels, std::identity(), scene.number_font(true), scene.metrics);
  scene.gutter = std::min(widest + 5.0 * kStoryMark, 0.3 * width);
  const double number = measured("−" + scene.number(88.88));
  double least = std::max(
      {number, measured("= output"), measured("+" + grouped_text(account.weights.size()))});
  const double largest = account.number(Stage::Weights, account.largest.front());
  scene.fine = largest < 5.0 * std::pow(10.0, -scene.options.decimals);
  for (const std::size_t key : keys) {
    least = std::max(least, measured("× " + scene.number(account.number(Stage::Weights, key))));
  }
  least += 6.0;
  const auto most =
      std::max<std::size_t>(static_cast<std::size_t>((width - scene.gutter) / least), 3);
  const auto shown_of = [&](std::size_t kept, std::size_t all) {
    const std::size_t room = most - 1;  // the last column has the sum
    return all <= std::min(room, kept) ? all : std::min(room - 1, kept);
  };
  scene.terms = shown_of(std::min(account.terms.size(), kStoryTerms), account.terms.size());
  keys.resize(shown_of(keys.size(), account.weights.size()));
  std::ranges::sort(keys);
  scene.keys = std::move(keys);
  const std::size_t used = 1 + std::max(scene.columns_of_terms(), scene.columns_of_keys());
  scene.column =
      std::min((width - scene.gutter) / static_cast<double>(used), kWidestColumn * scene.font());
  scene.body.width = scene.gutter + scene.column * static_cast<double>(used);
}

// Adds the steps in the largest size that fits the room; 0: no limit.
void fit_steps(StoryScene& scene, double room) {
  static constexpr std::tuple<double, double, std::size_t> kDensities[] = {
      {1.75, 3.2, kStoryDims}, {1.5, 2.3, kStoryDims}, {1.5, 2.3, 2}};
  for (const auto& [row, bars, dims] : kDensities) {
    scene.row = row * scene.number_font().size;
    scene.bars = bars;
    scene.dims = dims_of(scene.account, dims);
    scene.body.items.clear();
    scene.y = scene.names = 0.0;
    add_steps(scene);
    if (room <= 0.0 || scene.body.height <= room) return;
  }
}

// Adds a dot for each step, whose click goes to it.
void add_dots(const StoryScene& scene, Figure& head, double size) {
  for (std::size_t i = 0; i < scene.frames.size(); ++i) {
    const std::string step = std::to_string(i + 1);
    const bool is_current = i == scene.current;
    const bool done = i < scene.current;
    const Color fill = is_current
                           ? scene.theme.accent
                           : mix(scene.theme.background, scene.theme.accent, done ? 0.35 : 0.12);
    const Rect rect{static_cast<double>(i) * 1.25 * size, 0.0, size, size};
    const HitId hit = step_hit(i + 1);
    head.add(RectItem{.rect = rect, .fill = fill, .radius = 0.3 * size, .hit = hit});
    head.add(text_in(rect, step, scene.number_font(is_current), readable_on(fill), hit));
  }
}

StepWords words_shown(const StoryScene& scene) {
  if (!scene.shows_all()) return words_of(scene, scene.account, scene.frames[scene.current]);
  StepWords last = words_of(scene, scene.account, scene.frames.back());
  if (scene.frames.size() > 1) {
    last.sentence = "All " + std::to_string(scene.frames.size()) + " steps. " + last.sentence;
  }
  return last;
}

// Returns dots, formula and sentence, as high as those of the highest step.
Figure head_of(const StoryScene& scene, double width) {
  Figure head{.width = width};
  const bool has_dots = scene.options.on_screen || !scene.shows_all();
  const double dot = has_dots ? 1.5 * scene.number_font().size : -0.3 * scene.font();
  if (has_dots) add_dots(scene, head, dot);
  FontStyle title = title_font(scene.font());
  title.formula = true;
  const FontStyle plain = words_font(scene.font());
  std::size_t most = 0;
  for (const F frame : scene.options.notes ? scene.frames : std::vector<F>()) {
    const std::string sentence = words_of(scene, scene.account, frame).sentence;
    most = std::max(most, wrapped(scene.metrics, sentence, plain, width, 4).size());
  }
  const StepWords words = words_shown(scene);
  const double y = dot + 1.5 * title.size;
  head.add(text_item({0.0, y}, fitted(scene.metrics, words.title, title, width), title,
                     scene.theme.ink));
  const Point below{0.0, y + 1.6 * plain.size};
  if (most > 0) {
    add_lines(head, wrapped(scene.metrics, words.sentence, plain, width, most),
              text_item(below, "", plain, scene.theme.ink), words_line(scene.font()));
  }
  head.height = y + 0.8 * plain.size + static_cast<double>(most) * words_line(scene.font());
  return head;
}

std::string limits_of(const StoryScene& scene) {
  std::string words;
  const auto add = [&](const std::string& sentence) {
    words += (words.empty() ? "" : " ") + sentence;
  };
  if (scene.more_terms()) {
    add("Of " + grouped_text(scene.account.terms.size()) +
        " products the largest are shown, the others as their sum.");
  }
  if (scene.more_keys()) {
    add("Of " + grouped_text(scene.account.weights.size()) +
        " keys the cell’s and those of the largest weights are shown, the others as their sum.");
    const std::vector<double> bars = bar_numbers(scene, true);
    if (bars.back() > largest_number(std::span(bars).first(bars.size() - 1))) {
      add("The grey bar of the sum is cut.");
    }
  }
  if (scene.dims.size() < scene.account.output.size()) {
    add("Of " + grouped_text(scene.account.output.size()) +
        " dimensions of V those of the largest outputs are shown.");
  }
  return words;
}

}  // namespace

std::size_t story_steps(const AttentionProblem& problem, const HeadAddress& at) {
  return steps_of(problem, at).size();
}

std::string no_story_reason(const AttentionProblem& problem, const HeadAddress& at) {
  const AttentionShape shape = shape_of(problem, at);
  const bool has_cells = shape.n_q > 0 && shape.n_k > 0;
  return has_cells && story_steps(problem, at) > 0 ? "" : "There is no weight to follow";
}

std::optional<Rect> place_of_step(const Figure& figure, std::size_t step) {
  std::optional<Rect> place;  // that of the dot, until the mark is found
  for (const FigureItem& item : figure.items) {
    const auto* rect = std::get_if<RectItem>(&item);
    if (rect != nullptr && rect->hit == step_hit(step)) place = rect->rect;
  }
  return place;
}

Result<Figure> story_plot(const Drawing& drawing) {
  const HeadAddress& at = drawing.options.at;
  const AttentionProblem& problem = drawing.result.problem();
  const auto account = found<Account>(drawing, account_needs(drawing));
  if (!account) return account.error();
  const CellHit& cell = (*account)->cell;
  std::vector<F> frames = steps_of(problem, at);
  const std::size_t step = std::min(drawing.options.step, frames.size());
  StoryScene scene{drawing, **account, frames, step == 0 ? frames.size() : step - 1,
                   drawing.options.glide};
  Page page(scene);
  page.add_heading("From " + placed_token(scene, Side::Query, cell.row) + " to " +
                       placed_token(scene, Side::Key, cell.col) +
                       address_words(scene.shape(), at, true),
                   0.4);
  page.add_part(head_of(scene, page.width()));
  set_columns(scene, page.width());
  fit_steps(scene, drawing.options.pane_height > 0.0 ? page.room({}) : 0.0);
  page.add_part(scene.body, HAlign::Center);
  const std::string limits = limits_of(scene);
  if (!limits.empty()) page.add_note(limits);
  return page.finished("The flow of one cell. " + words_shown(scene).sentence +
                       (limits.empty() ? "" : " ") + limits);
}

}  // namespace attn
