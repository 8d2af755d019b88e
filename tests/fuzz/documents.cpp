// Any bytes of a document or an array are read or refused with a place; a read document is
// consistent, reads back equal when it is written, and computes, with a note where numbers are not
// finite; its lesson can be checked and drawn, whatever its steps name.
#include <algorithm>
#include <memory>

#include "base/files.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "fuzz.h"
#include "lesson/lesson.h"
#include "session/page_file.h"
#include "tests/core/document/npy_bytes.h"

namespace attn::fuzz {
namespace {

constexpr std::size_t kLongest = 1U << 14U;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 18U;
constexpr std::uint64_t kMostResultBytes = std::uint64_t{2} << 20U;
constexpr std::uint64_t kMostMultiplyAdds = 200'000;

// The folder in which {"file": "a.npy"} of a document is found.
const std::string& folder_of_arrays() {
  static const std::string kFolder = [] {
    const QuickFiles quick;
    const std::pair<const char*, std::string> arrays[] = {
        {"a.npy", test::float_npy("(2, 2)", {1.0F, 2.0F, 3.0F, 4.0F})},
        {"b.npy", test::npy("|b1", "(2, 2)", std::string("\1\0\1\1", 4))}};
    for (const auto& [name, bytes] : arrays) {
      const std::string path = scratch_folder() + "/" + name;
      expect(write_file_atomically(path, bytes, Overwrite::Replace).ok(), path);
    }
    return scratch_folder();
  }();
  return kFolder;
}

ReadOptions small_documents() {
  ReadOptions options;
  options.memory_limit_bytes = kMostBytes;
  options.folder = folder_of_arrays();
  return options;
}

Reading read_bytes(std::string_view bytes) {
  const Loader& loader = loader_for(bytes.substr(0, kSniffBytes), "f.json");
  return loader.read({"f.json", std::make_shared<ByteStream>(bytes), small_documents()});
}

void expect_places(const std::vector<Error>& errors) {
  for (const Error& error : errors) {
    expect_clear(error);
    expect(error.file == "f.json", "an error names the file");
    const bool is_of_text = error.kind == ErrorKind::BadInput && error.line > 0;
    expect(!is_of_text || error.column > 0, "a line has a column");
  }
}

void expect_written_back(const Document& document) {
  const std::string text = write_document(document);
  ReadOptions options = small_documents();
  options.memory_limit_bytes *= 64;
  const Result<Reading> again = read_document(text, "again", options);
  expect(again.ok(), "what was written can be read: " + (again ? "" : describe(again.error())));
  expect(again->document == document, "what was written is the same document:\n" + text);
  expect(write_document(again->document) == text, "it is written alike:\n" + text);
}

void expect_notes_on(const AttentionResult& result) {
  const auto stages = result.stages();
  const bool is_finite = std::ranges::none_of(
      stages, [&](Stage stage) { return result.non_finite_count(stage).value_or(0) > 0; });
  expect(is_finite || !notes_on_all(result).empty(), "numbers that are not finite are noted");
}

void expect_computed(const Document& document) {
  AttentionProblem problem = make_problem(document);
  if (predicted_multiply_adds(problem) > kMostMultiplyAdds) return;
  ComputeOptions options;
  options.memory_limit_bytes = kMostResultBytes;
  options.threads = 1;
  const Result<ResultPtr> result = compute(std::move(problem), options);
  if (!result) return expect_clear(result.error());
  expect(!(*result)->stages().empty(), "something was computed");
  expect_notes_on(**result);
}

// Formulas, pins, questions and edits of lessons have a fault or a place on the lesson's page.
void expect_lesson(Document document) {
  constexpr std::size_t kMostSteps = 16, kMostDrawn = 3;
  if (document.lesson.size() > kMostSteps) return;
  if (predicted_multiply_adds(make_problem(document)) > kMostMultiplyAdds) return;
  ReadOptions options = small_documents();
  options.memory_limit_bytes = kMostResultBytes;
  for (const Error& error : lesson_faults(document, options)) expect_clear(error);
  if (document.lesson.empty() || document.lesson.size() > kMostDrawn) return;
  const Result<std::string> page =
      lesson_page(document, usual_lesson_paper(), {"f", ""}, {nullptr, kMostResultBytes});
  if (!page) expect_clear(page.error());
}

}  // namespace

void fuzz_documents(std::string_view bytes) {
  if (bytes.size() > kLongest) return;
  const Reading reading = read_bytes(bytes);
  expect_places(reading.errors);
  if (!reading.errors.empty()) return;
  const Status sound = check(reading.document);
  expect(sound.ok(), "what was read is consistent: " + (sound ? "" : describe(sound.error())));
  expect_written_back(reading.document);
  expect_computed(reading.document);
  expect_lesson(reading.document);
}

}  // namespace attn::fuzz
