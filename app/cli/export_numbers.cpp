// Writes the numbers that a plot shows: the matrices of its view, in the formats of compute.
#include <algorithm>
#include <memory>

#include "base/joined.h"
#include "cli/export_panels.h"
#include "kinds/parts/atlas.h"
#include "kinds/parts/logits.h"
#include "plot/all_plots.h"
#include "plot/charts/charts.h"
#include "plot/kit/cells.h"
#include "plot/kit/token_lines.h"
#include "plot/maps/maps.h"

namespace attn::cli {
namespace {

// Plots of whole matrices or of lines of them.
constexpr std::string_view kPlots[] = {"heatmap",   "heads",   "links",      "token",
                                       "measures",  "derived", "difference", "alignment",
                                       "distances", "next",    "atlas"};

// Options that choose numbers; all others change a picture.
constexpr OptionSet kChoosing = Option::Stage | Option::Attention | Option::Layer | Option::Sample |
                                Option::Head | Option::Matrix | Option::Residual |
                                Option::WithoutFirst | Option::AllSamples | Option::Layers |
                                Option::Heads | Option::Token | Option::Step | Option::Minus |
                                Option::MinusStage | Option::MinusLayer | Option::MinusSample |
                                Option::MinusHead | Option::Show | Option::FromReference;

Status check_plot(const std::string& name, const FigureRequest& request) {
  if (std::ranges::count(kPlots, name) == 0) {
    return usage_error(
        "the plot " + name + " has no matrices to write as numbers",
        "name one of " + joined(std::span(kPlots)) + ", or see attnscope compute --help");
  }
  std::string flag = !request.pins.empty() ? "--pin" : !request.layout.empty() ? "--layout" : "";
  // The figure has the numbers of both; a file has those of the document.
  if (name == "next" && !request.reference.empty()) flag = "--reference";
  for (const Setting& setting : request.settings) {
    const bool chooses = kChoosing.contains(*option_named(setting.field->name));
    if (!chooses) flag = spelt(setting.field->name, Spelling::Flag);
  }
  if (flag.empty()) return ok_status();
  return usage_error(flag + " changes a picture, not its numbers", "leave out " + flag);
}

// Returns the request of a figure with this stage, and the first number of each list.
FigureRequest first_of(FigureRequest request, const std::string& stage,
                       const AttentionShape& shape) {
  if (setting_of(request, "stage") != nullptr) set_text(request, "stage", stage);
  for (const NumberedAxis& axis : numbered_axes()) {
    const Setting* const setting = setting_of(request, axis.name);
    if (setting == nullptr) continue;
    std::string first = setting->text.substr(0, setting->text.find_first_of(",-", 1));
    if (first == kAllHeads) first = std::to_string(number_at(axis, shape, 0));
    set_text(request, axis.name, first);
  }
  return request;
}

// A plot with its options, fitted to a document, and the lists of a request.
struct Shown : FittedView {
  const PlotEntry& plot;
  const FigureRequest& request;

  // Returns the numbers along the axis as text; "" for all.
  std::string chosen_of(const NumberedAxis& axis) const {
    const std::string several = std::string(axis.name) + "s";
    if (std::string listed = text_of(request, axis.name); !listed.empty()) return listed;
    if (uses(plot, several)) return plot_option_named(several)->get(options);
    const bool is_all =
        several == "samples" && uses(plot, Option::AllSamples) && options.all_samples;
    if (is_all || !uses(plot, axis.name)) return "";
    return std::to_string(number_at(axis, result.shape(), options.at.*axis.at));
  }

