// Sets options of plots from requests, and checks them with the document and its result.
#include "cli/export_panels.h"

#include <charconv>
#include <cmath>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "cli/selection.h"
#include "cli/token_names.h"
#include "document/load/open.h"
#include "document/tensors/tensor_file.h"
#include "engine/matrix/layer_flow.h"
#include "engine/matrix/matrix.h"
#include "plot/all_plots.h"
#include "plot/colors/color_range.h"
#include "text/nearest.h"
#include "view/length.h"

namespace attn::cli {
namespace {

// Refuses a flag that the plot does not use; plots that use `field` are named as having it.
Error unused(const PlotEntry& plot, const std::string& flag, std::string_view field) {
  Error error = usage_error("the " + std::string(plot.name) + " plot has no option " + flag);
  const std::string_view near = nearest(field, names_of(plot.options));
  if (!near.empty()) error.expected = "such as " + spelt(near, Spelling::Flag);
  for (const PlotEntry& other : all_plots()) {
    if (!uses(other, field)) continue;
    error.hint +=
        (error.hint.empty() ? "it is an option of --plot " : ", ") + std::string(other.name);
  }
  return error;
}

// Refuses options that have no effect on the plot.
Status check_used(const PlotEntry& plot, const FigureRequest& request) {
  for (const Setting& setting : request.settings) {
    if (!is_used(setting, plot)) return unused(plot, flag_of(setting), setting.field->name);
  }
  if (request.part.empty() || shows_part(plot)) return ok_status();
  return usage_error("the " + std::string(plot.name) + " plot has no part of a matrix to show",
                     "leave out --part");
}

// Converts pixels to points by the dots of this file, so that a PNG has its --width in px.
std::string with_dots(const Setting& setting, double dpi) {
  const bool in_pixels = setting.field->is_length && setting.text.ends_with("px");
  const std::optional<double> points = in_pixels ? points_of(setting.text, dpi) : std::nullopt;
  return points ? shortest_text(static_cast<float>(*points)) : setting.text;
}

bool may_name_tokens(const Setting& setting) {
  const std::string_view name = setting.field->name;
  return name == "token" || name == "first_query" || name == "first_key";
}

// Sets options in the order of the fields, so that the sample is known whose tokens are named;
// names are left out without a document.
Status apply_settings(ViewOptions& options, const PlotEntry& plot, std::vector<Setting> settings,
                      double dpi, const Document* document = nullptr) {
  std::ranges::stable_sort(settings, {}, &Setting::field);
  for (const Setting& setting : settings) {
    const bool has_names = may_name_tokens(setting);
    if (has_names && document == nullptr) continue;
    const Result<std::string> text =
        has_names ? with_number(setting.field->name, setting.text, *document, options.at)
                  : with_dots(setting, dpi);
    const Status set =
        text ? field_of(setting, plot).set(options, *text, Spelling::Flag) : text.error();
    if (set) continue;
    Error error = set.error();
    if (error.hint.empty()) error.hint = did_you_mean(setting.text, setting.field->choices);
    return error;
  }
  return ok_status();
}

// Returns the axis of which the setting is a number, or null.
const NumberedAxis* axis_of(const Setting& setting) {
  const std::string_view name = setting.field->name;  // "layer", "minus_layer"
  const auto axes = numbered_axes();
  const auto found = std::ranges::find(axes, name.substr(name.find('_') + 1), &NumberedAxis::name);
  return found == axes.end() ? nullptr : &*found;
}

// Checks indices by the document's bounds, before options are checked by those of all documents.
Status check_indices(const FigureRequest& request, const AttentionShape& shape) {
  for (const Setting& setting : request.settings) {
    const NumberedAxis* const axis = axis_of(setting);
    if (axis == nullptr) continue;
    const AttentionShape of = as_layers(*axis, shape);
    const Result<std::int64_t> number = parse_integer(setting.text);
    const bool is_number = number && *number >= 0;
    if (is_number && layer_numbered(of, static_cast<std::uint64_t>(*number), 0)) continue;
    const std::string only = std::to_string(layer_number(of, 0, 0)) + ", the only one";
    return Error{.kind = ErrorKind::Usage,
                 .message = "there is no " + std::string(axis->name) + " " + setting.text,
                 .expected = spelt(setting.field->name, Spelling::Flag) + " " +
                             (of.layers == 1 ? only : layer_numbers_text(of, 0))};
  }
  return ok_status();
}

// Refuses a given attention that the document lacks, or that is its only one.
Status check_attention(const Panel& panel, const AttentionResult& result) {
  const std::span<const AttentionInfo> attentions = attentions_of(result.problem());
  const bool is_one = attentions.size() == 1;
  if (!panel.has("attention") || (!is_one && has(attentions, panel.options.at))) return ok_status();
  return Error{.kind = ErrorKind::Usage,
               .message = is_one ? "this document has one attention only"
                                 : "this document has no such attention",
               .expected = is_one ? "--attention with the blocks of a decoder"
                                  : joined(attentions, ", ", &AttentionInfo::name)};
}

Status check_stage(const Panel& panel, const AttentionResult& result) {
  const PlotOptions& options = panel.options;
  if (!panel.has("stage") || result.has(options.stage, options.at)) return ok_status();
  const auto name_of = [](Stage stage) { return stage_info(stage).name; };
  return Error{
      .kind = ErrorKind::Usage,
      .message = "this document has no stage " + std::string(stage_info(options.stage).name),
      .expected = joined(result.stages(options.at), ", ", name_of)};
}

// Refuses given options that would change nothing.
Status check_idle(const Panel& panel, const PlotOptions& fitted) {
  const PlotEntry& plot = *panel.plot;
  const bool of_weights = fitted.range != ColorSpan::Automatic && fitted.range != ColorSpan::Head &&
                          fitted.range != ColorSpan::Heads;
  for (const Setting& setting : panel.request.settings) {
    const std::string why = why_idle(plot, fitted, setting.field->name);
    const std::string flag = spelt(setting.field->name, Spelling::Flag);
    if (!why.empty()) return idle(flag, why);
    const bool spans = uses(plot, Option::Stage) && setting.field->name == "range";
    if (spans && of_weights && fitted.stage != Stage::Weights) {
      return idle(flag, "Colours of this stage span auto, head or heads");
    }
  }
  return ok_status();
}

// Refuses given options that do not exist or do not suit the numbers; those of the document's view
// are clamped by the plot.
Status check_view(const Panel& panel, const AttentionResult& result) {
  const PlotOptions fitted = fitted_to(panel.options, result);
  if (Status there = check_attention(panel, result); !there) return there;
  if (Status there = check_stage(panel, result); !there) return there;
  const bool is_played = panel.plot->steps != nullptr;
  const std::size_t step = panel.options.step,
                    steps = is_played ? panel.plot->steps(result.problem(), fitted.at)
                                      : result.shape(fitted.at).n_q;
  if (panel.has("step") && step > steps) {
    return usage_error("there is no step " + std::to_string(step),
                       "the steps are 1 to " + std::to_string(steps));
  }
  if (Status used = check_idle(panel, fitted); !used) return used;
  return check_options(panel.options, result, Spelling::Flag);
}

// True if the plot shows influence. It is then computed even if that takes long.
bool shows_influence(const Panel& panel) {
  const auto& [plot, options, request] = panel;
  const auto shows = [&](Stage stage) { return stage_info(stage).role == StageRole::Influence; };
  const bool as_stage = uses(*plot, Option::Stage) && shows(options.stage);
  const bool as_b =
      uses(*plot, Option::MinusStage) && options.minus_stage && shows(*options.minus_stage);
  return uses(*plot, Option::Step) || as_stage || as_b;
}

// The document and the references that options are fitted to.
struct Fitting {
  const Document& document;
  const ResultPtr& result;
  Influence influence;  // of the reference, too
  References& references;
  Context& context;
};

Result<ReferencePtr> opened_reference(const std::string& path, Influence influence,
                                      Context& context) {
  CommonFlags flags = context.common;
  flags.arrays.clear();  // these describe the document, not the reference
  flags.what_if = {};
  flags.checks_lessons = false;
  Context own{context.console, context.open_window, flags};
  Result<Computed> opened = computed_document(path, own, influence);
  if (!opened) return opened.error();
  return ReferencePtr(std::make_shared<const Reference>(
      Reference{"1", file_name(path), "", path,
                std::make_shared<const Document>(std::move(opened->document)), opened->result}));
}

// True if a document may not read this file, which is outside of its folder.
bool is_refused(const std::string& path, const CommonFlags& common) {
  return !common.allow_outside && !is_built_in(path) && leads_outside(path, folder_of(common.file));
}

// Computes the document without its what-ifs.
Result<ReferencePtr> untouched_reference(const Fitting& to) {
  auto document = std::make_shared<Document>(to.document);
  document->what_if = {};
  const Result<ResultPtr> result = compute_document(*document, to.context, to.influence);
  if (!result) return result.error();
  const std::string label =
      file_name(to.context.common.file) + " without " + words_of(to.document.what_if);
  return ReferencePtr(
      std::make_shared<const Reference>(Reference{label, label, "", "", document, *result}));
}

// Returns the reference, which is opened once; without a path the document without its what-ifs.
const Result<ReferencePtr>& reference_at(const std::string& path, const Fitting& to) {
  const std::pair key(path.empty() ? to.context.common.file + " untouched" : path, to.influence);
  auto known = to.references.find(key);
  if (known == to.references.end()) {
    known = to.references
                .emplace(key, path.empty() ? untouched_reference(to)
                                           : opened_reference(path, to.influence, to.context))
                .first;
  }
  return known->second;
}

// Opens the reference. A given one must exist; the plot remarks on a missing one of the document.
Status set_reference(Panel& panel, const Fitting& to) {
  auto& [plot, options, request] = panel;
  const bool is_given = !request.reference.empty();
  const std::string path = is_given ? request.reference : to.document.reference;
  const bool is_untouched = path.empty() && to.document.what_if != Interventions{};
  if (path.empty() && !is_untouched) return ok_status();
  if (!plot->compares || options.minus == MinusFrom::Document) return ok_status();
  if (!is_given && !is_untouched && is_refused(path, to.context.common)) {
    options.no_reference = missing_reference(
        path, usage_error("the document to compare with is outside this document's folder",
                          "add --allow-outside, or name it with --reference"));
    return ok_status();
  }
  const Result<ReferencePtr>& reference = reference_at(path, to);
  if (reference) {
    options.reference = *reference;
  } else if (is_given) {
    return reference.error();
  } else {
    options.no_reference = missing_reference(path, reference.error());
  }
  return ok_status();
}

// Adds a remark on the time of attention flow; refuses more than an hour unless forced.
Status check_time(const Panel& panel, const AttentionShape& shape, const CommonFlags& common,
                  std::vector<std::string>& remarks) {
  constexpr double kLong = 5.0;
  if (panel.plot->name != "derived" || panel.options.derived != Derived::Flow) return ok_status();
  if (Status soon = check_flow_time(shape); !soon && !common.however_long) return soon;
  const double seconds = flow_seconds(shape);
  if (seconds > kLong) remarks.push_back("attention flow takes about " + duration_text(seconds));
  return ok_status();
}

constexpr std::size_t kMostPins = 2;

// Reads a finite number that is the whole text.
std::optional<double> finite_number(const std::string& text) {
  const char* const end = text.data() + text.size();
  double number = 0.0;
  const auto read = std::from_chars(text.data(), end, number);
  const bool is_number = read.ec == std::errc() && read.ptr == end && std::isfinite(number);
  return is_number ? std::optional(number) : std::nullopt;
}

// Reads `count` non-negative numbers, separated by commas; the first two may be tokens.
Result<std::vector<double>> numbers_in(const std::string& flag, const std::string& text,
                                       std::size_t count, const std::string& expected,
                                       const Document& document, const MatrixId& matrix) {
  const std::vector<std::string> items = split(text, ',');
  const std::optional<Side> sides[] = {row_side(matrix), column_side(matrix)};
  std::vector<double> numbers;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::optional<double> number = finite_number(items[i]);
    if (number && *number >= 0.0) numbers.push_back(*number);
    if (number || items.size() != count || i > 1 || !sides[i]) continue;
    const auto token = token_named(flag, items[i], document, matrix.head, {*sides[i]});
    if (!token) return token.error();
    numbers.push_back(static_cast<double>(token->index));
  }
  if (numbers.size() == count && items.size() == count) return numbers;
  return Error{.kind = ErrorKind::Usage,
               .message = flag + " cannot have this value",
               .found = text,
               .expected = expected};
}

// Reads "4,0,8.5,12": first row, first column, number of rows and of columns; empty: the whole.
Status set_part(PlotOptions& options, const std::string& text, const PlotEntry& plot,
                const Document& document) {
  if (text.empty()) return ok_status();
  const Stage stage = uses(plot, Option::Stage) ? options.stage : Stage::Weights;
  const auto numbers = numbers_in("--part", text, 4, "ROW,COLUMN,ROWS,COLUMNS in cells, from 0 on",
                                  document, {stage, options.at});
  if (!numbers) return numbers.error();
  const auto& part = *numbers;
  options.window = {part[0], part[1], part[2], part[3]};
  if (!(part[2] > 0.0) || !(part[3] > 0.0)) return usage_error("--part has no rows or no columns");
  const StageShape all = extents_of(shape_of(document, options.at), {stage, options.at});
  const auto fits = [](double from, double count, std::size_t of) {
    return from + count <= static_cast<double>(of);
  };
  if (fits(part[0], part[2], all.rows) && fits(part[1], part[3], all.cols)) return ok_status();
  return no_value("--part reaches beyond the matrix", text,
                  "a part within " + counted(all.rows, "row") + " and " +
                      counted(all.cols, "column") + ", counted from 0");
}

// The matrix of pins: the first one that the plot shows, or the weights for a plot about tokens.
struct PinnedMatrix {
  MatrixId id;
  StageShape shape;
};

Result<PinnedMatrix> pinned_matrix(const Panel& panel, const Fitting& to) {
  const auto& [plot, options, request] = panel;
  if (uses(*plot, Option::Token)) {
    const HeadAddress at = fitted_to(options, *to.result).at;
    return PinnedMatrix{{Stage::Weights, at}, to.result->stage_shape(Stage::Weights, at)};
  }
  const std::string name(plot->name);
  const Result<Figure> drawn =
      figure_for_file(to.document, to.result, {name, options, {}, {.dpi = kUnitsPerInch}},
                      {nullptr, to.context.common.memory_limit_bytes});
  if (!drawn) return drawn.error();
  const MatrixItem* matrix = find_matrix(*drawn);
  if (matrix == nullptr || !matrix->origin) {
    return usage_error("the " + name + " plot has no cells to mark");
  }
  return PinnedMatrix{*matrix->origin, {matrix->row_count, matrix->col_count}};
}

// Reads "8,1", row and column of that matrix.
Result<CellHit> pin_at(const std::string& text, const PinnedMatrix& matrix,
                       const Document& document) {
  const auto [rows, cols] = matrix.shape;
  const auto place =
      numbers_in("--pin", text, 2, "ROW,COLUMN of a cell, counted from 0", document, matrix.id);
  if (!place) return place.error();
  const double row = (*place)[0], col = (*place)[1];
  const bool there = row < static_cast<double>(rows) && col < static_cast<double>(cols);
  if (there && row == std::floor(row) && col == std::floor(col)) {
    return CellHit{matrix.id, static_cast<std::size_t>(row), static_cast<std::size_t>(col)};
  }
  return Error{.kind = ErrorKind::Usage,
               .message = "there is no cell " + text,
               .expected = std::to_string(rows) + " rows and " + std::to_string(cols) +
                           " columns, counted from 0"};
}

Status set_pins(Panel& panel, const Fitting& to) {
  const std::vector<std::string>& texts = panel.request.pins;
  if (texts.empty()) return ok_status();
  if (texts.size() > kMostPins) return usage_error("--pin can be given twice, no more");
  const Result<PinnedMatrix> matrix = pinned_matrix(panel, to);
  if (!matrix) return matrix.error();
  for (const std::string& text : texts) {
    const Result<CellHit> pin = pin_at(text, *matrix, to.document);
    if (!pin) return pin.error();
    panel.options.pins.push_back(*pin);
  }
  return ok_status();
}

// Sets the given options of the document's view, and checks all that needs no result.
Status set_options(Panel& panel, const Document& document, double dpi) {
  auto& [plot, options, request] = panel;
  const AttentionShape shape = shape_of(document);
  Status good = check_used(*plot, request);
  if (good) good = check_indices(request, shape);
  if (good) good = apply_settings(options, *plot, request.settings, dpi, &document);
  if (!good) return good;
  const auto layer_of = [&](std::size_t number) { return *layer_numbered(shape, number, 0); };
  const bool at_layer = panel.has("layer") && uses(*plot, Option::Layer);
  if (at_layer) options.at.layer = layer_of(options.at.layer);
  if (panel.has("minus_layer")) options.minus_layer = layer_of(*options.minus_layer);
  good = set_part(options, request.part, *plot, document);
  const bool compares = plot->compares || request.reference.empty();
  if (good && !compares) return unused(*plot, "--reference", "minus");
  if (good) good = check_options(options, Spelling::Flag);
  return good && uses(*plot, Option::AxisFrom) ? check_axis(options, Spelling::Flag) : good;
}

// Sets options that depend on the result: the reference, and cells to mark.
Status fit_options(Panel& panel, const Fitting& to, std::vector<std::string>& remarks) {
  Status good = check_view(panel, *to.result);
  const bool has_stage = good && uses(*panel.plot, Option::Stage);
  const std::string moved = has_stage ? moved_stage(panel.options, *to.result) : "";
  if (!moved.empty()) remarks.push_back(moved);
  if (good) good = set_reference(panel, to);
  return good ? set_pins(panel, to) : good;
}

// Returns the panels of the layout, which with the options of the page is put into the figure.
Result<std::vector<Panel>> panels_on_page(const FigureRequest& request, const PlotOptions& saved,
                                          FigureSpec& spec) {
  if (!request.plot.empty()) return usage_error("--plot and --layout both name plots: give one");
  Result<PanelLayout> read = read_layout(request, saved);
  if (!read) return read.error();
  spec.layout = std::move(read->layout);
  std::vector<Setting> of_page = request.settings;
  std::erase_if(of_page,
                [](const Setting& setting) { return !is_of_the_page(setting.field->name); });
  Status set = apply_settings(spec.options, *read->panels.front().plot, std::move(of_page),
                              spec.export_options.dpi);
  if (set) set = check_options(spec.options, Spelling::Flag);
  if (!set) return set.error();
  return std::move(read->panels);
}

Result<std::vector<Panel>> panels_of(const FigureRequest& request, FigureSpec& spec) {
  const PlotOptions saved{spec.saved.options, {}, {}};
  if (!request.layout.empty()) return panels_on_page(request, saved, spec);
  spec.plot = request.plot.empty() ? spec.saved.plot : request.plot;
  const PlotEntry* plot = plot_named(spec.plot);
  if (plot != nullptr) return std::vector<Panel>{{plot, saved, request}};
  return unknown_name("plot", spec.plot, names_of(all_plots(), &PlotEntry::name));
}

// Returns the panels of a request with all options that need no result.
Result<std::vector<Panel>> panels_with_options(const FigureRequest& request,
                                               const Document& document, const CommonFlags& common,
                                               FigureSpec& spec) {
  Result<std::vector<Panel>> panels = panels_of(request, spec);
  if (!panels) return panels;
  for (Panel& panel : *panels) {
    Status set = set_options(panel, document, spec.export_options.dpi);
    if (set) set = check_time(panel, shape_of(document), common, spec.remarks);
    if (!set) return set.error();
  }
  return panels;
}

Influence influence_in(const std::vector<std::vector<Panel>>& panels) {
  for (const std::vector<Panel>& figure : panels) {
    if (std::ranges::any_of(figure, shows_influence)) return Influence::Always;
  }
  return Influence::IfQuick;
}

// Returns the number of layers through the last one that the panels draw, which may be all.
std::size_t layers_read(const std::vector<std::vector<Panel>>& figures) {
  std::size_t layers = 0;
  for (const std::vector<Panel>& panels : figures) {
    for (const Panel& panel : panels) {
      const bool of_one = uses(*panel.plot, Option::Layer) && !uses(*panel.plot, Option::Matrix) &&
                          !uses(*panel.plot, Option::Minus);
      layers = std::max(layers, of_one ? panel.options.at.layer + 1 : kAnyCount);
    }
  }
  return layers;
}

void put_into(FigureSpec& spec, const std::vector<Panel>& panels) {
  if (!spec.layout) return void(spec.options = panels.front().options);
  for (Pane* pane : panes_of(*spec.layout)) {
    const Panel& panel = panels[pane->id - 1];
    pane->view = {std::string(panel.plot->name), panel.options};
    spec.options.pins_of_panels[pane->id] = panel.options.pins;
    if (panel.options.reference) spec.options.reference = panel.options.reference;
    if (panel.options.no_reference) spec.options.no_reference = panel.options.no_reference;
  }
}

// Returns the figure of the document's view with paper, file and hash of `like`.
FigureSpec saved_figure(const FigureSpec& like, const Document& document, const Context& context) {
  FigureSpec spec = like;
  spec.saved = focused_view(document.panes.value_or(Panes{}));
  spec.options = {spec.saved.options, {}, {}};
  spec.seed = context.common.seed_number;
  spec.left_out = context.common.left_out;
  spec.what_if = context.common.what_if;
  return spec;
}

}  // namespace

