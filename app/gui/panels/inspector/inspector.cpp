// Inspector panel: the inspected cells, their sentences, notes on the result, and numbers to copy.
#include "gui/panels/inspector/inspector.h"

#include <algorithm>
#include <vector>

#include "base/number_text.h"
#include "engine/matrix/matrix.h"
#include "figure/text.h"
#include "gui/panels/pane/figure_cache.h"
#include "gui/ui/style.h"
#include "plot/all_plots.h"
#include "plot/kit/names.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr double kFrameSeconds = 1.0 / 60.0;

bool is_there(const PlotInput& input, const CellHit& cell) {
  const MatrixPtr matrix = matrix_in(input, cell.matrix);
  if (matrix == nullptr) return false;
  const StageShape extents = matrix->extents();
  return cell.row < extents.rows && cell.col < extents.cols;
}

// Suggestions for a new document.
void new_document_hints(Ui& ui) {
  empty_hint(ui, "The tokens on the left can be renamed, and numbers typed or dragged in Inputs.");
  ImGui::Spacing();
  Flow flow;
  flow.next(button_width(ui, "Type a sentence…"));
  if (button(ui, "inspector/sentence_window", "Type a sentence…",
             {.tooltip = "Replaces the tokens by those of a text"})) {
    ui.send(command::ShowOverlay{Overlay::Sentence});
  }
  flow.next(button_width(ui, "Structure…"));
  if (button(ui, "inspector/structure", "Structure…",
             {.tooltip = "The kind of model, heads, widths, layers, samples"})) {
    ui.send(command::ShowOverlay{Overlay::Structure});
  }
  ImGui::Spacing();
}

// Description of the document and hints, while no cell is inspected.
void inspection_hints(Ui& ui, const AppState& state) {
  const std::string& about = state.document.description;
  if (!about.empty()) {
    const bool holds = is_described(state);
    if (!holds && !about.starts_with(kOfOtherNumbers)) {
      empty_hint(ui, kOfOtherNumbers);
      ui.mark("document/described_others");
    }
    rich_text(ui, about, kTextSize, holds ? ui.colors().ink : ui.colors().muted);
    ui.mark("document/description", about);
    ImGui::Spacing();
  }
  if (state.source_path.empty() && state.path.empty()) new_document_hints(ui);
  empty_hint(ui, "Point at a cell to see where its number comes from.");
  empty_hint(ui, "Click pins it, Shift-click pins a second one to compare, Esc lets go.");
  ImGui::Spacing();
  if (button(ui, "inspector/start_page", "More examples",
             {.tooltip = "The start page: recent files, and all examples"})) {
    ui.send(command::ShowOverlay{Overlay::Start});
  }
}

void sentences(Inspection& in, const PlotInput& input) {
  for (std::size_t i = 0; i < in.cells.size(); ++i) {
    if (in.cells.size() > 1) empty_hint(in.ui, in.tag(i));
    const std::string sentence = cell_sentence(input, in.cells[i]);
    rich_text(in.ui, in.ui.text(Wording::Fragment, sentence), kTextSize + (i == 0 ? 1 : 0),
              in.ui.colors().ink);
    in.ui.mark("inspector/sentence" + (i == 0 ? "" : "/" + std::to_string(i)), sentence);
  }
}

// Difference of the first two cells.
void difference(Inspection& in) {
  if (!in.numbers.difference) return;
  const std::string text =
      in.tag(0) + " − " + in.tag(1) + ": " + with_minus(short_text(*in.numbers.difference));
  rich_text(in.ui, text, kTextSize, in.ui.colors().ink);
  in.ui.mark("inspector/difference", text);
}

// Shown while a long row is read; the rest of the inspector follows in a later frame.
void await_row(Inspection& in) {
  empty_hint(in.ui, "Reading a row of " +
                        grouped_text(in.result.shape(in.focus().matrix.head).n_k) + " keys …");
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
    const bool is_past = text == kReadAsCausalNote && !document.mask.causal;
    if (text != kMaskOfWeightsNote && !is_past) notes.push_back({ResultNote::Level::Note, text});
  }
  return notes;
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
    rich_text(ui, ui.text(Wording::Explanation, text), kTextSize,
              warning ? ui_colors(ui.theme).warning : ui.colors().muted);
    ui.mark("inspector/note/" + std::to_string(index++), text);
  }
}

// --- Numbers to copy

constexpr CopiedPartInfo kParts[] = {{CopiedPart::Cell, "cell", "Cell", true},
                                     {CopiedPart::Row, "row", "Row", true},
                                     {CopiedPart::Column, "column", "Column", true},
                                     {CopiedPart::Matrix, "matrix", "Matrix", false}};

