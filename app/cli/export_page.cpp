// attnscope export to HTML: a page of a lesson, or of plots with all their heads.
#include <algorithm>
#include <iterator>

#include "base/joined.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/export_panels.h"
#include "document/tensors/tensor_file.h"
#include "export/provenance.h"
#include "plot/colors/color_range.h"
#include "session/page_file.h"

namespace attn::cli {
namespace {

Status check_page_options(const FigureRequest& request, const CommonFlags& common) {
  const std::pair<const char*, bool> of_pictures[] = {{"--dpi", !request.dpi.empty()},
                                                      {"--svg-text", !request.svg_text.empty()},
                                                      {"--transparent", request.transparent},
                                                      {"--jobs", !common.jobs.empty()}};
  for (const auto& [flag, given] : of_pictures) {
    if (given)
      return usage_error(std::string(flag) + " is for pictures, not for pages",
                         "leave out " + std::string(flag));
  }
  return ok_status();
}

// Refuses options of views, as those of a lesson are the views of its steps.
Status check_lesson_options(const FigureRequest& request) {
  const auto refused = [](const std::string& flag) {
    return usage_error("a page of a lesson has the views of its steps, not " + flag,
                       "leave out " + flag + ", or add --plot for a page of plots");
  };
  if (!request.part.empty()) return refused("--part");
  if (!request.pins.empty()) return refused("--pin");
  if (!request.reference.empty()) return refused("--reference");
  for (const Setting& setting : request.settings) {
    if (!is_of_the_page(setting.field->name))
      return refused(spelt(setting.field->name, Spelling::Flag));
  }
  return ok_status();
}

Result<ViewOptions> lesson_paper(const FigureRequest& request) {
  PlotOptions paper{usual_lesson_paper(), {}, {}};
  for (const auto& [field, text] : request.settings) {
    if (const Status set = field->set(paper, text, Spelling::Flag); !set) return set.error();
  }
  if (const Status sound = check_options(paper, Spelling::Flag); !sound) return sound.error();
  return ViewOptions(paper);
}

// Returns the request of one plot; options that no plot uses stay in it, and are refused later.
FigureRequest request_of_plot(const FigureRequest& request, const std::vector<std::string>& plots,
                              const std::string& name) {
  const auto used_by = [](const std::string& plot, const Setting& setting) {
    return plot_named(plot) == nullptr || is_used(setting, *plot_named(plot));
  };
  FigureRequest own = request;
  own.plot = name;
  std::erase_if(own.settings, [&](const Setting& setting) {
    return !used_by(name, setting) &&
           std::ranges::any_of(plots, [&](const auto& other) { return used_by(other, setting); });
  });
  const PlotEntry* const plot = plot_named(name);
  for (Setting& setting : own.settings) {
    if (plot != nullptr) setting.field = &field_of(setting, *plot);
  }
  return own;
}

// Returns the figures of each plot: plots of one head have one for each named head, plots of
// several heads draw them side by side.
Result<std::vector<RequestedFile>> page_figures(const FigureRequest& request,
                                                const AttentionShape& shape) {
  const std::vector<std::string> plots = split(request.plot, ',');
  std::vector<RequestedFile> all;
  for (const std::string& plot : plots) {
    const FigureRequest own = request_of_plot(request, plots, plot);
    Result<std::vector<RequestedFile>> figures = expanded(own, lists_of(own), shape);
    if (!figures) return figures;
    std::ranges::move(*figures, std::back_inserter(all));
  }
  return all;
}

// Returns the figures of a page for a request: of all layers and heads that it does not name. Tabs
// count samples from 1.
std::vector<FigureSpec> on_page(const FigureSpec& spec, const FigureRequest& request,
                                const AttentionShape& shape) {
  const auto names = [&](std::string_view option) { return !text_of(request, option).empty(); };
  const HeadAddress& named = spec.options.at;
  std::vector<FigureSpec> all = specs_for_page(spec, shape);
  std::erase_if(all, [&](const FigureSpec& one) {
    const HeadAddress& at = one.options.at;
    return (names("layer") && at.layer != named.layer) || (names("head") && at.head != named.head);
  });
  std::string choice;
  if (names("stage")) choice += ", " + std::string(stage_info(spec.options.stage).label);
  if (names("sample")) choice += ", sample " + std::to_string(named.sample + 1);
  for (FigureSpec& one : all) one.place.tab += choice;
  return all;
}

Result<std::string> drawn_plots(const FigureRequest& request, const PageHead& head,
                                const Document& document, Context& context) {
  const AttentionShape shape = shape_of(document);
  const auto requested = page_figures(request, shape);
  if (!requested) return requested.error();
  References references;
  const auto figures = specified(*requested, {}, document, references, context);
  if (!figures) return figures.error();
  std::vector<FigureSpec> specs;
  for (std::size_t i = 0; i < requested->size(); ++i) {
    for (const auto& remark : figures->specs[i].remarks) context.console.message(remark);
    std::ranges::move(on_page(figures->specs[i], (*requested)[i].request, shape),
                      std::back_inserter(specs));
  }
  return with_progress(context.console, "Drawing", [&](Progress* progress) {
    return plots_page(document, figures->result, specs, head,
                      {progress, context.common.memory_limit_bytes});
  });
}

Result<std::string> drawn_lesson(const FigureRequest& request, const PageHead& head,
                                 const Document& document, Context& context) {
  if (const Status fits = check_lesson_options(request); !fits) return fits.error();
  const Result<ViewOptions> paper = lesson_paper(request);
  if (!paper) return paper.error();
  return with_progress(context.console, "Drawing", [&](Progress* progress) {
    return lesson_page(document, *paper, head, {progress, context.common.memory_limit_bytes});
  });
}

Result<int> write_page(Source& source, Context& context) {
  const Result<Reading> reading = source.read(context);
  if (!reading) return reading.error();
  const Document& document = reading->document;
  const Result<std::string> hash = hash_of(*reading);
  if (!hash) return hash.error();
  const auto& [request, places, destination, chosen] = source.outputs.front();
  Provenance made = record_of(request, {&source, 1}, context);
  made.hash = *hash;
  const std::string title = text_of(request, "title");
  const bool has_own = !title.empty() && title != kNoTitle;
  const PageHead head{has_own ? title : document.title, provenance_text(made)};
  const bool is_lesson = !document.lesson.empty() && request.plot.empty() && request.layout.empty();
  const Result<std::string> page =
      (is_lesson ? drawn_lesson : drawn_plots)(request, head, document, context);
  if (!page) return page.error();
  if (const Status whole = check_files(document); !whole) return whole.error();
  return done(write_output(context.console, destination, *page));
}

}  // namespace

Result<int> export_pages(const FigureRequest& request, Context& context) {
  if (const Status fits = check_page_options(request, context.common); !fits) return fits.error();
  auto sources = sources_of(context, request);
  if (!sources) return sources.error();
  const auto named = name_outputs(*sources, request.reference, false, context);
  if (!named) return named.error();
  return each_source(
      *sources, "Document", context,
      [](Source& source, Progress*, Context& of_file) { return write_page(source, of_file); });
}

}  // namespace attn::cli
