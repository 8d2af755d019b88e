// Inspector panel: the inspected cells with their numbers and sentences, notes on the result, and
// numbers to copy.
#include "gui/panels/inspector/inspector.h"

#include <cmath>
#include <new>

#include "attention/mask.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "engine/matrix/matrix.h"
#include "engine/terms.h"
#include "figure/text.h"
#include "gui/panels/pane/figure_cache.h"
#include "plot/kit/names.h"
#include "session/command.h"

namespace attn::gui {
namespace {

// Keeps the `most` largest magnitudes, largest first.
template <class Item, class Size>
void keep_largest(std::vector<Item>& items, std::size_t most, Size size) {
  const auto end = items.begin() + static_cast<std::ptrdiff_t>(std::min(most, items.size()));
  std::partial_sort(items.begin(), end, items.end(), [&](const Item& a, const Item& b) {
    const auto x = std::abs(size(a)), y = std::abs(size(b));
    return x != y ? x > y : a.index < b.index;
  });
  items.erase(end, items.end());
}

LargestTerms largest_of(std::vector<ScoreTerm> terms) {
  const std::size_t all = terms.size();
  if (all > kInspectedTerms) {
    keep_largest(terms, kInspectedTerms, [](const ScoreTerm& term) { return term.product(); });
    terms.shrink_to_fit();
  }
  return {std::move(terms), all};
}

// Difference of two cells of one stage and attention, in any heads.
std::optional<double> difference_of(const AttentionResult& result,
                                    const std::vector<CellHit>& cells) {
  if (cells.size() < 2) return std::nullopt;
  const CellHit &a = cells[0], &b = cells[1];
  const bool comparable =
      is_computed(a.matrix) && is_computed(b.matrix) && a.matrix.stage == b.matrix.stage;
  if (!comparable) return std::nullopt;
  const auto value = [&](const CellHit& cell) {
    return static_cast<double>(
        result.value(cell.matrix.stage, cell.matrix.head, cell.row, cell.col));
  };
  return value(a) - value(b);
}

// The largest magnitudes of the cell's row (its column if bars_are_rows), largest first or
// by position, without hidden and non-finite cells.
std::vector<Bar> line_bars(const AttentionResult& result, const CellHit& cell, bool by_position) {
  const StageShape extent = result.stage_shape(cell.matrix.stage, cell.matrix.head);
  const bool column = bars_are_rows(result, cell.matrix.stage);
  std::vector<float> line(column ? extent.rows : extent.cols);
  const CellRange range =
      column ? CellRange{0, cell.col, line.size(), 1} : CellRange{cell.row, 0, 1, line.size()};
  if (!line.empty()) result.read(cell.matrix.stage, cell.matrix.head, range, line.data());
  // A mask only marks given weights; recurrent models see hidden keys through other states.
  const bool masked =
      stage_info(cell.matrix.stage).role == StageRole::Scores && has_scores(result.problem());
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool hidden = masked && result.hidden(cell.matrix.head, cell.row, i) != kVisible;
    if (!hidden && std::isfinite(line[i])) bars.push_back({i, line[i]});
  }
  keep_largest(bars, kInspectedBars, [](const Bar& bar) { return bar.value; });
  if (by_position) std::ranges::sort(bars, {}, &Bar::index);
  return bars;
}

InspectedNumbers read_numbers(const AttentionResult& result, const std::vector<CellHit>& cells,
                              bool by_position) {
  InspectedNumbers numbers;
  for (const CellHit& cell : cells) {
    std::vector<SumLine> lines = sum_of(result, cell);
    if (!lines.empty()) numbers.sums.push_back(std::move(lines));
  }
  numbers.difference = difference_of(result, cells);
  const CellHit& first = cells.front();
  if (!is_computed(first.matrix)) return numbers;
  const HeadAddress& head = first.matrix.head;
  numbers.bars = line_bars(result, first, by_position);
  numbers.row = weights_row(result, first);
  if (has_chain(first)) {
    numbers.product = largest_of(score_terms(result, head, first.row, first.col));
  }
  numbers.output = largest_of(output_terms(result, first));
  numbers.linear =
      largest_of(linear_terms(result, first.matrix.stage, head, first.row, first.col).terms);
  return numbers;
}

// Reading longer rows takes more time than a frame has.
constexpr std::size_t kMaxKeysInFrame = 2048;

constexpr double kFrameSeconds = 1.0 / 60.0;

bool is_there(const PlotInput& input, const CellHit& cell) {
  const MatrixPtr matrix = matrix_in(input, cell.matrix);
  if (matrix == nullptr) return false;
  const StageShape extents = matrix->extents();
  return cell.row < extents.rows && cell.col < extents.cols;
}

void new_document_hints(Ui& ui) {
  empty_hint(ui, "Rename tokens on the left; type or drag numbers under Inputs.");
  ImGui::Spacing();
  Flow flow;
  flow.next(button_width(ui, "Type a sentence…"));
  button(ui, "inspector/sentence_window", "Type a sentence…",
         {.tooltip = "Replaces the tokens with those of a text",
          .sends = command::ShowOverlay{Overlay::Sentence}});
  flow.next(button_width(ui, "Structure…"));
  button(ui, "inspector/structure", "Structure…",
         {.tooltip = "The kind of model, heads, widths, layers, samples",
          .sends = command::ShowOverlay{Overlay::Structure}});
  ImGui::Spacing();
}

// Description of the document and hints, while no cell is inspected.
void inspection_hints(Ui& ui, const AppState& state) {
  const std::string& about = state.document.description;
  if (!about.empty()) {
    const bool holds = is_described(state);
    if (has_past_numbers(state)) {
      empty_hint(ui, kOfOtherNumbers);
      ui.mark("document/described_others");
    }
    rich_text(ui, about, kTextSize, holds ? ui.colors().ink : ui.colors().muted);
    ui.mark("document/description", about);
    ImGui::Spacing();
  }
  if (state.source_path.empty() && state.path.empty()) new_document_hints(ui);
  empty_hint(ui, "Point at a cell to see where its number comes from.");
  empty_hint(
      ui,
      "Click to pin a cell, Shift+click to pin a second one for comparison, Esc to release both.");
  ImGui::Spacing();
  button(ui, "inspector/start_page", "More examples",
         {.tooltip = "The start page: recent files, and all examples",
          .sends = command::ShowOverlay{Overlay::Start}});
}

void sentences(Inspection& in) {
  for (std::size_t i = 0; i < in.cells.size(); ++i) {
    if (in.cells.size() > 1) empty_hint(in.ui, in.tag(i));
    const std::string sentence = cell_sentence(in.input, in.cells[i]);
    rich_text(in.ui, in.ui.text(Wording::Fragment, sentence), kTextSize + (i == 0 ? 1 : 0),
              in.ui.colors().ink);
    in.ui.mark("inspector/sentence" + (i == 0 ? "" : "/" + std::to_string(i)), sentence);
  }
}

// Difference of the first two cells.
void difference(Inspection& in) {
  if (!in.numbers.difference) return;
  const double by = *in.numbers.difference;
  const std::string number = std::isinf(by) ? (by < 0.0 ? "−∞" : "∞") : with_minus(short_text(by));
  const std::string text = in.tag(0) + " − " + in.tag(1) + ": " + number;
  rich_text(in.ui, text, kTextSize, in.ui.colors().ink);
  in.ui.mark("inspector/difference", text);
}

// Shown while a long row is read; the rest of the inspector follows in a later frame.
void await_row(Inspection& in) {
  empty_hint(in.ui, "Reading a row of " +
                        grouped_text(in.input.result.shape(in.focus().matrix.head).n_k) +
                        " keys …");
  in.ui.mark("inspector/reading");
  in.ui.redraw_within(kFrameSeconds);
}

std::vector<ResultNote> all_notes(const AppState& state) {
  std::vector<ResultNote> notes;
  if (state.result) notes = state.result->notes(focused_view(state).options.at);
  const Document& document = state.document;
  const bool marks = !has_scores(document.model) && document.mask != Mask{};
  if (marks) notes.push_back({ResultNote::Level::Note, std::string(kMaskOfWeightsNote)});
  for (const std::string& text : state.reading_notes) {
    const bool is_past = text.ends_with(kReadAsCausalNote) && !document.mask.causal;
    if (text != kMaskOfWeightsNote && !is_past) notes.push_back({ResultNote::Level::Note, text});
  }
  return notes;
}

void notes(Ui& ui, const AppState& state) {
  const std::vector<ResultNote> all = all_notes(state);
  if (all.empty()) return;
  ImGui::Spacing();
  section_header(ui, "Notes");
  std::size_t index = 0;
  for (const ResultNote& note : all) {
    const bool warning = note.level == ResultNote::Level::Warning;
    const std::string text = as_sentence(note.text);
    if (index > 0) ImGui::Spacing();
    rich_text(ui, ui.text(Wording::Explanation, text), kTextSize,
              warning ? ui.colors().warning : ui.colors().muted);
    ui.mark("inspector/note/" + std::to_string(index++), text);
  }
}

// --- Numbers to copy

constexpr CopiedPartInfo kParts[] = {{CopiedPart::Cell, "cell", "Cell", true},
                                     {CopiedPart::Row, "row", "Row", true},
                                     {CopiedPart::Column, "column", "Column", true},
                                     {CopiedPart::Matrix, "matrix", "Matrix", false}};

CellRange range_of(CopiedPart part, const CellHit& cell, const StageShape& extents) {
  const bool rows = part == CopiedPart::Column || part == CopiedPart::Matrix;
  const bool cols = part == CopiedPart::Row || part == CopiedPart::Matrix;
  return {rows ? 0 : cell.row, cols ? 0 : cell.col, rows ? extents.rows : 1,
          cols ? extents.cols : 1};
}

// Tokens as spelled in the document, so that pasting reads them back. Null features: positions.
std::vector<std::string> side_labels(const Document& document, const MatrixId& matrix,
                                     std::optional<Side> side, const FeatureColumns* features,
                                     std::size_t first, std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t i = first; i < first + count; ++i) {
    labels.push_back(side       ? tokens_of(document, *side, matrix.head)[i]
                     : features ? feature_label(document.features, *features, i)
                                : std::to_string(i));
  }
  return labels;
}