CellRange range_of(CopiedPart part, const CellHit& cell, const StageShape& extents) {
  switch (part) {
    case CopiedPart::Cell:
      return {cell.row, cell.col, 1, 1};
    case CopiedPart::Row:
      return {cell.row, 0, 1, extents.cols};
    case CopiedPart::Column:
      return {0, cell.col, extents.rows, 1};
    case CopiedPart::Matrix:
      break;
  }
  return {0, 0, extents.rows, extents.cols};
}

// Tokens as spelled in the document, so that pasting reads them back.
std::vector<std::string> side_labels(const Document& document, const MatrixId& matrix,
                                     std::optional<Side> side, const FeatureColumns& features,
                                     std::size_t first, std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t i = first; i < first + count; ++i) {
    labels.push_back(side ? tokens_of(document, *side, matrix.head)[i]
                          : feature_label(document.features, features, i));
  }
  return labels;
}

Result<NumberTable> read_part(const AppState& state, const CellHit& cell, CopiedPart part) {
  const LookedAt shown(state);
  const PlotInput input = shown.input();
  const MatrixPtr matrix = matrix_in(input, cell.matrix);
  if (matrix == nullptr) return usage_error("there are no numbers to copy");
  const CellRange range = range_of(part, cell, matrix->extents());
  if (range.rows * range.cols > kMaxCopiedNumbers) {
    return usage_error(grouped_text(range.rows * range.cols) + " numbers are too many to copy",
                       "copy a row, or write all of them with attnscope compute");
  }
  NumberTable table{range.rows, range.cols, std::vector<float>(range.rows * range.cols)};
  matrix->read(range, table.values.data());
  table.row_labels =
      side_labels(input.document, cell.matrix, row_side(cell.matrix), {}, range.row, range.rows);
  const FeatureColumns features =
      feature_columns(input.result.shape(cell.matrix.head), stage_info(cell.matrix.stage).columns);
  table.column_labels = side_labels(input.document, cell.matrix, column_side(cell.matrix), features,
                                    range.col, range.cols);
  return table;
}

}  // namespace

std::vector<CellHit> inspected_cells(const AppState& state) {
  std::vector<CellHit> cells;
  if (!state.result) return cells;
  std::vector<CellHit> wanted = state.pins;
  if (state.hover) wanted.insert(wanted.begin(), *state.hover);
  if (wanted.empty()) return cells;
  // Only cells of the hovered attention.
  const LookedAt shown(state);
  for (const CellHit& cell : wanted) {
    const bool known = std::find(cells.begin(), cells.end(), cell) != cells.end() ||
                       !cell.matrix.head.same_attention(wanted.front().matrix.head);
    if (!known && is_there(shown.input(), cell)) cells.push_back(cell);
  }
  return cells;
}

std::string inspected_sentence(const AppState& state) {
  const std::vector<CellHit> cells = inspected_cells(state);
  if (cells.empty()) return "";
  return cell_sentence(LookedAt(state).input(), cells.front());
}

std::string inspected_sum_text(const AppState& state, const SumFormat& format) {
  const std::vector<CellHit> cells = inspected_cells(state);
  if (cells.empty()) return "";
  const LookedAt shown(state);
  const FirstNumbers first = first_numbers(shown.input().document, cells.front().matrix.head);
  const std::vector<SumLine> lines = sum_of(shown.input().result, cells.front(), first);
  return lines.empty() ? "" : format.write(cell_sentence(shown.input(), cells.front()), lines);
}

void inspector_panel(Ui& ui, const AppState& state, InspectorView& view) {
  section_header(ui, "Inspector");
  std::vector<CellHit> cells = inspected_cells(state);
  if (cells.empty()) {
    inspection_hints(ui, state);
  } else {
    const LookedAt shown(state);
    const PlotInput input = shown.input();
    static const InspectedNumbers kNothingYet;
    const InspectedNumbers* numbers =
        view.memo.numbers(state, input.result, cells, view.by_position);
    Inspection in{ui,
                  input.document,
                  input.result,
                  std::move(cells),
                  state.pins,
                  numbers != nullptr ? *numbers : kNothingYet,
                  input.derivations};
    // A weight depends on the sum of its whole row.
    numbers != nullptr ? sentences(in, input) : await_row(in);
    difference(in);
    sum_section(in);
    output_section(in);
    line_section(in, view);
    product_section(in);
  }
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
