// Reading of steps: their options, their types, and lists of them.
#include "tokenizer/steps.h"

#include "tokenizer/members.h"

namespace attn::tokenizing {
namespace {

constexpr Choice<Behavior> kBehaviors[] = {
    {"Removed", Behavior::Removed},
    {"Isolated", Behavior::Isolated},
    {"MergedWithPrevious", Behavior::MergedWithPrevious},
    {"MergedWithNext", Behavior::MergedWithNext},
    {"Contiguous", Behavior::Contiguous},
};

bool read_behavior(JsonValue json, Behavior& behavior) {
  static constexpr auto kForm = choice_form<kBehaviors>("behavior");
  const std::optional<JsonValue> name = member(json, "behavior");
  return !name || kForm.read(*name, kForm, &behavior);
}

bool read_options(JsonValue json, StepOptions& options) {
  const auto read = [&](const char* key, auto& value) { return read_member(json, key, value); };
  return read("add_prefix_space", options.add_prefix_space) &&
         read("use_regex", options.use_regex) && read("split", options.split) &&
         read("invert", options.invert) && read("individual_digits", options.individual_digits) &&
         read("strip_left", options.strip_left) && read("strip_right", options.strip_right) &&
         read("clean_text", options.clean_text) &&
         read("handle_chinese_chars", options.handle_chinese_chars) &&
         read("lowercase", options.lowercase) && read("strip_accents", options.strip_accents) &&
         read("prepend", options.prepend) && read("content", options.content) &&
         read("replacement", options.replacement) &&
         read("precompiled_charsmap", options.precompiled_charsmap) &&
         read("prepend_scheme", options.prepend_scheme) && read("pattern", options.pattern) &&
         read_behavior(json, options.behavior);
}

bool read_steps(JsonValue json, const std::string& noun, std::span<const StepType> types,
                TextStep& step) {
  std::vector<TextStep> steps;
  for (const char* key : {"normalizers", "pretokenizers"}) {
    const std::optional<JsonValue> list = member(json, key);
    const auto add = [&](JsonValue item) {
      return item.charge(sizeof(TextStep)) && read_step(item, noun, types, steps.emplace_back());
    };
    if (list && !list->each_item(add)) return false;
  }
  step = sequence_of(std::move(steps));
  return true;
}

}  // namespace

TextStep sequence_of(std::vector<TextStep> steps) {
  return [steps = std::move(steps)](Pieces& pieces) {
    for (const TextStep& step : steps) {
      if (Status done = step(pieces); !done) return done;
    }
    return ok_status();
  };
}

bool read_step(JsonValue json, const std::string& noun, std::span<const StepType> types,
               TextStep& step) {
  StepOptions options;
  const StepType* const type = type_of(json, noun, types);
  if (type == nullptr || !read_options(json, options)) return false;
  if (type->make == nullptr) return read_steps(json, noun, types, step);
  step = type->make(options);
  return step || json.refuse("this " + noun + " is not sound", std::string(type->name),
                             "one as the libraries write it", kGiveIds);
}

}  // namespace attn::tokenizing
