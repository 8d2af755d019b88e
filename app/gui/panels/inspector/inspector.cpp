// The inspector: who is inspected, its sentence, and what else there is to
// know.
#include "gui/panels/inspector/inspector.h"

#include <algorithm>

#include "base/number_text.h"
#include "figure/text.h"
#include "gui/panels/inspector/inspection.h"
#include "gui/panels/pane/figure_cache.h"
#include "gui/ui/style.h"
#include "plot/all_plots.h"
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

// What nobody has saved or opened is to be made into something.
void beginnings(Ui& ui) {
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

// What there is to see, as long as nothing is pointed at.
void nothing_inspected(Ui& ui, const AppState& state) {
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
  if (state.source_path.empty() && state.path.empty()) beginnings(ui);
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
    rich_text(in.ui, in.ui.say(Wording::Fragment, sentence), kTextSize + (i == 0 ? 1 : 0),
              in.ui.colors().ink);
    in.ui.mark("inspector/sentence" + (i == 0 ? "" : "/" + std::to_string(i)), sentence);
  }
}

// What the first cell has more than the second.
void difference(Inspection& in) {
  if (!in.numbers.difference) return;
  const std::string text =
      in.tag(0) + " − " + in.tag(1) + ": " + with_minus(short_text(*in.numbers.difference));
  rich_text(in.ui, text, kTextSize, in.ui.colors().ink);
  in.ui.mark("inspector/difference", text);
}

// The rest of the inspector comes in one of the next frames.
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
    rich_text(ui, ui.say(Wording::Explanation, text), kTextSize,
              warning ? ui_colors(ui.theme).warning : ui.colors().muted);
    ui.mark("inspector/note/" + std::to_string(index++), text);
  }
}

}  // namespace

std::vector<CellHit> inspected_cells(const AppState& state) {
  std::vector<CellHit> cells;
  if (!state.result) return cells;
  std::vector<CellHit> wanted = state.pins;
  if (state.hover) wanted.insert(wanted.begin(), *state.hover);
  if (wanted.empty()) return cells;
  // Those of the attention that is pointed at.
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
    nothing_inspected(ui, state);
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
    // One weight of a row needs the sum of all of it.
    numbers != nullptr ? sentences(in, input) : await_row(in);
    difference(in);
    sum_section(in);
    output_section(in);
    line_section(in, view);
    product_section(in);
  }
  notes(ui, state);
}

}  // namespace attn::gui
