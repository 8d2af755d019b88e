// Sections of the inspector: the sum as a table, a row and summands as bars.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/joined.h"
#include "base/number_text.h"
#include "figure/text.h"
#include "gui/panels/controls/controls.h"
#include "gui/panels/inspector/inspector.h"
#include "gui/ui/style.h"
#include "plot/kit/names.h"

namespace attn::gui {
namespace {

// Lines of each cell, in a column each.
using Sums = std::vector<std::vector<SumLine>>;

const SumLine* line_named(const std::vector<SumLine>& lines, const std::string& name) {
  const auto found = std::ranges::find(lines, name, &SumLine::name);
  return found == lines.end() ? nullptr : &*found;
}

// True if all cells have this label; else each has its label above its number.
bool is_shared(const Sums& sums, const SumLine& line) {
  return std::ranges::all_of(sums, [&](const std::vector<SumLine>& lines) {
    const SumLine* of_cell = line_named(lines, line.name);
    return of_cell == nullptr || of_cell->label == line.label;
  });
}

Color ink_of(const Inspection& in, SumLine::Kind kind) {
  if (kind == SumLine::Kind::Remark) return in.ui.colors().muted;
  if (kind == SumLine::Kind::After) return stage_color(in.ui.colors(), Stage::Output);
  return in.ui.colors().ink;
}

// Text in lines that fit `space_px`, broken between words but not after an operator: ImGui would
// break numbers at decimal points too.
std::string broken_at_blanks(std::string text, float space_px) {
  std::size_t begin = 0, last = text.npos;
  for (std::size_t blank = text.find(' '); begin < text.size(); blank = text.find(' ', blank + 1)) {
    const std::size_t end = std::min(blank, text.size());
    const bool fits = ImGui::CalcTextSize(text.data() + begin, text.data() + end).x <= space_px;
    if (!fits && last != text.npos) {
      text[last] = '\n';
      begin = last + 1;
    }
    if (blank == text.npos) break;
    const std::string_view before = std::string_view(text).substr(0, blank);
    const bool is_sign = before.ends_with("÷") || before.ends_with("Σ") || before.ends_with("·");
    if (!is_sign) last = blank;
  }
  return text;
}

// Right-aligned in its column, wrapped.
void sum_text(const std::string& text, Color ink) {
  const float space = ImGui::GetContentRegionAvail().x;
  const std::string lines = broken_at_blanks(text, space);
  const float width = ImGui::CalcTextSize(lines.c_str()).x;
  if (width < space) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + space - width);
  ImGui::TextColored(to_vec(ink), "%s", lines.c_str());
}

void sum_value(const Inspection& in, const SumLine& line) {
  sum_text(line.value,
           line.kind == SumLine::Kind::Remark ? in.ui.colors().muted : in.ui.colors().ink);
}

void rule_above(const Ui& ui) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, at.y - ui.px(1)), ImVec2(right, at.y - ui.px(1)),
                                      to_imgui(ui.colors().border));
}

void sum_row(Inspection& in, const SumLine& line, const Sums& sums) {
  const bool bold = line.kind == SumLine::Kind::Total;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (bold) rule_above(in.ui);
  if (bold) ImGui::PushFont(in.ui.fonts.bold);
  const bool shared = is_shared(sums, line);
  if (shared) {
    const std::string label = typeset(in.ui.text(Wording::Fragment, line.label));
    const std::string lines = broken_at_blanks(label, ImGui::GetContentRegionAvail().x);
    ImGui::TextColored(to_vec(ink_of(in, line.kind)), "%s", lines.c_str());
  }
  for (std::size_t c = 0; c < sums.size(); ++c) {
    ImGui::TableNextColumn();
    const SumLine* of_cell = line_named(sums[c], line.name);
    if (of_cell == nullptr) continue;
    const std::string name =
        "inspector/chain/" + line.name + (c == 0 ? "" : "/" + std::to_string(c));
    if (!shared) {
      sum_text(typeset(in.ui.text(Wording::Fragment, of_cell->label)), ink_of(in, line.kind));
      in.ui.mark(name + "/label", of_cell->label);
    }
    sum_value(in, *of_cell);
    in.ui.mark(name, of_cell->value);
  }
  if (bold) ImGui::PopFont();
}

void sum_titles(Inspection& in) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (std::size_t c = 0; c < in.cells.size(); ++c) {
    if (!has_chain(in.cells[c])) continue;
    ImGui::TableNextColumn();
    empty_hint(in.ui, in.tag(c));
  }
}

