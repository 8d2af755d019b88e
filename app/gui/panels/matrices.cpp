// Input matrices as spreadsheets: editing, copying, pasting and filling.
#include "gui/panels/matrices.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "document/edit.h"
#include "gui/panels/controls/controls.h"
#include "numbers/number_table.h"
#include "session/command.h"

namespace attn::gui {
namespace {

constexpr float kNarrowPanel = 200.0F;  // units
constexpr std::size_t kMaxLinesOfButtons = 2;

// Few enough to leave space for the spreadsheet.
bool fits_as_buttons(Ui& ui, const TensorList& tensors) {
  const float space = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
  float line = 0.0F;
  std::size_t lines = 1;
  for (const TensorInfo& info : tensors) {
    const float width = button_width(ui, info.label);
    if (line > 0.0F && line + gap + width > space) ++lines, line = 0.0F;
    line += (line > 0.0F ? gap : 0.0F) + width;
  }
  return lines <= kMaxLinesOfButtons;
}

// Meaning of the matrix at the end of a path; "" for others.
std::string_view meaning(std::string_view path) {
  constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
      {"q", "queries, what each token looks for"},
      {"k", "keys, what each token is matched by"},
      {"v", "values, what each token contributes"},
      {"embeddings", "embeddings, a row for each token"},
      {"query_embeddings", "embeddings of the query tokens"},
      {"key_embeddings", "embeddings of the key tokens"},
      {"value_embeddings", "embeddings that values are made from"},
      {"w_q", "projection of embeddings to queries"},
      {"w_k", "projection of embeddings to keys"},
      {"w_v", "projection of embeddings to values"},
      {"w_o", "projection of the heads' outputs"},
      {"w_query", "what the score multiplies the query by"},
      {"w_key", "what the score multiplies the key by"},
      {"attention", "attention weights as given"}};
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const auto found = std::ranges::find(kMeanings, name, [](const auto& row) { return row.first; });
  return found == std::end(kMeanings) ? "" : found->second;
}

std::string tensor_help(const TensorInfo& info) {
  const std::string_view what = meaning(info.path);
  std::string sizes;
  for (const TensorAxis& axis : info.axes) {
    sizes += (sizes.empty() ? "" : " × ") + grouped_text(axis.count);
  }
  return "Shows " + info.label + (what.empty() ? "" : ": ") + std::string(what) + "; " + sizes +
         " numbers, in the document at " + info.path;
}

// Draws a coloured line below the last item to show its role.
void role_mark(const Ui& ui, Color role) {
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(min.x, max.y - ui.px(3)), max, to_imgui(role),
                                            ui.px(1.5F));
}

void tensor_buttons(Ui& ui, const MatrixRef& ref, const TensorList& tensors) {
  Flow flow;
  for (const TensorInfo& info : tensors) {
    flow.next(button_width(ui, info.label));
    button(ui, "inputs/" + info.label, info.label,
           {.tooltip = tensor_help(info),
            .on = ref.tensor == info.path,
            .sends = command::SelectMatrix{{info.path, ref.at}}});
    role_mark(ui, role_color(ui.colors(), info.role));
  }
}

void tensor_menu(Ui& ui, const MatrixRef& ref, const TensorList& tensors) {
  const auto found = std::ranges::find(tensors, ref.tensor, &TensorInfo::path);
  const std::size_t selected =
      found == tensors.end() ? 0 : static_cast<std::size_t>(found - tensors.begin());
  const auto chosen = combo(ui, "inputs/tensor", names_of(tensors, &TensorInfo::label), selected,
                            0.0F, "Matrix whose numbers are shown below");
  role_mark(ui, role_color(ui.colors(), tensors[selected].role));
  if (chosen) ui.send(command::SelectMatrix{{tensors[*chosen].path, ref.at}});
}

