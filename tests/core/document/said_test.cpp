// Messages on many documents, most of them wrong, word for word: golden/said.txt has each on a line
// and below it all errors, or the notes on reading it and on the cost of computing it.
#include <gtest/gtest.h>

#include <sstream>

#include "base/files.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "support/errors_of.h"
#include "support/golden.h"
#include "support/paths.h"

namespace attn {
namespace {

constexpr const char* kGolden = "core/document/golden/said.txt";

std::string cost_text(const Document& document) {
  const AttentionProblem problem = make_problem(document);
  return "  computing it: " + std::to_string(computing_multiply_adds(problem)) +
         " multiply-adds, " + std::to_string(influence_multiply_adds(problem)) +
         " of the derivatives; " + std::to_string(needed_bytes(problem, 0)) + " bytes\n";
}

std::string said_of(const std::string& document) {
  std::string said;
  const std::vector<Error> errors = test::errors_of(document, "it");
  for (const Error& error : errors) said += "  " + describe(error) + "\n";
  if (!errors.empty()) return said;
  const Result<Reading> report = read_document(document, "it");
  said = "  " + report->reading + "\n";
  for (const std::string& note : report->notes) said += "  note: " + note + "\n";
  return said + cost_text(report->document);
}

// To add a document, write it at the end of the golden on a line of its own and update the file.
TEST(Said, OfManyDocumentsIsWhatItWas) {
  constexpr std::uint64_t kLongestGolden = 1U << 22U;
  const std::string path = test::source_folder() + "/tests/" + kGolden;
  std::istringstream golden(read_file(path, kLongestGolden).value());
  std::string said;
  for (std::string line; std::getline(golden, line);) {
    if (line.empty() || line.starts_with(' ')) continue;
    said += line + "\n" + said_of(line) + "\n";
  }
  ASSERT_GT(said.size(), 10'000U);
  EXPECT_TRUE(test::matches_golden(said, kGolden));
}

}  // namespace
}  // namespace attn