void copy_sum(Inspection& in, const SumFormat& format) {
  const std::string sentence = cell_sentence(in.input, in.focus());
  copy_and_notify(in.ui, format.write(sentence, in.numbers.sums.front()),
                  "Copied the sum as " + std::string(format.label));
}

// Width of the widest word of a column of the sum, in pixels.
float widest_word(const Ui& ui, const Sums& sums, std::string SumLine::*text) {
  float widest = 0.0F;
  ImGui::PushFont(ui.fonts.bold);
  for (const auto& lines : sums) {
    for (const SumLine& line : lines) {
      for (const std::string& word : split(line.*text, ' ')) {
        widest = std::max(widest, text_size(word).x + ui.px(6));
      }
    }
  }
  ImGui::PopFont();
  return widest;
}

// Share of the width for a cell's values, so that neither their numbers nor the words of labels are
// cut.
float share_of_values(const Ui& ui, const Sums& sums) {
  const float count = static_cast<float>(sums.size());
  const float width = std::max(ImGui::GetContentRegionAvail().x, ui.px(120));
  const float most = std::max(1.0F - widest_word(ui, sums, &SumLine::label) / width, 0.5F) / count;
  const float usual = std::min((count > 1 ? 0.6F : 0.45F) / count, most);
  return std::clamp(widest_word(ui, sums, &SumLine::value) / width, usual, most);
}

bool begin_sum_table(const Ui& ui, const Sums& sums) {
  const auto columns = static_cast<int>(sums.size()) + 1;
  const float share = share_of_values(ui, sums);
  if (!ImGui::BeginTable("inspector/sum", columns, ImGuiTableFlags_NoPadOuterX)) return false;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch,
                          1.0F - share * static_cast<float>(sums.size()));
  for (std::size_t c = 0; c < sums.size(); ++c) {
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, share);
  }
  return true;
}

void copy_menu(Inspection& in) {
  constexpr const char* kPopup = "inspector/sum/formats";
  if (button_beside(in.ui, "inspector/sum/copy", "Copy",
                    "Copies the sum with all of its numbers")) {
    ImGui::OpenPopup(kPopup);
  }
  if (!ImGui::BeginPopup(kPopup)) return;
  for (const SumFormat& format : all_sum_formats()) {
    const std::string name = "inspector/sum/copy/" + std::string(format.name);
    if (menu_item(in.ui, name, "As " + std::string(format.label))) copy_sum(in, format);
  }
  ImGui::EndPopup();
}

// A horizontal bar with a label and a number.
struct BarRow {
  std::string_view label;         // any script
  std::string_view factors = {};  // digits and operators after the label, which is shortened first
  float value = 0.0F;
  float extent = 1.0F;     // value of a full bar, > 0
  bool diverging = false;  // negative values extend left of the middle
  bool marked = false;     // highlighted
  Color color;
  float label_share = 0.34F;  // largest share of the row's width
  // The label consists of digits and signs of the interface's own font and needs no shaping, which
  // is costly for rows that differ every frame.
  bool label_is_numbers = false;
};

void draw_bar(Ui& ui, const BarRow& row, ImVec2 min, ImVec2 max) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float fraction = std::clamp(row.value / row.extent, -1.0F, 1.0F);
  const float width = max.x - min.x;
  const float zero = row.diverging ? min.x + width / 2 : min.x;
  const float space = row.diverging ? width / 2 : width;
  const Color track = with_alpha(ui.colors().muted, 30);
  draw.AddRectFilled(min, max, to_imgui(track), ui.px(2));
  fill_bar(ui, ImVec2(zero, min.y), fraction * space, max.y - min.y, row.color);
  if (row.diverging) {
    draw.AddLine(ImVec2(zero, min.y), ImVec2(zero, max.y), to_imgui(ui.colors().muted));
  }
}

