// Documents with their computed results, for tests of plots.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "plot/all_plots.h"
#include "support/paths.h"

namespace attn::test {

// "word", n times.
inline Document sentence_of(std::size_t n) {
  Document document;
  document.title = "A sentence";
  document.query_tokens = {TokenList(n, "word")};
  return document;
}

struct ComputedCase {
  Document document;
  ResultPtr result;
  PlotInput input() const { return {document, *result}; }
};

inline ComputedCase computed_case(Document document) {
  ResultPtr result = compute(make_problem(document)).value();
  return {std::move(document), std::move(result)};
}

inline ComputedCase computed_example(const std::string& name) {
  return computed_case(open_document(std::string(kExamplePrefix) + name)->document);
}

inline ComputedCase computed_json(const std::string& json) {
  return computed_case(read_document(json, "test")->document);
}

// The model that finds nouns, reading a text.
inline ComputedCase computed_model(const std::string& text) {
  ReadOptions options;
  options.input.text = text;
  const std::string folder = source_folder() + "/assets/models/pronoun-encoder";
  return computed_case(open_document(folder, options)->document);
}

// The plot of that name with all its needs.
inline Result<Figure> draw(std::string_view plot, const PlotInput& input,
                           const PlotOptions& options, const TextMetrics& metrics) {
  return draw_complete(*plot_named(plot), input.document, borrowed(input.result), options, metrics);
}

}  // namespace attn::test
