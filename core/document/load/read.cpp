// Reads and checks a document's text.
#include "document/load/read.h"

#include <optional>
#include <utility>

#include "base/descriptor.h"
#include "base/utf8.h"
#include "document/draft/draft.h"
#include "document/folder/source.h"
#include "document/json/document_text.h"

namespace attn {
namespace {

// Error of the text as JSON. A truncated text matters more than values refused before.
std::vector<Error> read_text(JsonReader& reader, std::string_view text, DocumentText& said) {
  if (reader.is_empty()) {
    Error error = refusal_at("", "the file is empty", "no text",
                             "an object such as {\"tokens\": [\"I\", \"love\", \"cats\"]}");
    reader.set_line_and_column(error, text.size());
    return {std::move(error)};
  }
  read_document_text(reader.root(), said);
  std::vector<Error> errors = reader.errors();
  if (reader.broken() && errors.size() < kMostErrors) {
    errors.insert(errors.begin(), *reader.broken());
  }
  return errors;
}

// Reads the text up to an invalid byte; the value that is open there contains the byte.
Error no_utf8(JsonReader& reader, std::string_view text, std::size_t at) {
  Error error = refusal_at("", "the text is not valid UTF-8",
                           "the byte " + std::to_string(static_cast<unsigned char>(text[at])),
                           "UTF-8", "write it as UTF-8");
  reader.set_line_and_column(error, at);
  if (reader.broken()) error.pointer = reader.broken()->pointer;
  return error;
}

// Reading the file takes this share of the time of reading and parsing.
constexpr float kShareOfFile = 0.05F;

void read(std::string_view text, const ReadOptions& options, Reading& reading) {
  const std::optional<std::size_t> invalid = first_invalid_utf8(text);
  const std::string_view sound = text.substr(0, invalid.value_or(text.size()));
  DocumentText said;
  const ProgressPart part(options.progress, kShareOfFile, 1.0F - kShareOfFile);
  JsonReader reader(sound, options);
  reading.errors = read_text(reader, sound, said);
  if (is_cancelled(options.progress)) reading.errors = {reading_stopped("")};
  if (invalid) reading.errors = {no_utf8(reader, text, *invalid)};
  if (!reading.errors.empty()) return;
  said.seed = options.seed.value_or(said.seed);
  std::optional<SourceModel> source =
      fill_from_folder(said, options, reader.notes(), reading.errors);
  const std::vector<TensorEdit> edits = std::move(said.edits);
  if (reading.errors.empty()) {
    reading = completed(std::move(said), options.memory_limit_bytes, options.progress);
  }
  std::vector<std::string>& notes = reading.notes;
  notes.insert(notes.begin(), reader.notes().begin(), reader.notes().end());
  if (source && reading.errors.empty()) put_source(reading, *std::move(source), edits);
  for (Error& error : reading.errors) {
    if (error.file.empty()) reader.set_place(error);
  }
  if (options.lesson_faults == nullptr || !reading.errors.empty()) return;
  reading.lesson_faults = options.lesson_faults(reading.document, options);
  for (Error& fault : reading.lesson_faults) reader.set_place(fault);
}

Reading read(std::string_view text, const std::string& file, const ReadOptions& options) {
  Reading reading;
  if (text.size() > options.memory_limit_bytes) {
    reading.errors = {over_memory("the text is larger than the memory limit", text.size(),
                                  options.memory_limit_bytes, "raise the memory limit")};
  } else {
    read(text, options, reading);
  }
  for (Error& error : reading.errors) {
    if (error.file.empty()) error.file = file;  // else one of a model's folder
  }
  for (Error& fault : reading.lesson_faults) fault.file = file;
  return reading;
}

}  // namespace

Reading read_document(ByteStream& stream, const std::string& file, const ReadOptions& options) {
  const Result<std::string> text = [&] {
    const ProgressPart part(options.progress, 0.0F, kShareOfFile);
    return read_rest(stream);
  }();
  if (text) return read(*text, file, options);
  Error error = text.error();
  error.file = file;
  return {.errors = {std::move(error)}};
}

Result<Reading> read_document(std::string_view text, const std::string& file,
                              const ReadOptions& options) {
  Reading reading = read(text, file, options);
  if (!reading.errors.empty()) return std::move(reading.errors.front());
  return reading;
}

}  // namespace attn
