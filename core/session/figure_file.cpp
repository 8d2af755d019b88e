// Derives, draws and paints figures for files, and writes the equivalent command line.
#include "session/figure_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "base/joined.h"
#include "export/export.h"
#include "export/provenance.h"
#include "plot/charts/charts.h"
#include "plot/colors/color_range.h"
#include "plot/kit/cells.h"
#include "session/build_information.h"
#include "view/fields.h"

namespace attn {
namespace {

// Returns a plot after checking its options and deriving all that it needs and is not known yet.
Result<Figure> plot_for_file(Derivations& known, const PlotEntry& plot, PlotOptions options,
                             double dpi, const Document& document, const ResultPtr& result,
                             const DerivingOptions& how) {
  if (const Status sound = check_options(options, *result); !sound) return sound.error();
  const Status axis = uses(plot, Option::AxisFrom) ? check_axis(options) : ok_status();
  if (!axis) return axis.error();
  options.dots_per_unit = dpi / kUnitsPerInch;
  options.on_screen = false;
  options.window = whole_cells(options.window);
  known = derive_all(plot, document, result, options, how, std::move(known));
  if (is_cancelled(how.progress)) return stopped();
  return draw_plot(plot, {document, *result, &known}, options, pango_metrics());
}

std::string exact_text(double number) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), written.ptr};
}

using Views = std::span<const View>;

// Calls visit(field, text) for each stated option in which the view differs from a usual one.
template <class Stated, class Visit>
void each_choice(const View& shown, Views usual, const Stated& is_stated, const Visit& visit) {
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias || !is_stated(field.name)) continue;
    const std::string text = field.get(shown.options);
    const auto same = [&](const View& view) { return field.get(view.options) == text; };
    if (!std::ranges::all_of(usual, same)) visit(field, text);
  }
}

bool acts_on(const View& shown, std::string_view field) {
  const PlotEntry* plot = plot_named(shown.plot);
  return plot != nullptr && uses(*plot, field) && why_idle(*plot, shown.options, field).empty();
}

std::string part_text(const View& shown) {
  const CellWindow& window = shown.options.window;
  const PlotEntry* plot = plot_named(shown.plot);
  if (window.rows <= 0.0 || plot == nullptr || !plot->fills_room) return "";
  return joined(std::array{window.row, window.col, window.rows, window.cols}, ",", exact_text);
}

// Returns the pins of the view that a call can state: cells of the matrix that the plot draws, or
// for plots about tokens of the weights.
std::vector<std::string> pin_texts(const View& shown, const std::vector<CellHit>& pins) {
  const PlotEntry* plot = plot_named(shown.plot);
  if (plot == nullptr || !takes_pins(*plot)) return {};
  std::vector<std::string> texts;
  const bool is_stage =
      uses(*plot, Option::Minus)
          ? shown.options.show != Compared::Difference
          : uses(*plot, Option::Stage) || uses(*plot, Option::Token) || uses(*plot, Option::Step);
  const bool of_head = uses(*plot, Option::Head) && !plot->of_one_cell && is_stage;
  const bool per_head = !uses(*plot, Option::Stage) || stage_info(shown.options.stage).per_head;
  for (const CellHit& pin : pins) {
    const HeadAddress &at = shown.options.at, &pinned = pin.matrix.head;
    const bool is_there = pinned.layer == at.layer && pinned.sample == at.sample &&
                          (!per_head || pinned.head == at.head);
    if (is_computed(pin.matrix) != is_stage || (of_head && !is_there)) continue;
    texts.push_back(std::to_string(pin.row) + "," + std::to_string(pin.col));
  }
  return texts;
}

using PinsOfPanels = std::map<PaneId, std::vector<CellHit>>;