Result<NumberTable> read_part(const AppState& state, const CellHit& cell, CopiedPart part) {
  const LookedAt shown(state);
  const PlotInput input = shown.input;
  const MatrixPtr matrix = matrix_in(input, cell.matrix);
  if (matrix == nullptr) return usage_error("there are no numbers to copy");
  const CellRange range = range_of(part, cell, matrix->extents());
  if (range.rows * range.cols > kMaxCopiedNumbers) {
    return usage_error(grouped_text(range.rows * range.cols) + " numbers are too many to copy",
                       "copy a row, or write all of them with attnscope compute");
  }
  NumberTable table{range.rows, range.cols, std::vector<float>(range.rows * range.cols)};
  matrix->read(range, table.values.data());
  table.row_labels = side_labels(input.document, cell.matrix, row_side(cell.matrix), nullptr,
                                 range.row, range.rows);
  const FeatureColumns features =
      feature_columns(input.result.shape(cell.matrix.head), stage_info(cell.matrix.stage).columns);
  table.column_labels = side_labels(input.document, cell.matrix, column_side(cell.matrix),
                                    &features, range.col, range.cols);
  return table;
}

}  // namespace

bool has_chain(const CellHit& cell) {
  return is_computed(cell.matrix) && stage_info(cell.matrix.stage).token_by_token();
}

