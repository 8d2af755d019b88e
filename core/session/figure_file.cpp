// Derives, draws and paints figures for files, and writes the equivalent command line.
#include "session/figure_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "base/joined.h"
#include "export/export.h"
#include "export/provenance.h"
#include "plot/all_plots.h"
#include "plot/charts/charts.h"
#include "plot/colors/color_range.h"
#include "plot/kit/cells.h"
#include "session/build_information.h"
#include "view/fields.h"

namespace attn {
namespace {

// A plot with checked options and all that it needs derived, as far as it is not known.
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

template <class... Words>
void add(std::string& command, const Words&... words) {
  ((command += " " + shell_word(words)), ...);
}

void add_field(std::string& command, const Field<ViewOptions>& field, const std::string& text) {
  std::string flag = spelt(field.name, Spelling::Flag);
  if (field.kind == FieldKind::Flag) {
    if (text == "false") flag.insert(2, "no-");
    return add(command, flag);
  }
  add(command, flag, text);
}

using Views = std::span<const View>;

// Calls visit(field, text) for each choice of the view that is not that of all usual ones.
template <class Wanted, class Visit>
void each_choice(const View& shown, Views usual, const Wanted& is_wanted, const Visit& visit) {
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias || !is_wanted(field.name)) continue;
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

// "heatmap head=2 | links", with parentheses around what a cell holds.
std::string layout_text(const Layout& layout, Views usual, const Split* around = nullptr) {
  if (const auto* pane = std::get_if<Pane>(&layout)) {
    std::string text = pane->view.plot;
    const auto is_own = [&](std::string_view field) {
      return !is_of_the_page(field) && acts_on(pane->view, field);
    };
    each_choice(pane->view, usual, is_own, [&](const auto& field, const std::string& value) {
      text += " " + spelt(field.name, Spelling::Flag).substr(2) + "=" + value;
    });
    const std::string part = part_text(pane->view);
    return part.empty() ? text : text + " part=" + part;
  }
  const Split& split = std::get<Split>(layout);
  const bool beside = split.direction == SplitDirection::Right;
  const std::string text = joined(split.parts, beside ? " | " : " / ", [&](const Part& part) {
    return layout_text(part.layout, usual, &split);
  });
  const bool is_row = beside && around != nullptr && around->direction == SplitDirection::Down;
  return around == nullptr || is_row ? text : "(" + text + ")";
}

// All that a call states beside the document and the output.
void add_choices(std::string& command, const FigureWanted& wanted, Views usual) {
  const View shown{wanted.plot, wanted.options};
  if (wanted.layout) {
    add(command, "--layout", layout_text(*wanted.layout, usual));
  } else if (!std::ranges::all_of(usual,
                                  [&](const View& view) { return view.plot == shown.plot; })) {
    add(command, "--plot", shown.plot);
  }
  const auto is_wanted = [&](std::string_view field) {
    return wanted.layout ? is_of_the_page(field) : acts_on(shown, field);
  };
  each_choice(shown, usual, is_wanted,
              [&](const auto& field, const auto& text) { add_field(command, field, text); });
  if (!wanted.layout) {
    if (const std::string part = part_text(shown); !part.empty()) add(command, "--part", part);
    for (const CellHit& pin : wanted.options.pins) {
      add(command, "--pin", std::to_string(pin.row) + "," + std::to_string(pin.col));
    }
  }
  const ExportOptions& paper = wanted.export_options;
  if (paper.dpi != ExportOptions{}.dpi) add(command, "--dpi", exact_text(paper.dpi));
  if (paper.transparent) add(command, "--transparent");
  if (paper.outlines) add(command, "--text", "outlines");
}

// As calls name layers: by their numbers.
FigureWanted with_layer_numbers(FigureWanted wanted, const AttentionShape& shape) {
  const auto name = [&](ViewOptions& options) {
    options.at.layer = layer_number(shape, options.at.layer, 0);
    if (options.minus_layer) options.minus_layer = layer_number(shape, *options.minus_layer, 0);
  };
  name(wanted.options);
  name(wanted.saved.options);
  if (!wanted.layout) return wanted;
  for (Pane* pane : panes_of(*wanted.layout)) name(pane->view.options);
  return wanted;
}

std::string call_start(const std::string& file) {
  return "attnscope export " + shell_word(file.empty() ? "DOCUMENT.attn.json" : file);
}

// Whether one of the plots compares with the reference.
bool compares(const FigureWanted& wanted) {
  const auto does = [](const View& view) {
    return uses(view, Option::Minus) && view.options.minus != MinusFrom::Document;
  };
  if (!wanted.layout) return does({wanted.plot, wanted.options});
  return std::ranges::any_of(panes_of(*wanted.layout),
                             [&](const Pane* pane) { return does(pane->view); });
}

Result<std::string> story_file(const Document& document, const ResultPtr& result,
                               FigureWanted wanted, const DerivingOptions& how) {
  wanted.options.step = wanted.saved.options.step;  // as in a call without steps
  Figure record;
  if (Status made = add_provenance(record, document, wanted); !made) return made.error();
  if (wanted.export_options.dpi == kUsualDpi) wanted.export_options.dpi = kAnimationDpi;
  std::string bytes;
  GifFrames frames(bytes);
  const std::size_t count = story_steps(result->problem(), wanted.options.at);
  for (std::size_t step = 0; step < count; ++step) {
    wanted.options.step = step + 1;
    const ProgressPart part(how.progress, step, count);
    const Status added =
        each_moment(document, result, wanted, how, [&](Raster raster, double seconds) {
          return frames.add(std::move(raster), seconds, how.progress);
        });
    if (!added) return added.error();
  }
  frames.finish(record.provenance);
  return bytes;
}

}  // namespace

FigureWanted figure_wanted(const AppState& state) {
  const bool of_all = state.preferences.export_panes && !state.maximised &&
                      std::holds_alternative<Split>(state.layout);
  FigureWanted wanted{.plot = focused_view(state).plot,
                      .options = plot_options(state),
                      .export_options = state.preferences.export_options,
                      .file = origin_of(state),
                      .saved = state.file_view};
  wanted.options.highlight.reset();
  wanted.options.glide = 1.0;
  if (of_all) wanted.layout = state.layout;
  return wanted;
}

bool is_page(const std::string& path) {
  const Exporter* const exporter = exporter_for(path);
  return exporter != nullptr && exporter->extension == "html";
}

bool is_story(const FigureWanted& wanted, const std::string& path) {
  return exporter_for(path) == exporter_for("." + std::string(kAnimation)) && !wanted.layout &&
         wanted.plot == kStoryPlot;
}

FigureWanted as_page(FigureWanted wanted) {
  wanted.export_options = {};
  if (!wanted.of_lesson) {
    wanted.options.at.layer = wanted.saved.options.at.layer;
    wanted.options.at.head = wanted.saved.options.at.head;
    return wanted;
  }
  ViewOptions paper;
  paper.theme = wanted.options.theme;
  paper.font = wanted.options.font;
  wanted.plot = kUsualPlot;
  wanted.options = {std::move(paper), {}, {}};
  wanted.saved = {};
  wanted.layout.reset();
  return wanted;
}

std::string recorded_program() {
  return std::string(kRecordName) + " " + std::string(program_version());
}

Status add_provenance(Figure& figure, const Document& document, const FigureWanted& wanted) {
  const Result<std::string> hash = wanted.hash.empty() ? hash_of(document) : wanted.hash;
  if (!hash) return hash.error();
  const std::string name = file_name(wanted.file);
  std::string call = call_start(name);
  const FigureWanted named = with_layer_numbers(wanted, shape_of(document));
  const View usual[] = {{}, named.saved};
  add_choices(call, named, usual);
  if (wanted.seed) add(call, "--seed", std::to_string(*wanted.seed));
  if (!wanted.left_out.empty()) add(call, "--leave-out", wanted.left_out);
  if (compares(wanted) && wanted.options.reference) {
    add(call, "--reference", file_name(wanted.options.reference->path));
  }
  figure.provenance = provenance_text({recorded_program(), name, *hash, call});
  return ok_status();
}

Result<Figure> figure_for_file(const Document& document, const ResultPtr& result,
                               const FigureWanted& wanted, const DerivingOptions& how) {
  Derivations known;  // panels are drawn several times until they fit each other
  const auto draw = [&](const PlotEntry& plot, const PlotOptions& options) {
    return plot_for_file(known, plot, options, wanted.export_options.dpi, document, result, how);
  };
  if (!wanted.layout) {
    const PlotEntry* plot = plot_named(wanted.plot);
    if (plot == nullptr) return usage_error("there is no plot named " + wanted.plot);
    return draw(*plot, wanted.options);
  }
  PlotOptions page = wanted.options;
  page.on_screen = false;
  page.pins.clear();
  return draw_layout(*wanted.layout, {document, *result}, page, pango_metrics(), draw);
}

Result<std::string> figure_file(const Document& document, const ResultPtr& result,
                                const FigureWanted& wanted, const std::string& path,
                                const DerivingOptions& how) {
  const Exporter* exporter = exporter_for(path);
  if (exporter == nullptr) return usage_error("the format of " + path + " is not known");
  if (is_story(wanted, path)) return story_file(document, result, wanted, how);
  constexpr float kDrawing = 0.5F;  // its share of the progress
  Result<Figure> figure = Figure();
  {
    const ProgressPart part(how.progress, 0.0F, kDrawing);
    figure = figure_for_file(document, result, wanted, how);
  }
  if (!figure) return figure.error();
  if (Status named = add_provenance(*figure, document, wanted); !named) return named.error();
  const ProgressPart part(how.progress, kDrawing, 1.0F - kDrawing);
  return exporter->write(*figure, wanted.export_options, how.progress);
}

Status each_moment(const Document& document, const ResultPtr& result, FigureWanted wanted,
                   const DerivingOptions& how,
                   const std::function<Status(Raster raster, double seconds)>& visit) {
  constexpr double kFramesPerSecond = 12.0;  // of what glides
  const auto count = wanted.plot == kStoryPlot
                         ? static_cast<std::size_t>(kFramesPerSecond * kStoryGlideSeconds)
                         : 1;
  for (std::size_t i = 1; i <= count; ++i) {
    wanted.options.glide = static_cast<double>(i) / static_cast<double>(count);
    const Result<Figure> figure = figure_for_file(document, result, wanted, how);
    if (!figure) return figure.error();
    Result<Raster> raster = raster_of(*figure, wanted.export_options, how.progress);
    if (!raster) return raster.error();
    const double seconds = i < count ? 1.0 / kFramesPerSecond : kStoryHoldSeconds;
    if (Status visited = visit(*std::move(raster), seconds); !visited) return visited;
  }
  return ok_status();
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string::npos;
  return plain ? text : "'" + with_replaced(text, "'", "'\\''") + "'";
}

std::string export_call(const AppState& state, const std::string& path) {
  FigureWanted wanted = figure_wanted(state);
  if (is_page(path)) {
    wanted.of_lesson = is_in_lesson(state);
    wanted = as_page(std::move(wanted));
  }
  if (is_story(wanted, path)) wanted.options.step = wanted.saved.options.step;
  wanted = with_layer_numbers(std::move(wanted), shape_of(state.document));
  std::string command = call_start(wanted.file);
  add(command, "-o", path);
  add_choices(command, wanted, {&wanted.saved, 1});
  const std::string& reference = state.reference_source.path;
  if (compares(wanted) && state.reference && !reference.empty() &&
      reference != state.file_reference) {
    add(command, "--reference", reference);
  }
  return command;
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
