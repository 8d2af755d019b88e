// Reads and checks a document's text from its first byte to its last.
#include "document/json.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/embedded_assets.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/draft/assemble.h"
#include "document/inconsistencies.h"
#include "document/json/cursor.h"
#include "document/json/fields.h"
#include "document/json/text.h"
#include "document/json/view.h"

namespace attn {
namespace {

Error no_text(const TextPlace& end) {
  Error error = refusal_at("", "the file is empty", "no text",
                           "an object such as {\"tokens\": [\"I\", \"love\", \"cats\"]}");
  error.line = end.line;
  error.column = end.column;
  return error;
}

Error text_too_large(std::uint64_t size, std::uint64_t limit) {
  Error error =
      refusal_at("", "the text alone is larger than the memory that is allowed", bytes_text(size),
                 "at most " + bytes_text(limit), "raise the memory limit");
  error.kind = ErrorKind::OverMemoryLimit;
  return error;
}

// What is wrong with the text as JSON, of documents. What was refused before the text breaks off is
// stepped over, so that both are told.
std::vector<Error> read_text(JsonText& text, JsonCursor& cursor, DocumentFields& fields) {
  if (text.is_at_end()) return {no_text(text.place())};
  const JsonCursor::Mark start = cursor.mark();
  read_fields(cursor, fields);
  if (!cursor.errors().empty() && cursor.recover(start)) cursor.finish();
  std::vector<Error> errors = cursor.errors();
  // That the text breaks off matters more than what was refused before.
  if (cursor.is_broken()) std::rotate(errors.begin(), errors.end() - 1, errors.end());
  return errors;
}

// What is wrong with the text whatever it says. Where it is not UTF-8, it ends for the cursor:
// walking there tells in which value that is.
std::optional<Error> refused_as_text(JsonText& text, JsonCursor& cursor) {
  std::optional<Error> refused = text.finish();
  const bool has_place = refused && refused->line > 0;
  if (has_place && cursor.is_broken()) refused->pointer = cursor.errors().back().pointer;
  return refused;
}

// What cannot be meant by what was read.
void put_together(const JsonCursor& cursor, DocumentFields fields, const ReadOptions& options,
                  Reading& reading) {
  if (options.seed) fields.seed = options.seed;
  Assembly assembly = assemble(std::move(fields), options.memory_limit_bytes, options.progress);
  for (Error& error : assembly.errors) cursor.set_place(error);
  reading.errors = std::move(assembly.errors);
  reading.report = std::move(assembly.report);
}

Reading read(std::string_view text, const std::string& file, const ReadOptions& options) {
  ByteStream stream(text);
  return read_document(stream, file, options);
}

}  // namespace

Reading read_document(ByteStream& stream, const std::string& file, const ReadOptions& options) {
  Reading reading;
  if (stream.size() > options.memory_limit_bytes) {
    reading.errors = {text_too_large(stream.size(), options.memory_limit_bytes)};
  } else {
    JsonText text(stream, options.block_bytes);
    JsonCursor cursor(text, {options.depth_limit, options.memory_limit_bytes, options.folder,
                             options.allows_outside});
    DocumentFields fields;
    cursor.note_place();
    reading.errors = read_text(text, cursor, fields);
    if (auto refused = refused_as_text(text, cursor)) reading.errors = {*refused};
    if (reading.errors.empty()) put_together(cursor, std::move(fields), options, reading);
  }
  for (Error& error : reading.errors) error.file = file;
  return reading;
}

Result<ReadReport> read_document(std::string_view text, const std::string& file,
                                 const ReadOptions& options) {
  Reading reading = read(text, file, options);
  if (!reading.errors.empty()) return std::move(reading.errors.front());
  return std::move(reading.report);
}

std::vector<Error> validate_document(std::string_view text, const std::string& file,
                                     const ReadOptions& options) {
  return read(text, file, options).errors;
}

std::optional<Panes> parse_panes(std::string_view text) {
  constexpr std::size_t kBlockBytes = 4096;
  ByteStream stream(text);
  JsonText json(stream, kBlockBytes);
  JsonCursor cursor(json, {});
  Panes panes;
  std::vector<std::string> notes;
  const bool read = read_layout(cursor, panes, notes) && cursor.finish() && !json.finish();
  return read ? std::optional(std::move(panes)) : std::nullopt;
}

std::string_view document_schema() {
  for (const EmbeddedAsset& asset : embedded_assets()) {
    if (asset.name == "attnscope.schema.json") return asset.bytes;
  }
  return {};
}

}  // namespace attn
