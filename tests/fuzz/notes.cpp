// Any text in the note of an array file, in the record of a figure, in preferences or in a note on
// unsaved work is read or ignored: the arrays are shown in any case, and a record is the program's
// own or none. The first byte chooses the place, the second how often the first line is repeated,
// so that small inputs nest deep; the rest follows.
#include <array>

#include "base/files.h"
#include "base/json.h"
#include "document/load/open.h"
#include "export/export.h"
#include "export/provenance.h"
#include "fuzz.h"
#include "session/preferences.h"
#include "session/unsaved_work.h"
#include "tests/core/document/arrays/array_bytes.h"
#include "tests/core/export/small_figures.h"

namespace attn::fuzz {
namespace {

constexpr std::size_t kMostNote = std::size_t{1} << 20U;

std::string repeated(std::string_view line, std::size_t exponent) {
  std::string text(line);
  for (std::size_t i = 0; i < exponent && text.size() <= kMostNote / 2; ++i) text += text;
  return text;
}

const std::string& attention() {
  static const std::string kBytes = test::bytes_of<float>({1, 0, 0.5, 0.5});
  return kBytes;
}

// The note in JSON; malformed UTF-8, which the header may not have, is replaced.
std::string safetensors_with(const std::string& note) {
  const Json said{{"attnscope", note}};
  return test::safetensors(
      "{\"__metadata__\": " + said.dump(-1, ' ', false, Json::error_handler_t::replace) +
          R"(, "attention": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}})",
      attention());
}

std::string archive_with(const std::string& note, bool packed) {
  std::string wide;
  for (const char c : note) wide += test::little_endian(static_cast<unsigned char>(c), 4);
  const std::string type = "<U" + std::to_string(std::max<std::size_t>(note.size(), 1));
  wide.resize(4 * std::max<std::size_t>(note.size(), 1));
  return test::zip_of({{"attnscope.npy", test::npy(type, "()", wide), packed},
                       {"attention.npy", test::npy("<f4", "(2, 2)", attention()), packed}});
}

void expect_read(const std::string& name, const std::string& bytes) {
  const QuickFiles quick;
  const std::string path = scratch_folder() + "/" + name;
  expect(write_file_atomically(path, bytes, Overwrite::Replace).ok(), "a file can be written");
  const Result<Reading> reading = open_document(path);
  if (!reading) return expect_clear(reading.error());
  for (const std::string& note : reading->notes) expect(note.size() < 50'000, "notes are bounded");
}

void expect_own_record(const std::string& record, const Exporter& exporter) {
  Figure figure = test::labelled_figure();
  figure.provenance = record;
  const Result<std::string> bytes = exporter.write(figure, {}, nullptr);
  if (!bytes) return expect_clear(bytes.error());
  const std::optional<Provenance> found = provenance_in(*bytes);
  expect(!found || found->program.starts_with("AttnScope"), "a record is the program's own");
}

void expect_preferences(const std::string& text) {
  const std::string again = preferences_text(parse_preferences(text));
  expect(preferences_text(parse_preferences(again)) == again, "preferences are as they were read");
}

}  // namespace

void fuzz_notes(std::string_view input) {
  Bytes bytes(input);
  const auto exporters = all_exporters();
  const std::size_t place = bytes.below(4 + exporters.size()), exponent = bytes.below(20);
  std::string note = repeated(bytes.line(), exponent);
  note += bytes.rest();
  if (place == 0) return expect_read("note.safetensors", safetensors_with(note));
  if (place < 3) return expect_read("note.npz", archive_with(note, place == 2));
  if (place == 3) return expect_preferences(note);
  expect_own_record(note, exporters[place - 4]);
}

}  // namespace attn::fuzz