// Returns "heatmap head=2 pin=1,2 | links", with parentheses around nested splits.
std::string layout_text(const Layout& layout, const PinsOfPanels& pins, Views usual,
                        const Split* around = nullptr) {
  if (const auto* pane = std::get_if<Pane>(&layout)) {
    std::string text = pane->view.plot;
    const auto is_own = [&](std::string_view field) {
      return !is_of_the_page(field) && acts_on(pane->view, field);
    };
    each_choice(pane->view, usual, is_own, [&](const auto& field, const std::string& value) {
      text += " " + spelt(field.name, Spelling::Flag).substr(2) + "=" + value;
    });
    const std::string part = part_text(pane->view);
    if (!part.empty()) text += " part=" + part;
    const auto own = pins.find(pane->id);
    if (own == pins.end()) return text;
    for (const std::string& pin : pin_texts(pane->view, own->second)) text += " pin=" + pin;
    return text;
  }
  const Split& split = std::get<Split>(layout);
  const bool beside = split.direction == SplitDirection::Right;
  const std::string text = joined(split.parts, beside ? " | " : " / ", [&](const Part& part) {
    return layout_text(part.layout, pins, usual, &split);
  });
  const bool is_row = beside && around != nullptr && around->direction == SplitDirection::Down;
  return around == nullptr || is_row ? text : "(" + text + ")";
}

// Returns the request that states how the figure differs from any of these views.
FigureRequest request_of(const FigureSpec& spec, Views usual) {
  FigureRequest request{{spec.file.empty() ? "DOCUMENT.attn.json" : spec.file}};
  const View shown{spec.plot, spec.options};
  const auto has_plot = [&](const View& view) { return view.plot == shown.plot; };
  if (spec.layout) {
    request.layout = layout_text(*spec.layout, spec.options.pins_of_panels, usual);
  } else if (!std::ranges::all_of(usual, has_plot)) {
    request.plot = shown.plot;
  }
  const auto is_stated = [&](std::string_view field) {
    return spec.layout ? is_of_the_page(field) : acts_on(shown, field);
  };
  each_choice(shown, usual, is_stated, [&](const auto& field, const std::string& text) {
    request.settings.push_back({&field, text});
  });
  if (!spec.layout) {
    request.part = part_text(shown);
    request.pins = pin_texts(shown, spec.options.pins);
  }
  const ExportOptions& paper = spec.export_options;
  if (paper.dpi != ExportOptions{}.dpi) request.dpi = exact_text(paper.dpi);
  request.transparent = paper.transparent;
  if (paper.outlines) request.svg_text = "outlines";
  return request;
}

// Replaces the indices of layers by their numbers, by which calls name them.
FigureSpec with_layer_numbers(FigureSpec spec, const AttentionShape& shape) {
  const auto name = [&](ViewOptions& options) {
    options.at.layer = layer_number(shape, options.at.layer, 0);
    if (options.minus_layer) options.minus_layer = layer_number(shape, *options.minus_layer, 0);
  };
  const auto name_pins = [&](std::vector<CellHit>& pins) {
    for (CellHit& pin : pins) {
      std::size_t& layer = pin.matrix.head.layer;
      layer = layer_number(shape, layer, 0);
    }
  };
  name(spec.options);
  name(spec.saved.options);
  name_pins(spec.options.pins);
  for (auto& [pane, pins] : spec.options.pins_of_panels) name_pins(pins);
  if (!spec.layout) return spec;
  for (Pane* pane : panes_of(*spec.layout)) name(pane->view.options);
  return spec;
}

// True if one of the plots compares with the reference.
bool compares(const FigureSpec& spec) {
  return std::ranges::any_of(views_of(spec), [](const View& view) {
    return uses(view, Option::Minus) && view.options.minus != MinusFrom::Document;
  });
}