void address_selectors(Ui& ui, const AppState& state, const TensorInfo& info) {
  const MatrixRef& ref = state.grid.matrix;
  HeadAddress counts = counts_of(info);
  if (info.block) counts.layer = shape_of(state.document).layers;  // blocks count as layers
  HeadAddress at = ref.at;
  at.layer = info.block.value_or(at.layer);
  const bool shared = info.has_axis(Extent::KeyHeads);
  Flow flow;
  for (const auto& [noun, name, part] :
       {std::tuple("Layer", "inputs/layer", &HeadAddress::layer),
        std::tuple("Sample", "inputs/sample", &HeadAddress::sample),
        std::tuple(shared ? "Key-value head" : "Head", "inputs/head", &HeadAddress::head)}) {
    const std::size_t count = counts.*part;
    if (count < 2) continue;
    AttentionShape numbered{.layers = count};
    if (part == &HeadAddress::layer) numbered.layer_numbers = state.document.layer_numbers;
    flow.next(numbered_choice_width(ui, noun, numbered));
    const std::size_t current = std::min(at.*part, count - 1);
    if (const auto chosen = numbered_choice(ui, name, noun, numbered, current)) {
      at.*part = *chosen;
      ui.send(command::SelectMatrix{{in_block(ref.tensor, at.layer), at}});
    }
  }
}

constexpr const char* kFactor = "inputs/factor";

// Edits the factor without applying it, because intermediate factors would each scale the matrix.
// Returns true when Enter applies it.
bool factor_field(Ui& ui, MatricesView& view) {
  const FieldValue value{.label = "Factor",
                         .help = "Factor for every number of the matrix",
                         .kind = FieldKind::Number,
                         .text = shortest_text(view.factor_value),
                         .problem = number_problem,
                         .limits = {.unit = "a factor"}};
  const FieldInteraction& typing = view.factor[kFactor];
  const bool was_editing = typing.editing;
  const auto text = field_row(ui, kFactor, value, view.factor, 0.0F,
                              {.width = 72, .focus = std::exchange(view.focus_factor, false)});
  if (text) view.factor_value = *parse_number(*text);
  if (typing.problem.empty()) ImGui::SameLine();
  const bool entered = was_editing && !typing.editing && enter_pressed();
  return entered && (text || view.factor_value != 1.0F);
}

void factor_row(Ui& ui, const AppState& state, MatricesView& view) {
  if (!view.scaling) return;
  const bool entered = factor_field(ui, view);
  // The buttons are below if they do not fit on this line.
  if (ImGui::GetContentRegionAvail().x < button_width(ui, "Scale")) ImGui::NewLine();
  const bool pressed = button(ui, "inputs/apply_factor", "Scale",
                              {.tooltip = "Multiplies every number by the factor",
                               .enabled = view.factor[kFactor].problem.empty(),
                               .disabled_reason = "Type a number first"});
  if (entered || pressed) {
    ui.send(command::ScaleMatrix{state.grid.matrix, view.factor_value});
    view.scaling = false;
  }
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < button_width(ui, "Cancel")) ImGui::NewLine();
  if (button(ui, "inputs/cancel_factor", "Cancel", {.tooltip = "Keeps the numbers unchanged"})) {
    view.scaling = false;
    view.factor = {};
  }
}

void begin_scaling(MatricesView& view) {
  view.scaling = true;
  view.factor = {};
  view.factor_value = 1.0F;
  view.focus_factor = true;
}