  // Returns "self_scores", "rollout", "measures".
  std::string matrix_name() const {
    const bool is_stage = uses(plot, Option::Stage);
    if (plot.name == "next") return "logits";
    const bool is_of_heads =
        plot.name == "measures" || plot.name == "distances" || plot.name == "atlas";
    std::string name(is_stage                     ? stage_info(options.stage).name
                     : uses(plot, Option::Matrix) ? derived_info(options.derived).name
                     : is_of_heads                ? plot.name
                                                  : "weights");
    const HeadAddress attention = options.at.moved_to(0, 0, 0);
    const bool is_around = is_stage && stage_info(options.stage).around_attention();
    if (is_around || attention == HeadAddress{}) return name;
    return std::string(attention_info(attention).name) + "_" + name;
  }
};

// Returns the line of a token, the steps that are drawn, or the part that --part names.
CellRange part_in_view(const Shown& shown, const StageShape& extents) {
  const PlotOptions& options = shown.options;
  CellRange part{0, 0, extents.rows, extents.cols};
  std::optional<TokenHit> token;
  if (shown.plot.name == "links") token = focus_of_links(shown);
  if (shown.plot.name == "token") token = token_in_view(shown, false);
  if (shown.plot.name == "next") token = TokenHit{Side::Query, 0, place_of_next(shown)};
  if (token) {
    (token->side == Side::Query ? part.row : part.col) = token->index;
    (token->side == Side::Query ? part.rows : part.cols) = 1;
  }
  if (uses(shown.plot, Option::Step) && options.step > 0)
    part.rows = std::min(options.step, part.rows);
  if (!shown.plot.fills_room) return part;
  const CellWindow window = whole_cells(clamped_window(options.window, extents));
  return {static_cast<std::size_t>(window.row), static_cast<std::size_t>(window.col),
          static_cast<std::size_t>(window.rows), static_cast<std::size_t>(window.cols)};
}

// Lets an atlas put in the heads of the reference, if its plot does.
Status put_in_reference(ChosenMatrices& chosen, const Shown& shown) {
  if (shown.plot.name != "atlas" || !shown.options.from_reference) return ok_status();
  if (shown.options.reference == nullptr) {
    return usage_error("--from-reference puts in the heads of another document",
                       "name it with --reference");
  }
  chosen.other = shown.options.reference->result;
  ++chosen.extents.cols;
  const std::string why = why_no_patching(shown.result.problem(), chosen.other->problem());
  return why.empty() ? ok_status() : Status(usage_error(why));
}

Result<ChosenMatrices> chosen_in(const Shown& shown) {
  const AttentionProblem& problem = shown.result.problem();
  FigureRequest request;
  set_text(request, "stage", shown.matrix_name());
  auto all = chosen_matrices(request, problem, "");
  for (const NumberedAxis& axis : numbered_axes()) {
    if (!all) return all.error();
    const bool joins = is_joined(all->front(), axis);
    set_text(request, axis.name, joins ? text_of(shown.request, axis.name) : shown.chosen_of(axis));
  }
  all = chosen_matrices(request, problem, "");
  if (!all) return all.error();
  ChosenMatrices& chosen = all->front();
  const bool predicts = nothing_predicted(problem).empty();
  if (shown.plot.name == "atlas" && predicts) chosen.place = place_of_next(shown);
  if (const Status put = put_in_reference(chosen, shown); !put) return put.error();
  if (uses(shown.plot, Option::Matrix)) chosen.id = derived_id(shown.options, chosen.id.head);
  const CellRange part = part_in_view(shown, chosen.extents);
  if (part != CellRange{0, 0, chosen.extents.rows, chosen.extents.cols}) chosen.part = part;
  chosen.extents = {part.rows, part.cols};
  return chosen;
}

// Returns the document of the matrix that is subtracted.
std::shared_ptr<const Computed> subtracted_document(const MatrixId& id, const Shown& shown,
                                                    const Computed& of) {
  const ReferencePtr& other = shown.options.reference;
  return std::make_shared<const Computed>(
      is_computed(id) ? of : Computed{*other->document, other->result});
}

// Subtracts the matrices that the view subtracts.
Status add_subtracted(ChosenMatrices& chosen, const Shown& shown, const Computed& of) {
  if (shown.options.show == Compared::A) return ok_status();
  if (shown.options.show == Compared::B) {
    return usage_error("B alone is not written as numbers",
                       "choose its head or document, or --show difference");
  }
  Subtracted less{nullptr, chosen};
  FittedView view = shown;
  for (const NumberedAxis& axis : numbered_axes()) {
    for (std::size_t& index : less.chosen.*axis.chosen) {
      view.options.at = shown.options.at;
      view.options.at.*axis.at = index;
      const Result<MatrixId> id = subtracted_matrix(view);
      if (!id) return id.error();
      index = id->head.*axis.at;
      less.chosen.id.stage = id->stage;
      if (!less.of) less.of = subtracted_document(*id, shown, of);
    }
  }
  chosen.less = std::make_shared<const Subtracted>(std::move(less));
  return ok_status();
}

// Returns the matrices that a figure with the lists of a request shows.
Result<ChosenMatrices> chosen_in(const FigureSpec& spec, const FigureRequest& request,
                                 const Computed& of) {
  const PlotEntry& plot = *plot_named(spec.plot);
  const std::string nothing = why_nothing(plot, *of.result, spec.options.at);
  if (!nothing.empty()) return usage_error(nothing, std::string(plot.remedy));
  const Shown shown{{{of.document, *of.result}, spec.options}, plot, request};
  auto chosen = chosen_in(shown);
  if (!chosen || !uses(plot, Option::Minus)) return chosen;
  const Status added = add_subtracted(*chosen, shown, of);
  return added ? chosen : added.error();
}

// Chooses the matrices that figures of these files would show.
Status choose_shown(References& references, std::vector<RequestedFile>& files,
                    const OutputFormat& format, Computed& of, Context& context) {
  const FigureRequest& all = files.front().request;
  const View view = focused_view(of.document.panes.value_or(Panes{}));
  if (Status good = check_plot(all.plot.empty() ? view.plot : all.plot, all); !good) return good;
  std::vector<RequestedFile> drawn;
  std::vector<RequestedFile*> files_of;  // of each of them
  for (RequestedFile& file : files) {
    for (const std::string& stage : split(text_of(file.request, "stage"), ',')) {
      drawn.push_back({first_of(file.request, stage, shape_of(of.document))});
      files_of.push_back(&file);
    }
  }
  const auto figures = specified(drawn, {}, of.document, references, context);
  if (!figures) return figures.error();
  of.result = figures->result;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const FigureSpec& spec = figures->specs[i];
    for (const std::string& remark : spec.remarks) context.console.message(remark);
    auto chosen = chosen_in(spec, files_of[i]->request, of);
    if (!chosen) return chosen.error();
    files_of[i]->chosen.push_back(*std::move(chosen));
  }
  return check_format(files, format, of.document, context);
}

}  // namespace

Result<int> export_numbers(const FigureRequest& request, Context& context) {
  const Status good = request.plot.empty() ? ok_status() : check_plot(request.plot, request);
  if (!good) return good.error();
  References references;
  return print_numbers(request, context,
                       [&](auto&&... of_file) { return choose_shown(references, of_file...); });
}

}  // namespace attn::cli