Result<std::string> story_file(const Document& document, const ResultPtr& result, FigureSpec spec,
                               const DerivingOptions& how) {
  spec.options.step = spec.saved.options.step;  // a call that draws all steps names none
  Figure record;
  if (Status made = add_provenance(record, document, spec); !made) return made.error();
  if (spec.export_options.dpi == kUsualDpi) spec.export_options.dpi = kAnimationDpi;
  std::string bytes;
  GifFrames frames(bytes);
  const std::size_t count = plot_named(spec.plot)->steps(result->problem(), spec.options.at);
  for (std::size_t step = 0; step < count; ++step) {
    spec.options.step = step + 1;
    const ProgressPart part(how.progress, step, count);
    const Status added =
        each_moment(document, result, spec, how, [&](Raster raster, double seconds) {
          return frames.add(std::move(raster), seconds, how.progress);
        });
    if (!added) return added.error();
  }
  frames.finish(record.provenance);
  return bytes;
}

}  // namespace

std::vector<View> views_of(const FigureSpec& spec) {
  if (!spec.layout) return {{spec.plot, spec.options}};
  std::vector<View> views;
  for (const Pane* pane : panes_of(*spec.layout)) views.push_back(pane->view);
  return views;
}

FigureSpec figure_spec(const AppState& state) {
  const bool of_all = state.preferences.export_panes && !state.maximised &&
                      std::holds_alternative<Split>(state.layout);
  FigureSpec spec{.plot = focused_view(state).plot,
                  .options = plot_options(state),
                  .export_options = state.preferences.export_options,
                  .file = origin_of(state),
                  .saved = state.file_view};
  spec.options.highlight.reset();
  spec.options.glide = 1.0;
  if (of_all) set_layout(spec, state.layout, state.pins);
  return spec;
}

void set_layout(FigureSpec& spec, const Layout& layout, const std::vector<CellHit>& pins) {
  spec.layout = layout;
  spec.options.pins.clear();
  for (const Pane* pane : panes_of(layout)) {
    spec.options.pins_of_panels[pane->id] = pins_in(*pane, pins);
  }
}

bool is_page(const std::string& path) {
  const Exporter* const exporter = exporter_for(path);
  return exporter != nullptr && exporter->extension == "html";
}

bool is_story(const FigureSpec& spec, const std::string& path) {
  return exporter_for(path) == exporter_for("." + std::string(kAnimation)) && !spec.layout &&
         is_played(spec.plot);
}

FigureSpec as_page(FigureSpec spec) {
  spec.export_options = {};
  if (!spec.of_lesson) {
    spec.options.at.layer = spec.saved.options.at.layer;
    spec.options.at.head = spec.saved.options.at.head;
    return spec;
  }
  ViewOptions paper;
  paper.theme = spec.options.theme;
  paper.font = spec.options.font;
  spec.plot = kUsualPlot;
  spec.options = {std::move(paper), {}, {}};
  spec.saved = {};
  spec.layout.reset();
  return spec;
}

std::string recorded_program() {
  return std::string(kRecordName) + " " + std::string(program_version());
}

// Puts in what the document's model reads.
void put_input(FigureRequest& request, const Document& document) {
  if (!document.source_model) return;
  request.text = document.source_model->text;
  if (!request.text.empty()) return;
  request.ids = joined(document.source_model->ids, ",", [](auto id) { return std::to_string(id); });
}

Status add_provenance(Figure& figure, const Document& document, const FigureSpec& spec) {
  const Result<std::string> hash = spec.hash.empty() ? hash_of(document) : spec.hash;
  if (!hash) return hash.error();
  FigureSpec named = with_layer_numbers(spec, shape_of(document));
  named.file = file_name(spec.file);
  const View usual[] = {{}, named.saved};
  FigureRequest request = request_of(named, usual);
  if (spec.seed) request.seed = std::to_string(*spec.seed);
  request.left_out = spec.left_out;
  request.what_if = spec.what_if;
  if (spec.left_out.empty()) {  // otherwise those of the call made the weights that are left
    request.what_if.gates = gates_text(document);
    request.what_if.edges = edges_text(document);
  }
  put_input(request, document);
  if (compares(spec) && spec.options.reference) {
    request.reference = file_name(spec.options.reference->path);
  }
  figure.provenance = provenance_text({recorded_program(), named.file, *hash, call_of(request)});
  return ok_status();
}

