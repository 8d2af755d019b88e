// Help of attnscope export that fits a screen: for all plots by purpose, or for one plot.
#include <algorithm>

#include "base/embedded_assets.h"
#include "base/joined.h"
#include "cli/export_panels.h"
#include "plot/all_plots.h"

namespace attn::cli {
namespace {

std::string help_of_all() {
  std::vector<HelpLine> plots;
  for (const PlotEntry& plot : all_plots()) {
    plots.push_back({std::string(plot.name), std::string(plot.help)});
  }
  const std::string text =
      with_replaced(asset_named("help/export.txt"), "@PLOTS@\n", help_table(plots, 20));
  return with_replaced(text, "@EXAMPLES@\n", help_table(subcommand_named("export")->examples, 60));
}

// Returns the help of an option with its default in brackets: without its second clause if it is
// long, and with only the choices around the default if there are many.
std::string short_help(const Flag& option, const Field<ViewOptions>& field) {
  constexpr std::size_t kLine = 76, kMost = 12;
  std::string help = with_replaced(option.help, "; default: ", " (default ");
  help = with_replaced(help, " (default ", " [");
  if (help.ends_with(')')) help.pop_back();
  if (help.find(" [") != help.npos) help += "]";
  const std::size_t clause = help.find("; "), end = field.help.size();
  if (clause < end && help.size() > kLine) help.erase(clause, end - clause);
  const auto& all = option.choices;
  if (all.size() <= kMost) return help;
  const auto at = static_cast<std::size_t>(std::ranges::find(all, field.get({})) - all.begin());
  const std::size_t first = at - std::min(at, kMost - 3);
  const std::string few = joined(std::span(all).subspan(first, first > 0 ? kMost : kMost / 4));
  return with_replaced(help, joined(all), (first > 0 ? "…, " : "") + few + ", …");
}

// True if the plot has an option about matrices that is no field of the view.
bool takes(const PlotEntry& plot, const std::string& option) {
  const bool is_map = shows_part(plot);
  return (option == "--part" && is_map) || (option == "--reference" && plot.compares) ||
         (option == "--pin" && takes_pins(plot));
}

// Returns lines of the options that this plot has and others have not.
std::vector<HelpLine> lines_of(const PlotEntry& plot, const Flags& options) {
  std::vector<HelpLine> lines;
  for (const std::string_view name : names_of(plot.options)) {
    const Field<ViewOptions>& field = *plot_option_named(name);
    if (field.alias || is_of_the_page(name)) continue;
    const Flag option = option_of(field, nullptr);
    lines.push_back({left_of(option), short_help(option, field)});
  }
  for (const Flag& option : options) {
    if (takes(plot, option.names)) lines.push_back({left_of(option), option.help});
  }
  const std::string notes = uses(plot, Option::Notes) ? "--[no-]notes, " : "";
  lines.push_back(
      {"--title, " + notes + "--theme, --width, --height, --font-size, --font: as of every plot",
       ""});
  return lines;
}

// Returns help of a plot, with its call of assets/help/plots.txt.
std::string help_of(const PlotEntry& plot, const Flags& options) {
  const std::string name(plot.name);
  const std::string_view calls = asset_named("help/plots.txt");
  const std::size_t at = calls.find("--plot " + name + " "), begin = calls.rfind('\n', at) + 1;
  return name + ": " + std::string(plot.help) +
         "\n\nExample: " + std::string(calls.substr(begin, calls.find('\n', at) - begin)) +
         "\n\nOptions [with defaults where the document's view says nothing else]:\n" +
         help_table(lines_of(plot, options), 18);
}

}  // namespace

std::string export_help(const Flags& options, const Arguments& arguments) {
  constexpr std::string_view kOption = "--plot=";
  for (std::string_view word : arguments) {
    if (word.starts_with(kOption)) word.remove_prefix(kOption.size());
    const PlotEntry* const plot = plot_named(word.substr(0, word.find(',')));
    if (plot != nullptr) return help_of(*plot, options);
  }
  return help_of_all();
}

}  // namespace attn::cli