bool bars_are_rows(const AttentionResult& result, Stage stage) {
  const StageShape extent = result.stage_shape(stage);
  return extent.cols == 1 && extent.rows > 1 && !stage_info(stage).token_by_token();
}

const InspectedNumbers* InspectorCache::numbers(const AppState& state,
                                                const AttentionResult& result,
                                                const std::vector<CellHit>& cells,
                                                bool by_position) {
  Key key{state.result, state.derivations.version(), cells, by_position};
  if (reading_.valid() && has_read()) {
    InspectedNumbers read = reading_.get();
    if (asked_ == key) {
      key_ = key;
      numbers_ = std::move(read);
    }
  }
  if (key_ == key) return &numbers_;
  const HeadAddress at = cells.empty() ? HeadAddress{} : cells.front().matrix.head;
  if (result.shape(at).n_k > kMaxKeysInFrame && std::ranges::any_of(cells, has_chain)) {
    if (reading_.valid()) return nullptr;  // a later frame tries again
    asked_ = key;
    reading_ = std::async(std::launch::async, [key = std::move(key), &result] {
      try {
        return read_numbers(result, key.cells, key.by_position);
      } catch (const std::bad_alloc&) {  // the rest of the inspector remains available
        return InspectedNumbers();
      }
    });
    return nullptr;
  }
  numbers_ = read_numbers(result, cells, by_position);
  key_ = std::move(key);
  return &numbers_;
}

