// The logit lens: what a language model would say at every place after each of its layers
// (nostalgebraist 2020).
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "kinds/parts/logits.h"
#include "plot/kit/cells.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

constexpr std::size_t kTokensRead = 5;  // at each place, of the sentence under the pointer
// Sizes in font sizes.
constexpr double kLensRow = 1.9, kMostLensRow = 3.2, kWidestWord = 6.5, kLensGap = 0.5,
                 kNarrowestWord = 2.2;
// Words are turned where columns are narrow and all rows together are not too high.
constexpr double kTurnedRow = 3.7, kNarrowestTurned = 0.95, kHighestTurned = 50.0;
constexpr double kSmallestWord = 0.75;  // of the letters of notes

struct LensPlaces {
  std::size_t first = 0, count = 0;
};

// The part of the text that is drawn.
LensPlaces places_of(const FittedView& view) {
  const std::size_t all = view.shape().n_q;
  const std::size_t first = std::min(view.options.first_query, all - 1);
  return {first, std::min(view.options.tokens_shown, all - first)};
}

enum class LensWords { None, Level, Turned };

struct LensScene : Drawing {
  LensPlaces places{};
  std::shared_ptr<const Predictions> predictions{}, before{};  // `before` may be null

  std::size_t depths() const { return shape().layers + 1; }
  std::span<const Predictions::Token> at(std::size_t depth, std::size_t place) const {
    return predictions->of(depth * places.count + place);
  }
  // The likeliest token before, if it is another one.
  const Predictions::Token* changed_from(std::size_t depth, std::size_t place) const {
    if (before == nullptr) return nullptr;
    const Predictions::Token& then = before->of(depth * places.count + place).front();
    return then.id == at(depth, place).front().id ? nullptr : &then;
  }
  std::string name(std::uint32_t id) const {
    return vocabulary_label(*result.problem().vocabulary, id, options.tokens_as_written);
  }
  std::string depth_name(std::size_t depth) const {
    return depth == 0 ? "Input" : "Layer " + std::to_string(layer_number(shape(), depth - 1));
  }
  // The token that the text has after a place; of models that fill masks the one at it.
  std::optional<std::uint32_t> id_written(std::size_t place) const {
    if (!document.source_model) return std::nullopt;
    const bool masked = result.problem().vocabulary->masked;
    const std::size_t index = places.first + place + (masked ? 0 : 1);
    const std::vector<std::uint32_t>& ids = document.source_model->ids;
    return index < ids.size() ? std::optional(ids[index]) : std::nullopt;
  }
};

// A need for the predictions at all places; of the reference unless it is null.
std::vector<Need> needs_of_places(const FittedView& view, const LensPlaces& places,
                                  const ReferencePtr& reference = nullptr) {
  const AttentionProblem& problem = view.result.problem();
  const PredictedRows rows{view.options.at.sample, 0, problem.shape.layers + 1, places.first,
                           places.count};
  const auto make = [rows, reference](const Sources& from, const Pass& /*pass*/) {
    return predictions_of(reference ? *reference->result : *from.result, rows, kTokensRead,
                          from.progress);
  };
  const std::string key = "lens of " + std::to_string(rows.sample) + " from " +
                          std::to_string(places.first) + "+" + std::to_string(places.count) +
                          (reference ? " in " + reference->key : "");
  return needs_of<Predictions>(key,
                               {{.label = "The lens of all layers",
                                 .nanoseconds = nanoseconds_to_predict(problem, rows.count())}},
                               make, bytes_to_predict(problem, rows.count(), kTokensRead));
}

// Needs for what was there before: nothing without a reference of equal layers and tokens that
// predicts tokens of the same vocabulary.
std::vector<Need> needs_before(const FittedView& view, const LensPlaces& places) {
  const ReferencePtr& reference = view.options.reference;
  if (reference == nullptr || reference->result == nullptr) return {};
  const AttentionProblem &now = view.result.problem(), &then = reference->result->problem();
  const bool is_like = now.shape == then.shape && nothing_predicted(then).empty() &&
                       then.vocabulary->head.extent(0) == now.vocabulary->head.extent(0);
  return is_like ? needs_of_places(view, places, reference) : std::vector<Need>();
}

// --- the map

LensWords words_in(const LensScene& scene, double cell) {
  const double font = scene.font();
  if (!scene.options.values || cell < kNarrowestTurned * font) return LensWords::None;
  if (cell >= kNarrowestWord * font) return LensWords::Level;
  const bool is_high = static_cast<double>(scene.depths()) * kTurnedRow > kHighestTurned;
  return is_high ? LensWords::None : LensWords::Turned;
}

