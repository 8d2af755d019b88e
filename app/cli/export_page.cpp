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
      return usage_error(std::string(flag) + " is of pictures, not of pages",
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

// The flags of one of the plots; the first keeps those that none of them uses, and refuses them.
ExportFlags flags_of_plot(const ExportFlags& flags, const std::vector<std::string>& plots,
                          std::size_t at) {
  ExportFlags own = flags;
  if (!plots[at].empty()) own.plot = plots[at];
  const auto uses_it = [](const std::string& name, const Setting& setting) {
    const PlotEntry* const plot = plot_named(name);
    const std::string one(setting.field->name);
    return plot == nullptr || uses(*plot, one) || uses(*plot, one + "s");
  };
  std::erase_if(own.settings, [&](const Setting& setting) {
    const bool used =
        std::ranges::any_of(plots, [&](const auto& name) { return uses_it(name, setting); });
    return (used || at > 0) && !uses_it(plots[at], setting);
  });
  return own;
}

std::vector<std::string> plots_in(const std::string& list) {
  std::vector<std::string> plots;
  for (std::size_t at = 0; at <= list.size(); at += plots.back().size() + 1) {
    plots.push_back(list.substr(at, list.find(',', at) - at));
  }
  return plots;
}

bool names_several(const std::string& numbers) {
  return numbers == "all" || numbers.find_first_of(",-", 1) != std::string::npos;
}

// Figures of each plot: of plots of one head, one for each that is named. Plots of several draw
// them side by side.
Result<std::vector<Wish>> page_figures(const ExportFlags& flags, const AttentionShape& shape) {
  const std::vector<std::string> plots = plots_in(flags.plot);
  std::vector<Wish> all;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    ExportFlags own = flags_of_plot(flags, plots, i);
    const PlotEntry* const plot = plot_named(plots[i]);
    std::vector<Setting> lists;
    std::erase_if(own.settings, [&](const Setting& setting) {
      const Field<ViewOptions>* several = plot_option_named(std::string(setting.field->name) + "s");
      const bool draws_several =
          plot != nullptr && several != nullptr && uses(*plot, several->name);
      const bool in_front =
          draws_several && uses(*plot, setting.field->name) && !names_several(setting.text);
      if (draws_several && !in_front) lists.push_back({several, setting.text});
      return draws_several && !in_front;
    });
    Result<std::vector<Wish>> wishes = wishes_of(own, "", shape);
    if (!wishes) return wishes;
    for (Wish& wish : *wishes) {
      wish.flags.settings.insert(wish.flags.settings.end(), lists.begin(), lists.end());
      all.push_back(std::move(wish));
    }
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

struct PageJob {
  const ExportFlags& flags;
  PageHead head;
  std::string file, hash;
};

Result<std::string> drawn_plots(const PageJob& job, const Document& document, Context& context) {
  const AttentionShape shape = shape_of(document);
  Result<std::vector<Wish>> figures = page_figures(job.flags, shape);
  if (!figures) return figures.error();
  const View saved = focused_view(document.panes.value_or(Panes{}));
  for (Wish& figure : *figures) {
    figure.wanted = {.plot = {},
                     .options = {saved.options, {}, {}},
                     .file = job.file,
                     .saved = saved,
                     .seed = context.common.seed_number,
                     .hash = job.hash};
  }
  References references;
  const Result<ResultPtr> result = computed_for(*figures, document, references, context);
  if (!result) return result.error();
  for (const Wish& figure : *figures) {
    for (const std::string& remark : figure.remarks) context.console.message(remark);
  }
  const std::vector<PageWish> wishes = on_page(*figures, shape);
  Result<std::string> page = std::string();
  with_progress(context.console, "Drawing", [&](Progress* progress) {
    page = plots_page(document, *result, wishes, job.head,
                      {progress, context.common.memory_limit_bytes});
  });
  return page;
}

Result<std::string> drawn_lesson(const PageJob& job, const Document& document, Context& context) {
  if (const Status fits = check_lesson_flags(job.flags); !fits) return fits.error();
  const Result<ViewOptions> paper = lesson_paper(job.flags);
  if (!paper) return paper.error();
  Result<std::string> page = std::string();
  with_progress(context.console, "Drawing", [&](Progress* progress) {
    page = lesson_page(document, *paper, job.head, {progress, context.common.memory_limit_bytes});
  });
  return page;
}

Result<int> write_page(const ExportFlags& flags, Context& context) {
  const std::string& file = context.common.file;
  const Result<Reading> reading = load_document(file, context);
  if (!reading) return reading.error();
  const Document& document = reading->document;
  const Result<std::string> hash = hash_of(document);
  if (!hash) return hash.error();
  PageHead head{document.title,
                provenance_text({recorded_program(), file_name(file), *hash,
                                 whole_call(flags, {file}, context.common.seed_number)})};
  for (const auto& [field, text] : flags.settings) {
    if (field->name == "title" && text != kNoTitle) head.title = text;
  }
  const bool is_lesson = !document.lesson.empty() && flags.plot.empty() && flags.layout.empty();
  const PageJob job{flags, std::move(head), file, *hash};
  const Result<std::string> page =
      is_lesson ? drawn_lesson(job, document, context) : drawn_plots(job, document, context);
  if (!page) return page.error();
  if (const Status whole = check_files(document); !whole) return whole.error();
  const Status written = write_output(context.console, context.common.destination, *page);
  return written ? Result<int>(0) : written.error();
}

}  // namespace

Result<int> export_pages(const ExportFlags& flags, Context& context) {
  if (const Status fits = check_page_flags(flags); !fits) return fits.error();
  const auto files = matched_files(context.common.files);
  if (!files) return files.error();
  std::vector<PlaceValues> places;
  for (const std::string& file : *files) places.push_back({{"name", stem_of(file)}});
  std::vector<std::string> all_read = *files;
  if (!flags.reference.empty()) all_read.push_back(flags.reference);
  const auto outputs = destinations(context.common.destination, places, all_read);
  if (!outputs) return outputs.error();
  if (const Status kept = check_sources(all_read, *outputs, context); !kept) return kept.error();
  return each_file(*files, *outputs, context,
                   [&](Context& of_file) { return write_page(flags, of_file); });
}

}  // namespace attn::cli
