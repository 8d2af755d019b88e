// Checks of tokens, and of a document as a whole.
#include "document/inconsistencies.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/number_text.h"
#include "document/rule_checks.h"

namespace attn {
namespace {

void check_token_side(Findings& findings, const TokenLists& lists, const std::string& pointer,
                      std::size_t samples, std::size_t n) {
  if (!findings.require(lists.size() == 1 || lists.size() == samples, pointer,
                        "as many lists of tokens as samples are needed",
                        counted(lists.size(), "list"),
                        samples == 1 ? "1" : "1 or " + std::to_string(samples))) {
    return;
  }
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::string place = lists.size() == 1 ? pointer : pointer + "/" + std::to_string(i);
    findings.require(lists[i].size() == n, place, "tokens and positions differ in number",
                     counted(lists[i].size(), "token"),
                     std::to_string(n) + ", one for each position of the matrices",
                     lists[i].all_named()
                         ? ""
                         : "make the count " + std::to_string(n) + ", or leave the tokens out");
  }
}

// One list of tokens with different numbers of queries and keys: either side may be the wrong one.
void refuse_tokens_of_both_sides(Findings& findings, const Document& document,
                                 const AttentionShape& shape) {
  const std::size_t tokens = document.query_tokens.front().size();
  const bool given = !has_scores(document.model);
  const std::string queries = given ? counted(shape.n_q, "row") : counted(shape.n_q, "query row");
  const std::string keys = given ? counted(shape.n_k, "column") : counted(shape.n_k, "key row");
  findings.require(false, "/tokens",
                   "one list of tokens names queries and keys alike, and they differ in number",
                   counted(tokens, "token") + " for " + queries + " and " + keys,
                   std::to_string(tokens) + " of both",
                   "complete the side that is short; or, when they are two sequences, give "
                   "query_tokens and key_tokens instead of tokens");
}

void check_tokens(Findings& findings, const Document& document, const AttentionShape& shape) {
  if (document.cross) {
    check_token_side(findings, document.query_tokens, "/query_tokens", shape.samples, shape.n_q);
    check_token_side(findings, document.key_tokens, "/key_tokens", shape.samples, shape.n_k);
    return;
  }
  if (shape.n_q == shape.n_k) {
    check_token_side(findings, document.query_tokens, "/tokens", shape.samples, shape.n_q);
  } else {
    refuse_tokens_of_both_sides(findings, document, shape);
  }
  findings.require(document.key_tokens.empty(), "/key_tokens",
                   "self-attention has one list of tokens", "key_tokens as well", "tokens only");
}

// Names are of columns that there are.
void check_features(Findings& findings, const FeatureNames& features, const AttentionShape& shape) {
  for (const FeatureAxisInfo& info : all_feature_axes()) {
    const std::size_t count = shape.*info.count;
    const std::span<const TokenName> names = features.of(info.axis);
    if (names.empty() || names.back().index < count) continue;
    const std::string key(info.key);
    findings.require(count > 0, "/features/" + key, "the document has no " + key + " to name",
                     counted(names.size(), "name"), "names of columns that there are");
    findings.require(count == 0, "/features/" + key, "there are more names than columns",
                     counted(names.back().index + 1, "name"),
                     "at most " + std::to_string(count) + ", as " + key + " is");
  }
}

}  // namespace

std::vector<Error> input_inconsistencies(const Document& document,
                                         std::span<const std::string> generated) {
  Findings findings(generated);
  check(findings, document.model, {document.cross, document.scoring.function});
  return findings.take();
}

std::vector<Error> inconsistencies(const Document& document) {
  std::vector<Error> errors = input_inconsistencies(document);
  Findings findings;
  check_scoring_numbers(findings, document.scoring);
  if (errors.empty()) {
    const AttentionShape shape = shape_of(document);
    check_tokens(findings, document, shape);
    check_features(findings, document.features, shape);
    for (const MaskPlace& place : masks_of(document)) {
      Findings of_mask;
      check_mask(of_mask, document.*place.mask, shape_of(document, place.part));
      findings.add_from(of_mask, "/mask", pointer_of(place));
    }
    const MaskPlace& positioned = positioned_mask(document);
    Findings of_position;
    check_position(of_position, attended(document, positioned.part),
                   shape_of(document, positioned.part));
    findings.add_from(of_position, "/mask", pointer_of(positioned));
    check_scoring_matrices(findings, document.scoring, scored_shape(document));
  }
  for (Error& error : findings.take()) errors.push_back(std::move(error));
  return errors;
}

Result<Document> if_consistent(Document document) {
  std::vector<Error> errors = inconsistencies(document);
  if (!errors.empty()) return std::move(errors.front());
  return document;
}

}  // namespace attn