std::vector<CellHit> inspected_cells(const AppState& state) {
  std::vector<CellHit> cells;
  if (!state.result) return cells;
  std::vector<CellHit> wanted = state.pins;
  if (state.hover) wanted.insert(wanted.begin(), *state.hover);
  if (wanted.empty()) return cells;
  // Takes only cells of the hovered attention.
  const LookedAt shown(state);
  for (const CellHit& cell : wanted) {
    const bool known = std::find(cells.begin(), cells.end(), cell) != cells.end() ||
                       !cell.matrix.head.same_attention(wanted.front().matrix.head);
    if (!known && is_there(shown.input, cell)) cells.push_back(cell);
  }
  return cells;
}

std::string inspected_sentence(const AppState& state) {
  const std::vector<CellHit> cells = inspected_cells(state);
  if (cells.empty()) return "";
  return cell_sentence(LookedAt(state).input, cells.front());
}

std::string inspected_equation(const AppState& state, const SumFormat& format) {
  const std::vector<CellHit> cells = inspected_cells(state);
  if (!state.result) return "";
  const LookedAt shown(state);
  if (!cells.empty()) return equation_of(shown.input, cells.front(), format.format);
  const FittedView view(shown.input, {focused_view(state).options, {}, {}});
  const auto account = shown_account(view);
  return account ? equation_of(shown.input, **account, format.format) : "";
}

std::string inspected_sum_text(const AppState& state, const SumFormat& format) {
  const std::vector<CellHit> cells = inspected_cells(state);
  if (cells.empty()) return "";
  const LookedAt shown(state);
  const std::vector<SumLine> lines = sum_of(shown.input.result, cells.front());
  return lines.empty() ? "" : format.write(cell_sentence(shown.input, cells.front()), lines);
}

void inspector_panel(Ui& ui, const AppState& state, InspectorView& view) {
  section_header(ui, "Inspector");
  std::vector<CellHit> cells = inspected_cells(state);
  const bool is_changed = state.document.what_if != Interventions{};
  if (cells.empty() && !is_changed) inspection_hints(ui, state);
  if (!cells.empty()) {
    const LookedAt shown(state);
    static const InspectedNumbers kNothingYet;
    const InspectedNumbers* numbers =
        view.memo.numbers(state, shown.input.result, cells, view.by_position);
    Inspection in{ui, shown.input, std::move(cells), state.pins,
                  numbers != nullptr ? *numbers : kNothingYet};
    // A weight depends on the sum of its whole row.
    numbers != nullptr ? sentences(in) : await_row(in);
    difference(in);
    sum_section(in);
    output_section(in);
    line_section(in, view);
    product_section(in);
  }
  what_if_section(ui, state, view);
  notes(ui, state);
}

std::span<const CopiedPartInfo> all_copied_parts() { return kParts; }

Result<NumberTable> copied_numbers(const AppState& state, CopiedPart part) {
  if (!state.result) return usage_error("nothing has been computed yet");
  const std::vector<CellHit> cells = inspected_cells(state);
  if (!cells.empty()) return read_part(state, cells.front(), part);
  if (part != CopiedPart::Matrix) {
    return usage_error("no cell is pointed at or pinned", "click one, then copy");
  }
  return read_part(state, {matrix_in_view(state), 0, 0}, part);
}

}  // namespace attn::gui
