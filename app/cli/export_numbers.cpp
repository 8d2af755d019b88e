// Numbers of what a plot shows: those that compute writes, chosen by the flags of export.
#include "cli/export_panels.h"

namespace attn::cli {
namespace {

// Where a plot's numbers have their name: in an option, or always the same.
struct NamedNumbers {
  std::string_view plot, option, usual;
};

constexpr NamedNumbers kPlots[] = {
    {"", "stage", "weights"},           {"heatmap", "stage", "weights"},
    {"heads", "", "weights"},           {"links", "", "weights"},
    {"difference", "stage", "weights"}, {"measures", "", "measures"},
    {"distances", "", "distances"},     {"derived", "matrix", "rollout"}};

// The value of an option, which is then done with; "" if it was not given.
std::string taken(std::vector<Setting>& settings, std::string_view name) {
  std::string text;
  std::erase_if(settings, [&](const Setting& setting) {
    const bool is_it = setting.field->name == name;
    if (is_it) text = setting.text;
    return is_it;
  });
  return text;
}

}  // namespace

Result<NumbersAsked> numbers_shown(const ExportFlags& flags) {
  const auto* const named = std::ranges::find(kPlots, flags.plot, &NamedNumbers::plot);
  if (named == std::end(kPlots) || !flags.layout.empty() || !flags.part.empty()) {
    return usage_error("only the matrices that a plot shows whole can be written as numbers",
                       "name a plot of heatmap, heads, links, difference, measures, distances and "
                       "derived, or see attnscope compute --help");
  }
  std::vector<Setting> settings = flags.settings;
  NumbersAsked asked;
  asked.format = flags.format;
  asked.reference = flags.reference;
  const bool of_itself = named->plot == "difference" && flags.reference.empty();
  bool subtracts = !of_itself;
  for (const NumberedAxis& axis : numbered_axes()) {
    asked.*axis.asked = taken(settings, axis.name);
    if (!of_itself) continue;
    const std::string minus = taken(settings, "minus_" + std::string(axis.name));
    asked.minus.*axis.asked = minus.empty() ? asked.*axis.asked : minus;
    subtracts = subtracts || !minus.empty();
  }
  if (!subtracts) {
    return usage_error("it is not said from what the difference is",
                       "add --minus-head N, --minus-layer N, --minus-sample N or --reference FILE");
  }
  asked.stages = taken(settings, named->option);
  if (asked.stages.empty()) asked.stages = named->usual;
  const std::string attention = taken(settings, "attention");
  const bool last = attention.empty() || attention == attention_info({}).name;
  if (!last) asked.stages.insert(0, attention + "_");
  if (settings.empty()) return asked;
  const std::string flag = spelt(settings.front().field->name, Spelling::Flag);
  return usage_error(flag + " changes a picture, not its numbers", "leave out " + flag);
}

}  // namespace attn::cli