Status check_request(const FigureRequest& request, double dpi) {
  FigureSpec spec{.plot = {}, .options = {}, .export_options = {.dpi = dpi}};
  Result<std::vector<Panel>> panels = panels_of(request, spec);
  if (!panels) return panels.error();
  const bool is_known = !request.plot.empty() || !request.layout.empty();  // else by the document
  for (auto& [plot, options, own] : *panels) {
    if (Status used = is_known ? check_used(*plot, own) : ok_status(); !used) return used;
    std::erase_if(own.settings, [plot = plot](const Setting& setting) {
      return axis_of(setting) != nullptr || !is_used(setting, *plot);
    });
    if (Status set = apply_settings(options, *plot, own.settings, dpi); !set) return set;
  }
  return ok_status();
}

Result<SpecifiedFigures> specified(const std::vector<RequestedFile>& files, const FigureSpec& like,
                                   const Document& document, References& references,
                                   Context& context) {
  SpecifiedFigures figures;
  figures.specs.assign(files.size(), saved_figure(like, document, context));
  std::vector<std::vector<Panel>> panels;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto own = panels_with_options(files[i].request, document, context.common, figures.specs[i]);
    if (!own) return own.error();
    panels.push_back(*std::move(own));
  }
  const Influence influence = influence_in(panels);
  Result<ResultPtr> result = compute_document(document, context, influence, layers_read(panels));
  if (!result) return result.error();
  figures.result = *result;
  const Fitting to{document, *result, influence, references, context};
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (Panel& panel : panels[i]) {
      const Status fit = fit_options(panel, to, figures.specs[i].remarks);
      if (!fit) return fit.error();
    }
    put_into(figures.specs[i], panels[i]);
  }
  return figures;
}

}  // namespace attn::cli
