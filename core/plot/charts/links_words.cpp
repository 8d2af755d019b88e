// Puts the sentences of the links plot together.
#include "plot/charts/links_words.h"

#include "base/number_text.h"
#include "plot/parts/tokens.h"
#include "view/head_list.h"

namespace attn {
namespace {

std::string heads_words(const LinksScene& scene) {
  const std::size_t all = scene.shape().heads, shown = scene.heads.size();
  if (shown == 1) return numbered("head", scene.heads[0], all);
  if (shown == all) return ", all " + std::to_string(all) + " heads";
  return ", " + std::to_string(shown) + " of " + std::to_string(all) + " heads";
}

std::string range_words(const char* name, const LinkSide& side) {
  return std::string(name) + " " + std::to_string(side.first + 1) + " to " +
         std::to_string(side.end()) + " of " + std::to_string(side.axis.count);
}

// "" where all tokens are in view.
std::string view_words(const LinksScene& scene) {
  const bool all_queries = scene.queries.count == scene.queries.axis.count;
  const bool all_keys = scene.keys.count == scene.keys.axis.count;
  if (all_queries && all_keys) return "";
  return range_words("Queries", scene.queries) + ", " + range_words("keys", scene.keys) +
         " are in view; links to and from others are dashed stubs.";
}

// Heads count from 1 in pictures.
std::string missing_heads_words(const LinksScene& scene) {
  const std::vector<std::size_t> missing = heads_missing(scene.options.heads, scene.shape().heads);
  if (missing.empty()) return "";
  std::string names;
  for (const std::size_t head : missing) {
    names += (names.empty() ? "" : ", ") + std::to_string(head + 1);
  }
  return (missing.size() == 1 ? "Head " : "Heads ") + names + " of " +
         std::to_string(scene.shape().heads) + (missing.size() == 1 ? " is" : " are") +
         " not there.";
}

std::string rows_in_view_words(const LinksScene& scene) {
  return scene.chosen.rows_in_view ? "Links of queries beyond the view are not known yet." : "";
}

std::string not_numbers_words(const LinksScene& scene) {
  if (scene.chosen.not_numbers == 0) return "";
  return counted(scene.chosen.not_numbers, "weight is", "weights are") +
         " not a number and not drawn.";
}

}  // namespace

std::string links_heading(const LinksScene& scene) {
  const AttentionShape& shape = scene.shape();
  const HeadAddress& at = scene.options.at;
  return "Attention weights" + which_attention(scene.input.result.problem(), ", ") +
         numbered("layer", at.layer, shape.layers) + numbered("sample", at.sample, shape.samples) +
         heads_words(scene);
}

std::string links_rule(const LinksScene& scene) {
  const PlotOptions& options = scene.options;
  std::string words = "A line is as opaque as its weight is large. ";
  if (options.least) {
    words += "Weights of at least " + short_text(*options.least) + " are drawn";
  } else if (options.row_share >= 1.0) {
    words += "All weights above 0 are drawn";
  } else {
    words += "Of each row the largest weights are drawn, until they make up " +
             short_text(100.0 * options.row_share, 3) + " % of it";
  }
  if (scene.chosen.left_out > 0) {
    words += "; the " + grouped_text(scene.chosen.left_out) + " smallest of them are left out";
  }
  return words + ".";
}

std::string links_limits(const LinksScene& scene) {
  std::string all;
  for (const std::string& words : {view_words(scene), rows_in_view_words(scene),
                                   missing_heads_words(scene), not_numbers_words(scene)}) {
    all += (all.empty() || words.empty() ? "" : " ") + words;
  }
  return all;
}

std::string links_focus(const LinksScene& scene) {
  if (!scene.focus) return "";
  const TokenHit& token = *scene.focus;
  const bool query = token.side == Side::Query;
  return "Only the links " + std::string(query ? "from " : "to ") +
         quoted_token(scene.input.document, token.side, scene.options.at.sample, token.index) +
         " (" + (query ? "query " : "key ") + std::to_string(token.index + 1) + ").";
}

std::string links_alt_text(const LinksScene& scene) {
  return links_heading(scene) + ": links from " +
         counted(scene.queries.axis.count, "query", "queries") + " to " +
         counted(scene.keys.axis.count, "key", "keys");
}

std::string beyond_words(const LinksScene& scene, Side side, bool before) {
  const LinkSide& tokens = scene.side(side);
  const std::size_t hidden = before ? tokens.first : tokens.after();
  if (hidden == 0) return "";
  std::uint64_t links = 0;
  for (const Stub& stub : scene.chosen.stubs) {
    if (stub.side != side && stub.before == before) links += stub.links;
  }
  const bool rows = scene.layout.rows;
  const std::string arrow = before ? (rows ? "← " : "↑ ") : (rows ? "→ " : "↓ ");
  const std::string words = arrow + grouped_text(hidden) + " more";
  if (side == Side::Query && scene.chosen.rows_in_view) return words;
  return words + ", " + grouped_text(links) + (links == 1 ? " link" : " links");
}

}  // namespace attn