Result<Figure> figure_for_file(const Document& document, const ResultPtr& result,
                               const FigureSpec& spec, const DerivingOptions& how) {
  Derivations known;  // panels are drawn several times until they fit each other
  const auto draw = [&](const PlotEntry& plot, const PlotOptions& options) {
    return plot_for_file(known, plot, options, spec.export_options.dpi, document, result, how);
  };
  if (!spec.layout) {
    const PlotEntry* plot = plot_named(spec.plot);
    if (plot == nullptr) return usage_error("there is no plot named " + spec.plot);
    return draw(*plot, spec.options);
  }
  PlotOptions page = spec.options;
  page.on_screen = false;
  return draw_layout(*spec.layout, {document, *result}, page, pango_metrics(), draw);
}

Result<std::string> figure_file(const Document& document, const ResultPtr& result,
                                const FigureSpec& spec, const std::string& path,
                                const DerivingOptions& how) {
  const Exporter* exporter = exporter_for(path);
  if (exporter == nullptr) return usage_error("the format of " + path + " is not known");
  if (is_story(spec, path)) return story_file(document, result, spec, how);
  constexpr float kDrawing = 0.5F;  // its share of the progress
  Result<Figure> figure = Figure();
  {
    const ProgressPart part(how.progress, 0.0F, kDrawing);
    figure = figure_for_file(document, result, spec, how);
  }
  if (!figure) return figure.error();
  if (Status named = add_provenance(*figure, document, spec); !named) return named.error();
  const ProgressPart part(how.progress, kDrawing, 1.0F - kDrawing);
  return exporter->write(*figure, spec.export_options, how.progress);
}

Status each_moment(const Document& document, const ResultPtr& result, FigureSpec spec,
                   const DerivingOptions& how,
                   const std::function<Status(Raster raster, double seconds)>& visit) {
  constexpr double kFramesPerSecond = 12.0;  // while a figure glides
  const auto count =
      is_played(spec.plot) ? static_cast<std::size_t>(kFramesPerSecond * kStoryGlideSeconds) : 1;
  for (std::size_t i = 1; i <= count; ++i) {
    spec.options.glide = static_cast<double>(i) / static_cast<double>(count);
    const Result<Figure> figure = figure_for_file(document, result, spec, how);
    if (!figure) return figure.error();
    Result<Raster> raster = raster_of(*figure, spec.export_options, how.progress);
    if (!raster) return raster.error();
    const double seconds = i < count ? 1.0 / kFramesPerSecond : kStoryHoldSeconds;
    if (Status visited = visit(*std::move(raster), seconds); !visited) return visited;
  }
  return ok_status();
}

std::string export_call(const AppState& state, const std::string& path) {
  FigureSpec spec = figure_spec(state);
  if (is_page(path)) {
    spec.of_lesson = is_in_lesson(state);
    spec = as_page(std::move(spec));
  }
  if (is_story(spec, path)) spec.options.step = spec.saved.options.step;
  spec = with_layer_numbers(std::move(spec), shape_of(state.document));
  FigureRequest request = request_of(spec, {&spec.saved, 1});
  const std::string& reference = state.reference_source.path;
  if (compares(spec) && state.reference && reference != state.file_reference) {
    request.reference = reference;
  }
  if (!spec.file.ends_with(".json")) put_input(request, state.document);  // a model's folder
  return call_of(request, &path);
}

std::string export_remark(const OpenDocument& open) {
  if (origin_of(open).empty()) return "The document has no file yet: save it first";
  if (has_unsaved_changes(open)) {
    return "The command uses the saved file; save to include your changes";
  }
  if (is_in_lesson(open)) return "The command draws the document before the steps of its lesson";
  const bool compares = shown_plot_uses(open, Option::Minus) && open.reference != nullptr;
  const bool has_other = !compares || !open.reference->path.empty();
  return has_other ? "" : "What it is compared with has no file yet: save that first";
}

}  // namespace attn
