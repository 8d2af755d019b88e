// Queries of the state.
#include "session/state.h"

#include <algorithm>

#include "base/number_text.h"
#include "document/tensors/tensor_file.h"
#include "plot/all_plots.h"
#include "plot/charts/charts.h"

namespace attn {
namespace {

// Cell as the pane shows it: (q, k) in its token-by-token stage, or in the weights of plots about
// tokens; an unlinked pane shows it in its own head.
std::optional<CellHit> cell_in(const Pane& pane, CellHit cell) {
  const bool of_stage = uses(pane.view, Option::Stage);
  if ((!of_stage && !uses(pane.view, Option::Token)) || !is_computed(cell.matrix)) return cell;
  const ViewOptions& options = pane.view.options;
  const MatrixId shown{of_stage ? options.stage : Stage::Weights, options.at};
  const bool shared = same_axes(cell.matrix, shown);
  if (shared) cell.matrix.stage = shown.stage;
  if (shared && !pane.linked) cell.matrix.head = options.at;
  return cell.matrix.stage == shown.stage ? std::optional(cell) : std::nullopt;
}

}  // namespace

const std::string& origin_of(const OpenDocument& document) {
  return document.path.empty() ? document.source_path : document.path;
}

bool has_unsaved_changes(const OpenDocument& document) {
  return document.revision != document.saved_revision;
}

bool is_described(const OpenDocument& open) {
  const Document& now = open.document;
  if (now.description.empty() || open.described == nullptr) return !now.description.empty();
  if (is_in_lesson(open)) return !differs_from_lesson(open);
  const Document& then = *open.described;
  return now.query_tokens == then.query_tokens && now.key_tokens == then.key_tokens &&
         now.model == then.model && now.scoring == then.scoring && now.position == then.position &&
         (!has_scores(now.model) || std::ranges::all_of(all_masks(), [&](const MaskPlace& place) {
           return now.*place.mask == then.*place.mask;
         }));
}

bool has_past_numbers(const OpenDocument& open) {
  const std::string& about = open.document.description;
  return !is_described(open) && !is_of_other_numbers(about) &&
         about.find_first_of("0123456789") != about.npos;
}

bool needs_autosave(const AppState& state) {
  if (state.autosave_folder.empty()) return false;
  return std::ranges::any_of(open_documents(state), [&](const OpenDocument* document) {
    if (document->autosave.is_under_way) return false;
    const bool wanted = state.preferences.autosaves && has_unsaved_changes(*document);
    return document->autosave.revision != (wanted ? document->revision : 0);
  });
}

bool is_computing(const OpenDocument& open) {
  return open.result_revision != open.revision && !open.result_error;
}

bool is_covered(const AppState& state) {
  return state.overlay || state.dialog || state.question || state.recovery.is_open;
}

bool has_question(const AppState& state, FileObstacle obstacle) {
  const auto* question = state.question ? std::get_if<FileQuestion>(&*state.question) : nullptr;
  return question != nullptr && question->obstacle == obstacle;
}

AttentionShape shown_shape(const OpenDocument& open) {
  return shape_of(open.document, focused_view(open).options.at);
}

const Mask& shown_mask(const OpenDocument& open) {
  return mask_of(open.document, focused_view(open).options.at);
}

bool keys_are_queries(const OpenDocument& open) {
  return keys_are_queries(open.document, focused_view(open).options.at);
}

void drop_result(OpenDocument& document) {
  document.result.reset();
  document.result_document.reset();
}

std::string document_name(const OpenDocument& document) {
  const std::string name =
      document.path.empty() ? shown_title(document.document) : file_name(document.path);
  const auto& model = document.document.source_model;
  if (name.empty() && model) return file_name(model->folder);
  return name.empty() ? "Untitled" : name;
}

std::string tab_name(const AppState& state, const OpenDocument& document) {
  const auto name_of = [](const OpenDocument& open) {
    constexpr std::string_view kUsual = ".attn.json";
    std::string name = document_name(open);
    if (!open.path.empty() && name.ends_with(kUsual)) name.resize(name.size() - kUsual.size());
    return name;
  };
  std::string name = name_of(document);
  std::size_t alike = 0, before = 0;
  for (const OpenDocument* open : open_documents(state)) {
    if (open->id == document.id) before = alike;
    alike += name_of(*open) == name ? 1 : 0;
  }
  if (alike < 2) return name;
  const std::string folder = document.path.empty() ? "" : file_name(folder_of(document.path));
  return folder.empty() ? name + " (" + std::to_string(before + 1) + ")" : folder + "/" + name;
}

std::string window_title(const OpenDocument& open) {
  return (has_unsaved_changes(open) ? "* " : "") + document_name(open) + " – AttnScope";
}

const View& focused_view(const OpenDocument& open) {
  return pane_of(open.layout, open.focus)->view;
}

MatrixId matrix_in_view(const OpenDocument& open) {
  const ViewOptions& options = focused_view(open).options;
  const Stage stage = shown_plot_uses(open, Option::Stage) ? options.stage : Stage::Weights;
  return {stage, options.at};
}

bool uses(const View& view, Option option) {
  const PlotEntry* plot = plot_named(view.plot);
  return plot != nullptr && uses(*plot, option);
}

bool shown_plot_uses(const OpenDocument& open, Option option) {
  return uses(focused_view(open), option);
}

bool shows_flow(const OpenDocument& open) { return is_played(focused_view(open).plot); }

std::size_t steps_in_view(const OpenDocument& open) {
  const HeadAddress& at = focused_view(open).options.at;
  if (!shows_flow(open)) return shape_of(open.document, at).n_q;
  const PlotEntry& plot = *plot_named(focused_view(open).plot);
  return open.result ? std::max<std::size_t>(plot.steps(open.result->problem(), at), 1)
                     : kMostStorySteps;
}

double played_position(const OpenDocument& open) {
  const std::size_t steps = steps_in_view(open), step = focused_view(open).options.step;
  return static_cast<double>(step == 0 ? steps : std::min(step, steps)) - 1.0 + open.playing.glide;
}

std::string why_idle(const OpenDocument& open, std::string_view option) {
  const View& view = focused_view(open);
  const PlotEntry* plot = plot_named(view.plot);
  return plot == nullptr ? "" : why_idle(*plot, view.options, option);
}

std::string why_no_split(const AppState& state, PaneId pane, SplitDirection direction) {
  if (panes_of(state.layout).size() >= kMostPanes) return "There are 16 panes already";
  const auto size = size_of(state.layout, pane, state.plot_space);
  if (!size || size->width <= 0.0) return "";
  const bool beside = direction == SplitDirection::Right;
  const double half = (beside ? size->width : size->height) / 2.0;
  const double least = beside ? kLeastPane.width : kLeastPane.height;
  if (half >= least) return "";
  return std::string("Too ") + (beside ? "narrow" : "low") + " to split: half would be " +
         fixed_text(half, 0) + " px, a plot needs " + fixed_text(least, 0) +
         "; close a pane or enlarge this one";
}

PlotOptions plot_options(const OpenDocument& open) {
  return plot_options(open, *pane_of(open.layout, open.focus));
}

PlotOptions plot_options(const OpenDocument& open, const Pane& pane) {
  PlotOptions options{pane.view.options, {}, {}};
  options.on_screen = true;
  options.highlight = open.tensor_hover;
  options.pointed_layer = open.pointed_layer;
  options.reference = open.reference;
  if (pane.id == open.focus && is_played(pane.view.plot)) options.glide = open.playing.glide;
  if (open.reference == nullptr) options.no_reference = open.no_reference;
  options.pins = pins_in(pane, open.pins);
  return options;
}

std::vector<CellHit> pins_in(const Pane& pane, const std::vector<CellHit>& pins) {
  std::vector<CellHit> own;
  for (const CellHit& pin : pins) {
    if (const auto cell = cell_in(pane, pin)) own.push_back(*cell);
  }
  return own;
}

std::optional<CellHit> hovered_in(const OpenDocument& open, const Pane& pane) {
  return open.hover ? cell_in(pane, *open.hover) : std::nullopt;
}

std::vector<const OpenDocument*> open_documents(const AppState& state) {
  std::vector<const OpenDocument*> row;
  for (const OpenDocument& document : state.background) row.push_back(&document);
  row.insert(row.begin() + static_cast<std::ptrdiff_t>(state.place), &state);
  return row;
}

StageShape extents_in_view(const Document& document, const View& view) {
  return stage_shape(shape_of(document, view.options.at),
                     uses(view, Option::Stage) ? view.options.stage : Stage::Weights);
}

PartsOf parts_of(const Document& document, const View& view) {
  const StageShape extents = extents_in_view(document, view);
  return {extents.rows, extents.cols, uses(view, Option::FirstQuery)};
}

const Trail& trail_in_view(const OpenDocument& open) {
  static const Trail kNone;
  const auto memory = open.memories.find(open.focus);
  if (memory == open.memories.end()) return kNone;
  const Trail& trail = memory->second.trail;
  return trail.of == parts_of(open.document, focused_view(open)) ? trail : kNone;
}

}  // namespace attn
