#include "gui/panels/inspector.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "engine/score_terms.h"
#include "gui/panels/bars.h"
#include "gui/panels/figure_cache.h"
#include "gui/panels/inspector_numbers.h"
#include "gui/ui/style.h"
#include "plot/needs.h"
#include "plot/tokens.h"

namespace attn::gui {
namespace {

constexpr std::size_t kBars = 12;
constexpr std::size_t kTerms = 16;
constexpr float kVisibleWeight = 0.2F;
constexpr float kProductLabels = 0.5F;  // part of a row: two numbers stand there

// Everything that the sections read.
struct Inspection {
  Ui& ui;
  const Document& document;
  const AttentionResult& result;
  std::vector<CellHit> cells;
  const std::vector<CellHit>& pins;

  const CellHit& focus() const { return cells.front(); }

  // What marks the cell in the heatmap.
  std::string tag(std::size_t index) const {
    const auto pin = std::find(pins.begin(), pins.end(), cells[index]);
    if (pin == pins.end()) return "Pointer";
    return "Pin " + std::to_string(pin - pins.begin() + 1);
  }
};

bool is_there(const PlotInput& input, const CellHit& cell) {
  if (cell.matrix.attention != input.result.problem().part) return false;
  const MatrixPtr matrix = matrix_in(input, cell.matrix);
  if (matrix == nullptr) return false;
  const StageShape extents = matrix->extents();
  return cell.row < extents.rows && cell.col < extents.cols;
}

// What row or column `index` of the cell's stage is called.
std::string axis_label(const Inspection& in, bool column, std::size_t index) {
  const CellHit& cell = in.focus();
  const bool by_token = stage_info(cell.matrix.stage).token_by_token();
  if (column && !by_token) return std::to_string(index);
  const bool keys = column || stage_info(cell.matrix.stage).rows_are_keys();
  const TokenList& tokens =
      tokens_of(in.document, keys ? Side::Key : Side::Query, cell.matrix.head.sample);
  return index < tokens.size() ? tokens[index] : std::to_string(index);
}

void nothing_inspected(Ui& ui) {
  empty_hint(ui, "Point at a cell to see where its number comes from.");
  empty_hint(ui, "Click pins it, Shift-click pins a second one to compare, Esc lets go.");
}

void sentences(Inspection& in) {
  for (std::size_t i = 0; i < in.cells.size(); ++i) {
    if (in.cells.size() > 1) empty_hint(in.ui, in.tag(i));
    const std::string sentence = cell_sentence({in.document, in.result}, in.cells[i]);
    rich_text(in.ui, sentence, kTextSize + (i == 0 ? 1 : 0), in.ui.colors().ink);
    in.ui.mark("inspector/sentence" + (i == 0 ? "" : "/" + std::to_string(i)), sentence);
  }
}

void chain_row(Inspection& in, std::size_t step,
               const std::vector<std::vector<ChainStep>>& chains) {
  const StageInfo& info = stage_info(chains[0][step].stage);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(info.label.data(), info.label.data() + info.label.size());
  tooltip(in.ui, info.formula);
  for (std::size_t c = 0; c < chains.size(); ++c) {
    ImGui::TableNextColumn();
    if (step >= chains[c].size()) continue;
    ImGui::PushTextWrapPos(0.0F);
    ImGui::TextUnformatted(chains[c][step].text.c_str());
    ImGui::PopTextWrapPos();
    const std::string name = "inspector/chain/" + std::string(info.name);
    in.ui.mark(c == 0 ? name : name + "/" + std::to_string(c), chains[c][step].text);
  }
}

void chain_titles(Inspection& in) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  for (std::size_t c = 0; c < in.cells.size(); ++c) {
    if (!has_chain(in.cells[c])) continue;
    ImGui::TableNextColumn();
    empty_hint(in.ui, in.tag(c));
  }
}

// From score to weight, one column per inspected cell.
void chain(Inspection& in) {
  std::vector<std::vector<ChainStep>> chains;
  for (const CellHit& cell : in.cells) {
    std::vector<ChainStep> steps = chain_of(in.result, cell);
    if (!steps.empty()) chains.push_back(std::move(steps));
  }
  if (chains.empty()) return;
  ImGui::Spacing();
  section_header(in.ui, "From score to weight");
  const auto columns = static_cast<int>(chains.size()) + 1;
  if (!ImGui::BeginTable("inspector/chain", columns, ImGuiTableFlags_RowBg)) return;
  if (chains.size() > 1) chain_titles(in);
  for (std::size_t step = 0; step < chains[0].size(); ++step) chain_row(in, step, chains);
  ImGui::EndTable();
}

// What the longest possible bar stands for.
void full_bar(Ui& ui, std::string_view name, float extent) {
  const double shown = extent > 0.0F ? static_cast<double>(extent) : 1.0;
  const std::string text = "Full bar: " + short_text(shown);
  empty_hint(ui, text);
  ui.mark(name, text);
}

// "Scaled scores of its row, by key".
std::string line_title(const StageInfo& info, bool rows) {
  std::string label(info.label);
  if (info.role == StageRole::Scores) label = value_name(info.stage) + "s";
  if (rows) return label + (info.rows_are_keys() ? ", by key" : ", by query");
  return label + (info.token_by_token() ? " of its row, by key" : " of its row, by dimension");
}

void line_section(Inspection& in, InspectorView& view) {
  const CellHit& cell = in.focus();
  if (!is_computed(cell.matrix)) return;
  const StageInfo& info = stage_info(cell.matrix.stage);
  const std::vector<Bar> bars = line_bars(in.result, cell, kBars, view.by_position);
  if (bars.empty()) return;
  const bool rows = bars_are_rows(in.result, cell.matrix.stage);
  ImGui::Spacing();
  section_header(in.ui, line_title(info, rows));
  if (const auto on = checkbox(in.ui, "inspector/by_position", "In order of position",
                               view.by_position, "Otherwise the largest first")) {
    view.by_position = *on;
  }
  float extent = 0.0F;
  bool negative = false;
  for (const Bar& bar : bars) {
    extent = std::max(extent, std::abs(bar.value));
    negative = negative || bar.value < 0.0F;
  }
  // Rows can be compared with each other as long as their bars can be seen.
  if (cell.matrix.stage == Stage::Weights && extent >= kVisibleWeight) extent = 1.0F;
  full_bar(in.ui, "inspector/row/full", extent);
  const UiColors colors = ui_colors(in.ui.theme);
  for (const Bar& bar : bars) {
    const std::string label = axis_label(in, !rows, bar.index);
    const Color color =
        negative ? (bar.value < 0.0F ? colors.negative : colors.positive) : in.ui.colors().accent;
    bar_row(in.ui, {label, bar.value, extent > 0.0F ? extent : 1.0F, negative,
                    bar.index == (rows ? cell.row : cell.col), color});
    in.ui.mark("inspector/row/" + std::to_string(bar.index),
               short_text(static_cast<double>(bar.value)));
  }
  const StageShape shape = in.result.stage_shape(cell.matrix.stage);
  const std::size_t all = rows ? shape.rows : shape.cols;
  if (bars.size() == kBars && all > kBars) {
    empty_hint(in.ui, "The largest " + std::to_string(kBars) + " of " + std::to_string(all));
  }
}

std::vector<ScoreTerm> terms_of_focus(const Inspection& in) {
  const CellHit& cell = in.focus();
  if (!has_chain(cell)) return {};
  return score_terms(in.result, cell.matrix.head, cell.row, cell.col);
}

void product_section(Inspection& in) {
  std::vector<ScoreTerm> terms = terms_of_focus(in);
  if (terms.empty()) return;
  ImGui::Spacing();
  const ScoreTermWords& words = scoring_info(in.result.problem().scoring.function).terms;
  section_header(in.ui, words.title);
  const std::size_t all = terms.size();
  if (all > kTerms) {
    std::partial_sort(terms.begin(), terms.begin() + kTerms, terms.end(),
                      [](const ScoreTerm& a, const ScoreTerm& b) {
                        return std::abs(a.product()) > std::abs(b.product());
                      });
    terms.resize(kTerms);
  }
  double extent = 0.0;
  for (const ScoreTerm& term : terms) extent = std::max(extent, std::abs(term.product()));
  const auto full = static_cast<float>(extent);
  empty_hint(in.ui, "Each: " + std::string(words.left) + " · " + std::string(words.right));
  full_bar(in.ui, "inspector/product/full", full);
  const UiColors colors = ui_colors(in.ui.theme);
  for (const ScoreTerm& term : terms) {
    const std::string label = std::to_string(term.index) + ": " + short_text(term.left, 3) + " · " +
                              short_text(term.right, 3);
    const auto product = static_cast<float>(term.product());
    bar_row(in.ui, {label, product, full > 0.0F ? full : 1.0F, true, false,
                    product < 0.0F ? colors.negative : colors.positive, kProductLabels});
    in.ui.mark("inspector/product/" + std::to_string(term.index), short_text(term.product()));
  }
  if (all > kTerms) {
    empty_hint(in.ui, "The largest " + std::to_string(kTerms) + " of " + std::to_string(all));
  }
}

constexpr std::string_view kMaskOfWeights =
    "the mask marks cells of the given weights and changes none";

std::vector<ResultNote> all_notes(const AppState& state) {
  std::vector<ResultNote> notes;
  if (state.result) notes = shown_result(state).notes();
  const Document& document = state.document;
  const bool marks = !has_scores(document.model) && document.mask != Mask{};
  if (marks) notes.push_back({ResultNote::Level::Note, std::string(kMaskOfWeights)});
  for (const std::string& text : state.reading_notes) {
    if (text != kMaskOfWeights) notes.push_back({ResultNote::Level::Note, text});
  }
  return notes;
}

// With a capital, unless it begins with a name as documents write it.
std::string as_sentence(std::string text) {
  const std::string_view first = std::string_view(text).substr(0, text.find_first_of(" :"));
  const bool word =
      first.size() > 1 && std::ranges::all_of(first, [](char c) { return c >= 'a' && c <= 'z'; });
  if (word) text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

void notes(Ui& ui, const AppState& state) {
  const std::vector<ResultNote> all = all_notes(state);
  if (all.empty()) return;
  ImGui::Spacing();
  section_header(ui, "Worth knowing");
  std::size_t index = 0;
  for (const ResultNote& note : all) {
    const bool warning = note.level == ResultNote::Level::Warning;
    const std::string text = as_sentence(note.text);
    if (index > 0) ImGui::Spacing();
    rich_text(ui, text, kTextSize, warning ? ui_colors(ui.theme).warning : ui.colors().muted);
    ui.mark("inspector/note/" + std::to_string(index++), text);
  }
}

}  // namespace

std::vector<CellHit> inspected_cells(const AppState& state) {
  std::vector<CellHit> cells;
  if (!state.result) return cells;
  const LookedAt shown(state);
  const auto add = [&](const CellHit& cell) {
    const bool known = std::find(cells.begin(), cells.end(), cell) != cells.end();
    if (!known && is_there(shown.input(), cell)) cells.push_back(cell);
  };
  if (state.hover) add(*state.hover);
  for (const CellHit& pin : state.pins) add(pin);
  return cells;
}

std::string inspected_sentence(const AppState& state) {
  const std::vector<CellHit> cells = inspected_cells(state);
  if (cells.empty()) return "";
  return cell_sentence(LookedAt(state).input(), cells.front());
}

void inspector_panel(Ui& ui, const AppState& state, InspectorView& view) {
  section_header(ui, "Inspector");
  std::vector<CellHit> cells = inspected_cells(state);
  if (cells.empty()) {
    nothing_inspected(ui);
  } else {
    const LookedAt shown(state);
    const PlotInput input = shown.input();
    Inspection in{ui, input.document, input.result, std::move(cells), state.pins};
    sentences(in);
    chain(in);
    line_section(in, view);
    product_section(in);
  }
  notes(ui, state);
}

}  // namespace attn::gui
