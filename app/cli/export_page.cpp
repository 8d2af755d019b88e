// attnscope export to HTML: a page of a lesson, or of plots with all their heads.
#include <algorithm>
#include <iterator>

#include "cli/cli.h"
#include "cli/console.h"
#include "cli/export_panels.h"
#include "document/tensors/tensor_file.h"
#include "export/provenance.h"
#include "plot/colors/color_range.h"
#include "session/page_file.h"

namespace attn::cli {
namespace {

Status check_page_flags(const ExportFlags& flags) {
  const std::pair<const char*, bool> of_pictures[] = {{"--dpi", !flags.dpi.empty()},
                                                      {"--text", !flags.text.empty()},
                                                      {"--transparent", flags.transparent},
                                                      {"--jobs", !flags.jobs.empty()}};
  for (const auto& [flag, given] : of_pictures) {
    if (given)
      return usage_error(std::string(flag) + " is for pictures, not for pages",
                         "leave out " + std::string(flag));
  }
  return ok_status();
}

// The views of a lesson are those of its steps.
Status check_lesson_flags(const ExportFlags& flags) {
  const auto refused = [](const std::string& flag) {
    return usage_error("a page of a lesson has the views of its steps, not " + flag,
                       "leave out " + flag + ", or add --plot for a page of plots");
  };
  if (!flags.part.empty()) return refused("--part");
  if (!flags.pins.empty()) return refused("--pin");
  if (!flags.reference.empty()) return refused("--reference");
  for (const Setting& setting : flags.settings) {
    if (!is_of_the_page(setting.field->name))
      return refused(spelt(setting.field->name, Spelling::Flag));
  }
  return ok_status();
}

Result<ViewOptions> lesson_paper(const ExportFlags& flags) {
  PlotOptions paper{usual_lesson_paper(), {}, {}};
  for (const auto& [field, text] : flags.settings) {
    if (const Status set = field->set(paper, text, Spelling::Flag); !set) return set.error();
  }
  if (const Status sound = check_options(paper, Spelling::Flag); !sound) return sound.error();
  return ViewOptions(paper);
}

// The flags of one of the plots, with those that none of them uses, which are refused later.
ExportFlags flags_of_plot(const ExportFlags& flags, const std::vector<std::string>& plots,
                          const std::string& name) {
  const auto used_by = [](const std::string& plot, const Setting& setting) {
    return plot_named(plot) == nullptr || is_used(setting, *plot_named(plot));
  };
  ExportFlags own = flags;
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

// Figures of each plot: of plots of one head, one for each that is named. Plots of several draw
// them side by side.
Result<std::vector<Wish>> page_figures(const ExportFlags& flags, const AttentionShape& shape) {
  const std::vector<std::string> plots = items_of(flags.plot);
  std::vector<Wish> all;
  for (const std::string& plot : plots) {
    Result<std::vector<Wish>> wishes = wishes_of(flags_of_plot(flags, plots, plot), "", shape);
    if (!wishes) return wishes;
    std::ranges::move(*wishes, std::back_inserter(all));
  }
  return all;
}

std::string place_in(const Wish& wish, std::string_view name) {
  const auto found = std::ranges::find(wish.places, name, &PlaceValues::value_type::first);
  return found == wish.places.end() ? "" : found->second;
}

// As words count: from 1, but for layers with numbers of their own.
std::vector<PageWish> on_page(const std::vector<Wish>& figures, const AttentionShape& shape) {
  std::vector<PageWish> all;
  for (const Wish& figure : figures) {
    std::vector<PageWish> own = wishes_for_page(figure.wanted, shape);
    const bool names_layer = !place_in(figure, "layer").empty(),
               names_head = !place_in(figure, "head").empty();
    std::erase_if(own, [&](const PageWish& wish) {
      const HeadAddress &at = wish.wanted.options.at, &named = figure.wanted.options.at;
      return (names_layer && at.layer != named.layer) || (names_head && at.head != named.head);
    });
    const std::string stage = place_in(figure, "stage"), sample = place_in(figure, "sample");
    for (PageWish& wish : own) {
      if (!stage.empty())
        wish.place.tab += ", " + std::string(stage_info(figure.wanted.options.stage).label);
      if (!sample.empty())
        wish.place.tab += ", sample " + std::to_string(figure.wanted.options.at.sample + 1);
    }
    std::ranges::move(own, std::back_inserter(all));
  }
  return all;
}

Result<std::string> drawn_plots(const ExportFlags& flags, const PageHead& head,
                                const Document& document, Context& context) {
  const AttentionShape shape = shape_of(document);
  Result<std::vector<Wish>> figures = page_figures(flags, shape);
  if (!figures) return figures.error();
  References references;
  const Result<ResultPtr> result = computed_for(*figures, {}, document, references, context);
  if (!result) return result.error();
  for (const Wish& figure : *figures) {
    for (const std::string& remark : figure.remarks) context.console.message(remark);
  }
  const std::vector<PageWish> wishes = on_page(*figures, shape);
  return with_progress(context.console, "Drawing", [&](Progress* progress) {
    return plots_page(document, *result, wishes, head,
                      {progress, context.common.memory_limit_bytes});
  });
}

Result<std::string> drawn_lesson(const ExportFlags& flags, const PageHead& head,
                                 const Document& document, Context& context) {
  if (const Status fits = check_lesson_flags(flags); !fits) return fits.error();
  const Result<ViewOptions> paper = lesson_paper(flags);
  if (!paper) return paper.error();
  return with_progress(context.console, "Drawing", [&](Progress* progress) {
    return lesson_page(document, *paper, head, {progress, context.common.memory_limit_bytes});
  });
}

Result<int> write_page(const ExportFlags& flags, Source& source, Context& context) {
  const Result<Reading> reading = source.read(context);
  if (!reading) return reading.error();
  const Document& document = reading->document;
  const Result<std::string> hash = hash_of(*reading);
  if (!hash) return hash.error();
  Provenance made = whole_call(flags, {source.file}, context);
  made.hash = *hash;
  PageHead head{document.title, provenance_text(made)};
  for (const auto& [field, text] : flags.settings) {
    if (field->name == "title" && text != kNoTitle) head.title = text;
  }
  const bool is_lesson = !document.lesson.empty() && flags.plot.empty() && flags.layout.empty();
  const Result<std::string> page =
      (is_lesson ? drawn_lesson : drawn_plots)(flags, head, document, context);
  if (!page) return page.error();
  if (const Status whole = check_files(document); !whole) return whole.error();
  return done(write_output(context.console, source.outputs.front().destination, *page));
}

}  // namespace

Result<int> export_pages(const ExportFlags& flags, Context& context) {
  if (const Status fits = check_page_flags(flags); !fits) return fits.error();
  auto sources = sources_of(context);
  if (!sources) return sources.error();
  const auto named = name_outputs(*sources, flags.reference, false, context);
  if (!named) return named.error();
  return each_source(*sources, "Document", context,
                     [&](Source& source, Progress*, Context& of_file) {
                       return write_page(flags, source, of_file);
                     });
}

}  // namespace attn::cli