MatrixItem map_item(const LensScene& scene, const Rect& clip, const ColorScale& scale) {
  MatrixCells cells{scene.depths(), scene.places.count, {}, {}, {}};
  for (std::size_t depth = 0; depth < cells.rows; ++depth) {
    for (std::size_t place = 0; place < cells.cols; ++place) {
      cells.values.push_back(static_cast<float>(scene.at(depth, place).front().share));
    }
  }
  return whole_item(clip, std::make_shared<const MatrixCells>(std::move(cells)), scale,
                    scene.theme);
}

// "“was” 41.2 %, “is” 20.1 %".
std::string reading(const LensScene& scene, std::size_t depth, std::size_t place) {
  return joined(scene.at(depth, place), ", ", [&](const Predictions::Token& token) {
    return "“" + scene.name(token.id) + "” " + percent_text(token.share) + " %";
  });
}

// Adds the likeliest token of a cell, in letters that are made a little smaller to fit.
void add_word(Figure& figure, const LensScene& scene, const Rect& cell, std::size_t depth,
              std::size_t place, const ColorScale& scale, LensWords words) {
  const Predictions::Token& best = scene.at(depth, place).front();
  if (words == LensWords::None || std::isnan(best.share)) return;
  const std::string name = scene.name(best.id);
  // Single signs and letters of East Asia are read upright.
  const bool is_turned = words == LensWords::Turned && code_point_count(name) > 1 &&
                         !is_east_asian(code_point_at(name, 0).value);
  const double room = (is_turned ? cell.height : cell.width) - 0.3 * scene.font();
  FontStyle font{secondary_size(scene.font()), scene.id_written(place) == best.id};
  const double width = std::max(scene.metrics.measure(name, font).width, 1e-9);
  font.size *= std::clamp(room / width, kSmallestWord, 1.0);
  const Color ground = scale.map->colors[color_index(scale, static_cast<float>(best.share))];
  TextItem word = text_in(cell, fitted(scene.metrics, name, font, room), font, readable_on(ground));
  if (is_turned) word.degrees = 90.0;
  figure.add(std::move(word));
}

void add_cells(Figure& figure, const LensScene& scene, const Rect& clip, const ColorScale& scale) {
  const double width = clip.width / static_cast<double>(scene.places.count);
  const double height = clip.height / static_cast<double>(scene.depths());
  const LensWords words = words_in(scene, width);
  for (std::size_t depth = 0; depth < scene.depths(); ++depth) {
    const double y = clip.y + height * static_cast<double>(depth);
    if (scene.options.axes) {
      figure.add(text_item({clip.x - kLensGap * scene.font(), y + height / 2.0},
                           scene.depth_name(depth), {scene.font()}, scene.theme.ink, HAlign::Right,
                           VAlign::Middle));
    }
    for (std::size_t place = 0; place < scene.places.count; ++place) {
      const Rect cell{clip.x + width * static_cast<double>(place), y, width, height};
      const std::string token = placed_token(scene, Side::Query, scene.places.first + place);
      const Predictions::Token* then = scene.changed_from(depth, place);
      std::string said = reading(scene, depth, place);
      if (then != nullptr) {
        said += "; before “" + scene.name(then->id) + "” " + percent_text(then->share) + " %";
      }
      figure.add(
          RectItem{.rect = cell,
                   .hit = ReadingHit{scene.depth_name(depth) + ", " + token, std::move(said)}});
      if (then != nullptr) {
        figure.add(
            RectItem{.rect = cell.grown(-1.0), .stroke = scene.theme.accent, .stroke_width = 1.5});
      }
      add_word(figure, scene, cell, depth, place, scale, words);
    }
  }
}

double width_of_names(const LensScene& scene) {
  if (!scene.options.axes) return 0.0;
  const std::string longest = scene.depth_name(scene.depths() - 1);
  return scene.metrics.measure(longest, {scene.font()}).width + kLensGap * scene.font();
}

