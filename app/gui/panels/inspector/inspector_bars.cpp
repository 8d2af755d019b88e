// The bars of the inspector: a row, and what numbers sum up.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/number_text.h"
#include "engine/score_terms.h"
#include "figure/lettering.h"
#include "gui/panels/bars.h"
#include "gui/panels/inspector/inspection.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/panels/inspector/inspector_numbers.h"
#include "gui/panels/inspector/inspector_sum.h"
#include "gui/ui/style.h"
#include "plot/kit/names.h"

namespace attn::gui {
namespace {

constexpr float kVisibleWeight = 0.2F;
// Part of a row: two numbers stand there, or a name and two numbers.
constexpr float kProductLabels = 0.5F, kNamedProductLabels = 0.62F;

// What row or column `index` of the cell's stage is called.
std::string axis_label(const Inspection& in, bool column, std::size_t index) {
  const CellHit& cell = in.focus();
  const bool by_token = stage_info(cell.matrix.stage).token_by_token();
  if (column && !by_token) {
    const Extent columns = stage_info(cell.matrix.stage).columns;
    return feature_label(in.document, feature_columns(in.result.shape(), columns), index);
  }
  const bool keys = column || stage_info(cell.matrix.stage).rows_are_keys();
  return token_label(in.document, keys ? Side::Key : Side::Query, cell.matrix.head.sample, index);
}

// What the longest possible bar stands for.
void full_bar(Ui& ui, std::string_view name, float extent) {
  const double shown = extent > 0.0F ? static_cast<double>(extent) : 1.0;
  const std::string text = "Full bar: " + short_text(shown);
  empty_hint(ui, text);
  ui.mark(name, text);
}

// "Row of “it”", or of another stage "Scaled scores of its row, by key".
std::string line_title(const Inspection& in, bool rows) {
  const StageInfo& info = stage_info(in.focus().matrix.stage);
  if (info.stage == Stage::Weights) {
    return "Row of " +
           quoted_token(in.document, Side::Query, in.focus().matrix.head.sample, in.focus().row);
  }
  std::string label(info.label);
  if (info.role == StageRole::Scores) label = value_name(info.stage) + "s";
  if (rows) return label + (info.rows_are_keys() ? ", by key" : ", by query");
  return label + (info.token_by_token() ? " of its row, by key" : " of its row, by dimension");
}

void entropy_line(Inspection& in) {
  const std::optional<RowEntropy>& row = in.numbers.entropy;
  if (!row) return;
  std::string text = "Entropy " + fixed_text(row->entropy, 2);
  if (row->most > 0.0) text += " of " + fixed_text(row->most, 2);
  text += " nats";
  if (in.numbers.rank) {
    text += "; the cell is number " + grouped_text(in.numbers.rank->rank) + " of " +
            grouped_text(in.numbers.rank->among);
  }
  empty_hint(in.ui, text);
  in.ui.mark("inspector/entropy", text);
  tooltip(in.ui,
          "How evenly the query spreads its attention: 0 for a single "
          "key, at most that of "
          "equal weights over the keys it sees");
}

// The order of the bars, and what the longest possible one stands for.
void bar_options(Inspection& in, InspectorView& view, float extent) {
  full_bar(in.ui, "inspector/row/full", extent);
  const char* label = view.by_position ? "By position" : "Largest first";
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - button_width(in.ui, label));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, 0));
  if (button(in.ui, "inspector/by_position", label,
             {.kind = ButtonKind::Quiet, .tooltip = "Changes the order of the bars"})) {
    view.by_position = !view.by_position;
  }
  ImGui::PopStyleVar();
}

// Summands as bars, the largest when there are many. `label_of` names one.
struct Summands {
  std::string name;  // of its probes
  std::string title, words;
  const LargestTerms& largest;
  std::function<std::string(std::size_t)> label_of;
  bool are_numbers = false;  // the labels
};

void summand_row(Inspection& in, const Summands& summands, const ScoreTerm& term, float full) {
  const UiColors colors = ui_colors(in.ui.theme);
  const int digits = summands.are_numbers ? 3 : 2;  // a name wants room
  const std::string factors =
      with_minus(short_text(term.left, digits) + " · " + short_text(term.right, digits));
  const std::string label = summands.label_of(term.index) + (summands.are_numbers ? ": " : "");
  const auto product = static_cast<float>(term.product());
  bar_row(in.ui, {.label = label,
                  .factors = factors,
                  .value = product,
                  .extent = full > 0.0F ? full : 1.0F,
                  .diverging = true,
                  .color = product < 0.0F ? colors.negative : colors.positive,
                  .label_share = summands.are_numbers ? kProductLabels : kNamedProductLabels,
                  .label_is_numbers = summands.are_numbers});
  in.ui.mark(summands.name + "/" + std::to_string(term.index), short_text(term.product()));
}

