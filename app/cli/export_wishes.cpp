// Lists of options, multiplied, and the call that they make.
#include "cli/export_panels.h"
#include "document/problem.h"
#include "plot/charts/charts.h"

namespace attn::cli {
namespace {

// Null where the option was not given.
template <class Flags>
auto text_of(Flags& flags, std::string_view place) -> decltype(&flags.plot) {
  if (place == "plot") return flags.plot.empty() ? nullptr : &flags.plot;
  const auto given = std::ranges::find(flags.settings, place,
                                       [](const Setting& setting) { return setting.field->name; });
  return given == flags.settings.end() ? nullptr : &given->text;
}

}  // namespace

PlaceValues lists_of(const ExportFlags& flags, const std::string& name) {
  PlaceValues lists{{"name", name}};
  for (const std::string_view place : {"plot", "stage", "sample", "layer", "head", "step"}) {
    const std::string* const text = text_of(flags, place);
    lists.emplace_back(place, text ? *text : "");
  }
  return lists;
}

AttentionShape counted_shape(const ExportFlags& flags, const Document& document) {
  ViewOptions options;
  for (const Setting& setting : flags.settings) {
    if (setting.field->name != "attention") continue;
    (void)setting.field->set(options, setting.text, Spelling::Flag);  // refused later
  }
  AttentionShape shape = shape_of(document);
  const bool counts = flags.plot == kStoryPlot && was_given(flags, "step");
  if (counts) shape.n_q = story_steps(make_problem(document), options.at);
  return shape;
}

Wish wish_of(const ExportFlags& flags, const PlaceValues& places) {
  Wish own{flags, places};
  for (const auto& [place, value] : places) {
    if (std::string* const text = text_of(own.flags, place)) *text = value;
  }
  return own;
}

Result<std::vector<Wish>> wishes_of(const ExportFlags& flags, const std::string& name,
                                    const std::optional<AttentionShape>& shape) {
  const auto all = combinations(lists_of(flags, name), shape);
  if (!all) return all.error();
  std::vector<Wish> wishes;
  for (const PlaceValues& places : *all) wishes.push_back(wish_of(flags, places));
  return wishes;
}

Provenance whole_call(const ExportFlags& flags, const std::vector<std::string>& files,
                      const Context& context) {
  std::string call = "attnscope export";
  const auto add = [&](const char* flag, const std::string& text) {
    if (!text.empty()) call.append(flag).append(" ").append(shell_word(text));
  };
  for (const std::string& file : files) add("", file_name(file));
  for (const Setting& setting : flags.settings) {
    const std::string flag = " " + flag_of(setting);
    setting.field->kind == FieldKind::Flag ? void(call += flag) : add(flag.c_str(), setting.text);
  }
  add(" --plot", flags.plot);
  add(" --layout", flags.layout);
  add(" --part", flags.part);
  for (const std::string& pin : flags.pins) add(" --pin", pin);
  add(" --reference", file_name(flags.reference));
  add(" --dpi", flags.dpi);
  if (flags.transparent) call += " --transparent";
  const auto& seed = context.common.seed_number;
  add(" --seed", seed ? std::to_string(*seed) : "");
  add(" --leave-out", context.common.left_out);
  return {recorded_program(), joined(files, ", ", file_name), "", call};
}

}  // namespace attn::cli
