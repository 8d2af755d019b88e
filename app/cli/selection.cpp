// Parsers of chosen numbers and stages.
#include "cli/selection.h"

#include <algorithm>
#include <numeric>

#include "base/joined.h"
#include "base/number_text.h"
#include "cli/flags.h"

namespace attn::cli {
namespace {

// First and last number of "7" or "0-3".
Result<std::pair<std::int64_t, std::int64_t>> range_of(std::string_view text) {
  const std::size_t dash = text.find('-');
  const Result<std::int64_t> first = parse_integer(text.substr(0, dash));
  if (!first) return first.error();
  if (dash == text.npos) return std::pair(*first, *first);
  const Result<std::int64_t> last = parse_integer(text.substr(dash + 1));
  if (!last) return last.error();
  return std::pair(*first, *last);
}

// Query heads that stand for the chosen matrices: one of a group that shares keys.
std::vector<std::size_t> heads_of_stage(const AttentionShape& shape, Stage stage,
                                        const std::vector<std::size_t>& heads) {
  const StageInfo& info = stage_info(stage);
  if (!info.per_head) return {0};
  const std::size_t group = info.rows_are_keys() ? shape.heads / shape.kv_heads : 1;
  std::vector<std::size_t> firsts;
  for (const std::size_t head : heads) {
    const std::size_t first = head / group * group;
    if (std::ranges::find(firsts, first) == firsts.end()) firsts.push_back(first);
  }
  return firsts;
}

Result<std::vector<Stage>> stages_asked(const MatricesAsked& asked, const AttentionResult& result,
                                        const std::string& usual) {
  std::vector<Stage> stages;
  const std::vector<Stage> known = result.stages();
  std::vector<std::string_view> names;
  names.reserve(known.size());
  for (const Stage stage : known) names.push_back(stage_info(stage).name);
  std::string left = asked.stages.empty() ? usual : joined(asked.stages, ",");
  while (!left.empty()) {
    const std::string name = left.substr(0, left.find(','));
    left.erase(0, std::min(name.size() + 1, left.size()));
    const std::optional<Stage> stage = stage_named(name);
    if (!stage || std::ranges::find(known, *stage) == known.end()) {
      Error error =
          no_value("--stage names no stage of this document", name, "one of " + joined(names));
      error.hint = did_you_mean(name, names, "");
      return error;
    }
    if (std::ranges::find(stages, *stage) == stages.end()) stages.push_back(*stage);
  }
  return stages;
}

}  // namespace

Result<std::vector<std::size_t>> chosen_numbers(std::string_view flag, const std::string& text,
                                                std::size_t count, std::string_view noun) {
  std::vector<std::size_t> numbers(text == "all" ? count : 0);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::string_view left = text == "all" ? "" : std::string_view(text);
  const auto refused = [&] {
    const std::string most = std::to_string(count - 1);
    return no_value(
        std::string(flag) + " names " + std::string(noun) + " that do not exist", text,
        "all, or numbers from 0 to " + most + " such as " + (count > 1 ? "0-" + most : "0"));
  };
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find(','));
    const auto range = range_of(part);
    const bool is_sound = range && range->first >= 0 && range->first <= range->second &&
                          static_cast<std::uint64_t>(range->second) < count;
    if (!is_sound || part.size() + 1 == left.size()) return refused();
    for (auto number = range->first; number <= range->second; ++number) {
      const auto index = static_cast<std::size_t>(number);
      if (std::ranges::find(numbers, index) == numbers.end()) numbers.push_back(index);
    }
    left.remove_prefix(std::min(part.size() + 1, left.size()));
  }
  if (numbers.empty()) return refused();
  return numbers;
}

bool MatricesAsked::any() const {
  return !stages.empty() || !layers.empty() || !heads.empty() || !samples.empty();
}

void add_matrix_flags(Flags& options, MatricesAsked& asked) {
  options.insert(options.end(),
                 {{"--stage", "NAMES", "Stages such as weights or scores,weights", &asked.stages},
                  {"--layer", "NUMBERS", "Layers from 0 on: all, or such as 0-3,7", &asked.layers},
                  {"--head", "NUMBERS", "Heads, likewise", &asked.heads},
                  {"--sample", "NUMBERS", "Samples, likewise", &asked.samples}});
}

Result<std::vector<ChosenStage>> chosen_stages(const MatricesAsked& asked,
                                               const AttentionResult& result,
                                               const std::string& usual) {
  const AttentionShape& shape = result.shape();
  const Result<std::vector<Stage>> stages = stages_asked(asked, result, usual);
  if (!stages) return stages.error();
  const auto numbers = [](std::string_view flag, const std::string& text, std::size_t count,
                          std::string_view noun) {
    return chosen_numbers(flag, text.empty() ? "all" : text, count, noun);
  };
  const auto samples = numbers("--sample", asked.samples, shape.samples, "samples");
  const auto layers = numbers("--layer", asked.layers, shape.layers, "layers");
  const auto heads = numbers("--head", asked.heads, shape.heads, "heads");
  for (const auto* chosen : {&samples, &layers, &heads}) {
    if (!*chosen) return chosen->error();
  }
  std::vector<ChosenStage> all;
  for (const Stage stage : *stages) {
    const bool has_layers = layers_of(shape, stage) == shape.layers;
    all.push_back({stage, *samples, has_layers ? *layers : std::vector<std::size_t>{0},
                   heads_of_stage(shape, stage, *heads)});
  }
  return all;
}

void each_matrix(const ResultPtr& result, const ChosenStage& chosen, const VisitMatrix& visit) {
  for (const std::size_t sample : chosen.samples) {
    for (const std::size_t layer : chosen.layers) {
      for (const std::size_t head : chosen.heads) {
        const HeadAddress at = HeadAddress{}.moved_to(layer, sample, head);
        if (!visit(at, *stage_matrix(result, {chosen.stage, at}))) return;
      }
    }
  }
}

}  // namespace attn::cli