Figure map_of(const LensScene& scene, double width, double height, const ColorBar& bar) {
  const double font = scene.font();
  CellPanel panel{{scene}};
  panel.options.pins.clear();
  panel.options.values = false;
  panel.columns = {"", scene.shape().n_q, true, Side::Query, scene.options.at};
  panel.gap = kLensGap * font;
  panel.widest_column =
      widest_label(scene.document, panel.columns, 1, panel.label_font(), scene.metrics, 6.0 * font);
  const double left = width_of_names(scene);
  const auto count = static_cast<double>(scene.places.count);
  const double cell = std::min(std::max(width - left, 4.0 * font) / count, kWidestWord * font);
  panel.right = width - left - cell * count;
  panel.column_style = column_style(
      {cell, panel.widest_column, panel.right + cell / 2.0, 6.0 * font,
       is_counted(scene.document, panel.columns), stacked_letters(scene.document, panel.columns)},
      font);
  const double top = scene.options.axes ? panel.column_style.height + panel.gap : 0.0;
  const auto rows = static_cast<double>(scene.depths());
  const bool is_turned = words_in(scene, cell) == LensWords::Turned;
  const double least = (is_turned ? kTurnedRow : kLensRow) * font;
  const double most = (is_turned ? 5.0 : kMostLensRow) * font;
  const double row = std::clamp((height - top) / rows, least, most);
  panel.clip = {left, top, cell * count, row * rows};
  panel.window = {0.0, static_cast<double>(scene.places.first), rows, count};
  Figure figure{.width = panel.clip.right(), .height = panel.clip.bottom() + 0.2 * font};
  add_cell_panel(figure, panel, map_item(scene, panel.clip, bar.range));
  add_cells(figure, scene, panel.clip, bar.range);
  add_bar_beside(figure, scene, bar, panel.clip);
  return figure;
}

// --- the page

std::string heading(const LensScene& scene) {
  const bool masked = scene.result.problem().vocabulary->masked;
  return std::string("What the model would write ") + (masked ? "at" : "after") +
         " each token if it ended after each layer";
}

std::string note_of(const LensScene& scene, const Figure& map) {
  std::string words =
      what_if_sentence(scene) +
      "Each cell: the likeliest token, where there is room; its share is the colour. All rows go "
      "through the norm and the head that the model has at its end.";
  const MatrixItem* item = find_matrix(map);
  const double cell = item->rect.width / static_cast<double>(scene.places.count);
  if (words_in(scene, cell) != LensWords::None) {
    words += scene.result.problem().vocabulary->masked ? " Bold: the text has this token there."
                                                       : " Bold: the text has this token next.";
  } else if (scene.options.values) {
    words += scene.options.on_screen
                 ? " Cells are too narrow for words: point at one, or show fewer tokens."
                 : " Cells are too narrow for words.";
  }
  if (scene.before != nullptr) {
    words +=
        " Framed: another token was likeliest before, in " + scene.options.reference->label + ".";
  }
  const bool lacks_numbers = std::ranges::any_of(
      scene.predictions->tokens, [](const auto& token) { return !std::isfinite(token.share); });
  if (lacks_numbers) words += " Cells without a share have logits that are NaN or infinite.";
  const std::size_t all = scene.shape().n_q;
  if (scene.places.count < all) {
    words += " Tokens " + std::to_string(scene.places.first + 1) + " to " +
             std::to_string(scene.places.first + scene.places.count) + " of " + grouped_text(all) +
             ".";
  }
  return words;
}

}  // namespace

std::vector<Need> lens_needs(const FittedView& view) {
  std::vector<Need> needs = needs_of_places(view, places_of(view));
  append(needs, needs_before(view, places_of(view)));
  return needs;
}

Result<Figure> lens_plot(const Drawing& drawing) {
  if (conceals_predictions(drawing.result, drawing.options.at.sample))
    return concealed_page(drawing);
  const LensPlaces places = places_of(drawing);
  const auto predictions = found<Predictions>(drawing, needs_of_places(drawing, places));
  if (!predictions) return predictions.error();
  const std::vector<Need> then = needs_before(drawing, places);
  const LensScene scene{
      {drawing}, places, *predictions, best_of<Predictions>(then, drawing.derivations)};
  Page page(scene);
  page.add_heading(heading(scene), 0.5);
  const ColorBar bar{.range = {{&colormap_for(scene.options)}, "0 to 1"},
                     .title = "Share of the likeliest token"};
  const std::string below[] = {sentence_of_bar(scene, bar),
                               std::string(220, 'x')};  // about as long as the note
  const Figure map = map_of(scene, page.width() - width_of_bar(scene, bar), page.room(below), bar);
  page.add_part(map);
  page.add_words(sentence_of_bar(scene, bar));
  page.add_note(note_of(scene, map));
  return page.finished(heading(scene) + ".");
}

}  // namespace attn