// Draws the menu that fills, scales or reshapes a whole matrix, which is seldom needed.
void more_menu(Ui& ui, const AppState& state, MatricesView& view, bool has_matrix) {
  constexpr const char* kName = "inputs/more";
  constexpr std::tuple<const char*, const char*, Fill, const char*> kFills[] = {
      {"Random", "inputs/random", Fill::RandomNormal,
       "Fills the matrix with normally distributed random numbers; choose again for others"},
      {"Zeros", "inputs/zeros", Fill::Zeros, "Fills the matrix with zeros"},
      {"Identity", "inputs/identity", Fill::Identity, "Ones on the diagonal, zeros elsewhere"},
  };
  if (has_matrix && ui.take_request("inputs/scale")) begin_scaling(view);
  if (button_beside(ui, kName, "⋯", "Fills or scales the matrix; the structure of the model",
                    ui.px(6))) {
    ImGui::OpenPopup(kName);
  }
  if (!ImGui::BeginPopup(kName)) return;
  for (const auto& [label, name, fill, help] : kFills) {
    menu_item(ui, name, label,
              {.tooltip = help,
               .enabled = has_matrix,
               .sends = command::FillMatrix{state.grid.matrix, fill}});
  }
  if (menu_item(ui, "inputs/scale", "Scale…",
                {.tooltip = "Multiplies every number by a factor", .enabled = has_matrix})) {
    begin_scaling(view);
  }
  ImGui::Separator();
  menu_item(ui, "inputs/structure", "Structure…",
            {.tooltip = "The kind of model, heads, widths, layers, samples",
             .shortcut = "Ctrl+Shift+D",
             .sends = command::ShowOverlay{Overlay::Structure}});
  ImGui::EndPopup();
}

void send_edits(Ui& ui, const AppState& state, const MatrixView& matrix, const GridEvents& events) {
  const MatrixRef& ref = state.grid.matrix;
  // Page Up and Page Down turn the pages of a lesson.
  const bool pages =
      is_in_lesson(state) && (key_pressed(keys::kPageUp) || key_pressed(keys::kPageDown));
  for (const auto& move : {events.move, events.then}) {
    if (move && !pages) ui.send(*move);
  }
  if (events.edit) {
    command::SetCell edit = *events.edit;
    edit.matrix = ref;
    ui.send(edit);
  }
  if (events.copy) ImGui::SetClipboardText(selected_block_text(state).c_str());
  if (events.paste) ui.send(paste_at_selection(state, clipboard_text()));
  if (events.clear) {
    const CellRange s = selection_of(state.grid, matrix.rows, matrix.cols);
    ui.send(command::SetBlock{ref, s.row, s.col, s.rows, s.cols,
                              std::vector<float>(s.rows * s.cols, 0.0F), "clear"});
  }
}

// Reads the labels of the current document, with tokens spelled as in the focused pane.
void read_labels(const AppState& state, MatricesView& view) {
  const bool as_written = focused_view(state).options.tokens_as_written;
  const std::uint64_t version = 2 * state.revision + (as_written ? 1 : 0);
  if (std::exchange(view.labels_version, version) == version) return;
  view.rows = row_labels(state.document, state.grid.matrix);
  view.columns = column_labels(state.document, state.grid.matrix);
  if (as_written) view.rows = view.rows.as_written();
  if (as_written) view.columns = view.columns.as_written();
}

void ask_name(const AppState& state, MatricesView& view, std::size_t col) {
  const FeatureColumns columns = column_features(state.document, state.grid.matrix);
  const std::string* name = feature_name(state.document.features, columns, col);
  begin_naming(view.grid, col, name == nullptr ? "" : *name);
}

void grid(Ui& ui, const AppState& state, const TensorInfo& info, MatricesView& view) {
  const MatrixRef& ref = state.grid.matrix;
  const MatrixView matrix = matrix_of(state.document, ref);
  if (view.grid_of != ref || view.document != state.id) {
    view.grid = {};
    view.document = state.id;
    view.grid_of = ref;
    view.labels_version.reset();
  }
  read_labels(state, view);
  GridView shown;
  shown.matrix = matrix;
  shown.row_labels = &view.rows;
  shown.column_labels = &view.columns;
  shown.version = view.labels_version;
  shown.names_columns = can_name_columns(state);
  shown.role = role_color(ui.colors(), info.role);
  shown.cursor = state.grid;
  if (ui.take_request("inputs/column_name") && shown.names_columns) {
    ask_name(state, view, std::min(state.grid.col, matrix.cols - 1));
  }
  const ImVec2 space = ImGui::GetContentRegionAvail();
  ImGui::BeginChild("inputs/grid_area", ImVec2(space.x, std::max(space.y, ui.px(160))));
  const GridEvents events =
      matrix_grid(ui, "inputs/grid", shown, view.grid, ImGui::GetContentRegionAvail());
  ImGui::EndChild();
  send_edits(ui, state, matrix, events);
  if (events.named) {
    const FeatureColumns columns = column_features(state.document, ref);
    const std::size_t feature = columns.feature_of(*events.named);
    if (columns.axis) ui.send(command::RenameFeature{*columns.axis, feature, view.grid.text});
  }
  if (events.asks_name) ask_name(state, view, *events.asks_name);
}

}  // namespace