void summand_bars(Inspection& in, const Summands& summands) {
  const std::vector<ScoreTerm>& terms = summands.largest.terms;
  if (terms.empty()) return;
  token_header(in.ui, summands.title);
  double extent = 0.0;
  for (const ScoreTerm& term : terms) extent = std::max(extent, std::abs(term.product()));
  const auto full = static_cast<float>(extent);
  empty_hint(in.ui, summands.words);
  full_bar(in.ui, summands.name + "/full", full);
  for (const ScoreTerm& term : terms) summand_row(in, summands, term, full);
  if (summands.largest.all > terms.size()) {
    empty_hint(in.ui, "The largest " + std::to_string(terms.size()) + " of " +
                          std::to_string(summands.largest.all));
  }
}

}  // namespace

void line_section(Inspection& in, InspectorView& view) {
  const CellHit& cell = in.focus();
  if (!is_computed(cell.matrix)) return;
  const std::vector<Bar>& bars = in.numbers.bars;
  if (bars.empty()) return;
  const bool rows = bars_are_rows(in.result, cell.matrix.stage);
  token_header(in.ui, line_title(in, rows));
  entropy_line(in);
  float extent = 0.0F;
  bool negative = false;
  for (const Bar& bar : bars) {
    extent = std::max(extent, std::abs(bar.value));
    negative = negative || bar.value < 0.0F;
  }
  // Rows can be compared with each other as long as their bars can be seen.
  if (cell.matrix.stage == Stage::Weights && extent >= kVisibleWeight) extent = 1.0F;
  bar_options(in, view, extent);
  const UiColors colors = ui_colors(in.ui.theme);
  for (const Bar& bar : bars) {
    const std::string label = axis_label(in, !rows, bar.index);
    const Color color =
        negative ? (bar.value < 0.0F ? colors.negative : colors.positive) : in.ui.colors().accent;
    bar_row(in.ui, {label,
                    {},
                    bar.value,
                    extent > 0.0F ? extent : 1.0F,
                    negative,
                    bar.index == (rows ? cell.row : cell.col),
                    color});
    in.ui.mark("inspector/row/" + std::to_string(bar.index),
               short_text(static_cast<double>(bar.value)));
  }
  const StageShape shape = in.result.stage_shape(cell.matrix.stage);
  const std::size_t all = rows ? shape.rows : shape.cols;
  if (bars.size() == kInspectedBars && all > kInspectedBars) {
    empty_hint(in.ui,
               "The largest " + std::to_string(kInspectedBars) + " of " + std::to_string(all));
  }
}

namespace {

// Columns of queries and keys; hidden units have no names.
FeatureColumns summed_columns(const AttentionProblem& problem) {
  const bool hidden = has_hidden_units(problem.scoring.function);
  return hidden ? FeatureColumns() : feature_columns(problem.shape, Extent::KeyWidth);
}

// Of the rows that a matrix makes the stage of.
FeatureColumns input_columns(const AttentionProblem& problem, const MatrixId& id) {
  const std::optional<LinearStage> linear = linear_stage(problem, id.stage, id.head.layer);
  if (!linear) return {};
  if (linear->input) return feature_columns(problem.shape, stage_info(*linear->input).columns);
  const Extent given = id.stage == Stage::Key     ? Extent::KeyInputWidth
                       : id.stage == Stage::Value ? Extent::ValueInputWidth
                                                  : Extent::ModelWidth;
  return feature_columns(problem.shape, given);
}

// Summands that are of one column each.
void summands_by_feature(Inspection& in, Summands summands, const FeatureColumns& columns) {
  summands.are_numbers = !are_named(in.document.features, columns);
  summands.label_of = [&](std::size_t index) { return feature_label(in.document, columns, index); };
  summand_bars(in, summands);
}

}  // namespace

void product_section(Inspection& in) {
  const ScoreTermWords& words = scoring_info(in.result.problem().scoring.function).terms;
  summands_by_feature(in,
                      {"inspector/product",
                       std::string(words.title),
                       "Each: " + std::string(words.left) + " · " + std::string(words.right),
                       in.numbers.product,
                       {}},
                      summed_columns(in.result.problem()));
}

void output_section(Inspection& in) {
  const CellHit& cell = in.focus();
  summand_bars(in, {"inspector/output", "What it is made of", "Each: weight · value of the key",
                    in.numbers.output, [&](std::size_t key) {
                      return token_label(in.document, Side::Key, cell.matrix.head.sample, key);
                    }});
  summands_by_feature(in,
                      {"inspector/linear",
                       "What it is made of",
                       "Each: number of the row · weight",
                       in.numbers.linear,
                       {}},
                      input_columns(in.result.problem(), cell.matrix));
}

}  // namespace attn::gui
