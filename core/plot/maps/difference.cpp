// Difference of two matrices: the choice of both, the heatmap, and the list of the largest changes.
#include "engine/matrix/difference.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/number_text.h"
#include "plot/kit/axis.h"
#include "plot/kit/cells.h"
#include "plot/kit/names.h"
#include "plot/maps/heatmap.h"
#include "plot/maps/maps.h"

namespace attn {
namespace {

constexpr std::size_t kMostChanges = 20;  // found; fewer may be listed

// --- the two sides --------------------------------------------------------------------------

bool is_of_reference(const PlotOptions& options) {
  if (options.minus == MinusFrom::Automatic) {
    return options.reference != nullptr || options.no_reference != nullptr;
  }
  return options.minus == MinusFrom::Reference;
}

// The next head, or layer, or sample, whichever has several; nothing when none has.
std::optional<HeadAddress> neighbour(const AttentionShape& shape, Stage stage, HeadAddress at) {
  const auto step = [](std::size_t& index, std::size_t count) {
    index = (index + 1) % count;
    return count > 1;
  };
  const std::size_t heads = stage_info(stage).per_head ? shape.heads : 1;
  if (step(at.head, heads) || step(at.layer, shape.layers) || step(at.sample, shape.samples)) {
    return at;
  }
  return std::nullopt;
}

Status check_address(const AttentionShape& shape, const HeadAddress& at) {
  for (const Status& there : {check_index("layer to compare with", at.layer, shape.layers),
                              check_index("sample to compare with", at.sample, shape.samples),
                              check_index("head to compare with", at.head, shape.heads)}) {
    if (!there) return there.error();
  }
  return ok_status();
}

Result<HeadAddress> address_of_b(const PlotOptions& options, const AttentionShape& shape,
                                 bool of_reference) {
  const HeadAddress at = options.at.moved_to(options.minus_layer.value_or(options.at.layer),
                                             options.minus_sample.value_or(options.at.sample),
                                             options.minus_head.value_or(options.at.head));
  const bool names_b =
      options.minus_stage || options.minus_layer || options.minus_sample || options.minus_head;
  if (!of_reference && !names_b) {
    const std::optional<HeadAddress> next = neighbour(shape, options.stage, at);
    if (next) return *next;
    return usage_error("There is only one head, so nothing to subtract from it",
                       "choose another stage as B (--minus-stage) or a reference document");
  }
  if (const Status there = check_address(shape, at); !there) return there.error();
  return at;
}

Result<ResultPtr> result_of_b(const FittedView& view) {
  if (!is_of_reference(view.options)) return borrowed(view.result);
  if (view.options.reference == nullptr) {
    if (view.options.no_reference != nullptr) return *view.options.no_reference;
    return usage_error("there is no reference to compare with",
                       "keep this document as reference, or choose another one");
  }
  return view.options.reference->result;
}

// Id of B; a matrix of the reference is identified by the key of the reference.
Result<MatrixId> id_of_b(const FittedView& view) {
  const Result<ResultPtr> result = result_of_b(view);
  if (!result) return result.error();
  const bool of_reference = is_of_reference(view.options);
  const Result<HeadAddress> at = address_of_b(view.options, (*result)->shape(), of_reference);
  if (!at) return at.error();
  MatrixId id{view.options.minus_stage.value_or(view.options.stage), *at};
  if (!(*result)->has(id.stage, id.head)) {
    Error error = usage_error("B has no such stage");
    error.found = stage_info(id.stage).name;
    return error;
  }
  if (of_reference) id.making = made::InReference{view.options.reference->key};
  return id;
}

struct Pair {
  MatrixId a, b;
  MatrixId difference() const {
    MatrixId id = a;
    id.making = made::Minus{std::make_shared<const MatrixId>(b)};
    return id;
  }
  MatrixId shown(Compared what) const {
    return what == Compared::Difference ? difference() : what == Compared::A ? a : b;
  }
};

Result<Pair> pair_of(const FittedView& view) {
  const Result<MatrixId> b = id_of_b(view);
  if (!b) return b.error();
  return Pair{{view.options.stage, view.options.at}, *b};
}

// A matrix of the reference has its id in this document.
MatrixPtr matrix_of_b(const MatrixId& id, const ReferencePtr& reference, const ResultPtr& result) {
  if (is_computed(id)) return stage_matrix(result, id);
  return renamed(stage_matrix(reference->result, {id.stage, id.head}), id);
}

// --- matrices that are not materialised -------------------------------------------------------

bool is_materialised(const PlotInput& input, const MatrixId& id, const ReferencePtr& reference) {
  return is_materialised(is_computed(id) ? input.result : *reference->result, id.stage, id.head);
}

// Question for the cells of A, of B, or of their difference.
PooledQuestion cells_of(const FittedView& view, const Pair& pair, Compared what) {
  const AttentionShape shape = view.result.shape(view.options.at);
  const bool whole = what == Compared::Difference;
  const MatrixId id = pair.shown(what);
  PooledQuestion question{id, view.result.stage_shape(pair.a.stage, pair.a.head),
                          (whole ? 2 : 1) * shape.d_k, shape.n_k, view.options.pooling};
  question.source = [whole, pair, id, reference = view.options.reference](const Sources& from) {
    if (!whole) return Result<MatrixPtr>(matrix_of_b(id, reference, from.result));
    return Difference::unseen(stage_matrix(from.result, pair.a),
                              matrix_of_b(pair.b, reference, from.result), pair.difference());
  };
  return question;
}

bool is_drawn_from_both(const FittedView& view, const Pair& pair) {
  return is_materialised(view, pair.a, view.options.reference) &&
         is_materialised(view, pair.b, view.options.reference);
}

// Returns nothing when the shown matrix is materialised.
std::optional<PooledQuestion> shown_cells(const FittedView& view, const Pair& pair) {
  const Compared show = view.options.show;
  const bool kept = show == Compared::Difference
                        ? is_drawn_from_both(view, pair)
                        : is_materialised(view, pair.shown(show), view.options.reference);
  return kept ? std::nullopt : std::optional(cells_of(view, pair, view.options.show));
}

// Subject of the shown matrix; both sides have the same one.
ColorSubject shown_subject(const FittedView& view, const Pair& pair) {
  const bool whole = view.options.show == Compared::Difference;
  const AttentionResult& of_b = is_computed(pair.b) ? view.result : *view.options.reference->result;
  const bool is_share = pair.b.stage == Stage::Weights && gives_shares(of_b, pair.b.head);
  return is_share ? subject_of(view.result, whole ? pair.difference() : pair.a)
                  : ColorSubject{Quantity::Other};
}

// A and B share one range, which is over both.
std::vector<Need> side_range_needs(const FittedView& view, const Pair& pair) {
  std::vector<Need> needs;
  if (shown_subject(view, pair).quantity == Quantity::Share) return needs;
  for (const Compared side : {Compared::A, Compared::B}) {
    const PooledQuestion cells = cells_of(view, pair, side);
    if (is_materialised(view, cells.id, view.options.reference)) continue;
    append(needs, statistics_needs({cells, {}, false}));
  }
  return needs;
}

// --- words -----------------------------------------------------------------------------------

// Data shared by all steps of drawing; the options are fitted to A.
struct DifferenceScene : Drawing {
  const Pair& pair;
  const Difference* difference;  // null while the changes are counted
  MatrixPtr a, b;
  std::optional<PooledQuestion> cells{};  // of the shown matrix, when A or B is not materialised
};

// "Weights, layer 2 of 12, head 3 of 12".
std::string words_of(const MatrixId& id, const AttentionShape& shape) {
  const StageInfo& info = stage_info(id.stage);
  return std::string(info.label) + address_words(shape, id.head, info.per_head);
}

std::string words_of_a(const DifferenceScene& scene) {
  return words_of(scene.pair.a, scene.result.shape());
}

std::string words_of_b(const DifferenceScene& scene) {
  if (is_computed(scene.pair.b)) return words_of(scene.pair.b, scene.result.shape());
  const Reference& reference = *scene.options.reference;
  const std::string words = words_of(scene.pair.b, reference.result->shape());
  return (words == words_of_a(scene) ? "the same" : words) + " of " + reference.label;
}

std::string caption_of(const DifferenceScene& scene) {
  switch (scene.options.show) {
    case Compared::A:
      return "A: " + words_of_a(scene);
    case Compared::B:
      return "B: " + words_of_b(scene);
    case Compared::Difference:
      break;
  }
  return "A − B: " + words_of_a(scene) + " minus " + words_of_b(scene);
}

// Sentence about changes of the reference; "" when there are none or no reference.
std::string remark_of(const DifferenceScene& scene) {
  if (is_computed(scene.pair.b) || scene.options.reference->remark.empty()) return "";
  return scene.options.reference->label + ": " + scene.options.reference->remark;
}

// --- the map ---------------------------------------------------------------------------------

// Statistics of both sides, so that A and B have equal colours when toggled.
StatisticsPtr cells_of_sides(const DifferenceScene& scene) {
  auto both = std::make_shared<Statistics>(*shown_statistics(scene, *scene.a, {}));
  join(*both, *shown_statistics(scene, *scene.b, {}));
  return both;
}

// The shown matrix; a difference that is not materialised is drawn from parts.
MatrixPtr shown_matrix(const DifferenceScene& scene) {
  if (scene.options.show == Compared::A) return scene.a;
  if (scene.options.show == Compared::B) return scene.b;
  if (!scene.cells) return MatrixPtr(MatrixPtr(), scene.difference);
  return Difference::unseen(scene.a, scene.b, scene.pair.difference()).value();
}

Result<Figure> map_of(const DifferenceScene& scene, double height) {
  const bool whole = scene.options.show == Compared::Difference;
  const MatrixPtr shown = shown_matrix(scene);
  PlotOptions options = scene.options;
  options.range = ColorSpan::Automatic;
  options.log = false;
  if (whole) {
    if (!colormap_for(options).diverging) options.colormap = "redblue";
  } else {
    options.stage = shown->id().stage;
    options.at = shown->id().head;
  }
  options.height = height;
  const HeatmapCaption caption{caption_of(scene),
                               whole ? "Difference" : value_name(shown->id().stage),
                               true,
                               scene.cells,
                               whole ? nullptr : cells_of_sides(scene),
                               shown_subject(scene, scene.pair)};
  return heatmap({scene, options, scene.metrics}, *shown, caption);
}

// --- the list --------------------------------------------------------------------------------

// One line of the list of changes: its cell, both values and the difference, and its hit.
struct ChangeLine {
  std::string cell, values, by;
  HitId hit;
};

ChangeLine line_of(const DifferenceScene& scene, const Change& change) {
  const MatrixAxis rows = row_axis(*scene.difference);
  const MatrixAxis columns = column_axis(scene.result.shape(), *scene.difference);
  const int decimals = std::max(scene.options.decimals, 3);
  const auto number = [&](float value) { return fixed_text(static_cast<double>(value), decimals); };
  const auto named = [&](const MatrixAxis& axis, std::size_t i) {
    const std::string repeat =
        axis.tokens ? number_if_repeated(scene.document, axis.side, axis.at, i) : "";
    return axis_label(scene.document, axis, i) + repeat;
  };
  const std::string row = named(rows, change.row), column = named(columns, change.col);
  const std::string joint = columns.tokens ? " → " : ", column ";
  const auto by = static_cast<double>(change.by);
  return {row + joint + column, number(change.before) + " → " + number(change.after),
          (by < 0.0 ? "−" : "+") + fixed_text(std::abs(by), decimals),
          CellHit{scene.pair.shown(scene.options.show), change.row, change.col}};
}

// "12 of 144 cells differ; the largest changes from B to A:"
std::string heading_of(const DifferenceScene& scene, std::size_t listed) {
  if (scene.difference == nullptr) return "The changes are being counted";
  const Difference& made = *scene.difference;
  if (made.cell_count() == 0) return "There are no cells to compare";
  const std::string cells = grouped_text(made.cell_count()) + " cells";
  if (made.changed_count() == 0) return "A and B are the same in all " + cells;
  std::string words = grouped_text(made.changed_count()) + " of " + cells +
                      (made.changed_count() == 1 ? " differs" : " differ");
  if (listed == 0) return words;
  return words + (listed == 1 ? "; the largest change, from B to A:"
                              : "; the largest changes, from B to A:");
}

constexpr double kChangeLine = 1.6;    // font sizes from line to line
constexpr double kMostOfHeight = 0.4;  // of the list, when the height is given
constexpr double kLeastMap = 22.0;     // font sizes, at least, for the map

double line_height(const DifferenceScene& scene) { return kChangeLine * scene.font(); }

// Lines above the changes: a remark on the reference and the count of cells that differ.
std::vector<std::string> heading_lines(const DifferenceScene& scene, std::size_t changes) {
  std::vector<std::string> lines;
  const std::uint64_t concealed_cells = scene.difference ? scene.difference->concealed_count() : 0;
  for (const std::string& text :
       {remark_of(scene), concealed_words(concealed_cells), heading_of(scene, changes)}) {
    const double width = scene.options.width - 1.8 * scene.font();
    for (std::string& line : wrapped(scene.metrics, text, words_font(scene.font()), width, 4)) {
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

// Number of changes listed; nothing when no line fits, or without notes.
std::optional<std::size_t> listed(const DifferenceScene& scene) {
  if (!scene.options.notes) return std::nullopt;
  const std::size_t known = scene.difference != nullptr ? scene.difference->largest().size() : 0;
  const std::size_t wanted = std::min(scene.options.changes, known);
  const double height = scene.options.height;
  if (height <= 0.0) return wanted;
  const double room = std::min(kMostOfHeight * height, height - kLeastMap * scene.font());
  const double lines =
      room / line_height(scene) - 0.5 - static_cast<double>(heading_lines(scene, wanted).size());
  if (lines < 0.0) return std::nullopt;
  return std::min(wanted, static_cast<std::size_t>(lines));
}

double height_of_list(const DifferenceScene& scene) {
  const std::optional<std::size_t> changes = listed(scene);
  if (!changes) return 0.0;
  return (static_cast<double>(*changes + heading_lines(scene, *changes).size()) + 0.5) *
         line_height(scene);
}

struct List {
  const DifferenceScene& scene;
  FontStyle font;
  double left = 0.0;
  double cell = 0.0, values = 0.0, by = 0.0;  // widths of the columns
};

void add_line(Figure& figure, const List& list, const ChangeLine& line, double y) {
  const DifferenceScene& scene = list.scene;
  const double gap = 1.5 * list.font.size, height = line_height(scene);
  const double values = list.left + list.cell + gap + list.values;
  const double by = values + gap + list.by;
  figure.add(
      RectItem{.rect = {list.left, y - height / 2.0, by - list.left, height}, .hit = line.hit});
  const auto add = [&](double x, const std::string& text, Color color, HAlign align) {
    figure.add(text_item({x, y}, text, list.font, color, align, VAlign::Middle, line.hit));
  };
  add(list.left, fitted(scene.metrics, line.cell, list.font, list.cell + 1e-6), scene.theme.ink,
      HAlign::Left);
  add(values, line.values, scene.theme.muted, HAlign::Right);
  add(by, line.by, scene.theme.ink, HAlign::Right);
}

// Each column is as wide as its widest line; the cells are cut when the list is too wide.
void add_list(Figure& figure, const DifferenceScene& scene, double top) {
  List list{scene, words_font(scene.font()), kMargin * scene.font()};
  std::vector<ChangeLine> lines;
  for (std::size_t i = 0; i < listed(scene).value_or(0); ++i) {
    lines.push_back(line_of(scene, scene.difference->largest()[i]));
  }
  const auto widest = [&](std::string ChangeLine::*column) {
    return widest_of(lines, column, list.font, scene.metrics);
  };
  list.values = widest(&ChangeLine::values);
  list.by = widest(&ChangeLine::by);
  const double right = figure.width - list.left;
  const double room = right - list.left - list.values - list.by - 3.0 * list.font.size;
  list.cell = std::min(widest(&ChangeLine::cell), std::max(room, 0.0));
  const TextItem heading = text_item({list.left, top + line_height(scene) / 2.0}, "", list.font,
                                     scene.theme.muted, HAlign::Left, VAlign::Middle);
  double y = add_lines(figure, heading_lines(scene, lines.size()), heading, line_height(scene));
  for (const ChangeLine& line : lines) {
    add_line(figure, list, line, y);
    y += line_height(scene);
  }
}

std::vector<Need> map_needs(const FittedView& view, const Pair& pair) {
  std::vector<Need> needs;
  const bool whole = view.options.show == Compared::Difference;
  if (!whole) needs = side_range_needs(view, pair);
  if (whole && is_drawn_from_both(view, pair)) {
    needs = statistics_needs({cells_of(view, pair, Compared::Difference), {}, true});
  }
  if (const auto cells = shown_cells(view, pair)) {
    const CellWindow window = clamped_window(view.options.window, cells->extents);
    append(needs, pooled_needs(*cells, window));
    if (view.options.shows_histogram())
      append(needs, statistics_needs({*cells, {}, false, 1, false}));
    if (shows_unseeing(cells->id)) append(needs, unseeing_needs(view.result, cells->id.head));
  }
  return needs;
}

}  // namespace

Result<MatrixId> subtracted_matrix(const FittedView& view) { return id_of_b(view); }

std::vector<Need> difference_needs(const FittedView& view) {
  const Result<Pair> pair = pair_of(view);
  if (!pair) return {};
  const auto make = [pair = *pair, reference = view.options.reference](const Sources& from) {
    return Difference::compared(stage_matrix(from.result, pair.a),
                                matrix_of_b(pair.b, reference, from.result), pair.difference(),
                                kMostChanges, from.progress);
  };
  constexpr std::size_t kNanosecondsOfACell = 8;
  const StageShape shape = view.result.stage_shape(view.options.stage, view.options.at);
  Need changes = need_for(pair->difference(), "Difference",
                          element_count({shape.rows, shape.cols, kNanosecondsOfACell}), 0, make);
  std::vector<Need> needs;
  if (!is_computed(pair->b)) {
    const MatrixSource b = cells_of(view, *pair, Compared::B).source;
    needs.push_back(need_for(pair->b, "Reference", 0, 0, b));
  }
  append(needs, map_needs(view, *pair));
  if (!is_drawn_from_both(view, *pair)) {
    const PooledQuestion cells = cells_of(view, *pair, Compared::Difference);
    changes.nanoseconds = reading_time(cells, {0, 0, cells.extents.rows, cells.extents.cols});
    changes.awaited = false;
  }
  needs.push_back(std::move(changes));  // the map comes first
  return needs;
}

Result<Figure> difference_plot(const Drawing& drawing) {
  const Result<Pair> pair = pair_of(drawing);
  if (!pair) return pair.error();
  const MatrixId id = pair->difference();
  const auto made = std::dynamic_pointer_cast<const Difference>(matrix_in(drawing, id));
  const MatrixPtr b = matrix_in(drawing, pair->b);
  const auto cells = shown_cells(drawing, *pair);
  const bool is_counted_later = !is_drawn_from_both(drawing, *pair);
  if ((made == nullptr && !is_counted_later) || b == nullptr)
    return why_missing(drawing, text_of(id));
  const DifferenceScene scene{{drawing}, *pair, made.get(), matrix_in(drawing, pair->a), b, cells};
  const double list = height_of_list(scene), room = drawing.options.height;
  // On a screen the words of the bar are above the list, which follows them closely.
  const double into_margin = drawing.options.on_screen && list > 0.0 ? 0.5 * scene.font() : 0.0;
  Result<Figure> figure = map_of(scene, room > 0.0 ? room - list + into_margin : 0.0);
  if (!figure) return figure;
  const double top = figure->height - into_margin;
  figure->height = std::max(top + list, drawing.options.height);
  if (list > 0.0) add_list(*figure, scene, top);
  return figure;
}

}  // namespace attn
