// Puts a call together, flag by flag.
#include "session/export_call.h"

#include <array>
#include <charconv>

#include "plot/all_plots.h"
#include "session/reduce/handlers.h"
#include "view/fields.h"

namespace attn {
namespace {

std::string exact_text(double number) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), written.ptr};
}

void add(std::string& command, const std::string& word) { command += " " + shell_word(word); }

void add_field(std::string& command, const Field<ViewOptions>& field, const std::string& text) {
  std::string flag = spelt(field.name, Spelling::Flag);
  if (field.kind == FieldKind::Flag) {
    if (text == "false") flag.insert(2, "no-");
    return add(command, flag);
  }
  add(command, flag);
  add(command, text);
}

void add_options(std::string& command, const View& shown, const View& saved) {
  const PlotEntry* plot = plot_named(shown.plot);
  if (plot == nullptr) return;
  if (shown.plot != saved.plot) {
    add(command, "--plot");
    add(command, shown.plot);
  }
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias || !uses(*plot, field.name)) continue;
    if (!why_idle(*plot, shown.options, field.name).empty()) continue;
    const std::string text = field.get(shown.options);
    if (text != field.get(saved.options)) add_field(command, field, text);
  }
}

void add_part(std::string& command, const CellWindow& window) {
  if (window.rows <= 0.0) return;
  std::string numbers;
  for (const double number : {window.row, window.col, window.rows, window.cols}) {
    numbers += (numbers.empty() ? "" : ",") + exact_text(number);
  }
  add(command, "--part");
  add(command, numbers);
}

void add_paper(std::string& command, const ExportOptions& paper) {
  if (paper.dpi != ExportOptions{}.dpi) {
    add(command, "--dpi");
    add(command, exact_text(paper.dpi));
  }
  if (paper.transparent) add(command, "--transparent");
  if (!paper.outlines) return;
  add(command, "--text");
  add(command, "outlines");
}

// The document to compare with, where the plot does and it has a file.
void add_reference(std::string& command, const AppState& state) {
  if (!shown_plot_uses(state, Option::Minus) || state.reference == nullptr) return;
  const std::string& path = state.reference_source.path;
  if (path.empty() || path == state.file_reference) return;
  add(command, "--reference");
  add(command, path);
}

// What there is of the document for the call to read.
std::string document_word(const AppState& state) {
  if (!state.path.empty()) return state.path;
  return state.source_path.empty() ? "DOCUMENT.attn.json" : state.source_path;
}

std::string remark_of(const AppState& state) {
  if (state.path.empty() && state.source_path.empty()) {
    return "The document has no file yet: save it first";
  }
  if (has_unsaved_changes(state)) {
    return "The command uses the saved file; save to include your changes";
  }
  const bool compares = shown_plot_uses(state, Option::Minus) && state.reference != nullptr;
  if (compares && state.reference->path.empty()) {
    return "What it is compared with has no file yet: save that first";
  }
  return "";
}

}  // namespace

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string::npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

ExportCall export_call(const AppState& state, const std::string& path) {
  std::string command = "attnscope export";
  add(command, document_word(state));
  add(command, "-o");
  add(command, path);
  const View& shown = focused_view(state);
  add_options(command, shown, state.file_view);
  const PlotEntry* plot = plot_named(shown.plot);
  if (plot != nullptr && plot->fills_room) add_part(command, shown.options.window);
  for (const CellHit& pin : plot_options(state).pins) {
    add(command, "--pin");
    add(command, std::to_string(pin.row) + "," + std::to_string(pin.col));
  }
  add_paper(command, state.preferences.export_options);
  add_reference(command, state);
  return {command, remark_of(state)};
}

}  // namespace attn
