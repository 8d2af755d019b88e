// Says what was understood of the model of a folder.
#include "cli/model_facts.h"

#include <algorithm>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/document.h"

namespace attn::cli {
namespace {

// Returns numbers of layers from 0, as ranges: "0 to 4, 6".
template <class Holds>
std::string layers_text(const std::vector<TransformerBlock>& blocks, Holds holds) {
  std::vector<std::string> ranges;
  for (std::size_t first = 0, layer = 0; layer < blocks.size(); first = ++layer) {
    while (layer < blocks.size() && holds(blocks[layer])) ++layer;
    if (layer == first) continue;
    std::string range = std::to_string(first);
    if (layer - 1 > first) range.append(" to ").append(std::to_string(layer - 1));
    ranges.push_back(std::move(range));
  }
  return joined(ranges);
}

// Returns the numbers of a scaling: "Llama 3, factor 8, trained length 8192, turns 1 to 4".
std::string scaling_text(const Position& position) {
  const RopeScalingInfo& info = rope_scaling_info(position.scaling);
  if (position.scaling == RopeScaling::None) return "";
  std::string text = "; " + std::string(info.label) + ", factor " + shortest_text(position.factor);
  if (info.has_original) text += ", trained length " + std::to_string(position.original);
  if (info.high > 0.0F) {
    text += ", turns " + shortest_text(position.low.value_or(info.low)) + " to " +
            shortest_text(position.high.value_or(info.high));
  }
  if (info.has_factors) text += ", " + counted(position.factors.size(), "factor") + " of pairs";
  const double gain = rope_gain(position);
  return gain == 1.0 ? text : text + ", gain " + short_text(gain);
}

std::string position_text(const Position& position) {
  const PositionKindInfo& info = position_info(position.kind);
  if (!info.turns) return std::string(info.label);
  const std::string columns =
      position.rotary_dim > 0 ? ", of " + counted(position.rotary_dim, "column") : "";
  return std::string(info.label) + ", base " + shortest_text(position.base) + columns +
         scaling_text(position);
}

std::string window_text(const Window& window) {
  if (!window.left) return "none";
  const std::uint64_t left = *window.left, right = window.right.value_or(0);
  return right > 0 ? counted(left, "token") + " on each side" : counted(left + 1, "token");
}

// Returns the window of the document, or that of blocks with their numbers.
std::string windows_text(const Document& document, const std::vector<TransformerBlock>& blocks) {
  if (document.mask.window) return window_text(*document.mask.window) + ", in all layers";
  const auto has_window = [](const auto& block) { return block.rules.window.has_value(); };
  const auto first = std::ranges::find_if(blocks, has_window);
  if (first == blocks.end()) return "none";
  return window_text(*first->rules.window) + ", in layers " + layers_text(blocks, has_window);
}

std::string scores_text(const Document& document, std::size_t columns) {
  const Scoring& scoring = document.scoring;
  std::string text = "times " + (scoring.scale ? short_text(static_cast<double>(*scoring.scale))
                                               : "1/\u221A" + std::to_string(columns));
  if (scoring.softcap) text += ", softcap " + shortest_text(*scoring.softcap);
  return text;
}

std::string norms_text(const Stack& stack) {
  constexpr std::pair<NormOrder, const char*> kOrders[] = {
      {NormOrder::Post, "behind sums"},
      {NormOrder::Pre, "in front of parts"},
      {NormOrder::Both, "in front of parts and behind them"},
      {NormOrder::Branch, "behind parts"}};
  const auto* order =
      std::ranges::find(kOrders, stack.order, &std::pair<NormOrder, const char*>::first);
  std::string text = stack.norm == NormKind::Rms ? "RMS norm" : "layer norm";
  text += ", eps " + shortest_text(stack.eps) + ", " + order->second;
  if (stack.weight_offset != 0.0F) text += ", weights + " + shortest_text(stack.weight_offset);
  if (!stack.blocks[0].projections.q_norm.empty()) text += ", also of queries and keys";
  return stack.parallel ? text + "; both parts of a layer read its input" : text;
}

std::string head_text(const Vocabulary& words) {
  if (words.head.empty()) return "none";
  std::string text = words.head.shares_with(words.table) ? "the table of embeddings" : "its own";
  return words.softcap ? text + ", softcap " + shortest_text(*words.softcap) : text;
}

// Returns what the model predicts, or the note that says why it does not.
std::string predicts_text(const Vocabulary& words, const std::vector<std::string>& notes) {
  static constexpr std::string_view kReason = "no token is predicted, ";
  if (!words.head.empty()) return words.masked ? "masked tokens" : "the next token";
  const auto note =
      std::ranges::find_if(notes, [](const std::string& one) { return one.starts_with(kReason); });
  return note == notes.end() ? "no token" : "no token, " + note->substr(kReason.size());
}

std::string input_text(const SourceModel& source) {
  if (!source.text.empty()) return cut_to_ends(source.text, 60);
  constexpr std::size_t kMostIds = 8;
  std::vector<std::string> ids;
  for (const std::uint32_t id : source.ids) ids.push_back(std::to_string(id));
  return "none: ids " + joined_first(ids, kMostIds);
}

using Facts = std::vector<std::pair<std::string, std::string>>;

// Adds positions that single blocks have in place of the model's.
void add_own_positions(const std::vector<TransformerBlock>& blocks, Facts& facts) {
  const auto turns = [](const auto& block) {
    return block.rules.position && is_turned(*block.rules.position);
  };
  const auto is_still = [](const auto& block) {
    return block.rules.position && !is_turned(*block.rules.position);
  };
  if (const auto own = std::ranges::find_if(blocks, turns); own != blocks.end()) {
    facts.emplace_back("other positions", position_text(*own->rules.position) + ", in layers " +
                                              layers_text(blocks, turns));
  }
  if (std::ranges::any_of(blocks, is_still)) {
    facts.emplace_back("not rotated", "layers " + layers_text(blocks, is_still));
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> model_facts(const Reading& reading) {
  const Document& document = reading.document;
  const std::string changed = list_of(document.what_if, shape_of(document));
  Facts facts;
  if (!changed.empty()) facts.emplace_back("changed", changed);
  if (!document.source_model) return facts;
  const SourceModel& source = *document.source_model;
  const Vocabulary& words = *source.vocabulary;
  const Stack& stack = *stack_of(document.model);
  const std::vector<TransformerBlock>& blocks = stack.blocks;
  const std::string tokenizer = words.tokenizer
                                    ? "tokenizer of " + counted(words.tokenizer->size(), "token")
                                    : "no tokenizer";
  const Facts of_model = {
      {"folder", source.folder},
      {"family", source.family},
      {"text", input_text(source)},
      {"longest text",
       words.most_tokens > 0 ? counted(words.most_tokens, "token") : std::string("not limited")},
      {"vocabulary", counted(words.table.extent(0), "row") + ", " + tokenizer},
      {"embeddings", "times " + shortest_text(words.scale)},
      {"predicts", predicts_text(words, reading.notes)},
      {"head", head_text(words)},
      {"position", position_text(document.position)},
      {"windows", windows_text(document, blocks)},
      {"scores", scores_text(document, shape_of(document).d_k)},
      {"activation", std::string(activation_info(blocks[0].feed_forward.activation).label)},
      {"norm", norms_text(stack)}};
  facts.insert(facts.end(), of_model.begin(), of_model.end());
  add_own_positions(blocks, facts);
  return facts;
}

}  // namespace attn::cli
