// Lists of options, multiplied.
#include "cli/export_panels.h"
#include "cli/selection.h"
#include "document/problem.h"
#include "plot/charts/charts.h"

namespace attn::cli {
namespace {

// An option of which a list means a figure of each value.
struct Axis {
  std::string_view name;
  std::size_t AttentionShape::*count = nullptr;  // null: names
};

constexpr Axis kAxes[] = {{"plot"},
                          {"stage"},
                          {"sample", &AttentionShape::samples},
                          {"layer", &AttentionShape::layers},
                          {"head", &AttentionShape::heads},
                          {"step", &AttentionShape::n_q}};

// Null where the option was not given.
template <class Flags>
auto text_of(Flags& flags, const Axis& axis) -> decltype(&flags.plot) {
  if (axis.name == "plot") return flags.plot.empty() ? nullptr : &flags.plot;
  const auto given = std::ranges::find(flags.settings, axis.name,
                                       [](const Setting& setting) { return setting.field->name; });
  return given == flags.settings.end() ? nullptr : &given->text;
}

// One value stays as it is, right or wrong.
Result<std::vector<std::string>> values_of(const Axis& axis, const std::string& text,
                                           const std::optional<AttentionShape>& shape) {
  std::vector<std::string> values;
  if (axis.count == nullptr) {
    for (std::size_t at = 0; at <= text.size(); at += values.back().size() + 1) {
      values.push_back(text.substr(at, text.find(',', at) - at));
    }
    return values;
  }
  if (text != "all" && text.find_first_of(",-", 1) == text.npos) return std::vector{text};
  const std::string name(axis.name);
  AttentionShape of{.layers = text == "all" && shape ? *shape.*axis.count : kAnyCount};
  const auto numbers = chosen_numbers(name, text, of);
  if (!numbers) return numbers.error();
  if (shape && axis.name == "layer") of.layer_numbers = shape->layer_numbers;
  const std::size_t first = axis.name == "step" && text == "all" ? 1 : 0;
  for (const std::size_t each : *numbers) {
    values.push_back(std::to_string(layer_number(of, each, first)));
  }
  return values;
}

}  // namespace

bool needs_shape(const ExportFlags& flags) {
  return std::ranges::any_of(kAxes, [&](const Axis& axis) {
    const std::string* const text = text_of(flags, axis);
    return axis.count != nullptr && text != nullptr && *text == "all";
  });
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

Result<std::vector<Wish>> wishes_of(const ExportFlags& flags, const std::string& name,
                                    const std::optional<AttentionShape>& shape) {
  constexpr std::size_t kMost = 100'000;
  std::vector<Wish> wishes{{flags, {{"name", name}}}};
  for (const Axis& axis : kAxes) {
    const std::string* const text = text_of(flags, axis);
    const auto values = text ? values_of(axis, *text, shape) : std::vector<std::string>{""};
    if (!values) return values.error();
    const std::size_t count = wishes.size() * values->size();
    if (count > kMost) return usage_error("this would draw " + std::to_string(count) + " figures");
    std::vector<Wish> all;
    for (const Wish& wish : wishes) {
      for (const std::string& value : *values) {
        Wish& own = all.emplace_back(wish);
        if (text != nullptr) *text_of(own.flags, axis) = value;
        own.places.emplace_back(axis.name, value);
      }
    }
    wishes = std::move(all);
  }
  return wishes;
}

std::string name_of(const Wish& wish) {
  std::string name;
  for (const auto& [place, value] : wish.places) {
    if (value.empty()) continue;
    if (!name.empty()) name += ", ";
    name += (place == "name" || place == "plot" ? "" : std::string(place) + " ") + value;
  }
  return name;
}

std::string whole_call(const ExportFlags& flags, const std::vector<std::string>& files,
                       std::optional<std::uint64_t> seed) {
  std::string call = "attnscope export";
  const auto add = [&](const char* flag, const std::string& text) {
    if (!text.empty()) call.append(flag).append(" ").append(shell_word(text));
  };
  for (const std::string& file : files) add("", file_name(file));
  for (const auto& [field, text] : flags.settings) {
    std::string flag = " " + spelt(field->name, Spelling::Flag);
    const bool is_switch = field->kind == FieldKind::Flag;
    if (is_switch && text == "false") flag.insert(3, "no-");
    is_switch ? call += flag : (add(flag.c_str(), text), call);
  }
  add(" --plot", flags.plot);
  add(" --layout", flags.layout);
  add(" --part", flags.part);
  for (const std::string& pin : flags.pins) add(" --pin", pin);
  add(" --reference", file_name(flags.reference));
  add(" --dpi", flags.dpi);
  if (flags.transparent) call += " --transparent";
  add(" --seed", seed ? std::to_string(*seed) : "");
  return call;
}

}  // namespace attn::cli
