// Knows long examples by their tokens.
#include "support/examples.h"

#include <algorithm>
#include <iterator>

namespace attn::test {
namespace {

constexpr std::size_t kMostTokens = 1024;

bool is_short(const Example& example) {
  const Result<Reading> report = open_document(example_path(example));
  return report && tokens_of(report->document, Side::Query).size() <= kMostTokens;
}

}  // namespace

std::vector<Example> short_examples() {
  std::vector<Example> examples;
  std::ranges::copy_if(all_examples(), std::back_inserter(examples), is_short);
  return examples;
}

}  // namespace attn::test