float plain_width(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

// Returns the pixels of `space` left in front of the factors.
float draw_factors(Ui& ui, const BarRow& row, ImVec2 right, float space) {
  if (row.factors.empty()) return space;
  const float width = plain_width(row.factors);
  ui.draw_text(row.factors, ImVec2(right.x - width, right.y + ui.px(0.5F)), ui.colors().muted);
  return std::max(space - width - ui.px(6), 1.0F);
}

// Right-aligned at `right`, shortened to `space`.
void draw_label(Ui& ui, const BarRow& row, ImVec2 right, float space, float height) {
  const Color ink = ui.colors().ink;
  const float own_width = row.label_is_numbers ? plain_width(row.label) : space + 1;
  if (own_width <= space)
    return ui.draw_text(row.label, ImVec2(right.x - own_width, right.y + ui.px(0.5F)), ink);
  const std::string label = fitted_token(ui, row.label, space);
  const float width = ui.line_size(label, FontStyle{kTextSize}).x;
  draw_in_row(ui, label, ImVec2(right.x - std::min(width, space), right.y), height, ink);
}

// Takes the available width.
void bar_row(Ui& ui, const BarRow& row) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, ui.px(120));
  const float height = ImGui::GetTextLineHeight() + ui.px(1);
  const float label_px = std::min(width * row.label_share, ui.px(row.label_share * 350));
  const float number_px = ui.px(74);
  if (row.marked) {
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(at.x - ui.px(3), at.y), ImVec2(at.x + width, at.y + height),
        to_imgui(with_alpha(ui.colors().accent, 45)), ui.px(3));
  }
  const ImVec2 label_end(at.x + label_px - ui.px(8), at.y);
  const float space = draw_factors(ui, row, label_end, label_px - ui.px(8));
  draw_label(ui, row, ImVec2(at.x + space, at.y), space, height);
  draw_bar(ui, row, ImVec2(at.x + label_px, at.y + ui.px(6)),
           ImVec2(at.x + width - number_px, at.y + height - ui.px(6)));
  const std::string number = with_minus(short_text(static_cast<double>(row.value)));
  ui.draw_text(number, ImVec2(at.x + width - plain_width(number), at.y + ui.px(0.5F)),
               ui.colors().ink);
  ImGui::Dummy(ImVec2(width, height));
  if (!row.factors.empty() && !row.label_is_numbers) text_tooltip(ui, row.label);
}

constexpr float kVisibleWeight = 0.2F;
// Share of a row: for two numbers, or a name and two numbers.
constexpr float kProductLabels = 0.5F, kNamedProductLabels = 0.62F;

// Name of row or column `index` of the cell's stage.
std::string axis_label(const Inspection& in, bool column, std::size_t index) {
  const MatrixId& matrix = in.focus().matrix;
  const std::optional<Side> side = column ? column_side(matrix) : row_side(matrix);
  if (side) {
    return token_label(in.input.document, *side, matrix.head, index) +
           number_if_repeated(in.input.document, *side, matrix.head, index);
  }
  const AttentionShape shape = in.input.result.shape(matrix.head);
  return feature_label(in.input.document, feature_columns(shape, stage_info(matrix.stage).columns),
                       index);
}

// Value of a full bar.
void full_bar(Ui& ui, std::string_view name, float extent) {
  const double shown = extent > 0.0F ? static_cast<double>(extent) : 1.0;
  const std::string text = "A full bar is " + with_minus(short_text(shown));
  empty_hint(ui, text, name);
}

// "Row of “it”"; for other stages such as "Scaled scores of “it”, by key".
std::string line_title(const Inspection& in, bool rows) {
  const StageInfo& info = stage_info(in.focus().matrix.stage);
  const Side side = info.rows_are_keys() ? Side::Key : Side::Query;
  const std::string token =
      quoted_token(in.input.document, side, in.focus().matrix.head, in.focus().row) +
      number_if_repeated(in.input.document, side, in.focus().matrix.head, in.focus().row);
  if (info.stage == Stage::Weights) return "Row of " + token;
  std::string label(info.label);
  if (info.role == StageRole::Scores) label = value_name(info.stage) + "s";
  if (rows) return label + (info.rows_are_keys() ? ", by key" : ", by query");
  return label + " of " + token + (info.token_by_token() ? ", by key" : ", by dimension");
}

void entropy_line(Inspection& in) {
  const std::optional<WeightsRow>& row = in.numbers.row;
  if (!row) return;
  std::string text = "Entropy " + fixed_text(row->entropy, 2);
  if (row->most > 0.0) text += " of " + fixed_text(row->most, 2);
  text += " nats";
  if (row->rank > 0) {
    text += "; rank of this cell: " + grouped_text(row->rank) + " of " + grouped_text(row->visible);
  }
  empty_hint(in.ui, text, "inspector/entropy");
  tooltip(in.ui,
          "How evenly the query spreads its attention: 0 for a single key, at most that of "
          "equal weights over the keys it sees");
}

