// JSON nested deeper than any stack is refused, in every file that may hold it.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/joined.h"
#include "base/json.h"
#include "document/load/open.h"
#include "export/export.h"
#include "export/provenance.h"
#include "session/inbox.h"
#include "session/preferences.h"
#include "session/unsaved_work.h"
#include "support/paths.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"
#include "tests/core/export/small_figures.h"

namespace attn {
namespace {

constexpr std::size_t kDeep = 50'000, kDeepInSmallFiles = 30'000;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

// Lists, objects and both, each also next to sound values.
std::vector<std::string> nested(std::size_t levels) {
  return {repeated("[", levels) + repeated("]", levels),
          repeated("{\"a\":", levels) + "1" + repeated("}", levels),
          "{\"title\": \"sound\", \"tokens\": " + repeated("[{\"a\":", levels / 2) + "1" +
              repeated("}]", levels / 2) + "}",
          "{\"program\": \"AttnScope 1\", \"document\": " + repeated("[1, [", levels / 2) +
              repeated("]]", levels / 2) + "}"};
}

// Sanitizers may check only the core, without the program.
bool has_program() { return std::filesystem::exists(test::program_path()); }

void put(const std::string& path, const std::string& bytes) {
  ASSERT_TRUE(write_file_atomically(path, bytes, Overwrite::Replace).ok());
}

// A file of one array of attention, with a note, in each format that has notes.
std::vector<std::pair<std::string, std::string>> files_with_note(const std::string& note) {
  const std::string numbers = test::bytes_of<float>({1, 0, 0.5, 0.5});
  const std::string array = R"("attention": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, )"
                            "16]}";
  const Json metadata{{"attnscope", note}};
  std::string wide;
  for (const char c : note) wide += test::little_endian(static_cast<unsigned char>(c), 4);
  const std::string text = test::npy("<U" + std::to_string(note.size()), "()", wide);
  const std::string attention = test::npy("<f4", "(2, 2)", numbers);
  return {
      {"a.safetensors",
       test::safetensors("{\"__metadata__\": " + metadata.dump() + ", " + array + "}", numbers)},
      {"a.npz", test::zip_of({{"attnscope.npy", text}, {"attention.npy", attention}})},
      {"packed.npz",
       test::zip_of({{"attnscope.npy", text, true}, {"attention.npy", attention, true}})}};
}

TEST(Nesting, IsReadToABoundOfLevels) {
  for (const std::string& text : nested(kDeep)) EXPECT_TRUE(parse_own_json(text).is_discarded());
  for (const std::string& text : nested(kDeepestJson - 1)) {
    EXPECT_FALSE(parse_own_json(text).is_discarded());
  }
  const std::size_t most = kDeepestJson;
  EXPECT_FALSE(parse_own_json(repeated("[", most) + repeated("]", most)).is_discarded());
  EXPECT_TRUE(parse_own_json(repeated("[", most + 1) + repeated("]", most + 1)).is_discarded());
}

TEST(Nesting, InANoteOfArraysIsLeftOutAndSaid) {
  const test::TemporaryFolder folder;
  for (const std::string& note : nested(kDeep)) {
    for (const auto& [name, bytes] : files_with_note(note)) {
      put(folder.file(name), bytes);
      const Result<Reading> reading = open_document(folder.file(name));
      ASSERT_TRUE(reading.ok()) << name << ": " << describe(reading.error());
      EXPECT_NE(joined(reading->notes).find("a note that is no JSON"), std::string::npos)
          << joined(reading->notes);
      if (!has_program()) continue;
      const test::ProcessResult checked = test::run_attnscope({"validate", folder.file(name)});
      EXPECT_EQ(checked.exit_code, 0) << checked.err;
    }
  }
}

TEST(Nesting, OfANoteThatFitsIsRead) {
  const test::TemporaryFolder folder;
  for (const auto& [name, bytes] :
       files_with_note(R"({"title": "Two", "other": )" + nested(kDeepestJson - 1).front() + "}")) {
    put(folder.file(name), bytes);
    EXPECT_EQ(open_document(folder.file(name))->document.title, "Two") << name;
  }
}

TEST(Nesting, InTheRecordOfAFigureIsNoRecord) {
  const test::TemporaryFolder folder;
  for (const std::string& record : nested(kDeep)) {
    for (const Exporter& exporter : all_exporters()) {
      Figure figure = test::labelled_figure();
      figure.provenance = record;
      const std::string bytes = exporter.write(figure, {}, nullptr).value();
      EXPECT_EQ(picture_format(bytes), exporter.extension);
      EXPECT_EQ(provenance_in(bytes), std::nullopt) << exporter.extension;
      const std::string path = folder.file("a." + std::string(exporter.extension));
      put(path, bytes);
      if (!has_program()) continue;
      EXPECT_EQ(test::run_attnscope({"info", path}).exit_code, 3) << path;
    }
  }
}

TEST(Nesting, InPreferencesKeepsTheUsualOnesAndTheFile) {
  const test::TemporaryFolder folder;
  ::setenv("ATTNSCOPE_CONFIG_DIR", folder.path().c_str(), 1);
  for (const std::string& text : nested(kDeepInSmallFiles)) {
    put(folder.file("preferences.json"), text);
    EXPECT_EQ(preferences_text(load_preferences()), preferences_text({}));
    EXPECT_FALSE(check_preferences().ok());
    EXPECT_FALSE(store_preferences({}).ok());
    EXPECT_EQ(read_file(folder.file("preferences.json"), text.size()).value(), text);
  }
  ::unsetenv("ATTNSCOPE_CONFIG_DIR");
}

TEST(Nesting, InUnsavedWorkLosesNoDocument) {
  const test::TemporaryFolder parent;
  const std::string run = parent.file("4194305-0");  // of no process
  std::filesystem::create_directory(run);
  put(run + "/1.attn.json", "[\"a\"]");
  for (const std::string& text : nested(kDeepInSmallFiles)) {
    put(run + "/1.note.json", text);
    put(run + "/open.json", text);
    EXPECT_FALSE(is_open_elsewhere(parent.file("4194305-1"), run + "/1.attn.json"));
    const FoundWork found = find_unsaved(parent.path(), 1'800'000'000);
    ASSERT_EQ(found.work.size(), 1U);
    EXPECT_TRUE(open_document(document_file(found.work.front())).ok());
  }
}

TEST(Nesting, InARequestOpensNothing) {
  const test::TemporaryFolder folder;
  for (const std::string& text : nested(9'000)) {
    put(folder.file("1.json"), text);
    EXPECT_FALSE(take_request(folder.file("1.json")).has_value());
    EXPECT_FALSE(std::filesystem::exists(folder.file("1.json")));
  }
}

}  // namespace
}  // namespace attn
