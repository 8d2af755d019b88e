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

namespace attn {
namespace {

// Refusals of the text as a whole.
std::optional<Error> refused_as_text(std::string_view text, const ReadOptions& options) {
  if (text.size() > options.memory_limit_bytes) {
    Error error = refusal_at(
        "", "the text alone is larger than the memory that is allowed", bytes_text(text.size()),
        "at most " + bytes_text(options.memory_limit_bytes), "raise the memory limit");
    error.kind = ErrorKind::OverMemoryLimit;
    return error;
  }
  if (const auto offset = first_invalid_utf8(text)) {
    // Walking up to the bad byte tells in which value it stands.
    JsonCursor cursor(text.substr(0, *offset),
                      {options.depth_limit, options.memory_limit_bytes, options.folder});
    cursor.skip();
    Error error =
        refusal_at("", "the text is not valid UTF-8",
                   "the byte " + std::to_string(static_cast<unsigned char>(text[*offset])), "UTF-8",
                   "save the file as UTF-8");
    if (!cursor.errors().empty()) error.pointer = cursor.errors().back().pointer;
    set_place(error, text, *offset);
    return error;
  }
  if (text.find_first_not_of(" \t\r\n", text.starts_with("\xEF\xBB\xBF") ? 3 : 0) == text.npos) {
    Error error = refusal_at("", "the file is empty", "no text",
                             "an object such as {\"tokens\": [\"I\", \"love\", \"cats\"]}");
    set_place(error, text, text.size());
    return error;
  }
  return std::nullopt;
}

struct Reading {
  ReadReport report;
  std::vector<Error> errors;
};

Reading read(std::string_view text, const std::string& file, const ReadOptions& options) {
  Reading reading;
  if (std::optional<Error> refused = refused_as_text(text, options)) {
    reading.errors.push_back(std::move(*refused));
  } else {
    JsonCursor cursor(text, {options.depth_limit, options.memory_limit_bytes, options.folder});
    DocumentFields fields;
    read_fields(cursor, fields);
    reading.errors = std::move(cursor.errors());
    // That the text breaks off matters more than what was refused before.
    if (cursor.is_broken())
      std::rotate(reading.errors.begin(), reading.errors.end() - 1, reading.errors.end());
    if (reading.errors.empty()) {
      Assembly assembly = assemble(std::move(fields), options.memory_limit_bytes);
      for (Error& error : assembly.errors) {
        set_place(error, text, offset_of_pointer(text, error.pointer));
      }
      reading.errors = std::move(assembly.errors);
      reading.report = std::move(assembly.report);
    }
  }
  for (Error& error : reading.errors) error.file = file;
  return reading;
}

}  // namespace

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

std::string_view document_schema() {
  for (const EmbeddedAsset& asset : embedded_assets()) {
    if (asset.name == "attnscope.schema.json") return asset.bytes;
  }
  return {};
}

}  // namespace attn