void bar_options(Inspection& in, InspectorView& view, float extent) {
  full_bar(in.ui, "inspector/row/full", extent);
  const char* label = view.by_position ? "By position" : "By magnitude";
  if (button_beside(in.ui, "inspector/by_position", label, "Changes the order of the bars")) {
    view.by_position = !view.by_position;
  }
}

void largest_hint(Ui& ui, std::size_t shown, std::size_t all) {
  empty_hint(ui, "The largest " + std::to_string(shown) + " of " + std::to_string(all));
}

// Summands as bars, the largest if there are many. `label_of` names one.
struct Summands {
  std::string name;  // prefix of probe names
  std::string title, words;
  const LargestTerms& largest;
  std::function<std::string(std::size_t)> label_of;
  bool are_numbers = false;  // whether labels are numbers
};

std::string factors_of(const ScoreTerm& term, int digits) {
  return with_minus(short_text(term.left, digits) + " · " + short_text(term.right, digits));
}

std::string label_of(const Summands& summands, const ScoreTerm& term) {
  return summands.label_of(term.index) + (summands.are_numbers ? ": " : "");
}

// How labels and factors of all rows are written: so that none of their digits is cut.
struct SummandLabels {
  int digits = 2;      // of the factors
  float share = 0.0F;  // of the width
};

SummandLabels labels_with(Ui& ui, const Summands& summands, int digits) {
  float widest = 0.0F;
  for (const ScoreTerm& term : summands.largest.terms) {
    const float label = summands.are_numbers ? plain_width(label_of(summands, term)) : ui.px(26);
    widest = std::max(widest, plain_width(factors_of(term, digits)) + label + ui.px(20));
  }
  const float width = std::max(ImGui::GetContentRegionAvail().x, ui.px(120));
  return {digits, widest / std::min(width, ui.px(350))};
}

SummandLabels labels_of(Ui& ui, const Summands& summands) {
  constexpr float kMost = 0.66F;
  const float usual = summands.are_numbers ? kProductLabels : kNamedProductLabels;
  SummandLabels labels = labels_with(ui, summands, summands.are_numbers ? 3 : 2);
  if (labels.share > kMost) labels = labels_with(ui, summands, 2);  // the bars need the space
  labels.share = std::clamp(labels.share, usual, kMost);
  return labels;
}

void summand_row(Inspection& in, const Summands& summands, const ScoreTerm& term, float full,
                 const SummandLabels& labels) {
  const std::string factors = factors_of(term, labels.digits);
  const std::string label = label_of(summands, term);
  const auto product = static_cast<float>(term.product());
  bar_row(in.ui, {.label = label,
                  .factors = factors,
                  .value = product,
                  .extent = full > 0.0F ? full : 1.0F,
                  .diverging = true,
                  .color = product < 0.0F ? in.ui.colors().negative : in.ui.colors().positive,
                  .label_share = labels.share,
                  .label_is_numbers = summands.are_numbers});
  in.ui.mark(summands.name + "/" + std::to_string(term.index), short_text(term.product()));
}

// Bold title in any script, such as a token, shortened to the available width. It names the cell
// where several are inspected.
void token_header(const Inspection& in, const std::string& title) {
  Ui& ui = in.ui;
  const std::string text = in.cells.size() > 1 ? in.tag(0) + ": " + title : title;
  ImGui::Dummy(ImVec2(0.0F, ui.px(3)));
  elided_text(ui, text, ImGui::GetContentRegionAvail().x, ui.colors().text, true);
  ui.mark("section/" + text);
}

// True if a factor has more digits than these.
bool are_rounded(const std::vector<ScoreTerm>& terms, int digits) {
  constexpr int kAll = 7;
  const auto is_cut = [&](double factor) {
    return short_text(factor, digits) != short_text(factor, kAll);
  };
  return std::ranges::any_of(
      terms, [&](const ScoreTerm& term) { return is_cut(term.left) || is_cut(term.right); });
}

void summand_bars(Inspection& in, const Summands& summands) {
  const std::vector<ScoreTerm>& terms = summands.largest.terms;
  if (terms.empty()) return;
  token_header(in, summands.title);
  double extent = 0.0;
  for (const ScoreTerm& term : terms) extent = std::max(extent, std::abs(term.product()));
  const auto full = static_cast<float>(extent);
  const SummandLabels labels = labels_of(in.ui, summands);
  empty_hint(in.ui, summands.words + (are_rounded(terms, labels.digits) ? ", rounded" : ""));
  full_bar(in.ui, summands.name + "/full", full);
  for (const ScoreTerm& term : terms) summand_row(in, summands, term, full, labels);
  if (summands.largest.all > terms.size()) largest_hint(in.ui, terms.size(), summands.largest.all);
}