std::string selected_block_text(const AppState& state) {
  const MatrixView matrix = matrix_of(state.document, state.grid.matrix);
  if (matrix.rows == 0 || matrix.cols == 0) return "";
  const CellRange s = selection_of(state.grid, matrix.rows, matrix.cols);
  return tsv_text(cut_table(matrix, s.row, s.col, s.rows, s.cols));
}

bool can_fill(const AppState& state, bool down) {
  const MatrixView matrix = matrix_of(state.document, state.grid.matrix);
  if (matrix.rows == 0 || matrix.cols == 0) return false;
  const CellRange s = selection_of(state.grid, matrix.rows, matrix.cols);
  return (down ? s.rows : s.cols) > 1;
}

Command fill_selection(const AppState& state, bool down) {
  const MatrixView matrix = matrix_of(state.document, state.grid.matrix);
  const CellRange s = selection_of(state.grid, matrix.rows, matrix.cols);
  std::vector<float> values;
  for (std::size_t row = s.row; row < s.row + s.rows; ++row) {
    for (std::size_t col = s.col; col < s.col + s.cols; ++col) {
      values.push_back(down ? matrix.at(s.row, col) : matrix.at(row, s.col));
    }
  }
  return command::SetBlock{state.grid.matrix,
                           s.row,
                           s.col,
                           s.rows,
                           s.cols,
                           std::move(values),
                           down ? "fill down" : "fill right"};
}

bool can_name_columns(const AppState& state) {
  return column_features(state.document, state.grid.matrix).axis.has_value();
}

Command paste_at_selection(const AppState& state, std::string text) {
  const GridState& grid = state.grid;
  return command::PasteText{grid.matrix, std::min(grid.row, grid.anchor_row),
                            std::min(grid.col, grid.anchor_col), std::move(text)};
}

void matrices_panel(Ui& ui, const AppState& state, MatricesView& view) {
  section_header(ui, "Inputs");
  const MatrixRef& ref = state.grid.matrix;
  const TensorList tensors =
      editable_tensors(state.document, block_of_path(ref.tensor).value_or(ref.at.layer));
  const std::optional<TensorInfo> info = tensor_at(state.document, ref.tensor);
  const auto& error = state.result_error;
  const bool lost = error && !error->file.empty();  // its file has changed
  const bool has_matrix = info && info->is_there() && !lost;
  more_menu(ui, state, view, has_matrix);
  const auto draw = fits_as_buttons(ui, tensors) ? tensor_buttons : tensor_menu;
  draw(ui, ref, tensors);
  if (lost) return problem_text(ui, describe(*error), "inputs/problem");
  if (!has_matrix) return;
  address_selectors(ui, state, *info);
  factor_row(ui, state, view);
  const MatrixView matrix = matrix_of(state.document, ref);
  const std::string shape =
      info->label + " " + shape_text({matrix.rows, matrix.cols}) +
      (ImGui::GetContentRegionAvail().x < ui.px(kNarrowPanel) ? ""
                                                              : ": drag a cell or type a number");
  empty_hint(ui, shape);
  ui.mark("inputs/shape", shape_text({matrix.rows, matrix.cols}));
  if (!state.lesson.concealed.empty() && ref.tensor.ends_with("attention")) {
    return empty_hint(ui, "The lesson asks about these numbers: reveal them first");
  }
  grid(ui, state, *info, view);
}

}  // namespace attn::gui