// Columns of the rows that a matrix maps to the stage.
FeatureColumns input_columns(const AttentionProblem& problem, const MatrixId& id) {
  const std::optional<LinearStage> linear = linear_stage(problem, id.stage, id.head);
  if (!linear) return {};
  const AttentionShape shape = shape_of(problem, id.head);
  if (linear->input) return feature_columns(shape, stage_info(*linear->input).columns);
  const Extent given = id.stage == Stage::Key     ? Extent::KeyInputWidth
                       : id.stage == Stage::Value ? Extent::ValueInputWidth
                                                  : Extent::ModelWidth;
  return feature_columns(shape, given);
}

// Summands of one column each.
void summands_by_feature(Inspection& in, Summands summands, const FeatureColumns& columns) {
  summands.are_numbers = !are_named(in.input.document.features, columns);
  summands.label_of = [&](std::size_t index) {
    return feature_label(in.input.document, columns, index);
  };
  summand_bars(in, summands);
}

}  // namespace

void sum_section(Inspection& in) {
  const Sums& sums = in.numbers.sums;
  if (sums.empty()) return;
  const bool is_one = std::ranges::all_of(sums, [](const auto& sum) { return sum.size() == 1; });
  section_header(in.ui, is_one ? "The number" : "The sum");
  copy_menu(in);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, in.ui.px(3, 1.5F));
  bool open = begin_sum_table(in.ui, sums);
  if (open && sums.size() > 1) sum_titles(in);
  // A hidden cell has fewer lines than another.
  for (const SumLine& line : *std::ranges::max_element(sums, {}, std::ranges::size)) {
    const bool whole = sums.size() == 1 && line.kind == SumLine::Kind::Remark;
    if (whole && open) ImGui::EndTable();
    if (whole) {
      sum_value(in, line);
      in.ui.mark("inspector/chain/" + line.name, line.value);
      open = begin_sum_table(in.ui, sums);
    } else if (open && line.name != "terms") {
      sum_row(in, line, sums);
    }
  }
  if (open) ImGui::EndTable();
  ImGui::PopStyleVar();
}

void line_section(Inspection& in, InspectorView& view) {
  const CellHit& cell = in.focus();
  if (!is_computed(cell.matrix)) return;
  const std::vector<Bar>& bars = in.numbers.bars;
  if (bars.empty()) return;
  const bool rows = bars_are_rows(in.input.result, cell.matrix.stage);
  token_header(in, line_title(in, rows));
  entropy_line(in);
  float extent = 0.0F;
  bool negative = false;
  for (const Bar& bar : bars) {
    extent = std::max(extent, std::abs(bar.value));
    negative = negative || bar.value < 0.0F;
  }
  // A fixed scale makes rows comparable, unless their bars become too short.
  if (cell.matrix.stage == Stage::Weights && extent >= kVisibleWeight) extent = 1.0F;
  bar_options(in, view, extent);
  const UiColors& colors = in.ui.colors();
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
  const StageShape shape = in.input.result.stage_shape(cell.matrix.stage, cell.matrix.head);
  const std::size_t all = rows ? shape.rows : shape.cols;
  if (bars.size() == kInspectedBars && all > kInspectedBars) {
    largest_hint(in.ui, kInspectedBars, all);
  }
}

void product_section(Inspection& in) {
  const AttentionProblem& problem = in.input.result.problem();
  const ScoringFunctionInfo& words = scoring_info(problem.scoring.function);
  summands_by_feature(
      in,
      {"inspector/product",
       std::string(words.terms),
       "Per dimension: " + std::string(words.left) + " × " + std::string(words.right),
       in.numbers.product,
       {}},
      columns_of_terms(problem));
}

void output_section(Inspection& in) {
  const CellHit& cell = in.focus();
  summand_bars(in, {"inspector/output", "Contributions", "Per key: weight × value",
                    in.numbers.output, [&](std::size_t key) {
                      return token_label(in.input.document, Side::Key, cell.matrix.head, key);
                    }});
  summands_by_feature(
      in,
      {"inspector/linear", "Contributions", "Per column: input × weight", in.numbers.linear, {}},
      input_columns(in.input.result.problem(), cell.matrix));
}

}  // namespace attn::gui
